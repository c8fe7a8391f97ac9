package machine

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// TestLengths has the assembler encode each opcode with operands of all kinds that it
// takes: registers of low and high numbers, all forms of addresses, and immediates
// around the limits of the encodings.
func TestLengths(t *testing.T) {
	insts := everyForm()
	if len(insts) < 50000 {
		t.Errorf("only %d instructions", len(insts))
	}
	compareLengths(t, insts, 0, 8)
	compareLengths(t, slices.DeleteFunc(insts, func(i *Inst) bool { return !usesParam(i) }), 16, 8+16+8)
}

func compareLengths(t *testing.T, insts []*Inst, frame, args int) {
	t.Helper()
	wrong := make(map[string]int)
	for k, want := range assembled(t, insts, frame) {
		i := insts[k]
		if got := i.length(args); got != want {
			if wrong[i.Opcode]++; wrong[i.Opcode] < 5 {
				t.Errorf("%s: length %d, want %d", text(i), got, want)
			}
		}
	}
}

// TestFrame compares functions with frames, of which a parameter is just not in reach
// of a short displacement.
func TestFrame(t *testing.T) {
	for _, frame := range []int{8, 112, 120, 128, 136, 512} {
		f := NewFunc("f")
		f.Frame = frame
		b := f.NewBlock(0)
		b.Emit("MOVQ", operand.NewParamAddr("x", max(0, 112-frame)), reg.RAX)
		f.Place(b)
		want := saveBP + moveSP(frame)
		for _, n := range assembled(t, append(b.Insts, MustMake("RET")), frame) {
			want += n
		}
		if got := f.Bytes(false); got != want {
			t.Errorf("frame of %d: %d bytes, want %d", frame, got, want)
		}
	}
}

func usesParam(i *Inst) bool {
	return slices.ContainsFunc(i.Operands, func(op operand.Op) bool {
		m, ok := op.(operand.Mem)
		return ok && m.Base == reg.FramePointer
	})
}

// everyForm gives instructions of each opcode but the jumps. Of several operands, one
// after the other varies.
func everyForm() (out []*Inst) {
	for _, op := range slices.Sorted(maps.Keys(forms)) {
		if _, err := Make(op, operand.LabelRef("x")); err == nil {
			continue
		}
		seen := make(map[string]bool)
		add := func(args []operand.Op) {
			if i, err := Make(op, args...); err == nil && !seen[text(i)] && !rejected(i) {
				seen[text(i)] = true
				out = append(out, i)
			}
		}
		before := len(out)
		for n := range 5 {
			kinds(n, func(args []operand.Op, of []int) {
				if i, err := build(op, args); err != nil || i == nil {
					return
				}
				if strings.Contains(op, "GATHER") { // of different registers
					args[0] = As(reg.X3, args[0].(reg.Register))
				}
				for k := range args {
					for _, x := range operands[of[k]] {
						other := slices.Clone(args)
						other[k] = x
						add(other)
					}
				}
				if n == 0 {
					add(args)
				}
			})
		}
		if len(out) == before && !onlyEVEX[op] {
			panic("no form of " + op)
		}
	}
	return out
}

// rejected holds for what the assembler does not take: negative immediates where it
// wants a byte, and gathers with a mask in the register of the result. Moves of vector
// registers without VEX are never made.
func rejected(i *Inst) bool {
	if i.Opcode[0] != 'V' && slices.ContainsFunc(i.Operands, isVec) {
		return true
	}
	if strings.Contains(i.Opcode, "GATHER") {
		return i.Operands[0] == i.Operands[2]
	}
	x, ok := i.immediate()
	return ok && x < 0 && (i.Opcode[0] == 'V' || slices.Contains([]string{"ROL", "SAR", "SHL", "SHR"}, i.Opcode[:3]))
}

// onlyEVEX are opcodes in the table of forms that no form of AVX2 has.
var onlyEVEX = map[string]bool{"VCVTPD2PS": true, "VCVTTPD2DQ": true, "VPSRAVQ": true}

// operands are the kinds; the first of each kind stands for it.
var operands = [][]operand.Op{
	{reg.AL, reg.CL, reg.SIB, reg.R9B},
	{reg.AX, reg.DX, reg.SI, reg.R9W},
	{reg.EAX, reg.EDX, reg.ESI, reg.R9L},
	{reg.RAX, reg.RCX, reg.RSI, reg.R9},
	{reg.X1, reg.X7, reg.X8, reg.X15},
	{reg.Y1, reg.Y7, reg.Y8, reg.Y15},
	{reg.CL},
	numbers(0, 1, 2, 100, 127, -1, -128, 128, 255, -129, 1<<15, 1<<31-1, 1<<31, 1<<32-1, -1<<31, 1<<32, -1<<31-1),
	numbers(1<<31-1, -1, 1<<31, 1<<32-1),
	addresses(nil, reg.RAX, reg.R9, reg.R12),
	addresses(reg.X2, reg.X9),
	addresses(reg.Y2, reg.Y9),
}

func numbers(xs ...int64) (out []operand.Op) {
	for _, x := range xs {
		out = append(out, Imm(x))
	}
	return out
}

// addresses are all combinations of base, displacement and one of the indices.
func addresses(indices ...reg.Register) (out []operand.Op) {
	bases := []reg.Register{reg.RAX, reg.RBX, reg.RSP, reg.RBP, reg.R8, reg.R12, reg.R13, reg.StackPointer}
	for _, index := range indices {
		for _, disp := range []int{0, 1, 127, 128, -128, -129} {
			for _, base := range bases {
				out = append(out, operand.Mem{Base: base, Disp: disp, Index: index, Scale: 4})
			}
		}
		if index != nil {
			out = append(out, operand.Mem{Disp: 8, Index: index, Scale: 4})
		}
	}
	if indices[0] != nil {
		return out
	}
	for _, offset := range []int{0, 96, 103, 112, 119, 120, 200} {
		out = append(out, operand.NewParamAddr("x", offset))
	}
	return append(out, operand.NewDataAddr(operand.NewStaticSymbol("pool"), 32))
}

// kinds calls f with each choice of kinds for n operands. Only instructions of vectors
// have four, of which one may be memory.
func kinds(n int, f func(args []operand.Op, of []int)) {
	args, of := make([]operand.Op, n), make([]int, n)
	var choose func(k int)
	choose = func(k int) {
		if k == n {
			f(args, of)
			return
		}
		for kind, list := range operands {
			if n == 4 && k != 1 && !isVec(list[0]) && !isNumber(list[0]) {
				continue
			}
			args[k], of[k] = list[0], kind
			choose(k + 1)
		}
	}
	choose(0)
}

func isNumber(op operand.Op) bool {
	_, ok := constant(op)
	return ok
}

// assembled gives the lengths that the assembler makes of instructions in a function
// with a frame.
func assembled(t *testing.T, insts []*Inst, frame int) []int {
	t.Helper()
	var b bytes.Buffer
	fmt.Fprintf(&b, "TEXT ·f(SB), 4, $%d-208\n", frame)
	for _, i := range insts {
		b.WriteString("\t" + i.Opcode)
		for k, op := range i.Operands {
			b.WriteString([]string{" ", ", "}[min(k, 1)] + op.Asm())
		}
		b.WriteByte('\n')
	}
	b.WriteString("\tRET\n")
	file := filepath.Join(t.TempDir(), "f.s")
	if err := os.WriteFile(file, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "tool", "asm", "-p", "p", "-S", "-o", file+".o", file)
	cmd.Env = append(os.Environ(), "GOARCH=amd64")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%.2000s", err, out)
	}
	return lengths(t, string(out), len(insts))
}

// place and line of an instruction in the assembler's listing
var listed = regexp.MustCompile(`(?m)^\t0x[0-9a-f]+ ([0-9]+) \(.*:([0-9]+)\)\t(\S+)`)

// lengths reads the listing of a function whose instructions are on line 2 and on.
func lengths(t *testing.T, listing string, n int) []int {
	t.Helper()
	at := make(map[int]int) // first place by line
	for _, m := range listed.FindAllStringSubmatch(listing, -1) {
		pc, _ := strconv.Atoi(m[1])
		line, _ := strconv.Atoi(m[2])
		if _, ok := at[line]; !ok {
			at[line] = pc
		}
	}
	out := make([]int, n)
	for k := range out {
		from, ok1 := at[k+2]
		to, ok2 := at[k+3]
		if !ok1 || !ok2 {
			t.Fatalf("no instruction for line %d in the listing\n%.2000s", k+2, listing)
		}
		out[k] = to - from
	}
	return out
}

// TestPlace has jumps to targets that they just reach, and just do not reach.
func TestPlace(t *testing.T) {
	for _, c := range []struct {
		name          string
		items         []item
		size, padding int
	}{
		{"back 128", []item{{length: 126}, {to: 0, far: farCond}}, 128, 0},
		{"back 129", []item{{length: 127}, {to: 0, far: farCond}}, 133, 0},
		{"forth 127", []item{{to: 2, far: farJump}, {length: 127}, {}}, 129, 0},
		{"forth 128", []item{{to: 2, far: farJump}, {length: 128}, {}}, 133, 0},
		{"over padding", []item{{to: 2, far: farCond}, {length: 1}, {align: 32, length: 8}}, 40, 29},
		{"padding shrinks", []item{{to: 3, far: farCond}, {length: 1}, {align: 32, length: 200}, {}}, 232, 25},
		{"far makes far", []item{{to: 4, far: farJump}, {to: 6, far: farJump}, {length: 120}, {length: 4}, {}, {length: 4}, {}}, 138, 0},
	} {
		if size, padding := place(c.items); size != c.size || padding != c.padding {
			t.Errorf("%s: %d bytes, %d of them padding; want %d and %d", c.name, size, padding, c.size, c.padding)
		}
	}
}
