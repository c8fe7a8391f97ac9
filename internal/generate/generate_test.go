package generate

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/lanewise/lanewise/backend"
	"github.com/lanewise/lanewise/frontend"
	"github.com/lanewise/lanewise/frontend/twin"
	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/internal/filetest"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// fake is a pipeline over made-up packages: the vectorizer makes an empty
// kernel of every region, the assembly is the list of kernel names.
func fake(pkgs ...*frontend.Package) stages {
	return stages{
		load: func(context.Context, Config) ([]*frontend.Package, error) { return pkgs, nil },
		vectorize: func(r *plan.Region, _ PassOptions) (*plan.Kernel, []diag.Remark) {
			return &plan.Kernel{Fn: vir.NewFunc(r.Label)}, []diag.Remark{
				{Kind: diag.Passed, ID: "loopvec:Vectorized", Pos: r.Pos, Twin: r.Twin},
				{Kind: diag.Analysis, ID: "loopvec:Plan", Pos: r.Pos, Twin: r.Twin},
			}
		},
		emit: func(f backend.File) ([]byte, error) {
			s := "// " + Header + "\n"
			for _, k := range f.Kernels {
				s += k.Fn.Name + "\n"
			}
			return []byte(s), nil
		},
		twins: func(p *frontend.Package, ks twin.Kernels, _ twin.Options) (amd64, generic []byte, err error) {
			s := "// " + Header + "\n"
			for _, f := range p.Funcs {
				for _, t := range f.Twins {
					for _, r := range t.Regions {
						if ks[r] != nil {
							s += r.Label + "\n"
						}
					}
				}
			}
			return []byte(s), []byte("// " + Header + "\ngeneric\n"), nil
		},
		tests: func(*frontend.Package, twin.Kernels, twin.Options) ([]byte, error) {
			return []byte("// " + Header + "\ntests\n"), nil
		},
	}
}

// fakePackage has one function with a twin and a region per label.
func fakePackage(t *testing.T, path string, labels ...string) *frontend.Package {
	t.Helper()
	p := &frontend.Package{Package: &packages.Package{PkgPath: path, Name: path}, Dir: t.TempDir()}
	for i, l := range labels {
		tw := &frontend.Twin{Name: strings.ToUpper(l)}
		tw.Regions = []*frontend.Region{{Region: plan.Region{
			Label: l, Func: l, Twin: tw.Name, Pos: vir.Pos{File: filepath.Join(p.Dir, "a.go"), Line: i + 1, Col: 2},
		}}}
		p.Funcs = append(p.Funcs, &frontend.Func{Twins: []*frontend.Twin{tw}})
	}
	return p
}

func mustRun(t *testing.T, c Config) *Result {
	t.Helper()
	r, err := Run(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// content is what a result has for a file of a package.
func content(r *Result, p *frontend.Package, name string) string {
	for _, f := range r.Files {
		if f.Path == filepath.Join(p.Dir, name) {
			if f.Delete {
				return "deleted"
			}
			return strings.TrimPrefix(string(f.Content), "// "+Header+"\n")
		}
	}
	return "absent"
}

func TestFilesOfPackage(t *testing.T) {
	p := fakePackage(t, "p", "one", "two")
	r := mustRun(t, Config{stages: fake(p)})
	for name, want := range map[string]string{
		nameGo: "one\ntwo\n", nameAsm: "one\ntwo\n", nameGeneric: "generic\n", nameTest: "absent",
	} {
		if got := content(r, p, name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	r = mustRun(t, Config{Tests: true, stages: fake(p)})
	if got := content(r, p, nameTest); got != "tests\n" {
		t.Errorf("with Tests, %s is %q", nameTest, got)
	}
}

func TestPackagesInOrder(t *testing.T) {
	a, b := fakePackage(t, "a", "x"), fakePackage(t, "b", "y")
	first := mustRun(t, Config{stages: fake(a, b)})
	second := mustRun(t, Config{stages: fake(b, a)})
	if !slices.EqualFunc(first.Files, second.Files, func(f, g File) bool { return f.Path == g.Path }) {
		t.Error("the order of files depends on the order of loading")
	}
}

// TestFailingRegionStaysScalar lets the stages break on one of three loops.
func TestFailingRegionStaysScalar(t *testing.T) {
	good := fake()
	tests := []struct {
		name  string
		id    string
		spoil func(*stages)
	}{
		{"vectorizer panics", "internal:Vectorizer", func(s *stages) {
			s.vectorize = func(r *plan.Region, o PassOptions) (*plan.Kernel, []diag.Remark) {
				if r.Label == "two" {
					panic("broken")
				}
				return good.vectorize(r, o)
			}
		}},
		{"backend fails", "internal:Backend", func(s *stages) {
			s.emit = func(f backend.File) ([]byte, error) {
				for _, k := range f.Kernels {
					if k.Fn.Name == "two" {
						return nil, errors.New("broken")
					}
				}
				return good.emit(f)
			}
		}},
		{"backend panics", "internal:Backend", func(s *stages) {
			s.emit = func(f backend.File) ([]byte, error) {
				for _, k := range f.Kernels {
					if k.Fn.Name == "two" {
						panic("broken")
					}
				}
				return good.emit(f)
			}
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := fakePackage(t, "p", "one", "two", "three")
			s := fake(p)
			tt.spoil(&s)
			r := mustRun(t, Config{stages: s})
			for _, name := range []string{nameGo, nameAsm} {
				if got := content(r, p, name); got != "one\nthree\n" {
					t.Errorf("%s is %q", name, got)
				}
			}
			var verdicts []string
			for _, m := range r.Remarks {
				if m.Twin == "TWO" && m.Kind != diag.Analysis {
					verdicts = append(verdicts, string(m.Kind)+" "+m.ID)
				}
			}
			if want := []string{"missed " + tt.id}; !slices.Equal(verdicts, want) {
				t.Errorf("verdicts %q, want %q", verdicts, want)
			}
			if len(r.Errors) > 0 {
				t.Errorf("errors: %v", r.Errors)
			}

			p.Funcs[1].Twins[0].Regions[0].Clauses.Require = true
			if r := mustRun(t, Config{stages: s}); len(r.Errors) != 1 || r.Errors[0].Pos.Line != 2 {
				t.Errorf("with require, errors: %v", r.Errors)
			}
		})
	}
}

func TestRemarksOfLoopsThatAreNoRegions(t *testing.T) {
	p := fakePackage(t, "p", "one")
	pos := vir.Pos{File: filepath.Join(p.Dir, "a.go"), Line: 7, Col: 2}
	p.Funcs[0].Twins[0].Remarks = []diag.Remark{{Kind: diag.Missed, ID: "lower:Channel", Pos: pos, Msg: "channels"}}
	r := mustRun(t, Config{Dir: p.Dir, stages: fake(p)})
	if last := r.Remarks[len(r.Remarks)-1]; last.String() != "a.go:7:2: not vectorized: channels [lower:Channel]" {
		t.Errorf("last remark %v", last)
	}
}

func TestAskedForLoopWarns(t *testing.T) {
	p := fakePackage(t, "p", "one", "two")
	p.Funcs[1].Twins[0].Regions[0].Asked = true
	s := fake(p)
	s.vectorize = func(r *plan.Region, _ PassOptions) (*plan.Kernel, []diag.Remark) {
		return nil, []diag.Remark{{Kind: diag.Missed, Pos: r.Pos, Args: map[string]any{"trips": 3}}, {Kind: diag.Analysis, Pos: r.Pos}}
	}
	var asked []int
	for _, m := range mustRun(t, Config{stages: s}).Remarks {
		if Asked(m) {
			asked = append(asked, m.Pos.Line)
			if m.Args["trips"] != 3 {
				t.Errorf("arguments %v", m.Args)
			}
		}
	}
	if !slices.Equal(asked, []int{2}) {
		t.Errorf("warnings at lines %v, want 2", asked)
	}
}

func TestRequireIsReportedBesideOtherErrors(t *testing.T) {
	p := fakePackage(t, "p", "one")
	p.Errors = []diag.Error{{Pos: vir.Pos{File: filepath.Join(p.Dir, "a.go"), Line: 9, Col: 1}, Msg: "other"}}
	p.Funcs[0].Twins[0].Regions[0].Clauses.Require = true
	s := fake(p)
	s.vectorize = func(r *plan.Region, _ PassOptions) (*plan.Kernel, []diag.Remark) {
		return nil, []diag.Remark{{Kind: diag.Missed, ID: "x:Y", Pos: r.Pos, Msg: "no"}}
	}
	r := mustRun(t, Config{Dir: p.Dir, stages: s})
	if len(r.Errors) != 2 || r.Errors[0].Error() != "a.go:1:2: the loop is required to be vectorized, but: no [x:Y]" {
		t.Errorf("errors: %v", r.Errors)
	}
}

func TestNoKernelNoAssembly(t *testing.T) {
	p := fakePackage(t, "p", "one")
	s := fake(p)
	s.vectorize = func(r *plan.Region, _ PassOptions) (*plan.Kernel, []diag.Remark) {
		return nil, []diag.Remark{{Kind: diag.Missed, Pos: r.Pos}}
	}
	filetest.Write(t, filepath.Join(p.Dir, nameAsm), "// "+Header+"\nold\n")
	r := mustRun(t, Config{stages: s})
	if got := content(r, p, nameAsm); got != "deleted" {
		t.Errorf("%s is %q", nameAsm, got)
	}
	if got := content(r, p, nameGo); got != "" {
		t.Errorf("%s is %q", nameGo, got)
	}
}

func TestErrorsOfPackagesAreAllReported(t *testing.T) {
	a, b := fakePackage(t, "a", "x"), fakePackage(t, "b", "y")
	a.Errors = []diag.Error{{Pos: vir.Pos{File: "/z.go", Line: 2}, Msg: "second"}, {Pos: vir.Pos{File: "/z.go", Line: 1}, Msg: "first"}}
	b.Errors = []diag.Error{{Pos: vir.Pos{File: "/z.go", Line: 3}, Msg: "third"}}
	r := mustRun(t, Config{stages: fake(a, b)})
	var msgs []string
	for _, e := range r.Errors {
		msgs = append(msgs, e.Msg)
	}
	if !slices.Equal(msgs, []string{"first", "second", "third"}) {
		t.Errorf("errors: %v", r.Errors)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		return "absent"
	}
	return string(b)
}

func TestLeftOverIsKnownByHeader(t *testing.T) {
	p := fakePackage(t, "p")
	filetest.Write(t, filepath.Join(p.Dir, nameGo), "// "+Header+"\r\nold\n")
	filetest.Write(t, filepath.Join(p.Dir, nameGeneric), "package user\n")
	r := mustRun(t, Config{stages: fake(p)})
	if got := content(r, p, nameGo); got != "deleted" {
		t.Errorf("%s is %q", nameGo, got)
	}
	if got := content(r, p, nameGeneric); got != "absent" {
		t.Errorf("a file of the user is %q", got)
	}
}

func TestUsersFileInTheWay(t *testing.T) {
	p := fakePackage(t, "p", "one")
	filetest.Write(t, filepath.Join(p.Dir, nameGeneric), "package user\n")
	r := mustRun(t, Config{stages: fake(p)})
	if len(r.Errors) != 1 || !strings.Contains(r.Errors[0].Error(), nameGeneric+":1:1: ") {
		t.Errorf("errors: %v", r.Errors)
	}
}

func TestWriteAndStatus(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) File { return File{Path: filepath.Join(dir, name), Content: []byte(text)} }
	a, b, gone := file("a", "1\n"), file("b", "2\n"), File{Path: filepath.Join(dir, "gone"), Delete: true}
	filetest.Write(t, a.Path, "old\n")
	os.Chmod(a.Path, 0o600)
	filetest.Write(t, gone.Path, "x")
	for _, c := range []struct {
		f    File
		want Status
	}{{a, Stale}, {b, Missing}, {gone, LeftOver}} {
		if st, err := c.f.Status(); st != c.want || err != nil {
			t.Errorf("%s is %q (%v), want %q", c.f.Path, st, err, c.want)
		}
	}
	if err := Write([]File{a, b, gone}); err != nil {
		t.Fatal(err)
	}
	for _, f := range []File{a, b, gone} {
		if st, err := f.Status(); st != Fresh || err != nil {
			t.Errorf("after Write, %s is %q (%v)", f.Path, st, err)
		}
	}
	if st, _ := os.Stat(a.Path); st.Mode().Perm() != 0o600 {
		t.Errorf("mode of a rewritten file is %v", st.Mode())
	}
	if list, _ := os.ReadDir(dir); len(list) != 2 {
		t.Errorf("%d files in the folder, want 2", len(list))
	}
}

// TestWriteAllOrNothing makes the last of three files impossible.
func TestWriteAllOrNothing(t *testing.T) {
	dir := t.TempDir()
	filetest.Write(t, filepath.Join(dir, "a"), "old")
	if err := os.Mkdir(filepath.Join(dir, "c"), 0o755); err != nil {
		t.Fatal(err)
	}
	var files []File
	for _, name := range []string{"a", "b", "c"} {
		files = append(files, File{Path: filepath.Join(dir, name), Content: []byte("new")})
	}
	err := Write(files)
	if err == nil || !strings.Contains(err.Error(), files[2].Path) {
		t.Errorf("error %v, want one about %s", err, files[2].Path)
	}
	if got := read(t, files[0].Path); got != "old" {
		t.Errorf("a is %q", got)
	}
	if list, _ := os.ReadDir(dir); len(list) != 2 {
		t.Errorf("%d entries in the folder, want 2", len(list))
	}
}

func TestRelative(t *testing.T) {
	for _, c := range []struct{ dir, file, want string }{
		{"/w/m", "/w/m/a.go", "a.go"},
		{"/w/m", "/w/m/x/a.go", "x/a.go"},
		{"/w/m", "/w/other/a.go", "/w/other/a.go"},
		{"/w/m", "a.go", "a.go"},
		{"/w/m", "/w/m/..a.go", "..a.go"},
	} {
		if got := Relative(c.dir, c.file); got != c.want {
			t.Errorf("Relative(%s, %s) = %s, want %s", c.dir, c.file, got, c.want)
		}
	}
}
