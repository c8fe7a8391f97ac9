package generate

import (
	"errors"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/backend"
	"github.com/lanewise/lanewise/vectorize/outline"
	"github.com/lanewise/lanewise/vir/plan"
)

// together gives all kernels of a package the first body.
func together(ks []*plan.Kernel, _ outline.Level, _ PassOptions) (*outline.Shared, error) {
	out := &outline.Shared{}
	for i, k := range ks {
		c := *k
		c.Fn = ks[0].Fn
		out.Kernels = append(out.Kernels, &c)
		if i > 0 {
			out.Merged = append(out.Merged, outline.Merged{Kernel: i, Into: 0, Bytes: 10 * i})
		}
	}
	return out, nil
}

func TestSharedKernelIsEmittedOnce(t *testing.T) {
	p := fakePackage(t, "p", "a", "b", "c")
	s := fake(p)
	s.outline = together
	r := mustRun(t, Config{stages: s, Outline: outline.Merge})
	if got := content(r, p, nameAsm); got != "a\n" {
		t.Errorf("emitted %q", got)
	}
	var msgs []string
	for _, m := range r.Remarks {
		if m.ID == "outline:Merged" {
			msgs = append(msgs, m.Msg)
		}
	}
	want := "shares the kernel of A (estimated 10 bytes less)\nshares the kernel of A (estimated 20 bytes less)"
	if got := strings.Join(msgs, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestOutlinerFails has kernels of their own when the outliner fails, or makes what cannot
// be emitted.
func TestOutlinerFails(t *testing.T) {
	for name, change := range map[string]func(*stages){
		"panic": func(s *stages) {
			s.outline = func([]*plan.Kernel, outline.Level, PassOptions) (*outline.Shared, error) { panic("no") }
		},
		"emit": func(s *stages) {
			emit := s.emit
			s.outline = together
			s.emit = func(f backend.File) ([]byte, error) {
				if len(f.Kernels) == 1 {
					return nil, errors.New("no")
				}
				return emit(f)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := fakePackage(t, "p", "a", "b")
			s := fake(p)
			change(&s)
			r := mustRun(t, Config{stages: s, Outline: outline.Merge})
			if got := content(r, p, nameAsm); got != "a\nb\n" {
				t.Errorf("emitted %q", got)
			}
			found := false
			for _, m := range r.Remarks {
				found = found || m.ID == "internal:Outliner"
				if m.ID == "outline:Merged" {
					t.Errorf("%v", m)
				}
			}
			if !found {
				t.Error("nothing says that the outliner failed")
			}
		})
	}
}
