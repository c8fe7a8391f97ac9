package simplify_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/vectorize/simplify"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/parse"
)

func TestShufflesOfShuffles(t *testing.T) {
	for _, tt := range []struct {
		name, body string
		shuffles   int    // that are left
		has        string // what one of them is like
	}{
		{"there and back", `
	%a = shuffle i32x4 %x, %y, {0, 4, 1, 5}
	%b = shuffle i32x4 %x, %y, {2, 6, 3, 7}
	%c = shuffle i32x4 %a, %b, {0, 2, 4, 6}`, 0, ""},
		{"one after the other", `
	%a = shuffle i32x4 %x, {1, 0, 3, 2}
	%c = shuffle i32x4 %a, {2, 3, 0, 1}`, 1, "%x, {3, 2, 1, 0}"},
		{"of two vectors", `
	%a = shuffle i32x4 %x, %y, {0, 4, 1, 5}
	%c = shuffle i32x4 %a, {3, 2, 1, 0}`, 2, "{3, 2, 1, 0}"},
		{"lanes that nobody needs", `
	%a = shuffle i32x4 %x, %y, {0, 4, 1, 5}
	%c = shuffle i32x4 %a, {-1, 0, 2, -1}`, 1, "%x, {-1, 0, 1, -1}"},
		{"through another length", `
	%a = shuffle i32x8 %x, %y, {0, 1, 2, 3, 4, 5, 6, 7}
	%c = shuffle i32x4 %a, {3, 2, 1, 0}`, 1, "%x, {3, 2, 1, 0}"},
		{"across halves by bytes", `
	%d = load.unit i8x32 [%p]
	%a = shuffle i8x32 %d, {31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0}
	%b = shuffle i8x32 %a, {1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14, 17, 16, 19, 18, 21, 20, 23, 22, 25, 24, 27, 26, 29, 28, 31, 30}
	store.unit i8x32 %b, [%p]
	%c = add i32x4 %x, %y`, 2, "{1, 0, 3"},
	} {
		f, err := parse.Func("func @f(%p ptr, %x i32x4, %y i32x4) () {\nentry:" + tt.body + "\n\tstore.unit i32x4 %c, [%p + 64]\n\tret\n}")
		if err != nil {
			t.Fatal(err)
		}
		simplify.Func(f, always)
		if s := f.String(); strings.Count(s, "shuffle") != tt.shuffles || !strings.Contains(s, tt.has) {
			t.Errorf("%s: want %d shuffles, %q\n%s", tt.name, tt.shuffles, tt.has, s)
		}
	}
}

// TestShufflesKeepLanes follows every lane of random shuffles of shuffles.
func TestShufflesKeepLanes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	changed := 0
	for range 3000 {
		typ := []string{"i8x16", "i8x32", "i16x8", "i32x8", "f64x4"}[rng.IntN(5)]
		text := randomShuffles(rng, typ)
		f, err := parse.Func(text)
		if err != nil {
			t.Fatal(err)
		}
		want, before := tagsStored(f)
		simplify.Func(f, always)
		got, after := tagsStored(f)
		if before != after {
			changed++
		}
		for i := range want {
			if want[i] != "?" && want[i] != got[i] {
				t.Fatalf("stored lane %d is %s, want %s\n%s\n%s", i, got[i], want[i], text, f)
			}
		}
	}
	if changed < 300 {
		t.Errorf("only %d functions have fewer shuffles", changed)
	}
}

// randomShuffles stores shuffles of two loads: random ones and permutations that
// shuffles in practice have.
func randomShuffles(rng *rand.Rand, typ string) string {
	n := 0
	fmt.Sscanf(typ[strings.Index(typ, "x")+1:], "%d", &n)
	var b strings.Builder
	fmt.Fprintf(&b, "func @f(%%p ptr) () {\nentry:\n\t%%v0 = load.unit %s [%%p]\n\t%%v1 = load.unit %s [%%p + 64]\n", typ, typ)
	values := 2 + 2 + rng.IntN(6)
	for v := 2; v < values; v++ {
		x, y, list, far := rng.IntN(v), rng.IntN(v), make([]string, n), rng.IntN(3) == 0
		for i := range list {
			l := i ^ (v % min(n, 4))
			if far {
				l = rng.IntN(2 * n)
			} else if v%2 == 0 && i%2 == 1 {
				l += n
			}
			if rng.IntN(9) == 0 {
				l = -1
			}
			list[i] = fmt.Sprint(l)
		}
		fmt.Fprintf(&b, "\t%%v%d = shuffle %s %%v%d, %%v%d, {%s}\n", v, typ, x, y, strings.Join(list, ", "))
	}
	fmt.Fprintf(&b, "\tstore.unit %s %%v%d, [%%p + 128]\n\tstore.unit %s %%v%d, [%%p + 256]\n\tret\n}\n", typ, values-1, typ, values-2)
	return b.String()
}

// tagsStored names the lanes that a function stores by what was loaded, and counts
// its shuffles.
func tagsStored(f *vir.Func) (stored []string, shuffles int) {
	tags := map[*vir.Value][]string{}
	for _, b := range f.Blocks {
		for _, v := range b.Insts {
			switch v.Op {
			case vir.OpLoadUnit:
				for i := range v.Type.Lanes {
					tags[v] = append(tags[v], fmt.Sprintf("%d.%d", v.Disp, i))
				}
			case vir.OpShuffle:
				shuffles++
				var all []string
				for _, a := range v.Args {
					all = append(all, tags[a]...)
				}
				for _, l := range v.Lanes {
					tag := "?"
					if l >= 0 {
						tag = all[l]
					}
					tags[v] = append(tags[v], tag)
				}
			case vir.OpStoreUnit:
				stored = append(stored, tags[v.Stored()]...)
			}
		}
	}
	return stored, shuffles
}
