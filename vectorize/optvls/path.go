package optvls

import (
	"cmp"
	"container/heap"
	"math/bits"
	"slices"
)

// A step is a move with the register bit that it takes, and where it led to.
type step struct {
	move move
	reg  int
	to   []int
}

// effort is how many states a search looks at, at most.
const effort = 8000

// A path is a search for the cheapest steps between two orders of lane bits.
type path struct {
	*network
	goal     state
	goalSet  uint
	toLanes  int
	exchange int // least cost of changing one lane bit, for all registers at the goal
	grow     int // the same for one lane bit more
	any      int // the same for any move
	limit    int // twice the cost from which on it gives up
	best     map[state]*visit
	queue    queue
	searched int
}

// A visit is a state with the cheapest way to it so far.
type visit struct {
	state    state
	cost     int // twice what shuffles cost
	estimate int // of the whole way through here
	order    int
	from     *visit
	move     *move
	reg      int
}

// find gives the cheapest steps if they cost less than a limit; else, or when it
// gives up, nil.
func (n *network) find(from, to []int, limit int) []step {
	p := &path{network: n, goal: stateOf(to), toLanes: len(to), limit: 2 * limit, best: make(map[state]*visit)}
	p.goalSet = p.goal.set()
	p.leastCosts(min(len(from), len(to)), n.live(p.goalSet))
	p.reach(visit{state: stateOf(from)})
	for p.searched < effort && p.queue.Len() > 0 {
		v := heap.Pop(&p.queue).(*visit)
		if p.best[v.state] != v {
			continue
		}
		if v.state == p.goal {
			return append([]step{}, v.steps()...)
		}
		p.searched++
		p.expand(v)
	}
	return nil
}

// leastCosts sets lower bounds of the cost of levels.
func (p *path) leastCosts(w, live int) {
	p.exchange, p.grow, p.any = -1, -1, -1
	least := func(at *int, cost int) {
		if *at < 0 || cost < *at {
			*at = cost
		}
	}
	for ; w <= p.maxLanes(); w++ {
		for _, m := range p.movesOf(w) {
			least(&p.any, m.cost*live)
			switch {
			case m.out == noBit:
				least(&p.grow, m.cost*live)
			case m.out < w:
				least(&p.exchange, m.cost*live)
			}
		}
	}
	p.exchange, p.grow, p.any = max(p.exchange, 0), max(p.grow, 0), max(p.any, 0)
}

func (n *network) maxLanes() int {
	w, _ := log2(n.full)
	return w
}

func (p *path) reach(v visit) {
	if v.estimate = v.cost + p.rest(v.state); v.estimate >= p.limit {
		return
	}
	if old, ok := p.best[v.state]; ok && old.cost <= v.cost {
		return
	}
	v.order = len(p.best)
	kept := new(visit)
	*kept = v
	p.best[v.state] = kept
	heap.Push(&p.queue, kept)
}

// rest is a lower bound for the cost from a state to the goal: each lane bit that
// must become a register bit takes an exchange.
func (p *path) rest(s state) int {
	if s == p.goal {
		return 0
	}
	missing := bits.OnesCount(s.set() &^ p.goalSet)
	more := max(0, p.toLanes-s.len())
	return max(p.any, missing*p.exchange+more*p.grow)
}

func (p *path) expand(v *visit) {
	w := v.state.len()
	set := v.state.set()
	moves := p.movesOf(w)
	for i := range moves {
		m := &moves[i]
		takes := m.out == noBit || m.out < w && len(m.lanes) == w
		for r := range p.bits() {
			if set>>r&1 != 0 {
				continue
			}
			to := v.state.after(m, r)
			p.reach(visit{state: to, cost: v.cost + m.cost*p.live(to.set()), from: v, move: m, reg: r})
			if !takes {
				break
			}
		}
	}
}

func (v *visit) steps() []step {
	var all []step
	for ; v.from != nil; v = v.from {
		all = append(all, step{*v.move, v.reg, v.state.lanes()})
	}
	slices.Reverse(all)
	return all
}

// A queue gives the least estimate first, of equal ones the nearest to the goal.
type queue []*visit

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	a, b := q[i], q[j]
	return cmp.Or(cmp.Compare(a.estimate, b.estimate), cmp.Compare(b.cost, a.cost), cmp.Compare(a.order, b.order)) < 0
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(*visit)) }
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}
