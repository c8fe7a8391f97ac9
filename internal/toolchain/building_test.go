package toolchain

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// A way of building a program.
type way struct {
	name  string
	env   []string
	flags []string
	tool  string // that must be there
	long  bool   // takes longer: builds the standard library again, mostly
}

var ways = []way{
	{name: "as usual"},
	{name: "stripped", flags: []string{"-trimpath", "-ldflags=-s -w"}},
	{name: "coverage", flags: []string{"-cover", "-coverpkg=./..."}, env: []string{"GOCOVERDIR=."}, long: true},
	// without optimization frames are larger, and the chain of functions that do not look for room for theirs must not be
	{name: "no optimization", flags: []string{"-gcflags=example.com/m/...=-N -l"}},
	{name: "pointer checks", flags: []string{"-gcflags=example.com/m/...=-d=checkptr"}, long: true},
	// every function that looks for room for its frame gets it somewhere else
	{name: "moving stacks", flags: []string{"-gcflags=example.com/m/...=-d=maymorestack=runtime.mayMoreStackMove",
		"-gcflags=github.com/lanewise/lanewise/runtime/...=-d=maymorestack=runtime.mayMoreStackMove"}},
	{name: "vendored", env: []string{"GOFLAGS=-mod=vendor"}, long: true},
	{name: "without assembly", flags: []string{"-tags=purego"}, long: true},
	{name: "external linking", flags: []string{"-ldflags=-linkmode=external"}, tool: "gcc", long: true},
	{name: "position independent", flags: []string{"-buildmode=pie"}, long: true},
	{name: "no optimization at all", flags: []string{"-gcflags=all=-N -l"}, long: true},
	{name: "GOAMD64=v3", env: []string{"GOAMD64=v3"}, long: true},
	{name: "race detector", flags: []string{"-race"}, tool: "gcc", long: true},
	{name: "address sanitizer", flags: []string{"-asan"}, tool: "gcc", long: true},
	{name: "memory sanitizer", flags: []string{"-msan"}, tool: "clang", env: []string{"CC=clang"}, long: true},
}

// Programs with twins link and run however they are built, and vet has nothing to say.
// With -long also in the ways that take longer, mostly since the standard library is built again:
//
//	go test ./internal/toolchain -run Building -v -long
func TestWaysOfBuilding(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	dir := common(t)
	mustRun(t, dir, nil, "go", "vet", "./kinds", "./small")
	for _, w := range ways {
		t.Run(w.name, func(t *testing.T) {
			w.check(t)
			if w.name == "vendored" {
				mustRun(t, dir, nil, "go", "mod", "vendor")
				defer os.RemoveAll(filepath.Join(dir, "vendor"))
			}
			mustRun(t, dir, w.env, append([]string{"go", "build", "-o", "same.exe"}, append(w.flags, "./same")...)...)
			out := mustRun(t, dir, w.env, "./same.exe")
			wantSame(t, out)
			// the address sanitizer has them elsewhere
			if strings.HasPrefix(out, "0 arrays moved") != (w.name == "address sanitizer") {
				t.Errorf("no array on the stack was moved, or one with the address sanitizer:\n%s", out)
			}
		})
	}
}

// check skips ways that are for the long run or need what is not there.
func (w way) check(t *testing.T) {
	if w.long && !*long {
		t.Skip("only with -long")
	}
	needs(t, w.tool)
}

// needs skips the test when a tool is missing.
func needs(t *testing.T, tool string) {
	t.Helper()
	if tool == "" {
		return
	}
	if _, err := exec.LookPath(tool); errors.Is(err, exec.ErrNotFound) {
		t.Skipf("no %s", tool)
	}
}

func wantSame(t *testing.T, output string) {
	t.Helper()
	if !strings.HasSuffix(output, "same\n") {
		t.Errorf("the program says %q", output)
	}
}

// Kernels work in plugins, two of which have a package in common with each other and
// with the program.
func TestBuildingPlugins(t *testing.T) {
	way{tool: "gcc", long: true}.check(t)
	dir := common(t)
	for _, p := range []string{"plugin1", "plugin2"} {
		mustRun(t, dir, nil, "go", "build", "-buildmode=plugin", "-o", p+".so", "./"+p)
	}
	mustRun(t, dir, nil, "go", "build", "-o", "host.exe", "./host")
	wantSame(t, mustRun(t, dir, nil, "./host.exe", "./plugin1.so", "./plugin2.so"))
}

// Kernels work in libraries for C.
func TestBuildingLibraries(t *testing.T) {
	way{tool: "gcc", long: true}.check(t)
	dir := common(t)
	mustRun(t, dir, nil, "go", "build", "-buildmode=c-shared", "-o", "libkinds.so", "./library")
	mustRun(t, dir, nil, "gcc", "-o", "shared.exe", "-x", "c", "library/use.c.txt", "-x", "none", "-L.", "-lkinds", "-Wl,-rpath,"+dir)
	wantSame(t, mustRun(t, dir, nil, "./shared.exe"))
	mustRun(t, dir, nil, "go", "build", "-buildmode=c-archive", "-o", "kinds.a", "./library")
	mustRun(t, dir, nil, "gcc", "-o", "archive.exe", "-x", "c", "library/use.c.txt", "-x", "none", "kinds.a", "-lpthread")
	wantSame(t, mustRun(t, dir, nil, "./archive.exe"))
}

// Packages with twins pass vet and link for other systems and processors.
func TestBuildingForOthers(t *testing.T) {
	way{long: true}.check(t)
	dir := common(t)
	for _, p := range []string{"windows/amd64", "darwin/amd64", "freebsd/amd64", "linux/arm64", "linux/386", "linux/riscv64", "js/wasm"} {
		t.Run(p, func(t *testing.T) {
			system, processor, _ := strings.Cut(p, "/")
			env := []string{"GOOS=" + system, "GOARCH=" + processor, "CGO_ENABLED=0"}
			mustRun(t, dir, env, "go", "vet", "./kinds", "./small")
			mustRun(t, dir, env, "go", "build", "-o", "other.exe", "./same")
			if p == "linux/386" && runtime.GOOS == "linux" && runtime.GOARCH == "amd64" {
				wantSame(t, mustRun(t, dir, nil, "./other.exe"))
			}
		})
	}
}
