package lower

import (
	"go/token"

	"github.com/lanewise/lanewise/vir"
)

// What conditions say about lengths of moved variables. In
//
//	for len(x) >= 4 { ...; x = x[4:] }
//
// x[3] and x[4:] need no checks. Lengths are never negative and never near to overflow, so
// that what is computed from them and small constants is exact.

// A fact is a linear that is at least min, wherever control comes through a block.
type fact struct {
	linear
	min int64
	at  *vir.Block
}

// small bounds the constants in facts.
const small = 1 << 31

// learnFrom adds what the branch to b says, if b can only be reached by it.
func (l *lowerer) learnFrom(b *vir.Block) {
	if len(b.Preds) != 1 || l.left[b.Preds[0]] {
		return
	}
	if t := b.Preds[0].Term(); t.Op == vir.OpBr && t.Block.Succs[0] == b && t.Block.Succs[1] != b {
		l.learn(t.Args[0], true)
	}
}

// learn adds what follows from here on when c holds, or does not.
func (l *lowerer) learn(c *vir.Value, holds bool) {
	switch {
	case c.Op == vir.OpNot:
		l.learn(c.Args[0], !holds)
	case c.Op == vir.OpAnd && holds || c.Op == vir.OpOr && !holds:
		l.learn(c.Args[0], holds)
		l.learn(c.Args[1], holds)
	case len(c.Args) == 2 && c.Args[0].Type == vir.Scalar(vir.I64):
		l.learnComparison(c.Op, linearOf(c.Args[1]).plus(linearOf(c.Args[0]), -1), holds)
	}
}

// learnComparison adds what a comparison of two numbers says, of which d is the second less
// the first.
func (l *lowerer) learnComparison(op vir.Op, d linear, holds bool) {
	negative := linear{}.plus(d, -1)
	switch {
	case op == vir.OpIcmpSle && holds:
		l.learnAtLeast(d, 0)
	case op == vir.OpIcmpSlt && holds:
		l.learnAtLeast(d, 1)
	case op == vir.OpIcmpSle:
		l.learnAtLeast(negative, 1)
	case op == vir.OpIcmpSlt:
		l.learnAtLeast(negative, 0)
	}
}

// ordered is op for x != 0 and x == 0 where x is a length: x > 0 and x <= 0.
func (l *lowerer) ordered(op token.Token, x, y *vir.Value) token.Token {
	zero, ok := y.ConstInt()
	if op != token.EQL && op != token.NEQ || len(l.movedVars) == 0 || !ok || zero != 0 || x.Type != vir.Scalar(vir.I64) {
		return op
	}
	if c, ok := l.behindLength(linearOf(x)); !ok || c != 0 {
		return op
	}
	if op == token.EQL {
		return token.LEQ
	}
	return token.GTR
}

// learnAtLeast adds f >= min when f is the length of a moved variable and a constant.
func (l *lowerer) learnAtLeast(f linear, min int64) {
	if _, ok := l.behindLength(f); ok {
		l.sure = append(l.sure, fact{f, min, l.b.Cur})
	}
}

// behindLength is f less the length of a moved variable, when that is a small constant.
func (l *lowerer) behindLength(f linear) (int64, bool) {
	for _, v := range l.movedVars {
		start, end := l.movedEnds(v, l.moved[v])
		if start == nil || end == nil {
			continue
		}
		d := f.plus(linearOf(end), -1).plus(linearOf(start), 1)
		if len(d.terms) == 0 && -small < d.c && d.c < small {
			return d.c, true
		}
	}
	return 0, false
}

// atLeast reports whether f >= min is known.
func (l *lowerer) atLeast(f linear, min int64) bool {
	if len(f.terms) == 0 {
		return f.c >= min
	}
	for _, k := range l.sure {
		if d := f.plus(k.linear, -1); len(d.terms) == 0 && -small < d.c && d.c < small && k.min+d.c >= min && l.reachedFrom(l.b.Cur, k.at) {
			return true
		}
	}
	c, ok := l.behindLength(f)
	return ok && c >= min
}

// before checks that position at, which is not negative, is at least room before end, in
// the memory of a moved variable.
func (l *lowerer) before(m *moved, at, end *vir.Value, room int64) {
	d := linearOf(end).plus(linearOf(at), -1)
	if l.atLeast(d, room) || len(linearOf(at).terms) == 0 && room == 0 && linearOf(at).c == 0 {
		return
	}
	if len(d.terms) == 0 {
		panic(&Refusal{Pos: l.b.Pos, ID: "lower:Slice", Msg: "a slice or string is used beyond its length in every iteration"})
	}
	if end == m.len {
		if room == 0 {
			end = l.plusOne(end)
		}
		l.inRange(at, end)
		return
	}
	// The end moves: what is left is compared with all there is.
	l.inRange(l.b.Same(vir.OpSub, l.sum(end, l.int64(-room)), at), l.plusOne(m.len))
}
