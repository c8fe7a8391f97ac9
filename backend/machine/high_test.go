package machine

import (
	"slices"
	"strings"
	"testing"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// TestHighRegisters has the assembler encode every instruction that is said to have EVEX
// encoding, with registers that have no other.
func TestHighRegisters(t *testing.T) {
	var insts []*Inst
	seen := make(map[string]bool)
	for _, i := range everyForm() {
		if !slices.ContainsFunc(i.Operands, isVec) || !i.AllowsHigh() {
			continue
		}
		h := nameHigh(i.Rename(func(r reg.Register) reg.Register {
			if r.Kind() == reg.KindVector {
				return reg.Y20
			}
			return r
		}))
		if text := text(h); !seen[text] {
			seen[text] = true
			insts = append(insts, h)
		}
		for _, isa := range h.ISA {
			if strings.HasPrefix(isa, "AVX512") && !slices.Contains([]string{"AVX512F", "AVX512VL", "AVX512BW", "AVX512DQ"}, isa) {
				t.Errorf("%s needs %s", text(h), isa)
			}
		}
	}
	if len(insts) < 1000 {
		t.Errorf("only %d instructions", len(insts))
	}
	assembled(t, insts, 0)
}

// TestAllowsHigh knows the instructions without EVEX encoding.
func TestAllowsHigh(t *testing.T) {
	m := operand.Mem{Base: reg.RAX}
	for _, tt := range []struct {
		inst *Inst
		want bool
	}{
		{MustMake("VADDPS", reg.Y1, reg.Y2, reg.Y3), true},
		{MustMake("VADDPS", m, reg.Y2, reg.Y3), true},
		{MustMake("VADDPS", reg.Z1, reg.Z2, reg.Z3), true},
		{MustMake("VMOVUPS", reg.Y1, m), true},
		{MustMake("VPAND", reg.Y1, reg.Y2, reg.Y3), true},
		{MustMake("VCMPPS", operand.U8(1), reg.Y1, reg.Y2, reg.Y3), false},
		{MustMake("VPCMPEQD", reg.Y1, reg.Y2, reg.Y3), false},
		{MustMake("VBLENDVPS", reg.Y1, reg.Y2, reg.Y3, reg.Y4), false},
		{MustMake("VPBLENDD", operand.U8(1), reg.Y2, reg.Y3, reg.Y4), false},
		{MustMake("VPMOVMSKB", reg.Y1, reg.EAX), false},
		{MustMake("VGATHERDPS", reg.Y1, operand.Mem{Base: reg.RAX, Index: reg.Y2, Scale: 4}, reg.Y3), false},
		{MustMake("VPMASKMOVD", m, reg.Y1, reg.Y2), false},
	} {
		if got := tt.inst.AllowsHigh(); got != tt.want {
			t.Errorf("%s: %v", text(tt.inst), got)
		}
	}
}

// TestNameHigh renames logic for high registers only.
func TestNameHigh(t *testing.T) {
	for _, tt := range []struct {
		inst *Inst
		want string
	}{
		{MustMake("VPAND", reg.Y1, reg.Y2, reg.Y3), "VPAND Y1 Y2 Y3"},
		{MustMake("VPAND", reg.Y1, reg.Y20, reg.Y3), "VPANDD Y1 Y20 Y3"},
		{MustMake("VROUNDPD", operand.U8(1), reg.Y1, reg.Y31), "VRNDSCALEPD $0x01 Y1 Y31"},
		{MustMake("VADDPS", reg.Y1, reg.Y20, reg.Y3), "VADDPS Y1 Y20 Y3"},
	} {
		if got := text(nameHigh(tt.inst)); got != tt.want {
			t.Errorf("%s, want %s", got, tt.want)
		}
	}
}
