package lower

import (
	"go/ast"
	"go/types"
	"unicode/utf8"

	"github.com/lanewise/lanewise/vir"
)

// Runes. A loop over the runes of a string goes through its bytes, and is left at the first one that is no rune by
// itself. The scalar code reads that one, and goes on as many bytes as it has:
//
//	for i, c := range s {        body:
//		if c == ' ' {              %b = load i8 %s[%i]
//			n++           ==>        %wide = icmp.ule i8 128, %b
//		}                          check.rare %wide
//	}                            %c = zext i32 %b
//
// One iteration is one byte for the kernel. In the scalar code it may be several: what two variables that count
// iterations and bytes have in common on entry into the loop, they need not have later on.

// RunesOf is the string whose runes the loop s ranges over, an expression of type t; nil if it ranges over
// something else. The runes of a copy by []rune(...) are those of the string, but their positions are others.
func RunesOf(info *types.Info, t types.Type, s *ast.RangeStmt) ast.Expr {
	switch {
	case t == nil: // straight-line code, which stands in a loop that is not in the source
		return nil
	case isString(t):
		return s.X
	}
	if s.Key != nil && !isBlank(s.Key) {
		return nil
	}
	return copiedFrom(info, s.X, types.Typ[types.Int32])
}

// runesHeader does what rangeHeader does for the runes of the string x, and begins the body.
func (l *lowerer) runesHeader(s *ast.RangeStmt, x ast.Expr, body *vir.Block) {
	p := l.rangePath(x)
	l.runes = true
	l.addCounter(s, vir.Scalar(vir.I64))
	l.limit = l.sliceLen(p)
	l.beginBody(l.b.Cmp(vir.OpIcmpSlt, l.counter, l.limit), body)
	l.mark(s.X)
	b := l.load(s.X, l.element(place{base: l.sliceData(p)}, types.Typ[types.Uint8], l.counter))[0]
	l.b.Check(vir.OpCheckRare, nil, l.b.Cmp(vir.OpIcmpUle, l.int(b.Type, utf8.RuneSelf), b))
	dst, vals := l.rangeKey(s)
	if s.Value != nil && !isBlank(s.Value) {
		dst, vals = append(dst, s.Value), append(vals, []*vir.Value{l.b.Op(vir.OpZext, vir.Scalar(vir.I32), b)})
	}
	l.rangeAssign(s, dst, vals)
}
