package generate

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lanewise/lanewise/frontend"
	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/vir/plan"
)

// TestTooShort asks about for i := -1; i <= limit; i += step with kernels for 14
// iterations and more.
func TestTooShort(t *testing.T) {
	minusOne := int64(-1)
	for _, tt := range []struct {
		name        string
		init        *int64
		limit, step int64
		cond        plan.Cond
		want        bool
	}{
		{"3 iterations", &minusOne, 1, 1, plan.LessEq, true},
		{"13 iterations", &minusOne, 11, 1, plan.LessEq, true},
		{"14 iterations", &minusOne, 12, 1, plan.LessEq, false},
		{"13 with a limit that is not reached", &minusOne, 12, 1, plan.Less, true},
		{"13 in steps", &minusOne, 24, 2, plan.LessEq, true},
		{"downwards without an end", &minusOne, -1000, -1, plan.GreaterEq, false},
		{"from anywhere", nil, 1, 1, plan.LessEq, false},
	} {
		r := &frontend.Region{}
		r.State = []plan.State{{Param: 2, Init: tt.init}}
		a := &attempt{region: r, kernel: &plan.Kernel{
			Min:  14,
			Trip: plan.Trip{Cond: tt.cond, Start: plan.Param(2), Limit: plan.Const(tt.limit), Step: tt.step},
		}}
		if got := a.tooShort(); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// What stays scalar for one reason is said once, for each twin; what is vectorized is said as often as it is.
func TestOnce(t *testing.T) {
	missed := func(twin, msg string) diag.Remark {
		return diag.Remark{Kind: diag.Missed, ID: "a:B", Twin: twin, Msg: msg}
	}
	passed := diag.Remark{Kind: diag.Passed, ID: "a:C", Twin: "F", Msg: "VF 8"}
	rs := []diag.Remark{missed("F", "x"), passed, missed("F", "x"), missed("G", "x"), passed, missed("F", "y")}
	want := []diag.Remark{missed("F", "x"), passed, missed("G", "x"), passed, missed("F", "y")}
	if d := cmp.Diff(want, once(rs)); d != "" {
		t.Error(d)
	}
}
