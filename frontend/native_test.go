package frontend_test

import (
	"errors"
	"fmt"
	"go/ast"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/lanewise/lanewise/frontend"
	"github.com/lanewise/lanewise/frontend/internal/corpus"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/interp"
)

// TestLoweredLoopsDoWhatGoDoes runs the loops of package corpus natively and in
// the interpreter, on the same arguments.
func TestLoweredLoopsDoWhatGoDoes(t *testing.T) {
	pkgs, err := frontend.Load(frontend.Options{Every: frontend.Loops}, "./internal/corpus")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range pkgs[0].Errors {
		t.Fatal(e)
	}
	twins := make(map[string]*frontend.Twin)
	for _, f := range pkgs[0].Funcs {
		for _, tw := range f.Twins {
			tw.Regions = slices.DeleteFunc(tw.Regions, func(r *frontend.Region) bool { return r.Once })
			twins[f.Decl.Name.Name] = tw
		}
	}
	recv := reflect.ValueOf(corpus.C{})
	for i := range recv.NumMethod() {
		name := recv.Type().Method(i).Name
		t.Run(name, func(t *testing.T) {
			tw := twins[name]
			for _, r := range tw.Remarks {
				t.Error(r)
			}
			if len(tw.Regions) != 1 {
				t.Fatalf("%d regions", len(tw.Regions))
			}
			testNative(t, tw, recv.Method(i))
		})
	}
}

func testNative(t *testing.T, tw *frontend.Twin, fn reflect.Value) {
	r := tw.Regions[0]
	checkNormalForm(t, r)
	outcomes := make(map[string]int)
	const inputs = 150
	for seed := range uint64(inputs) {
		n := newNative(t, tw, fn, rand.New(rand.NewPCG(seed, 1)))
		outcome := n.run(r)
		if t.Failed() {
			t.Fatalf("seed %d, arguments %v\n%s", seed, n.show, r.Fn)
		}
		outcomes[outcome]++
	}
	if outcomes["done"] < inputs/15 {
		t.Errorf("only %d of %d inputs ran to the end: %v", outcomes["done"], inputs, outcomes)
	}
}

// A native is one run of a corpus method.
type native struct {
	t    *testing.T
	rng  *rand.Rand
	fn   reflect.Value
	decl *ast.FuncDecl
	show []string
	args []reflect.Value
	env  map[string]reflect.Value // addressable
	n    int                      // usual length

	broken bool // the range expression panics

	blocks []block
	mem    *interp.Memory
	pool   map[reflect.Type]reflect.Value // backing arrays that slices may share
}

// A block is native memory with its image.
type block struct {
	data []byte
	obj  *interp.Object
	typ  reflect.Type
}

func newNative(t *testing.T, tw *frontend.Twin, fn reflect.Value, rng *rand.Rand) *native {
	n := &native{t: t, rng: rng, fn: fn, decl: tw.Func.Decl, env: make(map[string]reflect.Value),
		mem: &interp.Memory{}, pool: make(map[reflect.Type]reflect.Value)}
	n.n = rng.IntN(12)
	for k, name := range fieldNames(n.decl.Type.Params) {
		v := reflect.New(fn.Type().In(k)).Elem()
		n.fill(v, 0)
		n.env[name] = v
		n.args = append(n.args, v)
		n.show = append(n.show, fmt.Sprintf("%s=%+v", name, v))
	}
	for k, name := range fieldNames(n.decl.Type.Results) {
		n.env[name] = reflect.New(fn.Type().Out(k)).Elem()
	}
	return n
}

func fieldNames(list *ast.FieldList) (names []string) {
	if list != nil {
		for _, f := range list.List {
			for _, id := range f.Names {
				names = append(names, id.Name)
			}
		}
	}
	return names
}

// capture makes an image of all memory that v leads to.
func (n *native) capture(v reflect.Value) {
	switch v.Kind() {
	case reflect.Slice:
		n.addBlock(v.UnsafePointer(), v.Cap()*int(v.Type().Elem().Size()), v.Type().Elem())
		if v.Type().Elem().Kind() == reflect.Slice {
			for i := range v.Len() {
				n.capture(v.Index(i))
			}
		}
	case reflect.String:
		s := v.String()
		n.addBlock(unsafe.Pointer(unsafe.StringData(s)), len(s), reflect.TypeFor[byte]())
	case reflect.Pointer:
		if !v.IsNil() {
			n.addBlock(v.UnsafePointer(), int(v.Type().Elem().Size()), v.Type().Elem())
			n.capture(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			n.capture(v.Field(i))
		}
	}
}

func (n *native) addBlock(p unsafe.Pointer, size int, t reflect.Type) {
	if p == nil || size == 0 {
		return
	}
	from := uintptr(p)
	for _, b := range n.blocks {
		if lo, hi := b.span(); from >= lo && from+uintptr(size) <= hi {
			return
		} else if from < hi && from+uintptr(size) > lo {
			n.t.Fatalf("memory of %s overlaps that of %s in part", t, b.typ)
		}
	}
	n.blocks = append(n.blocks, block{data: unsafe.Slice((*byte)(p), size), typ: t})
}

func (b block) span() (lo, hi uintptr) {
	lo = uintptr(unsafe.Pointer(&b.data[0]))
	return lo, lo + uintptr(len(b.data))
}

// pointer is the image of a native address.
func (n *native) pointer(p unsafe.Pointer) interp.Value {
	for _, b := range n.blocks {
		if lo, hi := b.span(); uintptr(p) >= lo && uintptr(p) < hi {
			return b.obj.Ptr(int64(uintptr(p) - lo))
		}
	}
	return interp.Ptr(0)
}

// image copies all memory that the method can reach. Backing arrays come first:
// slices are parts of them.
func (n *native) image() {
	var backs []reflect.Value
	for _, v := range n.pool {
		backs = append(backs, v)
	}
	slices.SortFunc(backs, func(a, b reflect.Value) int { return strings.Compare(a.Type().String(), b.Type().String()) })
	for _, v := range backs {
		n.capture(v)
	}
	for _, v := range n.args {
		n.capture(v)
		if v.Kind() == reflect.Struct || v.Kind() == reflect.Array {
			n.addBlock(v.Addr().UnsafePointer(), int(v.Type().Size()), v.Type())
		}
	}
	corpus.Globals(func(p unsafe.Pointer, t reflect.Type) { n.addBlock(p, int(t.Size()), t) })
	for i := range n.blocks {
		n.blocks[i].obj = n.mem.Alloc(fmt.Sprintf("b%d", i), slices.Clone(n.blocks[i].data))
	}
}

// run runs both and compares. It returns what happened.
func (n *native) run(r *frontend.Region) string {
	n.image()
	args, ok := n.liveIns(r)
	want, wantPanic := n.call()
	if !ok {
		return "guarded" // the twin runs the user's loop
	}
	got, err := interp.Config{Steps: 200000}.Run(r.Fn, n.mem, args)
	if !samePanic(wantPanic, err, makesSlices(n.decl.Body)) {
		n.t.Errorf("native: %v, interpreted: %v", wantPanic, err)
		return ""
	}
	n.compareMemory()
	if err != nil {
		return "panic"
	}
	for i, v := range r.Vars {
		if v.Obj == nil {
			continue
		}
		if k := slices.Index(fieldNames(n.decl.Type.Results), v.Obj.Name()); k >= 0 {
			if w := scalarValue(n.partOf(want[k], v)); !interp.Equal(w, got[i]) {
				n.t.Errorf("%s %s is %v, want %v", v.Obj.Name(), r.Fn.Params[r.State[i].Param].Name, got[i], w)
			}
		}
	}
	return "done"
}

// partOf is what of a result a state is.
func (n *native) partOf(result reflect.Value, v frontend.Var) reflect.Value {
	if v.Expr != nil {
		n.env[v.Obj.Name()] = result
		result = n.eval(v.Expr)
	}
	if v.Part != frontend.Whole {
		result = half(result, v.Part == frontend.Imag)
	}
	return result
}

func (n *native) call() (results []reflect.Value, panicked error) {
	defer func() {
		if x := recover(); x != nil {
			err, ok := x.(runtime.Error)
			if !ok {
				panic(x)
			}
			panicked = err
		}
	}()
	return n.fn.Call(n.args), nil
}

// samePanic compares panics. Where the loop makes slices, an index is counted
// from somewhere else and a bound of a slice is an index.
func samePanic(want, got error, slicing bool) bool {
	if want == nil || got == nil {
		return want == nil && got == nil
	}
	var p interp.Panic
	if !errors.As(got, &p) {
		return false
	}
	text := map[interp.PanicKind]string{
		interp.PanicIndex: fmt.Sprintf("index out of range [%d]", p.Index),
		interp.PanicDiv:   "integer divide by zero",
		interp.PanicShift: "negative shift amount",
		interp.PanicNil:   "nil pointer dereference",
	}[p.Kind]
	if p.Kind == interp.PanicIndex && slicing {
		text = "out of range"
		if strings.Contains(want.Error(), "cannot convert slice with length") {
			return true
		}
	}
	return strings.Contains(want.Error(), text)
}

func makesSlices(body ast.Node) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		_, ok := n.(*ast.SliceExpr)
		found = found || ok
		return !found
	})
	return found
}

func (n *native) compareMemory() {
	for i, b := range n.blocks {
		e := vir.I8
		switch b.typ.Kind() {
		case reflect.Float32, reflect.Complex64, reflect.Struct, reflect.Array: // no NaN bits in their other fields
			e = vir.F32
		case reflect.Float64, reflect.Complex128:
			e = vir.F64
		}
		if !interp.EqualMemory(e, b.data, b.obj.Data) {
			n.t.Errorf("block %d of %s is % x, want % x", i, b.typ, b.obj.Data, b.data)
		}
	}
}
