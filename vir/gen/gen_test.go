package gen_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/gen"
	"github.com/lanewise/lanewise/vir/interp"
	"github.com/lanewise/lanewise/vir/parse"
	"github.com/lanewise/lanewise/vir/verify"
)

// valid checks what every generated function must satisfy.
func valid(t *testing.T, f *vir.Func) {
	t.Helper()
	if err := verify.Func(f); err != nil {
		t.Fatalf("%v\n%s", err, f)
	}
	text := f.String()
	g, err := parse.Func(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if err := verify.Func(g); err != nil {
		t.Fatalf("after parsing: %v\n%s", err, text)
	}
	if again := g.String(); again != text {
		t.Fatalf("print of parse differs:\n%s\n%s", text, again)
	}
}

// ends reports whether err is one of the ways in which checks end a run.
func ends(err error) bool {
	return errors.As(err, new(interp.Panic)) || errors.As(err, new(interp.Exit))
}

// checkKernel runs a kernel twice, once through its text.
func checkKernel(t *testing.T, k *gen.Kernel) (panics bool) {
	t.Helper()
	valid(t, k.Fn)
	out, res, err := k.Run()
	if err != nil && !ends(err) {
		t.Fatalf("%v\n%s", err, k.Fn)
	}
	f, _ := parse.Func(k.Fn.String())
	again := *k
	again.Fn = f
	out2, res2, err2 := again.Run()
	if fmt.Sprint(err) != fmt.Sprint(err2) || res != res2 || !bytes.Equal(out, out2) {
		t.Fatalf("two runs differ: %v and %v, results %d and %d\n%s", err, err2, res, res2, k.Fn)
	}
	if err == nil {
		if err := k.Compare(out, res); err != nil {
			t.Fatalf("not equal to itself: %v", err)
		}
	}
	return err != nil
}

func checkLoop(t *testing.T, l *gen.Loop) (panics bool) {
	t.Helper()
	valid(t, l.Region.Fn)
	a, b := l.Run(), l.Run()
	if a.Err != nil && !ends(a.Err) {
		t.Fatalf("%v\n%s", a.Err, l.Region.Fn)
	}
	if err := l.Same(a, b); err != nil {
		t.Fatalf("two runs differ: %v\n%s", err, l.Region.Fn)
	}
	return a.Err != nil
}

// A census counts operations by result type, or stored, compared or checked type.
type census map[vir.Op]map[vir.Type]int

func (c census) count(f *vir.Func) {
	for v := range f.Values {
		t := v.Type
		if t.Elem == vir.Void && len(v.Args) > 0 || v.Op.Info().Rule == vir.RuleIntCmp || v.Op.Info().Rule == vir.RuleFloatCmp {
			t = v.Args[0].Type
		}
		if c[v.Op] == nil {
			c[v.Op] = make(map[vir.Type]int)
		}
		c[v.Op][t]++
	}
}

// total sums over types that keep holds for.
func (c census) total(op vir.Op, keep func(vir.Type) bool) int {
	n := 0
	for t, k := range c[op] {
		if keep(t) {
			n += k
		}
	}
	return n
}

const rounds = 400

func TestSmoke(t *testing.T) {
	all := make(census)
	var scalarPanics, vectorPanics, loopPanics int
	for seed := range uint64(rounds) {
		s := gen.Scalar(gen.Seed(seed))
		v := gen.Vector(gen.Seed(seed))
		l := gen.MakeLoop(gen.Seed(seed))
		scalarPanics += one(checkKernel(t, s))
		vectorPanics += one(checkKernel(t, v))
		loopPanics += one(checkLoop(t, l))
		all.count(s.Fn)
		all.count(v.Fn)
		all.count(l.Region.Fn)
	}
	t.Logf("%d each; panics: scalar %d, vector %d, loop %d", rounds, scalarPanics, vectorPanics, loopPanics)
	for _, n := range []int{scalarPanics, vectorPanics, loopPanics} {
		if n == 0 || n > rounds*3/4 {
			t.Errorf("%d of %d functions panic: nothing is learned", n, rounds)
		}
	}
	report(t, all, nil)
}

// TestKernels makes what a backend is compared with: it must not panic, and
// every operation a backend has must come with every element and several lanes.
func TestKernels(t *testing.T) {
	all := make(census)
	for seed := range uint64(3 * rounds) {
		v, s := gen.VectorKernel(seed), gen.ScalarKernel(seed)
		if checkKernel(t, v) || checkKernel(t, s) {
			t.Fatalf("seed %d panics", seed)
		}
		if len(v.Outs) == 0 {
			t.Errorf("seed %d has no output\n%s", seed, v.Fn)
		}
		all.count(v.Fn)
		all.count(s.Fn)
	}
	report(t, all, gen.Compiled)
	for _, op := range vir.Ops() {
		var elems []vir.Elem
		switch op.Info().Rule {
		case vir.RuleInt, vir.RuleIntCmp:
			elems = []vir.Elem{vir.I8, vir.I16, vir.I32, vir.I64}
		case vir.RuleLogic:
			elems = []vir.Elem{vir.Bool, vir.I8, vir.I16, vir.I32, vir.I64}
		case vir.RuleFloat, vir.RuleFloatCmp:
			elems = []vir.Elem{vir.F32, vir.F64}
		}
		for _, e := range elems {
			for _, vector := range []bool{false, true} {
				if all.total(op, func(t vir.Type) bool { return t.Elem == e && t.IsVector() == vector }) == 0 {
					t.Errorf("%s was never made for %s, vector %t", op, e, vector)
				}
			}
		}
	}
}

// report logs the number of each operation and fails on one that never came.
func report(t *testing.T, c census, allow func(vir.Op, vir.Type) bool) {
	t.Helper()
	var sb strings.Builder
	for _, op := range vir.Ops() {
		if allow != nil && (!allow(op, vir.Type{}) || op == vir.OpPhi || op == vir.OpBr || op == vir.OpJmp) {
			continue
		}
		if op == vir.OpCall || op == vir.OpResult {
			continue // tests of the outliner make them from what there is
		}
		n := c.total(op, func(vir.Type) bool { return true })
		fmt.Fprintf(&sb, " %s:%d", op, n)
		if n == 0 {
			t.Errorf("%s was never made", op)
		}
	}
	t.Log(sb.String())
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestSameSeedSameFunction(t *testing.T) {
	for seed := range uint64(50) {
		a, b := gen.VectorKernel(seed), gen.VectorKernel(seed)
		if a.Fn.String() != b.Fn.String() || !bytes.Equal(a.In, b.In) || a.N != b.N {
			t.Fatalf("seed %d gives two kernels", seed)
		}
		x, y := gen.MakeLoop(gen.Seed(seed)), gen.MakeLoop(gen.Seed(seed))
		if x.Region.Fn.String() != y.Region.Fn.String() {
			t.Fatalf("seed %d gives two loops", seed)
		}
	}
}

func TestCompareSeesDifferences(t *testing.T) {
	k := gen.VectorKernel(1)
	out, res, err := k.Run()
	if err != nil {
		t.Fatal(err)
	}
	if k.Compare(out, res+1) == nil {
		t.Error("another result is accepted")
	}
	for i := range out {
		bad := bytes.Clone(out)
		bad[i] ^= 0x40
		if k.Compare(bad, res) == nil && !inNaN(k, out, i) {
			t.Errorf("byte %d of the output may differ", i)
		}
	}
}

// inNaN reports whether byte i belongs to a NaN of the output.
func inNaN(k *gen.Kernel, out []byte, i int) bool {
	for _, s := range k.Outs {
		n := s.Type.Elem.Size()
		if !s.Type.Elem.IsFloat() || i < s.Off || i >= s.Off+s.Type.Size() {
			continue
		}
		lane := append(make([]byte, 0, 8), out[s.Off+(i-s.Off)/n*n:][:n]...)
		x := binary.LittleEndian.Uint64(append(lane, make([]byte, 8-n)...))
		exp := uint64(0xff << 23)
		if n == 8 {
			exp = 0x7ff << 52
		}
		return x&exp == exp
	}
	return false
}

func FuzzKernel(f *testing.F) {
	f.Add([]byte{1, 2, 3})
	f.Fuzz(func(t *testing.T, data []byte) {
		checkKernel(t, gen.Vector(gen.Bytes(data)))
		checkKernel(t, gen.Scalar(gen.Bytes(data)))
		checkLoop(t, gen.MakeLoop(gen.Bytes(data)))
	})
}
