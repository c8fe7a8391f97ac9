package survey

import (
	"context"
	"errors"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lanewise/lanewise/frontend"
	"github.com/lanewise/lanewise/internal/generate"
	"github.com/lanewise/lanewise/vectorize/outline"
)

// TestForeignCode considers packages that were not written for lanewise: all kinds of things
// have to be refused, and what is generated has to be right as far as compilers see it.
func TestForeignCode(t *testing.T) {
	if testing.Short() {
		t.Skip("type-checks parts of the standard library")
	}
	c := Config{Limit: 10 * time.Second, Assemble: true}
	c.Patterns = []string{"compress/flate", "encoding/base64", "image/draw", "slices", "sort", "strings", "go/printer", "container/ring"}
	c.Every, c.Outline, c.Tests = frontend.Loops, outline.Merge, true
	sum, err := Run(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range sum.Errors {
		t.Error(e)
	}
	for _, msg := range sum.Complaints {
		t.Error(msg)
	}
	var text strings.Builder
	sum.Print(&text)
	t.Log(text.String())
	if sum.Packages != len(c.Patterns) || sum.Loops < 300 || sum.Loop.Vectorized < 40 || len(sum.Loop.Reasons) < 15 {
		t.Error("there should be more of that")
	}
	if n := sum.Loop.Vectorized + sum.Loop.Refused + sum.Loop.Ceded; n != sum.Loops {
		t.Errorf("%d loops with a verdict", n)
	}
}

// What must not be is a complaint. Each case spoils one thing in what becomes of a package.
func TestComplaints(t *testing.T) {
	replace := func(name, from, to string) func(*generate.Outcome) {
		return func(o *generate.Outcome) {
			for i, f := range o.Files {
				if strings.HasSuffix(f.Path, name) {
					o.Files[i].Content = []byte(strings.Replace(string(f.Content), from, to, 1))
				}
			}
		}
	}
	c := Config{Assemble: true}
	c.Patterns = []string{"github.com/lanewise/lanewise/examples/axpy"}
	s, err := newSurveyor(c)
	if err != nil {
		t.Fatal(err)
	}
	var made *generate.Outcome
	if err := generate.Each(context.Background(), s.Config.Config, func(o *generate.Outcome) error {
		made = o
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		want  string // of a complaint; "" for none at all
		spoil func(*generate.Outcome)
	}{
		{"", func(*generate.Outcome) {}},
		{"generated file: ", replace("vec_amd64.go", "a float32", "a float64")},
		{"generated file does not parse", replace("vec_generic.go", "{", "")},
		{"go tool asm", replace(".s", "VMULPS", "VMULPX")},
		{"go vet", replace(".s", "n+", "m+")},
		{"loop with 0 verdicts", func(o *generate.Outcome) { o.Regions = nil }},
		{"region with 0 verdicts", func(o *generate.Outcome) { o.Regions[0].Remarks = nil }},
		{"region with 2 verdicts", func(o *generate.Outcome) {
			o.Regions[0].Remarks = append(o.Regions[0].Remarks, o.Regions[0].Remarks...)
		}},
		{"do not go together", func(o *generate.Outcome) { o.Regions[0].Kernel = nil }},
		{"remark without a reason", func(o *generate.Outcome) { o.Regions[0].Remarks[0].Msg = " " }},
		{"internal:Backend", func(o *generate.Outcome) { o.Regions[0].Remarks[0].ID = "internal:Backend" }},
		{"a fault", func(o *generate.Outcome) { o.Fault = errors.New("a fault") }},
	} {
		s.sum = &Summary{}
		o := *made
		o.Files, o.Regions = slices.Clone(made.Files), slices.Clone(made.Regions)
		for i := range o.Regions {
			o.Regions[i].Remarks = slices.Clone(o.Regions[i].Remarks)
		}
		c.spoil(&o)
		if err := s.consider(&o); err != nil {
			t.Fatal(err)
		}
		told := strings.Join(s.sum.Complaints, "\n")
		if c.want == "" && told != "" || !strings.Contains(told, c.want) {
			t.Errorf("want complaint %q, have %q", c.want, told)
		}
	}
}

// A function that takes long is a complaint, one that does not is none.
func TestLimit(t *testing.T) {
	now := time.Duration(0)
	s := &surveyor{sum: &Summary{}, Config: Config{Limit: time.Second, Clock: func() time.Duration { return now }}}
	fn := &frontend.Func{Obj: types.NewFunc(token.NoPos, types.NewPackage("p", "p"), "f", types.NewSignatureType(nil, nil, nil, nil, nil, false))}
	for _, took := range []time.Duration{time.Second / 2, 2 * time.Second} {
		s.watch(&frontend.Twin{Func: fn}, false)
		now += took
		s.watch(&frontend.Twin{Func: fn}, true)
	}
	if want := []string{"p.f: took 2s"}; !slices.Equal(s.sum.Complaints, want) {
		t.Errorf("complaints %q, want %q", s.sum.Complaints, want)
	}
}
