package machine

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A vex is what the length of a VEX instruction depends on: the prefix has two bytes
// for the opcodes of the first map without 64-bit mark, when neither index nor the
// register or base in ModRM.rm is above 7, otherwise three.
type vex int

const (
	long3   vex = iota // always three bytes
	rmFirst            // ModRM.rm is the first operand that is no immediate
	rmLast             // it is the last one
	rmMove             // it is the last one unless that is a vector and the first not
	onlyXX             // two bytes only between vector registers, as rmLast
)

var vexOps = byName(map[vex]string{
	rmFirst: "VADDPD VADDPS VADDSD VADDSS VADDSUBPD VADDSUBPS VANDNPD VANDNPS VANDPD VANDPS VCMPPD VCMPPS " +
		"VCVTDQ2PD VCVTDQ2PS VCVTPD2PSX VCVTPD2PSY VCVTPS2PD VCVTSD2SS VCVTSS2SD VCVTTPD2DQX VCVTTPD2DQY " +
		"VCVTTPS2DQ VCVTTSD2SI VCVTTSS2SI VDIVPD VDIVPS VDIVSD VDIVSS VMAXPD VMAXPS VMAXSD VMAXSS " +
		"VMINPD VMINPS VMINSD VMINSS VMOVDDUP VMOVMSKPD VMOVMSKPS VMULPD VMULPS VMULSD VMULSS VORPD VORPS " +
		"VPACKSSDW VPACKSSWB VPACKUSWB VPADDB VPADDD VPADDQ VPADDSB VPADDSW VPADDUSB VPADDUSW VPADDW VPAND " +
		"VPANDN VPAVGB VPAVGW VPCMPEQB VPCMPEQD VPCMPEQW VPCMPGTB VPCMPGTD VPCMPGTW VPINSRW VPMADDWD " +
		"VPMAXSW VPMAXUB VPMINSW VPMINUB VPMOVMSKB VPMULHUW VPMULHW VPMULLW VPMULUDQ VPOR VPSADBW VPSHUFD " +
		"VPSHUFHW VPSHUFLW VPSLLD VPSLLDQ VPSLLQ VPSLLW VPSRAD VPSRAW VPSRLD VPSRLDQ VPSRLQ VPSRLW " +
		"VPSUBB VPSUBD VPSUBQ VPSUBSB VPSUBSW VPSUBUSB VPSUBUSW VPSUBW VPUNPCKHBW VPUNPCKHDQ VPUNPCKHQDQ " +
		"VPUNPCKHWD VPUNPCKLBW VPUNPCKLDQ VPUNPCKLQDQ VPUNPCKLWD VPXOR VSHUFPD VSHUFPS VSQRTPD VSQRTPS " +
		"VSQRTSD VSQRTSS VSUBPD VSUBPS VSUBSD VSUBSS VUCOMISD VUCOMISS VUNPCKHPD VUNPCKHPS VUNPCKLPD " +
		"VUNPCKLPS VXORPD VXORPS",
	rmLast: "VMOVAPS VMOVDQA VMOVHPD VMOVSD VMOVSS VMOVUPS",
	rmMove: "VMOVD",
	onlyXX: "VMOVQ",
	long3: "BLSRL BLSRQ BZHIQ SARXL SARXQ SHLXL SHLXQ SHRXL SHRXQ VBLENDPS VBLENDVPD VBLENDVPS VBROADCASTI128 VBROADCASTSD " +
		"VBROADCASTSS VCVTSI2SDQ VCVTSI2SSQ VCVTTSD2SIQ VCVTTSS2SIQ VEXTRACTF128 VEXTRACTI128 VEXTRACTPS " +
		"VFMADD213PD VFMADD213PS VFMADD213SD VFMADD213SS VFMADD231PD VFMADD231PS VFMADD231SD VFMADD231SS VFMSUB213PD " +
		"VFMSUB213PS VFMSUB213SD VFMSUB213SS VFMSUB231PD VFMSUB231PS VFMSUB231SD VFMSUB231SS VFNMADD213PD VFNMADD213PS " +
		"VFNMADD213SD VFNMADD213SS VFNMADD231PD VFNMADD231PS VFNMADD231SD VFNMADD231SS VFNMSUB213PD VFNMSUB213PS " +
		"VFNMSUB213SD VFNMSUB213SS VFNMSUB231PD VFNMSUB231PS VFNMSUB231SD VFNMSUB231SS " +
		"VGATHERDPD VGATHERDPS VGATHERQPD VGATHERQPS VINSERTF128 VINSERTI128 VINSERTPS VMASKMOVPD VMASKMOVPS " +
		"VPABSB VPABSD VPABSW VPACKUSDW VPALIGNR VPBLENDD VPBLENDVB VPBLENDW VPBROADCASTB VPBROADCASTD " +
		"VPBROADCASTQ VPBROADCASTW VPCMPEQQ VPCMPGTQ VPERM2F128 VPERM2I128 VPERMD VPERMILPD VPERMILPS VPERMPD " +
		"VPERMPS VPERMQ VPEXTRB VPEXTRD VPEXTRQ VPEXTRW VPGATHERDD VPGATHERDQ VPGATHERQD VPGATHERQQ VPINSRB VPINSRD " +
		"VPINSRQ VPMADDUBSW VPMASKMOVD VPMASKMOVQ VPMAXSB VPMAXSD VPMAXUD VPMAXUW VPMINSB VPMINSD VPMINUD " +
		"VPMINUW VPMOVSXBD VPMOVSXBQ VPMOVSXBW VPMOVSXDQ VPMOVSXWD VPMOVSXWQ VPMOVZXBD VPMOVZXBQ VPMOVZXBW " +
		"VPMOVZXDQ VPMOVZXWD VPMOVZXWQ VPMULDQ VPMULHRSW VPMULLD VPSHUFB VPSIGNB VPSIGND VPSIGNW VPSLLVD VPSLLVQ " +
		"VPSRAVD VPSRLVD VPSRLVQ VROUNDPD VROUNDPS",
})

// fourRegisters name the first operand in an immediate.
var fourRegisters = map[string]bool{"VBLENDVPD": true, "VBLENDVPS": true, "VPBLENDVB": true}

func (i *Inst) vexLength(args int) int {
	e, ok := vexOps[i.Opcode]
	if !ok {
		panic(fmt.Sprintf("machine: the length of %s is not known", i.Opcode))
	}
	n := 3 // the shorter prefix and the opcode
	if i.longVEX(e) {
		n++
	}
	if _, imm := i.immediate(); imm || fourRegisters[i.Opcode] {
		n++
	}
	return n + i.addressLength(args)
}

// longVEX reports whether the prefix has three bytes.
func (i *Inst) longVEX(e vex) bool {
	first, last := i.Operands[0], i.Operands[len(i.Operands)-1]
	if _, ok := constant(first); ok {
		first = i.Operands[1]
	}
	rm := first
	switch e {
	case long3:
		return true
	case onlyXX:
		if !isVec(first) || !isVec(last) {
			return true
		}
		rm = last
	case rmLast:
		rm = last
	case rmMove:
		if isVec(first) {
			rm = last
		}
	}
	for _, op := range i.Operands {
		if m, ok := op.(operand.Mem); ok {
			return m.Base != nil && high(m.Base) || m.Index != nil && high(m.Index)
		}
	}
	return high(rm.(reg.Register))
}

func isVec(op operand.Op) bool {
	r, ok := op.(reg.Register)
	return ok && r.Kind() == reg.KindVector
}
