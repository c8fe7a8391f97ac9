//go:build amd64 && unix

// Package contract shows that twins keep the rules of docs/contract.md: each rule
// has a check that looks for what breaks this rule, in every function of a list.
// The list is made when the test runs: of the loops in testdata/loops and
// testdata/panics, and on request of all examples and file tests.
//
// A check calls an original and its twin on two memories that are laid out alike,
// and compares everything. The package knows signatures and nothing of kernels; it
// is imported by the programs that its test generates.
package contract

import (
	"reflect"
	"runtime/debug"
	"testing"
)

// A Function is an original with its twin.
type Function struct {
	Name     string // with that of the package
	Want     any    // the original, each product rounded by itself; nil in builds without kernels
	Original any    // the original as the user wrote it; may be nil where it has no name
	Got      any    // the twin

	Approx      bool // floats may differ by rounding
	Independent bool // arguments may not overlap
	Exclusive   bool // stores of unchanged values are allowed
	Depth       int  // of nested loops, which says how long calls take; 0 counts as 1
	Bounds      *[2]int
}

// A pair is a function that is ready to be called, with a memory for each side.
type pair struct {
	Function
	typ       reflect.Type
	want, got reflect.Value
	shape     shape
	fit       int // how lengths follow from n, see lengths
}

// memories are those of all pairs: tests run one after the other.
var memories [2]*memory

// eachPair runs a check as a subtest for every function whose arguments can be made.
func eachPair(t *testing.T, all []Function, check func(t *testing.T, p *pair)) {
	for i := range memories {
		if memories[i] == nil {
			memories[i] = newMemory(t)
		}
	}
	for _, f := range all {
		if f.Want == nil {
			continue
		}
		p := &pair{Function: f, typ: reflect.TypeOf(f.Want), want: reflect.ValueOf(f.Want), got: reflect.ValueOf(f.Got)}
		if p.Depth == 0 {
			p.Depth = 1
		}
		if p.measurable() {
			t.Run(f.Name, func(t *testing.T) {
				debug.SetPanicOnFault(true) // of this goroutine, which ends with the subtest
				check(t, p)
			})
		}
	}
}

// A tally counts what happened in a check, so that one that sees nothing fails.
type tally struct{ calls, returned int }

// compare calls both sides and fails the test at the first difference. It returns
// what the original did, and false when that cannot be compared.
func (p *pair) compare(t *testing.T, l layout, n *tally) (outcome, bool) {
	t.Helper()
	w := p.arrange(memories[0], l)
	wo := call(p.want, w.args)
	if wo.faulted {
		return wo, false // the original itself leaves its arguments
	}
	g := p.arrange(memories[1], l)
	o := call(p.got, g.args)
	n.calls++
	if wo.text == "" {
		n.returned++
	}
	if msg := p.differ(w, g, wo, o); msg != "" {
		if l.overlap && nanShows(w, g) {
			return wo, false
		}
		t.Fatalf("%s\n%s", msg, l.describe(w))
	}
	return wo, true
}
