package vir

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Elem is the type of one lane. Integers carry no signedness: operations do.
type Elem uint8

const (
	Void Elem = iota // no value: stores, checks, terminators
	Bool             // scalar truth value; as a vector it is a mask
	I8
	I16
	I32
	I64
	F32
	F64
	Ptr // address of a byte inside some object, or nil
)

var elemNames = [...]string{"void", "bool", "i8", "i16", "i32", "i64", "f32", "f64", "ptr"}

func (e Elem) String() string { return elemNames[e] }

// Size is the size of one element in bytes. A Bool counts as one byte, which is
// its size in Go memory.
func (e Elem) Size() int {
	switch e {
	case Bool, I8:
		return 1
	case I16:
		return 2
	case I32, F32:
		return 4
	case I64, F64, Ptr:
		return 8
	}
	return 0
}

// Bits is the width of one element in bits; 1 for Bool.
func (e Elem) Bits() int {
	if e == Bool {
		return 1
	}
	return 8 * e.Size()
}

// Ones is an element with all bits set, the bits above it clear.
func (e Elem) Ones() uint64 { return ^uint64(0) >> (64 - e.Bits()) }

// FloatBits is the bits of x as a float of type e.
func (e Elem) FloatBits(x float64) uint64 {
	if e == F32 {
		return uint64(math.Float32bits(float32(x)))
	}
	return math.Float64bits(x)
}

func (e Elem) IsInt() bool   { return I8 <= e && e <= I64 }
func (e Elem) IsFloat() bool { return e == F32 || e == F64 }

// IntElem is the integer element of the given size in bytes.
func IntElem(size int) Elem {
	switch size {
	case 1:
		return I8
	case 2:
		return I16
	case 4:
		return I32
	case 8:
		return I64
	}
	panic(fmt.Sprintf("vir: no integer of %d bytes", size))
}

// Type is a scalar (Lanes 0) or a vector of Lanes elements. The number of lanes
// of a vector is a power of two and may exceed what one register holds: the
// backend splits a value into register-sized parts, so unrolling by UF is the
// same as VF*UF lanes.
type Type struct {
	Elem  Elem
	Lanes int
}

// Scalar is the scalar type of e.
func Scalar(e Elem) Type { return Type{Elem: e} }

// Vec is the vector of n lanes of e.
func Vec(e Elem, n int) Type { return Type{e, n} }

// Mask is the mask of n lanes.
func Mask(n int) Type { return Type{Bool, n} }

func (t Type) IsVector() bool { return t.Lanes > 0 }
func (t Type) IsMask() bool   { return t.Lanes > 0 && t.Elem == Bool }

// Lane is the type of one lane.
func (t Type) Lane() Type { return Type{Elem: t.Elem} }

// WithElem is t with another element type and the same number of lanes.
func (t Type) WithElem(e Elem) Type { return Type{e, t.Lanes} }

// Size is the number of bytes the value takes in memory.
func (t Type) Size() int { return t.Elem.Size() * max(t.Lanes, 1) }

// String is the text form: f32, f32x8, maskx8.
func (t Type) String() string {
	switch {
	case t.Lanes == 0:
		return t.Elem.String()
	case t.Elem == Bool:
		return "maskx" + strconv.Itoa(t.Lanes)
	}
	return t.Elem.String() + "x" + strconv.Itoa(t.Lanes)
}

// ParseType reads the text form of a type.
func ParseType(s string) (Type, bool) {
	name, lanes := s, 0
	if i := strings.LastIndexByte(s, 'x'); i > 0 {
		n, err := strconv.Atoi(s[i+1:])
		if err != nil || n < 1 || n&(n-1) != 0 || n > 1024 {
			return Type{}, false
		}
		name, lanes = s[:i], n
	}
	if name == "mask" {
		return Type{Bool, lanes}, lanes > 0
	}
	for e, en := range elemNames {
		if en == name {
			return Type{Elem(e), lanes}, lanes == 0 || Elem(e) > Bool
		}
	}
	return Type{}, false
}
