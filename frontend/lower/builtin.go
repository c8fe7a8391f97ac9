package lower

import (
	"go/ast"
	"go/types"
	"math"
	"strings"

	"github.com/lanewise/lanewise/frontend/mathlib"
	"github.com/lanewise/lanewise/frontend/textlib"
	"github.com/lanewise/lanewise/vir"
)

// builtinName is the name of the builtin that e calls, or "".
func (l *lowerer) builtinName(e *ast.CallExpr) string {
	switch f := ast.Unparen(e.Fun).(type) {
	case *ast.Ident:
		if b, ok := l.info.Uses[f].(*types.Builtin); ok {
			return b.Name()
		}
	case *ast.SelectorExpr:
		if b, ok := l.info.Uses[f.Sel].(*types.Builtin); ok {
			return "unsafe." + b.Name()
		}
	}
	return ""
}

func (l *lowerer) builtin(e *ast.CallExpr, name string) *vir.Value {
	switch name {
	case "len":
		return l.lenOf(e.Args[0])
	case "min", "max":
		if v := l.hoisted(e, l.typeOf(e)); v != nil {
			return v
		}
		return l.minMax(e, name == "max")
	case "copy":
		return l.copySmall(e)
	case "append":
		l.refuse(e, "Append", "append inside of the loop")
	case "real":
		return l.part(e, Real)
	case "imag":
		return l.part(e, Imag)
	case "delete", "clear":
		if !isSlice(l.typeOf(e.Args[0])) {
			l.refuse(e, "Map", "%s inside of the loop", name)
		}
	case "close":
		l.refuse(e, "Channel", "a channel operation")
	case "panic":
		l.refuse(e, "EarlyExit", "a panic inside of an expression")
	}
	l.refuse(e, "Call", "call of %s", name)
	panic("unreachable")
}

func (l *lowerer) lenOf(e ast.Expr) *vir.Value {
	t := l.typeOf(e)
	if a, ok := t.Underlying().(*types.Array); ok {
		return l.int64(a.Len())
	}
	if p := pointee(t); p != nil {
		if a, ok := p.Underlying().(*types.Array); ok {
			return l.int64(a.Len())
		}
	}
	if !isSlice(t) && !isString(t) {
		l.refuse(e, typeID(t), "length of %s", describe(t))
	}
	if p := l.pathOf(e); p != nil {
		return l.sliceLen(p)
	}
	if v, ok := l.viewOf(e); ok {
		return l.closed(v).len
	}
	l.refuseVarying(e)
	l.refuse(e, typeID(t), "%s is not the same in every iteration", describe(t))
	panic("unreachable")
}

func (l *lowerer) minMax(e *ast.CallExpr, isMax bool) *vir.Value {
	t := l.typeOf(e)
	if basic(t) == nil {
		l.refuse(e, typeID(t), "comparison of %s", describe(t))
	}
	beside := l.beside(e.Args)
	var x *vir.Value
	for i, a := range e.Args {
		l.direct = beside[i]
		y := l.scalarAs(a, t)
		l.mark(e)
		if x == nil {
			x = y
		} else {
			x = l.b.Same(minMaxOp(t, isMax), x, y)
		}
	}
	return x
}

func minMaxOp(t types.Type, isMax bool) vir.Op {
	ops := [2]vir.Op{vir.OpSmin, vir.OpSmax}
	switch {
	case isFloat(t):
		ops = [2]vir.Op{vir.OpFmin, vir.OpFmax}
	case isUnsigned(t):
		ops = [2]vir.Op{vir.OpUmin, vir.OpUmax}
	}
	if isMax {
		return ops[1]
	}
	return ops[0]
}

// An intrinsic makes the result of a known function out of its arguments.
type intrinsic func(l *lowerer, t vir.Type, args []*vir.Value) *vir.Value

func intrinsicName(fn *types.Func) string {
	if fn.Pkg() == nil || fn.Signature().Recv() != nil {
		return ""
	}
	return fn.Pkg().Path() + "." + fn.Name()
}

func (l *lowerer) isIntrinsic(e *ast.CallExpr) bool {
	id := calleeIdent(e.Fun)
	if id == nil {
		return false
	}
	fn, ok := l.info.Uses[id].(*types.Func)
	return ok && intrinsics[intrinsicName(fn)] != nil
}

func (l *lowerer) intrinsic(e *ast.CallExpr, fn *types.Func, f intrinsic) [][]*vir.Value {
	args := l.operands(e, fn)
	t, _ := scalarType(fn.Signature().Results().At(0).Type())
	return [][]*vir.Value{{f(l, t, args)}}
}

// product is the high and the low half of a product.
func (l *lowerer) product(e *ast.CallExpr, fn *types.Func) [][]*vir.Value {
	args := l.operands(e, fn)
	return [][]*vir.Value{{l.b.Same(vir.OpUmulh, args...)}, {l.b.Same(vir.OpMul, args...)}}
}

// isProduct reports whether fn is a product of two words.
func isProduct(fn *types.Func) bool {
	name, ok := strings.CutPrefix(intrinsicName(fn), "math/bits.Mul")
	return ok && (name == "" || name == "32" || name == "64")
}

// operands are the arguments of a call of fn, which are numbers.
func (l *lowerer) operands(e *ast.CallExpr, fn *types.Func) []*vir.Value {
	sig := fn.Signature()
	args := make([]*vir.Value, sig.Params().Len())
	if len(e.Args) != len(args) {
		l.refuse(e, "Call", "the arguments are a call with several results")
	}
	for i, a := range e.Args {
		args[i] = l.scalarAs(a, sig.Params().At(i).Type())
	}
	l.mark(e)
	return args
}

// simple is an operation on operands of the result's type.
func simple(op vir.Op) intrinsic {
	return func(l *lowerer, t vir.Type, args []*vir.Value) *vir.Value { return l.b.Op(op, t, args...) }
}

// bitCount is an operation on its operand's width with an int result. The
// operand is sized by the name of the function.
func bitCount(op vir.Op) intrinsic {
	return func(l *lowerer, t vir.Type, args []*vir.Value) *vir.Value {
		return l.resize(l.b.Same(op, args[0]), t, true)
	}
}

// bitLen is the width less the leading zeros.
func bitLen(l *lowerer, t vir.Type, args []*vir.Value) *vir.Value {
	clz := l.resize(l.b.Same(vir.OpClz, args[0]), t, true)
	return l.b.Same(vir.OpSub, l.int(t, int64(args[0].Type.Elem.Bits())), clz)
}

// rotate takes an int count, of which only the low bits matter.
func rotate(l *lowerer, t vir.Type, args []*vir.Value) *vir.Value {
	return l.b.Same(vir.OpRotl, args[0], l.resize(args[1], t, true))
}

// mathMinMax differs from the builtins in one thing: an infinity on the side
// that is asked for wins over NaN.
func mathMinMax(op vir.Op, inf float64) intrinsic {
	return func(l *lowerer, t vir.Type, args []*vir.Value) *vir.Value {
		c := l.floatConst(t, inf)
		either := l.b.Op(vir.OpOr, vir.Scalar(vir.Bool), l.b.Cmp(vir.OpFcmpEq, args[0], c), l.b.Cmp(vir.OpFcmpEq, args[1], c))
		return l.b.Op(vir.OpSelect, t, either, c, l.b.Op(op, t, args...))
	}
}

// round is math.Round, in float32 if that is what it gets. Adding the largest number below a
// half and leaving out what is behind the point rounds halves away from zero: a half itself
// comes to a tie with the next integer, which the sum takes since it is even or has no
// neighbour, and what is less stays less. What is large has nothing behind the point, and
// goes up by no half of a unit.
func round(l *lowerer, t vir.Type, args []*vir.Value) *vir.Value {
	x := args[0]
	if y := l.asF32(x); y != nil {
		return l.b.Op(vir.OpFpext, t, l.round(y))
	}
	return l.round(x)
}

func (l *lowerer) round(x *vir.Value) *vir.Value {
	below := math.Nextafter(0.5, 0)
	if x.Type.Elem == vir.F32 {
		below = float64(math.Nextafter32(0.5, 0))
	}
	bits := vir.Scalar(vir.IntElem(x.Type.Elem.Size()))
	sum := l.b.Same(vir.OpFadd, l.b.Same(vir.OpFabs, x), l.floatConst(x.Type, below))
	sign := l.b.Same(vir.OpAnd, l.b.Op(vir.OpBitcast, bits, x), l.int(bits, math.MinInt64>>(64-bits.Elem.Bits())))
	signed := l.b.Same(vir.OpOr, l.b.Op(vir.OpBitcast, bits, sum), sign)
	return l.b.Same(vir.OpFtrunc, l.b.Op(vir.OpBitcast, x.Type, signed))
}

// intrinsics are functions of the standard library with an operation of their
// own. Others may still be inlined.
var intrinsics = map[string]intrinsic{
	"math.Abs":         simple(vir.OpFabs),
	"math.Sqrt":        simple(vir.OpFsqrt),
	"math.Floor":       simple(vir.OpFfloor),
	"math.Ceil":        simple(vir.OpFceil),
	"math.Trunc":       simple(vir.OpFtrunc),
	"math.Round":       round,
	"math.RoundToEven": simple(vir.OpFrint),
	"math.FMA":         simple(vir.OpFma),
	"math.Copysign":    simple(vir.OpFcopysign),
	"math.Max":         mathMinMax(vir.OpFmax, math.Inf(1)),
	"math.Min":         mathMinMax(vir.OpFmin, math.Inf(-1)),

	"math.Float32bits":     simple(vir.OpBitcast),
	"math.Float32frombits": simple(vir.OpBitcast),
	"math.Float64bits":     simple(vir.OpBitcast),
	"math.Float64frombits": simple(vir.OpBitcast),
	"math.IsNaN": func(l *lowerer, _ vir.Type, args []*vir.Value) *vir.Value {
		return l.b.Cmp(vir.OpFcmpNe, args[0], args[0])
	},

	"math/bits.Reverse": simple(vir.OpBitrev), "math/bits.Reverse8": simple(vir.OpBitrev),
	"math/bits.Reverse16": simple(vir.OpBitrev), "math/bits.Reverse32": simple(vir.OpBitrev),
	"math/bits.Reverse64":    simple(vir.OpBitrev),
	"math/bits.ReverseBytes": simple(vir.OpBswap), "math/bits.ReverseBytes16": simple(vir.OpBswap),
	"math/bits.ReverseBytes32": simple(vir.OpBswap), "math/bits.ReverseBytes64": simple(vir.OpBswap),
}

// isRare reports whether fn is the function by which mathlib or textlib hands an argument over to scalar code.
func isRare(fn *types.Func) bool {
	name := intrinsicName(fn)
	return name == mathlib.Path+".rare" || name == textlib.Path+".rare"
}

// isConstant reports whether fn is the function by which textlib asks for a constant text.
func isConstant(fn *types.Func) bool { return intrinsicName(fn) == textlib.Path+".constant" }

func init() {
	// Operations of float32s, for which math has no names.
	intrinsics[mathlib.Path+".fma32"] = simple(vir.OpFma)
	intrinsics[mathlib.Path+".rint32"] = simple(vir.OpFrint)
	intrinsics[mathlib.Path+".abs32"] = simple(vir.OpFabs)
	for _, width := range []string{"", "8", "16", "32", "64"} {
		intrinsics["math/bits.LeadingZeros"+width] = bitCount(vir.OpClz)
		intrinsics["math/bits.TrailingZeros"+width] = bitCount(vir.OpCtz)
		intrinsics["math/bits.OnesCount"+width] = bitCount(vir.OpPopcnt)
		intrinsics["math/bits.Len"+width] = bitLen
		intrinsics["math/bits.RotateLeft"+width] = rotate
	}
}
