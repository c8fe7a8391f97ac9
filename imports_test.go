package lanewise_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/lanewise/lanewise"

// allowed is policy: which folders of the module may be imported from where. The
// longest prefix of an importing folder decides. A folder covers those below it.
var allowed = map[string][]string{
	"vir":            {"vir"},
	"internal/diag":  {"vir"},
	"frontend":       {"frontend", "vir", "internal/diag", "backend/target"},
	"vectorize":      {"vectorize", "vir", "internal/diag", "backend/target"},
	"backend":        {"backend", "vir", "internal/diag"},
	"backend/target": {"vir", "backend/target"},
	"runtime":        {"runtime"},
	"examples":       {"runtime", "examples"},
	"internal":       {"internal", "vir", "frontend", "vectorize", "backend", "runtime"},
	"cmd":            {"cmd", "internal", "vir", "frontend", "vectorize", "backend", "runtime"},
}

// reserved are packages of others that only some folders may import.
var reserved = map[string][]string{
	"golang.org/x/tools/go/packages": {"frontend"},
	"golang.org/x/tools/go/ssa":      {},
	"github.com/mmcloughlin/avo":     {"backend"},
	"github.com/klauspost/cpuid/v2":  {"runtime/cpu"},
}

// TestImportDirections reads the import graph, tests excluded, and fails on an
// arrow that policy does not have.
func TestImportDirections(t *testing.T) {
	for _, line := range list(t, "{{.ImportPath}}{{range .Imports}} {{.}}{{end}}") {
		words := strings.Fields(line)
		from := inModule(words[0])
		for _, to := range words[1:] {
			if why := forbidden(from, to); why != "" {
				t.Errorf("%s imports %s: %s", from, to, why)
			}
		}
	}
}

// forbidden says why folder from must not import to, or nothing.
func forbidden(from, to string) string {
	for path, who := range reserved {
		if under(to, path) && !slices.ContainsFunc(who, func(w string) bool { return under(from, w) }) {
			return "only for " + strings.Join(who, ", ")
		}
	}
	if !under(to, module) {
		if under(from, "runtime") && strings.Contains(strings.Split(to, "/")[0], ".") && reserved[to] == nil {
			return "runtime has the standard library and cpuid alone"
		}
		return ""
	}
	folder, to := longest(from), inModule(to)
	if folder == "" {
		return "no rule for " + from
	}
	if !slices.ContainsFunc(allowed[folder], func(a string) bool { return under(to, a) }) {
		return folder + " may import " + strings.Join(allowed[folder], ", ")
	}
	return ""
}

func TestForbidden(t *testing.T) {
	for _, c := range []struct {
		from, to string
		bad      bool
	}{
		{"vectorize/dep", module + "/vir", false},
		{"vectorize/dep", module + "/backend/target", false},
		{"vectorize/dep", module + "/backend", true},
		{"frontend/twin", module + "/vectorize", true},
		{"vir/interp", module + "/frontend", true},
		{"backend/target", module + "/backend", true},
		{"runtime/cpu", "github.com/klauspost/cpuid/v2", false},
		{"runtime/guard", "golang.org/x/sys/cpu", true},
		{"vectorize", "github.com/mmcloughlin/avo/ir", true},
		{"backend/emit", "github.com/mmcloughlin/avo/ir", false},
		{"elsewhere", module + "/vir", true},
	} {
		if why := forbidden(c.from, c.to); (why != "") != c.bad {
			t.Errorf("%s to %s: %q", c.from, c.to, why)
		}
	}
}

// TestPackagesAreDocumented asks for a package comment everywhere.
func TestPackagesAreDocumented(t *testing.T) {
	for _, line := range list(t, "{{.ImportPath}}\t{{len .GoFiles}}\t{{.Doc}}") {
		f := strings.SplitN(line, "\t", 3)
		if f[1] != "0" && strings.TrimSpace(f[2]) == "" {
			t.Errorf("%s has no package comment", f[0])
		}
	}
}

// list is go list over the module, one line per package.
func list(t *testing.T, format string) []string {
	t.Helper()
	cmd := exec.Command("go", "list", "-f", format, "./...")
	cmd.Stderr = t.Output()
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// longest is the most specific folder of the policy that holds folder from.
func longest(from string) string {
	best := ""
	for folder := range allowed {
		if under(from, folder) && len(folder) > len(best) {
			best = folder
		}
	}
	return best
}

// under says whether path is folder or below it.
func under(path, folder string) bool {
	return path == folder || strings.HasPrefix(path, folder+"/")
}

func inModule(path string) string { return strings.TrimPrefix(strings.TrimPrefix(path, module), "/") }
