package native_test

import (
	"flag"
	"fmt"
	"testing"

	"github.com/lanewise/lanewise/backend/native"
	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/gen"
	"github.com/lanewise/lanewise/vir/interp"
)

var randomKernels = flag.Uint64("kernels", 300, "number of random kernels to run natively")

// TestRandomKernels compares random straight-line kernels with the interpreter.
func TestRandomKernels(t *testing.T) { runRandom(t, 0, *randomKernels, level()) }

// TestRandomBitScans stores under masks lane by lane.
func TestRandomBitScans(t *testing.T) {
	tgt := level()
	tgt.MaskMoveStores = false
	runRandom(t, 1<<32, *randomKernels/3, tgt)
}

// TestRandomFewRegisters spills everywhere.
func TestRandomFewRegisters(t *testing.T) {
	inFewRegisters(t, 5, 6, func(t *testing.T, tgt *target.Target) {
		runRandom(t, 1<<33, *randomKernels/3, tgt)
	})
}

func runRandom(t *testing.T, first, n uint64, tgt *target.Target) {
	t.Helper()
	var ks []*gen.Kernel
	var fns []*vir.Func
	var cases []native.Case
	for i := range n {
		seed := first + i
		lanes := []int{1, 2, 4, 8, 16, 32, 64}
		if seed%4 == 0 {
			lanes = []int{0}
		}
		k := gen.Line(gen.Seed(seed), gen.Options{Lanes: lanes, Allow: gen.Compiled, Exits: true, ConstDivisors: true})
		k.Fn.Name = fmt.Sprintf("kernel%d", seed)
		mem := new(interp.Memory)
		in, out := mem.AllocReadOnly("in", k.In), mem.Alloc("out", k.Out)
		ks, fns = append(ks, k), append(fns, k.Fn)
		cases = append(cases, native.Case{Fn: k.Fn.Name, Mem: mem, Args: []interp.Value{in.Ptr(0), out.Ptr(0), interp.Int(k.N)}})
	}
	p, err := native.Build(t.TempDir(), fns, tgt)
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.Run(cases)
	if err != nil {
		t.Error(err)
	}
	failures := 0
	for i, g := range got {
		err := ks[i].Compare(g.Objects[1], g.Results[0].Int())
		if g.Err != "" || err != nil {
			if failures++; failures < 5 {
				t.Errorf("seed %d: %v %s\n%s", first+uint64(i), err, g.Err, ks[i].Fn)
			}
		}
	}
	if failures > 0 {
		t.Errorf("%d of %d kernels differ", failures, n)
	}
	everyOperation(t, fns, tgt)
	sound(t, p)
}

// everyOperation fails when no kernel has an operation that kernels may have.
func everyOperation(t *testing.T, fns []*vir.Func, tgt *target.Target) {
	t.Helper()
	count := make(map[vir.Op]int)
	for _, f := range fns {
		for v := range f.Values {
			count[v.Op]++
		}
		for _, p := range f.Params {
			count[p.Op]++
		}
	}
	least, rarest := len(fns), vir.OpInvalid
	for _, r := range legalRows(tgt) {
		if illFormed(r) != "" || !gen.Compiled(r.op, r.typ()) || r.op == vir.OpPhi {
			continue
		}
		if count[r.op] == 0 {
			t.Errorf("no kernel has %s", r.op)
			count[r.op] = 1
		}
		if count[r.op] < least {
			least, rarest = count[r.op], r.op
		}
	}
	t.Logf("rarest operation: %s, %d times", rarest, least)
}
