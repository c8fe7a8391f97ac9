package outline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// routines looks for code that fs have in common. The given functions are not changed.
// The error is that of Measure for the given functions.
func routines(fs []*vir.Func, o Options) (*Outlining, error) {
	s := &selection{Options: o, now: slices.Clone(fs), refused: make(map[string]bool)}
	var err error
	if s.codes, err = o.Measure(fs); err != nil {
		return nil, err
	}
	for range searches {
		before := s.total()
		if s.round(); (before-s.total())*enough < before {
			break
		}
	}
	return &Outlining{Funcs: s.now, Routines: s.routines, After: s.total()}, nil
}

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

// round takes candidates, the best ones first. Candidates of one round do not overlap, so
// that what is known of one holds when others have been taken.
func (s *selection) round() {
	queue := s.candidates()
	taken := make(map[*vir.Value]bool)
	for len(queue) > 0 {
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
		if s.try(c) {
			c.take(taken)
		} else {
			s.refused[key] = true
		}
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

// candidates are those of all readings that save something, the best ones first.
func (s *selection) candidates() []*candidate {
	var all []*candidate
	for _, read := range []reading{everything, vectors} {
		a := &alphabet{numbers: make(map[string]int)}
		all = append(all, newText(s.now, a, read, s.readable()).candidates()...)
	}
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
// gets smaller. Functions whose own code does not are left out.
func (s *selection) try(c *candidate) bool {
	c.body.Name = fmt.Sprintf("%sPart%d", s.now[c.t.items[c.starts[0]].fn].Name, len(s.routines)+1)
	for len(c.starts) > 1 {
		changed, ok := s.replace(c)
		if !ok {
			return false
		}
		codes, err := s.Measure(append(changed.funcs(), c.body))
		if err != nil {
			return false
		}
		if worse := s.worse(changed, codes); len(worse) > 0 {
			if c = c.keep(func(fn int) bool { return !slices.Contains(worse, fn) }); c == nil || !s.weigh(c) {
				return false
			}
			continue
		}
		return s.accept(c, changed, codes)
	}
	return false
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

// keep is c with the occurrences in some functions only.
func (c *candidate) keep(fn func(int) bool) *candidate {
	return c.t.candidate(slices.DeleteFunc(slices.Clone(c.starts), func(s int) bool { return !fn(c.t.items[s].fn) }), c.length)
}

func (s *selection) accept(c *candidate, ch change, codes []Code) bool {
	gain := -codes[len(ch.fns)].Bytes
	for i, fn := range ch.fns {
		gain += s.codes[fn].Bytes - codes[i].Bytes
	}
	if gain <= 0 {
		return false
	}
	for i, fn := range ch.fns {
		s.now[fn], s.codes[fn] = ch.after[fn], codes[i]
	}
	s.bytes += codes[len(ch.fns)].Bytes
	s.routines = append(s.routines, Routine{Fn: c.body, First: ch.fns[0], Places: len(c.starts), Gain: gain})
	return true
}
