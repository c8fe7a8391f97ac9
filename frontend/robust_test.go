package frontend_test

import (
	"testing"

	"github.com/lanewise/lanewise/frontend"
	"github.com/lanewise/lanewise/frontend/lower"
	"github.com/lanewise/lanewise/vir/verify"
)

// TestForeignCode lowers every loop of packages that were not written for it:
// all kinds of things have to be refused, and what is lowered has to be valid.
func TestForeignCode(t *testing.T) {
	if testing.Short() {
		t.Skip("type-checks parts of the standard library")
	}
	pkgs, err := frontend.Load(frontend.Options{Every: frontend.Loops},
		"image/draw", "image/jpeg", "math/big", "compress/flate", "hash/crc32", "encoding/base64", "sort", "go/printer")
	if err != nil {
		t.Fatal(err)
	}
	regions, refused := 0, make(map[string]int)
	for _, p := range pkgs {
		for _, e := range p.Errors {
			t.Error(e)
		}
		for _, f := range p.Funcs {
			for _, tw := range f.Twins {
				for _, r := range tw.Remarks {
					refused[r.ID]++
					if r.ID == lower.Internal {
						t.Error(r)
					}
				}
				for _, r := range tw.Regions {
					regions++
					checkNormalForm(t, r)
					if err := verify.Func(r.Fn); err != nil {
						t.Errorf("%v\n%s", err, r.Fn)
					}
				}
			}
		}
	}
	t.Logf("%d loops lowered, refused: %v", regions, refused)
	if regions < 60 || len(refused) < 10 {
		t.Errorf("%d loops lowered, %d reasons", regions, len(refused))
	}
}
