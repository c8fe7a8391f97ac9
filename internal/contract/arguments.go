//go:build amd64 && unix

package contract

import (
	"fmt"
	"reflect"
	"strings"
	"unsafe"
)

// A place says where the memory of an argument lies in a cell of its own.
type place int

const (
	inside  place = iota // with bytes around
	atEnd                // it ends where accessible memory ends
	atStart              // it starts where accessible memory starts
)

// A layout says everything about the arguments of a call; the same layout gives the
// same arguments in both memories.
type layout struct {
	n      int // length of slices and value of integers
	row    int // length of slices in slices, unless 0
	series series
	place  func(leaf int) place // nil: inside
	shift  int                  // bytes by which memory inside is misplaced
	slack  int                  // cap - len of slices, where there may be no memory
	tight  bool                 // cells of one page

	overlap bool
	at      func(leaf int) (off int, ok bool) // in the cell of memories that overlap

	length func(leaf int) int                                   // nil: n
	change func(leaf int, elem reflect.Type, mem []byte, n int) // elements behind the usual ones; nil: none
	number func(site int) int                                   // integers that stand alone; nil: n
	none   func(leaf int) bool                                  // nil instead of a pointer
}

// A region is memory that an argument points to.
type region struct {
	elem       reflect.Type
	off, count int
	text       bool // a string, which nobody writes
	pointer    bool // of one element
}

func (r region) size() int { return r.count * int(r.elem.Size()) }

// arguments are those of a call and what they point to.
type arguments struct {
	args    []reflect.Value
	regions []region
	mem     *memory
}

// An arranger makes arguments.
type arranger struct {
	arguments
	l     layout
	cell  int // next one
	turn  int // how often all cells have been used
	site  int
	inRow bool
}

// A shape is what a signature asks for.
type shape struct {
	leaves, sites int
	elems         []reflect.Type
	texts         []bool
}

// measurable finds the shape out; false when arguments cannot be made.
func (p *pair) measurable() bool {
	for i := range p.typ.NumIn() {
		if !makeable(p.typ.In(i), 0) {
			return false
		}
	}
	a := &arranger{l: layout{n: 3, series: series{stride: 1}}, arguments: arguments{mem: memories[0]}}
	for i := range p.typ.NumIn() {
		a.value(p.typ.In(i), reflect.New(p.typ.In(i)).UnsafePointer())
	}
	p.shape = shape{leaves: len(a.regions), sites: a.site}
	for _, r := range a.regions {
		p.shape.elems, p.shape.texts = append(p.shape.elems, r.elem), append(p.shape.texts, r.text)
	}
	p.findFit()
	return true
}

// makeable are types of numbers, and of strings, slices and pointers of and to those.
func makeable(t reflect.Type, depth int) bool {
	switch t.Kind() {
	case reflect.Slice, reflect.Pointer:
		return depth < 3 && makeable(t.Elem(), depth+1)
	case reflect.Array:
		return makeable(t.Elem(), depth)
	case reflect.Struct:
		for i := range t.NumField() {
			if !makeable(t.Field(i).Type, depth) {
				return false
			}
		}
		return true
	case reflect.String:
		return true
	}
	return flat(t)
}

// flat types hold no pointers.
func flat(t reflect.Type) bool {
	switch k := t.Kind(); k {
	case reflect.Struct:
		for i := range t.NumField() {
			if !flat(t.Field(i).Type) {
				return false
			}
		}
		return true
	case reflect.Array:
		return flat(t.Elem())
	default:
		return reflect.Bool <= k && k <= reflect.Complex128
	}
}

// arrange lays the arguments of a call out in a memory.
func (p *pair) arrange(m *memory, l layout) arguments {
	a := &arranger{l: l, arguments: arguments{mem: m}}
	a.args = make([]reflect.Value, p.typ.NumIn())
	for i := range a.args {
		v := reflect.New(p.typ.In(i))
		if p.Bounds != nil {
			lo, hi := p.Bounds[0], p.Bounds[1]
			inner := l.number
			a.l.number = func(site int) int {
				x := l.n
				if inner != nil {
					x = inner(site)
				}
				return min(max(x, lo), hi)
			}
		}
		a.value(p.typ.In(i), v.UnsafePointer())
		a.args[i] = v.Elem()
	}
	// All patterns first: regions lie beside each other, and over each other.
	for _, r := range a.regions {
		from, to := around(r.off, r.size())
		pattern(m.mem[from:r.off])
		pattern(m.mem[r.off+r.size() : to])
	}
	for i, r := range a.regions {
		s := l.series
		s.stride += i
		s.start *= i + 1
		mem := m.mem[r.off:][:r.size()]
		s.fill(r.elem, mem, r.count)
		if l.change != nil {
			l.change(i, r.elem, mem, r.count)
		}
	}
	return a.arguments
}

// pattern writes bytes that differ from their neighbours.
func pattern(b []byte) {
	for i := range b {
		b[i] = byte(i*167 + 91)
	}
}

func (a *arranger) value(t reflect.Type, p unsafe.Pointer) {
	switch t.Kind() {
	case reflect.Slice:
		a.slice(t, p)
	case reflect.String:
		off, n := a.region(reflect.TypeFor[byte](), a.length(), true)
		*(*string)(p) = unsafe.String((*byte)(a.mem.pointer(off)), n)
	case reflect.Pointer:
		a.pointer(t, p)
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			a.value(f.Type, unsafe.Add(p, f.Offset))
		}
	case reflect.Array:
		for i := range t.Len() {
			a.value(t.Elem(), unsafe.Add(p, i*int(t.Elem().Size())))
		}
	default:
		a.scalar(t, p)
	}
}

func (a *arranger) length() int {
	if a.inRow && a.l.row > 0 {
		return a.l.row
	}
	if a.l.length != nil {
		return max(a.l.length(len(a.regions)), 0)
	}
	return a.l.n
}

// rows is how many of the slices in a slice have memory of their own.
const rows = 3

func (a *arranger) slice(t reflect.Type, p unsafe.Pointer) {
	if flat(t.Elem()) {
		leaf := len(a.regions)
		off, n := a.region(t.Elem(), a.length(), false)
		if a.l.none != nil && a.l.none(leaf) {
			return
		}
		*(*header)(p) = header{a.mem.pointer(off), n, n + a.l.slack}
		return
	}
	n := a.length()
	s := reflect.MakeSlice(t, n, n)
	for i := range n {
		if i >= rows { // the others are those again: there are few cells
			s.Index(i).Set(s.Index(i % rows))
			continue
		}
		a.inRow = true
		a.value(t.Elem(), s.Index(i).Addr().UnsafePointer())
		a.inRow = false
	}
	reflect.NewAt(t, p).Elem().Set(s)
}

type header struct {
	data     unsafe.Pointer
	len, cap int
}

func (a *arranger) pointer(t reflect.Type, p unsafe.Pointer) {
	if !flat(t.Elem()) {
		v := reflect.New(t.Elem())
		a.value(t.Elem(), v.UnsafePointer())
		reflect.NewAt(t, p).Elem().Set(v)
		return
	}
	leaf := len(a.regions)
	off, _ := a.region(t.Elem(), 1, false)
	a.regions[leaf].pointer = true
	if a.l.none == nil || !a.l.none(leaf) {
		*(*unsafe.Pointer)(p) = a.mem.pointer(off)
	}
}

func (a *arranger) scalar(t reflect.Type, p unsafe.Pointer) {
	s := a.l.series
	mem := unsafe.Slice((*byte)(p), t.Size())
	k := t.Kind()
	integer := reflect.Int <= k && k <= reflect.Uintptr && t.Size() >= 4
	if !integer {
		s.put(t, mem, 3*a.site+1)
		return
	}
	x := a.l.n
	if a.l.number != nil {
		x = a.l.number(a.site)
	}
	a.site++
	if t.Size() == 4 {
		*(*int32)(p) = int32(x)
	} else {
		*(*int64)(p) = int64(x)
	}
}

// region finds memory for count elements, or for fewer where there is no room.
func (a *arranger) region(elem reflect.Type, count int, text bool) (off, n int) {
	leaf := len(a.regions)
	size := max(int(elem.Size()), 1)
	room := largeCell - 4*page
	if a.l.tight {
		room = page
	}
	count = min(count, room/size)
	off = a.find(leaf, count*size, text)
	a.regions = append(a.regions, region{elem: elem, off: off, count: count, text: text})
	return off, count
}

func (a *arranger) find(leaf, bytes int, text bool) int {
	if a.l.overlap && !text {
		if off, ok := a.l.at(leaf); ok {
			start, _ := cell(largeNum - 1)
			return start + off
		}
	}
	num, first := largeNum, 0
	if a.l.overlap {
		num--
	}
	if a.l.tight {
		first, num = largeNum, largeNum+smallNum
	}
	if first+a.cell >= num {
		a.cell = 0 // many rows: they share cells, at other places
		a.turn++
	}
	start, size := cell(first + a.cell)
	a.cell++
	pl := inside
	if a.l.place != nil {
		pl = a.l.place(leaf)
	}
	skip := a.turn * (bytes + 8)
	if skip+bytes+page > size {
		skip = 0
	}
	switch {
	case pl == atEnd:
		return start + size - bytes - skip
	case pl == atStart || a.l.tight:
		return start + skip
	}
	return start + page/2 + a.l.shift + skip
}

// describe says how to find the case again.
func (l layout) describe(a arguments) string {
	var sb strings.Builder
	fmt.Fprintf(&sb, "n %d, values %s, stride %d, start %d, shift %d, slack %d, tight %v, overlap %v\n",
		l.n, styleNames[l.series.style], l.series.stride, l.series.start, l.shift, l.slack, l.tight, l.overlap)
	for i, r := range a.regions {
		fmt.Fprintf(&sb, "memory %d: %d elements of %v at %d, mod 64 %d\n", i, r.count, r.elem, r.off, r.off%64)
	}
	for i, v := range a.args {
		s := fmt.Sprint(v)
		if len(s) > 300 {
			s = s[:300] + "..."
		}
		fmt.Fprintf(&sb, "argument %d: %s\n", i, s)
	}
	return sb.String()
}
