// Package twin prints the Go side of a vectorized package: the twins that
// dispatch between kernels and the user's own loops, the stubs of the kernels,
// the twins of every other build, and generated tests.
//
// A twin is the user's function copied from its source text, in which every
// vectorized loop is replaced. In what replaces it, the user's loop appears
// unchanged (fallback and small trip counts) and once more with a header that
// goes on from the current state (remainder and panic path).
//
// The package reads syntax, types and plan.Kernel. It must not know how a loop
// was vectorized, never looks into the blocks of a vir function, and loads
// nothing but the text of the files it copies from.
package twin
