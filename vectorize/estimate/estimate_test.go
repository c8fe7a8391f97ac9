package estimate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vir/parse"
)

// word puts a word together from bytes at the given places, and stores it byte by byte.
func word(t *testing.T, places [4]int) (merged int, busy, plain float64) {
	t.Helper()
	var sb strings.Builder
	sb.WriteString("func @f(%a ptr {elem 1}, %b ptr {elem 1}) {\nentry:\n")
	for k, at := range places {
		fmt.Fprintf(&sb, "\t%%x%d = load i8 [%%a + %d]\n\t%%y%d = zext i32 %%x%d\n\t%%c%d = const i32 %d\n\t%%z%d = shl i32 %%y%d, %%c%d\n", k, at, k, k, k, 8*k, k, k, k)
	}
	sb.WriteString("\t%o1 = or i32 %z0, %z1\n\t%o2 = or i32 %o1, %z2\n\t%o3 = or i32 %o2, %z3\n")
	for k := range 4 {
		fmt.Fprintf(&sb, "\t%%s%d = lshr i32 %%o3, %%c%d\n\t%%t%d = trunc i8 %%s%d\n\tstore i8 %%t%d, [%%b + %d]\n", k, k, k, k, k, k)
	}
	sb.WriteString("\tret\n}\n")
	f, err := parse.Func(sb.String())
	if err != nil {
		t.Fatal(err)
	}
	costs := target.AVX2().ScalarCost
	return len(mergedBytes(f, f.Uses())), Of(f, Compiled(f, costs), false).Busy, Of(f, costs, false).Busy
}

func TestBytesOfWords(t *testing.T) {
	for name, c := range map[string]struct {
		places [4]int
		loads  bool
	}{
		"forwards": {[4]int{3, 4, 5, 6}, true}, "backwards": {[4]int{6, 5, 4, 3}, true},
		"mixed": {[4]int{3, 5, 4, 6}, false}, "apart": {[4]int{0, 2, 4, 6}, false},
	} {
		merged, busy, plain := word(t, c.places)
		want := 3 + 8 // stores, shifts and truncations
		if c.loads {
			want += 3 + 8 + 3
		}
		if merged != want || busy >= plain {
			t.Errorf("%s: %d values are merged instead of %d, %v cycles after %v", name, merged, want, busy, plain)
		}
	}
}
