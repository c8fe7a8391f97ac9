package slp

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// Elements at a stride are lanes of vectors of neighbours, if all of those are loaded
// as well: a tile. Four columns of four rows are four loads and a transposition:
//
//	a0 a1 a2 a3    shuffle a0 b0 a1 b1    shuffle a0 b0 c0 d0
//	b0 b1 b2 b3            a2 b2 a3 b3            a1 b1 c1 d1
//	c0 c1 c2 c3            c0 d0 c1 d1            a2 b2 c2 d2
//	d0 d1 d2 d3            c2 d2 c3 d3            a3 b3 c3 d3
//
// A column takes rows in pairs, and pairs of pairs; what serves two columns is there once.
// One column alone does not gain, so trees are tried with tiles and without.

// tile makes lanes of loads out of vectors of neighbours; nil if there are none.
func (g *Graph) tile(vs []*vir.Value) *node {
	if !g.tiles || slices.Contains(vs, nil) {
		return nil
	}
	m := g.mark()
	for _, v := range vs {
		if g.of[v] != nil {
			continue
		}
		row := g.row(v, len(vs))
		if row == nil || g.isCut(row) || !g.loadRow(row) {
			g.rollback(m)
			return nil
		}
	}
	n := g.again(vs)
	if n == nil {
		g.rollback(m)
	}
	return n
}

// loadRow packs loads of neighbours.
func (g *Graph) loadRow(row []*vir.Value) bool {
	n := &node{kind: load, op: vir.OpLoad, scalars: row}
	_, ok := g.opt.Costs.Vector(n)
	return ok && g.pack(n) != nil
}

// A stretch is the loads of one type whose addresses differ by whole elements: by their
// distance from the first of them, in elements.
type stretch struct {
	first *vir.Value
	at    map[int64][]*vir.Value
}

// stretchOf is the stretch that v is in, and its place there. Its block's are made when
// the first is asked for.
func (g *Graph) stretchOf(v *vir.Value) (*stretch, int64) {
	r := g.region(v.Block)
	if r.stretches == nil {
		for _, w := range r.loads {
			s, k := g.placed(r, w)
			if s == nil {
				s = &stretch{first: w, at: make(map[int64][]*vir.Value)}
				r.stretches = append(r.stretches, s)
			}
			s.at[k] = append(s.at[k], w)
		}
	}
	return g.placed(r, v)
}

// placed is the stretch of r that v belongs to, if there is one.
func (g *Graph) placed(r *region, v *vir.Value) (*stretch, int64) {
	size := int64(v.Access().Size())
	g.spent += len(r.stretches)
	for _, s := range r.stretches {
		if d, ok := g.behind(s.first, v); ok && d%size == 0 && s.first.Access() == v.Access() {
			return s, d / size
		}
	}
	return nil, 0
}

// load is a load at place k that nothing replaces so far; nil if there is none.
func (g *Graph) load(s *stretch, k int64) *vir.Value {
	g.spent += 4
	for _, v := range s.at[k] {
		if g.unused(v) {
			return v
		}
	}
	return nil
}

// row is the vector of so many loads of neighbours that v is in, counted from the first
// neighbour that is loaded; nil if there are not so many.
func (g *Graph) row(v *vir.Value, lanes int) []*vir.Value {
	s, k := g.stretchOf(v)
	low := k
	for g.load(s, low-1) != nil {
		low--
	}
	row := make([]*vir.Value, lanes)
	first := low + (k-low)/int64(lanes)*int64(lanes)
	for i := range row {
		if row[i] = g.load(s, first+int64(i)); row[i] == nil {
			return nil
		}
	}
	row[k-first] = v
	return row
}

// mixed makes lanes out of several nodes of equal width, as many as there are lanes or
// fewer: sources in pairs, pairs of pairs.
func (g *Graph) mixed(vs []*vir.Value, from []*node) *node {
	if col := g.column(vs, from); col >= 0 {
		return g.transposed(from, col, len(vs))
	}
	for len(from) > 2 {
		var next []*node
		for i := 0; i < len(from); i += 2 {
			if i+1 == len(from) {
				next = append(next, from[i])
				break
			}
			next = append(next, g.picked(vs, from[i:i+2]))
		}
		from = next
	}
	return g.picked(vs, from)
}

// picked is a shuffle of those lanes of vs that one or two nodes have, in their places.
func (g *Graph) picked(vs []*vir.Value, from []*node) *node {
	some, lanes := make([]*vir.Value, len(vs)), make([]int, len(vs))
	for i, v := range vs {
		lanes[i] = -1
		for k, n := range from {
			if at := slices.Index(n.scalars, v); v != nil && at >= 0 {
				some[i], lanes[i] = v, at+k*from[0].width()
			}
		}
	}
	return g.rearranged(some, from, lanes)
}

// column is the lane of each node that vs consists of, node by node; -1 if it does not.
func (g *Graph) column(vs []*vir.Value, from []*node) int {
	if len(from) != len(vs) || from[0].width() != len(vs) || slices.Contains(vs, nil) {
		return -1
	}
	col := g.lane[vs[0]]
	for i, v := range vs {
		if g.of[v] != from[i] || g.lane[v] != col {
			return -1
		}
	}
	return col
}

// transposed is a column of rows. The vector of some rows has their lanes in columns
// near the one that is wanted, column by column: as many as fit.
func (g *Graph) transposed(rows []*node, col, width int) *node {
	if len(rows) == 1 {
		return rows[0]
	}
	half := len(rows) / 2
	x, y := g.transposed(rows[:half], col, width), g.transposed(rows[half:], col, width)
	cols := width / len(rows)            // that the result has
	first := col / cols * cols           // of them
	had := col / (2 * cols) * (2 * cols) // first column that x and y have
	vs, lanes := make([]*vir.Value, width), make([]int, width)
	for i := range vs {
		c, r := first+i/len(rows), i%len(rows)
		k := (c-had)*half + r%half
		if r < half {
			vs[i], lanes[i] = x.scalars[k], k
		} else {
			vs[i], lanes[i] = y.scalars[k], k+width
		}
	}
	return g.rearranged(vs, []*node{x, y}, lanes)
}
