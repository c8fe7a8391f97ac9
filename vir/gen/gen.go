// Package gen makes random valid vir functions with inputs, for tests: each
// function passes the verifier, never lets poison reach an effect and never
// faults; a function with checks may panic. It must not know passes or machines.
//
// Floats are compared with all NaNs equal, so generated code never looks at
// the bits of a NaN: operands of bitcast and the sign of fcopysign are made
// numbers first.
package gen

import (
	"errors"
	"fmt"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/interp"
)

// Options narrow what Line makes.
type Options struct {
	// Lanes to choose from for the data of a function; 0 is scalar.
	Lanes []int
	// Allow, if set, says whether an operation with this result (the stored type
	// for stores, the operand's type for comparisons and checks) may occur.
	Allow func(op vir.Op, t vir.Type) bool
	// Insts is the number of operations chosen, besides what they need as
	// operands; 0 is a random number up to 24.
	Insts int
	// Panics allows checks that may fail.
	Panics bool
	// Exits lets some straight-line functions return early, before they store: where a
	// bool holds that depends on lanes, mostly.
	Exits bool
	// ConstDivisors makes divisors constants: of vectors always, of scalars often.
	ConstDivisors bool
}

// A Kernel is a straight-line function
//
//	func @kernel(%in ptr, %out ptr, %n i64) (i64)
//
// with its inputs. All kernels have this signature, so that a test can call
// many of them natively through one table.
type Kernel struct {
	Fn   *vir.Func
	In   []byte // contents of the memory at %in; only read
	Out  []byte // contents of the memory at %out before the call
	N    int64  // argument %n
	Outs []Slot // where results lie in %out; all other bytes must stay
}

// A Slot is a place in memory: t.Size() bytes from Off on.
type Slot struct {
	Off  int
	Type vir.Type
}

// Run executes the kernel in the interpreter: memory at %out after the call and
// the result. The error is as in interp.Run.
func (k *Kernel) Run() (out []byte, result int64, err error) {
	mem := new(interp.Memory)
	in := mem.AllocReadOnly("in", k.In)
	o := mem.Alloc("out", append([]byte(nil), k.Out...))
	res, err := interp.Run(k.Fn, mem, []interp.Value{in.Ptr(0), o.Ptr(0), interp.Int(k.N)})
	if err != nil {
		return o.Data, 0, err
	}
	if res[0].Poison[0] {
		return o.Data, 0, errors.New("the result is poison")
	}
	return o.Data, res[0].Int(), nil
}

// Compare runs the interpreter and compares with what another engine left
// at %out and returned. The error describes the first difference.
func (k *Kernel) Compare(out []byte, result int64) error {
	want, wantResult, err := k.Run()
	if err != nil {
		return fmt.Errorf("interpreter: %w", err)
	}
	if len(out) != len(want) {
		return fmt.Errorf("%d bytes of output, want %d", len(out), len(want))
	}
	if result != wantResult {
		return fmt.Errorf("result %d, want %d", result, wantResult)
	}
	pos := 0
	for _, s := range k.Outs {
		if err := sameBytes(want, out, pos, s.Off); err != nil {
			return err
		}
		if err := s.compare(want, out); err != nil {
			return err
		}
		pos = s.Off + s.Type.Size()
	}
	return sameBytes(want, out, pos, len(want))
}

func sameBytes(want, got []byte, from, to int) error {
	for i := from; i < to; i++ {
		if want[i] != got[i] {
			return fmt.Errorf("byte %d outside of all results was written", i)
		}
	}
	return nil
}

func (s Slot) compare(want, got []byte) error {
	e, n := s.Type.Elem, s.Type.Elem.Size()
	for lane := range max(s.Type.Lanes, 1) {
		w, g := want[s.Off+lane*n:][:n], got[s.Off+lane*n:][:n]
		if !interp.EqualMemory(e, w, g) {
			return fmt.Errorf("%s at byte %d of the output, lane in memory %d: % x, want % x (little-endian)", s.Type, s.Off, lane, g, w)
		}
	}
	return nil
}

// VectorKernel is a kernel of vectors, without what only tests of the
// interpreter want: checks, poison and compress.
func VectorKernel(seed uint64) *Kernel {
	return Line(Seed(seed), Options{Lanes: []int{1, 2, 4, 8, 16, 32}, Allow: Compiled})
}

// ScalarKernel is a kernel of scalars with the same limits.
func ScalarKernel(seed uint64) *Kernel {
	return Line(Seed(seed), Options{Lanes: []int{0}, Allow: Compiled})
}

// Compiled leaves out operations that kernels do not contain or that no backend
// has: checks, iter, least, poison and compress.
func Compiled(op vir.Op, t vir.Type) bool {
	return !op.IsCheck() && op != vir.OpIter && op != vir.OpLeast && op != vir.OpPoison && op != vir.OpCompress
}

// Scalar is a straight-line scalar function with all operations.
func Scalar(src *Source) *Kernel { return Line(src, Options{Lanes: []int{0}, Panics: true}) }

// Vector is a straight-line vector function with all operations.
func Vector(src *Source) *Kernel {
	return Line(src, Options{Lanes: []int{1, 2, 4, 8, 16}, Panics: true})
}
