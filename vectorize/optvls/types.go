package optvls

import "fmt"

// An Access says how a memref reaches memory.
type Access struct {
	Store   bool // writes; else reads
	Indexed bool // the lanes lie anywhere; else at a constant stride
	Masked  bool // only active lanes may be touched
}

func (a Access) String() string {
	s := "strided"
	if a.Indexed {
		s = "indexed"
	}
	if a.Store {
		s += " store"
	} else {
		s += " load"
	}
	if a.Masked {
		s += " masked"
	}
	return s
}

// A Type is a vector of lanes, each of a size in bits.
type Type struct{ Bits, Lanes int }

// Bytes is the size of the whole vector.
func (t Type) Bytes() int { return t.Bits / 8 * t.Lanes }

func (t Type) String() string { return fmt.Sprintf("<%d x %d>", t.Lanes, t.Bits) }

// A Memref is one vector access of the client: the accesses that one scalar load or
// store makes in VF iterations. Its dynamic type must be comparable; a pointer is.
// The lanes of a memref and those of its neighbours in a group are the same
// iterations.
type Memref interface {
	// Access says how memory is reached.
	Access() Access
	// Type is the vector that is loaded or stored: the element in memory, and VF.
	// Elements have 1 to 16 bytes.
	Type() Type
	// Distance is how many bytes this memref lies behind the other one, in every
	// lane; false when that is not a constant.
	Distance(from Memref) (bytes int64, ok bool)
	// SameElements says that both have the same number of elements, and under a mask
	// the same active ones.
	SameElements(as Memref) bool
	// CanMoveTo says that the access may be made where the other one stands: there
	// is no conflicting access and nothing that can stop the program in between.
	CanMoveTo(to Memref) bool
	// Stride is the distance in bytes from each lane to the next; false when that is
	// not a constant.
	Stride() (bytes int64, ok bool)
}
