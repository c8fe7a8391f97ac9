package outline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// What is left is searched again, but not often, and only while it gets smaller by one
// enough-th.
const (
	searches = 3
	enough   = 200
)

// A selection is the state of choosing candidates.
type selection struct {
	Options
	now      []*vir.Func // with the calls so far
	codes    []Code      // of now
	routines []Routine
	bytes    int // of routines
	refused  map[string]bool
}

func (s *selection) total() int { return total(s.codes) + s.bytes }

// search takes what saves anything.
func (s *selection) search() {
	s.refused = make(map[string]bool)
	for _, read := range s.Level.readings() {
		for range searches {
			before := s.total()
			if s.round(read); (before-s.total())*enough < before {
				break
			}
		}
	}
}

// round takes candidates, the best ones first. Candidates of one round do not overlap, so
// that what is known of one holds when others have been taken.
func (s *selection) round(read reading) {
	queue := s.candidates(read)
	taken := make(map[*vir.Value]bool)
	for failed := 0; len(queue) > 0 && failed < s.Level.patience(); {
		c := queue[0]
		queue = queue[1:]
		if rest := c.without(taken); rest != c {
			if rest != nil && s.weigh(rest) {
				queue = insert(queue, rest)
			}
			continue
		}
		key := c.key()
		if s.refused[key] {
			continue
		}
		if c := s.try(c); c != nil {
			c.take(taken)
			failed = 0
			continue
		}
		s.refused[key] = true
		failed++
	}
}

// key tells candidates apart, whatever has been taken in between.
func (c *candidate) key() string {
	var sb strings.Builder
	fmt.Fprint(&sb, c.length)
	for _, start := range c.starts {
		i := c.t.items[start]
		fmt.Fprintf(&sb, " %d.%d", i.fn, i.v.ID())
	}
	return sb.String()
}

// candidates are those that save something, the best ones first.
func (s *selection) candidates(read reading) []*candidate {
	a := &alphabet{numbers: make(map[string]int)}
	all := newText(s.now, a, read, s.readable()).candidates()
	all = slices.DeleteFunc(all, func(c *candidate) bool { return !s.weigh(c) })
	slices.SortStableFunc(all, compare)
	return all
}

// readable tells which blocks may be outlined from.
func (s *selection) readable() func(fn int, b *vir.Block) bool {
	allow := allowed(s.now, s.Level)
	return func(fn int, b *vir.Block) bool {
		return allow(fn, b) && (s.Level == Size || calls(s.now[fn]) < affordable(s.codes[fn]))
	}
}

// compare puts candidates of more gain first, then shorter ones, which have fewer
// operations between them and the rest.
func compare(c, d *candidate) int { return cmp.Or(d.gain-c.gain, c.length-d.length) }

// insert puts c where it belongs in the queue.
func insert(queue []*candidate, c *candidate) []*candidate {
	i, _ := slices.BinarySearchFunc(queue, c, compare)
	return slices.Insert(queue, i, c)
}

// weigh makes the body of c and reports whether it saves anything.
func (s *selection) weigh(c *candidate) bool {
	if c.body == nil {
		c.body = c.routine(fmt.Sprintf("%sPart%d", s.now[c.t.items[c.starts[0]].fn].Name, len(s.routines)+1))
		codes, err := s.Measure([]*vir.Func{c.body})
		if err != nil {
			return false
		}
		c.bytes = codes[0].Bytes
	}
	c.gain = c.estimate()
	return c.gain >= worthwhile
}

// without is c less the occurrences of which something is taken, nil if fewer than two are
// left.
func (c *candidate) without(taken map[*vir.Value]bool) *candidate {
	left := slices.DeleteFunc(slices.Clone(c.starts), func(start int) bool {
		for k := start; k < start+c.length; k++ {
			if taken[c.t.items[k].v] {
				return true
			}
		}
		return false
	})
	if len(left) == len(c.starts) {
		return c
	}
	return c.t.candidate(left, c.length)
}

func (c *candidate) take(taken map[*vir.Value]bool) {
	for _, start := range c.starts {
		for k := start; k < start+c.length; k++ {
			taken[c.t.items[k].v] = true
		}
	}
}

// try puts calls of c in the place of its occurrences, and keeps them if the code of all
// gets smaller. Where that of a function does not, only what is outside of its loops is
// left, or nothing. It returns the candidate as it was taken, nil if it was not.
func (s *selection) try(c *candidate) *candidate {
	for c != nil && s.weigh(c) {
		c.body.Name = fmt.Sprintf("%sPart%d", s.now[c.t.items[c.starts[0]].fn].Name, len(s.routines)+1)
		changed, ok := s.replace(c)
		if !ok {
			return nil
		}
		codes, err := s.Measure(append(changed.funcs(), c.body))
		if err != nil {
			return nil
		}
		worse := s.worse(changed, codes)
		if len(worse) == 0 {
			return s.accept(c, changed, codes)
		}
		c = s.less(c, worse)
	}
	return nil
}

// less is c without the occurrences in loops of the given functions, or in all of them if
// there are no such. It is nil if fewer than two are left.
func (s *selection) less(c *candidate, fns []int) *candidate {
	outside := allowed(s.now, Merge)
	in := func(start int) bool { return slices.Contains(fns, c.t.items[start].fn) }
	loop := func(start int) bool { return in(start) && !outside(c.t.items[start].fn, c.t.items[start].v.Block) }
	drop := in
	if slices.ContainsFunc(c.starts, loop) {
		drop = loop
	}
	return c.t.candidate(slices.DeleteFunc(slices.Clone(c.starts), drop), c.length)
}

// A change is the functions that would have calls.
type change struct {
	fns   []int // ascending
	after map[int]*vir.Func
}

func (c change) funcs() (fs []*vir.Func) {
	for _, fn := range c.fns {
		fs = append(fs, c.after[fn])
	}
	return fs
}

// replace makes calls in copies of the functions. It is not ok when calls of others have
// come between.
func (s *selection) replace(c *candidate) (ch change, ok bool) {
	ch.after = make(map[int]*vir.Func)
	var r *rewriter
	for o, start := range c.starts {
		fn := c.t.items[start].fn
		if ch.after[fn] == nil {
			ch.fns = append(ch.fns, fn)
			ch.after[fn] = s.now[fn].Clone()
			r = &rewriter{candidate: c, byID: make(map[int]*vir.Value)}
			for v := range ch.after[fn].Values {
				r.byID[v.ID()] = v
			}
		}
		if !r.call(o, c.body) {
			return ch, false
		}
	}
	for _, fn := range ch.fns {
		edit.Sweep(ch.after[fn])
	}
	return ch, true
}

// worse are the functions whose code does not get smaller, or of which more would be done
// in loops where that is not wanted.
func (s *selection) worse(ch change, codes []Code) (fns []int) {
	for i, fn := range ch.fns {
		seldom := codes[i].Loops <= s.codes[fn].Loops && calls(ch.after[fn]) <= affordable(codes[i])
		if codes[i].Bytes >= s.codes[fn].Bytes || s.Level != Size && !seldom {
			fns = append(fns, fn)
		}
	}
	return fns
}

// accept makes the change if it saves enough, and returns c then.
func (s *selection) accept(c *candidate, ch change, codes []Code) *candidate {
	gain := -codes[len(ch.fns)].Bytes
	for i, fn := range ch.fns {
		gain += s.codes[fn].Bytes - codes[i].Bytes
	}
	if gain < worthwhile {
		return nil
	}
	for i, fn := range ch.fns {
		s.now[fn], s.codes[fn] = ch.after[fn], codes[i]
	}
	s.bytes += codes[len(ch.fns)].Bytes
	s.routines = append(s.routines, Routine{Fn: c.body, First: ch.fns[0], Places: len(c.starts), Gain: gain})
	return c
}
