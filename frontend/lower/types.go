package lower

import (
	"go/types"

	"github.com/lanewise/lanewise/vir"
)

// sizes is the layout of the only architecture that has kernels.
var sizes = types.SizesFor("gc", "amd64")

func bindTypes(m map[*types.TypeParam]types.Type, params *types.TypeParamList, args []types.Type) {
	for i := range params.Len() {
		if i < len(args) {
			m[params.At(i)] = args[i]
		}
	}
}

// substitute replaces type parameters in t.
func substitute(t types.Type, m map[*types.TypeParam]types.Type) types.Type {
	if len(m) == 0 || t == nil {
		return t
	}
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		if to, ok := m[t]; ok {
			return to
		}
	case *types.Slice:
		return types.NewSlice(substitute(t.Elem(), m))
	case *types.Array:
		return types.NewArray(substitute(t.Elem(), m), t.Len())
	case *types.Pointer:
		return types.NewPointer(substitute(t.Elem(), m))
	case *types.Named:
		return substituteNamed(t, m)
	case *types.Struct:
		fields := make([]*types.Var, t.NumFields())
		for i := range fields {
			f := t.Field(i)
			fields[i] = types.NewField(f.Pos(), f.Pkg(), f.Name(), substitute(f.Type(), m), f.Embedded())
		}
		return types.NewStruct(fields, nil)
	}
	return t
}

func substituteNamed(t *types.Named, m map[*types.TypeParam]types.Type) types.Type {
	n := t.TypeArgs().Len()
	if n == 0 {
		return t
	}
	args := make([]types.Type, n)
	for i := range args {
		args[i] = substitute(t.TypeArgs().At(i), m)
	}
	if inst, err := types.Instantiate(nil, t.Origin(), args, false); err == nil {
		return inst
	}
	return t
}

// basic is the numeric or bool type underlying t, nil for all others.
func basic(t types.Type) *types.Basic {
	b, ok := t.Underlying().(*types.Basic)
	if !ok || b.Info()&(types.IsInteger|types.IsFloat|types.IsBoolean) == 0 {
		return nil
	}
	return b
}

// scalarType is the vir type of a numeric or bool type.
func scalarType(t types.Type) (vir.Type, bool) {
	b := basic(t)
	if b == nil {
		return vir.Type{}, false
	}
	switch b.Kind() {
	case types.Bool, types.UntypedBool:
		return vir.Scalar(vir.Bool), true
	case types.Float32:
		return vir.Scalar(vir.F32), true
	case types.Float64, types.UntypedFloat:
		return vir.Scalar(vir.F64), true
	case types.UntypedInt:
		return vir.Scalar(vir.I64), true
	case types.UntypedRune:
		return vir.Scalar(vir.I32), true
	}
	return vir.Scalar(vir.IntElem(int(sizes.Sizeof(b)))), true
}

// isNumber reports whether t is a basic type or a complex one.
func isNumber(t types.Type) bool { return basic(t) != nil || isComplex(t) }

func isComplex(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsComplex != 0
}

// half is the type of the parts of complex type t.
func half(t types.Type) types.Type {
	if t.Underlying().(*types.Basic).Kind() == types.Complex64 {
		return types.Typ[types.Float32]
	}
	return types.Typ[types.Float64]
}

func isUnsigned(t types.Type) bool { b := basic(t); return b != nil && b.Info()&types.IsUnsigned != 0 }
func isInteger(t types.Type) bool  { b := basic(t); return b != nil && b.Info()&types.IsInteger != 0 }
func isFloat(t types.Type) bool    { b := basic(t); return b != nil && b.Info()&types.IsFloat != 0 }
func isBool(t types.Type) bool     { b := basic(t); return b != nil && b.Info()&types.IsBoolean != 0 }

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

func isPointer(t types.Type) bool { _, ok := t.Underlying().(*types.Pointer); return ok }

// pointee is what t points to, or nil.
func pointee(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return nil
}

// A leaf is a scalar inside a value of structs and arrays.
type leaf struct {
	off   int64
	typ   types.Type
	blank bool // in a field named _, which comparisons leave out
	part  Part
	of    types.Type // the complex type of which it is a part
	path  []int      // fields and elements that lead to it
}

// maxLeaves bounds the structs and arrays whose values are kept in SSA form.
const maxLeaves = 16

// leaves are the scalars of t in memory order; ok is false when t holds
// anything else, or too many.
func leaves(t types.Type) (ls []leaf, ok bool) {
	if basic(t) != nil {
		return []leaf{{typ: t}}, true
	}
	if isComplex(t) {
		h := half(t)
		return []leaf{{typ: h, part: Real, of: t}, {typ: h, part: Imag, of: t, off: sizes.Sizeof(h)}}, true
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i := range u.NumFields() {
			sub, ok := leaves(u.Field(i).Type())
			if !ok {
				return nil, false
			}
			for _, s := range sub {
				s.off += fieldOffset(u, i)
				s.blank = s.blank || u.Field(i).Name() == "_"
				s.path = append([]int{i}, s.path...)
				ls = append(ls, s)
			}
		}
	case *types.Array:
		sub, ok := leaves(u.Elem())
		if !ok || u.Len() > maxLeaves || u.Len()*int64(len(sub)) > maxLeaves {
			return nil, false
		}
		for i := range u.Len() {
			for _, s := range sub {
				s.off += i * sizes.Sizeof(u.Elem())
				s.path = append([]int{int(i)}, s.path...)
				ls = append(ls, s)
			}
		}
	default:
		return nil, false
	}
	return ls, len(ls) <= maxLeaves
}

// fieldOffset is the offset in bytes of field i.
func fieldOffset(s *types.Struct, i int) int64 {
	fields := make([]*types.Var, i+1)
	for k := range fields {
		fields[k] = s.Field(k)
	}
	return sizes.Offsetsof(fields)[i]
}

// describe names the kind of a type for messages.
func describe(t types.Type) string {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			return "a string"
		case u.Info()&types.IsComplex != 0:
			return "a complex number"
		case u.Kind() == types.UnsafePointer:
			return "an unsafe.Pointer"
		}
	case *types.Slice:
		return "a slice"
	case *types.Pointer:
		return "a pointer"
	case *types.Map:
		return "a map"
	case *types.Chan:
		return "a channel"
	case *types.Interface:
		return "an interface"
	case *types.Signature:
		return "a function"
	case *types.Struct:
		return "a struct"
	case *types.Array:
		return "an array"
	}
	return "a value of type " + t.String()
}

// typeID is the part of a refusal's ID that stands for the kind of t.
func typeID(t types.Type) string {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			return "String"
		case u.Info()&types.IsComplex != 0:
			return "Complex"
		}
		return "Pointer"
	case *types.Slice:
		return "Slice"
	case *types.Pointer:
		return "Pointer"
	case *types.Map:
		return "Map"
	case *types.Chan:
		return "Channel"
	case *types.Interface:
		return "Interface"
	case *types.Signature:
		return "FuncValue"
	case *types.Struct:
		return "Struct"
	case *types.Array:
		return "Array"
	}
	return "Type"
}
