package backend_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/backend"
	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/gen"
)

// TestMeasure compares the measured bytes with those that the assembler makes: of loops
// with aligned blocks, of the same with parts in routines, and of straight code that needs
// frames of all sizes.
func TestMeasure(t *testing.T) {
	paths, err := filepath.Glob(asmFiles)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	var fns []*vir.Func
	for i, path := range paths {
		for _, f := range kernels(t, section(t, path), fmt.Sprintf("_%d", i)) {
			p := inPieces(t, f, rng, target.AVX2())
			p.Name += "_pieces"
			fns = append(fns, f, p)
			fns = append(fns, callees(p)...)
		}
	}
	compareSizes(t, fns, target.AVX2())
	fns = nil
	for seed := range uint64(60) {
		insts := 3 * seed // large
		if seed >= 25 {
			insts = seed / 3
		}
		lanes := []int{1, 8, 16, 32, 64}
		if seed%4 == 0 {
			lanes = []int{0}
		}
		k := gen.Line(gen.Seed(seed), gen.Options{Lanes: lanes, Insts: 5 + int(insts), Allow: gen.Compiled, Exits: true, ConstDivisors: true})
		k.Fn.Name = fmt.Sprintf("kernel%d", seed)
		fns = append(fns, k.Fn)
	}
	few := target.AVX2()
	few.VectorRegs, few.ScalarRegs = 6, 7
	compareSizes(t, fns, few)
}

// callees are the routines that f calls.
func callees(f *vir.Func) (out []*vir.Func) {
	for v := range f.Values {
		if v.Op == vir.OpCall && !slices.Contains(out, v.Callee) {
			out = append(out, v.Callee)
		}
	}
	return out
}

func compareSizes(t *testing.T, fns []*vir.Func, tgt *target.Target) {
	t.Helper()
	var before []string
	for _, f := range fns {
		before = append(before, f.String())
	}
	codes, err := backend.Measure(fns, tgt)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range fns {
		if f.String() != before[i] {
			t.Errorf("%s is changed", f.Name)
		}
	}
	file := backend.File{Package: "p", Constraint: "amd64"}
	for _, f := range fns {
		if f.Local {
			continue
		}
		file.Kernels = append(file.Kernels, backend.Kernel{Fn: f})
	}
	text, err := backend.Emit(file, tgt)
	if err != nil {
		t.Fatal(err)
	}
	sizes := assembledSizes(t, text)
	if len(sizes) != len(fns) {
		t.Fatalf("%d functions in the listing, want %d: %v", len(sizes), len(fns), slices.Sorted(maps.Keys(sizes)))
	}
	for i, f := range fns {
		if got, want := codes[i].Bytes, sizes[f.Name]; got != want {
			t.Errorf("%s: %d bytes, the assembler makes %d", f.Name, got, want)
		}
	}
}

var (
	listedFunc = regexp.MustCompile(`^<?\S*?(\w+) STEXT.* size=([0-9]+)`)
	listedInst = regexp.MustCompile(`^\t0x[0-9a-f]+ ([0-9]+) \(.*\)\t(\S+)`)
)

// assembledSizes are the sizes of the functions of a file without padding in front of
// aligned blocks, by name.
func assembledSizes(t *testing.T, text []byte) map[string]int {
	t.Helper()
	file := filepath.Join(t.TempDir(), "k.s")
	if err := os.WriteFile(file, text, 0o666); err != nil {
		t.Fatal(err)
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	include := filepath.Join(strings.TrimSpace(string(goroot)), "pkg", "include")
	cmd := exec.Command("go", "tool", "asm", "-p", "p", "-I", include, "-S", "-o", file+".o", file)
	cmd.Env = append(os.Environ(), "GOARCH=amd64")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%.2000s", err, out)
	}
	sizes := make(map[string]int)
	name, align := "", -1
	for line := range strings.Lines(string(out)) {
		if m := listedFunc.FindStringSubmatch(line); m != nil {
			name, align = m[1], -1
			sizes[name] = decimal(m[2])
		}
		m := listedInst.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		pc := decimal(m[1])
		if align >= 0 {
			sizes[name] -= pc - align
			align = -1
		}
		if m[2] == "PCALIGN" {
			align = pc
		}
	}
	return sizes
}

func decimal(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}
