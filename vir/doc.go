// Package vir is the vector intermediate representation (IR) that every part of
// lanewise speaks: typed static single assignment (SSA) over basic blocks, with
// scalar values, vectors and masks side by side.
//
// The frontend lowers a loop to a scalar function of vir, the vectorizer turns
// that into a kernel function of vir, the backend turns the kernel into
// assembly. This package holds the data, the operation table, the builder and
// the printer. It must not know Go syntax, any transformation or any machine.
//
// vir/parse reads the text form back, vir/verify states and checks what a
// well-formed function is, vir/interp runs functions, vir/plan describes what
// surrounds a kernel (bounds, overlap tests, parameters). README.md in this
// folder is the reference of the text form and of the operations.
package vir
