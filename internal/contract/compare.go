//go:build amd64 && unix

package contract

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"runtime"
)

// An outcome is what a call did besides writing memory.
type outcome struct {
	results []reflect.Value
	text    string // of the panic value, with its type; "" when the call returned
	value   any    // the panic value, where it can be compared
	faulted bool
	fault   uintptr
}

func call(f reflect.Value, args []reflect.Value) (o outcome) {
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		o.text = fmt.Sprintf("%T: %v", r, r)
		if a, ok := r.(interface{ Addr() uintptr }); ok {
			o.faulted, o.fault = true, a.Addr()
		}
		if _, ok := r.(runtime.Error); !ok && reflect.TypeOf(r).Comparable() {
			o.value = r
		}
	}()
	o.results = f.Call(args)
	return o
}

// differ says how two calls differ; "" when they do not.
func (p *pair) differ(w, g arguments, wo, o outcome) string {
	switch {
	case o.faulted:
		return "invalid access " + g.locate(o.fault)
	case wo.text != o.text || wo.value != o.value:
		return fmt.Sprintf("panics differ: got %q, want %q", o.text, wo.text)
	}
	for i := range wo.results {
		if msg := p.differValues(wo.results[i], o.results[i], w.mem, g.mem); msg != "" {
			return fmt.Sprintf("result %d differs: %s", i, msg)
		}
	}
	for i := range w.args {
		if msg := p.differValues(w.args[i], g.args[i], w.mem, g.mem); msg != "" {
			return fmt.Sprintf("argument %d differs after the call: %s", i, msg)
		}
	}
	return p.differMemory(w, g)
}

// differMemory compares what arguments point to, and the bytes around.
func (p *pair) differMemory(w, g arguments) string {
	for _, r := range w.regions {
		from, to := around(r.off, r.size())
		if bytes.Equal(w.mem.mem[from:to], g.mem.mem[from:to]) {
			continue
		}
		for _, r := range w.regions {
			p.excuse(r, w.mem, g.mem)
		}
		for off := from; off < to; off++ {
			if w.mem.mem[off] != g.mem.mem[off] {
				return fmt.Sprintf("memory differs %s: got byte %#02x, want %#02x", w.locateOffset(off), g.mem.mem[off], w.mem.mem[off])
			}
		}
	}
	return ""
}

// excuse makes floats alike that are equal although their bits are not.
func (p *pair) excuse(r region, w, g *memory) {
	size := int(r.elem.Size())
	for i := range r.count {
		off := r.off + i*size
		if bytes.Equal(w.mem[off:][:size], g.mem[off:][:size]) {
			continue
		}
		x := reflect.NewAt(r.elem, w.pointer(off)).Elem()
		y := reflect.NewAt(r.elem, g.pointer(off)).Elem()
		if p.differValues(x, y, w, g) == "" {
			copy(g.mem[off:][:size], w.mem[off:][:size])
		}
	}
}

// differValues compares values bit by bit, all NaNs being the same.
func (p *pair) differValues(w, g reflect.Value, wm, gm *memory) string {
	switch w.Kind() {
	case reflect.Float32, reflect.Float64:
		if p.sameFloat(w.Float(), g.Float(), w.Type().Bits()) {
			return ""
		}
	case reflect.Complex64, reflect.Complex128:
		x, y, bits := w.Complex(), g.Complex(), w.Type().Bits()/2
		if p.sameFloat(real(x), real(y), bits) && p.sameFloat(imag(x), imag(y), bits) {
			return ""
		}
	case reflect.Slice:
		if w.Len() != g.Len() || w.IsNil() != g.IsNil() {
			return fmt.Sprintf("got length %d, want %d", g.Len(), w.Len())
		}
		woff, wok := wm.offset(w.Pointer())
		goff, gok := gm.offset(g.Pointer())
		if wok || gok {
			if wok != gok || woff != goff || w.Cap() != g.Cap() {
				return "points elsewhere"
			}
			return ""
		}
		return p.differElements(w, g, wm, gm)
	case reflect.Array:
		return p.differElements(w, g, wm, gm)
	case reflect.Struct:
		for i := range w.NumField() {
			if msg := p.differValues(w.Field(i), g.Field(i), wm, gm); msg != "" {
				return w.Type().Field(i).Name + ": " + msg
			}
		}
		return ""
	case reflect.Pointer:
		if w.IsNil() != g.IsNil() {
			return "nil differs"
		}
		woff, wok := wm.offset(w.Pointer())
		if goff, ok := gm.offset(g.Pointer()); wok != ok || wok && woff != goff {
			return "points elsewhere"
		}
		if wok || w.IsNil() {
			return ""
		}
		return p.differValues(w.Elem(), g.Elem(), wm, gm)
	case reflect.String:
		if w.String() == g.String() {
			return ""
		}
	default:
		if !w.Comparable() || w.Equal(g) {
			return ""
		}
	}
	return fmt.Sprintf("got %v, want %v", g, w)
}

func (p *pair) differElements(w, g reflect.Value, wm, gm *memory) string {
	for i := range w.Len() {
		if msg := p.differValues(w.Index(i), g.Index(i), wm, gm); msg != "" {
			return fmt.Sprintf("index %d: %s", i, msg)
		}
	}
	return ""
}

func (p *pair) sameFloat(w, g float64, bits int) bool {
	if math.Float64bits(w) == math.Float64bits(g) || w != w && g != g {
		return true
	}
	// Sums of small numbers are exact in any order; what is divided and rooted is not.
	eps := 0x1p-46
	if bits == 32 {
		eps = 0x1p-17
	}
	return p.Approx && math.Abs(w-g) <= eps*max(math.Abs(w), 1)
}

// locate says where an address lies.
func (a arguments) locate(addr uintptr) string {
	off, ok := a.mem.offset(addr)
	if !ok {
		return fmt.Sprintf("at address %#x, far from all arguments", addr)
	}
	return a.locateOffset(off)
}

func (a arguments) locateOffset(off int) string {
	best, text := 1<<62, "outside of all arguments"
	for i, r := range a.regions {
		switch d := off - (r.off + r.size()); {
		case off >= r.off && d < 0:
			return fmt.Sprintf("in memory %d (%d elements of %v) at index %d", i, r.count, r.elem, (off-r.off)/int(r.elem.Size()))
		case off < r.off && r.off-off < best:
			best, text = r.off-off, fmt.Sprintf("%d bytes before memory %d (%d elements of %v)", r.off-off, i, r.count, r.elem)
		case d >= 0 && d < best:
			best, text = d, fmt.Sprintf("%d bytes behind memory %d (%d elements of %v)", d, i, r.count, r.elem)
		}
	}
	return text
}

// nanShows reports whether bytes of a quiet NaN lie in the memory of a call. Its sign
// and payload, which nobody promises, become ordinary values where memories overlap.
func nanShows(a, b arguments) bool {
	for _, m := range []*memory{a.mem, b.mem} {
		for _, r := range a.regions {
			from, to := around(r.off, r.size())
			mem := m.mem[from:to]
			for i := 1; i < len(mem); i++ {
				if mem[i]&0x7f == 0x7f && mem[i-1] >= 0xc0 && a.floats() {
					return true
				}
			}
		}
	}
	return false
}

// floats reports whether some argument points to floats.
func (a arguments) floats() bool {
	for _, r := range a.regions {
		if holdsFloats(r.elem) {
			return true
		}
	}
	return false
}

func holdsFloats(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return true
	case reflect.Array, reflect.Slice, reflect.Pointer:
		return holdsFloats(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if holdsFloats(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}
