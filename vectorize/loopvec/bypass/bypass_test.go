package bypass

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/internal/filetest"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/interp"
	"github.com/lanewise/lanewise/vir/parse"
	"github.com/lanewise/lanewise/vir/verify"
)

// TestBlocks shows blocks before and after, and runs both where no lane, some lanes,
// and all lanes are active. The flag worth is the number of operations from which on a
// region gets a branch.
func TestBlocks(t *testing.T) {
	filetest.Run(t, "../../../testdata/bypass/*.txtar", func(t *testing.T, c *filetest.Case) {
		before, after := function(t, c), function(t, c)
		worth, err := strconv.Atoi(strings.TrimPrefix(c.Flags[0], "worth="))
		if err != nil {
			t.Fatal(err)
		}
		blocks := 0
		var regions []Region
		Block(after.Entry(), Options{
			Cost:  func(vs []*vir.Value) float64 { return float64(len(vs)) },
			Worth: float64(worth),
			Name:  func() string { blocks++; return fmt.Sprintf("if%d", blocks) },
			Made:  func(r Region) { regions = append(regions, r) },
		})
		if err := verify.Func(after); err != nil {
			t.Fatalf("%v\n%s", err, after)
		}
		c.Golden("after", after.String())
		entered, skipped := 0, 0
		r := rand.New(rand.NewPCG(1, 2))
		for range 200 {
			x, y, a := floats(r), floats(r), float32(r.IntN(9)-4)
			want, _ := run(t, before, x, y, a, nil)
			got, seen := run(t, after, x, y, a, regions)
			if !bytes.Equal(want, got) {
				t.Fatalf("x %v, y %v, a %v: got %v, want %v\n%s", x, y, a, got, want, after)
			}
			entered, skipped = entered+seen, skipped+len(regions)-seen
		}
		if len(regions) > 0 && (entered == 0 || skipped == 0) {
			t.Errorf("regions were entered %d times and skipped %d times", entered, skipped)
		}
	})
}

func function(t *testing.T, c *filetest.Case) *vir.Func {
	f, err := parse.Func(c.Section("before.vir"))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// floats are eight small numbers, often equal ones.
func floats(r *rand.Rand) []byte {
	var b []byte
	lo, hi := r.IntN(9), r.IntN(9)
	for range 8 {
		v := float32(lo - 4)
		if r.IntN(3) == 0 {
			v = float32(hi) - 4.5
		}
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return b
}

// run is the memory behind f, and the number of regions that it enters.
func run(t *testing.T, f *vir.Func, x, y []byte, a float32, regions []Region) (memory []byte, entered int) {
	mem := &interp.Memory{}
	ox, oy := mem.Alloc("x", slices.Clone(x)), mem.Alloc("y", slices.Clone(y))
	seen := map[*vir.Block]bool{}
	cfg := interp.Config{Trace: func(v *vir.Value, _ interp.Value) { seen[v.Block] = true }}
	if _, err := cfg.Run(f, mem, []interp.Value{ox.Ptr(0), oy.Ptr(0), interp.Float32(a)}); err != nil {
		t.Fatalf("%v\n%s", err, f)
	}
	for _, r := range regions {
		if seen[r.In] {
			entered++
		}
	}
	return append(slices.Clone(ox.Data), oy.Data...), entered
}
