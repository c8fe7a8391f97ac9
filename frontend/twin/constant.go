package twin

import (
	"fmt"
	"go/ast"
	"go/types"
	"math"
	"strconv"

	"github.com/lanewise/lanewise/frontend"
)

// isConstant reports whether the text of live-in p may be a constant, which Go converts only
// to types that can represent it.
func (l *loop) isConstant(p int) bool {
	if _, ok := l.stateOf[p]; ok && l.inside || l.r.Params[p].Kind != frontend.ParamValue {
		return false
	}
	constant := true
	ast.Inspect(l.entryExpr(p), func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			switch l.info.ObjectOf(id).(type) {
			case *types.Var, *types.Func, nil:
				constant = false
			}
		}
		return constant
	})
	return constant
}

// wrapped converts the text of a constant of one integer type to another one of its size,
// as if it were a variable.
func (l *loop) wrapped(text string, from, to types.Type) string {
	x := l.local("x")
	l.release(x)
	return fmt.Sprintf("func() %s { %s := %s(%s); return %[1]s(%[2]s) }()", l.typ(to), x, l.typ(from), text)
}

// constant is the text of the number of type t that has the bits.
func (l *loop) constant(bits uint64, t *types.Basic) string {
	size := int(types.SizesFor("gc", "amd64").Sizeof(t)) * 8
	switch {
	case t.Info()&types.IsFloat != 0:
		x := math.Float64frombits(bits)
		if size == 32 {
			x = float64(math.Float32frombits(uint32(bits)))
		}
		if math.IsNaN(x) || math.IsInf(x, 0) || x == 0 && math.Signbit(x) {
			return fmt.Sprintf("%s.Float%dfrombits(%#x)", l.imports.own("math"), size, bits)
		}
		return strconv.FormatFloat(x, 'g', -1, size)
	case t.Info()&types.IsUnsigned != 0:
		return strconv.FormatUint(bits<<(64-size)>>(64-size), 10)
	}
	return strconv.FormatInt(int64(bits)<<(64-size)>>(64-size), 10)
}
