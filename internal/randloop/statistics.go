package randloop

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/lanewise/lanewise/internal/diag"
)

// A Share is a number of things, and how many of them were vectorized.
type Share struct {
	All        int `json:"all"`
	Vectorized int `json:"vectorized"`
}

func (s *Share) count(vectorized bool) {
	s.All++
	if vectorized {
		s.Vectorized++
	}
}

func (s Share) plus(t Share) Share { return Share{s.All + t.All, s.Vectorized + t.Vectorized} }

// Statistics say what became of random functions. The zero value is ready for use.
type Statistics struct {
	Functions Share            `json:"functions"` // vectorized: with a kernel at least
	Regions   Share            `json:"regions"`   // loops and straight-line code with verdicts
	Features  map[string]Share `json:"features"`  // functions by what they exercise
	Refusals  map[string]int   `json:"refusals"`  // by the identifier of the remark
	Decisions map[string]int   `json:"decisions"` // remarks of analysis
	Memory    map[string]int   `json:"memory"`    // accesses in kernels, by form
	Trees     map[string]int   `json:"trees"`     // groups of equal work, by what they began with
	Routines  int              `json:"routines"`  // shared by kernels
	Calls     int              `json:"calls"`     // of routines
}

// Count adds functions and the remarks about them.
func (s *Statistics) Count(fs []Function, remarks []diag.Remark) {
	s.prepare()
	vectorized := make(map[string]bool)
	for _, r := range remarks {
		if r.Kind == diag.Passed {
			vectorized[owner(r.Func)] = true
		}
		s.remark(r)
	}
	for _, f := range fs {
		s.Functions.count(vectorized[f.Name])
		for _, name := range f.Features {
			share := s.Features[name]
			share.count(vectorized[f.Name])
			s.Features[name] = share
		}
	}
}

func (s *Statistics) prepare() {
	if s.Features == nil {
		s.Features = make(map[string]Share)
	}
	for _, m := range []*map[string]int{&s.Refusals, &s.Decisions, &s.Memory, &s.Trees} {
		if *m == nil {
			*m = make(map[string]int)
		}
	}
}

// owner is the function for which the one of that name was written: f7 for h7_0, which f7 calls.
func owner(name string) string {
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		name = name[i+1:] // of a method
	}
	number, _, _ := strings.Cut(strings.TrimLeft(name, "fh"), "_")
	return "f" + number
}

func (s *Statistics) remark(r diag.Remark) {
	switch r.Kind {
	case diag.Analysis:
		s.Decisions[r.ID]++
		if r.ID == "outline:Routine" {
			places, _ := r.Args["places"].(int)
			s.Routines++
			s.Calls += places
		}
	case diag.Missed:
		s.Regions.count(false)
		s.Refusals[r.ID]++
	case diag.Passed:
		s.Regions.count(true)
		for _, k := range accesses(r.Args["memory"]) {
			s.Memory[k]++
		}
		for _, k := range trees(r.Args["lanes"]) {
			s.Trees[k]++
		}
	}
}

var inBrackets = regexp.MustCompile(`\([^)]*\)`)

// accesses lists the kinds in a text such as "2 unit loads, 1 group of 3 (...)".
func accesses(memory any) (kinds []string) {
	if memory == nil {
		return nil
	}
	for _, s := range strings.Split(inBrackets.ReplaceAllString(fmt.Sprint(memory), ""), ",") {
		_, kind, _ := strings.Cut(strings.TrimSpace(s), " ")
		kind, _, _ = strings.Cut(kind, " of ")
		if kind = strings.TrimSuffix(strings.TrimSpace(kind), "s"); kind != "" {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// trees lists the seeds in a text such as "4 stores, 8 sums".
func trees(lanes any) (seeds []string) {
	if lanes == nil {
		return nil
	}
	for _, s := range strings.Split(fmt.Sprint(lanes), ", ") {
		if _, seed, ok := strings.Cut(s, " "); ok {
			seeds = append(seeds, seed)
		}
	}
	return seeds
}

// Add adds what another run counted.
func (s *Statistics) Add(o Statistics) {
	s.prepare()
	s.Functions, s.Regions = s.Functions.plus(o.Functions), s.Regions.plus(o.Regions)
	for name, share := range o.Features {
		s.Features[name] = s.Features[name].plus(share)
	}
	for to, from := range map[*map[string]int]map[string]int{
		&s.Refusals: o.Refusals, &s.Decisions: o.Decisions, &s.Memory: o.Memory, &s.Trees: o.Trees,
	} {
		for id, n := range from {
			(*to)[id] += n
		}
	}
	s.Routines += o.Routines
	s.Calls += o.Calls
}

// Print writes the statistics as tables, the most frequent first.
func (s *Statistics) Print(w io.Writer) {
	fmt.Fprintf(w, "%d functions, %d vectorized; %d loops and pieces of straight-line code, %d vectorized; %d routines, %d calls of them\n",
		s.Functions.All, s.Functions.Vectorized, s.Regions.All, s.Regions.Vectorized, s.Routines, s.Calls)
	for _, name := range slices.Sorted(maps.Keys(s.Features)) {
		f := s.Features[name]
		fmt.Fprintf(w, "%7d of %7d vectorized: %s\n", f.Vectorized, f.All, name)
	}
	for _, m := range []struct {
		title  string
		counts map[string]int
	}{{"refusals", s.Refusals}, {"decisions", s.Decisions}, {"accesses in kernels", s.Memory}, {"groups of equal work", s.Trees}} {
		if len(m.counts) > 0 {
			fmt.Fprintf(w, "%s:\n", m.title)
		}
		for _, id := range byCount(m.counts) {
			fmt.Fprintf(w, "%7d %s\n", m.counts[id], id)
		}
	}
}

// byCount sorts what was counted, the most frequent first.
func byCount(m map[string]int) []string {
	return slices.SortedFunc(maps.Keys(m), func(a, b string) int {
		return cmp.Or(m[b]-m[a], cmp.Compare(a, b))
	})
}

// Unexercised are the features that none of the functions had that were vectorized,
// and the accesses, decisions and seeds of groups that a run of all classes must have had.
func (s *Statistics) Unexercised(c Class) (missing []string) {
	s.prepare()
	expected := c.features()
	if c.Name == "idioms" {
		expected = idiomFeatures(false)
	}
	for _, f := range expected {
		if s.Features[f].Vectorized == 0 {
			missing = append(missing, f)
		}
	}
	for _, k := range c.accesses() {
		if s.Memory[k] == 0 {
			missing = append(missing, k)
		}
	}
	for _, id := range c.decisions() {
		if s.Decisions[id] == 0 {
			missing = append(missing, id)
		}
	}
	return missing
}

// Enough functions have every feature, whatever the seed is.
const Enough = 500
