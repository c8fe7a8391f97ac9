// Package wrap recognizes wrap-around variables: those that hold what an earlier
// iteration computed from the inductions alone.
//
//	for i := range x {                       steady from the second iteration on:
//		y[i] = x[i] + x[prev]      ==>       y[i] = x[i] + x[i-1]
//		prev = i
//	}
//
// (Wolfe: Beyond induction variables, PLDI 1992.) The variable is replaced by the
// formula, in which inductions stand one step back; it stays as a variable that is
// set in every iteration and read after the kernel. A variable that takes the value of
// another such variable is one iteration further back.
//
// Requires: the straight body of if-conversion. Afterwards Unit.Peel says how many
// iterations scalar code must have done, since the loop was entered, before the
// formulas hold; none where the first values say what the formulas do.
//
// Remarks: wrap:Steady.
//
// Not handled: values of which more than a few operations would be done twice, or that
// the loop condition reads; variables that change places (x, y = y, x); regions where the scalar
// code leaves variables behind in other ways (plan.Region.Uneven).
package wrap

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
)

// maxOps is the most operations of a formula.
const maxOps = 8

// Run replaces the wrap-around variables of u's region.
func Run(u *pass.Unit) error {
	f := u.Region.Fn
	if len(f.Blocks) < 5 || u.Region.Uneven {
		return nil
	}
	w := &wrapper{u: u, sc: scev.New(u.Region), header: f.Blocks[1], body: f.Blocks[2]}
	w.b = vir.NewBuilder(f, w.body)
	formulas := make(map[*vir.Value]*vir.Value)
	for i, phi := range w.header.Phis() {
		if i >= len(u.Region.State) || !w.wanted(phi) {
			continue
		}
		w.begin(phi)
		v, ok := w.back(w.next(phi), 1)
		if !ok || !u.Count() {
			w.undo()
			continue
		}
		formulas[phi] = v
		if !w.regular {
			u.Peel = max(u.Peel, int64(w.depth))
		}
		u.Note("wrap:Steady", phi.Pos, nil, "%s is what was computed %s before", name(phi), iterations(w.depth))
	}
	if len(formulas) > 0 {
		w.replace(formulas)
	}
	return nil
}

func iterations(n int) string {
	if n == 1 {
		return "an iteration"
	}
	return [...]string{"two", "three", "four", "five", "six", "seven", "eight"}[n-2] + " iterations"
}

func name(v *vir.Value) string {
	if v.Name != "" {
		return v.Name
	}
	return "a variable"
}

// A wrapper makes the formula of one variable after the other, in the first block of
// the body.
type wrapper struct {
	u      *pass.Unit
	sc     *scev.Info
	b      *vir.Builder
	header *vir.Block
	body   *vir.Block

	mark    int // instructions of the body before this formula
	ops     int
	depth   int  // iterations that it looks back
	regular bool // the variables have such values from the start
	open    []*vir.Value
	steps   int // of before
}

func (w *wrapper) begin(phi *vir.Value) {
	w.mark, w.ops, w.depth, w.open = len(w.body.Insts), 0, 0, []*vir.Value{phi}
	w.regular = w.startsSteady(phi)
	w.b.Pos = w.next(phi).Pos
}

// undo takes the instructions of this formula away again.
func (w *wrapper) undo() { w.body.Insts = w.body.Insts[:w.mark] }

// wanted reports whether phi may be a wrap-around variable that is worth it.
func (w *wrapper) wanted(phi *vir.Value) bool {
	if phi.Type.Elem == vir.Ptr {
		return false
	}
	if w.sc.Phi(phi) != scev.Recurrence {
		return false
	}
	for _, v := range w.header.Insts {
		if v.Op != vir.OpPhi && slices.Contains(v.Args, phi) {
			return false // the loop condition reads it
		}
	}
	return true
}

func (w *wrapper) next(phi *vir.Value) *vir.Value {
	return phi.Args[1-w.header.PredIndex(w.u.Region.Fn.Entry())]
}

// back is v as it was so many iterations ago.
func (w *wrapper) back(v *vir.Value, ago int) (*vir.Value, bool) {
	switch {
	case ago > maxOps:
		return nil, false
	case v.Op == vir.OpParam || v.Op == vir.OpConst:
		w.depth = max(w.depth, ago)
		return w.outside(v), true
	case v.Op == vir.OpPhi && v.Block == w.header:
		return w.phiBack(v, ago)
	case !pure(v) || w.ops >= maxOps:
		return nil, false
	}
	w.ops++
	x := *v
	x.Args = nil
	for _, a := range v.Args {
		y, ok := w.back(a, ago)
		if !ok {
			return nil, false
		}
		x.Args = append(x.Args, y)
	}
	return w.b.Append(&x), true
}

// outside is an operand that need not be computed. Constants may stand behind.
func (w *wrapper) outside(v *vir.Value) *vir.Value {
	if v.Op == vir.OpConst {
		return w.b.Const(v.Type, v.Bits[0])
	}
	return v
}

// phiBack is the variable of phi so many iterations ago: an induction less as many
// steps, or what another wrap-around variable was set to in the iteration before that.
func (w *wrapper) phiBack(phi *vir.Value, ago int) (*vir.Value, bool) {
	if k := w.sc.Phi(phi); k == scev.Main || k == scev.Induction {
		a, ok := w.sc.Affine(phi)
		if !ok || a.StepExpr != nil || len(a.Wrap) > 0 {
			return nil, false
		}
		w.depth = max(w.depth, ago)
		return w.b.Op(vir.OpSub, phi.Type, phi, w.b.Int(phi.Type, int64(ago)*a.Step)), true
	}
	if slices.Contains(w.open, phi) || !w.wanted(phi) {
		return nil, false
	}
	w.open = append(w.open, phi)
	w.regular = w.regular && w.startsSteady(phi)
	v, ok := w.back(w.next(phi), ago+1)
	w.open = w.open[:len(w.open)-1]
	return v, ok
}

// pure reports whether v may be computed anew anywhere.
func pure(v *vir.Value) bool {
	i := v.Op.Info()
	switch v.Op {
	case vir.OpPhi, vir.OpPoison:
		return false
	case vir.OpSdiv, vir.OpUdiv, vir.OpSrem, vir.OpUrem:
		c, ok := v.Args[1].IsConst()
		return ok && c != 0
	}
	return !i.Effect && !i.Reads && !i.Term && v.Type != vir.Type{} && !v.Type.IsVector()
}

// replace puts the formulas behind iter and makes everybody in the body read them.
func (w *wrapper) replace(formulas map[*vir.Value]*vir.Value) {
	n := slices.IndexFunc(w.body.Insts, func(v *vir.Value) bool { return v.Op.Info().Term })
	made := slices.Clone(w.body.Insts[n+1:])
	rest := slices.Clone(w.body.Insts[1 : n+1])
	w.body.Insts = slices.Concat(w.body.Insts[:1:1], made, rest)
	state := slices.Clone(w.u.Region.State)
	for i, phi := range w.header.Phis() {
		if formulas[phi] != nil {
			state[i].Live = true // for the scalar code behind a call
		}
	}
	w.u.Region.State = state
	blocks := w.u.Region.Fn.Blocks
	for _, b := range blocks[2 : len(blocks)-1] {
		for _, v := range b.Insts {
			for i, a := range v.Args {
				if x := formulas[a]; x != nil {
					v.Args[i] = x
				}
			}
		}
	}
	for _, phi := range w.header.Phis() { // variables that are set to others
		for i, a := range phi.Args {
			if x := formulas[a]; x != nil && phi != a {
				phi.Args[i] = x
			}
		}
	}
}
