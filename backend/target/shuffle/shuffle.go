// Package shuffle plans how constant rearrangements of bytes are done with AVX2
// instructions. A register is a list of symbolic bytes, each named by the source
// it comes from; a table has the instructions with their costs and what they do
// to such a register; a search composes them. The cost of a rearrangement is the
// cost of the plan that will be emitted. The package must not know vir, registers
// or assembly.
package shuffle

// Half is the number of bytes within which most instructions move data, Size
// that of a whole register.
const (
	Half = 16
	Size = 32
)

// A Byte says what a byte of a register is: byte k of source n is n*Size + k.
type Byte int16

// Bytes that come from no source.
const (
	Any  Byte = -1 // not looked at
	Zero Byte = -2
)

// Of is byte k of source n.
func Of(n, k int) Byte { return Byte(n*Size + k) }

func (b Byte) source() int { return int(b) / Size }
func (b Byte) offset() int { return int(b) % Size }

// A Reg is the contents of a register, or what is wanted of it.
type Reg [Size]Byte

// None is a register of which nothing is known or wanted.
func None() (r Reg) {
	for i := range r {
		r[i] = Any
	}
	return r
}

// source is the register of source n as it comes.
func source(n int) (r Reg) {
	for i := range r {
		r[i] = Of(n, i)
	}
	return r
}

// fits reports whether b serves where want is wanted.
func (b Byte) fits(want Byte) bool { return want == Any || b == want }

// fits reports whether r serves where want is wanted.
func (r *Reg) fits(want *Reg) bool {
	for i, w := range want {
		if w != Any && r[i] != w {
			return false
		}
	}
	return true
}

// unit reports whether the n bytes of r from i on serve for those of want from j on.
func (r *Reg) unit(i int, want *Reg, j, n int) bool {
	for k := range n {
		if w := want[j+k]; w != Any && r[i+k] != w {
			return false
		}
	}
	return true
}

// empty reports whether nothing is wanted of bytes from i on.
func (r *Reg) empty(i, n int) bool {
	for _, w := range r[i : i+n] {
		if w != Any {
			return false
		}
	}
	return true
}

// low reports whether only the low half is wanted.
func (r *Reg) low() bool { return r.empty(Half, Half) }

// sources are the sources that r names, as a set of bits; those above 63 share a
// bit.
func (r *Reg) sources() (set uint64) {
	for _, b := range r {
		if b >= 0 {
			set |= 1 << min(b.source(), 63)
		}
	}
	return set
}

// grain is the size of the largest units that r moves as a whole: a power of two,
// at most Half.
func (r *Reg) grain() int {
	for n := Half; n > 1; n /= 2 {
		if r.whole(n) {
			return n
		}
	}
	return 1
}

// whole reports whether every unit of n bytes is one unit of a source, in part
// not wanted, or all zero.
func (r *Reg) whole(n int) bool {
	for i := 0; i < Size; i += n {
		start := Any
		for k := range n {
			b := r[i+k]
			switch {
			case b == Any:
				continue
			case b == Zero:
				if start != Any && start != Zero {
					return false
				}
				start = Zero
				continue
			}
			first := b - Byte(k)
			if b.offset() < k || first.offset()%n != 0 || start != Any && start != first {
				return false
			}
			start = first
		}
	}
	return true
}

// A Cost is in cycles.
type Cost struct{ Throughput, Latency float64 }

// A Step is one instruction of a plan. Operands are earlier steps, or sources as
// ^n for source n. Size is the number of bytes the instruction works on.
type Step struct {
	Op    Op
	Imm   int
	Const [Size]byte // control of PSHUFB, PERMD, AND and of the variable blend
	A, B  int
	Size  int
}

// A Plan makes a register out of sources; the last step is the result. A plan
// without steps is source Source as it is.
type Plan struct {
	Steps  []Step
	Source int
	Cost   Cost
}
