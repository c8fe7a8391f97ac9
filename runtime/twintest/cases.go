package twintest

import (
	"fmt"
	"hash/fnv"
	"io"
	"reflect"
	"slices"
	"testing"
	"time"
)

// Lengths of slices: up to smallLen in most cases, largeLen where calls of a
// kernel are cut into strips.
const (
	smallLen = 1025
	largeLen = 70001
)

// A place says where in its cell a slice lies.
type place int

const (
	atEnd     place = iota // its last byte is the last before an unreadable page
	atStart                // its first byte is the first behind one
	inside                 // at offset shift from a multiple of 64, with readable bytes around
	mixed                  // each slice on its own
	staggered              // inside, at different offsets of a page: none hides another in the cache
)

var placeNames = [...]string{"at end of page", "at start of page", "inside", "mixed", "staggered"}

// A testCase says everything about one call; equal cases give equal arguments.
type testCase struct {
	id      int
	seed    uint64
	n       int // length of slices
	vary    int // lengths differ by up to this
	style   style
	texture texture
	place   place
	shift   int

	overlap  bool // slices of all leaves (a < 0), or of leaves a and b, share memory
	a, b     int
	distance int // from a to b, in units of the smaller alignment, or of structs where both are slices of one type

	extreme  int // site that gets an extreme value, or -1
	nils     bool
	readOnly bool // repeat with read-only pages where the original stores nothing
	near     bool // memory far from arguments is not compared
	scalar   bool // at the scalar level
	fit      *fit // nil: all slices have one length, integers any value
}

func (tc testCase) String() string {
	s := fmt.Sprintf("case %d: n %d (+-%d), values %s %s, %s", tc.id, tc.n, tc.vary, styleNames[tc.style], textureNames[tc.texture], placeNames[tc.place])
	if tc.place == inside {
		s += fmt.Sprintf(" (shift %d)", tc.shift)
	}
	switch {
	case tc.overlap && tc.a < 0:
		s += ", all overlap"
	case tc.overlap:
		s += fmt.Sprintf(", memory %d overlaps memory %d at distance %d", tc.b, tc.a, tc.distance)
	}
	if tc.fit != nil {
		s += ", lengths and indices made to fit"
	}
	if tc.scalar {
		s += ", scalar level"
	}
	return s
}

// caseList collects cases and numbers them.
type caseList struct {
	c    *checker
	list []testCase
}

func (l *caseList) add(tc testCase) {
	tc.id = len(l.list)
	tc.seed = uint64(tc.id)*0x9e3779b97f4a7c15 + 1
	if tc.extreme >= 0 && (tc.extreme >= l.c.sites || l.c.slow[tc.extreme]) {
		tc.extreme = -1
	}
	if l.c.exclusive {
		tc.readOnly = false
	}
	if tc.id%3 != 0 {
		tc.fit = l.c.fit
	}
	l.list = append(l.list, tc)
}

// cases is the list for a signature, the telling ones first.
func (c *checker) cases() []testCase {
	l := &caseList{c: c}
	l.lengths()
	l.alignments()
	l.values()
	l.turns()
	if !c.disjoint {
		l.overlaps()
	}
	l.mixture(300, false)
	l.large()
	l.mixture(100, true)
	if testing.Short() {
		return slices.DeleteFunc(l.list, func(tc testCase) bool { return tc.id%shortShare != c.share })
	}
	return l.list
}

// shortShare is how many cases there are for one of a short test: a number that has no
// factor in common with the periods in which cases vary.
const shortShare = 7

// shareOf is the share of the cases in a short test of that name: many functions together
// see all cases.
func shareOf(name string) int {
	h := fnv.New32a()
	io.WriteString(h, name)
	return int(h.Sum32() % shortShare)
}

// lengths tries every length up to two blocks and one, then those around
// powers of two, against both unreadable neighbours.
func (l *caseList) lengths() {
	all := min(2*l.c.block+1, smallLen)
	var ns []int
	for n := range all + 1 {
		ns = append(ns, n)
	}
	for p := 64; p < smallLen; p *= 2 {
		for n := p - 1; n <= p+1; n++ {
			if n > all {
				ns = append(ns, n)
			}
		}
	}
	for i, n := range ns {
		st := style(i % 2) // small, wide
		l.add(testCase{n: n, style: st, place: atEnd, extreme: -1})
		l.add(testCase{n: n, style: style(i) % numStyles, place: atStart, readOnly: i%4 == 0, extreme: -1})
	}
}

// alignments tries every offset in a cache line, alike for all slices and not.
func (l *caseList) alignments() {
	for shift := range 64 {
		n := 3*l.c.block/2 + shift%7
		l.add(testCase{n: min(n, smallLen), style: wide, place: inside, shift: shift, extreme: -1})
		l.add(testCase{n: min(n+64, smallLen), style: small, place: mixed, shift: shift, vary: shift % 3, extreme: -1})
	}
}

// values tries special values in all textures, and extremes of integer arguments.
func (l *caseList) values() {
	for i := range 240 {
		tc := testCase{
			n: 1 + (i*37)%min(3*l.c.block, smallLen), style: special, texture: texture(i) % numTextures,
			place: place(i % 3), shift: i % 64, readOnly: true, extreme: -1,
		}
		if i%3 == 0 {
			tc.style = style(i/3) % numStyles
		}
		if i%2 == 0 && l.c.sites > 0 {
			tc.extreme = i / 2 % l.c.sites
		}
		l.add(tc)
	}
}

// turns are slices in which nothing happens up to some place, for loops that are
// left where something does.
func (l *caseList) turns() {
	for i := range 120 {
		l.add(testCase{
			n: 1 + (i*53)%min(4*l.c.block, smallLen), vary: [...]int{0, 0, 2}[i%3], style: style(i) % numStyles, texture: turning,
			place: place(i % 3), shift: i % 64, readOnly: i%4 == 0, extreme: -1,
		})
	}
}

// overlaps tries every small distance between every two memories, and some of the
// larger ones: a stride carries a block far.
func (l *caseList) overlaps() {
	reach := min(max(2*l.c.block+3, leastReach, l.c.widest+2), 150)
	leaves := min(l.c.leaves, 4)
	for a := range leaves {
		for b := a + 1; b < leaves; b++ {
			for d := -reach; d <= reach; d++ {
				l.overlap(a, b, d, d&63)
			}
			for d := reach; d < 6*reach; d += 13 {
				l.overlap(a, b, d, d&63)
				l.overlap(a, b, -d, d&63)
			}
			l.oddOverlaps(a, b)
		}
	}
	if l.c.leaves > 2 {
		for i := range 150 {
			l.add(testCase{n: 1 + (i*31)%min(3*l.c.block, smallLen), vary: i % 3, style: style(i) % numStyles, overlap: true, a: -1, extreme: -1})
		}
	}
}

// leastReach is how far apart memories are tried whatever the block is: statements side
// by side go as far.
const leastReach = 20

func (l *caseList) overlap(a, b, distance, shift int) {
	n := l.c.block + 40 + (distance&3)*17
	l.add(testCase{n: min(n, smallLen), style: style(distance >> 1 & 1), overlap: true, a: a, b: b, distance: distance, shift: shift, extreme: -1})
}

// oddOverlaps tries distances in bytes where b is in multiples of more than a's
// alignment: then it is a that is shifted.
func (l *caseList) oddOverlaps(a, b int) {
	if b >= len(l.c.aligns) || l.c.aligns[a] >= l.c.aligns[b] {
		return
	}
	for d := -16; d <= 16; d++ {
		for shift := 0; shift < l.c.aligns[b]; shift += l.c.aligns[a] {
			l.overlap(a, b, d, shift)
		}
	}
}

// mixture varies everything at once, lengths and integer arguments above all.
func (l *caseList) mixture(count int, scalar bool) {
	for i := range count {
		tc := testCase{
			n: (i * i * 7) % min(4*l.c.block+2, smallLen), vary: [...]int{0, 1, 3, 100}[i%4],
			style: style(i/4) % numStyles, texture: texture(i/20) % numTextures,
			place: mixed, nils: i%5 == 0, readOnly: i%8 == 0, extreme: -1, scalar: scalar,
		}
		if l.c.sites > 0 && i%6 == 0 {
			tc.extreme = i / 6 % l.c.sites
		}
		if i%7 == 3 && !l.c.disjoint {
			tc.overlap, tc.a = true, -1
		}
		l.add(tc)
	}
}

// large has lengths at which one call of a kernel would take too long.
func (l *caseList) large() {
	for i, n := range []int{16384, 32768 + 17, largeLen} {
		l.add(testCase{n: n, style: style(i % 2), place: atEnd, extreme: -1})
	}
}

// probe learns the shape of the arguments, and for which integer arguments the
// time of a call grows with their value: those get no extreme values.
func (c *checker) probe() {
	b := c.build(c.small[0], testCase{n: 8, extreme: -1})
	c.leaves, c.sites = b.leaf, b.site
	c.aligns, c.widest = nil, 0
	for _, r := range b.regions {
		c.widest = max(c.widest, int(r.elem.Size())/elemAlign(r.elem))
	}
	if len(b.regions) == b.leaf {
		for _, r := range b.regions {
			c.aligns = append(c.aligns, elemAlign(r.elem))
		}
	}
	c.slow = make([]bool, c.sites)
	c.fit = c.findFit()
	if c.ints != nil {
		for i := range c.slow {
			c.slow[i] = true
		}
		return
	}
	for site := range c.slow {
		c.slow[site] = c.grows(site)
	}
}

// grows reports whether large values of one integer argument make a call take long.
// From one size to the next even nests of three loops stay within a second.
func (c *checker) grows(site int) bool {
	for _, large := range []int64{1 << 16, 1 << 20, 1 << 24} {
		for _, x := range []int64{large, -large} {
			for _, others := range []int64{1, 16, -1, 0} { // 0: rows without elements
				if c.takesLong(site, x, others) {
					return true
				}
			}
		}
	}
	return false
}

// takesLong calls the original with x for one integer argument.
func (c *checker) takesLong(site int, x, others int64) bool {
	b := c.builder(c.small[0], testCase{n: 16, style: small, place: atEnd, extreme: -1})
	b.fixed = func(s int) int64 {
		if s == site {
			return x
		}
		return others
	}
	args := b.arguments()
	start := spent()
	c.original(args)
	return spent()-start > 100*time.Microsecond
}

// elemAlign is the alignment of a type, at least 1.
func elemAlign(t reflect.Type) int { return max(t.Align(), 1) }
