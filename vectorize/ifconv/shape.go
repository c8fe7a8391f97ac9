package ifconv

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
)

// A shape is the body of a region as a directed acyclic graph.
type shape struct {
	f                   *vir.Func
	header, latch, exit *vir.Block
	order               []*vir.Block // body blocks in topological order, the latch last
	at                  map[*vir.Block]int
	idom                []int    // immediate dominators by position; 0 is its own
	pdom                [][]bool // pdom[i][j]: j post-dominates i
}

func newShape(f *vir.Func) (*shape, error) {
	s := &shape{f: f, header: f.Blocks[1], at: make(map[*vir.Block]int)}
	s.exit = s.header.Succs[1]
	for _, p := range s.header.Preds {
		if p != f.Entry() {
			s.latch = p
		}
	}
	if err := s.visit(s.header.Succs[0], make(map[*vir.Block]bool)); err != nil {
		return nil, err
	}
	slices.Reverse(s.order)
	for i, b := range s.order {
		s.at[b] = i
	}
	s.dominators()
	s.postDominators()
	return s, nil
}

// visit appends the blocks from b on in post-order. open holds true for blocks
// on the path to b and false for finished ones.
func (s *shape) visit(b *vir.Block, open map[*vir.Block]bool) error {
	open[b] = true
	for _, to := range b.Succs {
		onPath, seen := open[to]
		switch {
		case to == s.header:
		case to == s.exit || len(to.Succs) == 0:
			return pass.Refuse("ifconv:EarlyExit", b.Term(), "the loop is left from inside its body")
		case onPath:
			return pass.Refuse("ifconv:InnerLoop", to.Term(), "the loop contains another loop")
		case !seen:
			if err := s.visit(to, open); err != nil {
				return err
			}
		}
	}
	open[b] = false
	s.order = append(s.order, b)
	return nil
}

// dominators solves idom(b) = nearest common dominator of the predecessors of b.
// One sweep is enough without cycles.
func (s *shape) dominators() {
	s.idom = make([]int, len(s.order))
	for i, b := range s.order[1:] {
		d := -1
		for _, p := range b.Preds {
			if j := s.at[p]; d < 0 {
				d = j
			} else {
				d = s.common(d, j)
			}
		}
		s.idom[i+1] = d
	}
}

func (s *shape) common(i, j int) int {
	for i != j {
		if i > j {
			i = s.idom[i]
		} else {
			j = s.idom[j]
		}
	}
	return i
}

// postDominators solves pdom(b) = {b} + intersection of pdom over the successors.
func (s *shape) postDominators() {
	n := len(s.order)
	s.pdom = make([][]bool, n)
	for i := n - 1; i >= 0; i-- {
		set := make([]bool, n)
		first := true
		for _, to := range s.order[i].Succs {
			if to == s.header {
				continue
			}
			for j, in := range s.pdom[s.at[to]] {
				set[j] = in && (first || set[j])
			}
			first = false
		}
		set[i] = true
		s.pdom[i] = set
	}
}
