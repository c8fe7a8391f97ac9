package lower

import (
	"go/ast"
	"go/types"
	"math"

	"github.com/lanewise/lanewise/vir"
)

// convert is to(x) for x of type from.
func (l *lowerer) convert(n ast.Node, x *vir.Value, from, to types.Type) *vir.Value {
	t, ok := scalarType(to)
	if !ok || basic(from) == nil || isBool(from) != isBool(to) {
		l.refuse(n, typeID(to), "conversion to %s", describe(to))
	}
	switch {
	case isBool(to):
		return x
	case isInteger(from) && isInteger(to):
		return l.resize(x, t, isUnsigned(from))
	case isInteger(from):
		if isUnsigned(from) {
			return l.b.Op(vir.OpUitof, t, x)
		}
		return l.b.Op(vir.OpSitof, t, x)
	case isInteger(to):
		return l.floatToInt(x, t, isUnsigned(to))
	}
	switch {
	case x.Type == t:
		return x
	case t.Elem == vir.F64:
		return l.b.Op(vir.OpFpext, t, x)
	}
	return l.narrow(x)
}

func (l *lowerer) resize(x *vir.Value, t vir.Type, unsigned bool) *vir.Value {
	switch from, to := x.Type.Elem.Bits(), t.Elem.Bits(); {
	case to < from:
		return l.b.Op(vir.OpTrunc, t, x)
	case to == from:
		return x
	case unsigned:
		return l.b.Op(vir.OpZext, t, x)
	}
	return l.b.Op(vir.OpSext, t, x)
}

// toInt64 is an integer of type t as an index or length.
func (l *lowerer) toInt64(x *vir.Value, t types.Type) *vir.Value {
	return l.resize(x, vir.Scalar(vir.I64), isUnsigned(t))
}

// floatToInt converts through the widths that gc uses on amd64, which decide
// what comes out for numbers out of range: 32 bits for everything up to 16 bits
// and int32, 64 for uint32.
func (l *lowerer) floatToInt(x *vir.Value, t vir.Type, unsigned bool) *vir.Value {
	i32, i64 := vir.Scalar(vir.I32), vir.Scalar(vir.I64)
	switch {
	case t == i64 && unsigned:
		return l.b.Op(vir.OpFtoui, i64, x)
	case t == i64:
		return l.b.Op(vir.OpFtosi, i64, x)
	case t == i32 && unsigned:
		return l.b.Op(vir.OpTrunc, t, l.b.Op(vir.OpFtosi, i64, x))
	}
	return l.resize(l.b.Op(vir.OpFtosi, i32, x), t, false)
}

// narrow is float32(x) for a float64 x. Where x was computed from float32
// values by one operation, rounding to 53 bits and then to 24 gives what
// rounding to 24 gives at once, because 53 >= 2*24+2 (Figueroa, "When is double
// rounding innocuous?", 1995): the operation is done in float32.
func (l *lowerer) narrow(x *vir.Value) *vir.Value {
	if y := l.asF32(x); y != nil {
		return y
	}
	f32 := vir.Scalar(vir.F32)
	switch x.Op {
	case vir.OpFadd, vir.OpFsub, vir.OpFmul, vir.OpFdiv, vir.OpFsqrt:
		if args := l.allF32(x.Args); args != nil {
			return l.b.Op(x.Op, f32, args...)
		}
	case vir.OpSitof, vir.OpUitof:
		// The float64 is exact.
		if x.Args[0].Type.Elem.Bits() <= 32 {
			return l.b.Op(x.Op, f32, x.Args[0])
		}
	}
	return l.b.Op(vir.OpFptrunc, f32, x)
}

// asF32 is the float32 that the float64 x is equal to, if there obviously is one.
func (l *lowerer) asF32(x *vir.Value) *vir.Value {
	f32 := vir.Scalar(vir.F32)
	switch x.Op {
	case vir.OpFpext:
		return x.Args[0]
	case vir.OpConst:
		f := math.Float64frombits(x.Bits[0])
		if float64(float32(f)) == f {
			return l.floatConst(f32, f)
		}
	case vir.OpSitof, vir.OpUitof:
		if x.Args[0].Type.Elem.Bits() <= 16 {
			return l.b.Op(x.Op, f32, x.Args[0])
		}
	}
	if x.Op.Unrounded() {
		if args := l.allF32(x.Args); args != nil {
			return l.b.Op(x.Op, f32, args...)
		}
	}
	return nil
}

func (l *lowerer) allF32(xs []*vir.Value) []*vir.Value {
	ys := make([]*vir.Value, len(xs))
	for i, x := range xs {
		if ys[i] = l.asF32(x); ys[i] == nil {
			return nil
		}
	}
	return ys
}
