package rows

import (
	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// nearRow is how many elements rows have to be apart so that no vector of one holds a part of a vector of the next one.
const nearRow = 32

// A touch is an access of the loop inside, or beside it, whose place is known.
type touch struct {
	*vir.Value
	at    scev.Nested
	along *plan.Expr // step of the loop inside
}

// touches are those in the blocks for which in holds.
func (n *Nest) touches(in func(*vir.Block) bool) (out []touch) {
	sc := scev.New(n.region)
	for _, b := range n.fn().Blocks {
		for _, v := range b.Insts {
			if !in(b) || !v.Op.IsLoad() && !v.Op.IsStore() || v.Index() == nil {
				continue
			}
			if x, ok := sc.Nested(v.Index()); ok {
				out = append(out, touch{v, x, x.Step(sc.Loops().Of(b))})
			}
		}
	}
	return out
}

// isField reports whether x is smaller than what lies from one to the next along a row.
func (x touch) isField() bool {
	step := x.along.Const * x.Scale // bytes
	return x.along.Op == plan.ExprConst && max(step, -step) > int64(x.Access().Size())
}

// stays reports whether all rows have x at the same place.
func (x touch) stays() bool {
	step := x.at.Step(nil)
	return step.Op == plan.ExprConst && step.Const == 0
}

// near reports whether the next row has x fewer than nearRow elements from here: step of them, not 0.
func (x touch) near() (step int64, ok bool) {
	e := x.at.Step(nil)
	return e.Const, e.Op == plan.ExprConst && e.Const != 0 && max(e.Const, -e.Const) < nearRow
}

// pairs calls do for each store of a and load of b from the same slice.
func pairs(a, b []touch, do func(s, l touch)) {
	for _, s := range a {
		for _, l := range b {
			if s.Op.IsStore() && l.Op.IsLoad() && l.Base() == s.Base() {
				do(s, l)
			}
		}
	}
}

// stallRow is the fewest iterations of rows that stall which are worth the kernel of their nest.
const stallRow = 16

// stalls reports whether rows add to what the row before has just added to, out[i+j] += ...: vectors that are loaded then come
// from two that are being stored, for which processors wait as long as short rows take. So do those of fields of structs, s[j].sum += ...,
// which are loaded in whole registers and stored one by one. And rows that adjoin may wait for what is stored under a condition
// in the one before: masked stores reach into the next row.
func (n *Nest) stalls() bool {
	found := false
	row := n.touches(n.loop.Contains)
	dom := loops.DomTree(n.fn())
	pairs(row, row, func(s, l touch) {
		_, near := s.near()
		sometimes := !dom.Dominates(s.Block, n.loop.Latches[0])
		d, ok := scev.Diff(s.at.Start, l.at.Start)
		found = found || s.isField() && s.stays() && l.stays() || (near || sometimes) && ok && d == 0
	})
	return found
}

// A Handing says whether rows read what is stored between them, element after element, as x[i] = ... behind a sum of
// products with x[j]. A vector that holds the last one waits until memory does, where the loop as written has it handed on.
type Handing uint8

const (
	NotHanded   Handing = iota
	HandedLater         // or it is not known where in a row
	HandedFirst         // the first element of a row: what waits for each other in it does so from row to row
)

// Handed says so of r, whose loop inside has clauses.
func Handed(r *plan.Region, clauses plan.Clauses) Handing {
	n, err := Split(r, clauses)
	if err != nil {
		return NotHanded
	}
	return n.handed()
}

func (n *Nest) handed() (h Handing) {
	between := n.touches(func(b *vir.Block) bool { return !n.loop.Contains(b) })
	pairs(between, n.touches(n.loop.Contains), func(s, l touch) {
		step, near := s.near()
		if !near || l.along.Op != plan.ExprConst || l.along.Const == 0 {
			return
		}
		d, ok := scev.Diff(l.at.Start, s.at.Start)
		faster, same := scev.Diff(l.at.Step(nil), s.at.Step(nil))
		switch aligned := ok && same && faster == 0; {
		case aligned && (d+step)*l.along.Const > 0: // ahead
		case aligned && d+step == 0:
			h = HandedFirst
		default:
			h = max(h, HandedLater)
		}
	})
	return h
}
