package machine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
	"github.com/mmcloughlin/avo/x86"
)

// Instructions of AVX-512 have EVEX encoding: those of evexForms have no other, others
// have it with a mask register. Their names have a Z behind a dot where inactive lanes
// become zeros instead of staying.
//
// Mask registers are not allocated. Who wants one writes it in the block of what reads it,
// and calls do not keep them.

// MakeEVEX is Make for forms that only exist with EVEX encoding.
func MakeEVEX(op string, args ...operand.Op) (*Inst, error) {
	f, ok := evexForms[op]
	if !ok {
		f = forms[op]
	}
	i, err := call(f, op, args)
	if err != nil {
		return nil, fmt.Errorf("%s%s: %w", op, asm(args), err)
	}
	in := describe(i)
	if !in.IsEVEX() {
		return nil, fmt.Errorf("%s%s: has another encoding", op, asm(args))
	}
	return in, nil
}

// EmitEVEX appends an instruction that only exists with EVEX encoding. A form that does
// not exist is a mistake of the caller and panics.
func (b *Block) EmitEVEX(op string, args ...operand.Op) {
	i, err := MakeEVEX(op, args...)
	if err != nil {
		panic(err)
	}
	b.Insts = append(b.Insts, i)
}

// EmitTestEVEX appends such an instruction to those that set the flags.
func (b *Block) EmitTestEVEX(op string, args ...operand.Op) {
	i, err := MakeEVEX(op, args...)
	if err != nil {
		panic(err)
	}
	b.Test = append(b.Test, i)
}

// IsEVEX reports whether i needs a CPU with AVX-512.
func (i *Inst) IsEVEX() bool {
	return slices.ContainsFunc(i.ISA, func(isa string) bool { return strings.HasPrefix(isa, "AVX512") })
}

// IsEVEX reports whether f needs a CPU with AVX-512.
func (f *Func) IsEVEX() bool {
	return slices.ContainsFunc(f.Blocks, func(b *Block) bool { return slices.ContainsFunc(b.All(), (*Inst).IsEVEX) })
}

// allocated holds for the registers that are given to values.
func allocated(r reg.Register) bool { return r.Kind() != reg.KindPseudo && r.Kind() != reg.KindOpmask }

// evexForms are the opcodes in use that only have EVEX encoding, by name.
var evexForms = map[string]any{
	"KANDQ":           x86.KANDQ,
	"KMOVD":           x86.KMOVD,
	"KMOVQ":           x86.KMOVQ,
	"KORQ":            x86.KORQ,
	"KORTESTQ":        x86.KORTESTQ,
	"KXORQ":           x86.KXORQ,
	"VALIGND":         x86.VALIGND,
	"VBLENDMPD":       x86.VBLENDMPD,
	"VBLENDMPS":       x86.VBLENDMPS,
	"VBROADCASTF64X4": x86.VBROADCASTF64X4,
	"VBROADCASTI32X4": x86.VBROADCASTI32X4,
	"VCVTQQ2PD":       x86.VCVTQQ2PD,
	"VCVTQQ2PSX":      x86.VCVTQQ2PSX,
	"VCVTQQ2PSY":      x86.VCVTQQ2PSY,
	"VCVTTPD2QQ":      x86.VCVTTPD2QQ,
	"VCVTQQ2PS":       x86.VCVTQQ2PS,
	"VCVTUQQ2PS":      x86.VCVTUQQ2PS,
	"VCVTTPS2QQ":      x86.VCVTTPS2QQ,
	"VCVTUDQ2PD":      x86.VCVTUDQ2PD,
	"VCVTUDQ2PS":      x86.VCVTUDQ2PS,
	"VCVTUQQ2PD":      x86.VCVTUQQ2PD,
	"VCVTUQQ2PSX":     x86.VCVTUQQ2PSX,
	"VCVTUQQ2PSY":     x86.VCVTUQQ2PSY,
	"VEXTRACTF32X4":   x86.VEXTRACTF32X4,
	"VEXTRACTF64X4":   x86.VEXTRACTF64X4,
	"VEXTRACTI32X4":   x86.VEXTRACTI32X4,
	"VFIXUPIMMPD":     x86.VFIXUPIMMPD,
	"VFIXUPIMMPS":     x86.VFIXUPIMMPS,
	"VINSERTF32X4":    x86.VINSERTF32X4,
	"VINSERTF64X4":    x86.VINSERTF64X4,
	"VINSERTI32X4":    x86.VINSERTI32X4,
	"VMOVDQA32":       x86.VMOVDQA32,
	"VMOVDQU16":       x86.VMOVDQU16,
	"VMOVDQU16.Z":     x86.VMOVDQU16_Z,
	"VMOVDQU8":        x86.VMOVDQU8,
	"VMOVDQU8.Z":      x86.VMOVDQU8_Z,
	"VMOVUPD":         x86.VMOVUPD,
	"VMOVUPD.Z":       x86.VMOVUPD_Z,
	"VMOVUPS.Z":       x86.VMOVUPS_Z,
	"VPANDD":          x86.VPANDD,
	"VPANDND":         x86.VPANDND,
	"VPANDQ":          x86.VPANDQ,
	"VPBLENDMB":       x86.VPBLENDMB,
	"VPBLENDMD":       x86.VPBLENDMD,
	"VPBLENDMQ":       x86.VPBLENDMQ,
	"VPBLENDMW":       x86.VPBLENDMW,
	"VPCMPB":          x86.VPCMPB,
	"VPCMPD":          x86.VPCMPD,
	"VPCMPQ":          x86.VPCMPQ,
	"VPCMPUB":         x86.VPCMPUB,
	"VPCMPUD":         x86.VPCMPUD,
	"VPCMPUQ":         x86.VPCMPUQ,
	"VPCMPUW":         x86.VPCMPUW,
	"VPCMPW":          x86.VPCMPW,
	"VPCOMPRESSD.Z":   x86.VPCOMPRESSD_Z,
	"VPCOMPRESSQ.Z":   x86.VPCOMPRESSQ_Z,
	"VPLZCNTD":        x86.VPLZCNTD,
	"VPLZCNTQ":        x86.VPLZCNTQ,
	"VPMAXSQ":         x86.VPMAXSQ,
	"VPMAXUQ":         x86.VPMAXUQ,
	"VPMINSQ":         x86.VPMINSQ,
	"VPMINUQ":         x86.VPMINUQ,
	"VPMOVB2M":        x86.VPMOVB2M,
	"VPMOVDB":         x86.VPMOVDB,
	"VPMOVDW":         x86.VPMOVDW,
	"VPMOVQB":         x86.VPMOVQB,
	"VPMOVQD":         x86.VPMOVQD,
	"VPMOVQW":         x86.VPMOVQW,
	"VPMOVWB":         x86.VPMOVWB,
	"VPMOVD2M":        x86.VPMOVD2M,
	"VPMOVM2B":        x86.VPMOVM2B,
	"VPMOVM2D":        x86.VPMOVM2D,
	"VPMOVM2Q":        x86.VPMOVM2Q,
	"VPMOVM2W":        x86.VPMOVM2W,
	"VPMOVQ2M":        x86.VPMOVQ2M,
	"VPMOVW2M":        x86.VPMOVW2M,
	"VPMOVSDB":        x86.VPMOVSDB,
	"VPMOVSDW":        x86.VPMOVSDW,
	"VPMOVSQB":        x86.VPMOVSQB,
	"VPMOVSQD":        x86.VPMOVSQD,
	"VPMOVSQW":        x86.VPMOVSQW,
	"VPMOVSWB":        x86.VPMOVSWB,
	"VPMOVUSDB":       x86.VPMOVUSDB,
	"VPMOVUSDW":       x86.VPMOVUSDW,
	"VPMOVUSQB":       x86.VPMOVUSQB,
	"VPMOVUSQD":       x86.VPMOVUSQD,
	"VPMOVUSQW":       x86.VPMOVUSQW,
	"VPMOVUSWB":       x86.VPMOVUSWB,
	"VPMULLQ":         x86.VPMULLQ,
	"VPORD":           x86.VPORD,
	"VPORQ":           x86.VPORQ,
	"VPROLD":          x86.VPROLD,
	"VPROLQ":          x86.VPROLQ,
	"VPROLVD":         x86.VPROLVD,
	"VPROLVQ":         x86.VPROLVQ,
	"VPSLLVW":         x86.VPSLLVW,
	"VPSRAQ":          x86.VPSRAQ,
	"VPSRAVQ":         x86.VPSRAVQ,
	"VPSRAVW":         x86.VPSRAVW,
	"VPSRLVW":         x86.VPSRLVW,
	"VPTERNLOGD":      x86.VPTERNLOGD,
	"VPXORD":          x86.VPXORD,
	"VPXORQ":          x86.VPXORQ,
	"VRANGEPD":        x86.VRANGEPD,
	"VRANGEPS":        x86.VRANGEPS,
	"VRNDSCALEPD":     x86.VRNDSCALEPD,
	"VRNDSCALEPS":     x86.VRNDSCALEPS,
}
