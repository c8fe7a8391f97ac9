// Package regiontest makes regions out of vir text, for tests of analyses.
package regiontest

import (
	"slices"
	"testing"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/parse"
	"github.com/lanewise/lanewise/vir/plan"
)

// Parse reads one function in the normal form of plan.Region.
func Parse(t testing.TB, text string) *plan.Region {
	t.Helper()
	f, err := parse.Func(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	r := &plan.Region{Fn: f, Func: f.Name, Twin: f.Name, Label: f.Name}
	header := f.Entry().Succs[0]
	k := header.PredIndex(f.Entry())
	for _, phi := range header.Phis() {
		p := slices.Index(f.Params, phi.Args[k])
		if p < 0 {
			t.Fatalf("%s does not start from a parameter", phi.Inst())
		}
		r.State = append(r.State, plan.State{Param: p, Live: true})
	}
	return r
}

// Value finds a value of the region by name.
func Value(t testing.TB, r *plan.Region, name string) *vir.Value {
	t.Helper()
	for v := range r.Fn.Values {
		if v.Name == name {
			return v
		}
	}
	t.Fatalf("no value %%%s in\n%s", name, r.Fn)
	return nil
}
