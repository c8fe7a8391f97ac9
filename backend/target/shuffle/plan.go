package shuffle

import "sync"

// plans keeps what was found, by registers whose sources are numbered in the
// order of their bytes.
var plans = struct {
	sync.Mutex
	m map[Reg]*Plan
}{m: make(map[Reg]*Plan)}

// maxPlans bounds the memory of plans.
const maxPlans = 1 << 16

// For is the cheapest plan found for want. There always is one.
func For(want Reg) *Plan {
	canonical, names := number(&want)
	plans.Lock()
	p := plans.m[canonical]
	plans.Unlock()
	if p == nil {
		p = linear(find(&canonical), canonical.low())
		plans.Lock()
		if len(plans.m) >= maxPlans {
			clear(plans.m)
		}
		plans.m[canonical] = p
		plans.Unlock()
	}
	return p.renamed(names)
}

// number renames the sources of want 0, 1, ... in the order of their first bytes;
// names are the old ones.
func number(want *Reg) (r Reg, names []int) {
	r = *want
	for i, w := range want {
		if w < 0 {
			continue
		}
		k := 0
		for k < len(names) && names[k] != w.source() {
			k++
		}
		if k == len(names) {
			names = append(names, w.source())
		}
		r[i] = Of(k, w.offset())
	}
	return r, names
}

// find searches deeper and deeper, with what was found as bound.
func find(want *Reg) *node {
	if n := leafOf(want); n != nil {
		return n
	}
	best := general(want)
	depth := 3
	s := &search{done: make(map[key]*result)}
	for d := 1; d <= depth; d++ {
		if n := s.make(want, d, best.cost); n != nil {
			best = n
		}
	}
	return best
}

// general moves the bytes of each source to their places, those that change
// halves apart, with zeros between, and ors all.
func general(want *Reg) *node {
	var all *node
	for _, x := range leavesOf(want) {
		for _, cross := range []bool{false, true} {
			part, from := *want, x
			for i, w := range want {
				if w != Any && (w < 0 || w.source() != x.n || (w.offset()/Half != i/Half) != cross) {
					part[i] = Zero
				}
			}
			if part.sources() == 0 {
				continue
			}
			if cross {
				from = instruction(call{op: Permq, imm: 0x4e}, x, nil)
			}
			pshufb(&part, &from.reg, func(c *call) {
				n := instruction(*c, from, nil)
				if all == nil {
					all = n
				} else {
					all = instruction(call{op: Or}, all, n)
				}
			})
		}
	}
	if all == nil { // nothing but zeros
		x := leafNode(0)
		pshufb(want, &x.reg, func(c *call) { all = instruction(*c, x, nil) })
	}
	return all
}

func instruction(c call, a, b *node) *node {
	n := &node{call: c, a: a, b: b, cost: infos[c.op].Cost.Throughput + a.cost}
	if b == nil {
		n.reg = c.apply(&a.reg, nil)
	} else {
		n.reg = c.apply(&a.reg, &b.reg)
		if a != b {
			n.cost += b.cost
		}
	}
	n.from = n.reg.sources()
	return n
}

// A step is what identifies an instruction of a plan.
type step struct {
	call
	a, b int
}

// linear lists the instructions of a tree, equal ones once. low says that only
// the low half of the result is wanted.
func linear(root *node, low bool) *Plan {
	p := &Plan{Source: root.n}
	at := make(map[step]int)
	ready := make(map[int]float64) // latency up to a step
	var visit func(n *node) int
	visit = func(n *node) int {
		if n.op == leaf {
			return ^n.n
		}
		k := step{call: n.call, a: visit(n.a)}
		if k.b = k.a; n.b != nil {
			k.b = visit(n.b)
		}
		if i, ok := at[k]; ok {
			return i
		}
		i, cost := len(p.Steps), n.op.Info().Cost
		at[k] = i
		p.Steps = append(p.Steps, Step{Op: n.op, Imm: n.imm, Const: n.ctl, A: k.a, B: k.b, Size: Half})
		ready[i] = max(ready[k.a], ready[k.b]) + cost.Latency
		p.Cost.Throughput += cost.Throughput
		p.Cost.Latency = max(p.Cost.Latency, ready[i])
		return i
	}
	visit(root)
	p.sizes(low)
	return p
}

// sizes finds the steps that work on whole registers: those whose high half
// somebody reads.
func (p *Plan) sizes(low bool) {
	whole := func(i int) {
		if i >= 0 {
			p.Steps[i].Size = Size
		}
	}
	if !low {
		whole(len(p.Steps) - 1)
	}
	for i := len(p.Steps) - 1; i >= 0; i-- {
		s := &p.Steps[i]
		switch {
		case s.Op.Info().Cross:
			s.Size = Size
		case s.Op == Insertps || s.Op == Extract128: // exist on halves only
			s.Size = Half
		}
		switch {
		case s.Op == Insert128, Broadcastb <= s.Op && s.Op <= Broadcastq, Pmovzxbw <= s.Op && s.Op <= Pmovzxdq:
			// These read low halves only.
		case s.Size == Size || s.Op == Extract128:
			whole(s.A)
			whole(s.B)
		}
	}
}

// renamed is p with other names of its sources.
func (p *Plan) renamed(names []int) *Plan {
	if len(names) == 0 {
		return p
	}
	q := *p
	if len(p.Steps) == 0 {
		q.Source = names[p.Source]
		return &q
	}
	rename := func(i int) int {
		if i < 0 {
			return ^names[^i]
		}
		return i
	}
	q.Steps = append([]Step(nil), p.Steps...)
	for i := range q.Steps {
		q.Steps[i].A, q.Steps[i].B = rename(q.Steps[i].A), rename(q.Steps[i].B)
	}
	return &q
}
