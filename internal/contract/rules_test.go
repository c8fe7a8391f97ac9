//go:build amd64 && unix

package contract_test

import "testing"

// TestSameResult is rule 1.
func TestSameResult(t *testing.T) {
	seen := run(t, "TestSameResult")
	atLeast(t, seen, "returned", 300_000)
	atLeast(t, seen, "reordered", 10)
}

// TestSamePanics is rule 2.
func TestSamePanics(t *testing.T) {
	seen := run(t, "TestSamePanics")
	for _, kind := range []string{"index", "bounds", "nil", "divide", "shift", "array", "explicit"} {
		atLeast(t, seen, "kind "+kind+": iterations", 101)
	}
}

// TestSameReads is rule 3 for what is read.
func TestSameReads(t *testing.T) {
	atLeast(t, run(t, "TestSameReads"), "returned", 300_000)
}

// Functions in which there must be something that is not stored, beside what is.
var (
	partial = []string{
		"MarkedBytes", "MarkedShorts", "MarkedWords", "MarkedLongs", "CopyMarked", "MarkedMember", "EitherSide", "MarkedScatter",
		"Filter", "FilterBytes", "FilterInPlace", "Expand", "Scatter", "StoreUntil", "FirstBytes", "Deal",
	}
	paged  = []string{"MarkedGather", "GatherBytes"}
	shared = []string{"Move", "Lift", "Weigh", "ScaleVector", "Total", "Book", "Stencil", "Blur", "Unrolled", "Distributed"}
)

// TestSameWrites is rule 3 for what is written: read-only pages.
func TestSameWrites(t *testing.T) {
	seen := run(t, "TestSameWrites")
	for _, name := range append(partial, paged...) {
		atLeast(t, seen, "pages of loops."+name, 1)
	}
}

// TestNoLostWrites is rule 3 for what is written: stores of other goroutines.
func TestNoLostWrites(t *testing.T) {
	seen := run(t, "TestNoLostWrites")
	for _, name := range append(partial, shared...) {
		atLeast(t, seen, "races in loops."+name, 1)
	}
}

// TestAnyOverlap is rule 4.
func TestAnyOverlap(t *testing.T) {
	atLeast(t, run(t, "TestAnyOverlap"), "returned", 100_000)
}
