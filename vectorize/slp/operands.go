package slp

import (
	"github.com/lanewise/lanewise/vir"
)

// Scores of two values as neighbours among the operands of a node, those of LLVM's
// implementation of Look-Ahead SLP (Porpodas, Rocha, Góes, CGO 2018). Best is what is
// there already.
const (
	scorePacked      = 5 // neighbours in a node of the graph
	scoreNode        = 4 // lanes of one node
	scoreConsecutive = 4 // loads of neighbours
	scoreReversed    = 3
	scoreSame        = 2 // the same operation
	scoreConstants   = 2
	scoreAlternate   = 1 // operations that go together
	scoreApart       = 1 // loads at a known distance
	scoreSplat       = 3 // the same value; a load of it costs nothing more
	scoreSplatLoad   = 4
)

// lookAhead is how far operands of operands are compared.
const lookAhead = 3

// operands are the operands of the lanes of n, by position. Where operands may change
// places, they do so that each lane goes with the one before.
func (g *Graph) operands(n *node) [][]*vir.Value {
	cols := make([][]*vir.Value, len(n.first().Args))
	for k := range cols {
		cols[k] = operand(n.scalars, k)
	}
	if len(cols) != 2 {
		return cols
	}
	last := -1
	for i, v := range n.scalars {
		if v == nil {
			continue
		}
		if last >= 0 && v.Op.Info().Commutative {
			x, y := cols[0][i], cols[1][i]
			l, r := cols[0][last], cols[1][last]
			if g.score(l, y, lookAhead)+g.score(r, x, lookAhead) > g.score(l, x, lookAhead)+g.score(r, y, lookAhead) {
				cols[0][i], cols[1][i] = y, x
			}
		}
		last = i
	}
	return cols
}

// score is how well y goes behind x, looking so many levels of operands ahead. What ends
// the search counts as much as all operands that might have been looked at.
func (g *Graph) score(x, y *vir.Value, depth int) int {
	g.spent++
	if s, ok := g.scoreLeaf(x, y); ok {
		return s << depth
	}
	switch {
	case x.Block == nil || x.Block != y.Block || x.Type != y.Type:
		return 0
	case x.Op == y.Op && (lanewise(x.Op) || x.Op == vir.OpPhi):
		return scoreSame + g.scoreOperands(x, y, depth)
	case lanewise(x.Op) && lanewise(y.Op) && goTogether(x.Op, y.Op):
		return scoreAlternate + g.scoreOperands(x, y, depth)
	}
	return 0
}

// scoreLeaf is the score of values whose operands do not matter.
func (g *Graph) scoreLeaf(x, y *vir.Value) (int, bool) {
	switch {
	case x == y && x.Op == vir.OpLoad:
		return scoreSplatLoad, true
	case x == y:
		return scoreSplat, true
	case g.of[x] != nil && g.of[x] == g.of[y] && g.lane[y] == g.lane[x]+1:
		return scorePacked, true
	case g.of[x] != nil && g.of[x] == g.of[y]:
		return scoreNode, true
	case x.Op == vir.OpConst && y.Op == vir.OpConst:
		return scoreConstants, true
	case x.Op == vir.OpLoad && y.Op == vir.OpLoad && x.Type == y.Type:
		return g.scoreLoads(x, y), true
	}
	return 0, false
}

func (g *Graph) scoreLoads(x, y *vir.Value) int {
	d, ok := g.behind(x, y)
	switch size := int64(x.Type.Size()); {
	case !ok:
		return 0
	case d == size:
		return scoreConsecutive
	case d == -size:
		return scoreReversed
	}
	return scoreApart
}

// scoreOperands is that of the operands in the order that suits them best.
func (g *Graph) scoreOperands(x, y *vir.Value, depth int) int {
	if depth == 0 || len(x.Args) != len(y.Args) {
		return 0
	}
	straight := 0
	for i := range x.Args {
		straight += g.score(x.Args[i], y.Args[i], depth-1)
	}
	if len(x.Args) == 2 && y.Op.Info().Commutative {
		return max(straight, g.score(x.Args[0], y.Args[1], depth-1)+g.score(x.Args[1], y.Args[0], depth-1))
	}
	return straight
}
