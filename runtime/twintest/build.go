package twintest

import (
	"reflect"
	"slices"
	"unsafe"
)

// A region is a piece of memory that arguments point to: count elements of a
// type without pointers, at an offset of the arena.
type region struct {
	arg   int // the argument that leads here
	elem  reflect.Type
	off   int
	count int
}

func (r region) bytes() int { return r.count * int(r.elem.Size()) }

// A builder makes the arguments of a case in one arena. Two builders of the
// same case take the same decisions, so that both arenas hold the same.
type builder struct {
	c     *checker
	tc    testCase
	mem   *arena
	src   *source
	arg   int // the argument being made
	leaf  int // memory regions made so far
	site  int // integer arguments made so far
	field int // path of fields to the value being made
	below int // bound of the integers of the next region, unless 0
	fixed func(site int) int64

	regions    []region
	slots      []slotUse
	cell       int          // the cell of overlapping memory; -1 when there is none yet
	shared     int          // the offset in the arena around which that memory lies
	sharedElem reflect.Type // elements of the first region there
	common     int          // next free byte of the cell that the rest shares
	limit      int          // end of that cell; 0 when there is none yet

	made *contents // of the regions, to be noted or taken from there
	copy bool      // they are taken
}

// Contents are what the regions of a case were filled with, one behind the other, and with
// what numbers the source went on behind each.
type contents struct {
	bytes []byte
	after []uint64
}

func (c *checker) builder(mem *arena, tc testCase) *builder {
	mem.restart()
	src := newSource(tc.seed, tc.style, tc.n, c.approx)
	src.products = c.products
	return &builder{c: c, tc: tc, mem: mem, cell: -1, src: src}
}

// A call's arguments, with what was built for them.
type built struct {
	*builder
	args []reflect.Value
}

func (c *checker) build(mem *arena, tc testCase) built {
	b := c.builder(mem, tc)
	c.made.bytes, c.made.after = c.made.bytes[:0], c.made.after[:0]
	b.made = &c.made
	return built{b, b.arguments()}
}

// rebuild makes the arguments of the case that was built last once more.
func (c *checker) rebuild(mem *arena, tc testCase) built {
	b := c.builder(mem, tc)
	made := c.made
	b.made, b.copy = &made, true
	return built{b, b.arguments()}
}

func (b *builder) arguments() []reflect.Value {
	args := make([]reflect.Value, b.c.typ.NumIn())
	for i := range args {
		b.arg = i
		v := reflect.New(b.c.typ.In(i))
		b.value(v.Type().Elem(), v.UnsafePointer(), 0)
		args[i] = v.Elem()
	}
	return args
}

// maxDepth bounds chains of pointers.
const maxDepth = 3

// value makes a value of type t at p, which the collector knows. What cannot be
// made up (functions, channels, maps, interfaces, locks) stays zero.
func (b *builder) value(t reflect.Type, p unsafe.Pointer, depth int) {
	if locks(t) {
		return
	}
	switch t.Kind() {
	case reflect.Slice:
		b.slice(t, p, depth)
	case reflect.String:
		off, n := b.region(reflect.TypeFor[byte](), b.length(reflect.TypeFor[byte](), depth), true)
		*(*string)(p) = unsafe.String((*byte)(b.mem.pointer(off)), n)
	case reflect.Pointer:
		b.pointer(t, p, depth)
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			path := b.field
			b.field = path<<8 + i + 1
			b.value(f.Type, unsafe.Add(p, f.Offset), depth)
			b.field = path
		}
	case reflect.Array:
		if flat(t) {
			b.src.fill(t.Elem(), p, t.Len(), b.tc.texture)
			return
		}
		for i := range t.Len() {
			b.value(t.Elem(), unsafe.Add(p, i*int(t.Elem().Size())), depth)
		}
	default:
		b.scalar(t, p)
	}
}

func (b *builder) slice(t reflect.Type, p unsafe.Pointer, depth int) {
	if b.isNil() {
		return
	}
	if flat(t.Elem()) {
		off, n := b.region(t.Elem(), b.length(t.Elem(), depth), false)
		*(*sliceHeader)(p) = sliceHeader{b.mem.pointer(off), n, n}
		return
	}
	if depth >= maxDepth {
		return
	}
	rows := b.rows(t.Elem(), depth)
	s := reflect.MakeSlice(t, rows, rows)
	for i := range rows {
		b.value(t.Elem(), s.Index(i).Addr().UnsafePointer(), depth+1)
	}
	reflect.NewAt(t, p).Elem().Set(s)
}

type sliceHeader struct {
	data     unsafe.Pointer
	len, cap int
}

func (b *builder) pointer(t reflect.Type, p unsafe.Pointer, depth int) {
	if depth >= maxDepth || b.isNil() {
		return
	}
	if flat(t.Elem()) {
		off, n := b.region(t.Elem(), 1, false)
		if n == 1 {
			*(*unsafe.Pointer)(p) = b.mem.pointer(off)
		}
		return
	}
	v := reflect.New(t.Elem())
	b.value(t.Elem(), v.UnsafePointer(), depth+1)
	reflect.NewAt(t, p).Elem().Set(v)
}

// isNil decides that the next pointer or slice is nil.
func (b *builder) isNil() bool { return b.tc.nils && b.src.chance(15) }

// rows is the length of the next slice of slices. Where nothing is measured they
// are few, so that their own rows can be long.
func (b *builder) rows(elem reflect.Type, depth int) int {
	n := b.length(elem, depth)
	if f := b.tc.fit; f != nil && f.times != nil {
		return n
	}
	rows := b.src.rng.IntN(6)
	if b.tc.n <= 8 && b.src.chance(50) {
		rows = b.tc.n
	}
	return rows
}

// length is the length of the next slice, and bounds its integers.
func (b *builder) length(elem reflect.Type, depth int) int {
	s := slot{b.arg, depth, b.field}
	b.use(slotUse{s, holdsIntegers(elem)})
	b.below = b.tc.fit.limit(s, b.tc.n)
	n := b.tc.fit.length(s, b.tc.n)
	if v := b.tc.vary; v > 0 {
		n += b.src.rng.IntN(2*v+1) - v
	}
	return max(n, 0)
}

func (b *builder) use(u slotUse) {
	if !slices.Contains(b.slots, u) {
		b.slots = append(b.slots, u)
	}
}

// scalar makes a number that stands alone.
func (b *builder) scalar(t reflect.Type, p unsafe.Pointer) {
	signed, ok := integerKind(t.Kind())
	if !ok || t.Size() < 4 {
		if flat(t) {
			b.src.alone = true
			b.src.element(t, p)
			b.src.alone = false
		}
		return
	}
	putInteger(p, int(t.Size()), b.number(int(t.Size()), signed))
	b.site++
}

// number is an integer argument of 32 or 64 bits. Such arguments often count
// or index, so that most values lie around the length.
func (b *builder) number(size int, signed bool) int64 {
	if b.fixed != nil {
		return b.fixed(b.site)
	}
	if b.tc.extreme == b.site {
		return b.src.extreme(size * 8)
	}
	n := int64(b.tc.n)
	x := n
	switch r := b.src.rng.IntN(20); {
	case r < 8:
	case r < 10:
		x = n - 1
	case r < 11:
		x = n + 1
	case r < 13:
		x = n / 2
	case r < 18:
		x = int64(b.src.rng.IntN(9))
	default:
		x = -int64(b.src.rng.IntN(4))
	}
	if b.c.ints != nil {
		return min(max(x, int64(b.c.ints[0])), int64(b.c.ints[1]))
	}
	if !signed {
		return max(x, 0)
	}
	return x
}

// region makes memory for count elements, or for fewer when there is no room,
// and fills it.
func (b *builder) region(elem reflect.Type, count int, text bool) (off, n int) {
	size := max(int(elem.Size()), 1)
	count = min(count, (b.mem.size-2*pageSize)/size)
	off = b.place(elem, count*size, text)
	b.leaf++
	if off < 0 {
		return b.mem.start(0), 0
	}
	tx := b.tc.texture
	if tx == fresh && b.tc.place == mixed && b.src.chance(20) {
		tx = texture(b.src.rng.IntN(int(numTextures)))
	}
	b.src.below, b.below = b.below, 0
	b.mem.write(off, count*size)
	b.fill(elem, off, count, tx, text)
	b.src.below = 0
	b.regions = append(b.regions, region{b.arg, elem, off, count})
	return off, count
}

// fill fills a region, or copies what was there when the case was built before.
func (b *builder) fill(elem reflect.Type, off, count int, tx texture, text bool) {
	mem := b.mem.mem[off:][:count*int(elem.Size())]
	if b.copy {
		b.made.bytes = b.made.bytes[copy(mem, b.made.bytes):]
		b.src.restart(b.made.after[0])
		b.made.after = b.made.after[1:]
		return
	}
	after := b.src.fill(elem, b.mem.pointer(off), count, tx)
	if text && tx == fresh {
		b.src.text(mem, after)
	}
	if b.made != nil {
		b.made.bytes = append(b.made.bytes, mem...)
		b.made.after = append(b.made.after, after)
	}
}

// place finds the offset of the next region; -1 when there is no room.
func (b *builder) place(elem reflect.Type, bytes int, text bool) int {
	align := elemAlign(elem)
	if b.tc.overlap && !text && !hasBool(elem) {
		if off, ok := b.placeShared(elem, bytes); ok {
			return off
		}
	}
	cell := -1
	if b.mem.used < b.mem.cells-1 {
		cell = b.mem.take()
	}
	if cell < 0 {
		return b.placeCommon(align, bytes)
	}
	start := b.mem.start(cell)
	pl, shift := b.tc.place, b.tc.shift
	switch pl {
	case mixed:
		pl, shift = place(b.src.rng.IntN(3)), b.src.rng.IntN(64)
	case staggered:
		pl, shift = inside, 448*b.leaf%pageSize
	}
	switch pl {
	case atStart:
		return start
	case inside:
		return start + pageSize/2 + roundUp(shift, align)
	}
	return start + b.mem.size - roundUp(bytes, align)
}

// placeShared puts a region beside or over others, as the case says.
func (b *builder) placeShared(elem reflect.Type, bytes int) (int, bool) {
	tc, align := b.tc, elemAlign(elem)
	if tc.a >= 0 && b.leaf != tc.a && b.leaf != tc.b {
		return 0, false
	}
	first := b.cell < 0
	if first {
		if b.cell = b.mem.take(); b.cell < 0 {
			return 0, false
		}
		middle := min(pageSize, (b.mem.size-bytes)/2)
		b.shared = b.mem.start(b.cell) + roundUp(middle, 64) + roundUp(tc.shift, align)
		b.sharedElem = elem
	}
	// What a compiler leaves between fields it may set or not.
	if elem != b.sharedElem && (filled(elem) < elem.Size() || filled(b.sharedElem) < b.sharedElem.Size()) {
		return 0, false
	}
	// Structs of one type never overlap in part: nothing in Go makes that, and the
	// compiler copies them accordingly.
	unit := align
	if elem.Kind() == reflect.Struct && (tc.a < 0 || elem == b.sharedElem) {
		unit = int(elem.Size())
	}
	d := tc.distance * unit
	switch {
	case tc.a < 0:
		d = (b.src.rng.IntN(2*48+1) - 48) * unit
	case first:
		d = 0
	}
	off := roundUp(b.shared+d, align)
	start := b.mem.start(b.cell)
	return off, start <= off && off+bytes <= start+b.mem.size
}

// placeCommon puts a region behind the last one in the cell that holds all
// regions without a cell of their own.
func (b *builder) placeCommon(align, bytes int) int {
	if b.limit == 0 {
		cell := b.mem.take()
		if cell < 0 {
			return -1
		}
		b.common = b.mem.start(cell)
		b.limit = b.common + b.mem.size
	}
	off := roundUp(b.common, align)
	if off+bytes > b.limit {
		return -1
	}
	b.common = off + bytes + b.src.rng.IntN(40)
	return off
}

func roundUp(n, align int) int { return (n + align - 1) / align * align }

// filled is how many bytes of a t are of its fields and elements.
func filled(t reflect.Type) (bytes uintptr) {
	switch t.Kind() {
	case reflect.Array:
		return uintptr(t.Len()) * filled(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			bytes += filled(t.Field(i).Type)
		}
		return bytes
	}
	return t.Size()
}

// hasBool reports whether a type holds bools: other data in their place would
// be no bools.
func hasBool(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Bool:
		return true
	case reflect.Array:
		return hasBool(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if hasBool(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}
