package machine

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// TestEVEXApart makes forms with EVEX encoding only where they are asked for.
func TestEVEXApart(t *testing.T) {
	m := operand.Mem{Base: reg.RAX}
	for _, tt := range []struct {
		op   string
		args []operand.Op
		evex bool
	}{
		{"VPMULLQ", []operand.Op{reg.Y1, reg.Y2, reg.Y3}, true},
		{"VMOVUPS", []operand.Op{reg.Y1, reg.K1, m}, true},
		{"VMOVUPS.Z", []operand.Op{m, reg.K1, reg.Y1}, true},
		{"VADDPS", []operand.Op{reg.Y1, reg.Y2, reg.K1, reg.Y3}, true},
		{"KMOVD", []operand.Op{reg.ECX, reg.K1}, true},
		{"VMOVUPS", []operand.Op{reg.Y1, m}, false},
		{"VADDPS", []operand.Op{reg.Y1, reg.Y2, reg.Y3}, false},
		{"BZHIQ", []operand.Op{reg.RCX, reg.RDX, reg.RBX}, false},
	} {
		_, plain := Make(tt.op, tt.args...)
		i, evex := MakeEVEX(tt.op, tt.args...)
		if (plain == nil) == tt.evex || (evex == nil) != tt.evex {
			t.Errorf("%s%s: Make says %v, MakeEVEX %v", tt.op, asm(tt.args), plain, evex)
		}
		if evex == nil && !i.IsEVEX() {
			t.Errorf("%s: no instruction of AVX-512", text(i))
		}
	}
	if _, err := MakeEVEX("VNOTHING", reg.Y1); err == nil {
		t.Error("an unknown opcode is made")
	}
}

// TestMaskRegistersStay keeps mask registers out of what is allocated and renamed, and has
// instructions under a mask read what they leave.
func TestMaskRegistersStay(t *testing.T) {
	i, err := MakeEVEX("VADDPS", reg.Y1, reg.Y2, reg.K1, reg.Y3)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(i.Uses, func(r reg.Register) bool { return r == reg.Y3 }) {
		t.Errorf("%s does not read its result: %v", text(i), i.Uses)
	}
	if slices.ContainsFunc(append(i.Uses, i.Defs...), func(r reg.Register) bool { return r.Kind() == reg.KindOpmask }) {
		t.Errorf("%s: mask registers among %v and %v", text(i), i.Uses, i.Defs)
	}
	renamed := i.Rename(func(r reg.Register) reg.Register { return reg.Y9 })
	if got, want := text(renamed), "VADDPS Y9 Y9 K1 Y9"; got != want {
		t.Errorf("renamed: %s, want %s", got, want)
	}
}

// TestEVEXOpcodes has the assembler read a form of each opcode.
func TestEVEXOpcodes(t *testing.T) {
	var lines []string
	for _, op := range slices.Sorted(maps.Keys(evexForms)) {
		line := ""
		for n := 1; n <= 4 && line == ""; n++ {
			each(n, nil, func(args []operand.Op) {
				if i, err := MakeEVEX(op, args...); err == nil && line == "" {
					line = op + " " + strings.ReplaceAll(text(i)[len(op)+1:], " ", ", ")
				}
			})
		}
		if line == "" {
			t.Errorf("no form of %s", op)
		}
		lines = append(lines, line)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "a_amd64.s")
	code := "TEXT ·f(SB), 4, $0\n\t" + strings.Join(lines, "\n\t") + "\n\tRET\n"
	if err := os.WriteFile(file, []byte(code), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "tool", "asm", "-p", "a", "-o", filepath.Join(dir, "a.o"), file)
	cmd.Env = append(os.Environ(), "GOARCH=amd64")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s\n%s", err, out, code)
	}
}

// each gives f all ways to choose n operands behind args.
func each(n int, args []operand.Op, f func([]operand.Op)) {
	if n == 0 {
		f(args)
		return
	}
	for _, op := range []operand.Op{reg.Z1, reg.Y1, reg.X1, reg.K1, reg.ECX, operand.Mem{Base: reg.RAX}, operand.U8(1)} {
		each(n-1, append(slices.Clip(args), op), f)
	}
}

// TestDispatch puts the code of several levels behind tests of the level.
func TestDispatch(t *testing.T) {
	make := func(op string, frame int) *Func {
		f := NewFunc("f")
		b, end := f.NewBlock(0), f.NewBlock(0)
		b.Label, end.Label = "entry", "end"
		b.Emit(op, reg.RAX, reg.RCX)
		b.Then, f.Frame = end, frame
		f.Place(b)
		f.Place(end)
		return f
	}
	const add, sub, xor = "ADDQ RAX RCX; RET", "entry_zmm:; SUBQ RAX RCX; RET", "entry_512:; XORQ RAX RCX; RET"
	const fast, all = "CMPB " + variables + "Fast512+0(SB) $0x00; JNE entry_zmm", "CMPB " + variables + "AVX512+0(SB) $0x00; JNE entry_512"
	for _, tt := range []struct {
		versions []Version
		want     []string
		frame    int
	}{
		{nil, []string{add}, 8},
		{[]Version{For512(make("XORQ", 24))}, []string{all, add, xor}, 24},
		{[]Version{ForFast512(make("SUBQ", 16))}, []string{fast, add, sub}, 16},
		{[]Version{ForFast512(make("SUBQ", 32)), For512(make("XORQ", 0))}, []string{fast, all, add, sub, xor}, 32},
	} {
		f := make("ADDQ", 8)
		f.Dispatch(tt.versions...)
		var lines []string
		for _, n := range f.Linear() {
			if n.Inst == nil {
				lines = append(lines, n.Label+":")
			} else {
				lines = append(lines, text(n.Inst))
			}
		}
		got := strings.Join(lines, "; ")
		got = strings.ReplaceAll(strings.ReplaceAll(got, " AX", " RAX"), " CX", " RCX")
		if want := strings.Join(tt.want, "; "); got != want || f.Frame != tt.frame {
			t.Errorf("%s, frame of %d bytes\nwant %s, %d bytes", got, f.Frame, want, tt.frame)
		}
	}
}

// TestDropTests leaves out what a mask has told already.
func TestDropTests(t *testing.T) {
	for _, tt := range []struct {
		name    string
		insts   []*Inst
		test    *Inst
		jump    string
		dropped bool
	}{
		{"mask", []*Inst{MustMake("ANDQ", operand.U8(7), reg.RCX)}, MustMake("CMPQ", reg.RCX, operand.U8(0)), "JEQ", true},
		{"mask of 32 bits", []*Inst{MustMake("ANDL", operand.U32(7), reg.ECX)}, MustMake("TESTL", reg.ECX, reg.ECX), "JNE", true},
		{"of more bits", []*Inst{MustMake("ANDL", operand.U32(7), reg.ECX)}, MustMake("CMPQ", reg.RCX, operand.U8(0)), "JNE", false},
		{"of others", []*Inst{MustMake("ANDL", operand.U32(7), reg.ECX)}, MustMake("TESTL", reg.EDX, reg.ECX), "JNE", false},
		{"of another register", []*Inst{MustMake("ANDQ", operand.U8(7), reg.RDX)}, MustMake("CMPQ", reg.RCX, operand.U8(0)), "JEQ", false},
		{"with another number", []*Inst{MustMake("ANDQ", operand.U8(7), reg.RCX)}, MustMake("CMPQ", reg.RCX, operand.U8(1)), "JEQ", false},
		{"by order", []*Inst{MustMake("ANDQ", operand.U8(7), reg.RCX)}, MustMake("CMPQ", reg.RCX, operand.U8(0)), "JHI", false},
		{"sum", []*Inst{MustMake("ADDQ", operand.U8(7), reg.RCX)}, MustMake("CMPQ", reg.RCX, operand.U8(0)), "JEQ", false},
		{"behind it a copy", []*Inst{MustMake("ANDQ", operand.U8(7), reg.RCX), MustMake("MOVQ", reg.RAX, reg.RDX)}, MustMake("CMPQ", reg.RCX, operand.U8(0)), "JEQ", true},
		{"behind it a sum", []*Inst{MustMake("ANDQ", operand.U8(7), reg.RCX), MustMake("ADDQ", reg.RAX, reg.RDX)}, MustMake("CMPQ", reg.RCX, operand.U8(0)), "JEQ", false},
		{"not last", []*Inst{MustMake("ANDQ", operand.U8(7), reg.RCX), MustMake("MOVQ", reg.RAX, reg.RCX)}, MustMake("CMPQ", reg.RCX, operand.U8(0)), "JEQ", false},
	} {
		f := NewFunc("f")
		b, end := f.NewBlock(0), f.NewBlock(0)
		b.Insts, b.Test, b.Jump, b.Then, b.Else = tt.insts, []*Inst{tt.test}, tt.jump, end, end
		f.Place(b)
		f.Place(end)
		if f.dropTests(); (b.Test == nil) != tt.dropped {
			t.Errorf("%s: tests %v", tt.name, b.Test)
		}
	}
}
