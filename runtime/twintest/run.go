package twintest

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
)

// An outcome is what a call did besides writing memory.
type outcome struct {
	results []reflect.Value
	panics  string // text of the panic value; "" when the call returned
	faulted bool   // the panic is an access to memory that cannot be accessed so
	fault   uintptr
}

// call runs f and catches its panic, memory faults included.
func call(f reflect.Value, args []reflect.Value) (o outcome) {
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		o.panics = panicText(r)
		if a, ok := r.(interface{ Addr() uintptr }); ok {
			o.faulted, o.fault = true, a.Addr()
		}
	}()
	if f.Type().IsVariadic() {
		o.results = f.CallSlice(args)
	} else {
		o.results = f.Call(args)
	}
	return o
}

func panicText(r any) string {
	switch x := r.(type) {
	case runtime.Error:
		return "runtime error " + x.Error()
	case error:
		return fmt.Sprintf("%T %s", x, x.Error())
	}
	return fmt.Sprintf("%T %v", r, r)
}

// A ran is what the original did with the arguments of a case, in results and memory.
type ran struct {
	built
	outcome
	gone bool // the memory was used for something else since
}

// runOriginal makes the arguments of a case and calls the original.
func (c *checker) runOriginal(tc testCase) *ran {
	w := c.build(c.arenas(tc)[0], tc)
	r := &ran{built: w, outcome: c.original(w.args)}
	if r.faulted { // it leaves its arguments by itself
		w.mem.spoil()
	}
	return r
}

// compare runs the twin on the arguments of a case and says how it differs from
// what the original did; "" when it does not.
func (c *checker) compare(w *ran, tc testCase) string {
	if w.faulted {
		return ""
	}
	mem := c.arenas(tc)
	g := c.rebuild(mem[1], tc)
	var untouched []int
	if tc.readOnly && canProtect {
		untouched = samePages(w.built, g)
	}
	gout := call(c.got, g.args)
	if msg := c.differ(w.built, g, w.outcome, gout); msg != "" {
		w.mem.spoil()
		g.mem.spoil()
		excused := !gout.faulted && (c.payloadShows(w.built, w.mem, g.mem) ||
			c.approx && c.illConditioned(w, g, gout, tc) || c.payloadShows(w.built, c.rebuild(mem[1], tc).mem))
		if excused {
			return ""
		}
		return msg
	}
	if len(untouched) == 0 {
		return ""
	}
	return c.compareReadOnly(w, tc, untouched)
}

// compareAgain is compare at another level than the original ran at, which matters where it calls twins: what
// differs is compared with what the original does at this one.
func (c *checker) compareAgain(w *ran, tc testCase) string {
	if !w.gone && c.compare(w, tc) == "" {
		return ""
	}
	*w = *c.runOriginal(tc)
	return c.compare(w, tc)
}

// differ compares everything after the two calls.
func (c *checker) differ(w, g built, wo, gout outcome) string {
	switch {
	case gout.faulted:
		return "invalid access " + g.locate(gout.fault)
	case wo.panics != gout.panics:
		return fmt.Sprintf("panics differ: got %s, want %s", orNone(gout.panics), orNone(wo.panics))
	}
	e := equality{w: w.mem, g: g.mem, tolerance: c.tolerance(w)}
	msg := e.outcomes(w, g, wo, gout)
	if msg != "" && c.approx {
		e.tolerance = e.tolerance.with(e.magnitude(w, wo))
		msg = e.outcomes(w, g, wo, gout)
	}
	return msg
}

// outcomes compares results, arguments and memory.
func (e equality) outcomes(w, g built, wo, gout outcome) string {
	for i := range wo.results {
		if msg := e.differ(wo.results[i], gout.results[i], 0); msg != "" {
			return fmt.Sprintf("result %d differs: %s", i, msg)
		}
	}
	for i := range w.args {
		if msg := e.differ(w.args[i], g.args[i], 0); msg != "" {
			return fmt.Sprintf("argument %d differs after the call: %s", i, msg)
		}
	}
	return e.memory(w.regions, g.tc.near)
}

func orNone(s string) string {
	if s == "" {
		return "no panic"
	}
	return fmt.Sprintf("panic %q", s)
}

// samePages lists the pages of the arguments whose content is the same behind both calls.
func samePages(w, g built) []int {
	var same []int
	for _, p := range w.pages() {
		if string(w.mem.page(p)) == string(g.mem.page(p)) {
			same = append(same, p)
		}
	}
	return same
}

// pages lists the offsets of the pages that hold something of an argument.
func (b *builder) pages() []int {
	var list []int
	for _, r := range b.regions {
		for p := r.off &^ (pageSize - 1); p < r.off+r.bytes(); p += pageSize {
			list = append(list, p)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// compareReadOnly calls both functions again with pages made read-only that
// the original left as they were. Where the original stores what was there
// before, its own fault tells, and the page becomes writable again. Who stores nothing
// there needs no comparison.
func (c *checker) compareReadOnly(w *ran, tc testCase, pages []int) string {
	mem := c.arenas(tc)
	if o := c.callReadOnly(c.got, mem[1], tc, pages); !o.faulted {
		return ""
	}
	w.gone = true
	for range 8 {
		o := c.callReadOnly(c.want, mem[0], tc, pages)
		if !o.faulted {
			o = c.callReadOnly(c.got, mem[1], tc, pages)
			if o.faulted {
				return "store where the original stores nothing: " + c.build(mem[1], tc).locate(o.fault)
			}
			return ""
		}
		off, ok := mem[0].offset(o.fault)
		if !ok {
			return ""
		}
		pages = without(pages, off)
	}
	return ""
}

func (c *checker) callReadOnly(f reflect.Value, mem *arena, tc testCase, pages []int) outcome {
	b := c.rebuild(mem, tc)
	mem.protectPages(pages, readOnly)
	defer mem.protectPages(pages, readWrite)
	return call(f, b.args)
}

// locate says where an address lies.
func (b *builder) locate(addr uintptr) string {
	off, ok := b.mem.offset(addr)
	if !ok {
		return fmt.Sprintf("at address %#x, far from all arguments", addr)
	}
	return where(b.regions, off)
}
