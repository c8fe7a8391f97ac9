package randloop

import (
	"flag"
	"testing"

	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/internal/generate"
	"github.com/lanewise/lanewise/vectorize/outline"
)

var outlined = flag.Int("outlined", 40, "number of random functions that share code")

// Twins of random loops that share all code that they can behave like their originals.
// All of them are one package, so that there is much to share. A longer run:
// go test ./internal/randloop -run Outlined -seed 7 -outlined 150 -v
func TestOutlined(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a package")
	}
	c := generate.Config{Outline: outline.Size, Passes: generate.PassOptions{Guess: true}}
	differential(t, Source("loops", *seed+1, *outlined, *nests), c, reportOutlined)
}

// reportOutlined prints what is shared.
func reportOutlined(t *testing.T, remarks []diag.Remark) {
	unbroken(t, remarks)
	routines, places, merged := 0, 0, 0
	for _, r := range remarks {
		switch r.ID {
		case "outline:Routine":
			routines++
			places += r.Args["places"].(int)
		case "outline:Merged":
			merged++
		}
	}
	t.Logf("seed %d: %d functions, %d routines, %d calls of them, %d kernels merged", *seed, *outlined, routines, places, merged)
	if routines*4 < *outlined {
		t.Errorf("only %d routines", routines)
	}
}
