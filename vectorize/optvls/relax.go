package optvls

import "slices"

// relaxed is the net again, with any value in all lanes that no result needs, so
// that shuffles may be of cheaper kinds, or none, and with shuffles of shuffles made
// one where that costs less.
func (n *net) relaxed(results []int, want [][]tag, sources int) (*net, []int) {
	needed := n.needed(results, want, sources)
	r := &relaxing{net: newNet(n.bits, n.client, n.scratch, tagsOfVecs(n.vecs[:sources]))}
	at := counted(len(n.vecs))
	live := n.live(results)
	uses := n.uses(results, live)
	for v := range sources {
		r.uses = append(r.uses, uses[v])
	}
	for v := sources; v < len(n.vecs); v++ {
		if args := n.vecs[v].args; live[v] {
			at[v] = r.shuffle(needed[v], at[args[0]], at[args[len(args)-1]])
			r.used(at[v], uses[v])
		}
	}
	moved := make([]int, len(results))
	for i, x := range results {
		moved[i] = at[x]
	}
	return r.net, moved
}

// needed are the tags of each vector that results need.
func (n *net) needed(results []int, want [][]tag, sources int) [][]tag {
	needed := make([][]tag, len(n.vecs))
	for v := range n.vecs {
		needed[v] = make([]tag, len(n.vecs[v].tags))
		for k := range needed[v] {
			needed[v][k] = none
		}
	}
	for i, r := range results {
		for k, t := range want[i] {
			if t != none {
				needed[r][k] = t
			}
		}
	}
	for v := len(n.vecs) - 1; v >= sources; v-- {
		x := &n.vecs[v]
		for k, l := range x.lanes {
			if w := len(n.vecs[x.args[0]].tags); needed[v][k] != none {
				needed[x.args[l/w]][l%w] = needed[v][k]
			}
		}
	}
	return needed
}

func tagsOfVecs(vecs []vec) [][]tag {
	tags := make([][]tag, 0, len(vecs))
	for _, v := range vecs {
		tags = append(tags, v.tags)
	}
	return tags
}

// uses counts the live shuffles and the results that use each vector.
func (n *net) uses(results []int, live []bool) []int {
	uses := make([]int, len(n.vecs))
	for v := range n.vecs {
		for _, a := range n.vecs[v].args {
			if live[v] {
				uses[a]++
			}
		}
	}
	for _, r := range results {
		uses[r]++
	}
	return uses
}

// A relaxing is a net that is being made, with the number of uses its vectors are
// going to have.
type relaxing struct {
	*net
	uses []int
}

func (r *relaxing) used(v, times int) {
	for len(r.uses) <= v {
		r.uses = append(r.uses, 0)
	}
	r.uses[v] += times
}

// shuffle makes a vector out of two, or out of their sources.
func (r *relaxing) shuffle(want []tag, a, b int) int {
	v, _ := r.net.shuffle(want, a, b)
	for {
		w, ok := r.collapsed(v)
		if !ok {
			return v
		}
		v = w
	}
}

// collapsed makes v of the sources of one of its sources, if that leaves two at most
// and costs less; what only v used of the source is saved.
func (r *relaxing) collapsed(v int) (int, bool) {
	args := r.vecs[v].args
	for i, a := range args {
		if len(r.vecs[a].args) == 0 {
			continue
		}
		from := slices.Concat(args[:i], r.vecs[a].args, args[i+1:])
		slices.Sort(from)
		from = slices.Compact(from)
		last := from[len(from)-1]
		if len(from) > 2 || len(r.vecs[from[0]].tags) != len(r.vecs[last].tags) {
			continue
		}
		old := r.price(v)
		if a < len(r.uses) && r.uses[a] == 1 {
			old += r.price(a)
		}
		mark := len(r.vecs)
		w, ok := r.net.shuffle(r.vecs[v].tags, from[0], last)
		if ok && w != v && r.price(w) < old {
			return w, true
		}
		r.forget(mark)
	}
	return v, false
}
