package native_test

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/lanewise/lanewise/backend"
	"github.com/lanewise/lanewise/backend/native"
	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/gen"
	"github.com/lanewise/lanewise/vir/interp"
	"github.com/lanewise/lanewise/vir/verify"
)

var cutKernels = flag.Uint64("cuts", 100, "number of random kernels with routines to run natively")

// cut moves up to four pieces of f into routines that can be emitted, and returns how
// many.
func cut(t *testing.T, f *vir.Func, rng *rand.Rand, tgt *target.Target) (_ *vir.Func, routines int) {
	t.Helper()
	for k := range 8 {
		g := f.Clone()
		r := native.Cut(g, rng, fmt.Sprintf("%sPart%d", f.Name, k))
		if r == nil {
			continue
		}
		for _, f := range []*vir.Func{g, r} {
			if err := verify.Func(f); err != nil {
				t.Fatalf("%v\n%s\n%s", err, g, r)
			}
		}
		_, err := backend.Emit(backend.File{Package: "k", Kernels: []backend.Kernel{{Fn: g}}}, tgt)
		var bad *backend.RoutineError
		if errors.As(err, &bad) {
			continue
		}
		if err != nil {
			t.Fatalf("%v\n%s\n%s", err, g, r)
		}
		if f, routines = g, routines+1; routines == 4 {
			break
		}
	}
	return f, routines
}

// TestRandomRoutines moves pieces of random kernels into routines and compares with
// the interpreter of what they were.
func TestRandomRoutines(t *testing.T) { runCuts(t, 1<<34, level()) }

// TestRoutinesInFewRegisters spills around calls.
func TestRoutinesInFewRegisters(t *testing.T) {
	inFewRegisters(t, 6, 7, func(t *testing.T, tgt *target.Target) {
		runCuts(t, 1<<35, tgt)
	})
}

func runCuts(t *testing.T, first uint64, tgt *target.Target) {
	t.Helper()
	var ks []kernelCase
	var fns []*vir.Func
	var cases []native.Case
	routines := 0
	for i := range *cutKernels {
		rng := rand.New(rand.NewPCG(first, i))
		k := someKernel(rng, first+i)
		g, n := cut(t, k.fn, rng, tgt)
		routines += n
		ks, fns, cases = append(ks, k), append(fns, g), append(cases, k.Case)
	}
	t.Logf("%d routines in %d kernels", routines, *cutKernels)
	if uint64(routines) < *cutKernels/2 {
		t.Error("too few routines")
	}
	p, err := native.Build(t.TempDir(), fns, tgt)
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.Run(cases)
	if err != nil {
		t.Error(err)
	}
	for i, g := range got {
		if d := ks[i].diff(g); d != "" {
			t.Errorf("%s: %s\n%s", cases[i].Fn, d, fns[i])
			break
		}
	}
	sound(t, p)
}

// A kernelCase is a kernel, a call of it and what tells whether it went well.
type kernelCase struct {
	native.Case
	fn   *vir.Func
	diff func(native.Outcome) string
}

// someKernel is a kernel of vectors or one of scalars and short vectors in order.
func someKernel(rng *rand.Rand, seed uint64) kernelCase {
	k := kernelCase{Case: native.Case{Fn: fmt.Sprintf("cut%d", seed), Mem: new(interp.Memory)}}
	if seed%2 == 0 {
		l := newLine(rng, k.Fn, 10+int(seed%7)*15)
		o := k.Mem.Alloc("memory", l.memory())
		k.fn, k.Args = l.b.Func, []interp.Value{o.Ptr(0), o.Ptr(0), l.arg(), l.arg(), l.arg()}
		k.diff = func(o native.Outcome) string { return native.Diff(k.fn, k.Case, o) }
		return k
	}
	lanes := []int{1, 2, 4, 8, 16, 32, 64}
	if seed%8 == 1 {
		lanes = []int{0}
	}
	g := gen.Line(gen.Seed(seed), gen.Options{Lanes: lanes, Allow: gen.Compiled, Exits: true, ConstDivisors: true})
	g.Fn.Name = k.Fn
	in, out := k.Mem.AllocReadOnly("in", g.In), k.Mem.Alloc("out", g.Out)
	k.fn, k.Args = g.Fn, []interp.Value{in.Ptr(0), out.Ptr(0), interp.Int(g.N)}
	k.diff = func(o native.Outcome) string {
		if err := g.Compare(o.Objects[1], o.Results[0].Int()); err != nil {
			return err.Error()
		}
		return o.Err
	}
	return k
}
