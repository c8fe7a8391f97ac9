package randloop

import (
	"cmp"
	"context"
	"flag"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/internal/generate"
	"github.com/lanewise/lanewise/vectorize/outline"
)

var (
	seed  = flag.Uint64("seed", 1, "seed of the random loops")
	count = flag.Int("loops", 210, "number of random functions")
	nests = flag.Bool("nests", false, "loops in loops only")
	keep  = flag.Bool("keep", false, "leave the generated package in testdata")
)

// Every twin of a package of random loops behaves like its original. A longer
// run: go test ./internal/randloop -run Differential -seed 7 -loops 2000 -v
func TestDifferential(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a package")
	}
	differential(t, Source("loops", *seed, *count, *nests), generate.Config{Outline: outline.Merge}, report)
}

// differential generates the twins of a package of one file, hands over the remarks, and
// compares twins and originals.
func differential(t *testing.T, source string, c generate.Config, remarks func(*testing.T, []diag.Remark)) {
	dir := scratchPackage(t)
	src := filepath.Join(dir, "loops.go")
	if err := os.WriteFile(src, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	c.Dir, c.Patterns, c.Tests = dir, []string{"."}, true
	res, err := generate.Run(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range res.Errors {
		t.Error(e)
	}
	if t.Failed() {
		t.FailNow()
	}
	remarks(t, res.Remarks)
	if err := generate.Write(res.Files); err != nil {
		t.Fatal(err)
	}
	// Without optimization the originals do every store that the source has, so
	// that a store of the old value is no difference.
	cmd := exec.Command("go", "test", "-count=1", "-gcflags=-N", ".")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("seed %d: %v\n%s", *seed, err, out)
	}
}

// scratchPackage is a folder inside the module, so that what is generated finds
// the runtime; go's wildcards do not see it.
func scratchPackage(t *testing.T) string {
	if err := os.MkdirAll("testdata", 0o777); err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("testdata", "loops")
	if err != nil {
		t.Fatal(err)
	}
	if !*keep {
		t.Cleanup(func() {
			os.RemoveAll(dir)
			os.Remove("testdata") // only when empty
		})
	}
	return dir
}

// report prints how many loops were vectorized and why the others were not, in
// which forms. A generator whose loops nobody vectorizes tests nothing, nor does
// a vectorizer that broke on one of them.
func report(t *testing.T, remarks []diag.Remark) {
	reasons := make(map[string]int)
	var s statistics
	unbroken(t, remarks)
	for _, r := range remarks {
		switch r.Kind {
		case diag.Passed:
			s.passed(r)
		case diag.Analysis:
			s.analysis(r)
		case diag.Missed:
			s.missed(r)
			reasons[r.ID]++
		}
	}
	t.Logf("seed %d: %d loops, %d vectorized", *seed, s.loops, s.vectorized)
	for _, id := range byCount(reasons) {
		t.Logf("%5d %s", reasons[id], id)
	}
	for _, f := range formNames() {
		t.Logf("%5d of %3d vectorized: %s", s.byForm[f][1], s.byForm[f][0], f)
	}
	for _, id := range choices {
		t.Logf("%5d %s", s.choices[id], id)
	}
	for _, k := range byCount(s.accesses) {
		t.Logf("%5d %s", s.accesses[k], k)
	}
	if s.vectorized*4 < s.loops {
		t.Errorf("only %d of %d loops vectorized", s.vectorized, s.loops)
	}
	if *seed != 1 && *count < enough {
		return
	}
	for _, f := range formNames() {
		if s.byForm[f][1] == 0 {
			t.Errorf("no loop over %s was vectorized", f)
		}
	}
	for _, id := range choices {
		if s.choices[id] == 0 {
			t.Errorf("no nest has %s", id)
		}
	}
	if *nests {
		return
	}
	for _, k := range required {
		if s.accesses[k] == 0 {
			t.Errorf("no vectorized loop has a %s", k)
		}
	}
}

// unbroken fails the test when a part of the generator broke.
func unbroken(t *testing.T, remarks []diag.Remark) {
	for _, r := range remarks {
		if strings.HasPrefix(r.ID, "internal") {
			t.Errorf("seed %d: %s", *seed, r)
		}
	}
}

// enough functions have every form, whatever the seed is.
const enough = 500

// byCount sorts what was counted, the most frequent first.
func byCount(m map[string]int) []string {
	return slices.SortedFunc(maps.Keys(m), func(a, b string) int {
		return cmp.Or(m[b]-m[a], cmp.Compare(a, b))
	})
}
