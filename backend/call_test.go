package backend_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/lanewise/lanewise/backend"
	"github.com/lanewise/lanewise/backend/native"
	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/verify"
)

// TestLoopsInRoutines moves random pieces of the kernels of the file tests, which have
// loops, into routines.
func TestLoopsInRoutines(t *testing.T) { loopsInRoutines(t, target.AVX2()) }

// TestLoopsInRoutinesFewRegisters spills around calls in loops.
func TestLoopsInRoutinesFewRegisters(t *testing.T) {
	tgt := target.AVX2()
	tgt.VectorRegs, tgt.ScalarRegs = 7, 8
	loopsInRoutines(t, tgt)
}

func loopsInRoutines(t *testing.T, tgt *target.Target) {
	paths, err := filepath.Glob(asmFiles)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	var fns []*vir.Func
	var cases []native.Case
	whole := make(map[string]*vir.Func)
	for i, path := range paths {
		for k := range 3 {
			for _, f := range kernels(t, section(t, path), fmt.Sprintf("_%d_%d", i, k)) {
				whole[f.Name] = f
				fns = append(fns, inPieces(t, f, rng, tgt))
				for n := int64(0); n < 300; n += 1 + n/7 {
					cases = append(cases, inputs(f, n))
				}
			}
		}
	}
	compareWith(t, fns, whole, cases, tgt)
}

// inPieces is f with up to six pieces in routines.
func inPieces(t *testing.T, f *vir.Func, rng *rand.Rand, tgt *target.Target) *vir.Func {
	t.Helper()
	routines := 0
	for k := 0; k < 20 && routines < 6; k++ {
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
		switch {
		case errors.As(err, &bad):
		case err != nil:
			t.Fatalf("%v\n%s\n%s", err, g, r)
		default:
			f = g
			routines++
		}
	}
	if routines == 0 {
		t.Errorf("no routine in @%s", f.Name)
	}
	return f
}
