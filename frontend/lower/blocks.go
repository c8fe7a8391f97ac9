package lower

import (
	"fmt"
	"go/constant"
	"go/types"

	"github.com/lanewise/lanewise/vir"
)

// SSA construction follows Braun et al., "Simple and Efficient Construction of
// Static Single Assignment Form" (2013). It is simple here because the body of
// the loop has no cycles but those of inner loops, see inner.go: a block is started
// when all edges into it exist, so a phi gets its operands at once. The only other
// phis are those of headers, one per variable, made before the body.

// A key is a scalar part of a variable.
type key struct {
	v    *types.Var
	leaf int
}

type constKey struct {
	t    vir.Type
	bits uint64
}

type variables struct {
	defs   map[*vir.Block]map[key]*vir.Value
	consts map[*vir.Block]map[constKey]*vir.Value
	names  map[string]int                // blocks named so far
	heads  map[*vir.Block]*vir.Block     // heads of inner loops, with the blocks before them
	known  map[*types.Var]constant.Value // counters of loops that are being unrolled
	fixed  map[*types.Var]bool           // elements of tables that such loops take
}

func (vs *variables) init() {
	vs.defs = make(map[*vir.Block]map[key]*vir.Value)
	vs.consts = make(map[*vir.Block]map[constKey]*vir.Value)
	vs.names = make(map[string]int)
	vs.heads = make(map[*vir.Block]*vir.Block)
	vs.known = make(map[*types.Var]constant.Value)
	vs.fixed = make(map[*types.Var]bool)
}

// newBlock returns a block that becomes part of the function when it is started.
func (l *lowerer) newBlock(name string) *vir.Block {
	l.names[name]++
	if n := l.names[name]; n > 1 {
		name = fmt.Sprintf("%s%d", name, n)
	}
	return &vir.Block{Name: name, Func: l.f}
}

// start continues in b, to which all jumps have been made; without any, what
// follows cannot be reached.
func (l *lowerer) start(b *vir.Block) {
	if len(b.Preds) == 0 {
		l.b.Cur = nil
		return
	}
	l.enter(b)
}

// enter appends b to the function and continues there.
func (l *lowerer) enter(b *vir.Block) {
	l.f.Blocks = append(l.f.Blocks, b)
	l.b.Cur = b
}

// jump goes to b if the current point can be reached, and ends the block.
func (l *lowerer) jump(b *vir.Block) {
	if b == l.out {
		l.leave()
		return
	}
	if l.b.Cur != nil {
		l.b.Jmp(b)
		l.b.Cur = nil
	}
}

// branch goes to one of two blocks. Leaving the loop teaches nothing about lengths: lanes go on behind an exit that one of
// them takes, so that what they load has to be in range by itself.
func (l *lowerer) branch(cond *vir.Value, then, els *vir.Block) {
	if bits, ok := cond.IsConst(); ok {
		if bits == 0 {
			then = els
		}
		l.jump(then)
		return
	}
	switch {
	case then == els:
	case then == l.out:
		l.exitIf(cond)
		then = els
	case els == l.out:
		l.exitIf(l.b.Op(vir.OpNot, cond.Type, cond))
	default:
		l.b.Br(cond, then, els)
		l.b.Cur = nil
		return
	}
	l.jump(then)
}

// set makes x the value of part of a variable from here on.
func (l *lowerer) set(k key, x *vir.Value) { l.define(l.b.Cur, k, x) }

func (l *lowerer) define(b *vir.Block, k key, x *vir.Value) {
	m := l.defs[b]
	if m == nil {
		m = make(map[key]*vir.Value)
		l.defs[b] = m
	}
	m[k] = x
}

// get is the current value of part of a variable, nil if it has none.
func (l *lowerer) get(k key) *vir.Value { return l.lookup(k, l.b.Cur) }

func (l *lowerer) lookup(k key, b *vir.Block) *vir.Value {
	if x, ok := l.defs[b][k]; ok {
		return x
	}
	if b == l.header || len(b.Preds) == 0 {
		return nil
	}
	if pre := l.heads[b]; pre != nil {
		return l.lookup(k, pre) // no variable of the inner loop
	}
	args := make([]*vir.Value, len(b.Preds))
	var x *vir.Value
	same := true
	for i, p := range b.Preds {
		if l.left[p] {
			continue
		}
		args[i] = l.lookup(k, p)
		if args[i] == nil {
			return nil
		}
		if x == nil {
			x = args[i]
		}
		same = same && args[i] == x
	}
	if x == nil {
		return nil
	}
	if !same || !l.definedBefore(x, b) {
		for i, p := range b.Preds {
			if args[i] == nil {
				args[i] = l.poisoned(p, x.Type)
			}
		}
		x = l.phi(b, args)
	}
	l.define(b, k, x)
	return x
}

// definedBefore reports whether x, the value of a variable at the end of all
// predecessors of b but those that leave the loop, is so on the way from these too.
func (l *lowerer) definedBefore(x *vir.Value, b *vir.Block) bool {
	for _, p := range b.Preds {
		if l.left[p] && !l.reachedFrom(p, x.Block) {
			return false
		}
	}
	return true
}

// reachedFrom reports whether all ways to b come through d; nil is before all.
func (l *lowerer) reachedFrom(b, d *vir.Block) bool {
	if d == nil || d == l.header {
		return true
	}
	seen := map[*vir.Block]bool{d: true}
	work := []*vir.Block{b}
	for len(work) > 0 {
		b, work = work[len(work)-1], work[:len(work)-1]
		switch {
		case seen[b]:
			continue
		case b == l.header || len(b.Preds) == 0:
			return false
		}
		seen[b] = true
		work = append(work, b.Preds...)
	}
	return true
}

func (l *lowerer) phi(b *vir.Block, args []*vir.Value) *vir.Value {
	cur := l.b.Cur
	l.b.Cur = b
	x := l.b.Phi(args[0].Type)
	x.Args = args
	l.b.Cur = cur
	return x
}

// constant is a constant of the current block.
func (l *lowerer) constant(t vir.Type, bits uint64) *vir.Value {
	if n := t.Elem.Bits(); n < 64 {
		bits &= 1<<n - 1
	}
	m := l.consts[l.b.Cur]
	if m == nil {
		m = make(map[constKey]*vir.Value)
		l.consts[l.b.Cur] = m
	}
	k := constKey{t, bits}
	if m[k] == nil {
		m[k] = l.b.Const(t, bits)
	}
	return m[k]
}

func (l *lowerer) int(t vir.Type, x int64) *vir.Value { return l.constant(t, uint64(x)) }

func (l *lowerer) int64(x int64) *vir.Value { return l.int(vir.Scalar(vir.I64), x) }

func (l *lowerer) bool(x bool) *vir.Value {
	if x {
		return l.constant(vir.Scalar(vir.Bool), 1)
	}
	return l.constant(vir.Scalar(vir.Bool), 0)
}
