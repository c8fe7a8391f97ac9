package vectorize

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/internal/filetest"
	"github.com/lanewise/lanewise/vectorize/vectest"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// TestShortcut has few iterations of reductions begin with the stage that they need, down to the one
// whose accumulators are one register. All lengths up to beyond that are compared with the scalar loop,
// called from one iteration on.
func TestShortcut(t *testing.T) {
	for _, tt := range []struct {
		elem string
		size int
		op   string
		to   string // the stages of eight registers in the main loop
		wide string // and of sixteen, with AVX-512
	}{
		{"i32", 4, "add i32 %m, %v", "tail8 tail16", "tail8 tail16 tail32"},
		{"i16", 2, "smax i16 %m, %v", "tail16 tail32", "tail16 tail32 tail64"},
		{"f64", 8, "fmin f64 %m, %v", "tail4 tail8", "tail4 tail8 tail16"},
		{"f32", 4, "fmax f32 %m, %v", "tail8 tail16", "tail8 tail16 tail32"},
		{"i64", 8, "xor i64 %m, %v", "tail4 tail8", "tail4 tail8 tail16"},
		{"i8", 1, "umin i8 %v, %m", "tail32 tail64", ""},
	} {
		text := strings.TrimSpace(fmt.Sprintf(foldLoop, tt.elem, tt.size, tt.op)) + "\n"
		for _, tgt := range []*target.Target{target.AVX2(), target.AVX512()} {
			want, unroll := tt.to, 8
			if tgt.EVEX && tt.wide != "" {
				want, unroll = tt.wide, 16
			}
			r, err := vectest.Region(text, plan.Clauses{Unroll: unroll}, "i")
			if err != nil {
				t.Fatal(err)
			}
			k, _ := Run(r, tgt, Options{Verify: true})
			if k == nil {
				t.Fatalf("no kernel of\n%s", text)
			}
			var to []string
			for _, b := range k.Fn.Blocks {
				if strings.HasPrefix(b.Name, "few") {
					to = append(to, b.Succs[0].Name)
				}
			}
			if got := strings.Join(to, " "); got != want {
				t.Errorf("%s: few iterations go to %q, want %q\n%s", tt.op, got, want, k.Fn)
			}
			k.Min = 1
			if _, err := vectest.Compare(r, k, 1, 300, 40); err != nil {
				t.Errorf("%s: %v\n%s", tt.op, err, k.Fn)
			}
		}
	}
}

// TestShortcutOfPolynomials compares reductions whose accumulators stand for places.
func TestShortcutOfPolynomials(t *testing.T) {
	filetest.Run(t, "../testdata/loopvec/horner.txtar", func(t *testing.T, c *filetest.Case) {
		r := corpusRegion(t, c)
		k, _ := Run(r, target.AVX2(), Options{Verify: true})
		if k == nil || !slices.ContainsFunc(k.Fn.Blocks, func(b *vir.Block) bool { return b.Name == "few" }) {
			t.Fatal("no kernel with a shortcut")
		}
		k.Min = 1
		if _, err := vectest.Compare(r, k, 1, 300, 40); err != nil {
			t.Errorf("%v\n%s", err, k.Fn)
		}
	})
}
