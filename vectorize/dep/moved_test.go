package dep

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanewise/lanewise/vectorize/internal/regiontest"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir/plan"
)

// TestMovedAgainstSimulation runs the accesses of random programs in another
// order in each block: where Moved allows it and all tests hold, scalar and vector
// order must agree.
func TestMovedAgainstSimulation(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const programs, runs = 4000, 40
	counts := make(map[string]int)
	for range programs {
		refs := randomReferences(rng)
		r := regiontest.Parse(t, program(refs))
		res := Analyze(r, scev.New(r), Options{})
		if res.Refusal != nil {
			continue
		}
		lanes := 2 << rng.IntN(2)
		if res.MaxLanes != 0 {
			lanes = min(lanes, res.MaxLanes)
		}
		moved := slices.Clone(refs)
		rng.Shuffle(len(moved), func(i, j int) { moved[i], moved[j] = moved[j], moved[i] })
		tests, ok := movedTests(res, moved, lanes)
		if !ok {
			counts["refused"]++
			continue
		}
		for range runs {
			s := &setting{w: rng.Int64N(9) - 3, k: rng.Int64N(7), i0: rng.Int64N(4)}
			for range 32 {
				s.idx = append(s.idx, rng.Int64N(12))
			}
			bases := [2]int64{1000, 1000 + rng.Int64N(2*elems*elemSize) - elems*elemSize}
			n := 2 * lanes
			args := []int64{bases[0], bases[1], 100000, elems, s.w, s.k, s.i0, s.i0 + int64(n)}
			mem, seen, inside := s.run(refs, bases, n, 1)
			mem2, seen2, _ := s.run(moved, bases, n, lanes)
			same := fmt.Sprint(mem) == fmt.Sprint(mem2) && sameSeen(seen, seen2)
			switch {
			case !inside:
			case !testsHold(res, args, n, lanes) || !hold(tests, args, n):
				counts["overlapping"]++
				if !same {
					counts["differing"]++
				}
			case !same:
				t.Fatalf("%d lanes, arguments %v, indexes %v: order %v shows in\n%s\n%s", lanes, args, s.idx, moved, r.Fn, report(res))
			default:
				counts["legal"]++
			}
		}
	}
	for what, least := range map[string]int{"refused": 500, "differing": 500, "overlapping": 5000, "legal": 10000} {
		if counts[what] < least {
			t.Errorf("poor sample: %d %s, want %d: %v", counts[what], what, least, counts)
		}
	}
}

// movedTests asks about all pairs of references that change order. The access
// before the references in the program is the load of the index.
func movedTests(res *Result, moved []reference, lanes int) (tests []plan.Overlap, ok bool) {
	at := func(r reference) int {
		return slices.IndexFunc(res.Accesses, func(a Access) bool { return a.Program == 1+r.id })
	}
	for i, first := range moved {
		for _, second := range moved[i+1:] {
			if at(first) < at(second) {
				continue
			}
			more, ok := res.Moved(&res.Accesses[at(second)], &res.Accesses[at(first)], lanes)
			if !ok {
				return nil, false
			}
			tests = append(tests, more...)
		}
	}
	return tests, true
}

func hold(tests []plan.Overlap, args []int64, n int) bool {
	for _, o := range tests {
		if d := first(o.B, args) - first(o.A, args); o.Lo < d && d < o.Hi {
			return false
		}
	}
	return true
}
