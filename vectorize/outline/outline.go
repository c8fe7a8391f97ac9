// Package outline lets the kernels of a package share code. Kernels that are one
// function up to names and constants become one (merge.go). Sequences of operations that
// occur several times become local routines that kernels call.
//
// The algorithm for sequences is that of an outliner that works on an intermediate
// representation (R. Riddle, "Add code size outlining", LLVM 2017). Operations are congruent
// when they do the same, whatever their operands are (class.go). All straight pieces of code
// of all kernels make one text over the alphabet of classes; a suffix array with common
// prefixes (suffix.go) lists what occurs in it more than once: a candidate with its
// occurrences (candidate.go). Occurrences of a routine must use their own values in the same
// way (verify.go). What they take from outside are parameters, of which folding, condensing,
// partitioning and distances of constants leave few (params.go). Candidates are taken by
// benefit, and what overlaps with code that is taken is no occurrence any more (select.go).
//
// The package knows vir, and asks back what machine code costs. It must not know
// instructions or Go source.
package outline

import "github.com/lanewise/lanewise/vir"

// A Level says how much is outlined.
type Level int

const (
	None  Level = iota // nothing: each kernel has its own code
	Merge              // kernels that are one function, and code that runs so seldom that a call does not show
	Size               // whatever makes the machine code smaller
)

// Code describes the machine code of a function.
type Code struct {
	Bytes int // without alignment
	Loops int // instructions in loops
}

// Options say what to do and what it costs.
type Options struct {
	Level Level
	// Measure describes the code of functions as they would be emitted into one file:
	// kernels, and the routines they call. The error names a function that has none.
	Measure func(fs []*vir.Func) ([]Code, error)
}
