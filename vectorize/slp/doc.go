// Package slp packs equal work of straight-line code into vectors: superword-level
// parallelism, bottom up, as GCC and LLVM do it ("Loop-Aware SLP in GCC", Rosen, Nuzman,
// Zaks, GCC Summit 2007).
//
//	a[0] = (b[0] + c[0]) * (d[0] - e[0])       store  a[0:4]          -3
//	a[1] = (b[1] + c[1]) * (d[1] - e[1])         mul                  +2
//	a[2] = (b[2] + c[2]) * (d[2] - e[2])           add                -3
//	a[3] = (b[3] + c[3]) * (d[3] - e[3])             load b[0:4]      -3  ...
//
// Seeds are groups of scalars that are worth being lanes of one vector: stores side by
// side (chains.go), variables of a loop, results, fields (lists.go), terms of a sum
// (reduce.go, strict.go). From a seed the graph grows along operands as long as all lanes
// do the same (group.go); operands of commutative operations are swapped so that they fit
// (operands.go), chains of them are one group with many operands (super.go), elements at
// a stride come out of vectors of neighbours (tiles.go), and trees end where what is above
// does not gain (throttle.go); seeds.go tries these ways. A group can become a
// vector when its members can be brought together in the block without changing what
// depends on what (depend.go). What it costs and saves is added up (cost.go), with what loads
// wait that come too soon after stores (wait.go), and only trees that gain are kept. All of them are written at once in the end (emit.go, sums.go),
// each block in a new order. docs/slp.md has more about all of this.
//
// Trees share groups: one graph holds all that were accepted.
//
// Accesses that may overlap are taken to lie apart if that is what it takes, and if where
// they lie is known early: the caller has to test what Result.Apart lists.
//
// The package knows vir and costs. It must not know regions, kernels, or how the tests
// are made.
package slp

import (
	"github.com/lanewise/lanewise/vectorize/alias"
	"github.com/lanewise/lanewise/vir"
)

// Options of Run.
type Options struct {
	Costs   Costs
	Bytes   int  // of the widest vector
	Reassoc bool // float sums and products may be reordered
	// Testable reports whether v, the base or the index of an access, is known where
	// tests of overlaps are made. Nil is for nothing.
	Testable func(v *vir.Value) bool
	// Weight is how often a block runs for one run of the function. Nil is for once.
	Weight func(b *vir.Block) float64
	// Count is asked before each tree; false means leave it. Nil is for always.
	Count func() bool
}

// Result says what Run did.
type Result struct {
	Trees []Tree
	Cost  float64       // of all trees together, vector minus scalar; negative is a gain
	Apart []alias.Apart // what must be tested before the code that Run wrote
}

// A Tree is what one seed became.
type Tree struct {
	Seed  string // what the roots are: "stores", "sum", ...
	Pos   vir.Pos
	Lanes int
	Cost  float64 // what it changed the cost of all by
	Cuts  int     // groups at which it was made to end
	Text  string  // the tree, a group per line
}

// Run packs what gains in f.
func Run(f *vir.Func, opt Options) *Result {
	g, r := grow(f, opt)
	if len(g.trees) > 0 {
		r.Apart = g.emit()
	}
	return r
}

// grow finds the trees of f.
func grow(f *vir.Func, opt Options) (*Graph, *Result) {
	if opt.Testable == nil {
		opt.Testable = func(*vir.Value) bool { return false }
	}
	if opt.Weight == nil {
		opt.Weight = func(*vir.Block) float64 { return 1 }
	}
	if opt.Count == nil {
		opt.Count = func() bool { return true }
	}
	g := newGraph(f, opt)
	g.findPassing()
	g.seeds()
	return g, &Result{Trees: g.trees, Cost: g.total}
}
