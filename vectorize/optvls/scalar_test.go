package optvls

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// A statement of a straight-line program: a load of some bytes into a variable, a
// store of one, or a fence that no access moves across.
type statement struct {
	store, fence bool
	off, size    int
	variable     int
}

func (s statement) String() string {
	switch {
	case s.fence:
		return "fence"
	case s.store:
		return fmt.Sprintf("mem[%d:%d] = v%d", s.off, s.off+s.size, s.variable)
	}
	return fmt.Sprintf("v%d = mem[%d:%d]", s.variable, s.off, s.off+s.size)
}

// scalarRef is an access of a straight-line program as a memref: one lane, and so any
// stride will do.
type scalarRef struct {
	program []statement
	at      int
}

func (r *scalarRef) is() statement            { return r.program[r.at] }
func (r *scalarRef) Access() Access           { return Access{Store: r.is().store} }
func (r *scalarRef) Type() Type               { return Type{r.is().size * 8, 1} }
func (r *scalarRef) SameElements(Memref) bool { return true }
func (r *scalarRef) Stride() (int64, bool)    { return 0, true }
func (r *scalarRef) Distance(from Memref) (int64, bool) {
	return int64(r.is().off - from.(*scalarRef).is().off), true
}

// CanMoveTo looks for a fence or a conflict in between.
func (r *scalarRef) CanMoveTo(to Memref) bool {
	end := to.(*scalarRef).at
	for _, s := range r.program[min(r.at, end):max(r.at, end)] {
		if s.fence || s != r.is() && conflict(s, r.is()) {
			return false
		}
	}
	return true
}

func conflict(a, b statement) bool {
	return (a.store || b.store) && a.off < b.off+b.size && b.off < a.off+a.size
}

// crossing says whether two accesses that conflict change their order when both
// groups are made at their places. Each of them may move alone, so CanMoveTo does not
// see it:
//
//	mem[0] = a      mem[0], mem[1] move down to here:     v, w = mem[-1], mem[0]
//	v = mem[-1]     mem[-1], mem[0] move up to here:      mem[0], mem[1] = a, b
//	mem[1] = b
//	w = mem[0]
func crossing(g, h *Group) bool {
	for _, x := range g.Members {
		for _, y := range h.Members {
			a, b := x.Ref.(*scalarRef), y.Ref.(*scalarRef)
			before := a.at < b.at
			after := g.Place.(*scalarRef).at < h.Place.(*scalarRef).at
			if before != after && conflict(a.is(), b.is()) {
				return true
			}
		}
	}
	return false
}

// groupScalars is the client: it groups the accesses, makes single accesses of groups
// that cross others, and gives code for groups of several.
func groupScalars(t *testing.T, program []statement, vector int) map[int]groupCode {
	var refs []Memref
	for i, s := range program {
		if !s.fence {
			refs = append(refs, &scalarRef{program, i})
		}
	}
	groups, of := Groups(refs, vector, Options{})
	if len(of) != len(refs) {
		t.Fatalf("%d of %d accesses have a group", len(of), len(refs))
	}
	for i := 0; i < len(groups); i++ {
		if g := groups[i]; len(g.Members) > 1 && slices.ContainsFunc(groups, func(h *Group) bool { return crossing(g, h) }) {
			groups = slices.Delete(groups, i, i+1)
			for _, m := range g.Members {
				one, _ := Groups([]Memref{m.Ref}, vector, Options{})
				groups = append(groups, one...)
			}
			i = -1
		}
	}
	codes := make(map[int]groupCode)
	for _, g := range groups {
		code, ok := Sequence(g, unitCosts{})
		if !ok {
			t.Fatalf("no sequence for %s", g)
		}
		codes[g.Place.(*scalarRef).at] = groupCode{g, code}
	}
	return codes
}

type groupCode struct {
	group *Group
	code  *Code
}

// run executes the code on memory and variables.
func (c groupCode) run(mem []byte, vars [][]byte) {
	at := func(i int) statement { return c.group.Members[i].Ref.(*scalarRef).is() }
	base := at(0).off
	vals := make([][]byte, len(c.code.Insts))
	for i, in := range c.code.Insts {
		n := in.Type.Bytes()
		switch in.Op {
		case Value:
			vals[i] = vars[at(in.Member).variable][:n]
		case Load:
			vals[i] = bytes.Clone(mem[base+int(in.Offset):][:n])
		case Store:
			copy(mem[base+int(in.Offset):][:n], vals[in.Args[0]])
		case Shuffle:
			size := in.Type.Bits / 8
			var from []byte
			for _, a := range in.Args {
				from = append(from, vals[a]...)
			}
			vals[i] = bytes.Repeat([]byte{0xA5}, n)
			for k, l := range in.Lanes {
				if l >= 0 {
					copy(vals[i][k*size:(k+1)*size], from[l*size:])
				}
			}
		}
	}
	for i, r := range c.code.Results {
		vars[at(i).variable] = vals[r]
	}
}

// TestScalarClient groups the accesses of random straight-line programs and runs
// both.
func TestScalarClient(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	grouped, cases := 0, 4000
	for range cases {
		program := randomProgram(r)
		want, wantVars := start()
		for _, s := range program {
			s.run(want, wantVars)
		}
		got, gotVars := start()
		codes := groupScalars(t, program, 16)
		for i := range program {
			if c, ok := codes[i]; ok {
				c.run(got, gotVars)
				if len(c.group.Members) > 1 {
					grouped++
				}
			}
		}
		if !bytes.Equal(got, want) || !slices.EqualFunc(gotVars, wantVars, bytes.Equal) {
			t.Fatalf("different memory or variables:\n%v\n%v\n%v\n%v", program, got, want, codes)
		}
	}
	if grouped < cases/2 {
		t.Errorf("only %d groups", grouped)
	}
}

func (s statement) run(mem []byte, vars [][]byte) {
	switch {
	case s.fence:
	case s.store:
		copy(mem[s.off:s.off+s.size], vars[s.variable])
	default:
		vars[s.variable] = bytes.Clone(mem[s.off : s.off+s.size])
	}
}

const memory, stored = 48, 8

// start is memory and variables, of which the first are for stores.
func start() ([]byte, [][]byte) {
	mem := make([]byte, memory)
	for i := range mem {
		mem[i] = byte(i)
	}
	vars := make([][]byte, stored)
	for v := range vars {
		vars[v] = bytes.Repeat([]byte{byte(100 + v)}, 8)
	}
	return mem, append(vars, make([][]byte, 32)...)
}

func randomProgram(r *rand.Rand) []statement {
	size := 1 << r.IntN(4)
	var p []statement
	for i := range 4 + r.IntN(10) {
		s := statement{store: r.IntN(3) == 0, size: size, off: r.IntN(4+r.IntN(memory/size-4)) * size, variable: stored + i}
		s.fence = r.IntN(16) == 0
		if s.store {
			s.variable = r.IntN(stored)
		}
		p = append(p, s)
	}
	return p
}

// TestCrossingIsSeen is the case that crossing draws.
func TestCrossingIsSeen(t *testing.T) {
	program := []statement{
		{store: true, off: 4, size: 4, variable: 0},
		{off: 0, size: 4, variable: 8},
		{store: true, off: 8, size: 4, variable: 1},
		{off: 4, size: 4, variable: 9},
	}
	var refs []Memref
	for i := range program {
		refs = append(refs, &scalarRef{program, i})
	}
	groups, _ := Groups(refs, 16, Options{})
	if len(groups) != 2 || !crossing(groups[0], groups[1]) {
		t.Errorf("%v do not cross", groups)
	}
	if codes := groupScalars(t, program, 16); len(codes) != 3 {
		t.Errorf("%d groups are left", len(codes))
	}
}
