package regalloc

import (
	"strings"
	"testing"

	"github.com/lanewise/lanewise/backend/machine"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

var (
	twoLow  = []reg.Physical{reg.Y0, reg.Y1}
	twoHigh = []reg.Physical{reg.Y16, reg.Y17}
	address = operand.Mem{Base: reg.RDI}
)

// loaded is a function with n vector registers that are loaded from memory.
func loaded(n int) (f *machine.Func, b *machine.Block, v []reg.Register) {
	f = machine.NewFunc("f")
	b = f.NewBlock(0)
	f.Place(b)
	for k := range n {
		v = append(v, f.Vec(32).AsY())
		b.Emit("VMOVUPS", address.Offset(32*k), v[k])
	}
	return f, b, v
}

func allocate(t *testing.T, f *machine.Func) {
	t.Helper()
	if err := Run(f, Files{GP: []reg.Physical{reg.RAX}, Vec: twoLow, High: twoHigh}); err != nil {
		t.Fatal(err)
	}
}

// TestHighRegisters has four values in two low and two high registers. Those of a comparison,
// which has no EVEX encoding, are low ones, and so is what is a copy of them; logic with high
// registers has its other name.
func TestHighRegisters(t *testing.T) {
	f, b, v := loaded(4)
	b.Emit("VPXOR", v[3], v[2], v[3])
	b.Emit("VPCMPEQD", v[0], v[1], v[1])
	b.Emit("VMOVAPS", v[1], v[0])
	for k := range 4 {
		b.Emit("VMOVUPS", v[k], address.Offset(32*k))
	}
	allocate(t, f)
	got := text(b)
	if strings.Contains(got, "SP") {
		t.Errorf("spilled:\n%s", got)
	}
	for _, want := range []string{"VPCMPEQD Y1, Y0, Y0", "VMOVAPS Y0, Y1", "VPXORD Y16, Y17, Y16"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}

// TestHighRegistersSpilled has six values, of which three are compared: whatever is in memory or
// comes back from there, comparisons read low registers.
func TestHighRegistersSpilled(t *testing.T) {
	f, b, v := loaded(6)
	for k := range 3 {
		b.Emit("VPADDD", v[k], v[k+3], v[k+3])
	}
	for k := range 3 {
		b.Emit("VPCMPEQD", v[k], v[(k+1)%3], v[k])
	}
	for k := range 6 {
		b.Emit("VMOVUPS", v[k], address.Offset(32*k))
	}
	allocate(t, f)
	lawful(t, b)
}

// TestHighRegistersJoined compares a copy: the register that the two ends become is a low one.
func TestHighRegistersJoined(t *testing.T) {
	f, b, v := loaded(4)
	c := f.Vec(32).AsY()
	b.Emit("VMOVAPS", v[3], c)
	b.Emit("VPCMPEQD", c, v[0], v[0])
	for k := range 3 {
		b.Emit("VMOVUPS", v[k], address.Offset(32*k))
	}
	allocate(t, f)
	lawful(t, b)
}

// TestHighRegistersForwarded reads a slot from the register that holds it if the instruction
// knows it.
func TestHighRegistersForwarded(t *testing.T) {
	slot := operand.NewStackAddr(0)
	for op, want := range map[string]bool{"VPADDD": true, "VPCMPEQD": false} {
		i := machine.MustMake(op, slot, reg.Y1, reg.Y2)
		if got := withRegister(i, 0, reg.Y17) != nil; got != want {
			t.Errorf("%s with a high register: %v", op, got)
		}
		if withRegister(i, 0, reg.Y7) == nil {
			t.Errorf("%s without a register", op)
		}
	}
}

// lawful holds instructions against the registers that they know.
func lawful(t *testing.T, b *machine.Block) {
	t.Helper()
	for _, i := range b.Insts {
		for _, op := range i.Operands {
			if r, ok := op.(reg.Register); ok && machine.IsHigh(r) && !i.AllowsHigh() {
				t.Errorf("%s: %s", i.Opcode, r.Asm())
			}
		}
	}
}

// TestNoHighRegisters leaves them alone where the others suffice.
func TestNoHighRegisters(t *testing.T) {
	f, b, v := loaded(2)
	b.Emit("VPADDD", v[0], v[1], v[1])
	b.Emit("VMOVUPS", v[1], address)
	allocate(t, f)
	for _, r := range []string{"Y16", "Y17"} {
		if got := text(b); strings.Contains(got, r) {
			t.Errorf("%s in\n%s", r, got)
		}
	}
}

// TestMoveHigh colors a value that needs a low register when others, which do not, have them all.
func TestMoveHigh(t *testing.T) {
	f, _, v := loaded(4)
	g := newGraph(f, newLiveness(f))
	n := func(k int) node { return nodeOf(v[k]) }
	for k := range 3 {
		g.connect(n(k), n(3))
		g.colors[n(k)] = int8(k)
	}
	g.low[n(3)] = true
	g.colors[n(3)] = -1
	files := files{{nil, 0}, {append(append([]reg.Physical{}, twoLow...), twoHigh...), 2}}
	if spilled := g.selectColor(n(3), files); len(spilled) > 0 {
		t.Fatalf("%d values are spilled", len(spilled))
	}
	c := g.colors[n(3)]
	for k := range 3 {
		if o := g.colors[n(k)]; c >= 2 || o == c {
			t.Errorf("color %d beside color %d", c, o)
		}
	}
}
