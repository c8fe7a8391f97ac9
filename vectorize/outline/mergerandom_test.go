package outline

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/gen"
	"github.com/lanewise/lanewise/vir/interp"
	"github.com/lanewise/lanewise/vir/plan"
	"github.com/lanewise/lanewise/vir/verify"
)

// TestRandomMerge merges random functions with disguised copies, some with other constants
// or displacements, and with copies in which one thing has been changed, which may or may not matter. What is
// called in the end must do what each of them did.
func TestRandomMerge(t *testing.T) {
	copies, merged, constants, further, changed := 0, 0, 0, 0, 0
	for seed := range uint64(150) {
		rnd := rand.New(rand.NewPCG(seed, 3))
		k := gen.Line(gen.Seed(seed), gen.Options{Lanes: []int{0, 4, 8, 16}, Allow: gen.Compiled})
		variants := []*gen.Kernel{k, k, varied(k, seed), spoiled(k, rnd), displaced(k, rnd)}
		var ks []*plan.Kernel
		for i, v := range variants {
			if i == 0 {
				ks = append(ks, kernelOf(v.Fn.Clone()))
			} else {
				ks = append(ks, disguised(v.Fn, rnd))
			}
		}
		out, list := Whole(ks, Options{Level: Size, Measure: roughly})
		copies++
		for _, m := range list {
			switch m.Kernel {
			case 1:
				merged++
			case 2:
				constants += len(out[2].Fn.Params) / 4
			case 3:
				changed++
			case 4:
				further += min(1, distances(out[4]))
			}
		}
		for i, v := range variants {
			if err := verify.Func(out[i].Fn); err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, out[i].Fn)
			}
			if err := runAs(v, out[i]); err != nil {
				t.Fatalf("seed %d, variant %d: %v\n%s\nbecame\n%s", seed, i, err, v.Fn, out[i].Fn)
			}
		}
	}
	t.Logf("%d of %d copies merged, %d with constants, %d with displacements, %d with a change", merged, copies, constants, further, changed)
	if merged < copies*95/100 || constants < 5 || further < 5 || changed < 5 {
		t.Error("too few to learn from")
	}
}

// runAs runs the function of a kernel with the inputs of v.
func runAs(v *gen.Kernel, k *plan.Kernel) error {
	mem := new(interp.Memory)
	in, out := mem.AllocReadOnly("in", v.In), mem.Alloc("out", slices.Clone(v.Out))
	live := []interp.Value{in.Ptr(0), out.Ptr(0), interp.Int(v.N)}
	var args []interp.Value
	for i, a := range k.Args {
		if a.Kind == plan.ArgConst {
			args = append(args, interp.New(k.Fn.Params[i].Type, a.Bits))
		} else {
			args = append(args, live[a.Index])
		}
	}
	res, err := interp.Run(k.Fn, mem, args)
	if err != nil {
		return err
	}
	return v.Compare(out.Data, res[0].Int())
}

// TestRandomLoopsMerge does the same with loops with branches and checks.
func TestRandomLoopsMerge(t *testing.T) {
	merged, changed, further := 0, 0, 0
	for seed := range uint64(150) {
		rnd := rand.New(rand.NewPCG(seed, 5))
		l := gen.MakeLoop(gen.Seed(seed))
		other := *l
		other.Region.Fn = spoiledFunc(l.Region.Fn, rnd)
		moved := *l
		moved.Region.Fn = displacedFunc(l.Region.Fn, rnd, func(o vir.Op) bool { return o.IsLoad() || o.IsStore() })
		if fault := (interp.Fault{}); errors.As(moved.Run().Err, &fault) {
			moved = *l // there is no room
		}
		loops := []*gen.Loop{l, l, &other, &moved}
		ks := []*plan.Kernel{kernelOf(l.Region.Fn)}
		for _, x := range loops[1:] {
			ks = append(ks, disguised(x.Region.Fn, rnd))
		}
		out, list := Whole(ks, Options{Level: Size, Measure: roughly})
		for _, m := range list {
			switch m.Kernel {
			case 1:
				merged++
			case 2:
				changed++
			case 3:
				further += min(1, distances(out[3]))
			}
		}
		for i, k := range out {
			as := *loops[i]
			as.Region.Fn, as.Args = k.Fn, nil
			for j, a := range k.Args {
				if a.Kind == plan.ArgConst {
					as.Args = append(as.Args, interp.New(k.Fn.Params[j].Type, a.Bits))
				} else {
					as.Args = append(as.Args, l.Args[a.Index])
				}
			}
			if err := l.Same(unnamed(loops[i].Run()), unnamed(as.Run())); err != nil {
				t.Fatalf("seed %d, variant %d: %v\n%s\nbecame\n%s", seed, i, err, loops[i].Region.Fn, k.Fn)
			}
		}
	}
	t.Logf("%d copies merged, %d with a change, %d with displacements", merged, changed, further)
	if merged < 100 || changed < 5 || further < 5 {
		t.Error("too few to learn from")
	}
}

// unnamed is an outcome without the names of values that errors mention.
func unnamed(o gen.Outcome) gen.Outcome {
	if o.Err != nil {
		o.Err = fmt.Errorf("%T", o.Err)
	}
	return o
}

// disguised is a kernel that does what f does, with parameters and instructions in another
// order, and names of its own.
func disguised(f *vir.Func, rnd *rand.Rand) *plan.Kernel {
	out := kernelOf(f.Clone())
	f = out.Fn
	rnd.Shuffle(len(f.Params), func(i, j int) {
		f.Params[i], f.Params[j] = f.Params[j], f.Params[i]
		out.Args[i], out.Args[j] = out.Args[j], out.Args[i]
	})
	for _, p := range f.Params {
		p.Name += "Other"
	}
	for _, b := range f.Blocks {
		reorder(b, rnd)
	}
	for v := range f.Values {
		if v.Op.Info().Commutative && rnd.IntN(2) == 0 {
			v.Args[0], v.Args[1] = v.Args[1], v.Args[0]
		}
	}
	return out
}

// reorder puts the instructions of b in another order in which operands come first, and
// accesses to memory stay in order.
func reorder(b *vir.Block, rnd *rand.Rand) {
	left, done := slices.Clone(b.Insts), make(map[*vir.Value]bool)
	b.Insts = b.Insts[:0:0]
	for len(left) > 0 {
		i := rnd.IntN(len(left))
		v := left[i]
		behind := func(w *vir.Value) bool { return w.Block == b && !done[w] }
		ordered := func(w *vir.Value) bool { return w.Op.Info().Effect || fixed(w) }
		if v.Op != vir.OpPhi && slices.ContainsFunc(v.Args, behind) || ordered(v) && slices.ContainsFunc(left[:i], ordered) ||
			v.Op.Info().Term && len(left) > 1 || v.Op != vir.OpPhi && left[0].Op == vir.OpPhi {
			continue
		}
		done[v] = true
		b.Insts = append(b.Insts, v)
		left = slices.Delete(left, i, i+1)
	}
}

// spoiled is k with a change to one instruction that leaves it valid.
func spoiled(k *gen.Kernel, rnd *rand.Rand) *gen.Kernel {
	out := *k
	out.Fn = spoiledFunc(k.Fn, rnd)
	if _, _, err := out.Run(); err != nil {
		return k // an index that leads astray
	}
	return &out
}

func spoiledFunc(f *vir.Func, rnd *rand.Rand) *vir.Func {
	f = f.Clone()
	vs := slices.Collect(f.Values)
	for range 100 {
		v := vs[rnd.IntN(len(vs))]
		switch {
		case v.Op == vir.OpShuffle:
			i, j := rnd.IntN(len(v.Lanes)), rnd.IntN(len(v.Lanes))
			v.Lanes[i], v.Lanes[j] = v.Lanes[j], v.Lanes[i]
		case v.Op == vir.OpExtract || v.Op == vir.OpInsert:
			v.Imm = rnd.Int64N(int64(v.Args[0].Type.Lanes))
		case v.Op == vir.OpSub || v.Op == vir.OpFsub || v.Op == vir.OpAdd || v.Op == vir.OpXor || v.Op == vir.OpSmin:
			v.Args[0], v.Args[1] = v.Args[1], v.Args[0]
		case v.Op == vir.OpBlend || v.Op == vir.OpSelect:
			v.Args[1], v.Args[2] = v.Args[2], v.Args[1]
		default:
			continue
		}
		break
	}
	return f
}

// displaced is k with loads from elsewhere.
func displaced(k *gen.Kernel, rnd *rand.Rand) *gen.Kernel {
	out := *k
	for range 20 {
		out.Fn = displacedFunc(k.Fn, rnd, vir.Op.IsLoad)
		if _, _, err := out.Run(); err == nil {
			return &out
		}
	}
	return k // there is no room
}

// displacedFunc is f with accesses to what is at one base moved, all of them by as much or some.
func displacedFunc(f *vir.Func, rnd *rand.Rand, movable func(vir.Op) bool) *vir.Func {
	f = f.Clone()
	var accesses []*vir.Value
	for v := range f.Values {
		if movable(v.Op) {
			accesses = append(accesses, v)
		}
	}
	if len(accesses) == 0 {
		return f
	}
	first := accesses[rnd.IntN(len(accesses))]
	base, by, some := first.Base(), int64(first.Access().Elem.Size())*(rnd.Int64N(9)-4), rnd.IntN(3) == 0
	for _, v := range accesses {
		if v.Base() == base && !(some && rnd.IntN(2) == 0) {
			v.Disp += by
		}
	}
	return f
}

// distances counts the arguments of a kernel that are distances which are not 0.
func distances(k *plan.Kernel) (n int) {
	for i, a := range k.Args {
		if a.Kind == plan.ArgConst && a.Bits != 0 && k.Fn.Params[i].Type == vir.Scalar(vir.I64) {
			n++
		}
	}
	return n
}
