package backend_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/backend"
	"github.com/lanewise/lanewise/backend/native"
	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/internal/filetest"
	"github.com/lanewise/lanewise/internal/toolchain"
	"github.com/lanewise/lanewise/runtime/cpu"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/interp"
	"github.com/lanewise/lanewise/vir/parse"
	"github.com/lanewise/lanewise/vir/verify"
)

const asmFiles = "../testdata/asm/*.txtar"

// TestAsm compares the code of loops named vec, or everything with the flag
// "whole", or nothing with the flag "run"; with "levels" that of kernels that have code for
// several levels.
func TestAsm(t *testing.T) {
	filetest.Run(t, asmFiles, func(t *testing.T, c *filetest.Case) {
		fns := kernels(t, c.Section("in.vir"), "")
		tgt := target.AVX2()
		if c.Flag("avx512") {
			tgt = target.AVX512()
		}
		wide := make([]*vir.Func, len(fns))
		if c.Flag("levels") {
			wide = kernels(t, c.Section("in.vir"), "")
		}
		first, again := emit(t, fns, wide, tgt), emit(t, fns, wide, tgt)
		if !bytes.Equal(first, again) {
			t.Error("two runs differ")
		}
		text := string(first)
		if c.Flag("run") {
			return
		}
		if !c.Flag("whole") {
			text = hotLoops(text)
		}
		c.Golden("asm", text)
	})
}

// TestAsmRuns runs the same kernels natively on many counts.
func TestAsmRuns(t *testing.T) {
	paths, err := filepath.Glob(asmFiles)
	if err != nil {
		t.Fatal(err)
	}
	var fns []*vir.Func
	var cases []native.Case
	for i, path := range paths {
		for _, f := range kernels(t, section(t, path), fmt.Sprintf("_%d", i)) {
			fns = append(fns, f)
			for n := int64(0); n < 300; n += 1 + n/7 {
				cases = append(cases, inputs(f, n))
			}
		}
	}
	for _, tgt := range []*target.Target{target.AVX2(), target.AVX512()} {
		t.Run(tgt.Name, func(t *testing.T) {
			if tgt.EVEX && cpu.Level() != cpu.LevelAVX512 {
				t.Skip("needs a processor with AVX-512")
			}
			compareOn(t, fns, cases, tgt)
		})
	}
}

func section(t *testing.T, path string) (text string) {
	t.Helper()
	filetest.Run(t, path, func(t *testing.T, c *filetest.Case) { text = c.Section("in.vir") })
	return text
}

func kernels(t *testing.T, text, suffix string) []*vir.Func {
	t.Helper()
	fns, err := parse.Funcs(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range fns {
		if err := verify.Func(f); err != nil {
			t.Fatal(err)
		}
		f.Name += suffix
	}
	return slices.DeleteFunc(fns, func(f *vir.Func) bool { return f.Local })
}

func emit(t *testing.T, fns, wide []*vir.Func, tgt *target.Target) []byte {
	t.Helper()
	file := backend.File{Package: "p", Constraint: "amd64"}
	for i, f := range fns {
		file.Kernels = append(file.Kernels, backend.Kernel{Fn: f, Wide: wide[i]})
	}
	text, err := backend.Emit(file, tgt)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// hotLoops are the lines of the blocks named vec and of those that belong to them.
func hotLoops(text string) string {
	var b strings.Builder
	in := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "TEXT") {
			b.WriteString(line)
			in = false
		}
		if strings.HasSuffix(line, ":\n") {
			in = strings.HasPrefix(line, "vec")
		}
		if in && strings.TrimSpace(line) != "" {
			b.WriteString(line)
		}
	}
	return b.String()
}

// inputs gives every pointer an object of n elements or as many as it says, every
// count n, and other scalars small numbers.
func inputs(f *vir.Func, n int64) native.Case {
	rng := rand.New(rand.NewPCG(uint64(n), 5))
	mem := new(interp.Memory)
	c := native.Case{Fn: f.Name, Mem: mem, Elems: make(map[string]vir.Elem)}
	for _, p := range f.Params {
		switch p.Type.Elem {
		case vir.Ptr:
			e := pointee(f, p)
			c.Elems[p.Name] = e
			count := n
			if p.Param.FixedLen > 0 {
				count = p.Param.FixedLen
			}
			c.Args = append(c.Args, mem.Alloc(p.Name, data(rng, e, int(count))).Ptr(0))
		case vir.F32:
			c.Args = append(c.Args, interp.Float32(float32(rng.IntN(64))/4-8))
		case vir.F64:
			c.Args = append(c.Args, interp.Float64(float64(rng.IntN(64))/4-8))
		case vir.I64:
			x := n
			if p.Name != "n" {
				x = int64(rng.IntN(100))
			}
			c.Args = append(c.Args, interp.Int(x))
		default:
			c.Args = append(c.Args, interp.New(p.Type, rng.Uint64()))
		}
	}
	return c
}

// pointee is the element type of the accesses based on p, in f or a routine.
func pointee(f *vir.Func, p *vir.Value) vir.Elem {
	for v := range f.Values {
		if (v.Op.IsLoad() || v.Op.IsStore()) && v.Base() == p {
			return v.Access().Elem
		}
		if v.Op == vir.OpCall && slices.Contains(v.Args, p) {
			return pointee(v.Callee, v.Callee.Params[slices.Index(v.Args, p)])
		}
	}
	return vir.I8
}

func data(rng *rand.Rand, e vir.Elem, n int) []byte {
	var b []byte
	for range n {
		v := interp.Int(int64(rng.Uint64()))
		switch e {
		case vir.F32:
			v = interp.Float32(float32(rng.IntN(2000))/8 - 125)
		case vir.F64:
			v = interp.Float64(float64(rng.IntN(2000))/8 - 125)
		}
		for k := range e.Size() {
			b = append(b, byte(v.Bits[0]>>(8*k)))
		}
	}
	return b
}

// compareAll builds and runs kernels, and compares with the interpreter.
func compareAll(t *testing.T, fns []*vir.Func, cases []native.Case) *native.Program {
	t.Helper()
	return compareOn(t, fns, cases, target.AVX2())
}

func compareOn(t *testing.T, fns []*vir.Func, cases []native.Case, tgt *target.Target) *native.Program {
	t.Helper()
	byName := make(map[string]*vir.Func)
	for _, f := range fns {
		byName[f.Name] = f
	}
	return compareWith(t, fns, byName, cases, tgt)
}

// compareWith compares with the interpreter of other functions, by name.
func compareWith(t *testing.T, fns []*vir.Func, byName map[string]*vir.Func, cases []native.Case, tgt *target.Target) *native.Program {
	t.Helper()
	p, err := native.Build(t.TempDir(), fns, tgt)
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.Run(cases)
	if err != nil {
		t.Error(err)
	}
	for i, g := range got {
		if d := native.Diff(byName[cases[i].Fn], cases[i], g); d != "" {
			t.Errorf("%s, case %d: %s", cases[i].Fn, i, d)
		}
	}
	if wrong, err := toolchain.UnlawfulIn(p.Assembly, t.TempDir(), tgt.EVEX); err != nil || len(wrong) > 0 {
		t.Error(err, wrong)
	}
	if err := p.Go("vet", "./k"); err != nil {
		t.Error(err)
	}
	return p
}
