package outline

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/internal/filetest"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/interp"
	"github.com/lanewise/lanewise/vir/parse"
	"github.com/lanewise/lanewise/vir/plan"
	"github.com/lanewise/lanewise/vir/verify"
)

// TestMerge merges the kernels of files, of which argument i comes from live-in i, and
// compares what is called, and with what, with what the files expect. Every kernel is run
// before and after on random arguments.
func TestMerge(t *testing.T) {
	filetest.Run(t, "../../testdata/outline/merge-*.txtar", func(t *testing.T, c *filetest.Case) {
		fs, err := parse.Funcs(c.Section("in"))
		if err != nil {
			t.Fatal(err)
		}
		var ks []*plan.Kernel
		for _, f := range fs {
			if err := verify.Func(f); err != nil {
				t.Fatal(err)
			}
			ks = append(ks, kernelOf(f))
		}
		before := c.Section("in")
		opt := Options{Level: Size, Measure: roughly}
		switch {
		case c.Flag("unmeasured"):
			opt.Measure = nil
		case c.Flag("merge"):
			opt.Level = Merge
		case c.Flag("dear"):
			opt.Measure = dearly
		}
		after, merged := Whole(ks, opt)
		c.Golden("out", printed(ks, after, merged))
		again, _ := parse.Funcs(before)
		for i, k := range after {
			if err := verify.Func(k.Fn); err != nil {
				t.Fatalf("%v\n%s", err, k.Fn)
			}
			if fs[i].String() != again[i].String() {
				t.Errorf("@%s has been changed", fs[i].Name)
			}
			if err := same(fs[i], k); err != nil {
				t.Errorf("@%s: %v", fs[i].Name, err)
			}
		}
	})
}

func kernelOf(f *vir.Func) *plan.Kernel {
	k := &plan.Kernel{Fn: f}
	for i := range f.Params {
		k.Args = append(k.Args, plan.Arg{Kind: plan.ArgParam, Index: i})
	}
	return k
}

// roughly takes 8 bytes for every instruction, and 4 for those of branches.
func roughly(fs []*vir.Func) (codes []Code, err error) {
	for _, f := range fs {
		var c Code
		for _, b := range f.Blocks {
			for _, v := range b.Insts {
				if v.Op == vir.OpPhi || v.Op == vir.OpConst {
					continue
				}
				c.Bytes += 8
				if slices.Contains(b.Succs, b) {
					c.Loops++
				}
			}
		}
		codes = append(codes, c)
	}
	return codes, nil
}

func printed(before, after []*plan.Kernel, merged []Merged) string {
	var sb strings.Builder
	printed := make(map[*vir.Func]bool)
	for i, k := range after {
		var args []string
		for j, a := range k.Args {
			if a.Kind == plan.ArgConst {
				args = append(args, interp.New(k.Fn.Params[j].Type, a.Bits).String())
			} else {
				args = append(args, before[i].Fn.Params[a.Index].Name)
			}
		}
		fmt.Fprintf(&sb, "%s: %s(%s)", before[i].Fn.Name, k.Fn.Name, strings.Join(args, ", "))
		for _, m := range merged {
			if m.Kernel == i && m.Bytes > 0 {
				fmt.Fprintf(&sb, ", %d bytes less", m.Bytes)
			}
		}
		sb.WriteString("\n")
	}
	for _, k := range after {
		if !printed[k.Fn] && slices.ContainsFunc(merged, func(m Merged) bool { return after[m.Into].Fn == k.Fn }) {
			sb.WriteString(k.Fn.String())
		}
		printed[k.Fn] = true
	}
	return sb.String()
}

// same runs f and the kernel that stands for it now.
func same(f *vir.Func, k *plan.Kernel) error {
	for i := range 50 {
		rnd := rand.New(rand.NewPCG(7, uint64(i)))
		mem, args := arguments(f, rnd, i%2 == 1)
		mem2 := mem.Clone()
		want, err := interp.Run(f, mem, args)
		var args2 []interp.Value
		for j, a := range k.Args {
			switch {
			case a.Kind == plan.ArgParam:
				args2 = append(args2, args[a.Index])
			default:
				args2 = append(args2, interp.New(k.Fn.Params[j].Type, a.Bits))
			}
		}
		got, err2 := interp.Run(k.Fn, mem2, args2)
		if err != nil || err2 != nil {
			return fmt.Errorf("run %d: %v, then %v", i, err, err2)
		}
		for j := range want {
			if !interp.Equal(want[j], got[j]) {
				return fmt.Errorf("run %d: result %d is %v instead of %v", i, j, got[j], want[j])
			}
		}
		for j, o := range mem.Objects() {
			if string(o.Data) != string(mem2.Objects()[j].Data) {
				return fmt.Errorf("run %d: %s differs", i, o.Name)
			}
		}
	}
	return nil
}

// arguments are pointers into memory, one for all or one for each, and small numbers.
func arguments(f *vir.Func, rnd *rand.Rand, shared bool) (*interp.Memory, []interp.Value) {
	mem := new(interp.Memory)
	var common *interp.Object
	var args []interp.Value
	for _, p := range f.Params {
		if p.Type.Elem != vir.Ptr {
			args = append(args, number(p.Type, rnd))
			continue
		}
		if common == nil || !shared {
			data := make([]byte, 2048)
			for i := range data {
				data[i] = byte(rnd.IntN(256))
			}
			common = mem.Alloc(p.Name, data)
		}
		args = append(args, common.Ptr(256+8*rnd.Int64N(8)))
	}
	return mem, args
}

func number(t vir.Type, rnd *rand.Rand) interp.Value {
	switch t.Elem {
	case vir.F32:
		return interp.Float32(float32(rnd.IntN(2000)-1000) / 8)
	case vir.F64:
		return interp.Float64(float64(rnd.IntN(2000)-1000) / 8)
	}
	return interp.New(t, uint64(rnd.IntN(100)))
}

// dearly is roughly, with 200 bytes more for every scalar that is spread over lanes.
func dearly(fs []*vir.Func) ([]Code, error) {
	codes, err := roughly(fs)
	for i, f := range fs {
		for v := range f.Values {
			if v.Op == vir.OpBroadcast {
				codes[i].Bytes += 200
			}
		}
	}
	return codes, err
}
