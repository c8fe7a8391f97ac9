// Package keep keeps what inner loops have chosen along with its place:
//
//	best := 0                                  best, v := 0, x[0]
//	for c := 1; c < n; c++ {                   for c := 1; c < n; c++ {
//		if x[c] > x[best] {          ==>           if x[c] > v {
//			best = c                                   best, v = c, x[c]
//		}                                          }
//	}                                          }
//
// Lanes that have chosen different places would load from as many of them in each turn.
//
// The first element is checked and loaded in front of the loop, even if there are no turns: where it does not exist the
// block of iterations is handed over. Later ones have been checked and loaded when they were chosen.
//
// Requires: a region behind if-conversion, with what branches decide in selects.
//
// Remarks: keep:Element.
//
// Not handled: loops that store; elements that are loaded under a condition.
package keep

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// Run changes the inner loops of u's region.
func Run(u *pass.Unit) error {
	for _, f := range loops.Find(u.Region.Fn).All {
		k, ok := keeperOf(u, f)
		if !ok {
			continue
		}
		for _, again := range slices.Clone(k.body.Insts) {
			if again.Op.IsLoad() && !again.Masked && again.Index() != nil {
				k.keep(again)
			}
		}
	}
	return nil
}

// A keeper changes an inner loop of two blocks, in front of which is pre.
type keeper struct {
	u               *pass.Unit
	pre, head, body *vir.Block
	from            int // pre among the predecessors of head
}

func keeperOf(u *pass.Unit, f *loops.Loop) (k keeper, ok bool) {
	if f.Depth < 2 || len(f.Blocks) != 2 || len(f.Latches) != 1 || len(f.Header.Preds) != 2 || f.Latches[0] == f.Header {
		return k, false
	}
	k = keeper{u: u, head: f.Header, body: f.Latches[0]}
	k.from = 1 - k.head.PredIndex(k.body)
	k.pre = k.head.Preds[k.from]
	return k, len(k.pre.Succs) == 1 && f.OnlyReads()
}

func (k *keeper) inside(v *vir.Value) bool { return v.Block == k.head || v.Block == k.body }

// keep replaces a load of what a phi says by a phi of its own.
func (k *keeper) keep(again *vir.Value) {
	place := k.placeOf(again.Index())
	if place == nil || k.inside(again.Base()) {
		return
	}
	c := &chosen{keeper: k, place: place, again: again}
	if !c.mayBe(place.Args[1-k.from], func(v *vir.Value) bool { return c.loaded(v) != nil }) {
		return
	}
	checks, ok := c.checks()
	if !ok || !c.movable(again.Index()) || !k.u.Count() {
		return
	}
	k.u.Note("keep:Element", again.Pos, nil, "the element at %s is kept, not loaded again", name(place))
	c.rewrite(checks)
}

// placeOf is the phi of the loop that index x is made of, nil where there is none or another one, too.
func (k *keeper) placeOf(x *vir.Value) *vir.Value {
	switch {
	case !k.inside(x):
		return nil
	case x.Op == vir.OpPhi && x.Block == k.head:
		return x
	}
	var place *vir.Value
	for _, a := range x.Args {
		p := k.placeOf(a)
		if p != nil && place != nil && p != place {
			return nil
		}
		if p != nil {
			place = p
		}
	}
	return place
}

// A chosen element is loaded again by the place that a phi keeps.
type chosen struct {
	*keeper
	place, again *vir.Value
	made         map[*vir.Value]*vir.Value // values of the loop in front of it, where place is what it is at first
}

// mayBe reports whether something holds of all that v, the next place, may be, but for what it was.
func (c *chosen) mayBe(v *vir.Value, holds func(*vir.Value) bool) bool {
	if v.Op == vir.OpSelect && c.inside(v) {
		return c.mayBe(v.Args[1], holds) && c.mayBe(v.Args[2], holds)
	}
	return v == c.place || holds(v)
}

// loaded is a load of the element at v in every turn.
func (c *chosen) loaded(v *vir.Value) *vir.Value {
	i := slices.IndexFunc(c.body.Insts, func(x *vir.Value) bool {
		return x != c.again && x.Op.IsLoad() && !x.Masked && x.Index() != nil && x.Type == c.again.Type && x.Base() == c.again.Base() &&
			x.Scale == c.again.Scale && x.Disp == c.again.Disp && c.alike(c.again.Index(), x.Index(), v)
	})
	if i < 0 {
		return nil
	}
	return c.body.Insts[i]
}

// alike reports whether y is what x is with v for the place.
func (c *chosen) alike(x, y, v *vir.Value) bool {
	switch {
	case x == c.place:
		return y == v
	case x == y:
		return c.placeOf(x) == nil
	case x.Op != y.Op || x.Type != y.Type || len(x.Args) != len(y.Args) || x.Op == vir.OpPhi || len(x.Args) == 0:
		return false
	}
	for i := range x.Args {
		if !c.alike(x.Args[i], y.Args[i], v) {
			return false
		}
	}
	return true
}

// checks are those of the index, at least one, which are made of every place when it is chosen. An index that nothing
// checks may be one of turns that there are.
func (c *chosen) checks() (all []*vir.Value, ok bool) {
	for _, v := range c.body.Insts {
		if v.Op != vir.OpCheckIndex || v.Args[0] != c.again.Index() {
			continue
		}
		checked := func(at *vir.Value) bool { return c.checked(at, v) }
		if v.Masked || c.inside(v.Args[1]) || !c.mayBe(c.place.Args[1-c.from], checked) {
			return nil, false
		}
		all = append(all, v)
	}
	return all, len(all) > 0
}

// checked reports whether place v is checked in every turn as check says.
func (c *chosen) checked(v, check *vir.Value) bool {
	return slices.ContainsFunc(c.body.Insts, func(x *vir.Value) bool {
		return x.Op == vir.OpCheckIndex && !x.Masked && x.Args[1] == check.Args[1] && c.alike(check.Args[0], x.Args[0], v)
	})
}

// movable reports whether v can be computed in front of the loop.
func (c *chosen) movable(v *vir.Value) bool {
	if v == c.place || !c.inside(v) {
		return true
	}
	switch v.Op {
	case vir.OpConst, vir.OpAdd, vir.OpSub, vir.OpMul, vir.OpShl, vir.OpNeg, vir.OpAnd, vir.OpSext, vir.OpZext, vir.OpTrunc, vir.OpSmax, vir.OpSmin:
		return !slices.ContainsFunc(v.Args, func(a *vir.Value) bool { return !c.movable(a) })
	}
	return false
}

// rewrite has a phi of the element, which is first loaded in front of the loop.
func (c *chosen) rewrite(checks []*vir.Value) {
	fn := c.u.Region.Fn
	c.made = map[*vir.Value]*vir.Value{c.place: c.place.Args[c.from]}
	b := vir.NewBuilder(fn, c.pre)
	b.Pos = c.again.Pos
	var first *vir.Value
	edit.Ahead(b, c.pre, func() {
		for _, v := range checks {
			c.copy(b, v)
		}
		first = c.copy(b, c.again)
	})
	b.Cur = c.head
	kept := b.Phi(c.again.Type)
	kept.Args = []*vir.Value{first, first}
	edit.Ahead(b, c.body, func() { kept.Args[1-c.from] = c.next(b, c.place.Args[1-c.from], kept) })
	fn.ReplaceUses(c.again, kept)
	for _, v := range append(checks, c.again) {
		v.Remove()
	}
}

// copy appends v as it is when the loop begins.
func (c *chosen) copy(b *vir.Builder, v *vir.Value) *vir.Value {
	if m := c.made[v]; m != nil {
		return m
	}
	if !c.inside(v) {
		return v
	}
	m := c.u.Region.Fn.CopyValue(v)
	for i, a := range v.Args {
		m.Args[i] = c.copy(b, a)
	}
	c.made[v] = m
	return b.Append(m)
}

// next is the element at v, the next place.
func (c *chosen) next(b *vir.Builder, v, kept *vir.Value) *vir.Value {
	if v == c.place {
		return kept
	}
	if v.Op == vir.OpSelect && c.inside(v) {
		return b.Op(vir.OpSelect, kept.Type, v.Args[0], c.next(b, v.Args[1], kept), c.next(b, v.Args[2], kept))
	}
	return c.loaded(v)
}

func name(v *vir.Value) string {
	if v.Name != "" {
		return v.Name
	}
	return "what was chosen"
}
