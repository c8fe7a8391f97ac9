package twin

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"

	"github.com/lanewise/lanewise/frontend"
	"github.com/lanewise/lanewise/vir/plan"
)

// bindOverlaps gives names to the pointers that are tested before the vector
// path, where they can be formed without conditions.
func (l *loop) bindOverlaps(sb *strings.Builder) bool {
	var ps []int
	for _, o := range l.k.Overlaps {
		ps = append(ps, o.A.Param, o.B.Param)
	}
	names := l.bind(sb, ps)
	return len(names) > 0
}

// bind declares names for the pointers among ps that have none yet.
func (l *loop) bind(sb *strings.Builder, ps []int) []string {
	var names, texts []string
	for _, i := range ps {
		if l.pointers[i] != "" || !isPointer(&l.r.Params[i]) || l.moves(i) {
			continue
		}
		if !l.tested && len(l.preconditions([]int{i})) > 0 {
			continue
		}
		text := l.pointer(i)
		name := l.local(strings.Trim(baseName(l.r.Params[i].Expr, ""), "_") + "p")
		l.pointers[i] = name
		names, texts = append(names, name), append(texts, text)
	}
	if len(names) == 0 {
		return nil
	}
	if line := strings.Join(names, ", ") + " := " + strings.Join(texts, ", "); len(line) <= 110 {
		sb.WriteString(line + "\n")
		return names
	}
	for i, n := range names {
		fmt.Fprintf(sb, "%s := %s\n", n, texts[i])
	}
	return names
}

// moves reports whether pointer i is the data of a slice or string that the loop appends to
// or moves: it is another one behind a call.
func (l *loop) moves(i int) bool {
	p := &l.r.Params[i]
	if p.Kind != frontend.ParamSliceData && p.Kind != frontend.ParamStringData {
		return false
	}
	id, isVariable := p.Expr.(*ast.Ident)
	return slices.ContainsFunc(l.r.Vars, func(v frontend.Var) bool {
		switch {
		case !isEnd(v.Part):
			return false
		case v.Expr != nil:
			return l.exprText(v.Expr) == l.exprText(p.Expr)
		}
		return isVariable && v.Obj == l.pkg.TypesInfo.ObjectOf(id)
	})
}

// overlapsInStep are the pairs of streams that can be tested before the first iteration, and
// those that cannot: if Peel iterations come before the first call, what the variables say of
// a stream must be right from the beginning. It is not for a narrow subscript that would wrap
// around meanwhile.
func (l *loop) overlapsInStep() (early, late []plan.Overlap) {
	for _, o := range l.k.Overlaps {
		if l.k.Peel == 0 || l.inStep(o.A) && l.inStep(o.B) {
			early = append(early, o)
		} else {
			late = append(late, o)
		}
	}
	return early, late
}

// inStep reports whether every iteration moves s on by the same distance.
func (l *loop) inStep(s plan.Stream) bool {
	return l.affine(s.Off) && !l.changes(s.Extent) && !l.changes(s.Stride)
}

// affine reports whether every iteration adds the same to x.
func (l *loop) affine(x *plan.Expr) bool {
	switch x.Op {
	case plan.ExprAdd, plan.ExprSub:
		return l.affine(x.X) && l.affine(x.Y)
	case plan.ExprNeg:
		return l.affine(x.X)
	case plan.ExprMul:
		return l.affine(x.X) && !l.changes(x.Y) || l.affine(x.Y) && !l.changes(x.X)
	case plan.ExprParam:
		return true
	}
	return !l.changes(x)
}

// changes reports whether x depends on variables of the loop.
func (l *loop) changes(x *plan.Expr) bool {
	return x.Loads() || slices.ContainsFunc(params(x), func(i int) bool { _, ok := l.stateOf[i]; return ok })
}

// overlaps are the tests that pairs of streams keep clear of each other.
func (l *loop) overlaps(pairs []plan.Overlap) []string {
	var tests []string
	few := l.few
	if !few && slices.ContainsFunc(pairs, plainlyDisjoint) {
		tests, few = append(tests, fmt.Sprintf("%s <= %s", l.n, intLiteral(manyIterations))), true
	}
	for _, o := range pairs {
		if o.Disjoint && !(few && plainlyDisjoint(o)) {
			test := fmt.Sprintf("%s.Disjoint(%s, %s, %s)", l.guard(), l.stream(o.A), l.stream(o.B), l.n)
			if o.Follows {
				test = fmt.Sprintf("(%s || %s.Follows(%s, %s, %s, %s))", test, l.guard(),
					l.pointer(o.A.Param), l.pointer(o.B.Param), l.linear(o.A.Off), l.linear(o.B.Off))
			}
			tests = append(tests, test)
			continue
		}
		if !o.Disjoint {
			tests = append(tests, l.outside(o))
			continue
		}
		lo, hi := l.apart(o)
		if o.Follows {
			hi = "0"
		}
		tests = append(tests, l.clear(o, lo, hi))
	}
	return tests
}

// clear is the test that the distance of two streams is none between lo and hi.
func (l *loop) clear(o plan.Overlap, lo, hi string) string {
	return fmt.Sprintf("%s.Clear(%s, %s, %s)", l.guard(), l.distance(o), lo, hi)
}

// distance is where two streams begin, as arguments of a test.
func (l *loop) distance(o plan.Overlap) string {
	return fmt.Sprintf("%s, %s, %s, %s", l.pointer(o.A.Param), l.pointer(o.B.Param), l.linear(o.A.Off), l.linear(o.B.Off))
}

// manyIterations are more than any loop is going to do. That many times a step of at most
// longStep does not overflow.
const manyIterations, longStep = 1 << 40, 1 << 20

// plainlyDisjoint reports whether few iterations keep the extents of both streams from
// overflowing: sums of them are all that has to be computed then.
func plainlyDisjoint(o plan.Overlap) bool {
	short := func(s plan.Stream) bool { return s.Stride == nil && -longStep <= s.Step && s.Step <= longStep }
	return o.Disjoint && short(o.A) && short(o.B)
}

// apart is the window of distances at which two streams of n iterations have
// bytes in common. Its ends do not overflow when n is the length of something in
// memory.
func (l *loop) apart(o plan.Overlap) (lo, hi string) {
	alo, ahi := l.extent(o.A)
	blo, bhi := l.extent(o.B)
	return alo.plus(bhi, -1).String(), ahi.plus(blo, -1).String()
}

// extent is the range of bytes of n iterations of a stream, relative to where it
// starts.
func (l *loop) extent(s plan.Stream) (lo, hi linear) {
	if s.Extent != nil {
		return constant64(0), l.linear(s.Extent)
	}
	span := constant64(-s.Step).plus(operand(l.n), s.Step)
	if s.Step < 0 {
		return span, constant64(s.Size)
	}
	return constant64(0), span.plus(constant64(s.Size), 1)
}

// outside is the test that the distance of two streams is outside of an overlap's window. Streams of n
// iterations are apart at their length, which matters for neighbouring short slices when n may be
// less than the window holds.
func (l *loop) outside(o plan.Overlap) string {
	lo, below := l.window(o, false)
	hi, above := l.window(o, true)
	most := max(below, above)
	if most == 0 || !l.asksAgain() {
		return l.clear(o, lo, hi)
	}
	return fmt.Sprintf("%s.ClearFew(%s, %d, %d, %s < %s, %s, %s)", l.guard(), l.distance(o), o.Lo, o.Hi, l.n, intLiteral(most), lo, hi)
}

// window is an end of an overlap's window for n iterations, and from how many on that is wider than the
// window; 0 where their number does not matter. The end is never wider, but where conditions are asked again.
func (l *loop) window(o plan.Overlap, upper bool) (string, int64) {
	end := o.Lo
	if upper {
		end = o.Hi
	}
	bytes, rest, most, ok := o.Beyond(upper)
	if !ok || most <= l.least1() {
		return fmt.Sprint(end), 0
	}
	n := l.n
	if !l.asksAgain() {
		n = l.least(n, intLiteral(most))
	}
	count := linear{c: rest, terms: []term{{coef: bytes, text: n}}}
	if !upper {
		count.c, count.terms[0].coef = -rest, -bytes
	}
	return count.String(), most
}

func (l *loop) stream(s plan.Stream) string {
	step, size := fmt.Sprint(s.Step), fmt.Sprint(s.Size)
	if s.Stride != nil {
		step = l.linear(s.Stride).String()
	}
	if s.Extent != nil {
		size = l.linear(s.Extent).String()
	}
	return fmt.Sprintf("%s, %s, %s, %s", l.pointer(s.Param), l.linear(s.Off), step, size)
}

// canSayNil reports whether nil means what it should.
func (l *loop) canSayNil() bool {
	if !l.shadowed("nil") {
		return true
	}
	return !slices.ContainsFunc(l.allParams(), func(i int) bool { return len(l.r.Params[i].NonNil) > 0 })
}
