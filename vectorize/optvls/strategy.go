package optvls

import (
	"math/bits"
	"slices"
)

// A strategy computes the wanted vectors from the sources, which are the first vecs
// of the net. It is nil where it does not suit.
type strategy func(n *net, full int, sources []int, want [][]tag) []int

var strategies = []strategy{
	func(n *net, full int, s []int, w [][]tag) []int { return viaGraph(n, full, s, w, mergeNever) },
	func(n *net, full int, s []int, w [][]tag) []int { return viaGraph(n, full, s, w, mergePaying) },
	func(n *net, full int, s []int, w [][]tag) []int { return viaGraph(n, full, s, w, mergeAlways) },
	selectThenPermute,
	permuteThenSelect,
	func(n *net, full int, s []int, w [][]tag) []int { return pack(n, full, s, w, 1) },
}

type merging int

// mostToMerge bounds the nodes of graphs whose merges are tried, as these are pairs.
const mostToMerge = 80

const (
	mergeNever merging = iota
	mergePaying
	mergeAlways
)

// viaGraph splits and merges the bit-range graph, and makes a shuffle of each node.
// Nodes whose number of lanes is no power of two get lanes of any value behind.
func viaGraph(n *net, full int, sources []int, want [][]tag, m merging) []int {
	var tags [][]tag
	for _, s := range sources {
		tags = append(tags, n.vecs[s].tags)
	}
	g := newGraph(n.bits, full*n.bits, len(n.where), tags, want)
	if g == nil {
		return nil
	}
	g.split()
	if m != mergeNever {
		if len(g.nodes) > mostToMerge {
			return nil
		}
		any, lossy := g.merge(n.client, m == mergePaying)
		if !any || m == mergeAlways && !lossy {
			return nil // as without
		}
	}
	if g.verify() != nil {
		return nil
	}
	return g.emit(n, sources)
}

// emit makes a shuffle of each node that is no source.
func (g *graph) emit(n *net, sources []int) []int {
	order, _ := g.order()
	at := make(map[*node]int)
	for _, x := range order {
		if x.source >= 0 {
			at[x] = sources[x.source]
			continue
		}
		tags := make([]tag, powerOfTwo(len(x.edges)))
		for k := range tags {
			tags[k] = none
		}
		for k, e := range x.edges {
			if e.src != nil {
				tags[k] = n.vecs[at[e.src]].tags[e.bits.index/g.lane]
			}
		}
		from := x.sources()
		if len(from) == 0 {
			return nil
		}
		v, ok := n.shuffle(tags, at[from[0]], at[from[len(from)-1]])
		if !ok {
			return nil
		}
		at[x] = v
	}
	var results []int
	for _, r := range g.results {
		results = append(results, at[r])
	}
	return results
}

// powerOfTwo is the smallest power of two from n on.
func powerOfTwo(n int) int { return 1 << bits.Len(uint(n-1)) }

// selectThenPermute selects what a result needs of all its sources into one vector,
// each lane staying where it is, and permutes that. It suits where no two of these
// are in the same lane, as for odd strides and lanes that are powers of two:
//
//	x0 y0 z0 x1 | y1 z1 x2 y2 | z2 x3 y3 z3
//	x0 .. .. x1 | .. .. x2 .. | .. x3 .. ..  ->  x0 x3 x2 x1  ->  x0 x1 x2 x3
func selectThenPermute(n *net, full int, sources []int, want [][]tag) []int {
	results := make([]int, len(want))
	for i, w := range want {
		from := n.sources(w, sources)
		if len(from) == 0 {
			return nil
		}
		v, ok := n.selectAll(w, from)
		if !ok {
			return nil
		}
		if results[i], ok = n.shuffle(w, v, v); !ok {
			return nil
		}
	}
	return results
}

// selectAll puts the wanted tags of the vectors into one vector without moving them
// between lanes; false when two need the same lane or the vectors have different
// lengths.
func (n *net) selectAll(want []tag, from []int) (int, bool) {
	parts := make([][]tag, len(from))
	acc := make([]tag, len(n.vecs[from[0]].tags))
	for k := range acc {
		acc[k] = none
	}
	n.marked(want)
	for i, s := range from {
		tags := n.vecs[s].tags
		if len(tags) != len(acc) {
			return 0, false
		}
		for k, t := range tags {
			if !n.has(t) {
				continue
			}
			if acc[k] != none {
				return 0, false
			}
			acc[k] = t
			n.mark[t] = 0
		}
		parts[i] = slices.Clone(acc)
	}
	v := from[0]
	for i, s := range from[1:] {
		v, _ = n.shuffle(parts[i+1], v, s)
	}
	return v, true
}

// permuteThenSelect permutes each source so that all it has is in the lane where
// some result wants it, and selects the results from these: the mirror image of
// selectThenPermute, which suits stores.
func permuteThenSelect(n *net, full int, sources []int, want [][]tag) []int {
	n.stamp++
	for _, w := range want {
		for k, t := range w {
			if t == none {
				continue
			}
			if at := &n.where[t]; at.stamp != n.stamp {
				*at = place{n.stamp, k}
			} else if at.lane != k {
				return nil
			}
		}
	}
	parts := make([][]tag, len(sources))
	for i, s := range sources {
		if parts[i] = n.inPlace(s, len(want[0])); parts[i] == nil {
			return nil
		}
	}
	permuted := make([]int, len(sources))
	for i, s := range sources {
		permuted[i], _ = n.shuffle(parts[i], s, s)
	}
	return selectThenPermute(n, full, permuted, want)
}

// inPlace gives the tags of a vector the lanes they have a place in; nil when two
// have the same.
func (n *net) inPlace(v, lanes int) []tag {
	tags := make([]tag, lanes)
	for k := range tags {
		tags[k] = none
	}
	for _, t := range n.vecs[v].tags {
		if t == none || n.where[t].stamp != n.stamp {
			continue
		}
		k := n.where[t].lane
		if k >= lanes || tags[k] != none && tags[k] != t {
			return nil
		}
		tags[k] = t
	}
	return tags
}
