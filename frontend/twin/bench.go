package twin

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/lanewise/lanewise/frontend"
)

// benchmark prints the benchmark pair of a twin. Both calls are written out, so
// that nothing but the call is measured:
//
//	func BenchmarkTwinAxpy(b *testing.B) {
//		twintest.BenchCalls(b, func(a float32, x, y []float32) (scalar, vec func()) {
//			return func() { axpy(a, x, y) }, func() { Axpy(a, x, y) }
//		})
//	}
func (f *file) benchmark(t *frontend.Twin, name, scalar string) error {
	sig, err := instantiated(t)
	if err != nil {
		return err
	}
	testing, twintest := f.imports.own(pathTesting), f.imports.own(pathTwintest)
	params, args := f.benchParams(sig, twintest)
	vec := t.Name
	if sig.Recv() != nil {
		recv := args[0]
		scalar, vec, args = recv+"."+scalar, recv+"."+vec, args[1:]
	}
	call := func(fn string) string {
		s := fmt.Sprintf("%s(%s)", fn, strings.Join(args, ", "))
		if sig.Results().Len() > 0 {
			s = fmt.Sprintf("%s.Keep(%s)", twintest, s)
		}
		return "func() { " + s + " }"
	}
	b := f.param("b")
	opt := ""
	if f.startsGoroutines(t.Func.Decl) {
		opt = fmt.Sprintf(", %s.Goroutines()", twintest)
	}
	f.printf("func %s(%s *%s.B) {\n%s.BenchCalls(%s, func(%s) (%s, %s func()) {\nreturn %s, %s\n}%s)\n}\n\n",
		name, b, testing, twintest, b, params, f.param("scalar"), f.param("vec"), call(scalar), call(vec), opt)
	return nil
}

// instantiated is the signature of the original with type arguments in place.
func instantiated(t *frontend.Twin) (*types.Signature, error) {
	sig := t.Func.Obj.Signature()
	if len(t.TypeArgs) == 0 {
		return sig, nil
	}
	typ, err := types.Instantiate(nil, sig, t.TypeArgs, false)
	if err != nil {
		return nil, err
	}
	return typ.(*types.Signature), nil
}

// benchParams are the receiver and the parameters as a parameter list and as
// arguments. They keep their names unless these hide what the calls need.
func (f *file) benchParams(sig *types.Signature, twintest string) (params string, args []string) {
	taken := map[string]bool{f.param("scalar"): true, f.param("vec"): true, "_": true, "": true, twintest: true}
	var list []string
	add := func(v *types.Var, dots string) {
		name := unused(v.Name(), func(s string) bool { return taken[s] || f.pkg.Types.Scope().Lookup(s) != nil })
		if v.Name() == "" || v.Name() == "_" {
			name = unused("p", func(s string) bool { return taken[s] || f.pkg.Types.Scope().Lookup(s) != nil })
		}
		taken[name] = true
		list = append(list, name+" "+types.TypeString(v.Type(), f.qualifier))
		args = append(args, name+dots)
	}
	if sig.Recv() != nil {
		add(sig.Recv(), "")
	}
	for i := range sig.Params().Len() {
		dots := ""
		if sig.Variadic() && i == sig.Params().Len()-1 {
			dots = "..."
		}
		add(sig.Params().At(i), dots)
	}
	return strings.Join(list, ", "), args
}
