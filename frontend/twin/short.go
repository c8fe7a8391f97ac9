package twin

import (
	"fmt"
	"go/ast"
	"math"
	"slices"
	"strings"

	"github.com/lanewise/lanewise/frontend"
	"github.com/lanewise/lanewise/vir/plan"
)

// Functions with loops inside of others, of which the parameters say that no kernel has enough to do:
//
//	func Scale(dst, src []byte, w, h int) {
//		if w < 20 {
//			scale(dst, src, w, h)
//			return
//		}
//		for y := range h {
//			if n := w; n >= 20 && ... {
//
// With short rows nothing of the twin is of use, and the loops in it, beside calls of kernels, are not
// compiled as well as those of the original. Where that has products of floats which must be rounded by themselves,
// it is called only if the compiler does not fuse them.

// shortMost is how many comparisons every call may pay for.
const shortMost = 4

// short is that test, empty for functions where it cannot be made.
func (c *function) short(t *frontend.Twin, r *reach, regions []*frontend.Region) (string, error) {
	if t.Root != nil || len(c.twins) > 0 || !c.callable() {
		return "", nil
	}
	cond := r.allShort(regions)
	switch {
	case cond == "":
		return "", nil
	case c.unfused && strings.Contains(cond, "||"):
		cond = fmt.Sprintf("!%s.Fused && (%s)", c.imports.own(pathCPU), cond)
	case c.unfused:
		cond = fmt.Sprintf("!%s.Fused && %s", c.imports.own(pathCPU), cond)
	}
	callee, err := c.callee(c.nameFields(c.decl.Recv, "r"))
	if err != nil {
		return "", err
	}
	call := fmt.Sprintf("%s(%s)", callee, strings.Join(c.nameFields(c.decl.Type.Params, "p"), ", "))
	if c.decl.Type.Results.NumFields() > 0 {
		call = "return " + call
	} else {
		call += "\nreturn"
	}
	return fmt.Sprintf("\nif %s {\n%s\n}\n", cond, call), nil
}

// callable reports whether the twin can call the original with its own parameters, unnoticed.
func (c *function) callable() bool {
	plain := !special(c.decl)
	for _, fields := range []*ast.FieldList{c.decl.Recv, c.decl.Type.Params, c.decl.Type.Results} {
		if fields == nil {
			continue
		}
		for _, f := range fields.List {
			plain = plain && (len(f.Names) > 0 || fields == c.decl.Type.Results)
			for _, id := range f.Names {
				plain = plain && (id.Name != "_" || fields == c.decl.Type.Results) && id.Name != c.decl.Name.Name
			}
		}
	}
	return plain
}

// A below is the condition that a number, known from parameters, is less than another one, and perhaps something else.
type below struct {
	x    linear
	top  int64
	also string
}

// newBelow is x < top.
func newBelow(x linear, top int64) below {
	top -= x.c
	x.c = 0
	return below{x: x, top: top}
}

func (b below) String() string { return fmt.Sprintf("%s < %d%s", b.x, b.top, b.also) }

// like reports whether two conditions differ in their limits at most.
func (b below) like(o below) bool { return b.x.equals(o.x) && b.also == o.also }

// and is both conditions as one, if they are about the same number.
func (b below) and(o below) (below, bool) {
	one := b.x.equals(o.x) && (b.also == o.also || b.also == "" || o.also == "")
	return below{b.x, min(b.top, o.top), max(b.also, o.also)}, one
}

// allShort is the condition that no kernel of the regions is called, empty where parameters do not tell.
func (r *reach) allShort(regions []*frontend.Region) string {
	c := r.function
	nest := false
	var all [][]below
	for _, region := range regions {
		if c.leftAround(region, regions) {
			continue
		}
		l := newLoop(c, region, c.kernels[region], c.labelOf(region.Loop))
		if region.Once || region.Named != nil || l.hoisted {
			return ""
		}
		short := r.short(l)
		if len(short) == 0 {
			return ""
		}
		nest = nest || l.insideLoop() || loopInside(region.Loop)
		all = both(all, short)
	}
	count := 0
	var texts []string
	for _, short := range all {
		count += len(short)
		var or []string
		for _, b := range short {
			or = append(or, b.String())
		}
		text := strings.Join(or, " || ")
		if len(or) > 1 && len(all) > 1 {
			text = "(" + text + ")"
		}
		texts = append(texts, text)
	}
	if !nest || count > shortMost {
		return ""
	}
	return strings.Join(texts, " && ")
}

// leftAround reports whether a region stands only in what the kernel of one around it leaves: that is not called for few iterations alone,
// or for many of the loop inside, as which the region has a kernel.
func (c *function) leftAround(r *frontend.Region, regions []*frontend.Region) bool {
	return slices.ContainsFunc(regions, func(outer *frontend.Region) bool {
		k := c.kernels[outer]
		return encloses(outer, r) && k.Short == 0 && !k.Few
	})
}

// both adds to a conjunction of disjunctions one more. Of two comparisons of the same number the stricter one is kept.
func both(all [][]below, short []below) [][]below {
	for i, other := range all {
		if len(short) == 1 && len(other) == 1 {
			if b, ok := short[0].and(other[0]); ok {
				all[i] = []below{b}
				return all
			}
		}
		if slices.EqualFunc(short, other, func(a, b below) bool { return a.String() == b.String() }) {
			return all
		}
	}
	return append(all, short)
}

// short are conditions of which each says that the kernel of l is not called: too few iterations, or too few of the loop
// inside.
func (r *reach) short(l *loop) (short []below) {
	add := func(span linear, least, step int64, also string) {
		if least <= 1 || span.isConst() {
			return
		}
		b := newBelow(span, steps(least, step))
		b.also = also
		if i := slices.IndexFunc(short, b.like); i >= 0 {
			short[i].top = max(short[i].top, b.top)
		} else {
			short = append(short, b)
		}
	}
	k := l.k
	span, ok := r.span(l, k.Trip)
	if ok {
		add(span, l.leastCalled(), k.Trip.Step, "")
	} else if span, ok := r.lacking(l, l.leastCalled()); ok && !span.isConst() {
		short = append(short, newBelow(span, 0))
	}
	if k.Inner == nil || k.Short > 0 {
		return short
	}
	inner, known := r.span(l, *k.Inner)
	if k.InnerGrows > 0 { // the last row is the longest
		known = known && ok && k.Trip.Step*k.Trip.Step == 1
		inner = inner.plus(span, k.InnerGrows)
	}
	if apart, few := r.apart(l); known && few {
		least := k.InnerMin
		if ok && !k.Adjoining {
			least = leastSquare(k, span.plus(inner, -1))
		}
		add(inner, least, k.Inner.Step, apart)
	}
	return short
}

// leastSquare is the fewest iterations of the loop inside of k's that are worth a call where there are more of the outer one by a constant, as in
// square matrices: there are too few of them all before one row has.
func leastSquare(k *plan.Kernel, more linear) int64 {
	least := k.InnerMin
	if !more.isConst() || k.InnerGrows != 0 || k.Trip.Step != 1 || k.Inner.Step != 1 {
		return least
	}
	for least-k.InnerEach < k.InnerTotal && (least+more.c)*(least-k.InnerEach) < k.InnerTotal {
		least++
	}
	return least
}

// lacking is what there is more than a number of steps that are known before the loop only: with less than nothing a
// kernel is not called. Where the product wraps around the original may be called for nothing.
func (r *reach) lacking(l *loop, least int64) (linear, bool) {
	t := l.k.Trip
	if least <= 1 || t.Cond != plan.Less || t.Limit.Op != plan.ExprQuo || !t.Start.Same(plan.Const(0)) {
		return linear{}, false
	}
	return r.most(l, l.linear(t.Limit.X).plus(l.linear(t.Limit.Y), -least))
}

// apart is what else keeps a kernel from being called for short rows: that they do not adjoin.
func (r *reach) apart(l *loop) (also string, ok bool) {
	if !l.k.Adjoining {
		return "", true
	}
	if len(l.k.InnerEqual) != 1 {
		return "", false
	}
	x, ok := r.most(l, l.linear(l.k.InnerEqual[0].X))
	y, ok2 := r.most(l, l.linear(l.k.InnerEqual[0].Y))
	return fmt.Sprintf(" && %s != %s", x, y), ok && ok2 && !r.rough
}

// steps is how far a counter has to go for so many iterations.
func steps(n, step int64) int64 {
	if step == math.MinInt64 {
		return n
	}
	return (n-1)*max(step, -step) + 1
}

// loopInside reports whether there is a loop in the body of a loop.
func loopInside(loop ast.Stmt) bool {
	found := false
	ast.Inspect(loop, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			found = found || n != ast.Node(loop)
		}
		return !found
	})
	return found
}
