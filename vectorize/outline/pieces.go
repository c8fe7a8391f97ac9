package outline

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// registerBytes is the size that vectors are cut into.
const registerBytes = 32

// inPieces is f with work on vectors longer than a register done register by register, so
// that what is done for each of them is seen to repeat, and to be the work of shorter
// vectors of other blocks. That is the order that machine code has anyway: operations lane
// by lane may be done for some lanes before the next ones unless the function is in order.
// Only blocks that allow names are cut.
func inPieces(f *vir.Func, allow func(b *vir.Block) bool) *vir.Func {
	if f.InOrder {
		return f
	}
	original := f
	f = f.Clone()
	whole := make(edit.Replaced)
	for i, b := range f.Blocks {
		if !allow(original.Blocks[i]) {
			continue
		}
		c := &cutter{b: vir.NewBuilder(f, b), whole: whole, pieces: make(map[*vir.Value][]*vir.Value), parts: make(map[lanesOf]*vir.Value)}
		insts := b.Insts
		b.Insts = nil
		for _, v := range insts {
			c.add(v)
		}
	}
	for v := range f.Values {
		for i, a := range v.Args {
			v.Args[i] = whole.Now(a)
		}
	}
	edit.Sweep(f)
	return f
}

// A cutter writes a block anew. Operations wait in a run as long as they are of one number
// of lanes and nothing comes that must not change places with them.
type cutter struct {
	b      *vir.Builder
	run    []*vir.Value
	aside  []*vir.Value // stand in the run without being part of it
	lanes  int
	pieces map[*vir.Value][]*vir.Value
	parts  map[lanesOf]*vir.Value
	whole  edit.Replaced // what has been put together again, for whoever needs that
}

// lanesOf are per lanes of a value from first on.
type lanesOf struct {
	v          *vir.Value
	first, per int
}

// add takes the next value of the block.
func (c *cutter) add(v *vir.Value) {
	n := lanewise(v)
	if n == 0 && len(c.run) > 0 && !v.Op.Info().Effect && !v.Op.IsLoad() && !c.needsRun(v) {
		c.aside = append(c.aside, v)
		return
	}
	if n == 0 || n != c.lanes {
		c.flush()
	}
	if n == 0 {
		c.b.Cur.Insts = append(c.b.Cur.Insts, v)
		return
	}
	c.run, c.lanes = append(c.run, v), n
}

func (c *cutter) needsRun(v *vir.Value) bool {
	return slices.ContainsFunc(v.Args, func(a *vir.Value) bool { return slices.Contains(c.run, a) })
}

// lanewise is the number of lanes of an operation that does for each of them the same with
// the same lanes of its operands; 0 of others.
func lanewise(v *vir.Value) int {
	t := v.Type
	switch v.Op {
	case vir.OpLoadUnit, vir.OpLoadReverse, vir.OpGather:
		return t.Lanes
	case vir.OpStoreUnit, vir.OpStoreReverse:
		return v.Access().Lanes
	case vir.OpPhi, vir.OpConst, vir.OpPoison:
		return 0
	}
	switch v.Op.Info().Rule {
	case vir.RuleInt, vir.RuleLogic, vir.RuleFloat, vir.RuleIntCmp, vir.RuleFloatCmp, vir.RuleBlend, vir.RuleTrunc, vir.RuleExt,
		vir.RuleIntToF, vir.RuleFToInt, vir.RuleFpext, vir.RuleFptrunc, vir.RuleBitcast:
		for _, a := range v.Args {
			if a.Type.Lanes != t.Lanes {
				return 0
			}
		}
		return t.Lanes
	}
	return 0
}

// flush writes the run, and what stood in it: ahead what it needs, the rest behind it.
func (c *cutter) flush() {
	needed := make(map[*vir.Value]bool)
	need := func(v *vir.Value) {
		for _, a := range v.Args {
			needed[a] = true
		}
	}
	for _, v := range c.run {
		need(v)
	}
	var ahead, behind []*vir.Value
	for _, v := range slices.Backward(c.aside) {
		if needed[v] {
			ahead = append(ahead, v)
			need(v)
		} else {
			behind = append(behind, v)
		}
	}
	slices.Reverse(ahead)
	slices.Reverse(behind)
	c.b.Cur.Insts = append(c.b.Cur.Insts, ahead...)
	c.writeRun(c.run)
	c.b.Cur.Insts = append(c.b.Cur.Insts, behind...)
	c.run, c.aside = nil, nil
}

// writeRun writes the operations of run in pieces if they are longer than a register.
func (c *cutter) writeRun(run []*vir.Value) {
	per := perPiece(run)
	if per >= c.lanes || len(run) == 0 {
		c.b.Cur.Insts = append(c.b.Cur.Insts, run...)
		return
	}
	for first := 0; first < c.lanes; first += per {
		for _, v := range run {
			c.pieces[v] = append(c.pieces[v], c.piece(v, first, per))
		}
	}
	for _, v := range run {
		if v.Type.IsVector() {
			c.whole[v] = c.b.Append(&vir.Value{Op: vir.OpConcat, Type: v.Type, Args: slices.Clone(c.pieces[v]), Name: v.Name, Pos: v.Pos})
		}
	}
}

// perPiece is how many lanes of the widest elements of the run fill a register.
func perPiece(run []*vir.Value) int {
	size := 1
	for _, v := range run {
		for _, t := range append([]vir.Type{v.Type}, types(v.Args)...) {
			if t.IsVector() && !t.IsMask() {
				size = max(size, t.Elem.Size())
			}
		}
	}
	return registerBytes / size
}

func types(vs []*vir.Value) (ts []vir.Type) {
	for _, v := range vs {
		ts = append(ts, v.Type)
	}
	return ts
}

// piece is v for per lanes from first on.
func (c *cutter) piece(v *vir.Value, first, per int) *vir.Value {
	w := c.b.Func.CopyValue(v)
	w.Name = ""
	if v.Type.IsVector() {
		w.Type.Lanes = per
	}
	switch v.Op {
	case vir.OpLoadUnit, vir.OpStoreUnit:
		w.Disp += int64(first * v.Access().Elem.Size())
	case vir.OpLoadReverse, vir.OpStoreReverse:
		w.Disp -= int64(first * v.Access().Elem.Size())
	}
	for i, a := range v.Args {
		if a.Type.IsVector() {
			w.Args[i] = c.part(a, first, per)
		}
	}
	w.Block = c.b.Cur
	c.b.Cur.Insts = append(c.b.Cur.Insts, w)
	return w
}

// part is operand a for per lanes from first on.
func (c *cutter) part(a *vir.Value, first, per int) *vir.Value {
	if ps := c.pieces[a]; first/per < len(ps) && ps[0].Type.Lanes == per {
		return ps[first/per]
	}
	if _, uniform := a.IsConst(); uniform || a.Op == vir.OpBroadcast {
		first = 0
	}
	key := lanesOf{a, first, per}
	if c.parts[key] == nil {
		c.parts[key] = c.cut(a, first, per)
	}
	return c.parts[key]
}

func (c *cutter) cut(a *vir.Value, first, per int) *vir.Value {
	if a.Op != vir.OpConst {
		return c.b.Subvec(a, first, per)
	}
	bits := a.Bits
	if len(bits) > 1 {
		bits = bits[first : first+per]
	}
	return c.b.Append(&vir.Value{Op: vir.OpConst, Type: vir.Vec(a.Type.Elem, per), Bits: slices.Clone(bits)})
}
