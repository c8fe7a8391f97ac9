package unswitch

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// Seldom reports whether versions that are of use are only for one value of what a loop around r counts with, as the first row of a
// matrix: all others would pay for asking.
func (t *Tree) Seldom(r *plan.Region, useful func(version int) bool) bool {
	return t.seldom(r.Counters, useful, false)
}

func (t *Tree) seldom(counters []int, useful func(int) bool, one bool) bool {
	if t.IsLeaf() {
		return one || !useful(t.Version)
	}
	return t.yes.seldom(counters, useful, one || t.oneCounter(counters, t.cond, true)) &&
		t.no.seldom(counters, useful, one || t.oneCounter(counters, t.cond, false))
}

// oneCounter reports whether c comes out like that for one value of a counter only.
func (t *Tree) oneCounter(counters []int, c *vir.Value, holds bool) bool {
	either := func(c *vir.Value) bool { return t.oneCounter(counters, c, holds) }
	switch {
	case c.Op == vir.OpNot:
		return t.oneCounter(counters, c.Args[0], !holds)
	case c.Op == vir.OpAnd && holds, c.Op == vir.OpOr && !holds:
		return slices.ContainsFunc(c.Args, either)
	case c.Op == vir.OpIcmpEq && holds, c.Op == vir.OpIcmpNe && !holds:
		isCounter := func(x *vir.Value) bool { return slices.Contains(counters, slices.Index(t.fn.Params, x)) }
		isNumber := func(x *vir.Value) bool { return x.Op == vir.OpConst }
		return slices.ContainsFunc(c.Args, isCounter) && slices.ContainsFunc(c.Args, isNumber)
	}
	return false
}
