package machine

import (
	"slices"
	"testing"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// taken are the conditions of jumps by the flags that a comparison leaves.
var taken = map[string]func(zero, sign, overflow, carry bool) bool{
	"JEQ": func(z, s, o, c bool) bool { return z },
	"JNE": func(z, s, o, c bool) bool { return !z },
	"JLT": func(z, s, o, c bool) bool { return s != o },
	"JGE": func(z, s, o, c bool) bool { return s == o },
	"JLE": func(z, s, o, c bool) bool { return z || s != o },
	"JGT": func(z, s, o, c bool) bool { return !z && s == o },
	"JCS": func(z, s, o, c bool) bool { return c },
	"JCC": func(z, s, o, c bool) bool { return !c },
	"JLS": func(z, s, o, c bool) bool { return c || z },
	"JHI": func(z, s, o, c bool) bool { return !c && !z },
}

// TestOppositeJumps: of a jump and its opposite one is taken, whatever the flags are.
func TestOppositeJumps(t *testing.T) {
	if len(opposite) != len(taken) {
		t.Errorf("%d jumps have opposites, not %d", len(opposite), len(taken))
	}
	for jump, other := range opposite {
		for bits := range 16 {
			z, s, o, c := bits&1 != 0, bits&2 != 0, bits&4 != 0, bits&8 != 0
			if f, g := taken[jump], taken[other]; f == nil || g == nil || f(z, s, o, c) == g(z, s, o, c) {
				t.Errorf("%s is not the opposite of %s", other, jump)
				break
			}
		}
	}
}

// parting is a function with a test and two ways behind it.
func parting() (*Func, []*Block) {
	f := NewFunc("f")
	var bs []*Block
	for range 3 {
		b := f.NewBlock(0)
		f.Place(b)
		bs = append(bs, b)
	}
	bs[0].EmitTest("CMPQ", reg.RAX, reg.RCX)
	bs[0].Jump, bs[0].Then, bs[0].Else = "JLT", bs[1], bs[2]
	return f, bs
}

// TestHoistCommon moves what both ways begin with in front of the test, but not what the
// test depends on, nor stores, which may be to what it reads.
func TestHoistCommon(t *testing.T) {
	for _, c := range []struct {
		name  string
		op    string
		args  []operand.Op
		moves bool
	}{
		{"something else", "MOVQ", []operand.Op{reg.RDX, reg.RSI}, true},
		{"what the test reads", "MOVQ", []operand.Op{reg.RDX, reg.RAX}, false},
		{"a store", "MOVQ", []operand.Op{reg.RDX, operand.Mem{Base: reg.RDI}}, false},
	} {
		f, bs := parting()
		for _, b := range bs[1:] {
			b.Emit(c.op, c.args...)
		}
		f.hoistCommon()
		want := 0
		if c.moves {
			want = 1
		}
		if got := len(bs[0].Insts); got != want || len(bs[1].Insts) != 1-want || len(bs[2].Insts) != 1-want {
			t.Errorf("%s: %d moved, want %d", c.name, got, want)
		}
	}
}

// TestHoistCommonFlags: a comparison stays with what reads its flags.
func TestHoistCommonFlags(t *testing.T) {
	move := MustMake("MOVQ", reg.RDX, reg.RSI)
	compare := MustMake("CMPQ", reg.R8, reg.R9)
	set, other := MustMake("SETEQ", reg.R8B), MustMake("SETEQ", reg.R9B)
	choose := MustMake("CMOVQLT", reg.R8, reg.R9)
	for _, c := range []struct {
		name      string
		then, alt []*Inst
		want      int
	}{
		{"the same readers", []*Inst{move, compare, set}, []*Inst{move, compare, set}, 3},
		{"other readers", []*Inst{move, compare, set}, []*Inst{move, compare, other}, 1},
		{"a reader on one way", []*Inst{compare, set}, []*Inst{compare, move}, 0},
		{"a reader further on", []*Inst{compare, move, choose}, []*Inst{compare, move}, 0},
		{"readers of another comparison", []*Inst{move, compare, set}, []*Inst{move, compare, choose}, 1},
		{"no readers", []*Inst{move, compare, set}, []*Inst{move, move}, 1},
	} {
		f, bs := parting()
		bs[1].Insts, bs[2].Insts = slices.Clone(c.then), slices.Clone(c.alt)
		f.hoistCommon()
		if got := len(bs[0].Insts); got != c.want || len(bs[1].Insts) != len(c.then)-c.want || len(bs[2].Insts) != len(c.alt)-c.want {
			t.Errorf("%s: %d moved, want %d", c.name, got, c.want)
		}
	}
}

// TestZeroUpperStays: upper halves are cleared where the function or a routine that it calls
// writes one.
func TestZeroUpperStays(t *testing.T) {
	for _, c := range []struct {
		name  string
		inst  *Inst
		stays bool
	}{
		{"half a register", MustMake("VPADDB", reg.X0, reg.X1, reg.X2), false},
		{"a whole one", MustMake("VPADDB", reg.Y0, reg.Y1, reg.Y2), true},
		{"a routine with halves", Call("r", &Convention{Writes: []reg.Register{reg.X3}}), false},
		{"a routine with whole ones", Call("r", &Convention{Writes: []reg.Register{reg.Y3}}), true},
	} {
		f := NewFunc("f")
		b := f.NewBlock(0)
		f.Place(b)
		b.Insts = append(b.Insts, c.inst)
		b.Emit("VZEROUPPER")
		f.dropZeroUpper()
		if stays := len(b.Insts) == 2; stays != c.stays {
			t.Errorf("%s: VZEROUPPER stays: %v", c.name, stays)
		}
	}
}

// TestShortZeros: a zero is made by XORL where nobody reads the flags behind it, in
// this block or behind it.
func TestShortZeros(t *testing.T) {
	zero := func(b *Block) { b.Emit("MOVQ", operand.U32(0), reg.R9) }
	for _, c := range []struct {
		name  string
		build func(bs []*Block)
		want  string
	}{
		{"a comparison follows", func(bs []*Block) { zero(bs[0]) }, "XORL"},
		{"the test is empty", func(bs []*Block) { zero(bs[0]); bs[0].Test = nil }, "MOVQ"},
		{"a reader follows", func(bs []*Block) {
			bs[0].Emit("CMPQ", reg.RAX, reg.RCX)
			zero(bs[0])
			bs[0].Emit("SETLT", reg.AL)
		}, "MOVQ"},
		{"a reader in the test", func(bs []*Block) {
			zero(bs[0])
			bs[0].Test = nil
			bs[0].EmitTest("CMOVQLT", reg.RAX, reg.RCX)
			bs[0].EmitTest("CMPQ", reg.RAX, reg.RCX)
		}, "MOVQ"},
		{"the next block compares", func(bs []*Block) {
			before := &Block{Then: bs[0]}
			bs[0].Insts, before.Insts = nil, bs[0].Insts
			zero(before)
			bs[2] = before
		}, "XORL"},
		{"the next block jumps", func(bs []*Block) {
			before := &Block{Then: bs[0]}
			bs[0].Test = nil
			zero(before)
			bs[2] = before
		}, "MOVQ"},
		{"it returns", func(bs []*Block) { zero(bs[1]) }, "XORL"},
	} {
		f, bs := parting()
		c.build(bs)
		f.Blocks = bs
		f.shortenZeros()
		var got string
		for _, b := range f.Blocks {
			for _, i := range b.Insts {
				if ds := i.Defs; len(ds) == 1 && ds[0].ID() == reg.R9.ID() {
					got = i.Opcode
				}
			}
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestZerosKeepOthers: a zero that is stored, and a number that is none, stay.
func TestZerosKeepOthers(t *testing.T) {
	f, bs := parting()
	bs[1].Emit("MOVQ", operand.U32(7), reg.R9)
	bs[1].Emit("MOVQ", operand.U32(0), operand.Mem{Base: reg.RAX})
	f.shortenZeros()
	for _, i := range bs[1].Insts {
		if i.Opcode != "MOVQ" {
			t.Errorf("%s %v instead of MOVQ", i.Opcode, i.Operands)
		}
	}
}
