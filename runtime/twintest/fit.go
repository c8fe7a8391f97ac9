package twintest

import (
	"maps"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// A slot is a place in the types of the arguments where a slice or a string
// stands. All rows of a matrix share one.
type slot struct{ arg, depth, field int }

// A fit says what lengths and elements a function wants so that it does not
// panic: dst[2*i] = l[i] wants a dst of twice the length, dst[i] = src[idx[i]]
// indices below the length of src. The zero fit gives all slices one length and any
// elements.
type fit struct {
	short bool // lengths are the root of n, as for rows and columns,
	long  slot // except for this slot
	times map[slot]int
	below map[slot]extent
	less  slot // has one element less, for a moment
	trial bool // less is in use
}

// An extent is a length as it follows from n.
type extent struct {
	times int // of n, or of its root
	root  bool
	fixed int // or a number that does not depend on n, unless 0
}

func (e extent) of(n int) int {
	if e.fixed > 0 {
		return e.fixed
	}
	if e.root {
		n = root(n)
	}
	return n * e.times
}

func root(n int) int { return int(math.Sqrt(float64(n))) }

func (f *fit) length(s slot, n int) int {
	if f == nil {
		return n
	}
	n = f.extent(s).of(n)
	if f.trial && s == f.less {
		n--
	}
	return max(n, 0)
}

func (f *fit) extent(s slot) extent {
	return extent{times: max(f.times[s], 1), root: f.short && s != f.long}
}

// limit is a bound for the integers of a slot; 0 when there is none.
func (f *fit) limit(s slot, n int) int {
	if f == nil || f.below[s] == (extent{}) {
		return 0
	}
	return max(f.below[s].of(n), 1)
}

func (f *fit) clone() *fit {
	g := *f
	g.times, g.below = maps.Clone(f.times), maps.Clone(f.below)
	return &g
}

// A trial calls a function with arguments that fit and returns the text of
// its panic, "" when there is none, and the slots of the arguments.
type trial func(f *fit) (text string, slots []slotUse)

// A slotUse is a slot of arguments that were made.
type slotUse struct {
	slot
	integers bool // its elements hold integers
}

// findFit searches for a fit with which the function returns, for arguments of
// length n: nil when it finds none. It knows nothing of the function but the texts of its panics.
func findFit(n int, try trial) *fit {
	text, slots := try(&fit{})
	if text == "" {
		return &fit{}
	}
	for _, f := range shapes(slots) {
		if text, slots = try(f); text != "" {
			f = improve(f, n, text, slots, try)
		}
		if f != nil {
			return f
		}
	}
	return nil
}

// shapes lists the fits that the search starts from. A matrix in one slice is
// longer than rows and columns.
func shapes(slots []slotUse) []*fit {
	newFit := func(short bool, long slot) *fit {
		return &fit{short: short, long: long, times: map[slot]int{}, below: map[slot]extent{}}
	}
	none := slot{arg: -1}
	list := []*fit{newFit(false, none)}
	for _, s := range slots {
		if s.depth > 0 {
			list = []*fit{newFit(true, none), list[0]}
			break
		}
	}
	for _, s := range slots {
		list = append(list, newFit(true, s.slot))
	}
	return list
}

// improve repairs the cause of one panic after the other; nil when it cannot.
func improve(f *fit, n int, text string, slots []slotUse, try trial) *fit {
	for range 16 {
		g, t := limitIndices(f, n, text, slots, try)
		if g == nil {
			g, t = grow(f, text, slots, try)
		}
		switch {
		case g == nil:
			return nil
		case t == "":
			return g
		}
		f, text = g, t
	}
	return nil
}

// limitIndices bounds the integers of a slot on which the panic depends.
func limitIndices(f *fit, n int, text string, slots []slotUse, try trial) (*fit, string) {
	length := lengthIn(text)
	bound := extent{times: 1}
	if length > 0 {
		bound = extent{fixed: length}
		for _, s := range slots {
			if e := f.extent(s.slot); e.of(n) == length {
				bound = e
				break
			}
		}
	}
	for _, s := range slots {
		if old := f.limit(s.slot, n); !s.integers || old > 0 && old <= bound.of(n) {
			continue
		}
		g := f.clone()
		g.below[s.slot] = bound
		if t, _ := try(g); t != text {
			return g, t
		}
	}
	return nil, ""
}

// grow gives the slice that was too short a multiple of its length. It is the
// one whose length the panic names: with an element less it names one less.
func grow(f *fit, text string, slots []slotUse, try trial) (*fit, string) {
	length := lengthIn(text)
	for _, s := range slots {
		g := f.clone()
		g.less, g.trial = s.slot, true
		if t, _ := try(g); length <= 0 || lengthIn(t) != length-1 {
			continue
		}
		g.trial = false
		first := max(f.times[s.slot], 1)
		for _, k := range []int{2, 3, 4, 5, 6, 8, 12, 16} {
			g.times[s.slot] = k
			if t, _ := try(g); k > first && (t == "" || lengthIn(t)*first != length*k) {
				return g, t
			}
		}
		return nil, ""
	}
	return nil, ""
}

// lengthIn is the length that the text of a panic names; -1 when it names none.
func lengthIn(text string) int {
	for _, key := range []string{" with length ", " with capacity "} {
		if _, s, ok := strings.Cut(text, key); ok {
			if n, err := strconv.Atoi(s); err == nil {
				return n
			}
		}
	}
	return -1
}

// holdsIntegers reports whether elements of a type hold integers.
func holdsIntegers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if holdsIntegers(t.Field(i).Type) {
				return true
			}
		}
		return false
	case reflect.Array:
		return holdsIntegers(t.Elem())
	}
	_, ok := integerKind(t.Kind())
	return ok
}

// findFit is the fit of the original, at a length that no constant in it is
// likely to name; nil when it needs none or none was found.
func (c *checker) findFit() *fit {
	const n = 61
	f := findFit(n, func(f *fit) (string, []slotUse) {
		b := c.builder(c.small[0], testCase{n: n, seed: 1, style: timing, place: atEnd, extreme: -1, fit: f})
		b.fixed = func(int) int64 { return n }
		args := b.arguments()
		return c.original(args).panics, b.slots
	})
	if f == nil || f.times == nil {
		return nil
	}
	return f
}
