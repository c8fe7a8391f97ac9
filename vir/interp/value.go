package interp

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/lanewise/lanewise/vir"
)

// A Value is a scalar (one lane) or a vector: zero-extended bits per lane, and
// per lane whether it is poison.
type Value struct {
	Type   vir.Type
	Bits   []uint64
	Poison []bool
}

// New is a value of type t with the given lanes; a single one is a splat.
// Bits above the element's width are dropped.
func New(t vir.Type, lanes ...uint64) Value {
	v := blank(t)
	for i := range v.Bits {
		if len(lanes) == 1 {
			v.Bits[i] = clip(t.Elem, lanes[0])
		} else {
			v.Bits[i] = clip(t.Elem, lanes[i])
		}
	}
	return v
}

// Int is an i64.
func Int(x int64) Value { return New(vir.Scalar(vir.I64), uint64(x)) }

// Float32 is an f32.
func Float32(x float32) Value { return New(vir.Scalar(vir.F32), uint64(math.Float32bits(x))) }

// Float64 is an f64.
func Float64(x float64) Value { return New(vir.Scalar(vir.F64), math.Float64bits(x)) }

// Ptr is an address.
func Ptr(addr uint64) Value { return New(vir.Scalar(vir.Ptr), addr) }

// blank is a value of type t with all lanes zero.
func blank(t vir.Type) Value {
	n := max(t.Lanes, 1)
	if n == 1 { // most are, and one allocation takes half the time of two
		lane := new(struct {
			bits   [1]uint64
			poison [1]bool
		})
		return Value{Type: t, Bits: lane.bits[:], Poison: lane.poison[:]}
	}
	return Value{Type: t, Bits: make([]uint64, n), Poison: make([]bool, n)}
}

// Poisoned is a value of type t with all lanes poison.
func Poisoned(t vir.Type) Value {
	v := blank(t)
	for i := range v.Poison {
		v.Poison[i] = true
	}
	return v
}

// Lane is lane i as a scalar.
func (v Value) Lane(i int) Value {
	return Value{v.Type.Lane(), v.Bits[i : i+1], v.Poison[i : i+1]}
}

// AnyPoison reports whether some lane is poison.
func (v Value) AnyPoison() bool { return slices.Contains(v.Poison, true) }

// Int is the sign-extended integer in lane 0.
func (v Value) Int() int64 { return signed(v.Type.Elem, v.Bits[0]) }

// Uint is the zero-extended bits of lane 0.
func (v Value) Uint() uint64 { return v.Bits[0] }

// Float is the float in lane 0.
func (v Value) Float() float64 { return float(v.Type.Elem, v.Bits[0]) }

// String is the type and the lanes, integers signed, poison as "poison".
func (v Value) String() string {
	s := make([]string, len(v.Bits))
	for i := range s {
		s[i] = v.lane(i)
	}
	if !v.Type.IsVector() {
		return v.Type.String() + " " + s[0]
	}
	return v.Type.String() + " {" + strings.Join(s, ", ") + "}"
}

func (v Value) lane(i int) string {
	e := v.Type.Elem
	switch {
	case v.Poison[i]:
		return "poison"
	case e == vir.Bool:
		return fmt.Sprint(v.Bits[i] != 0)
	case e.IsFloat():
		return strconv.FormatFloat(float(e, v.Bits[i]), 'g', -1, e.Bits())
	case e.IsInt():
		return fmt.Sprint(signed(e, v.Bits[i]))
	}
	return fmt.Sprintf("%#x", v.Bits[i])
}

// Equal reports whether a and b have the same type and lanes. NaNs are equal
// to each other whatever their bits, and poison equals poison only.
func Equal(a, b Value) bool {
	return a.Type == b.Type && slices.Equal(a.Poison, b.Poison) && Refines(a, b)
}

// Refines reports whether got may stand for want: lanes of want that are poison
// allow anything, the others are equal as in Equal.
func Refines(want, got Value) bool {
	if want.Type != got.Type {
		return false
	}
	for i := range want.Bits {
		if !want.Poison[i] && (got.Poison[i] || !EqualLane(want.Type.Elem, want.Bits[i], got.Bits[i])) {
			return false
		}
	}
	return true
}

// EqualLane compares two elements by bits, with all NaNs equal.
func EqualLane(e vir.Elem, a, b uint64) bool {
	return a == b || e.IsFloat() && math.IsNaN(float(e, a)) && math.IsNaN(float(e, b))
}

// EqualMemory compares memory that holds elements e: bytes equal, except that
// NaNs are equal to each other. A rest smaller than an element is compared by bytes.
func EqualMemory(e vir.Elem, a, b []byte) bool {
	if len(a) != len(b) {
		return false
	}
	n := e.Size()
	for ; len(a) >= n; a, b = a[n:], b[n:] {
		if !EqualLane(e, get(a[:n]), get(b[:n])) {
			return false
		}
	}
	return slices.Equal(a, b)
}

// get reads little-endian bits.
func get(b []byte) uint64 {
	var x uint64
	for i, c := range b {
		x |= uint64(c) << (8 * i)
	}
	return x
}

// put writes little-endian bits.
func put(b []byte, x uint64) {
	for i := range b {
		b[i] = byte(x >> (8 * i))
	}
}

// clip drops the bits above the width of e.
func clip(e vir.Elem, x uint64) uint64 {
	if n := e.Bits(); n < 64 {
		x &= 1<<n - 1
	}
	return x
}

func signed(e vir.Elem, x uint64) int64 {
	sh := 64 - e.Bits()
	return int64(x<<sh) >> sh
}

func float(e vir.Elem, x uint64) float64 {
	if e == vir.F32 {
		return float64(math.Float32frombits(uint32(x)))
	}
	return math.Float64frombits(x)
}
