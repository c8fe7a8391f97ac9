package slp

import (
	"cmp"

	"github.com/lanewise/lanewise/vectorize/alias"
	"github.com/lanewise/lanewise/vir"
)

// An address is where a memory operation reads or writes.
type address struct {
	alias.Form
	size int64 // bytes accessed
}

func addressOf(v *vir.Value) *address {
	return &address{alias.FormOf(alias.Of(v)), int64(v.Access().Size())}
}

// behind is how many bytes w is behind v, if that is a constant.
func (g *Graph) behind(v, w *vir.Value) (int64, bool) {
	return g.address(v).Distance(g.address(w).Form)
}

// A relation says what is known of the bytes of two accesses.
type relation uint8

const (
	apart   relation = iota // none in common
	mayMeet                 // not known, but can be tested
	meet                    // some in common, or nobody can tell
)

// relate compares two accesses, one of which stores.
func (g *Graph) relate(v, w *vir.Value) relation {
	a, b := g.address(v), g.address(w)
	switch r := a.Compare(b.Form, a.size, b.size); {
	case r == alias.Disjoint:
		return apart
	case r == alias.Unknown && g.testable(v) && g.testable(w):
		return mayMeet
	}
	return meet
}

// testable reports whether the address of v is known where tests are made.
func (g *Graph) testable(v *vir.Value) bool {
	return g.opt.Testable(v.Base()) && (!v.Indexed || g.opt.Testable(v.Index()))
}

// A place is what addresses have in common that are tested as one range.
type place struct {
	base, index *vir.Value
	scale       int64
}

func placeOf(v *vir.Value) place {
	p := place{base: v.Base()}
	if v.Indexed {
		p.index, p.scale = v.Index(), v.Scale
	}
	return p
}

func (p place) compare(q place) int {
	return cmp.Or(cmp.Compare(p.base.ID(), q.base.ID()), cmp.Compare(indexID(p), indexID(q)), cmp.Compare(p.scale, q.scale))
}

func indexID(p place) int {
	if p.index == nil {
		return -1
	}
	return p.index.ID()
}
