package loopvec

import (
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/fold"
)

// Float sums and products under conditions, in order. A variable that is left alone gets
// what changes no bit of it:
//
//	if c { s += x }; s -= y   ==>   s = s + (c ? x : -0); s = s - y
//
// s + -0 and s - 0 are s, whatever s is, zeros of both signs too, and so is s * 1. Then
// the choice is made in lanes, and an iteration has one operation for what one or the
// other branch does.

// A link is one operation of a chain from a variable to its next value: op of what comes
// before and x.
type link struct {
	op vir.Op
	x  *vir.Value
	at *vir.Value // the operation, or choice, that it stands for
}

// mostLinks is the most operations of an iteration.
const mostLinks = 64

// linear returns a next value without choices between values of the chain.
func (c *chain) linear(next *vir.Value) *vir.Value {
	if !c.chooses(next) {
		return next
	}
	links, ok := c.links(next)
	if !ok || len(links) == 0 {
		return next
	}
	v := c.phi
	for _, k := range links {
		v = c.build(k.op, k.at, v, k.x)
	}
	return v
}

// chooses reports whether a choice is on the chain to v.
func (c *chain) chooses(v *vir.Value) bool {
	for v != c.phi {
		if v.Op == vir.OpSelect {
			return true
		}
		x := v.Args[0]
		if !c.covers(x) {
			x = v.Args[1]
		}
		v = x
	}
	return false
}

// links are the operations from the variable to v; not ok where there are too many.
func (c *chain) links(v *vir.Value) (links []link, ok bool) {
	switch {
	case v == c.phi:
		return nil, true
	case v.Op == vir.OpSelect:
		a, ok := c.links(v.Args[1])
		b, ok2 := c.links(v.Args[2])
		if !ok || !ok2 {
			return nil, false
		}
		return c.choose(v, a, b), len(a)+len(b) <= mostLinks
	}
	x, y := v.Args[0], v.Args[1]
	if !c.covers(x) {
		x, y = y, x
	}
	links, ok = c.links(x)
	return append(links[:len(links):len(links)], link{v.Op, y, v}), ok && len(links) < mostLinks
}

// choose is a or b, as choice v has it.
func (c *chain) choose(v *vir.Value, a, b []link) []link {
	var out []link
	for k := range max(len(a), len(b)) {
		var p, q link
		switch {
		case k >= len(a):
			q = b[k]
			p = link{q.op, c.neutral(q.op), v}
		case k >= len(b):
			p = a[k]
			q = link{p.op, c.neutral(p.op), v}
		default:
			p, q = a[k], b[k]
		}
		if p.op == q.op && p.x == q.x {
			out = append(out, p)
			continue
		}
		if p.op != q.op { // a sum and a difference
			p, q = c.asSum(p), c.asSum(q)
		}
		out = append(out, link{p.op, c.build(vir.OpSelect, v, v.Args[0], p.x, q.x), v})
	}
	return out
}

// asSum is a difference as a sum.
func (c *chain) asSum(k link) link {
	if k.op == c.op {
		return k
	}
	return link{c.op, c.negated(k.at, k.x), k.at}
}

// neutral is what op leaves every value alone with.
func (c *chain) neutral(op vir.Op) *vir.Value {
	k := c.build(vir.OpConst, c.phi)
	k.Bits = []uint64{fold.Identity(op, c.phi.Type.Elem)} // 0 for differences
	return k
}
