package optvls

import "slices"

// A net computes vectors from sources by shuffles. Equal vectors are made once.
type net struct {
	bits   int // of a lane
	client Client
	vecs   []vec
	made   map[string]int
	limit  int // shuffles that cost as much as this are of no use
	least  int // cost of a shuffle of two sources at least
	*scratch
}

// A scratch remembers things about tags; what has an old stamp is forgotten.
type scratch struct {
	where []place // in the sources of a shuffle
	mark  []int   // the stamp of tags of a set
	stamp int
}

func newScratch(tags int) *scratch {
	return &scratch{where: make([]place, tags), mark: make([]int, tags)}
}

// marked starts a new set of tags.
func (s *scratch) marked(tags []tag) (count int) {
	s.stamp++
	for _, t := range tags {
		if t != none && s.mark[t] != s.stamp {
			s.mark[t] = s.stamp
			count++
		}
	}
	return count
}

func (s *scratch) has(t tag) bool { return t != none && s.mark[t] == s.stamp }

// A vec is a vector: a source, or a shuffle of one or two others.
type vec struct {
	tags  []tag
	args  []int
	lanes []int
}

type place struct{ stamp, lane int }

func newNet(bits int, client Client, s *scratch, sources [][]tag) *net {
	n := &net{bits: bits, client: client, made: make(map[string]int), scratch: s}
	n.vecs = make([]vec, 0, 4*len(sources))
	for _, s := range sources {
		n.add(vec{tags: s})
	}
	return n
}

func (n *net) add(v vec) int {
	n.vecs = append(n.vecs, v)
	return len(n.vecs) - 1
}

// shuffle makes a vector with the wanted tags out of a and b, and says whether they
// have all of them. Lanes that may hold anything are none.
func (n *net) shuffle(want []tag, a, b int) (int, bool) {
	if v, ok := n.same(want, a, b); ok {
		return v, true
	}
	a, b = n.widen(a, b)
	w := len(n.vecs[a].tags)
	lanes, used, double := n.find(want, a, b, w)
	if lanes == nil {
		return 0, false
	}
	if used == 3 && double { // perhaps it is better to take what both have from b
		t := Type{n.bits, w}
		others, its, _ := n.find(want, b, a, w)
		if its != 3 || n.client.Shuffle(t, others) < n.client.Shuffle(t, lanes) {
			a, b, lanes, used = b, a, others, its
		}
	}
	args := []int{a, b}
	switch used {
	case 1:
		args = []int{a}
	case 2:
		args = []int{b}
		for i := range lanes {
			lanes[i] = max(-1, lanes[i]-w)
		}
	}
	key := key(args, lanes)
	if v, ok := n.made[key]; ok {
		return v, true
	}
	tags := make([]tag, len(want))
	for i, l := range lanes {
		tags[i] = none
		if l >= 0 {
			tags[i] = n.vecs[args[l/w]].tags[l%w]
		}
	}
	v := n.add(vec{tags, args, lanes})
	n.made[key] = v
	return v, true
}

// forget drops the vectors from a mark on.
func (n *net) forget(mark int) {
	for v := mark; v < len(n.vecs); v++ {
		delete(n.made, key(n.vecs[v].args, n.vecs[v].lanes))
	}
	n.vecs = n.vecs[:mark]
}

// same finds that a or b is what is wanted.
func (n *net) same(want []tag, a, b int) (int, bool) {
	for _, v := range []int{a, b} {
		tags := n.vecs[v].tags
		if len(tags) != len(want) {
			continue
		}
		ok := true
		for i, t := range want {
			ok = ok && (t == none || t == tags[i])
		}
		if ok {
			return v, true
		}
	}
	return 0, false
}

// widen brings two sources to the same number of lanes.
func (n *net) widen(a, b int) (int, int) {
	la, lb := len(n.vecs[a].tags), len(n.vecs[b].tags)
	switch {
	case la < lb:
		return n.pad(a, lb), b
	case lb < la:
		return a, n.pad(b, la)
	}
	return a, b
}

// pad is v with lanes of any value behind it. A shuffle is made wider itself.
func (n *net) pad(v, lanes int) int {
	tags := append(make([]tag, 0, lanes), n.vecs[v].tags...)
	for len(tags) < lanes {
		tags = append(tags, none)
	}
	args := n.vecs[v].args
	if len(args) == 0 {
		args = []int{v}
	}
	p, _ := n.shuffle(tags, args[0], args[len(args)-1])
	return p
}

// find gives for each wanted lane its place in a and b, preferring the same lane and
// then a, which of them were used, as bits, and whether both have a tag; nil when
// something is missing.
func (n *net) find(want []tag, a, b, w int) (lanes []int, used int, double bool) {
	n.stamp++
	for i, v := range [2]int{a, b} {
		for k, t := range n.vecs[v].tags {
			switch {
			case t == none:
			case n.where[t].stamp != n.stamp:
				n.where[t] = place{n.stamp, i*w + k}
			case n.where[t].lane < i*w:
				double = true
			}
		}
	}
	lanes = make([]int, len(want))
	for i, t := range want {
		lanes[i] = -1
		switch {
		case t == none:
			continue
		case n.where[t].stamp != n.stamp:
			return nil, 0, false
		case i < w && n.vecs[a].tags[i] == t:
			lanes[i] = i
		case i < w && n.vecs[b].tags[i] == t:
			lanes[i] = w + i
		default:
			lanes[i] = n.where[t].lane
		}
		used |= 1 << (lanes[i] / w)
	}
	if a == b || used == 0 {
		used = 1
	}
	return lanes, used, double && a != b
}

func key(args, lanes []int) string {
	b := make([]byte, 0, 8+2*len(lanes))
	return string(appendKey(append(appendKey(b, args), byte(len(args))), lanes))
}

func appendKey(b []byte, all []int) []byte {
	for _, x := range all {
		b = append(b, byte(x), byte(x>>8))
	}
	return b
}

// cost is that of all shuffles that the results need.
func (n *net) cost(results []int) int {
	sum := 0
	live := n.live(results)
	for v := range n.vecs {
		if live[v] {
			sum += n.price(v)
		}
	}
	return sum
}

func (n *net) price(v int) int {
	x := &n.vecs[v]
	if len(x.args) == 0 {
		return 0
	}
	return n.client.Shuffle(Type{n.bits, len(n.vecs[x.args[0]].tags)}, x.lanes)
}

func (n *net) live(results []int) []bool {
	live := make([]bool, len(n.vecs))
	for _, r := range results {
		live[r] = true
	}
	for v := len(n.vecs) - 1; v >= 0; v-- {
		if live[v] {
			for _, a := range n.vecs[v].args {
				live[a] = true
			}
		}
	}
	return live
}

// sources finds few vectors among the given ones that have all wanted tags, in
// their order.
func (n *net) sources(want []tag, among []int) []int {
	missing := n.marked(want)
	var chosen []int
	for missing > 0 {
		best, most := -1, 0
		for _, v := range among {
			if c := n.count(v); c > most {
				best, most = v, c
			}
		}
		if best < 0 {
			return nil
		}
		chosen = append(chosen, best)
		missing -= most
		for _, t := range n.vecs[best].tags {
			if t != none {
				n.mark[t] = 0
			}
		}
	}
	slices.Sort(chosen)
	return chosen
}

// count counts the tags of a vector that are in the set, each once.
func (n *net) count(v int) int {
	c := 0
	for k, t := range n.vecs[v].tags {
		if n.has(t) && !slices.Contains(n.vecs[v].tags[:k], t) {
			c++
		}
	}
	return c
}
