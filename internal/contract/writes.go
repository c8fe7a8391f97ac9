//go:build amd64 && unix

package contract

import (
	"bytes"
	"reflect"
	"testing"
)

// SameWrites is rule 3 for what is written: pages in which the original stores nothing
// are read-only while the twin runs. Slices have many pages, and conditions hold in
// some of them and fail in others; where the original stores what was there before, its
// own fault tells.
func SameWrites(t *testing.T, all []Function) {
	eachPair(t, all, func(t *testing.T, p *pair) {
		if p.Exclusive {
			t.Skip("may store what is there")
		}
		beside := 0
		for i := range 6 * 4 {
			l, ok := p.paged(i)
			if !ok {
				break
			}
			beside += p.readOnly(t, l)
		}
		Count(t, "pages", beside)
		if beside > 0 {
			Count(t, "functions", 1)
			Count(t, "pages of "+p.Name, beside)
		}
	})
}

// segments is into how many parts slices are cut, in which conditions hold or do not.
const segments = 8

// paged is a layout in which the shortest slices have a page and a half per segment.
func (p *pair) paged(i int) (layout, bool) {
	least, most := 16, 1
	for _, e := range p.shape.elems {
		least, most = min(least, int(e.Size())), max(most, int(e.Size()))
	}
	n := min(segments*3*page/2/max(least, 1), (largeCell-8*page)/most)
	if p.longest(n) < n {
		n = p.longest(n)
	}
	if p.shape.leaves == 0 {
		return layout{}, false
	}
	c, k := constants[i%4], i/4
	l := p.usual(n, series{style: benign, stride: 1, start: i})
	l.shift = 3 * k // elements lie across the ends of pages
	l.change = func(leaf int, elem reflect.Type, mem []byte, n int) {
		size := int(elem.Size())
		first, step := k%2, 2
		if k == 5 {
			first, step = 0, 1 // everywhere
		}
		for s := first; s < segments && n > segments; s += step {
			for j := s * n / segments; j < (s+1)*n/segments; j++ {
				putNumber(elem, mem[j*size:][:size], float64(c))
			}
		}
	}
	if usual := l.number; usual == nil && k > 1 {
		l.number = func(int) int { return 2 }
	}
	return l, true
}

// readOnly runs a case with as many read-only pages as the original allows, and returns
// how many of them lie beside pages that it stores to.
func (p *pair) readOnly(t *testing.T, l layout) (beside int) {
	w := p.arrange(memories[0], l)
	g := p.arrange(memories[1], l)
	if o := call(p.want, w.args); o.faulted {
		return 0
	}
	pages, beside := untouched(w, g)
	for range 40 {
		o := p.protected(0, l, pages)
		if !o.faulted {
			if o := p.protected(1, l, pages); o.faulted {
				t.Fatalf("a store where the original stores nothing: %s\n%s", g.locate(o.fault), l.describe(g))
			}
			return beside
		}
		off, ok := memories[0].offset(o.fault)
		if !ok {
			return 0
		}
		for i, at := range pages {
			if at == off/page*page {
				pages = append(pages[:i], pages[i+1:]...)
				break
			}
		}
		beside = max(beside-1, 0)
	}
	return 0
}

func (p *pair) protected(side int, l layout, pages []int) outcome {
	a := p.arrange(memories[side], l)
	memories[side].protect(pages, false)
	defer memories[side].protect(pages, true)
	if side == 0 {
		return call(p.want, a.args)
	}
	return call(p.got, a.args)
}

// untouched lists the pages in memories that the call on w has left as they are in g,
// and counts those in memories of which another page has changed.
func untouched(w, g arguments) (pages []int, beside int) {
	base := map[int]bool{}
	for _, r := range w.regions {
		first, last := r.off/page, (r.off+max(r.size(), 1)-1)/page
		kept := 0
		for k := first; k <= last; k++ {
			if !bytes.Equal(w.mem.mem[k*page:][:page], g.mem.mem[k*page:][:page]) {
				continue
			}
			kept++
			if !base[k] {
				base[k] = true
				pages = append(pages, k*page)
			}
		}
		if kept <= last-first {
			beside += kept
		}
	}
	return pages, beside
}
