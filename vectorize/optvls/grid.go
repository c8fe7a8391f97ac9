package optvls

import "math"

// tryGrids loads or stores along the bits of networks.
func (s *search) tryGrids(c *cover) {
	for _, slots := range s.slotBits() {
		if s.networks[slots] == nil {
			s.networks[slots] = newNetwork(s.layout, s.client, slots)
		}
		n := s.networks[slots]
		if n == nil {
			continue
		}
		for _, lanes := range s.grids(n) {
			if p, ok := s.gridPlan(n, c, lanes); ok {
				s.try(p)
			}
		}
	}
}

// slotBits gives the numbers of slot bits to try: that which has room for all members,
// and where the stride is a power of two elements, that of the stride.
func (s *search) slotBits() []int {
	size := int64(s.g.Members[0].Type.Bits / 8)
	last := s.g.Members[len(s.g.Members)-1].Offset / size
	least := 0
	for 1<<least <= last {
		least++
	}
	all := []int{least}
	if dense, ok := s.denseSlots(); ok && dense > least {
		all = append(all, dense)
	}
	return all
}

func (s *search) denseSlots() (int, bool) {
	size := int64(s.g.Members[0].Type.Bits / 8)
	if s.g.Access.Indexed || s.g.Stride%size != 0 {
		return 0, false
	}
	return log2(int(max(s.g.Stride, -s.g.Stride) / size))
}

// grids lists the lane bits of loads or stores: the low bits of the address as far as
// it has no holes, as many as fit a register or half of one.
func (s *search) grids(n *network) [][]int {
	most := n.sub + n.slots
	if dense, ok := s.denseSlots(); ok && dense == n.slots {
		most = n.bits()
	}
	most = min(most, n.maxLanes())
	if n.bits() > 15 || len(n.memberLanes()) > n.maxLanes() {
		return nil
	}
	all := [][]int{counted(most)}
	if most == n.maxLanes() && most > 1 {
		all = append(all, counted(most-1))
	}
	if row := n.sub + n.slots; row < most-1 {
		all = append(all, counted(row))
	}
	return all
}

// gridPlan covers each register of the grid by pieces, and goes from there to the
// members or back.
func (s *search) gridPlan(n *network, c *cover, lanes []int) (plan, bool) {
	var pieces []piece
	ends := make([]int, 1<<(n.bits()-len(lanes))) // of the pieces of each register
	for r := range ends {
		if a := n.window(lanes, r); len(a.units) > 0 {
			p := c.pieces(a)
			if p == nil {
				return plan{}, false
			}
			pieces = append(pieces, p...)
		}
		ends[r] = len(pieces)
	}
	if s.hopeless(pieces) {
		return plan{}, false
	}
	from, to := lanes, n.memberLanes()
	if s.g.Access.Store {
		from, to = to, from
	}
	steps := s.steps(n, from, to, pieces)
	if steps == nil {
		return plan{}, false
	}
	if s.g.Access.Store {
		return plan{pieces, func(net *net) []int { return n.runStore(net, from, steps, pieces, ends) }}, true
	}
	return plan{pieces, func(net *net) []int { return n.runLoad(net, from, steps, ends) }}, true
}

// window is what register r of the grid has of memory.
func (n *network) window(lanes []int, r int) area {
	var a area
	addr := 0
	for i, b := range n.registers(lanes) {
		addr |= r >> i & 1 << b
	}
	for k := range 1 << len(lanes) {
		at := addr | k // lanes are the lowest bits
		t := n.tag(at)
		if t == none {
			continue
		}
		row := n.rowOf(at)
		u := unit{off: int64(at & (1<<(n.sub+n.slots) - 1)), tag: t, row: row}
		if n.g.Access.Indexed {
			a.row = row
		} else {
			u.off += int64(row) * n.g.Stride / int64(n.unit)
		}
		a.units = append(a.units, u)
	}
	a.sort()
	return a
}

// runLoad puts the pieces of each register together, and goes on to the members.
func (n *network) runLoad(net *net, from []int, steps []step, ends []int) []int {
	regs := make([]int, len(ends))
	begin := 0
	for r, end := range ends {
		regs[r] = -1
		if want := n.tags(from, r); !empty(want) {
			v, ok := net.assemble(want, countedFrom(begin, end))
			if !ok {
				return nil
			}
			regs[r] = v
		}
		begin = end
	}
	regs = n.build(net, regs, from, steps)
	var results []int
	for i, m := range n.g.Members {
		slot := int(m.Offset) / (m.Type.Bits / 8)
		v, _ := net.shuffle(n.members[i], regs[slot], regs[slot]) // reverses if need be
		results = append(results, v)
	}
	return results
}

func countedFrom(begin, end int) []int {
	var c []int
	for i := begin; i < end; i++ {
		c = append(c, i)
	}
	return c
}

// assemble makes one vector of several, one after the other.
func (n *net) assemble(want []tag, from []int) (int, bool) {
	from = n.sources(want, from)
	if len(from) == 0 {
		return 0, false
	}
	v := from[0]
	for i := 1; i < len(from)-1; i++ {
		have := make(map[tag]bool)
		for _, f := range from[:i+1] {
			for _, t := range n.vecs[f].tags {
				have[t] = true
			}
		}
		part := make([]tag, len(want))
		for k, t := range want {
			part[k] = none
			if have[t] {
				part[k] = t
			}
		}
		v, _ = n.shuffle(part, v, from[i])
	}
	return n.shuffle(want, v, from[len(from)-1])
}

// runStore goes from the members to the registers of the grid, and cuts these into
// pieces.
func (n *network) runStore(net *net, from []int, steps []step, pieces []piece, ends []int) []int {
	regs := make([]int, 1<<n.slots)
	for i := range regs {
		regs[i] = -1
	}
	for i, m := range n.g.Members {
		slot := int(m.Offset) / (m.Type.Bits / 8)
		regs[slot], _ = net.shuffle(n.tags(from, slot), i, i)
	}
	regs = n.build(net, regs, from, steps)
	var results []int
	begin := 0
	for r, end := range ends {
		for _, p := range pieces[begin:end] {
			v, ok := net.shuffle(p.tags, regs[r], regs[r])
			if !ok {
				return nil
			}
			results = append(results, v)
		}
		begin = end
	}
	return results
}

// steps finds a path that may lead to less cost than the best. What shuffles cost in
// the end may be a little less than what the path counts.
func (s *search) steps(n *network, from, to []int, pieces []piece) []step {
	limit := math.MaxInt / 4
	if s.best != nil {
		limit = (s.best.cost - s.leastCost(pieces)) * 5 / 4
	}
	key := [2]state{stateOf(from), stateOf(to)}
	known, ok := n.paths[key]
	if !ok || known.steps == nil && known.limit < limit {
		known = knownPath{n.find(from, to, limit), limit}
		n.paths[key] = known
	}
	return known.steps
}

// A knownPath is the result of a search up to a limit.
type knownPath struct {
	steps []step
	limit int
}
