package frontend_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/frontend"
	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/internal/filetest"
	"github.com/lanewise/lanewise/vir/verify"
)

// module writes files into a fresh module and returns its directory.
func module(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	if _, ok := files["go.mod"]; !ok {
		files["go.mod"] = "module m\n\ngo 1.26\n"
	}
	for name, text := range files {
		filetest.Write(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
	return dir
}

func load(t testing.TB, dir string, patterns ...string) []*frontend.Package {
	t.Helper()
	pkgs, err := frontend.Load(frontend.Options{Dir: dir}, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	return pkgs
}

// files are the sections of a case that are input.
func files(c *filetest.Case) map[string]string {
	m := make(map[string]string)
	for _, name := range c.Names() {
		if strings.Contains(name, ".") {
			m[name] = c.Section(name)
		}
	}
	return m
}

// TestLower compares lowered loops, errors and remarks with the sections of
// testdata/lower. A remark is wanted on the line that ends in a want comment.
func TestLower(t *testing.T) { testFiles(t, "../testdata/lower/*.txt") }

// TestLoad does the same for what can go wrong before.
func TestLoad(t *testing.T) { testFiles(t, "../testdata/load/*.txt") }

func testFiles(t *testing.T, pattern string) {
	filetest.Run(t, pattern, func(t *testing.T, c *filetest.Case) {
		in := files(c)
		pkgs := load(t, module(t, in), "./...")
		var errs, regions strings.Builder
		var remarks []diag.Remark
		for _, p := range pkgs {
			for _, e := range p.Errors {
				fmt.Fprintln(&errs, e)
			}
			for _, f := range p.Funcs {
				for _, tw := range f.Twins {
					remarks = append(remarks, tw.Remarks...)
					for _, r := range tw.Regions {
						describe(t, &regions, r)
					}
				}
			}
		}
		if errs.Len() > 0 || c.Has("errors") {
			c.Golden("errors", errs.String())
		}
		if regions.Len() > 0 || c.Has("vir") {
			c.Golden("vir", regions.String())
		}
		checkWants(t, in, remarks)
	})
}

func describe(t *testing.T, sb *strings.Builder, r *frontend.Region) {
	if err := verify.Func(r.Fn); err != nil {
		t.Errorf("%v\n%s", err, r.Fn)
	}
	checkNormalForm(t, r)
	fmt.Fprint(sb, r.Fn)
	for i, p := range r.Params {
		fmt.Fprintf(sb, "// %s: %s\n", r.Fn.Params[i].Name, paramText(p))
	}
	for i, s := range r.State {
		fmt.Fprintf(sb, "// state %s:", r.Fn.Params[s.Param].Name)
		if v := r.Vars[i]; v.Obj != nil {
			fmt.Fprintf(sb, " %s", v.Obj.Name())
		}
		if r.Vars[i].Local {
			fmt.Fprint(sb, " local")
		}
		if s.Init != nil {
			fmt.Fprintf(sb, " init %d", *s.Init)
		}
		if s.Live {
			fmt.Fprint(sb, " live")
		}
		fmt.Fprintln(sb)
	}
	fmt.Fprintln(sb)
}

// checkWants compares remarks with comments of the form // want `text`, several
// texts for several remarks.
func checkWants(t *testing.T, in map[string]string, remarks []diag.Remark) {
	t.Helper()
	want := make(map[string][]string)
	for name, text := range in {
		for i, line := range strings.Split(text, "\n") {
			_, w, ok := strings.Cut(line, "// want ")
			for ok {
				var s string
				_, w, _ = strings.Cut(w, "`")
				s, w, ok = strings.Cut(w, "`")
				if ok {
					at := fmt.Sprintf("%s:%d", name, i+1)
					want[at] = append(want[at], s)
				}
			}
		}
	}
	for _, r := range remarks {
		at := fmt.Sprintf("%s:%d", r.Pos.File, r.Pos.Line)
		got := fmt.Sprintf("%s [%s]", r.Msg, r.ID)
		found := false
		for i, w := range want[at] {
			if strings.Contains(got, w) {
				want[at] = append(want[at][:i:i], want[at][i+1:]...)
				found = true
				break
			}
		}
		if !found {
			t.Errorf("%s: unexpected remark: %s", r.Pos, got)
		}
	}
	for at, ws := range want {
		for _, w := range ws {
			t.Errorf("%s: no remark %q", at, w)
		}
	}
}
