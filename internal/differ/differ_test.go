package differ

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/internal/filetest"
	"github.com/lanewise/lanewise/internal/generate"
	"github.com/lanewise/lanewise/vectorize/outline"
)

// Parts that fail in different ways do not keep each other from being tested.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("builds packages")
	}
	loop := func(n, body string) string {
		return "//vec:func F" + n + "\nfunc f" + n + "(x, y []int32) {\n\tfor i := range x {\n\t\t" + body + "\n\t}\n}\n"
	}
	parts := []Part{
		{"f0", loop("0", "x[i] += y[i]")},
		{"f1", "//vec:func F1\nfunc f1(x []int32) {\n\tif len(x) > 3 {\n\t\tos.Exit(7)\n\t}\n}\n"},
		{"f2", loop("2", "x[i] = y[i] ^ 5")},
		{"f3", "//vec:func F3 nonsense\nfunc f3(x []int32) {}\n"},
		{"f4", "type t4 int\n\n//vec:func F4\nfunc (t4) f4(x []int32) {\n\tfor i := range x {\n\t\tx[i]++\n\t}\n}\n"},
	}
	scratch, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	c := generate.Config{Outline: outline.Merge}
	res, err := Run(t.Context(), "package p\n\nimport \"os\"\n\nvar _ = os.Exit\n", parts, Options{Generate: c, Scratch: scratch, Short: true})
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[string]Kind)
	for _, f := range res.Failures {
		got[f.Part] = f.Kind
	}
	if got["f0"] != "" || got["f1"] != Crash || got["f3"] != Refused || got["f4"] != "" {
		t.Errorf("failures: %v", res.Failures)
	}
	if res.Tested < 2 {
		t.Errorf("%d parts tested", res.Tested)
	}
}

// What no test may ever run is found in the code as well.
func TestUnlawful(t *testing.T) {
	r := &run{dir: t.TempDir()}
	filetest.Write(t, filepath.Join(r.dir, "k.s"), "TEXT ·f(SB), $0-0\n\tCMPQ AX, $1\n\tJLT out\n\tSETEQ CX\nout:\n\tVXORPS X17, X17, X17\n\tRET\n")
	wrong, err := r.unlawful()
	if err != nil || len(wrong) != 2 || !strings.Contains(wrong[0], "EVEX") || !strings.Contains(wrong[1], "flags") {
		t.Errorf("%q, %v", wrong, err)
	}
}

func TestReadOutput(t *testing.T) {
	o := readOutput("=== RUN   TestTwinF0\n--- PASS: TestTwinF0 (0.01s)\n" +
		"=== RUN   TestTwinF1\n    vec_test.go:3: values differ\n        more\n--- FAIL: TestTwinF1 (0.00s)\n" +
		"=== RUN   TestTwinF2\n--- SKIP: TestTwinF2 (0.00s)\n" +
		"=== RUN   TestTwinF3\nunexpected fault address\n")
	if o.passed != 1 || o.skipped != 1 || len(o.failed) != 1 || o.failed[0] != (failedTest{"TestTwinF1", "    vec_test.go:3: values differ\n        more\n"}) {
		t.Errorf("%+v", o)
	}
	if o.running != "TestTwinF3" || o.rest != "unexpected fault address\n" || !slices.Equal(o.done, []string{"TestTwinF0", "TestTwinF1", "TestTwinF2"}) {
		t.Errorf("%+v", o)
	}
}

func TestPartOf(t *testing.T) {
	r := &run{parts: []Part{{Name: "f1"}, {Name: "f11"}, {Name: "f1_3"}}}
	for test, want := range map[string]string{"TestTwinF1": "f1", "TestTwinF11": "f11", "TestTwinF1_3": "f1_3", "TestTwinObj_F11": "f11", "TestTwinF2": ""} {
		if got := r.partOf(test); got != want {
			t.Errorf("%s: %q, want %q", test, got, want)
		}
	}
}
