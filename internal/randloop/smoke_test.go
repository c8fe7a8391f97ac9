package randloop_test

import (
	"context"
	"flag"
	"path/filepath"
	"testing"

	"github.com/lanewise/lanewise/internal/differ"
	"github.com/lanewise/lanewise/internal/generate"
	"github.com/lanewise/lanewise/internal/randloop"
	"github.com/lanewise/lanewise/vectorize/outline"
)

var (
	seed  = flag.Uint64("seed", 0, "seed of the random functions; 0 is one with which few of them have every feature in a kernel")
	count = flag.Int("functions", 0, "number of random functions of each class; 0 is few of them")
	keep  = flag.Bool("keep", false, "leave the generated packages in testdata")
)

// Every twin of some random functions behaves like its original, and every feature that
// functions have is vectorized somewhere. Longer runs are those of internal/hunt; one class
// here, with all test cases: go test ./internal/randloop -run Smoke/nests -seed 7 -functions 500 -v
func TestSmoke(t *testing.T) {
	if testing.Short() {
		t.Skip("builds packages")
	}
	merged := generate.Config{Outline: outline.Merge, Passes: generate.PassOptions{Brief: randloop.EveryThird}}
	small := generate.Config{Outline: outline.Size, Passes: generate.PassOptions{Guess: true, Brief: randloop.EveryThird}}
	straight := small
	straight.Passes.Generous = randloop.EveryOther
	for _, c := range []struct {
		name, class string
		functions   int
		seed        uint64 // where the flag has none
		config      generate.Config
		short, all  bool // some of the cases; the features of all functions must be there
		routines    int  // one at least for so many functions
	}{
		{"loops", "loops", 270, 15, merged, true, true, 0},
		{"nests", "nests", 0, 1, merged, true, false, 0},
		{"straight", "straight", 60, 1, straight, true, true, 0},
		{"idioms", "idioms", 600, 7, merged, true, true, 0},
		{"outlined", "loops", 24, 1, small, true, false, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := c.functions
			if *count > 0 {
				n = *count
			}
			if n == 0 {
				t.Skip("loops have nests among them")
			}
			if *seed > 0 {
				c.seed = *seed
			}
			s := smoke(t, c.class, c.seed, n, c.config, *count == 0)
			if s.Functions.Vectorized*3 < s.Functions.All {
				t.Errorf("only %d of %d functions vectorized", s.Functions.Vectorized, s.Functions.All)
			}
			if c.routines > 0 && s.Routines*c.routines < n {
				t.Errorf("only %d routines", s.Routines)
			}
			if *seed == 0 && c.all || *count >= randloop.Enough {
				class, _ := randloop.ClassNamed(c.class)
				for _, name := range s.Unexercised(class) {
					t.Errorf("not vectorized anywhere: %s", name)
				}
			}
		})
	}
}

// smoke tests n functions and counts what became of them.
func smoke(t *testing.T, class string, seed uint64, n int, config generate.Config, short bool) *randloop.Statistics {
	c, ok := randloop.ClassNamed(class)
	if !ok {
		t.Fatalf("no class %s", class)
	}
	fs := c.Functions(seed, n)
	var parts []differ.Part
	for _, f := range fs {
		parts = append(parts, differ.Part{Name: f.Name, Text: f.Text})
	}
	scratch, err := filepath.Abs("testdata") // inside the module, so that what is generated finds the runtime
	if err != nil {
		t.Fatal(err)
	}
	o := differ.Options{Generate: config, Scratch: scratch, Short: short, Keep: *keep}
	res, err := differ.Run(context.Background(), randloop.Header("smoke"), parts, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range res.Failures {
		t.Errorf("%s, seed %d, %s: %s\n%s", class, seed, f.Part, f.Kind, f.Text)
	}
	s := new(randloop.Statistics)
	s.Count(fs, res.Remarks)
	s.Print(t.Output())
	if res.Tested < n-res.Skipped-len(res.Failures) {
		t.Errorf("only %d of %d functions tested", res.Tested, n)
	}
	return s
}
