// Package interp runs vir functions, one value after the other, on made-up
// memory. It is the definition of what operations mean that tests compare
// everything else with, so it is naive on purpose: no caching, no folding, and
// nothing shared with any pass. It must not know Go source, passes or machines.
//
// Functions must be valid (see vir/verify).
package interp

import (
	"fmt"
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// PanicKind is the kind of a Go panic.
type PanicKind string

const (
	PanicIndex PanicKind = "index out of range"
	PanicDiv   PanicKind = "integer divide by zero"
	PanicNil   PanicKind = "nil pointer"
	PanicShift PanicKind = "negative shift amount"
	PanicRare  PanicKind = "rare argument" // of a function that lanes do in another way; no panic in Go
)

// A Panic is a check that failed. The memory holds what was stored before.
type Panic struct {
	Kind       PanicKind
	Index, Len int64 // of PanicIndex; Index is the shift count of PanicShift
	Lane       int   // lowest lane that fails
	Iter       int   // iter operations executed before
	Inst       string
	Pos        vir.Pos
}

func (p Panic) Error() string {
	s := "panic: " + string(p.Kind)
	switch p.Kind {
	case PanicIndex:
		s += fmt.Sprintf(" [%d] with length %d", p.Index, p.Len)
	case PanicShift:
		s += fmt.Sprintf(" %d", p.Index)
	}
	return fmt.Sprintf("%s, lane %d, iteration %d: %s", s, p.Lane, p.Iter, p.Inst)
}

// Exit says that the function left its loop by an exit operation. What comes then
// is no part of the function. The memory holds what was stored before.
type Exit struct {
	Lane int // lowest lane that leaves
	Iter int // iter operations executed before
	Inst string
	Pos  vir.Pos
}

func (x Exit) Error() string {
	return fmt.Sprintf("exit, lane %d, iteration %d: %s", x.Lane, x.Iter, x.Inst)
}

// Poison says that a poison lane reached something that it must not reach.
type Poison struct {
	Use  string // "address", "branch", "stored value", "mask", "check"
	Lane int
	Inst string
	Pos  vir.Pos
}

func (p Poison) Error() string {
	return fmt.Sprintf("poison in %s, lane %d: %s", p.Use, p.Lane, p.Inst)
}

// StepLimit says that a function ran too long.
type StepLimit struct{ Steps int }

func (s StepLimit) Error() string { return fmt.Sprintf("not finished after %d steps", s.Steps) }

// DefaultSteps is the step limit of Run.
const DefaultSteps = 10_000_000

// Config has the options of a run.
type Config struct {
	Steps int // most values to execute; 0 is DefaultSteps
	// Trace, if set, sees every executed value with its result.
	Trace func(v *vir.Value, result Value)
	// Either, if set, says which way to go at a branch on any or all of a mask that poison
	// lanes decide. Without it that is an error.
	Either func() bool
}

// Run executes f with default options. The error is a Panic, Exit, Fault, Poison
// or StepLimit, or says which argument does not fit. Results may hold poison.
func Run(f *vir.Func, mem *Memory, args []Value) (results []Value, err error) {
	return Config{}.Run(f, mem, args)
}

// Run executes f; see the function Run.
func (c Config) Run(f *vir.Func, mem *Memory, args []Value) (results []Value, err error) {
	if len(args) != len(f.Params) {
		return nil, fmt.Errorf("@%s has %d parameters, got %d arguments", f.Name, len(f.Params), len(args))
	}
	m := &machine{cfg: c, mem: mem, env: make(map[*vir.Value]Value), results: make(map[*vir.Value][]Value), undefined: make(map[*byte]error)}
	if m.cfg.Steps == 0 {
		m.cfg.Steps = DefaultSteps
	}
	for i, p := range f.Params {
		if args[i].Type != p.Type {
			return nil, fmt.Errorf("argument %d of @%s is %s, not %s", i, f.Name, args[i].Type, p.Type)
		}
		m.env[p] = args[i]
	}
	results, err = m.run(f.Entry())
	if left := m.leftUndefined(); left != nil {
		return nil, left
	}
	return results, err
}

type machine struct {
	cfg Config
	mem *Memory
	env map[*vir.Value]Value
	// results are those of calls, which are no values.
	results map[*vir.Value][]Value
	// undefined are bytes that a poison lane was stored in, and nothing since.
	undefined map[*byte]error

	steps int
	iters int

	ins  []Value   // operands of the operation that is executed
	lane [3]uint64 // bits of one of its lanes
}

// run executes blocks until a ret.
func (m *machine) run(b *vir.Block) ([]Value, error) {
	for {
		for _, v := range b.Insts[len(b.Phis()):] {
			if m.steps++; m.steps > m.cfg.Steps {
				return nil, StepLimit{m.cfg.Steps}
			}
			res, err := m.exec(v)
			if err != nil {
				return nil, err
			}
			m.set(v, res)
		}
		t := b.Term()
		if t.Op == vir.OpRet {
			return slices.Clone(m.args(t)), nil
		}
		to := 0
		if t.Op == vir.OpBr {
			c := m.env[t.Args[0]]
			on := c.Bits[0] != 0
			if c.Poison[0] {
				var known bool
				if on, known = m.decided(t.Args[0]); !known {
					return nil, m.poison(t, "branch", 0)
				}
			}
			if !on {
				to = 1
			}
		}
		b = m.enter(b, to)
	}
}

// decided is the outcome of v, any or all of a mask with poison lanes, as the other lanes
// decide it, else as Either says; not known without that.
func (m *machine) decided(v *vir.Value) (on, known bool) {
	if m.cfg.Either == nil || v.Op != vir.OpAny && v.Op != vir.OpAll {
		return false, false
	}
	mask := m.env[v.Args[0]]
	for i, x := range mask.Bits {
		if !mask.Poison[i] && (x != 0) == (v.Op == vir.OpAny) {
			return v.Op == vir.OpAny, true
		}
	}
	return m.cfg.Either(), true
}

// enter evaluates the phis of the given successor, all at once, and returns it.
func (m *machine) enter(from *vir.Block, succ int) *vir.Block {
	to := from.Succs[succ]
	edge := predIndex(from, succ)
	vals := make([]Value, len(to.Phis()))
	for i, phi := range to.Phis() {
		vals[i] = m.env[phi.Args[edge]]
	}
	for i, phi := range to.Phis() {
		m.set(phi, vals[i])
	}
	return to
}

// predIndex finds the place of an edge in the target's Preds: of several edges
// between the same blocks, the n-th successor is the n-th predecessor.
func predIndex(from *vir.Block, succ int) int {
	to := from.Succs[succ]
	nth := 0
	for _, s := range from.Succs[:succ] {
		if s == to {
			nth++
		}
	}
	for i, p := range to.Preds {
		if p == from {
			if nth == 0 {
				return i
			}
			nth--
		}
	}
	panic("interp: edge without predecessor entry in block " + to.Name)
}

func (m *machine) set(v *vir.Value, res Value) {
	m.env[v] = res
	if m.cfg.Trace != nil {
		m.cfg.Trace(v, res)
	}
}

// call runs a routine, whose values are those of no other function. Its steps count.
func (m *machine) call(v *vir.Value) (err error) {
	for i, x := range m.args(v) {
		m.env[v.Callee.Params[i]] = x
	}
	m.results[v], err = m.run(v.Callee.Entry())
	return err
}

// args are the operands of v, as long as no others are asked for.
func (m *machine) args(v *vir.Value) []Value {
	m.ins = m.ins[:0]
	for _, a := range v.Args {
		m.ins = append(m.ins, m.env[a])
	}
	return m.ins
}

func (m *machine) poison(v *vir.Value, use string, lane int) error {
	return Poison{Use: use, Lane: lane, Inst: v.Inst(), Pos: v.Pos}
}

// exec computes one value that is no phi; terminators do nothing here.
func (m *machine) exec(v *vir.Value) (Value, error) {
	switch info := v.Op.Info(); {
	case info.Term:
		return Value{}, nil
	case v.Op == vir.OpCall:
		return Value{}, m.call(v)
	case v.Op == vir.OpResult:
		return m.results[v.Args[0]][v.Imm], nil
	case v.Op == vir.OpIter:
		m.iters++
		return Value{}, nil
	case v.Op == vir.OpConst:
		return New(v.Type, v.Bits...), nil
	case v.Op == vir.OpPoison:
		return Poisoned(v.Type), nil
	case v.Op.IsLoad():
		return m.load(v)
	case v.Op.IsStore():
		return Value{}, m.store(v)
	case v.Op.IsCheck():
		return Value{}, m.check(v)
	case v.Op == vir.OpLane:
		return m.named(v)
	}
	if v.Op == vir.OpBitcast && v.Args[0].Type.Lanes != v.Type.Lanes {
		return relaned(v.Type, m.args(v)[0]), nil
	}
	if f := lanewise[v.Op]; f != nil {
		return perLane(v, f, m.args(v), m.lane[:len(v.Args)]), nil
	}
	if f := across[v.Op]; f != nil {
		return f(v, m.args(v)), nil
	}
	panic(fmt.Sprintf("interp: operation %s is not implemented", v.Op))
}
