package twintest

import (
	"bytes"
	"testing"
)

// A case that is built again is the same as one that is built anew, whatever was called in
// between, and so is the memory around it.
func TestRebuildIsBuild(t *testing.T) {
	type pair struct {
		a int8
		b float64
		c [3]complex64
	}
	f := func(x []float32, y []pair, s string, p *[5]uint16, flags []bool, n int) {
		for i := range x {
			x[i]++
		}
		clear(y)
		if p != nil {
			p[0]++
		}
	}
	c, err := newChecker(f, f, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.free()
	c.probe()
	for _, tc := range c.cases() {
		if tc.n > smallLen || tc.id%5 != 0 {
			continue
		}
		first := c.build(c.small[0], tc)
		call(c.want, first.args)
		used := c.small[0].used
		again := c.rebuild(c.small[0], tc)
		c.small[1].spoil()
		anew := c.build(c.small[1], tc)
		for cell := range used {
			if !bytes.Equal(again.mem.cell(cell), anew.mem.cell(cell)) {
				t.Fatalf("%v: cell %d differs", tc, cell)
			}
		}
		e := equality{w: again.mem, g: anew.mem}
		for i := range again.args {
			if msg := e.differ(again.args[i], anew.args[i], 0); msg != "" {
				t.Fatalf("%v: argument %d: %s", tc, i, msg)
			}
		}
	}
}
