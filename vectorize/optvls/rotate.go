package optvls

import "slices"

// A rotation rearranges groups of a stride of F elements where F has an odd part. A
// stride of o elements, o odd, in registers of n lanes, n a power of two, has in lane L
// of register r the slot (r*n+L) mod o. If registers change names so that r*n mod o is
// the number of a register, each lane has the slots in the order of the registers,
// rotated by L mod o. It is rotated back by as many rounds as o-1 has bits, each of o
// selects, and then each register has one slot of all lanes, to be permuted:
//
//	          lane 0 1 2 3         1 for odd L mod o   2 for L mod o = 2    permute
//	reg 0: x0 y0 z0 x1         x0 z2 z0 x1          x0 x3 x2 x1          x0 x1 x2 x3
//	reg 1: y1 z1 x2 y2         y1 y0 x2 y2          y1 y0 y3 y2          ...
//	reg 2: z2 x3 y3 z3         z2 z1 y3 z3  ...
//
// When F = g*o with g a power of two, the same is done with bundles of g slots, for
// lanes of VF/g rows at a time, and the rows of each slot are then brought together
// by log2(g) levels of shuffles of whole blocks. Segments are parts of a register
// that do all this side by side, each for rows of its own, so that nothing crosses
// from one to the other.
type rotation struct {
	*layout
	segments int
	elem     int // units of an element
	factor   int
	odd, g   int
	lanes    int           // rows of a segment that one bundle register has
	at       map[int][]tag // the member in each slot that has one
}

// mostFactor is the largest stride in elements for which rotations are tried: registers for
// all that lies between lanes are gone through, and nearly all are empty where that is much.
const mostFactor = 64

// newRotation is nil when the group does not suit.
func newRotation(l *layout, segments int) *rotation {
	m := l.g.Members[0]
	size := int64(m.Type.Bits / 8)
	_, ok := log2(l.g.Lanes)
	if !ok || l.g.Access.Indexed || l.g.Stride <= 0 || l.g.Stride%size != 0 || l.g.Stride < l.g.Span() || l.g.Stride > mostFactor*size {
		return nil
	}
	r := &rotation{layout: l, segments: segments, elem: int(size) / l.unit, factor: int(l.g.Stride / size), at: make(map[int][]tag)}
	r.odd, r.g = r.factor, 1
	for r.odd%2 == 0 {
		r.odd, r.g = r.odd/2, r.g*2
	}
	r.lanes = l.g.Lanes / segments / r.g
	if r.odd == 1 || r.lanes == 0 || l.g.Lanes*r.elem > l.full {
		return nil
	}
	for i, m := range l.g.Members {
		if int64(m.Type.Bits/8) != size || m.Offset%size != 0 {
			return nil
		}
		r.at[int(m.Offset/size)] = l.members[i]
	}
	return r
}

// element appends the tags of a slot of a row.
func (r *rotation) element(t []tag, row, slot int) []tag {
	for u := range r.elem {
		x := none
		if m, ok := r.at[slot]; ok {
			x = m[row*r.elem+u]
		}
		t = append(t, x)
	}
	return t
}

// row is the number of a row of block j of a segment.
func (r *rotation) row(segment, j, i int) int {
	return segment*r.g*r.lanes + j*r.lanes + i
}

// stages are the vectors in memory order, after each round, permuted, and after
// each level, the last of which are the members.
func (r *rotation) stages() [][][]tag {
	blocks := make([][][]tag, r.g) // registers of each block of rows, by their new names
	var memory [][]tag
	for j := range r.g {
		blocks[j] = make([][]tag, r.odd)
		for q := range r.odd {
			v := r.memory(j, q)
			memory = append(memory, v)
			blocks[j][q*r.lanes%r.odd] = v
		}
	}
	all := [][][]tag{memory}
	for by := 1; by < r.odd; by *= 2 {
		for j := range blocks {
			blocks[j] = r.round(blocks[j], by)
		}
		all = append(all, slices.Concat(blocks...))
	}
	for swapped := 1; swapped <= r.g; swapped *= 2 {
		all = append(all, r.level(swapped-1))
	}
	return all
}

// memory is register q of block j.
func (r *rotation) memory(j, q int) []tag {
	var t []tag
	for s := range r.segments {
		for l := range r.lanes {
			p := q*r.lanes + l
			for i := range r.g {
				t = r.element(t, r.row(s, j, p/r.odd), p%r.odd*r.g+i)
			}
		}
	}
	return t
}

// round takes lanes that still have to be rotated by that much from as many registers
// before.
func (r *rotation) round(regs [][]tag, by int) [][]tag {
	next := make([][]tag, len(regs))
	for x := range regs {
		next[x] = slices.Clone(regs[x])
		from := regs[(x+r.odd-by)%r.odd]
		for k := range next[x] {
			if k/(r.g*r.elem)%r.lanes%r.odd&by != 0 {
				next[x][k] = from[k]
			}
		}
	}
	return next
}

// level is the state where the register number and the number of a block of lanes in
// it have exchanged the bits of a mask: at 0 registers have one block of rows of all
// slots of a bundle, in the end all blocks of one slot.
func (r *rotation) level(mask int) [][]tag {
	var regs [][]tag
	for reg := range r.g {
		for bundle := range r.odd {
			var t []tag
			for s := range r.segments {
				for b := range r.g {
					j, i := reg&^mask|b&mask, b&^mask|reg&mask
					for k := range r.lanes {
						t = r.element(t, r.row(s, j, k), bundle*r.g+i)
					}
				}
			}
			regs = append(regs, t)
		}
	}
	return regs
}

// windows are the parts of memory that the registers of the first stage have, one
// for each segment.
func (r *rotation) windows() []area {
	rows := make(map[tag]int)
	for _, u := range r.areas[0].units {
		rows[u.tag] = u.row
	}
	var all []area
	lanes := r.lanes * r.g * r.elem
	for q, v := range r.stages()[0] {
		for s := range r.segments {
			var a area
			start := (s*r.factor + q) * lanes
			for k, t := range v[s*lanes : (s+1)*lanes] {
				if t != none {
					a.units = append(a.units, unit{int64(start + k), t, rows[t]})
				}
			}
			all = append(all, a)
		}
	}
	return all
}

// tryRotations loads or stores by rotations.
func (s *search) tryRotations(c *cover) {
	for segments := 1; segments <= 2; segments++ {
		r := newRotation(s.layout, segments)
		if r == nil {
			continue
		}
		narrow := *c
		narrow.widest = s.g.Lanes * r.elem / segments
		pieces := narrow.pieces(r.windows()...)
		if pieces == nil || s.hopeless(pieces) {
			continue
		}
		s.try(plan{pieces, func(n *net) []int { return s.runStages(n, r.stages(), pieces) }})
	}
}

// runStages goes through the stages, from memory to members or back.
func (s *search) runStages(n *net, stages [][][]tag, pieces []piece) []int {
	have := counted(len(n.vecs))
	want := s.members
	if s.g.Access.Store {
		slices.Reverse(stages)
		want = tagsOf(pieces)
	}
	for _, st := range append(stages, want) {
		var next []int
		for _, t := range st {
			if empty(t) {
				continue
			}
			v, ok := n.assemble(t, have)
			if !ok {
				return nil
			}
			next = append(next, v)
		}
		have = next
	}
	return have
}
