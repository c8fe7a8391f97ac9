package optvls

import (
	"cmp"
	"math/bits"
	"slices"
)

// A tag names a unit of memory that a group accesses. It is what travels through
// shuffles: a vector is known by the tags of its lanes. Under masks each row has its
// own tags even where rows overlap, as one may be active and the other not.
type tag int32

const none tag = -1 // a lane that holds nothing of interest

// A layout is a group seen as tags.
type layout struct {
	g       *Group
	unit    int     // bytes of a lane
	full    int     // lanes of a vector register
	areas   []area  // what is accessed, by base address: one when strided, one for each lane when indexed
	rows    []area  // the same for each lane of the memrefs
	members [][]tag // the vector of each member
	tags    int     // number of tags
}

// An area is a set of units at constant distances from each other.
type area struct {
	row   int // whose address is the base
	units []unit
}

// A unit is what one lane of a load or store accesses.
type unit struct {
	off int64 // from the base, in units
	tag tag
	row int // the lane of the memrefs
}

func newLayout(g *Group) *layout {
	l := &layout{g: g, unit: g.unit()}
	l.full = 1 << (bits.Len(uint(max(1, g.Vector/l.unit))) - 1)
	l.members = make([][]tag, len(g.Members))
	at := make(map[[2]int64]tag)
	l.rows = make([]area, g.Lanes)
	for k := range g.Lanes {
		l.row(k, at)
	}
	l.tags = len(at)
	if g.Access.Indexed {
		l.areas = l.rows
		return l
	}
	var all area
	for _, r := range l.rows {
		all.units = append(all.units, r.units...)
	}
	all.sort()
	l.areas = []area{all}
	return l
}

// row adds the units of lane k of all members.
func (l *layout) row(k int, at map[[2]int64]tag) {
	a := &l.rows[k]
	start := int64(k) * l.g.Stride / int64(l.unit)
	same := int64(0) // rows that share units of memory
	if l.g.Access.Indexed || l.g.Access.Masked {
		same = int64(k)
	}
	if l.g.Access.Indexed {
		a.row, start = k, 0
	}
	for i, m := range l.g.Members {
		for j := range m.Type.Bits / 8 / l.unit {
			off := start + m.Offset/int64(l.unit) + int64(j)
			key := [2]int64{same, off}
			t, ok := at[key]
			if !ok {
				t = tag(len(at))
				at[key] = t
			}
			a.units = append(a.units, unit{off, t, k})
			l.members[i] = append(l.members[i], t)
		}
	}
	a.sort()
}

// sort puts units in the order of memory, each once.
func (a *area) sort() {
	slices.SortStableFunc(a.units, func(x, y unit) int { return cmp.Compare(x.off, y.off) })
	a.units = slices.CompactFunc(a.units, func(x, y unit) bool { return x.off == y.off })
}

// A piece is one load or store.
type piece struct {
	row    int
	off    int64 // in units
	tags   []tag
	rows   []int
	masked bool
	cost   int
}

// A cover finds pieces that together access every unit of an area, and nothing that
// must not be accessed. It works upwards and makes each piece as wide as it can.
type cover struct {
	*layout
	client Client
	masks  bool // use masked pieces where they help
	wide   bool // load a whole register even where half of it would do
	spill  bool // let stores write anything where a later store writes what belongs there
	widest int  // lanes of a piece
}

// pieces is nil when there are none.
func (c *cover) pieces(areas ...area) []piece {
	var all []piece
	for _, a := range areas {
		for i := 0; i < len(a.units); {
			p, n := c.next(&a, i)
			if n == 0 {
				return nil
			}
			all = append(all, p)
			i += n
		}
	}
	return all
}

// next is a piece that begins with unit i of the area, or reaches it, and the number
// of units from there on that it has.
func (c *cover) next(a *area, i int) (piece, int) {
	for w := c.widest; w > 1; w /= 2 {
		n := c.inside(a, i, w)
		if !c.wide && (n <= 1 || a.units[i+n-1].off-a.units[i].off < int64(w/2)) {
			continue // half of it does as well
		}
		if p, ok := c.plain(a, a.units[i].off, w); ok {
			return p, n
		}
		if back := a.units[i+n-1].off + 1 - int64(w); !c.g.Access.Store {
			if p, ok := c.plain(a, back, w); ok {
				return p, n
			}
		}
		if c.masks {
			if p, ok := c.masked(a, a.units[i].off, w); ok {
				return p, n
			}
		}
	}
	p := c.piece(a, a.units[i].off, 1)
	if p.masked = c.g.Access.Masked; !p.price(c) {
		return p, 0
	}
	return p, 1
}

// inside counts the units from i on that lie in w lanes.
func (c *cover) inside(a *area, i, w int) int {
	n := 0
	for i+n < len(a.units) && a.units[i+n].off < a.units[i].off+int64(w) {
		n++
	}
	return n
}

// plain is a piece of w lanes without mask, if it touches only what it may.
func (c *cover) plain(a *area, off int64, w int) (piece, bool) {
	p := c.piece(a, off, w)
	last := 0
	for k, t := range p.tags {
		if t != none {
			last = k
		}
	}
	for k := 0; k < w; k++ {
		from := k
		for k < w && !c.free(&p, k, last) {
			k++
		}
		if k > from && (c.g.Access.Store || !c.mayRead(off+int64(from), off+int64(k))) {
			return p, false
		}
	}
	return p, p.price(c)
}

// free says that lane k of the piece may be touched without asking: the piece is
// for it, or others read it anyway. A store may write there only what another store
// of the code is going to overwrite, so behind what the piece is for.
func (c *cover) free(p *piece, k, last int) bool {
	switch {
	case c.g.Access.Masked:
		return false
	case p.tags[k] != none:
		return true
	case c.g.Access.Indexed || c.g.Access.Store && (!c.spill || k < last):
		return false
	}
	_, ok := slices.BinarySearchFunc(c.layout.areas[0].units, p.off+int64(k), byOffset)
	return ok
}

func byOffset(u unit, off int64) int { return cmp.Compare(u.off, off) }

func (c *cover) mayRead(from, to int64) bool {
	u := int64(c.unit)
	return c.client.MayRead(c.g, from*u, to*u)
}

func (c *cover) masked(a *area, off int64, w int) (piece, bool) {
	p := c.piece(a, off, w)
	p.masked = true
	return p, p.price(c)
}

func (c *cover) piece(a *area, off int64, w int) piece {
	p := piece{row: a.row, off: off, tags: make([]tag, w), rows: make([]int, w)}
	i, _ := slices.BinarySearchFunc(a.units, off, byOffset)
	for k := range w {
		p.tags[k], p.rows[k] = none, -1
		if i < len(a.units) && a.units[i].off == off+int64(k) {
			p.tags[k], p.rows[k] = a.units[i].tag, a.units[i].row
			i++
		}
	}
	return p
}

func (p *piece) price(c *cover) bool {
	cost, ok := c.client.Access(p.inst(c.layout))
	p.cost = cost
	return ok
}

// written says whether, after the stores of the pieces in ascending order of their
// addresses, memory has what belongs there.
func (l *layout) written(pieces []piece) bool {
	if l.g.Access.Indexed {
		return true // rows are stored one after the other, each as it is
	}
	order := slices.Clone(pieces)
	slices.SortStableFunc(order, byAddress)
	units := l.areas[0].units
	mem := make([]tag, len(units)) // of what matters
	for _, p := range order {
		i, _ := slices.BinarySearchFunc(units, p.off, func(u unit, off int64) int { return cmp.Compare(u.off, off) })
		for ; i < len(units) && units[i].off < p.off+int64(len(p.tags)); i++ {
			if t := p.tags[units[i].off-p.off]; t != none || !p.masked {
				mem[i] = t
			}
		}
	}
	for i, u := range units {
		if mem[i] != u.tag {
			return false
		}
	}
	return true
}

func byAddress(p, q piece) int {
	return cmp.Or(cmp.Compare(p.row, q.row), cmp.Compare(p.off, q.off))
}

// inst is the piece as a load, or as a store without argument.
func (p *piece) inst(l *layout) *Inst {
	in := &Inst{
		Op: Load, Type: Type{l.unit * 8, len(p.tags)},
		Row: p.row, Offset: p.off * int64(l.unit), Rows: p.rows, Masked: p.masked,
	}
	if l.g.Access.Store {
		in.Op = Store
	}
	return in
}
