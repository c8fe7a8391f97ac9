package twin

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/lanewise/lanewise/frontend"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// paramType is the Go type of a kernel parameter: what its live-in suggests, or its vir
// type where several regions have the kernel and different live-ins. Constants fit any type.
func (f *file) paramType(k *plan.Kernel, i int) *types.Basic {
	var t *types.Basic
	for _, r := range f.sharers[k.Fn] {
		other := f.kernels[r]
		if other.Args[i].Kind == plan.ArgConst {
			continue
		}
		own := ownParamType(r, other, i)
		if t != nil && own.Kind() != t.Kind() {
			return fitting(nil, k.Fn.Params[i].Type.Elem)
		}
		t = own
	}
	if t == nil {
		t = fitting(nil, k.Fn.Params[i].Type.Elem)
	}
	return t
}

// ownParamType is the type of a parameter if the kernel is that of r alone: the basic type
// under the live-in's where its size fits, else the one that the vir type suggests.
func ownParamType(r *frontend.Region, k *plan.Kernel, i int) *types.Basic {
	v := k.Fn.Params[i]
	if a := k.Args[i]; a.Kind == plan.ArgParam && a.Index < len(r.Params) {
		if p := &r.Params[a.Index]; p.Kind == frontend.ParamValue {
			return fitting(p.Type, v.Type.Elem)
		}
	}
	return fitting(nil, v.Type.Elem)
}

// resultTypes are the Go types of a kernel's results, found like those of parameters.
func (f *file) resultTypes(r *frontend.Region, k *plan.Kernel) []*types.Basic {
	ts := ownResultTypes(r, k)
	for _, other := range f.sharers[k.Fn] {
		for i, t := range ownResultTypes(other, f.kernels[other]) {
			if t.Kind() != ts[i].Kind() {
				ts[i] = fitting(nil, k.Fn.Results[i].Elem)
			}
		}
	}
	return ts
}

// ownResultTypes are the types of results if the kernel is that of r alone.
func ownResultTypes(r *frontend.Region, k *plan.Kernel) []*types.Basic {
	ts := make([]*types.Basic, len(k.Fn.Results))
	for i, t := range k.Fn.Results {
		ts[i] = fitting(nil, t.Elem)
	}
	for s, o := range k.Outs {
		if o.Kind == plan.OutResult && o.Index > 0 && o.Index < len(ts) && r.Vars[s].Obj != nil {
			ts[o.Index] = fitting(r.Params[r.State[s].Param].Type, k.Fn.Results[o.Index].Elem)
		}
	}
	return ts
}

// fitting is the basic type under t if a value of it has the size of e.
func fitting(t types.Type, e vir.Elem) *types.Basic {
	if b := basic(t); b != nil {
		b = types.Default(b).(*types.Basic)
		isFloat, isBool := b.Info()&types.IsFloat != 0, b.Info()&types.IsBoolean != 0
		sizes := types.SizesFor("gc", "amd64")
		if b.Kind() != types.UnsafePointer && sizes.Sizeof(b) == int64(e.Size()) && isFloat == e.IsFloat() && isBool == (e == vir.Bool) {
			return b
		}
	}
	switch e {
	case vir.Bool:
		return types.Typ[types.Bool]
	case vir.I8:
		return types.Typ[types.Uint8]
	case vir.I16:
		return types.Typ[types.Int16]
	case vir.I32:
		return types.Typ[types.Int32]
	case vir.F32:
		return types.Typ[types.Float32]
	case vir.F64:
		return types.Typ[types.Float64]
	case vir.Ptr:
		return types.Typ[types.UnsafePointer]
	}
	return types.Typ[types.Int]
}

// stub prints the declaration of a kernel, once. Parameters that share a type
// share its mention. The comment has no line number: a shifted loop is no
// reason to generate anew.
func (f *file) stub(r *frontend.Region, k *plan.Kernel) error {
	if f.declared[k.Fn.Name] {
		return nil
	}
	f.declared[k.Fn.Name] = true
	var names []string
	var ts []*types.Basic
	for i, p := range k.Fn.Params {
		names, ts = append(names, p.Name), append(ts, f.paramType(k, i))
	}
	params, err := f.fields(names, ts)
	if err != nil {
		return err
	}
	rts := f.resultTypes(r, k)
	var rnames []string
	for i := range rts {
		rnames = append(rnames, fmt.Sprintf("r%d", i))
	}
	results, err := f.fields(rnames, rts)
	if err != nil {
		return err
	}
	doc := fmt.Sprintf("%s does iterations of %s; r0 counts them.", k.Fn.Name, Served(f.sharers[k.Fn], "a loop", "loops"))
	f.printf("%s//\n//go:noescape\nfunc %s(%s) (%s)\n\n", wrappedComment(doc), k.Fn.Name, params, results)
	return nil
}

// fields prints a list of parameters.
func (f *file) fields(names []string, ts []*types.Basic) (string, error) {
	var sb strings.Builder
	for i, name := range names {
		if i > 0 {
			sb.WriteString(", ")
		}
		sb.WriteString(name)
		if i+1 < len(ts) && ts[i+1].Kind() == ts[i].Kind() {
			continue
		}
		text, err := f.stubType(ts[i])
		if err != nil {
			return "", err
		}
		sb.WriteString(" " + text)
	}
	return sb.String(), nil
}

func (f *file) stubType(t *types.Basic) (string, error) {
	if t.Kind() == types.UnsafePointer {
		return f.imports.own(pathUnsafe) + ".Pointer", nil
	}
	return f.predeclared(t.Name(), false)
}
