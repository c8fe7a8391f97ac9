package native

import (
	"fmt"
	"strings"

	"github.com/lanewise/lanewise/backend/avx2"
	"github.com/lanewise/lanewise/vir"
)

var goTypes = map[vir.Elem]string{
	vir.Bool: "bool", vir.I8: "uint8", vir.I16: "uint16", vir.I32: "uint32", vir.I64: "int",
	vir.F32: "float32", vir.F64: "float64", vir.Ptr: "unsafe.Pointer",
}

// stubs are the Go declarations of the kernels.
func stubs(fns []*vir.Func) string {
	var b strings.Builder
	b.WriteString("package k\n\nimport \"unsafe\"\n\nvar _ unsafe.Pointer\n")
	for _, f := range fns {
		var params, results []string
		for _, p := range f.Params {
			params = append(params, p.Name+" "+goTypes[p.Type.Elem])
		}
		for i, t := range f.Results {
			results = append(results, avx2.ResultName(i)+" "+goTypes[t.Elem])
		}
		fmt.Fprintf(&b, "\n//go:noescape\nfunc %s(%s) (%s)\n", f.Name, strings.Join(params, ", "), strings.Join(results, ", "))
	}
	// Lower-case names need exported doors.
	for _, f := range fns {
		fmt.Fprintf(&b, "\nvar X%s = %s\n", f.Name, f.Name)
	}
	return b.String()
}

// table is the server's list of kernels behind one signature.
func table(fns []*vir.Func) string {
	var b strings.Builder
	b.WriteString("package main\n\nimport \"kernels/k\"\n\nvar kernels = []func(a []value) []uint64{\n")
	for _, f := range fns {
		var args, results, bits []string
		for i, p := range f.Params {
			args = append(args, fmt.Sprintf("a[%d].%s()", i, p.Type.Elem))
		}
		for i, t := range f.Results {
			results = append(results, avx2.ResultName(i))
			bits = append(bits, fmt.Sprintf("bits_%s(%s)", t.Elem, avx2.ResultName(i)))
		}
		call := fmt.Sprintf("k.X%s(%s)", f.Name, strings.Join(args, ", "))
		if len(results) > 0 {
			call = strings.Join(results, ", ") + " := " + call
		}
		fmt.Fprintf(&b, "\tfunc(a []value) []uint64 { %s; return []uint64{%s} },\n", call, strings.Join(bits, ", "))
	}
	b.WriteString("}\n")
	return b.String()
}

// serverSource reads cases from standard input and runs each twice: with the
// objects flush against a forbidden page above, then below.
const serverSource = `package main

import (
	"bufio"
	"bytes"
	"encoding/gob"
	"math"
	"os"
	"syscall"
	"unsafe"
)

type wireArg struct {
	Object int
	Bits   uint64
}

type wireObject struct {
	ID   int
	Data []byte
}

type wireCase struct {
	Kernel  int
	Objects []wireObject
	Args    []wireArg
	Loose   bool
}

// known are the objects with an ID.
var known = make(map[int][]byte)

func (c wireCase) objects() [][]byte {
	var all [][]byte
	for _, o := range c.Objects {
		if o.ID != 0 && len(o.Data) > 0 {
			known[o.ID] = o.Data
		}
		if o.ID != 0 {
			o.Data = known[o.ID]
		}
		all = append(all, o.Data)
	}
	return all
}

type wireOutcome struct {
	Results []uint64
	Objects [][]byte
	Err     string
}

type value struct{ bits uint64 }

func (v value) bool() bool           { return v.bits&1 != 0 }
func (v value) i8() uint8            { return uint8(v.bits) }
func (v value) i16() uint16          { return uint16(v.bits) }
func (v value) i32() uint32          { return uint32(v.bits) }
func (v value) i64() int             { return int(v.bits) }
func (v value) f32() float32         { return math.Float32frombits(uint32(v.bits)) }
func (v value) f64() float64         { return math.Float64frombits(v.bits) }
func (v value) ptr() unsafe.Pointer  { return *(*unsafe.Pointer)(unsafe.Pointer(&v.bits)) }

func bits_bool(x bool) uint64          { return uint64(*(*uint8)(unsafe.Pointer(&x))) }
func bits_i8(x uint8) uint64           { return uint64(x) }
func bits_i16(x uint16) uint64         { return uint64(x) }
func bits_i32(x uint32) uint64         { return uint64(x) }
func bits_i64(x int) uint64            { return uint64(x) }
func bits_f32(x float32) uint64        { return uint64(math.Float32bits(x)) }
func bits_f64(x float64) uint64        { return math.Float64bits(x) }
func bits_ptr(x unsafe.Pointer) uint64 { return uint64(uintptr(x)) }

const page = 4096

// An arena is memory between two forbidden pages.
type arena []byte

func newArena(size int) arena {
	size = (size + page - 1) / page * page
	if size == 0 {
		size = page
	}
	m, err := syscall.Mmap(-1, 0, size+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		panic(err)
	}
	for _, guard := range [][]byte{m[:page], m[page+size:]} {
		if err := syscall.Mprotect(guard, syscall.PROT_NONE); err != nil {
			panic(err)
		}
	}
	return m[page : page+size]
}

var arenas []arena

// place copies objects into arenas, at their end or their start.
func place(objects [][]byte, atEnd bool) [][]byte {
	var placed [][]byte
	for i, o := range objects {
		for len(arenas) <= i {
			arenas = append(arenas, newArena(len(o)))
		}
		if len(arenas[i]) < len(o) {
			arenas[i] = newArena(len(o))
		}
		m := arenas[i][:len(o)]
		if atEnd {
			m = arenas[i][len(arenas[i])-len(o):]
		}
		copy(m, o)
		placed = append(placed, m[:len(o):len(o)])
	}
	return placed
}

func run(c wireCase, objects [][]byte, atEnd bool) wireOutcome {
	mem := place(objects, atEnd)
	args := make([]value, len(c.Args))
	for i, a := range c.Args {
		args[i].bits = a.Bits
		if a.Object >= 0 {
			args[i].bits += uint64(uintptr(unsafe.Pointer(unsafe.SliceData(mem[a.Object]))))
		}
	}
	var w wireOutcome
	w.Results = kernels[c.Kernel](args)
	for _, m := range mem {
		w.Objects = append(w.Objects, bytes.Clone(m))
	}
	return w
}

func same(a, b wireOutcome) bool {
	for i := range a.Results {
		if a.Results[i] != b.Results[i] {
			return false
		}
	}
	for i := range a.Objects {
		if !bytes.Equal(a.Objects[i], b.Objects[i]) {
			return false
		}
	}
	return true
}

func main() {
	dec := gob.NewDecoder(bufio.NewReader(os.Stdin))
	enc := gob.NewEncoder(os.Stdout)
	for {
		var c wireCase
		if dec.Decode(&c) != nil {
			return
		}
		objects := c.objects()
		out := run(c, objects, true)
		if other := run(c, objects, false); !c.Loose && !same(out, other) {
			out.Err = "outcome depends on the placement of memory"
		}
		for i, o := range objects {
			if bytes.Equal(o, out.Objects[i]) {
				out.Objects[i] = nil
			}
		}
		if enc.Encode(out) != nil {
			return
		}
	}
}
`
