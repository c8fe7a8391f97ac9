package lanewise_test

import (
	"slices"
	"strings"
	"testing"
)

// imports_test.go says which folder may import which. The arrows here are the
// finer ones, inside folders and by purpose, each with its reason. They are
// policy: change the code, not the list, to get a build through.

// A wrongArrow forbids imports of to (and below) in from (and below), except in
// the folders named. Folders and packages of the module are relative to it.
type wrongArrow struct {
	from   string
	to     []string
	except []string
	reason string
}

var wrongArrows = []wrongArrow{
	{from: "vir", to: []string{"vir/gen", "vir/interp"}, except: []string{"vir/gen"},
		reason: "the IR and its tools must work without the interpreter, or a bug in it could hide in both"},
	{from: "vir/interp", to: []string{"vir/parse", "vir/verify", "vir/plan", "vectorize", "backend"},
		reason: "the interpreter is the oracle and shares no code with what it judges"},
	{from: "vir/parse", to: []string{"vir/verify"}, reason: "broken functions must be readable, to test the verifier"},
	{from: "vir/plan", to: []string{"vir/parse", "vir/verify"}, reason: "a plan is plain data"},
	{from: "", to: []string{"vir/interp", "vir/gen"}, except: []string{"vir/interp", "vir/gen", "vectorize/vectest", "backend/native", "internal/passcheck"},
		reason: "interpreter and generator are for tests and for the harnesses that tests share"},
	{from: "", to: []string{"vectorize/vectest", "backend/native", "internal/passcheck"},
		except: []string{"vectorize/vectest", "backend/native", "internal/passcheck"},
		reason: "harnesses are for tests"},
	{from: "", to: []string{"testing", "internal/filetest", "github.com/google/go-cmp", "github.com/rogpeppe/go-internal"},
		except: []string{"internal/contract", "internal/filetest", "vectorize/internal", "runtime/twintest"},
		reason: "the command must not carry its tests"},
	{from: "frontend/twin", to: []string{"golang.org/x/tools/go/packages", "vir/parse", "vir/verify"},
		reason: "twins are printed from syntax and a plan, without loading and without looking into vir"},
	{from: "frontend/mathlib", to: []string{"vir", "frontend/lower", "frontend/twin", "vectorize", "backend", "runtime", "internal", "golang.org"},
		reason: "functions of math are Go source, whoever reads it"},
	{from: "frontend/textlib", to: []string{"vir", "frontend/lower", "frontend/twin", "vectorize", "backend", "runtime", "internal", "golang.org"},
		reason: "functions of text are Go source, whoever reads it"},
	{from: "frontend/directive", to: []string{"vir/parse", "vir/verify", "golang.org/x/tools/go/packages"},
		reason: "reading directives needs syntax only"},
	{from: "vectorize/optvls", to: []string{"vir", "backend", "frontend", "runtime", "internal", "vectorize/loops", "vectorize/scev",
		"vectorize/dep", "vectorize/slev", "vectorize/sva", "vectorize/ranges", "vectorize/boolean", "golang.org"},
		reason: "the server knows no IR and no machine, its clients do"},
	{from: "vectorize", to: []string{"go/ast", "go/types", "go/token", "golang.org/x/tools"},
		reason: "the vectorizer sees vir, not Go"},
	{from: "backend", to: []string{"go/ast", "golang.org/x/tools"}, reason: "the backend sees vir, not Go; go/types is for avo's signatures"},
	{from: "vir", to: []string{"go", "golang.org/x/tools"}, reason: "the IR does not know Go syntax"},
	{from: "", to: []string{"runtime/twintest"}, except: []string{"examples", "runtime/twintest"},
		reason: "support of generated tests is for generated tests"},
}

// Packages below vectorize are analyses, listed here, or transforms. Analyses
// write nothing into the IR and so need no pass; transforms meet in the pass table.
var (
	analyses   = []string{"alias", "boolean", "dfa", "loops", "scev", "dep", "slev", "sva", "ranges", "cost", "estimate", "optvls", "ring", "internal"}
	transforms = "vectorize/pass" // what transforms, but not analyses, may import
)

func TestWrongArrows(t *testing.T) {
	lines := list(t, "{{.ImportPath}}{{range .Imports}} {{.}}{{end}}")
	if len(lines) < 10 {
		t.Fatalf("only %d packages in the module", len(lines))
	}
	for _, line := range lines {
		words := strings.Fields(line)
		for _, to := range words[1:] {
			if why := wrong(inModule(words[0]), to); why != "" {
				t.Errorf("%s imports %s: %s", words[0], to, why)
			}
		}
	}
}

// wrong gives the reason why folder from must not import package to, or nothing.
func wrong(from, to string) string {
	to = inModule(to)
	for _, a := range wrongArrows {
		in := func(folder string) bool { return under(from, folder) }
		if (a.from == "" || in(a.from)) && !slices.ContainsFunc(a.except, in) &&
			slices.ContainsFunc(a.to, func(p string) bool { return under(to, p) }) {
			return a.reason
		}
	}
	return wrongInVectorize(from, to)
}

func wrongInVectorize(from, to string) string {
	src, ok1 := strings.CutPrefix(from, "vectorize/")
	dst, ok2 := strings.CutPrefix(to, "vectorize/")
	src, dst = firstFolder(src), firstFolder(dst)
	switch {
	case !ok1 || src == dst || src == "internal":
		return ""
	case to == "vectorize":
		return "the pass table imports passes, not the other way round"
	case !ok2:
		return ""
	case slices.Contains(analyses, src) && !slices.Contains(analyses, dst):
		return "an analysis imports analyses only (they are listed in arch_test.go)"
	case slices.Contains(analyses, dst) || to == transforms:
		return ""
	case src == "pass":
		return "the pass interface knows no pass"
	}
	return "transforms do not import transforms, they meet in the pass table (an analysis must be listed in arch_test.go)"
}

func firstFolder(path string) string {
	path, _, _ = strings.Cut(path, "/")
	return path
}

// TestWrongArrowsAreSeen seeds every rule, and arrows that must stay allowed.
func TestWrongArrowsAreSeen(t *testing.T) {
	bad := [][2]string{
		{"vectorize/dep", module + "/vectorize/ifconv"},
		{"vectorize/dep", module + "/vectorize/pass"},
		{"vectorize/slp", module + "/vectorize/loopvec"},
		{"vectorize/loopvec", module + "/vectorize"},
		{"vectorize/pass", module + "/vectorize/slp"},
	}
	for _, a := range wrongArrows {
		from := a.from
		if from == "" {
			from = "cmd/lanewise"
		}
		for _, to := range a.to {
			bad = append(bad, [2]string{from, to + "/x"})
		}
	}
	for _, arrow := range bad {
		if wrong(arrow[0], arrow[1]) == "" {
			t.Errorf("%s may import %s", arrow[0], arrow[1])
		}
	}
	for _, arrow := range [][2]string{
		{"vectorize/dep", module + "/vectorize/scev"},
		{"vectorize/ifconv", module + "/vectorize/pass"},
		{"vectorize/ifconv", module + "/vir/verify"},
		{"vectorize", module + "/vectorize/ifconv"},
		{"vectorize/optvls/client", module + "/vectorize/optvls"},
		{"vir/gen", module + "/vir/interp"},
		{"backend", "go/types"},
		{"frontend", "go/ast"},
		{"vectorize/internal/regiontest", "testing"},
	} {
		if why := wrong(arrow[0], arrow[1]); why != "" {
			t.Errorf("%s may not import %s: %s", arrow[0], arrow[1], why)
		}
	}
}
