package slp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/internal/filetest"
	"github.com/lanewise/lanewise/vectorize/alias"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/parse"
	"github.com/lanewise/lanewise/vir/verify"
)

// TestFiles packs the functions of files, compares the trees and what becomes of the
// function with what the files expect, and runs both. The flag document stands for the
// costs of the description that the algorithm comes from, reassoc for sums of floats in
// any order, bytes=N for vectors of at most so many bytes, untested for accesses that
// nobody can test to lie apart.
func TestFiles(t *testing.T) {
	filetest.Run(t, "../../testdata/slp/*.txtar", func(t *testing.T, c *filetest.Case) {
		f, err := parse.Func(c.Section("in"))
		if err != nil {
			t.Fatal(err)
		}
		before := f.Clone()
		opt := Options{Costs: OnTarget(target.AVX2(), f), Bytes: 32, Reassoc: c.Flag("reassoc")}
		opt.Testable = func(v *vir.Value) bool { return v.Op == vir.OpParam || v.Op == vir.OpConst }
		if c.Flag("document") {
			opt.Costs = documentCosts{}
		}
		if c.Flag("untested") {
			opt.Testable = nil
		}
		for _, flag := range c.Flags {
			if _, err := fmt.Sscanf(flag, "bytes=%d", &opt.Bytes); err == nil {
				break
			}
		}
		r := Run(f, opt)
		c.Golden("trees", r.text())
		if err := verify.Func(f); err != nil {
			t.Fatalf("%v\n%s", err, f)
		}
		if c.Has("out") {
			c.Golden("out", f.String())
		}
		if err := same(before, f, r, opt.Reassoc); err != nil {
			t.Errorf("%v\n%s", err, f)
		}
	})
}

func (r *Result) text() string {
	var sb strings.Builder
	for _, t := range r.Trees {
		fmt.Fprintf(&sb, "%s, %d lanes: %+.4g\n", t.Seed, t.Lanes, t.Cost)
		for line := range strings.Lines(t.Text) {
			sb.WriteString("\t" + line)
		}
	}
	fmt.Fprintf(&sb, "all: %+.4g\n", r.Cost)
	for _, a := range r.Apart {
		fmt.Fprintf(&sb, "apart: %s, %s\n", rangeText(a.A), rangeText(a.B))
	}
	return sb.String()
}

func rangeText(r alias.Range) string {
	s := name(r.Base)
	if r.Index != nil {
		s += fmt.Sprintf("+%s*%d", name(r.Index), r.Scale)
	}
	return fmt.Sprintf("%s[%d:%d]", s, r.Lo, r.Hi)
}

// documentCosts are those of the description: one instruction costs as much for lanes as
// for a scalar, 1 for integers and memory and 2 for floats, but for the multiplication of
// integer lanes, which costs 6.
type documentCosts struct{}

func (documentCosts) Scalar(v *vir.Value) float64 {
	switch {
	case v.Op == vir.OpPhi:
		return 0
	case v.Op.Info().Rule == vir.RuleFloat:
		return 2
	}
	return 1
}

func (d documentCosts) Vector(n *node) (float64, bool) {
	if n.op == vir.OpMul {
		return 6, true
	}
	if n.kind == super {
		return d.Scalar(n.first()) * float64(len(n.terms)-1), true
	}
	return d.Scalar(n.first()), true
}

func (documentCosts) Build(n *node) float64 {
	switch n.kind {
	case constants:
		return 0
	case splat, shuffle:
		return 1
	}
	return float64(n.width())
}

func (documentCosts) Extract(t vir.Type, lane int, stored bool) float64 {
	if t.Elem.IsFloat() && lane == 0 {
		return 0
	}
	return 1
}

func (documentCosts) Reduce(op vir.Op, t vir.Type, pairwise bool) float64 {
	if pairwise {
		return 4
	}
	return 3
}

func (documentCosts) Combine(op vir.Op, t vir.Type) float64 {
	return documentCosts{}.Scalar(&vir.Value{Op: op})
}

func (documentCosts) Wait() float64 { return 0 }
