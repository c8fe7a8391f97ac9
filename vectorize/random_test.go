package vectorize

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/vectorize/vectest"
	"github.com/lanewise/lanewise/vir/verify"
)

var (
	loops = flag.Int("loops", enough, "random loops to try")
	seed  = flag.Uint64("seed", 1, "seed of the random loops")
)

// TestRandomLoops vectorizes random loops and compares them with the scalar ones.
func TestRandomLoops(t *testing.T) {
	refused, forms := make(map[string]int), make(map[string]int)
	vectorized, fails, rests := 0, 0, 0
	var total vectest.Stats
	for i := range *loops {
		r, inexact := vectest.RandomRegion(rand.New(rand.NewPCG(*seed, uint64(i))))
		if err := verify.Func(r.Fn); err != nil {
			t.Fatalf("loop %d: %v\n%s", i, err, r.Fn)
		}
		level := target.AVX2()
		if i%4 >= 2 {
			level = target.AVX512()
		}
		k, remarks := Run(r, level, Options{Verify: true, Brief: i%3 == 1})
		last := remarks[len(remarks)-1]
		if k == nil {
			refused[last.ID]++
			if last.Kind != diag.Missed || last.Broken() {
				t.Errorf("loop %d: %s\n%s\n%v", i, last, r.Fn, last.Args["ir"])
				fails++
			}
			continue
		}
		vectorized++
		if hasRest(k.Fn) {
			rests++
		}
		countForms(forms, last.Args["memory"])
		s, err := vectest.Compare(r, k, uint64(i), 40, 3*int(k.Block)+30, inexact...)
		if err != nil {
			t.Errorf("loop %d: %v\n%s\n%s", i, err, r.Fn, k.Fn)
			fails++
		}
		if fails > 2 {
			break
		}
		total.Add(s)
	}
	if fails == 0 && *loops >= enough {
		for _, f := range requiredForms {
			if forms[f] == 0 {
				t.Errorf("no vectorized loop has a form of memory with the word %s", f)
			}
		}
	}
	if fails == 0 && *loops >= enough && total.Exits == 0 {
		t.Errorf("no loop was left from inside")
	}
	if fails == 0 && *loops >= enough && rests < enough/40 { // loops that go up, and keep no variables
		t.Errorf("%d loops have a masked block for the rest", rests)
	}
	t.Logf("%d vectorized, refused %v, forms %v, %+v", vectorized, refused, forms, total)
}

// enough random loops have every form of memory.
const enough = 150

var requiredForms = []string{"unit", "uniform", "reverse", "group", "strided", "gather", "scatter", "table", "key", "masked", "blended"}

// countForms counts the words of a remark about memory: group, gather, table.
func countForms(forms map[string]int, memory any) {
	for _, w := range strings.FieldsFunc(fmt.Sprint(memory), func(r rune) bool { return r < 'a' || r > 'z' }) {
		forms[strings.TrimSuffix(w, "s")]++
	}
}
