package passcheck

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/vectorize/vectest"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/interp"
	"github.com/lanewise/lanewise/vir/plan"
)

// A move is a loop that only moves elements: to places of a group of out, from places of one
// of in.
type move struct {
	elem     vir.Elem
	to, from int   // elements from one iteration to the next
	stores   []int // places in a group of out
	loads    []int // where they come from in a group of in
	down     bool  // the loop counts down
}

func (m move) String() string {
	return fmt.Sprintf("out %s by %d at %v, in by %d at %v, down %t", m.elem, m.to, m.stores, m.from, m.loads, m.down)
}

// text is the region.
func (m move) text() string {
	var sb strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&sb, format+"\n", args...) }
	size := m.elem.Size()
	line("func @move(%%out ptr {elem %d, len %%out_len}, %%out_len i64, %%in ptr {elem %d, len %%in_len, immutable}, %%in_len i64, %%n i64, %%i0 i64) (i64) {", size, size)
	line("entry:\n\tjmp header\nheader:\n\t%%i = phi i64 [%%i0, entry], [%%i1, latch]")
	if m.down {
		line("\t%%zero = const i64 0\n\t%%c = icmp.sle bool %%zero, %%i")
	} else {
		line("\t%%c = icmp.slt bool %%i, %%n")
	}
	line("\tbr %%c, body, exit\nbody:\n\titer\n\t%%f = const i64 %d\n\t%%t = const i64 %d\n\t%%at = mul i64 %%i, %%f\n\t%%to = mul i64 %%i, %%t", m.from, m.to)
	index := func(name, base string, k int) {
		line("\t%%%sk = const i64 %d\n\t%%%s = add i64 %%%s, %%%[1]sk", name, k, name, base)
	}
	for i, k := range m.loads {
		index(fmt.Sprintf("l%d", i), "at", k)
		line("\tcheck.index %%l%d, %%in_len\n\t%%v%d = load %s [%%in + %%l%d*%d]", i, i, m.elem, i, size)
	}
	for i, k := range m.stores {
		index(fmt.Sprintf("s%d", i), "to", k)
		line("\tcheck.index %%s%d, %%out_len\n\tstore %s %%v%d, [%%out + %%s%d*%d]", i, m.elem, i, i, size)
	}
	step := 1
	if m.down {
		step = -1
	}
	line("\tjmp latch\nlatch:\n\t%%one = const i64 %d\n\t%%i1 = add i64 %%i, %%one\n\tjmp header\nexit:\n\tret %%i\n}", step)
	return sb.String()
}

// input has so many iterations, and bytes that are digit of the number of their element: all
// digits together name it.
func (m move) input(n, digit int) vectest.Input {
	mem := &interp.Memory{}
	size := m.elem.Size()
	data := func(elems int, tag uint64) []byte {
		var b []byte
		for k := range elems {
			name := (uint64(k) >> (7 * digit)) & 0x7f
			b = binary.LittleEndian.AppendUint64(b, (name|tag)*0x0101_0101_0101_0101)[:len(b)+size]
		}
		return b
	}
	// What is behind the last place is not there: a load of a whole group would be a fault.
	outs, ins := reach(n, m.to, m.stores), reach(n, m.from, m.loads)
	out, in := mem.Alloc("out0", data(outs, 0x80)), mem.Alloc("in2", data(ins, 0))
	first := 0
	if m.down {
		first = n - 1
	}
	return vectest.Input{Mem: mem, Args: []interp.Value{out.Ptr(0), interp.Int(int64(outs)), in.Ptr(0), interp.Int(int64(ins)), interp.Int(int64(n)), interp.Int(int64(first))}}
}

// reach is the number of elements that n iterations need.
func reach(n, by int, places []int) int {
	most := 0
	for _, k := range places {
		most = max(most, (n-1)*by+k+1)
	}
	return most
}

// randomMove is one of the shapes that groups have: whole groups and such with gaps, in order
// and out of order, places twice.
func randomMove(rnd *rand.Rand) move {
	m := move{elem: []vir.Elem{vir.I8, vir.I16, vir.I32, vir.I64}[rnd.IntN(4)], to: 1 + rnd.IntN(8), from: 1 + rnd.IntN(8), down: rnd.IntN(5) == 0}
	if rnd.IntN(3) == 0 {
		m.to = 1
	} else if rnd.IntN(3) == 0 {
		m.from = m.to
	}
	whole := rnd.IntN(2) == 0
	for _, k := range rnd.Perm(m.to) {
		if whole || rnd.IntN(3) > 0 || len(m.stores) == 0 {
			m.stores = append(m.stores, k)
			m.loads = append(m.loads, rnd.IntN(m.from))
		}
	}
	if order := rnd.Perm(m.from); m.from >= len(m.stores) && rnd.IntN(2) == 0 {
		copy(m.loads, order)
	}
	return m
}

// TestMoves follows every element through loops that do nothing but move them, behind each pass
// from the plan of a group to the kernel without shuffles that are not needed. Longer:
// go test ./internal/passcheck -run Moves -v -seed 7 -n 2000 -timeout 0
func TestMoves(t *testing.T) {
	shuffles, moves := 0, 0
	c := newChecker(t)
	for i := 0; i < *number && c.Errors < most; i++ {
		m := randomMove(rand.New(rand.NewPCG(*seed, uint64(i))))
		r, err := vectest.Region(m.text(), plan.Clauses{Force: true})
		if err != nil {
			t.Fatalf("%v\n%s", err, m.text())
		}
		r.State[0].Init = nil
		c.Inputs = 4
		c.Input = func(_ *plan.Region, n, size int) vectest.Input {
			most := min(size, 100)
			return m.input(max(1, most-n/2*7), n%2)
		}
		for _, k := range c.Region(m.String(), r) {
			moves++
			for v := range k.Fn.Values {
				if v.Op == vir.OpShuffle {
					shuffles++
				}
			}
		}
	}
	t.Logf("%d loops, %d kernels, %d shuffles\n%s", *number, moves, shuffles, c.Table())
	if shuffles < 10**number || c.Stats["loops/loopvec"].Vector == 0 {
		t.Error("too few shuffles")
	}
}
