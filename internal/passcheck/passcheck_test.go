package passcheck

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/lanewise/lanewise/frontend"
	"github.com/lanewise/lanewise/internal/filetest"
	"github.com/lanewise/lanewise/internal/randloop"
	"github.com/lanewise/lanewise/vectorize/outline"
	"github.com/lanewise/lanewise/vectorize/vectest"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

var (
	number = flag.Int("n", 14, "random loops of vir; as many functions of Go")
	seed   = flag.Uint64("seed", 1, "of what is random")
	inputs = flag.Int("inputs", 3, "per function behind a pass")
	files  = flag.Bool("files", false, "also the loops of examples and testdata")
)

// unchanging are passes that are not expected to change anything.
var unchanging = []string{"loops/depgraph"}

// TestPasses sends random loops of vir and of Go through all passes. A longer run:
// go test ./internal/passcheck -run Passes -v -seed 7 -n 1000 -inputs 20 -timeout 0
func TestPasses(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	c := newChecker(t)
	var made []Made
	add := func(name string, r *plan.Region, inexact ...int) {
		for _, k := range c.Region(name, r, inexact...) {
			made = append(made, Made{name, r, k, inexact})
		}
	}
	for i := 0; i < *number && c.Errors < most; i++ {
		r, inexact := vectest.RandomRegion(rand.New(rand.NewPCG(*seed, uint64(i))))
		add(fmt.Sprintf("loop %d of vir", i), r, inexact...)
	}
	c.Outline(made[:min(len(made), 20)], dear)
	for _, area := range areas {
		corpus(t, area, c)
	}
	for i, r := range randomGo(t) {
		if c.Errors >= most {
			break
		}
		clauses := r.Clauses
		if i%3 > 0 {
			r.Clauses.Reassoc, r.Clauses.Contract = false, false
		}
		add(fmt.Sprintf("%s (%s)", r.Func, r.Pos), &r.Region, inexact(&r.Region)...)
		r.Clauses = clauses
	}
	t.Log("\n" + c.Table())
	if *number < 14 || t.Failed() {
		return
	}
	for _, name := range Passes() {
		if s := c.Stats[name]; (s == nil || s.Changed == 0) && !slices.Contains(unchanging, name) {
			t.Errorf("pass %s never changed a function", name)
		}
	}
}

// most errors are enough.
const most = 6

func newChecker(t *testing.T) *Checker {
	return &Checker{Inputs: *inputs, Seed: *seed, Report: func(err error) { t.Error(err) }}
}

// areas are folders of testdata with loops for passes that few others need.
var areas = []string{"align", "attempts", "canon", "confine", "constants", "contract", "enumerate", "even", "extremes", "hoist", "keep", "late", "peel", "reroll", "room", "settle", "slide", "speculate", "stride", "through", "transpose", "unroll", "unsign", "whole", "words", "wrap"}

// corpus checks the loops of a folder of testdata.
func corpus(t *testing.T, area string, c *Checker) {
	filetest.Run(t, "../../testdata/"+area+"/*.txtar", func(t *testing.T, f *filetest.Case) {
		var clauses plan.Clauses
		var dead []string
		for _, flag := range f.Flags {
			name, is := strings.CutPrefix(flag, "dead=")
			if is {
				dead = append(dead, name)
			}
			clauses.Independent = clauses.Independent || flag == "independent"
			clauses.Exclusive = clauses.Exclusive || flag == "exclusive"
			clauses.Contract = clauses.Contract || flag == "contract"
		}
		r, err := vectest.Region(f.Section("region.vir"), clauses, dead...)
		if err != nil {
			t.Fatal(err)
		}
		c.Region(area+" "+r.Func, r)
	})
}

// inexact are the states that clauses let be rounded differently.
func inexact(r *plan.Region) (states []int) {
	for i, s := range r.State {
		if (r.Clauses.Reassoc || r.Clauses.Contract) && r.Fn.Params[s.Param].Type.Elem.IsFloat() {
			states = append(states, i)
		}
	}
	return states
}

// dear makes calls cost next to nothing, so that whatever repeats becomes a routine.
func dear(fs []*vir.Func) ([]outline.Code, error) {
	codes, err := outline.Rough(fs)
	for i, f := range fs {
		codes[i].Bytes *= 100
		for v := range f.Values {
			if v.Op == vir.OpCall {
				codes[i].Bytes -= 450
			}
		}
	}
	return codes, err
}

// randomGo are the regions of random functions of Go.
func randomGo(t *testing.T) []*frontend.Region {
	dir := filetest.Scratch(t, false)
	var patterns []string
	for i, c := range randloop.Classes {
		name := fmt.Sprintf("class%d", i)
		filetest.Write(t, filepath.Join(dir, name, "f.go"), randloop.Source(name, c.Functions(*seed, *number/min(1+i, 2))))
		patterns = append(patterns, "./"+name)
	}
	return load(t, dir, patterns...)
}

func load(t *testing.T, dir string, patterns ...string) (rs []*frontend.Region) {
	t.Helper()
	pkgs, err := frontend.Load(frontend.Options{Dir: dir}, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pkgs {
		for _, f := range p.Funcs {
			for _, tw := range f.Twins {
				rs = append(rs, tw.Regions...)
			}
		}
	}
	if len(rs) == 0 {
		t.Fatal("no regions")
	}
	return rs
}

// TestFiles sends the loops of examples and testdata through all passes:
// go test ./internal/passcheck -run Files -v -files -timeout 0
func TestFiles(t *testing.T) {
	if !*files {
		t.Skip("-files is not set")
	}
	c := newChecker(t)
	corpus(t, "loopvec", c)
	dir := filetest.Scratch(t, false)
	var patterns []string
	for _, pattern := range []string{"semantics", "fixedbugs"} {
		paths, err := filepath.Glob("../../testdata/" + pattern + "/*.txtar")
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			name := strings.ReplaceAll(strings.TrimSuffix(filepath.Base(path), ".txtar"), "-", "")
			for _, f := range a.Files {
				if strings.HasSuffix(f.Name, ".go") && !strings.HasSuffix(f.Name, "_test.go") {
					filetest.Write(t, filepath.Join(dir, name, f.Name), string(f.Data))
				}
			}
			if len(a.Files) > 0 {
				patterns = append(patterns, "./"+name)
			}
		}
	}
	for _, rs := range [][]*frontend.Region{load(t, dir, patterns...), load(t, "../..", "./examples/...")} {
		for _, r := range rs {
			if c.Errors < most {
				r.Clauses.Contract = false // memory would differ in the last bits
				c.Region(fmt.Sprintf("%s (%s)", r.Func, r.Pos), &r.Region, inexact(&r.Region)...)
			}
		}
	}
	t.Log("\n" + c.Table())
}
