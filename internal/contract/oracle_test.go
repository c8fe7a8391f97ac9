//go:build amd64 && unix

package contract_test

import (
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A way is one of building and running a program with the same functions.
type way struct {
	name  string
	env   string // while it is built
	level string // LANEWISE while it runs
	flags []string
	side  string
}

var ways = []way{
	{name: "original", side: "original"},
	{name: "kernels", side: "got"},
	{name: "scalar level", side: "got", level: "scalar"},
	{name: "original v3", env: "GOAMD64=v3", side: "original"},
	{name: "kernels v3", env: "GOAMD64=v3", side: "got"},
	{name: "scalar level v3", env: "GOAMD64=v3", side: "got", level: "scalar"},
	{name: "purego", flags: []string{"-tags=purego"}, side: "got"},
	{name: "purego v3", env: "GOAMD64=v3", flags: []string{"-tags=purego"}, side: "got"},
}

// TestOneOracle is rule 7: twins with and without kernels give the same bits under
// GOAMD64=v1 and v3, and those of the original under v1. Builds without assembly give
// what the original gives there, which v3 may fuse: where it does, the test could tell.
func TestOneOracle(t *testing.T) {
	program(t)
	exes := make([]string, len(ways))
	for i, w := range ways {
		if exes[i] = compile(t, w.env, w.flags...); exes[i] == "" {
			return
		}
	}
	dumps := make([]map[string]string, len(ways))
	var running sync.WaitGroup
	for i, w := range ways {
		running.Go(func() { dumps[i] = dump(t, w, exes[i]) })
	}
	running.Wait()
	const original, kernels, scalar, original3, kernels3, scalar3, pure, pure3 = 0, 1, 2, 3, 4, 5, 6, 7
	same := func(a, b int, approx bool) {
		t.Helper()
		if k := differences(dumps[a], dumps[b], approx); len(k) > 0 {
			t.Errorf("%s and %s differ %d times: %s", ways[a].name, ways[b].name, len(k), strings.Join(k[:min(len(k), 9)], ", "))
		}
	}
	same(original, kernels, false)
	same(original, scalar, false)
	same(original, kernels3, false)
	same(original, scalar3, false)
	same(kernels, kernels3, true)
	same(scalar, scalar3, true)
	same(original, pure, true)
	same(original3, pure3, true)
	fused := differences(dumps[original], dumps[original3], false)
	if len(fused) < 100 {
		t.Errorf("under v3 the originals give other bits %d times only: too few to tell", len(fused))
	}
	t.Logf("%d results in each of %d ways; %d of the originals under v3 are fused", len(dumps[0]), len(ways), len(fused))
}

// approximate are functions of which floats may be rounded in another way.
var approximate = []string{"loops.SumDoublesAnyOrder", "loops.Fused"}

// dump runs a program and returns its hashes by function and length.
func dump(t *testing.T, w way, exe string) map[string]string {
	cmd := exec.Command(exe, "-test.run=^TestDump$")
	cmd.Dir = build.dir
	cmd.Env = append(cmd.Environ(), "CONTRACT_SIDE="+w.side, "LANEWISE="+w.level)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%s: %v\n%s", w.name, err, out)
	}
	hashes := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^(\S+ \d+) ([0-9a-f]{16})$`).FindAllStringSubmatch(string(out), -1) {
		hashes[m[1]] = m[2]
	}
	if len(hashes) < 4000 {
		t.Errorf("%s: %d results, want more", w.name, len(hashes))
	}
	return hashes
}

// differences lists the functions and lengths for which two programs disagree. Unless
// approx is set, those with a clause do not count.
func differences(a, b map[string]string, approx bool) (keys []string) {
	for k, h := range a {
		name, _, _ := strings.Cut(k, " ")
		if h != b[k] && (approx || !slices.Contains(approximate, name)) {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return keys
}

// TestNothingFused is rule 7 as the processor sees it: no fused instruction in twins
// built for GOAMD64=v3, unless they have the contract clause; but in originals.
func TestNothingFused(t *testing.T) {
	if _, err := exec.LookPath("objdump"); err != nil {
		t.Skip("no objdump")
	}
	program(t)
	exe := compile(t, "GOAMD64=v3")
	if exe == "" {
		return
	}
	out, ok := command(t, "", "objdump", "-d", "--no-show-raw-insn", exe)
	if !ok {
		return
	}
	seen := map[string]int{} // symbols with fused instructions, by kind
	symbol, looked := "", 0
	for line := range strings.Lines(out) {
		if m := symbolLine.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			if symbol = m[1]; isTwin(symbol) {
				looked++
			}
			continue
		}
		if !fusedInstruction.MatchString(line) {
			continue
		}
		switch {
		case symbol == "Fused" || symbol == "fusedKernel":
			seen["contract"]++
		case isTwin(symbol):
			t.Errorf("%s has a fused instruction: %s", symbol, strings.TrimSpace(line))
		case symbol != "":
			seen["original"]++
		}
	}
	t.Logf("%d twins and kernels have none; %d fused instructions in a twin with the clause, %d in originals", looked, seen["contract"], seen["original"])
	if looked < 150 || seen["original"] < 5 {
		t.Error("too few to tell")
	}
}

var (
	symbolLine       = regexp.MustCompile(`^[0-9a-f]+ <(?:.*/testdata/run\d+/(?:loops|panics)\.(\w+)[^>]*|[^>]*)>:$`)
	fusedInstruction = regexp.MustCompile(`\tvfn?m(?:add|sub)(?:sub|add)?(?:132|213|231)`)
)

// isTwin is true for the names of twins, exported all, and of kernels, but not of
// originals and what tests compare with.
func isTwin(symbol string) bool {
	return symbol != "" && (symbol[0] < 'a' || strings.HasSuffix(symbol, "Kernel"))
}
