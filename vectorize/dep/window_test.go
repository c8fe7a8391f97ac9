package dep

import (
	"fmt"
	"testing"
)

// A move is one of two accesses that walk over a small memory.
type move struct {
	id             int // position in the program
	at, step, size int
	store          bool
}

// simulation runs moves on bytes. Every stored byte carries a tag that names
// access and iteration; loads record what they see.
type simulation struct {
	mem  [512]uint16
	seen [][]uint16
}

func (s *simulation) do(which int, m move, iter int) {
	at := m.at + iter*m.step
	for i := at; i < at+m.size; i++ {
		if m.store {
			s.mem[i] = uint16(1 + which*1000 + iter)
		} else {
			s.seen[which] = append(s.seen[which], s.mem[i])
		}
	}
}

func scalar(moves []move, n int) *simulation {
	s := &simulation{seen: make([][]uint16, len(moves))}
	for t := range n {
		for _, m := range moves {
			s.do(m.id, m, t)
		}
	}
	return s
}

// blocks runs all lanes of one access, then all lanes of the next, block by block.
func blocks(moves []move, n, lanes int) *simulation {
	s := &simulation{seen: make([][]uint16, len(moves))}
	for t := 0; t < n; t += lanes {
		for _, m := range moves {
			for k := range lanes {
				s.do(m.id, m, t+k)
			}
		}
	}
	return s
}

func (s *simulation) equal(u *simulation) bool {
	return s.mem == u.mem && fmt.Sprint(s.seen) == fmt.Sprint(u.seen)
}

// TestWindowAgainstSimulation compares scalar order with vector order on a small
// memory for all distances around. A known distance must be told exactly for a
// load and a store; the window may reject more only where its intervals leave a
// gap, and two stores hide a wrong order when a later iteration stores again.
func TestWindowAgainstSimulation(t *testing.T) {
	differ := 0
	for step := -8; step <= 8; step++ {
		for _, sizeA := range []int{1, 2, 4, 8} {
			for _, sizeB := range []int{1, 2, 4, 8} {
				for lanes := 2; lanes <= 8; lanes++ {
					reach := (lanes+1)*max(step, -step) + 10
					if lanes > 4 && (sizeA+sizeB+step+lanes)%3 != 0 {
						continue // a sample of the larger ones
					}
					for d := -reach; d <= reach; d++ {
						differ += compareOrders(t, step, sizeA, sizeB, lanes, d)
						differ += compareReversed(t, step, sizeA, sizeB, lanes, d)
					}
					if t.Failed() {
						return
					}
				}
			}
		}
	}
	if differ < 1000 {
		t.Errorf("only %d cases in which the order shows", differ)
	}
}

func compareOrders(t *testing.T, step, sizeA, sizeB, lanes, d int) (differ int) {
	t.Helper()
	a := move{at: 256 - lanes*step, step: step, size: sizeA}
	b := move{id: 1, at: a.at + d, step: step, size: sizeB}
	j, limited := distance(int64(d), int64(step), int64(sizeA), int64(sizeB), 1)
	known := !limited || int64(lanes) <= j
	lo, hi := window(int64(step), int64(sizeA), int64(sizeB), lanes, 1)
	tested := int64(d) <= lo || int64(d) >= hi
	gap := max(step, -step) > sizeA+sizeB-1
	for _, stores := range [][2]bool{{false, true}, {true, false}, {true, true}} {
		a.store, b.store = stores[0], stores[1]
		same := scalar([]move{a, b}, 2*lanes).equal(blocks([]move{a, b}, 2*lanes, lanes))
		what := func() string {
			return fmt.Sprintf("step %d sizes %d %d lanes %d distance %d stores %v", step, sizeA, sizeB, lanes, d, stores)
		}
		switch {
		case !same && known:
			t.Errorf("%s: order shows, but distance says %d, %v", what(), j, limited)
		case !same && tested:
			t.Errorf("%s: order shows, but window is %d to %d", what(), lo, hi)
		case same && !known && stores[0] != stores[1] && !hidden(a, b):
			t.Errorf("%s: order does not show, but distance says %d", what(), j)
		}
		if known != tested && !gap {
			t.Errorf("%s: distance says %v, window %v", what(), known, tested)
		}
		if !same {
			differ++
		}
	}
	return differ
}

// compareReversed does the same for accesses of which b comes first in the program.
func compareReversed(t *testing.T, step, sizeA, sizeB, lanes, d int) (differ int) {
	t.Helper()
	a := move{id: 1, at: 256 - lanes*step, step: step, size: sizeA}
	b := move{at: a.at + d, step: step, size: sizeB}
	j, limited := distance(int64(d), int64(step), int64(sizeA), int64(sizeB), 0)
	known := !limited || int64(lanes) <= j
	lo, hi := window(int64(step), int64(sizeA), int64(sizeB), lanes, 0)
	tested := int64(d) <= lo || int64(d) >= hi
	if gap := max(step, -step) > sizeA+sizeB-1; known != tested && !gap {
		t.Errorf("step %d sizes %d %d lanes %d distance %d reversed: distance says %v, window %v", step, sizeA, sizeB, lanes, d, known, tested)
	}
	for _, stores := range [][2]bool{{false, true}, {true, false}, {true, true}} {
		a.store, b.store = stores[0], stores[1]
		if scalar([]move{b, a}, 2*lanes).equal(blocks([]move{a, b}, 2*lanes, lanes)) {
			continue
		}
		differ++
		if known || tested {
			t.Errorf("step %d sizes %d %d lanes %d distance %d stores %v reversed: order shows, distance says %v, window %v", step, sizeA, sizeB, lanes, d, stores, known, tested)
		}
	}
	return differ
}

// hidden reports whether stores of neighbouring iterations share bytes, so that
// what a load sees may come from yet another iteration.
func hidden(a, b move) bool {
	return a.store && max(a.step, -a.step) < a.size || b.store && max(b.step, -b.step) < b.size
}
