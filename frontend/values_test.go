package frontend_test

import (
	"go/ast"
	"go/token"
	"math"
	"reflect"
	"strconv"
	"strings"
	"unsafe"

	"github.com/lanewise/lanewise/frontend"
	"github.com/lanewise/lanewise/frontend/internal/corpus"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/interp"
)

// fill sets v to something that is likely to get through a loop and sometimes
// not. Depth is 0 for parameters themselves.
func (n *native) fill(v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(n.rng.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(n.integer(depth))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(n.integer(depth)))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(n.float())
	case reflect.Complex64, reflect.Complex128:
		v.SetComplex(complex(n.float(), n.float()))
	case reflect.String:
		b := make([]byte, n.length())
		for i := range b {
			b[i] = " aZ\x00\xff"[n.rng.IntN(5)]
		}
		v.SetString(string(b))
	case reflect.Slice:
		n.slice(v, depth)
	case reflect.Pointer:
		if n.rng.IntN(16) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			n.fill(v.Elem(), depth+1)
		}
	case reflect.Array:
		for i := range v.Len() {
			n.fill(v.Index(i), depth+1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Field(i)
			if !f.CanSet() { // a blank one
				f = reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
			}
			n.fill(f, depth)
		}
	default:
		n.t.Fatalf("no values of type %s", v.Type())
	}
}

func (n *native) length() int {
	if n.rng.IntN(6) == 0 {
		return n.rng.IntN(n.n + 2)
	}
	return n.n * (1 + n.rng.IntN(3))
}

var edges = []int64{math.MinInt8, math.MaxInt8, math.MinInt16, math.MaxInt32, math.MinInt32, math.MinInt64, math.MaxInt64, -1}

func (n *native) integer(depth int) int64 {
	if depth == 0 { // a parameter, perhaps a bound
		if n.rng.IntN(8) == 0 {
			return int64(n.rng.IntN(40)) - 10
		}
		return int64(n.rng.IntN(n.n + 1))
	}
	switch n.rng.IntN(8) {
	case 0:
		return int64(n.rng.Uint64())
	case 1:
		return 0
	case 2:
		return edges[n.rng.IntN(len(edges))]
	}
	return int64(n.rng.IntN(12))
}

var special = []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 1, -1, 0.5,
	1e30, -1e30, 1e-40, 5e-324, 1 << 31, 1 << 32, -1 << 31, 1 << 63, 1 << 62, 300, -129}

func (n *native) float() float64 {
	switch n.rng.IntN(4) {
	case 0:
		return special[n.rng.IntN(len(special))]
	case 1:
		return float64(n.rng.IntN(20)) - 10
	}
	return n.rng.NormFloat64() * 100
}

// slice sometimes takes a part of what another slice has.
func (n *native) slice(v reflect.Value, depth int) {
	length := n.length()
	if back, ok := n.pool[v.Type()]; ok && n.rng.IntN(3) == 0 {
		off := n.rng.IntN(min(4, back.Len()+1))
		v.Set(back.Slice(off, min(back.Len(), off+length)))
		return
	}
	back := reflect.MakeSlice(v.Type(), length+n.rng.IntN(3), length+2)
	for i := range back.Len() {
		n.fill(back.Index(i), depth+1)
	}
	if strings.HasPrefix(v.Type().Name(), "Exact") { // nothing behind the length
		v.Set(back.Slice3(0, length, length))
		return
	}
	n.pool[v.Type()] = back
	v.Set(back.Slice(0, length))
}

func scalarValue(v reflect.Value) interp.Value {
	switch {
	case v.Kind() == reflect.Bool:
		x := uint64(0)
		if v.Bool() {
			x = 1
		}
		return interp.New(vir.Scalar(vir.Bool), x)
	case v.Kind() == reflect.Float32:
		return interp.Float32(float32(v.Float()))
	case v.Kind() == reflect.Float64:
		return interp.Float64(v.Float())
	}
	return interp.New(vir.Scalar(vir.IntElem(int(v.Type().Size()))), uint64(toInt(v)))
}

// liveIns are the arguments of the region; not ok when a guard does not hold.
func (n *native) liveIns(r *frontend.Region) (args []interp.Value, ok bool) {
	n.runInit(r)
	for i, p := range r.Params {
		for _, e := range p.NonNil {
			if n.eval(e).IsNil() {
				return nil, false
			}
		}
		for _, e := range p.InRange {
			if k := toInt(n.eval(e.Index)); k < 0 || k >= int64(n.pointee(e.X).Len()) {
				return nil, false
			}
		}
		if c := r.Fn.Params[i].Param.Content; c != "" {
			args = append(args, n.mem.AllocReadOnly("table", []byte(c)).Ptr(0))
		} else if p.Kind == frontend.ParamCounter || p.Kind == frontend.ParamStart {
			args = append(args, interp.New(r.Fn.Params[i].Type, 0))
		} else {
			args = append(args, n.liveIn(p))
		}
	}
	return args, !n.broken
}

func (n *native) liveIn(p frontend.Param) interp.Value {
	v := n.eval(p.Expr)
	switch p.Kind {
	case frontend.ParamSliceData, frontend.ParamPointer:
		return n.pointer(v.UnsafePointer())
	case frontend.ParamStringData:
		if !v.CanAddr() { // a constant
			return n.mem.AllocReadOnly("constant", []byte(v.String())).Ptr(0)
		}
		return n.pointer(unsafe.Pointer(unsafe.StringData(v.String())))
	case frontend.ParamAddress:
		return n.pointer(v.Addr().UnsafePointer())
	case frontend.ParamLen:
		return interp.Int(int64(v.Len()))
	}
	return scalarValue(v)
}

// half is the real or imaginary part of a complex number.
func half(v reflect.Value, imaginary bool) reflect.Value {
	x := real(v.Complex())
	if imaginary {
		x = imag(v.Complex())
	}
	if v.Kind() == reflect.Complex64 {
		return reflect.ValueOf(float32(x))
	}
	return reflect.ValueOf(x)
}

func toInt(v reflect.Value) int64 {
	if v.CanUint() {
		return int64(v.Uint())
	}
	return v.Int()
}

// runInit executes the init statement of the loop.
func (n *native) runInit(r *frontend.Region) {
	s, ok := r.Loop.(*ast.ForStmt)
	if !ok || s.Init == nil {
		return
	}
	init := s.Init.(*ast.AssignStmt)
	for i, e := range init.Lhs {
		v := n.eval(init.Rhs[i])
		local := reflect.New(v.Type()).Elem()
		local.Set(v)
		n.env[e.(*ast.Ident).Name] = local
	}
}

// pointee evaluates e and follows a pointer.
func (n *native) pointee(e ast.Expr) reflect.Value {
	v := n.eval(e)
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	return v
}

// eval evaluates the few forms of expressions that live-ins and init
// statements of the corpus have.
func (n *native) eval(e ast.Expr) reflect.Value {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return n.eval(e.X)
	case *ast.Ident:
		if v, ok := n.env[e.Name]; ok {
			return v
		}
		return corpus.Global(e.Name)
	case *ast.BasicLit:
		x, err := strconv.Atoi(e.Value)
		if err != nil {
			n.t.Fatal(err)
		}
		return reflect.ValueOf(x)
	case *ast.SelectorExpr:
		return n.pointee(e.X).FieldByName(e.Sel.Name)
	case *ast.SliceExpr:
		return n.slicing(e)
	case *ast.StarExpr:
		return n.eval(e.X).Elem()
	case *ast.IndexExpr:
		return n.pointee(e.X).Index(int(toInt(n.eval(e.Index))))
	case *ast.CallExpr:
		switch e.Fun.(*ast.Ident).Name {
		case "real", "imag":
			return half(n.eval(e.Args[0]), e.Fun.(*ast.Ident).Name == "imag")
		case "min":
			return reflect.ValueOf(int(min(toInt(n.eval(e.Args[0])), toInt(n.eval(e.Args[1])))))
		case "len":
			return reflect.ValueOf(n.pointee(e.Args[0]).Len())
		case "int8":
			return reflect.ValueOf(int8(toInt(n.eval(e.Args[0]))))
		case "uint":
			return reflect.ValueOf(uint(toInt(n.eval(e.Args[0]))))
		}
	case *ast.BinaryExpr:
		return n.arith(e)
	}
	n.t.Fatalf("cannot evaluate %s", exprText(e))
	return reflect.Value{}
}

// slicing evaluates x[lo:hi:max]; a run that would panic there has no live-ins.
func (n *native) slicing(e *ast.SliceExpr) reflect.Value {
	x := n.pointee(e.X)
	bounds := []int{0, x.Len(), x.Cap()}
	for i, b := range []ast.Expr{e.Low, e.High, e.Max} {
		if b != nil {
			bounds[i] = int(toInt(n.eval(b)))
		}
	}
	lo, hi, limit := bounds[0], bounds[1], bounds[2]
	if lo < 0 || lo > hi || hi > limit || limit > x.Cap() {
		n.broken = true
		return reflect.MakeSlice(reflect.SliceOf(x.Type().Elem()), 0, 0)
	}
	return x.Slice3(lo, hi, limit)
}

func (n *native) arith(e *ast.BinaryExpr) reflect.Value {
	x, b := n.eval(e.X), toInt(n.eval(e.Y))
	a := toInt(x)
	switch e.Op {
	case token.ADD:
		a += b
	case token.SUB:
		a -= b
	case token.MUL:
		a *= b
	case token.QUO:
		a /= b
	case token.SHR:
		a >>= b
	case token.AND:
		a &= b
	default:
		n.t.Fatalf("cannot evaluate %s", exprText(e))
	}
	v := reflect.New(x.Type()).Elem()
	v.SetInt(a)
	return v
}
