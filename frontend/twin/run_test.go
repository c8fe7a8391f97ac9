package twin

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestRun executes the printed twins with kernels written in Go against the
// originals. The program exists only as an overlay of this module.
func TestRun(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("vec_amd64.go needs amd64")
	}
	if testing.Short() {
		t.Skip("builds programs")
	}
	const base = "github.com/lanewise/lanewise/frontend/twin/testdata/run/"
	tmp := t.TempDir()
	overlay := map[string]string{}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	add := func(pkg, name, text string) {
		file := filepath.Join(tmp, strings.ReplaceAll(pkg, "/", "_")+"_"+name)
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		overlay[filepath.Join(here, "testdata", "run", pkg, name)] = file
	}
	var imports, calls strings.Builder
	for i, c := range cases {
		if c.run == "" {
			continue
		}
		b := newBuilder(t, c.src)
		c.build(b)
		amd64, _, err := File(b.pkg, b.ks, b.options())
		if err != nil {
			t.Fatal(err)
		}
		add(c.name, "p.go", c.src)
		add(c.name, "vec_amd64.go", simulate(t, c, string(amd64)))
		tests, err := Tests(b.pkg, b.ks, b.options())
		if err != nil {
			t.Fatal(err)
		}
		add(c.name, "ref.go", string(tests))
		add(c.name, "level.go", "//go:build !amd64.v3\n\npackage p\n\nconst v3 = false\n")
		add(c.name, "level_v3.go", "//go:build amd64.v3\n\npackage p\n\nconst v3 = true\n")
		add(c.name, "run.go", fmt.Sprintf(runText, c.run))
		fmt.Fprintf(&imports, "p%d %q\n", i, base+c.name)
		fmt.Fprintf(&calls, "run(%q, p%d.Run)\n", c.name, i)
	}
	add("trips", "trips.go", tripProgram(t))
	fmt.Fprintf(&imports, "trips %q\n", base+"trips")
	calls.WriteString("run(\"trips\", trips.Run)\n")
	add("main", "main.go", fmt.Sprintf(mainText, imports.String(), calls.String()))
	js, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(tmp, "overlay.json")
	if err := os.WriteFile(file, js, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, level := range []string{"v1", "v3"} {
		program := filepath.Join(tmp, "run"+level)
		build := exec.Command("go", "build", "-overlay", file, "-o", program, "./testdata/run/main")
		build.Env = append(os.Environ(), "GOAMD64="+level)
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("GOAMD64=%s: %v\n%s", level, err, out)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		run := exec.CommandContext(ctx, program)
		run.Cancel = func() error { return run.Process.Signal(syscall.SIGQUIT) } // a twin that hangs shows where
		if out, err := run.CombinedOutput(); err != nil {
			t.Errorf("GOAMD64=%s: %v\n%s", level, err, out)
		}
	}
}

var stubLine = regexp.MustCompile(`(?m)^//\n//go:noescape\n(func (\w+)\(.*)$`)

// simulate gives every stub its body.
func simulate(t *testing.T, c goldenCase, text string) string {
	return stubLine.ReplaceAllStringFunc(text, func(s string) string {
		m := stubLine.FindStringSubmatch(s)
		if c.sim[m[2]] == "" {
			t.Fatalf("%s: no body for %s", c.name, m[2])
		}
		return m[1] + " " + c.sim[m[2]]
	})
}

// runText surrounds what a case runs. References come from ref.go, the printed
// tests; constant v3 tells whether this build may fuse.
const runText = `package p

import (
	"fmt"
	"reflect"
)

func Run() {%s}

func try(f func()) (p any) {
	defer func() {
		if r := recover(); r != nil { p = fmt.Sprint(r) }
	}()
	f()
	return nil
}

func first[A, B any](a A, _ B) A { return a }

func equal[F, R any](run func(F) (R, any), want, got F) {
	r, p := run(want)
	s, q := run(got)
	if !reflect.DeepEqual(r, s) || !reflect.DeepEqual(p, q) {
		panic(fmt.Sprintf("want %%v, %%v\n got %%v, %%v", r, p, s, q))
	}
}
`

const mainText = `package main

import (
	"fmt"
	"os"

	"github.com/lanewise/lanewise/runtime/cpu"
%s)

func main() {
	for level := range 4 {
		cpu.AVX2, cpu.AVX512, cpu.Fast512 = level > 0, level > 1, level > 2
		%s
	}
}

func run(name string, f func()) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Println(name, cpu.AVX2, cpu.AVX512, cpu.Fast512, r)
			os.Exit(1)
		}
	}()
	f()
}
`
