package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/lanewise/lanewise/internal/differ"
	"github.com/lanewise/lanewise/internal/randloop"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// swapped damages kernels: vectors are subtracted the wrong way round.
func swapped(k *plan.Kernel) {
	for _, b := range k.Fn.Blocks {
		for _, v := range b.Insts {
			if v.Op == vir.OpFsub && v.Type.Lanes > 1 {
				v.Args[0], v.Args[1] = v.Args[1], v.Args[0]
			}
		}
	}
}

const (
	damaged = `//vec:func F0
func f0(x, y []float32, a float32) (s float32) {
	for i := range x {
		y[i] = (a - x[i]) * a
	}
	return
}
`
	intact = `//vec:func F1
func f1(x, y []float32) {
	for i := range x {
		x[i] += y[i]
	}
}
`
)

// A defect is found, and the function that shows it becomes small and a file.
func TestFindsAndReduces(t *testing.T) {
	if testing.Short() {
		t.Skip("builds packages")
	}
	h := &hunt{seed: 4, classes: []string{"loops"}, found: t.TempDir(), spoil: swapped}
	h.statsFile = filepath.Join(h.found, "stats.json")
	if err := h.prepare(); err != nil {
		t.Fatal(err)
	}
	j := &job{class: "loops", seed: 4, functions: []randloop.Function{{Name: "f0", Text: damaged}, {Name: "f1", Text: intact}}}
	if err := h.try(t.Context(), j, time.Now()); err != nil {
		t.Fatal(err)
	}
	if h.this.Failed() != 1 {
		t.Fatalf("%d failures", h.this.Failed())
	}
	files, err := filepath.Glob(filepath.Join(h.found, "*.txtar"))
	if err != nil || len(files) != h.this.Failed() {
		t.Errorf("files %v for %d failures (%v)", files, h.this.Failed(), err)
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s\n%s", path, text)
		_, code, _ := strings.Cut(string(text), "-- x.go --\n")
		if n := len(strings.Fields(code)); n > 35 || !strings.Contains(code, " - ") || !strings.Contains(code, "// want `vectorized: `") {
			t.Errorf("%d words are left, or not what fails", n)
		}
	}
	r, err := readRecord(h.statsFile)
	if err != nil || r.Failed() != h.this.Failed() || r.Statistics.Functions.All != 2 || r.nextSeed("loops") != 5 {
		t.Errorf("statistics: %+v, %v", r, err)
	}
}

func TestNumbered(t *testing.T) {
	const text = "package p\n\nimport \"math\"\n\ntype rec struct{ f, g float64 }\n\n//vec:func F7 simdlen(8)\n" +
		"func f7(x []rec) { x[0].f = math.Sqrt(h(x)) }\n\nfunc h(x []rec) float64 { return x[0].f }\n"
	const want = "\n\ntype rec_3 struct{ f, g float64 }\n\n//vec:func F7_3 simdlen(8)\n" +
		"func f7_3(x []rec_3) { x[0].f = math.Sqrt(h_3(x)) }\n\nfunc h_3(x []rec_3) float64 { return x[0].f }\n"
	p := numbered(text, 3)
	if p.Name != "f7_3" || len(p.imports) != 1 || p.Text != want {
		t.Errorf("%+v", p)
	}
}

func TestWay(t *testing.T) {
	for _, c := range []struct {
		kind differ.Kind
		text string
		want string
	}{
		{differ.Difference, "    vec_test.go:12: result 0 differs: got 1, want 2\n", "values differ"},
		{differ.Difference, "    vec_test.go:12: panics differ: got no panic, want panic \"x\"\n", "panics differ"},
		{differ.Broken, "x.go:3:1: not vectorized: internal error, please report: bad [internal:Vectorizer]", "broken[internal:Vectorizer]"},
		{differ.Unbuilt, "exit status 1\n# p\n./vec_amd64.go:12:3: undefined: x17\n", "unbuilt: undefined: x"},
	} {
		if got := way(differ.Failure{Kind: c.kind, Text: c.text}); got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

func TestRecordsAddUp(t *testing.T) {
	path := filepath.Join(t.TempDir(), "stats.json")
	for seed := range uint64(3) {
		r := record{Tested: 5, Runs: []run{{"loops", seed, 7}}, Seconds: differ.Times{Run: 0.5}}
		r.Statistics.Functions.All = 7
		if err := addTo(path, r); err != nil {
			t.Fatal(err)
		}
	}
	r, err := readRecord(path)
	if err != nil || r.Tested != 15 || len(r.Runs) != 3 || r.Seconds.Run != 1.5 || r.Statistics.Functions.All != 21 {
		t.Errorf("%+v, %v", r, err)
	}
	if r.nextSeed("loops") != 3 || r.nextSeed("nests") != 1 {
		t.Errorf("next seeds %d and %d", r.nextSeed("loops"), r.nextSeed("nests"))
	}
	var sb strings.Builder
	h := hunt{statsFile: path}
	h.summary(&sb, time.Second)
	if !regexp.MustCompile(`21 functions.*\n15 tested`).MatchString(sb.String()) {
		t.Errorf("summary:\n%s", sb.String())
	}
}
