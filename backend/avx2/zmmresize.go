package avx2

import (
	"github.com/lanewise/lanewise/vir"
	"github.com/mmcloughlin/avo/operand"
)

// Conversions to lanes of another size have the wider ones in 64 bytes, and as many of the narrower
// ones in a register of 32 bytes, or in part of one:
//
//	i16 in 32 bytes -> VPMOVSXWD -> i32 in 64 -> VCVTDQ2PS -> f32 in 64
//
// What else is done with the narrower ones stays in 32 bytes.

// resizes reports whether v makes lanes of another size.
func resizes(v *vir.Value) bool {
	if v.Op < vir.OpTrunc || vir.OpFptrunc < v.Op || !v.Type.IsVector() {
		return false
	}
	from := v.Args[0].Type
	return from.IsVector() && !from.IsMask() && from.Elem.Size() != v.Type.Elem.Size()
}

// wideners are the conversions of the lower lanes of a register to wider ones, in one instruction; those of
// integers to integers, and of narrow ones by way of them, go without saying.
var wideners = map[conversion]string{
	{vir.OpFpext, vir.F32, vir.F64}: "VCVTPS2PD",
	{vir.OpSitof, vir.I32, vir.F64}: "VCVTDQ2PD", {vir.OpUitof, vir.I32, vir.F64}: "VCVTUDQ2PD",
	{vir.OpFtosi, vir.F32, vir.I64}: "VCVTTPS2QQ",
}

// narrowers are the conversions of registers of 64 bytes to narrower lanes.
var narrowers = map[conversion]string{
	{vir.OpFptrunc, vir.F64, vir.F32}: "VCVTPD2PS",
	{vir.OpSitof, vir.I64, vir.F32}:   "VCVTQQ2PS", {vir.OpUitof, vir.I64, vir.F32}: "VCVTUQQ2PS",
}

type conversion struct {
	op       vir.Op
	from, to vir.Elem
}

func conversionOf(v *vir.Value) conversion {
	return conversion{v.Op, v.Args[0].Type.Elem, v.Type.Elem}
}

// byInts reports whether c makes floats of integers that are to be extended to 32 bits before. Those
// without a sign have one there.
func (c conversion) byInts() bool {
	return (c.op == vir.OpSitof || c.op == vir.OpUitof) && c.from.Size() < 4
}

// widensToZMM reports whether v makes wider lanes in 64 bytes.
func widensToZMM(v *vir.Value) bool {
	if !resizes(v) {
		return false
	}
	c := conversionOf(v)
	return v.Op == vir.OpSext || v.Op == vir.OpZext || c.byInts() || wideners[c] != ""
}

// narrowsZMM reports whether v makes narrower lanes of 64 bytes.
func narrowsZMM(v *vir.Value) bool {
	return resizes(v) && (v.Op == vir.OpTrunc || narrowers[conversionOf(v)] != "")
}

// zmmWiden emits part c of a conversion to wider lanes.
func zmmWiden(c partOf) vec {
	s, v := c.s, c.v
	from, n := v.Args[0].Type.Elem.Size(), zmmBytes/c.bytes()
	var x operand.Op
	s.in32(func() { x = at(s.lanesOrMem(v.Args[0], c.p*n, n), registerSize(n*from)) })
	signed := v.Op == vir.OpSext || v.Op == vir.OpSitof
	switch how := conversionOf(v); {
	case how.byInts() && c.bytes() == 8:
		return s.zmmWidened("VCVTDQ2PD", s.extendOp(x, regBytes, from, 4, signed).AsY())
	case how.byInts():
		return s.un("VCVTDQ2PS", zmmBytes, s.zmmWidened(extensionName(from, 4, signed), x))
	case wideners[how] != "":
		return s.zmmWidened(wideners[how], x)
	}
	return s.zmmWidened(extensionName(from, c.bytes(), signed), x)
}

// zmmWidened fills 64 bytes by an instruction that makes wider lanes of x.
func (s *selector) zmmWidened(name string, x operand.Op) vec {
	d := s.f.Vec(zmmBytes)
	s.evex(name, x, d.AsZ())
	return d
}

// zmmNarrow emits part c, of 32 bytes or less, of a conversion from lanes in 64.
func zmmNarrow(c partOf) vec {
	s := c.s
	a, name := c.v.Args[0], narrowers[conversionOf(c.v)]
	part := func(p int) vec { return s.zmmPart(a, p) }
	if c.v.Op == vir.OpTrunc {
		name, part = c.zmmTrunc()
	}
	per := zmmBytes / a.Type.Elem.Size()
	bytes := per * c.bytes()
	var rs []vec
	for l := c.first(); l < c.first()+c.lanes(); l += per {
		d := s.f.Vec(registerSize(bytes))
		s.evex(name, part(l/per).AsZ(), sized(d, registerSize(bytes)))
		rs = append(rs, d)
	}
	return s.joinAll(rs, bytes)
}

// zmmTrunc is the instruction that drops high bits, and what of. It may saturate, which spares the bounds.
func (c partOf) zmmTrunc() (name string, part func(p int) vec) {
	s, x, w := c.s, c.v.Args[0], c.bits()
	name, cl := "VPMOV", clampOf(x)
	suffix := letter(x.Type.Elem) + letter(c.elem())
	switch unsigned := cl.saturates(0, 1<<w-1); {
	case !s.zmm[cl.x]:
	case cl.saturates(-1<<(w-1), 1<<(w-1)-1):
		name, x = "VPMOVS", cl.x
	case unsigned && rangeOf(cl.x).lo >= 0:
		name, x = "VPMOVUS", cl.x
	case unsigned:
		return "VPMOVUS" + suffix, func(p int) vec {
			return s.bin("VPMAXS"+letter(x.Type.Elem), zmmBytes, s.zmmPart(cl.x, p), s.zero())
		}
	}
	return name + suffix, func(p int) vec { return s.zmmPart(x, p) }
}
