package outline

import (
	"math/rand/v2"
	"testing"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/gen"
)

// dear is a Measure to which calls cost next to nothing, so that whatever repeats
// becomes a routine.
func dear(fs []*vir.Func) ([]Code, error) {
	codes, err := Rough(fs)
	for i, f := range fs {
		codes[i].Bytes *= 100
		for v := range f.Values {
			if v.Op == vir.OpCall {
				codes[i].Bytes -= 90 * callBytes
			}
		}
	}
	return codes, err
}

// TestRandomRoutines outlines random functions and compares what they do before and after
// in the interpreter. Each has a variant with other constants and commutative operations
// the other way around, so that there is something to find and to pass.
func TestRandomRoutines(t *testing.T) {
	places, longer := 0, 0
	for seed := range uint64(40) {
		var ks []*gen.Kernel
		for n := range uint64(3) {
			k := gen.Line(gen.Seed(3*seed+n), gen.Options{Lanes: []int{0, 4, 8, 16}, Allow: gen.Compiled, Insts: 12})
			ks = append(ks, k, varied(k, seed))
		}
		var fs []*vir.Func
		for _, k := range ks {
			fs = append(fs, k.Fn)
		}
		out, err := Routines(fs, Options{Level: Size, Measure: dear})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range out.Routines {
			valid(t, r.Fn)
			places += r.Places
			if len(r.Fn.Entry().Insts) > 4 {
				longer++
			}
		}
		for i, k := range ks {
			valid(t, out.Funcs[i])
			with := *k
			with.Fn = out.Funcs[i]
			mem, result, err := with.Run()
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, with.Fn)
			}
			if err := k.Compare(mem, result); err != nil {
				t.Fatalf("seed %d: %v\n%s\n%s", seed, err, k.Fn, with.Fn)
			}
		}
	}
	t.Logf("%d calls, %d routines of several operations", places, longer)
	if places < 500 || longer < 100 {
		t.Errorf("%d calls, %d routines of several operations: too few to learn from", places, longer)
	}
}

// varied is k with other finite float constants, and some operands swapped.
func varied(k *gen.Kernel, seed uint64) *gen.Kernel {
	rng := rand.New(rand.NewPCG(seed, 7))
	v := *k
	v.Fn = k.Fn.Clone()
	v.Fn.Name += "Varied"
	for x := range v.Fn.Values {
		switch {
		case x.Op == vir.OpConst && x.Type.Elem == vir.F32 && rng.IntN(2) == 0:
			x.Bits = []uint64{0x3f800000 + rng.Uint64N(1<<20)}
		case x.Op.Info().Commutative && rng.IntN(2) == 0:
			x.Args[0], x.Args[1] = x.Args[1], x.Args[0]
		}
	}
	return &v
}
