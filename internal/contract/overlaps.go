//go:build amd64 && unix

package contract

import (
	"reflect"
	"testing"
)

// AnyOverlap is rule 4: every two arguments share memory at every distance from -64 to
// 64 bytes, whatever their elements, and at some that are larger; then all of them at
// distances of their own.
func AnyOverlap(t *testing.T, all []Function) {
	eachPair(t, all, func(t *testing.T, p *pair) {
		if p.Independent {
			t.Skip("promises that arguments do not overlap")
		}
		var n tally
		leaves := min(p.shape.leaves, 4)
		for a := range leaves {
			for b := a + 1; b < leaves; b++ {
				p.overlapPair(t, a, b, &n)
			}
		}
		p.overlapAll(t, &n)
		Count(t, "calls", n.calls)
		Count(t, "returned", n.returned)
	})
}

// reach is how far apart every distance is tried.
const reach = 64

func (p *pair) overlapPair(t *testing.T, a, b int, n *tally) {
	if p.shape.texts[a] || p.shape.texts[b] || holdsBool(p.shape.elems[a]) || holdsBool(p.shape.elems[b]) {
		return // nobody writes to strings, and bools have two values
	}
	unit := p.unit(a, b)
	for d := -reach; d <= reach; d++ {
		if d%unit == 0 {
			for _, length := range []int{21, 75, 136} {
				p.overlapAt(t, a, b, d, length+(d&3)*3, n)
			}
		}
	}
	for d := reach + 1; d < 2100; d += 29 {
		p.overlapAt(t, a, b, d/unit*unit, 330, n)
		p.overlapAt(t, a, b, -d/unit*unit, 330, n)
	}
}

// unit is 1 but for structs of one type: the compiler copies those as if they never
// overlapped in part, which nothing in Go makes.
func (p *pair) unit(a, b int) int {
	x, y := p.shape.elems[a], p.shape.elems[b]
	if x == y && x.Kind() == reflect.Struct {
		return int(x.Size())
	}
	return 1
}

func (p *pair) overlapAt(t *testing.T, a, b, d, length int, n *tally) {
	length = p.longest(length)
	l := p.usual(length, p.overlapping(d, length))
	l.overlap = true
	l.at = func(leaf int) (int, bool) {
		switch leaf {
		case a:
			return 2*page + 128*page + d&7, true
		case b:
			return 2*page + 128*page + d&7 + d, true
		}
		return 0, false
	}
	p.compare(t, l, n)
}

// overlapping are values that keep calls going: indexes, counts, numbers.
func (p *pair) overlapping(d, length int) series {
	return p.serie([...]style{exact, benign, below, exact, random}[(d%5+5)%5], length, 3)
}

// overlapAll puts all memories, rows included, into a few hundred bytes.
func (p *pair) overlapAll(t *testing.T, n *tally) {
	if p.shape.leaves < 2 || p.special() {
		return
	}
	for i := range 400 {
		length := p.longest(10 + i%120)
		l := p.usual(length, p.overlapping(i, length))
		l.overlap = true
		l.at = func(leaf int) (int, bool) {
			return 130*page + int(mixed(uint64(i*64+leaf))>>40%400), true
		}
		p.compare(t, l, n)
	}
}

// special reports whether two memories hold structs of one type, or one holds bools.
func (p *pair) special() bool {
	for a, e := range p.shape.elems {
		if holdsBool(e) {
			return true
		}
		for b := range a {
			if p.unit(a, b) > 1 {
				return true
			}
		}
	}
	return false
}
