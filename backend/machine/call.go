package machine

import (
	"cmp"
	"slices"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A Convention is how a local routine is called: the physical registers of the parts
// of its parameters and results, in order, and all those that it writes. A parameter
// that it does not read has none. Two results, or a result and a parameter, may share
// registers.
type Convention struct {
	Params, Results [][]reg.Register
	Writes          []reg.Register
}

// Preferences are what callers of a routine would like of its allocation. All of it
// is about copies that they save: none must be met.
type Preferences struct {
	// Same are virtual registers that should become one.
	Same [][2]reg.Register
	// Wishes are physical registers that virtual ones should become.
	Wishes []Wish
	// Avoid is what it costs callers that a physical register is written.
	Avoid map[reg.ID]float64
}

// A Wish is a virtual register, the physical one for it and what that saves.
type Wish struct {
	From, To reg.Register
	Saves    float64
}

// Pseudo instructions stand for the call that brought control to a routine, which
// defines its parameters, and for its return, which reads its results.
const (
	opEnter = "ENTER"
	opLeave = "LEAVE"
)

// Enter is where a routine with the given parameters starts.
func Enter(params [][]reg.Register) *Inst { return pseudo(opEnter, nil, slices.Concat(params...)) }

// Leave is where a routine ends with the given results. What else is kept has the
// value that it had, for callers who need it.
func Leave(results [][]reg.Register, kept []reg.Register) *Inst {
	return pseudo(opLeave, append(slices.Concat(results...), kept...), nil)
}

// Call calls the routine of the given name.
func Call(name string, c *Convention) *Inst {
	params, writes := slices.Concat(c.Params...), slices.Clone(c.Writes)
	for _, r := range slices.Concat(c.Results...) {
		if !holds(params, r) && !holds(writes, r) {
			writes = append(writes, r) // not defined by anybody
		}
	}
	i := pseudo("CALL", params, writes)
	i.Operands = []operand.Op{operand.LabelRef(name + "<>(SB)")}
	return i
}

func pseudo(op string, uses, defs []reg.Register) *Inst {
	i := &ir.Instruction{Opcode: op}
	for _, r := range uses {
		i.Inputs = append(i.Inputs, r)
	}
	for _, r := range defs {
		i.Outputs = append(i.Outputs, r)
	}
	return describe(i)
}

func holds(rs []reg.Register, r reg.Register) bool {
	return slices.ContainsFunc(rs, func(x reg.Register) bool { return x.ID() == r.ID() })
}

// IsCall reports whether i calls a routine.
func (i *Inst) IsCall() bool { return i.Opcode == "CALL" }

// IsEnter reports whether i is where a routine starts.
func (i *Inst) IsEnter() bool { return i.Opcode == opEnter }

// HasCalls reports whether f calls routines.
func (f *Func) HasCalls() bool {
	for _, b := range f.Blocks {
		if slices.ContainsFunc(b.Insts, (*Inst).IsCall) {
			return true
		}
	}
	return false
}

// TakeConvention takes the pseudo instructions out of an allocated routine and
// returns what they tell. The numbers of parts are those of parameters and results.
func (f *Func) TakeConvention(params, results []int) *Convention {
	c := new(Convention)
	for _, b := range f.Blocks {
		b.Insts = slices.DeleteFunc(b.Insts, func(i *Inst) bool {
			switch i.Opcode {
			case opEnter:
				c.Params = split(i.Outputs, params)
			case opLeave:
				c.Results = split(i.Inputs, results)
			default:
				return false
			}
			return true
		})
	}
	c.Writes = f.writes()
	return c
}

// split cuts registers into runs of the given lengths.
func split(ops []operand.Op, lengths []int) (out [][]reg.Register) {
	for _, n := range lengths {
		var run []reg.Register
		for _, op := range ops[:n] {
			run = append(run, op.(reg.Register))
		}
		out, ops = append(out, run), ops[n:]
	}
	return out
}

// writes are the physical registers that f writes, each once at its widest view.
func (f *Func) writes() (out []reg.Register) {
	for _, b := range f.Blocks {
		for _, i := range b.All() {
			for _, d := range i.Defs {
				n := slices.IndexFunc(out, func(r reg.Register) bool { return r.ID() == d.ID() })
				switch {
				case n < 0:
					out = append(out, d)
				case d.Size() > out[n].Size():
					out[n] = d
				}
			}
		}
	}
	slices.SortFunc(out, func(a, b reg.Register) int {
		x, y := reg.ToPhysical(a), reg.ToPhysical(b)
		return cmp.Or(cmp.Compare(x.Kind(), y.Kind()), cmp.Compare(x.PhysicalIndex(), y.PhysicalIndex()))
	})
	return out
}
