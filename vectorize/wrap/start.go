package wrap

import (
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
)

// startsSteady reports whether phi has on first entry the value that an iteration
// before would have set it to, as prev in
//
//	prev := -1
//	for i := 0; i < n; i++ { ...; prev = i }
func (w *wrapper) startsSteady(phi *vir.Value) bool {
	have, ok := w.init(phi)
	if !ok {
		return false
	}
	w.steps = 0
	x, ok := w.before(w.next(phi), 1)
	bits := phi.Type.Elem.Bits()
	return ok && low(x, bits) == low(have, bits)
}

func low(x int64, bits int) int64 { return x << (64 - bits) >> (64 - bits) }

// maxSteps bounds the operations that before looks at: values are shared, and the ways
// through them are many.
const maxSteps = 100

// init is the value of phi on first entry, if known.
func (w *wrapper) init(phi *vir.Value) (int64, bool) {
	for i, p := range w.header.Phis() {
		if p == phi && i < len(w.u.Region.State) && phi.Type.Elem.IsInt() {
			if c := w.u.Region.State[i].Init; c != nil {
				return *c, true
			}
		}
	}
	return 0, false
}

// before is v so many iterations before the first one, low bits only.
func (w *wrapper) before(v *vir.Value, ago int) (int64, bool) {
	if c, ok := v.ConstInt(); ok {
		return c, true
	}
	if v.Op == vir.OpPhi && v.Block == w.header && ago <= maxOps {
		if k := w.sc.Phi(v); k == scev.Main || k == scev.Induction {
			a, ok := w.sc.Affine(v)
			c, ok2 := w.init(v)
			return c - int64(ago)*a.Step, ok && ok2
		}
		if !w.wanted(v) {
			return 0, false
		}
		return w.before(w.next(v), ago+1)
	}
	switch v.Op { // not phis of loops inside: they lead round in circles
	case vir.OpAdd, vir.OpSub, vir.OpMul:
	default:
		return 0, false
	}
	if w.steps++; w.steps > maxSteps {
		return 0, false
	}
	x, ok := w.before(v.Args[0], ago)
	y, ok2 := w.before(v.Args[1], ago)
	switch v.Op {
	case vir.OpAdd:
		x += y
	case vir.OpSub:
		x -= y
	case vir.OpMul:
		x *= y
	}
	return x, ok && ok2
}
