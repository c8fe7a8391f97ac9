package vectorize

import (
	"slices"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/internal/filetest"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
)

// TestTransforms shows the body of a region after a pass: testdata/align, constants, enumerate, even, hoist,
// ifconv, keep, late, narrow, reduce, reload, room, settle, slide, speculate, through, transpose, unsign, whole and wrap. The flag after=pass names it; the section body is the text.
func TestTransforms(t *testing.T) {
	for _, area := range []string{"align", "confine", "constants", "enumerate", "even", "hoist", "ifconv", "keep", "late", "narrow", "reduce", "reload", "room", "settle", "slide", "speculate", "through", "transpose", "unsign", "whole", "words", "wrap"} {
		t.Run(area, func(t *testing.T) {
			filetest.Run(t, "../testdata/"+area+"/*.txtar", func(t *testing.T, c *filetest.Case) {
				last := c.Flags[0][len("after="):]
				c.Flags = c.Flags[1:]
				n := slices.IndexFunc(passes, func(p pass.Pass) bool { return p.Name == last }) + 1
				u := pass.NewUnit(corpusRegion(t, c), target.AVX2(), pass.Limit{})
				u.Transpose, u.Speculate, u.Enumerate = last == "transpose", last == "speculate", last == "enumerate"
				var skip []string
				for _, name := range []string{"align", "even"} { // they are not always wanted
					if last != name {
						skip = append(skip, name)
					}
				}
				if err := (&pass.Runner{Passes: passes[:n], Skip: skip, Verify: true}).Run(u); err != nil {
					c.Golden("refusal", err.Error()+"\n")
					return
				}
				c.Golden("body", body(u.Region.Fn))
			})
		})
	}
}

// body is the text of the block body.
func body(f *vir.Func) string {
	_, text, _ := strings.Cut(f.String(), "\nbody:\n")
	text, _, _ = strings.Cut(text, "latch:\n")
	return text
}
