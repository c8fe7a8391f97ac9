package twintest

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
)

// equality compares values of the two arenas. Pointers into them are equal when
// their offsets are; other pointers when what they point to is.
type equality struct {
	w, g      *arena
	tolerance tolerance
}

// A tolerance is how far floats may be off, in units of the precision of their
// type: |want - got| <= eps * max(scale, |want|*factor).
type tolerance struct {
	on            bool
	any           bool    // by as much as they like
	exact         bool    // the arguments are small integers and halves
	terms         float64 // that a result may be the sum of
	scale, factor float64
	most          float64 // magnitude of values that are known to occur
}

// tolerance is n*eps*sum|x| over the floats of the arguments, doubled, and four times as
// much relative to the wanted value. Loops that feed their results back make errors grow
// as they make values grow: what differs by more is compared again, in proportion to the
// largest of all values behind the call. There are as many terms as floats, or iterations.
func (c *checker) tolerance(b built) tolerance {
	if !c.approx {
		return tolerance{}
	}
	n := max(float64(b.src.floats), c.iterations(b.tc.n)) + 2
	return tolerance{on: true, exact: b.tc.style == small, terms: n, scale: 2 * n * (b.src.sum + 1), factor: 8 * n}
}

// with is the tolerance where values of such a magnitude occur.
func (t tolerance) with(most float64) tolerance {
	t.scale, t.most = max(t.scale, 2*t.terms*most), most
	return t
}

// float compares bits; NaNs are all the same, zeros are not.
func (t tolerance) float(w, g float64, bits int) bool {
	if t.any || math.Float64bits(w) == math.Float64bits(g) || w != w && g != g {
		return true
	}
	if !t.on || w == g || w != w || g != g || math.IsInf(w, 0) || math.IsInf(g, 0) {
		return false
	}
	eps, grain := 0x1p-52, 0x1p-16
	if bits == 32 {
		eps, grain = 0x1p-23, 0x1p-8
	}
	bound := eps * max(t.scale, t.factor*math.Abs(w))
	if t.exact && t.most*eps < grain && isExact(w, grain) && isExact(g, grain) {
		bound = min(bound, grain/2)
	}
	return math.Abs(w-g) <= bound
}

// isExact reports whether a value looks like the outcome of sums and products
// that need no rounding: a small multiple of grain. Two such outcomes differ by
// grain at least, or not at all. Where one looks like it by chance, the other seldom does.
func isExact(x, grain float64) bool {
	return x/grain == math.Trunc(x/grain) && math.Abs(x) < 512
}

// differ says how two values of one type differ; "" when they do not.
func (e equality) differ(w, g reflect.Value, depth int) string {
	ok := true
	switch w.Kind() {
	case reflect.Bool:
		ok = w.Bool() == g.Bool()
	case reflect.Float32, reflect.Float64:
		ok = e.tolerance.float(w.Float(), g.Float(), w.Type().Bits())
	case reflect.Complex64, reflect.Complex128:
		x, y, bits := w.Complex(), g.Complex(), w.Type().Bits()/2
		ok = e.tolerance.float(real(x), real(y), bits) && e.tolerance.float(imag(x), imag(y), bits)
	case reflect.String:
		ok = w.String() == g.String()
	case reflect.Slice:
		return e.differSlice(w, g, depth)
	case reflect.Pointer:
		return e.differPointer(w, g, depth)
	case reflect.Struct:
		for i := range w.NumField() {
			if msg := e.differ(w.Field(i), g.Field(i), depth); msg != "" {
				return w.Type().Field(i).Name + ": " + msg
			}
		}
	case reflect.Array:
		return e.differElements(w, g, depth)
	case reflect.Interface:
		if w.IsNil() || g.IsNil() || w.Elem().Type() != g.Elem().Type() {
			ok = w.IsNil() && g.IsNil()
			break
		}
		return e.differ(w.Elem(), g.Elem(), depth+1)
	case reflect.Chan, reflect.Func, reflect.Map, reflect.UnsafePointer:
		ok = w.IsZero() == g.IsZero()
	default:
		ok = w.Equal(g)
	}
	if ok {
		return ""
	}
	return fmt.Sprintf("got %s, want %s", text(g), text(w))
}

func (e equality) differElements(w, g reflect.Value, depth int) string {
	for i := range w.Len() {
		if msg := e.differ(w.Index(i), g.Index(i), depth); msg != "" {
			return fmt.Sprintf("index %d: %s", i, msg)
		}
	}
	return ""
}

func (e equality) differSlice(w, g reflect.Value, depth int) string {
	msg, known := e.differAddress(w.Pointer(), g.Pointer())
	// How much room append makes in new memory depends on the compiler's optimizations.
	if w.IsNil() != g.IsNil() || w.Len() != g.Len() || known && w.Cap() != g.Cap() {
		return fmt.Sprintf("got slice of length %d, capacity %d, want %d, %d", g.Len(), g.Cap(), w.Len(), w.Cap())
	}
	if known || depth > maxDepth {
		return msg
	}
	return e.differElements(w, g, depth+1)
}

func (e equality) differPointer(w, g reflect.Value, depth int) string {
	if w.IsNil() || g.IsNil() {
		if w.IsNil() == g.IsNil() {
			return ""
		}
		return fmt.Sprintf("got nil %v, want nil %v", g.IsNil(), w.IsNil())
	}
	if msg, known := e.differAddress(w.Pointer(), g.Pointer()); known || depth > maxDepth {
		return msg
	}
	return e.differ(w.Elem(), g.Elem(), depth+1)
}

// differAddress compares addresses when one lies in its arena: then the memory
// behind is compared as part of the arena.
func (e equality) differAddress(w, g uintptr) (msg string, known bool) {
	woff, wok := e.w.offset(w)
	goff, gok := e.g.offset(g)
	switch {
	case !wok && !gok:
		return "", false
	case wok && gok && woff == goff:
		return "", true
	}
	return "points elsewhere", true
}

// memory compares all used cells byte by byte, or a page around what arguments are there,
// then, where they differ, the elements of the regions by value.
func (e equality) memory(regions []region, near bool) string {
	for cell := range e.w.used {
		start := e.w.start(cell)
		from, to := start, start+e.w.size
		if near {
			from, to = e.around(regions, from, to)
		}
		w, g := e.w.mem[from:to], e.g.mem[from:to]
		if bytes.Equal(w, g) {
			continue
		}
		for _, r := range regions {
			if start <= r.off && r.off < start+e.w.size {
				e.excuse(r)
			}
		}
		for i := range w {
			if w[i] != g[i] {
				return e.report(regions, from+i)
			}
		}
	}
	return ""
}

// around is the part of the memory between two offsets that is not further than a page from the regions there.
func (e equality) around(regions []region, start, end int) (from, to int) {
	from, to = end, start
	for _, r := range regions {
		if start <= r.off && r.off < end {
			from, to = min(from, r.off-pageSize), max(to, r.off+r.bytes()+pageSize)
		}
	}
	from, to = max(from, start), min(to, end)
	return from, max(from, to)
}

// excuse makes elements alike that are equal although their bytes are not.
func (e equality) excuse(r region) {
	size := int(r.elem.Size())
	for i := range r.count {
		off := r.off + i*size
		w, g := e.w.mem[off:][:size], e.g.mem[off:][:size]
		if !bytes.Equal(w, g) && e.differ(e.w.value(r.elem, off), e.g.value(r.elem, off), 0) == "" {
			copy(g, w)
		}
	}
}

func (a *arena) value(t reflect.Type, off int) reflect.Value {
	return reflect.NewAt(t, a.pointer(off)).Elem()
}

// report describes the first difference in memory, at the given offset.
func (e equality) report(regions []region, off int) string {
	for _, r := range regions {
		if r.off <= off && off < r.off+r.bytes() {
			i := (off - r.off) / int(r.elem.Size())
			at := r.off + i*int(r.elem.Size())
			return fmt.Sprintf("memory differs %s: got %s, want %s", where(regions, off),
				text(e.g.value(r.elem, at)), text(e.w.value(r.elem, at)))
		}
	}
	return fmt.Sprintf("memory differs %s: got byte %#02x, want %#02x", where(regions, off), e.g.mem[off], e.w.mem[off])
}

// magnitude is that of the largest finite float in the results and in memory behind the original.
func (e equality) magnitude(w built, o outcome) float64 {
	most := 0.0
	for _, r := range o.results {
		most = max(most, magnitude(r))
	}
	for _, r := range w.regions {
		for i := range r.count {
			most = max(most, magnitude(e.w.value(r.elem, r.off+i*int(r.elem.Size()))))
		}
	}
	return most
}

// magnitude is that of the largest finite float in v itself.
func magnitude(v reflect.Value) float64 {
	most := 0.0
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		most = math.Abs(v.Float())
	case reflect.Complex64, reflect.Complex128:
		most = max(math.Abs(real(v.Complex())), math.Abs(imag(v.Complex())))
	case reflect.Struct:
		for i := range v.NumField() {
			most = max(most, magnitude(v.Field(i)))
		}
	case reflect.Array:
		for i := range v.Len() {
			most = max(most, magnitude(v.Index(i)))
		}
	}
	if math.IsNaN(most) || math.IsInf(most, 0) {
		return 0
	}
	return most
}
