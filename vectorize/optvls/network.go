package optvls

import (
	"math/bits"
	"slices"
)

// A network rearranges groups whose addresses can be cut into bits. Number the lanes
// of the memrefs, the slots of a lane and the units of an element by bits, the unit
// lowest: an address is row, slot, unit. In a set of registers some of these bits say
// which lane of a register, in some order, and the others which register. Loads have
// low bits as lanes, members have row and unit as lanes, and each shuffle of two
// registers that differ in one bit exchanges that bit for one of a lane. So factor 4
// at VF 4, rows r0 r1 and slots s0 s1, lowest bit first:
//
//	lanes s0 s1, registers r0 r1    4 loads
//	lanes r0 s1, registers s0 r1    4 shuffles <0 4 2 6> <1 5 3 7>
//	lanes r0 r1, registers s0 s1    4 shuffles <0 1 4 5> <2 3 6 7>
//
// The cheapest way from the bits of the loads to those of the members, or from the
// members to the stores, is a shortest path: log2 of the factor levels where the
// client has such shuffles at one price. Slots are padded to a power of two; what
// nobody needs is left out.
type network struct {
	*layout
	client     Client
	sub, slots int           // number of bits of units in an element, and of slots
	row        int           // number of bits of rows
	at         map[int][]tag // the member in each slot that has one
	used       []int         // for each set of slot bits, how many values of them members have
	moves      map[int][]move
	paths      map[[2]state]knownPath
}

// A move makes registers with other lane bits. It lists where in the old order the
// new lane bits come from; the bit of the register has the number of the old lane
// bits.
type move struct {
	lanes []int
	out   int // which bit becomes the register's, none when lanes grow
	cost  int // of both results together
}

const noBit = -1

// newNetwork is nil for groups without such bits.
func newNetwork(l *layout, c Client, slots int) *network {
	n := &network{layout: l, client: c, slots: slots, at: make(map[int][]tag), moves: make(map[int][]move), paths: make(map[[2]state]knownPath)}
	n.used = make([]int, 1<<slots)
	var ok bool
	if n.row, ok = log2(l.g.Lanes); !ok {
		return nil
	}
	size := l.g.Members[0].Type.Bits / 8
	if n.sub, ok = log2(size / l.unit); !ok {
		return nil
	}
	for i, m := range l.g.Members {
		slot := int(m.Offset) / size
		if m.Type.Bits/8 != size || int(m.Offset)%size != 0 || slot >= 1<<slots {
			return nil
		}
		n.at[slot] = l.members[i]
	}
	return n
}

func log2(n int) (int, bool) {
	for k := range 16 {
		if n == 1<<k {
			return k, true
		}
	}
	return 0, false
}

func (n *network) bits() int { return n.sub + n.slots + n.row }

// A state is the lane bits in their order, four bits each from the lowest on, and
// their number above.
type state uint64

func stateOf(lanes []int) state {
	s := state(len(lanes)) << 56
	for i, b := range lanes {
		s |= state(b) << (4 * i)
	}
	return s
}

func (s state) len() int { return int(s >> 56) }

func (s state) lanes() []int {
	l := make([]int, s.len())
	for i := range l {
		l[i] = int(s >> (4 * i) & 15)
	}
	return l
}

// set is the lane bits without order.
func (s state) set() uint {
	set := uint(0)
	for i := range s.len() {
		set |= 1 << (s >> (4 * i) & 15)
	}
	return set
}

// after is the state that a move with register bit r leads to.
func (s state) after(m *move, r int) state {
	w := s.len()
	t := state(len(m.lanes)) << 56
	for i, b := range m.lanes {
		bit := state(r)
		if b < w {
			bit = s >> (4 * b) & 15
		}
		t |= bit << (4 * i)
	}
	return t
}

// registers lists the bits that are no lane bits.
func (n *network) registers(lanes []int) []int {
	var regs []int
	for b := range n.bits() {
		if !slices.Contains(lanes, b) {
			regs = append(regs, b)
		}
	}
	return regs
}

// live counts the registers of which something is needed, given the set of lane
// bits: slots without member are not.
func (n *network) live(lanes uint) int {
	regs := ^lanes & (1<<n.bits() - 1)
	slots := regs >> n.sub & (1<<n.slots - 1)
	if n.used[slots] == 0 {
		seen := make(map[int]bool)
		for slot := range n.at {
			seen[slot&int(slots)] = true
		}
		n.used[slots] = len(seen)
	}
	return n.used[slots] << (bits.OnesCount(regs) - bits.OnesCount(slots))
}

// tag is what lies at an address of bits.
func (n *network) tag(addr int) tag {
	unit := addr & (1<<n.sub - 1)
	slot := addr >> n.sub & (1<<n.slots - 1)
	if m, ok := n.at[slot]; ok {
		return m[n.rowOf(addr)<<n.sub+unit]
	}
	return none
}

// rowOf is the row of an address. Where the stride is negative they are counted from
// the last one on, which is the lowest in memory.
func (n *network) rowOf(addr int) int {
	row := addr >> (n.sub + n.slots)
	if n.g.Stride < 0 {
		row = n.g.Lanes - 1 - row
	}
	return row
}

// tags are those of register r: its bits, in ascending order, are the bits of r.
func (n *network) tags(lanes []int, r int) []tag {
	addr := 0
	for i, b := range n.registers(lanes) {
		addr |= r >> i & 1 << b
	}
	t := make([]tag, 1<<len(lanes))
	for k := range t {
		a := addr
		for i, b := range lanes {
			a |= k >> i & 1 << b
		}
		t[k] = n.tag(a)
	}
	return t
}

// memberLanes are the lane bits of a member: units and rows.
func (n *network) memberLanes() []int {
	var l []int
	for b := range n.bits() {
		if b < n.sub || b >= n.sub+n.slots {
			l = append(l, b)
		}
	}
	return l
}

// movesOf lists the moves from w lane bits on that machines are likely to have.
func (n *network) movesOf(w int) []move {
	if m, ok := n.moves[w]; ok {
		return m
	}
	var all []move
	have := make(map[string]bool)
	add := func(lanes []int, out int) {
		if k := key([]int{out + 1}, lanes); !have[k] {
			have[k] = true
			all = append(all, move{lanes, out, 0})
		}
	}
	n.twoSources(w, add)
	permutations(w, add)
	for at := 0; at <= w && 1<<w < n.full; at++ { // both sources into one register
		add(slices.Insert(counted(w), at, w), noBit)
	}
	if w > 0 {
		add(counted(w-1), w-1) // the halves of a register
	}
	for i := range all {
		n.price(&all[i], w)
	}
	n.moves[w] = all
	return all
}

// twoSources adds moves that exchange the register bit for a lane bit: in place, or
// so that the bits between go up or down, as in unpack and its inverse.
func (n *network) twoSources(w int, add func(lanes []int, out int)) {
	for out := range w {
		swapped := counted(w)
		swapped[out] = w
		add(swapped, out)
		rest := slices.Delete(counted(w), out, out+1)
		for at := range w {
			add(slices.Insert(slices.Clone(rest), at, w), out)
		}
	}
}

// permutations adds the orders of lane bits: all of few, and of many those of the
// lower four and the upper three.
func permutations(w int, add func(lanes []int, out int)) {
	lower, upper := w, 0
	if w > 4 {
		lower, upper = 4, w-3
	}
	permute(lower, func(p []int) {
		add(append(slices.Clone(p), counted(w)[lower:]...), w)
	})
	if upper == 0 {
		return
	}
	permute(w-upper, func(p []int) {
		lanes := counted(upper)
		for _, b := range p {
			lanes = append(lanes, upper+b)
		}
		add(lanes, w)
	})
}

// permute visits the permutations of n in lexical order, without the identity.
func permute(n int, visit func(p []int)) {
	p := make([]int, 0, n)
	var rest func()
	rest = func() {
		if len(p) == n {
			if !slices.IsSorted(p) {
				visit(p)
			}
			return
		}
		for i := range n {
			if !slices.Contains(p, i) {
				p = append(p, i)
				rest()
				p = p[:len(p)-1]
			}
		}
	}
	rest()
}

func counted(n int) []int {
	c := make([]int, n)
	for i := range c {
		c[i] = i
	}
	return c
}

// price asks for the cost of both results of a move, or of the one there is.
func (n *network) price(m *move, w int) {
	t := Type{n.unit * 8, 1 << w}
	m.cost = n.client.Shuffle(t, m.mask(w, 0))
	if m.out == noBit {
		m.cost *= 2 // for one result where others have two
	} else if m.out < w {
		m.cost += n.client.Shuffle(t, m.mask(w, 1))
	} else {
		m.cost *= 2
	}
}

// mask is the shuffle of a move whose result has the given value of the out bit.
func (m *move) mask(w, out int) []int {
	mask := make([]int, 1<<len(m.lanes))
	for k := range mask {
		l := 0
		for i, b := range m.lanes {
			l |= k >> i & 1 << b
		}
		if m.out < w && m.out != noBit {
			l |= out << m.out
		}
		mask[k] = l
	}
	return mask
}

// build makes the registers after the steps out of those before, in which -1 is one
// of which nothing is needed.
func (n *network) build(net *net, regs []int, from []int, steps []step) []int {
	for _, s := range steps {
		next := make([]int, 1<<(n.bits()-len(s.to)))
		for r := range next {
			next[r] = -1
			want := n.tags(s.to, r)
			if a, b := n.sourcesOf(s, from, r); !empty(want) {
				next[r] = net.pair(want, regs[a], regs[b])
			}
		}
		regs, from = next, s.to
	}
	return regs
}

// pair is a shuffle of those of a and b that are there.
func (n *net) pair(want []tag, a, b int) int {
	if a < 0 {
		a = b
	}
	if b < 0 {
		b = a
	}
	v, _ := n.shuffle(want, a, b)
	return v
}

func empty(tags []tag) bool {
	return !slices.ContainsFunc(tags, func(t tag) bool { return t != none })
}

// sourcesOf are the registers before the step that register r after it is made of.
func (n *network) sourcesOf(s step, from []int, r int) (int, int) {
	addr := 0
	for i, b := range n.registers(s.to) {
		addr |= r >> i & 1 << b
	}
	a, b := 0, 0
	for i, bit := range n.registers(from) {
		v := addr >> bit & 1
		a |= v << i
		b |= v << i
		if bit == s.reg && slices.Contains(s.to, bit) {
			b |= 1 << i
		}
	}
	return a, b
}
