package slev

import (
	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vir"
)

// Control divergence: two lanes part at a divergent branch and walk on until
// they meet.
//
//	      A            The lanes of a pair stand at the targets of the edges that
//	    /   \          they came by. The one that is behind takes the next step, to
//	  T       F        each of its successors in turn. It is behind when its block
//	  |     /   \      comes first in the order of loops.Cycles, or when the other
//	  |    G     H     one waits at the header of a cycle that both are in, for
//	   \   |    /      the next iteration. So both meet at the first block that
//	     \ |  /        they have in common, in the same iteration of everything
//	       J           around it, and two ways that meet are otherwise disjoint.
//
// Here the walk of A meets at J over the edges (T, G) and (T, H). If G and H were
// the arms of a uniform branch, they would not meet each other: a walk starts at
// divergent branches only. That is the rule of two definitions with its
// exception, the shield of a dominator: what is dominated by a block behind A
// that all ways to J lead through meets there, and not at J.
//
// Rule of one definition, leaking iterations: one lane of the pair has left
// a cycle that the other goes around again. When they meet behind it, each has
// the definitions of its own last iteration. The pair remembers one such cycle;
// it goes on once for each there is.
//
// Rule of one definition, partially killing definitions: in SSA these are phis
// inside the cycle, of the definition and of what the variable was in the
// iteration before, and the two lanes meet at one.

// parted is a pair of lanes; behind is to take the next step.
type parted struct {
	behind, ahead edge
	left          *loops.Cycle // that they have left in different iterations; may be nil
}

// An edge is the way on which a lane has come to a block.
type edge struct {
	from, to *vir.Block
	pred     int // place in to.Preds
}

// out lists the edges from b. Of several edges between the same blocks, the n-th
// among the successors is the n-th among the predecessors.
func out(b *vir.Block) []edge {
	var es []edge
	taken := make(map[*vir.Block]int)
	for _, s := range b.Succs {
		for i := taken[s]; i < len(s.Preds); i++ {
			if s.Preds[i] == b {
				es = append(es, edge{b, s, i})
				taken[s] = i + 1
				break
			}
		}
	}
	return es
}

// diverge turns the divergence of the branch that ends b into that of data.
func (a *analysis) diverge(b *vir.Block) {
	es := out(b)
	for i, x := range es {
		for j, y := range es {
			if i != j {
				a.step(x, y, nil)
			}
		}
	}
	for len(a.walk) > 0 {
		p := a.walk[len(a.walk)-1]
		a.walk = a.walk[:len(a.walk)-1]
		a.partial[p.behind.to] = true // in an irreducible cycle also behind the post-dominator
		for _, e := range out(p.behind.to) {
			a.step(e, p.ahead, p.left)
		}
	}
}

// step is a lane going along x, while the other one of the pair, which has
// come by y, waits.
func (a *analysis) step(x, y edge, left *loops.Cycle) {
	a.add(x, y, left)
	gone := a.region.Leaves(x.to)
	for c := a.cycles.Of(x.from); c != nil; c = c.Parent {
		stays := !gone && c.Contains(x.to)
		waits := !a.region.Leaves(y.to) && c.Contains(y.to)
		if !stays && waits {
			a.exit(c, loops.Edge{From: x.from, To: x.to})
		}
		// The next iteration begins for one that the other is not in any more.
		if !stays && waits && y.to == c.Header || stays && x.to == c.Header && !waits {
			a.add(x, y, c)
		}
	}
}

// exit notes that a lane may leave c by e while another stays.
func (a *analysis) exit(c *loops.Cycle, e loops.Edge) {
	if a.exits[c] == nil {
		a.exits[c] = make(map[loops.Edge]bool)
	}
	a.exits[c][e] = true
}

// add notes a new pair. A lane that has left the region meets nobody.
func (a *analysis) add(x, y edge, left *loops.Cycle) {
	if a.region.Leaves(x.to) || a.region.Leaves(y.to) {
		return
	}
	p := parted{x, y, left}
	if x.to != y.to && a.before(y.to, x.to) {
		p = parted{y, x, left}
	}
	if a.seen[p] {
		return
	}
	a.seen[p] = true
	if x.to == y.to {
		a.meet(p)
	} else {
		a.walk = append(a.walk, p)
	}
}

// before reports whether a lane at x is behind one at y.
func (a *analysis) before(x, y *vir.Block) bool {
	if c := a.cycles.Common(x, y); c != nil {
		switch c.Header {
		case y:
			return true
		case x:
			return false
		}
	}
	return a.cycles.Before(x, y)
}

// meet taints the phis that get different values from two lanes, and what was
// defined in a cycle that they left in different iterations.
func (a *analysis) meet(p parted) {
	at := p.ahead.to
	for _, phi := range at.Phis() {
		x, y := phi.Args[p.behind.pred], phi.Args[p.ahead.pred]
		m := mixture(0)
		switch {
		case a.same.undefined(x) || a.same.undefined(y):
		case !a.same.equal(x, y):
			m = mixedEdges
		case p.left != nil && !(a.same.invariant(x, p.left) && a.same.invariant(y, p.left)):
			m = mixedIterations
			if x != y {
				m |= mixedEdges
			}
			if p.behind.pred == p.ahead.pred {
				a.late[operand{phi, p.ahead.pred}] = true
			}
		}
		if a.mixed[phi]|m != a.mixed[phi] {
			a.mixed[phi] |= m
			a.push(phi)
		}
	}
	if p.left != nil {
		a.meetBehind(p.left, at)
	}
}

// meetBehind notes that lanes that left c in different iterations are together
// from block at on. What they have of c is tainted until they come to c again.
func (a *analysis) meetBehind(c *loops.Cycle, at *vir.Block) {
	if a.apart[c] == nil {
		a.apart[c] = make(map[*vir.Block]bool)
	}
	for _, b := range a.region.Reach([]*vir.Block{at}, c.Contains) {
		if a.apart[c][b] {
			continue
		}
		a.apart[c][b] = true
		for _, v := range b.Insts {
			a.push(v)
		}
		for _, s := range b.Succs { // uses of phis are at the end of b
			for _, phi := range s.Phis() {
				a.push(phi)
			}
		}
	}
}
