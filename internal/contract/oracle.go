//go:build amd64 && unix

package contract

import (
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"reflect"
	"runtime/debug"
	"testing"
	"unsafe"
)

// Sides of functions that Dump calls.
const (
	SideGot      = "got"
	SideOriginal = "original"
)

// Dump is rule 7's half of the work: it calls one side of every function and writes
// hashes of all results and memories, one line for each function and length. Programs
// built in different ways must write the same.
func Dump(t *testing.T, w io.Writer, all []Function, side string) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	memories[0] = newMemory(t)
	for _, f := range all {
		chosen := f.Got
		if side == SideOriginal {
			chosen = f.Original
		}
		if chosen == nil {
			continue
		}
		p := &pair{Function: f, typ: reflect.TypeOf(chosen), want: reflect.ValueOf(chosen)}
		p.Depth = max(p.Depth, 1)
		if !p.measurable() {
			continue
		}
		for _, n := range dumped() {
			if n == p.longest(n) {
				fmt.Fprintf(w, "%s %d %016x\n", f.Name, n, p.hash(n))
			}
		}
	}
}

// dumped are the lengths: all of short ones, others around blocks.
func dumped() (ns []int) {
	for n := range 40 {
		ns = append(ns, n)
	}
	for n := 41; n < 200; n += 11 {
		ns = append(ns, n)
	}
	return append(ns, 255, 256, 257, 1025)
}

// hash is one of all results for arguments of length n.
func (p *pair) hash(n int) uint64 {
	h := fnv.New64a()
	for st := range numStyles {
		s := series{style: st, stride: 1 + n%3, start: n % period}
		switch st {
		case below:
			s.n = p.lengthOf(n)
		case constant:
			s.part, s.stride = n, 1
		}
		a := p.arrange(memories[0], p.usual(n, s))
		o := call(p.want, a.args)
		fmt.Fprintf(h, "%q %v ", o.text, o.faulted)
		for _, r := range o.results {
			x := reflect.New(r.Type())
			x.Elem().Set(r)
			p.write(h, x.Elem())
		}
		for _, r := range a.regions {
			from, to := around(r.off, r.size())
			if holdsFloats(r.elem) {
				for i := range r.count {
					canonical(r.elem, a.mem.pointer(r.off+i*int(r.elem.Size())))
				}
			}
			h.Write(a.mem.mem[from:to])
		}
	}
	return h.Sum64()
}

// write hashes a result: values, but lengths alone of what lies in the memory.
func (p *pair) write(h io.Writer, v reflect.Value) {
	switch v.Kind() {
	case reflect.Slice, reflect.String:
		fmt.Fprint(h, v.Len(), " ")
	case reflect.Pointer:
		fmt.Fprint(h, v.IsNil(), " ")
	default:
		canonical(v.Type(), v.Addr().UnsafePointer())
		fmt.Fprintf(h, "%v ", v)
	}
}

// canonical makes all NaNs the same one.
func canonical(t reflect.Type, p unsafe.Pointer) {
	switch t.Kind() {
	case reflect.Float32, reflect.Complex64:
		f := unsafe.Slice((*float32)(p), t.Size()/4)
		for x := range f {
			if f[x] != f[x] {
				f[x] = float32(math.NaN())
			}
		}
	case reflect.Float64, reflect.Complex128:
		f := unsafe.Slice((*float64)(p), t.Size()/8)
		for x := range f {
			if f[x] != f[x] {
				f[x] = math.NaN()
			}
		}
	case reflect.Struct:
		for i := range t.NumField() {
			canonical(t.Field(i).Type, unsafe.Add(p, t.Field(i).Offset))
		}
	case reflect.Array:
		for i := range t.Len() {
			canonical(t.Elem(), unsafe.Add(p, i*int(t.Elem().Size())))
		}
	}
}
