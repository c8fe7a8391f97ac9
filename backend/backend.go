// Package backend turns kernels in vir into Go assembly. It is the only place
// that knows avo. It knows nothing of Go source, twins or transformations.
package backend

import "github.com/lanewise/lanewise/vir"

// A File is one assembly file.
type File struct {
	Package    string   // name of the Go package
	Header     []string // comment lines at the top, without the slashes
	Constraint string   // build constraint, as after //go:build
	Kernels    []Kernel
	Compact    bool // loops are not aligned: some are slower then, and all is shorter
}

// A Kernel is one function of a File. Its name is Fn.Name, its frame layout
// follows from the types of Fn's parameters and results.
type Kernel struct {
	Fn *vir.Func
	// Wide is what CPUs of level avx512 do instead, with the same parameters and results; nil
	// for Fn on all. With it, the kernel reads which of them it is on.
	Wide *vir.Func
	// Level is that of Fn, "" for the level of the file.
	Level string
	Doc   string // for the reader of the assembly
}
