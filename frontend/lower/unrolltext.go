package lower

import (
	"go/ast"
	"go/constant"
	"go/types"

	"github.com/lanewise/lanewise/vir"
)

// Loops over strings that never change become copies of their bodies, with the runes, or bytes, as constants:
//
//	for _, c := range "aeiou" {
//		vowel = vowel || r == c
//	}

// unrollText does that; false when s stays a loop.
func (l *lowerer) unrollText(s *ast.RangeStmt, label *types.Label) bool {
	at, values, ok := l.knownItems(s.X)
	if !ok {
		return false
	}
	c, ok := l.rangeCounter(s, int64(len(values)))
	if !ok || !l.fewTexts(s.Body, c.v, len(values)) {
		return false
	}
	c.values = at
	next := 0
	l.copiesWith(s.Body, label, c, func() {
		if id, ok := s.Value.(*ast.Ident); ok && id.Name != "_" {
			t, _ := scalarType(l.info.TypeOf(id))
			l.declare(id, []*vir.Value{l.int(t, values[next])})
		}
		next++
	})
	return true
}

// knownItems are the runes of e, or its bytes where it is converted to these, and where they are.
func (l *lowerer) knownItems(e ast.Expr) (at, values []int64, ok bool) {
	if bytes := convertedTo(l.info, e, types.Typ[types.Uint8]); bytes != nil {
		text, ok := l.knownText(bytes)
		for i := range len(text) {
			at, values = append(at, int64(i)), append(values, int64(text[i]))
		}
		return at, values, ok
	}
	text, ok := l.knownText(e)
	for i, r := range text {
		at, values = append(at, int64(i)), append(values, int64(r))
	}
	return at, values, ok
}

// fewTexts reports whether copies of body with constants are few.
func (l *lowerer) fewTexts(body *ast.BlockStmt, v *types.Var, trips int) bool {
	if l.once != nil {
		return l.onceSmall(body, v, trips)
	}
	return fewCopies(nodesIn(body), trips, true)
}

// knownText is what string e is, if that never changes.
func (l *lowerer) knownText(e ast.Expr) (text string, ok bool) {
	t := l.info.TypeOf(e)
	if t == nil || !isString(l.substitute(t)) {
		return "", false
	}
	if c := l.info.Types[e].Value; c != nil {
		return constant.StringVal(c), true
	}
	p := l.pathOf(e)
	if p == nil {
		return "", false
	}
	return p.content, p.content != ""
}

// knownLen is the length of a string that never changes, nil for other expressions.
func (l *lowerer) knownLen(e ast.Expr) constant.Value {
	call, ok := e.(*ast.CallExpr)
	if !ok || l.builtinName(call) != "len" || len(call.Args) != 1 {
		return nil
	}
	if text, ok := l.knownText(call.Args[0]); ok {
		return constant.MakeInt64(int64(len(text)))
	}
	return nil
}
