package target

import "github.com/lanewise/lanewise/vir"

// AVX512 is the level of Skylake servers and Zen 4: AVX2 and AVX512F, BW, CD, DQ and VL. Costs
// are those of registers of 32 bytes; where loops use larger ones, the selector knows. Masks live
// in vectors, see Target.EVEX.
func AVX512() *Target {
	t := AVX2()
	t.Name, t.EVEX, t.ZMM, t.HighRegs = "avx512", true, true, 16
	fill(t.vector, avx512Vector)
	for _, r := range avx512Convert {
		for _, from := range r.from {
			for _, to := range r.to {
				t.convert[convKey{r.op, from, to}] = Cost{r.tput, r.lat}
			}
		}
	}
	return t
}

// Zen4 is AVX512 on CPUs that take registers of 64 bytes in halves.
func Zen4() *Target {
	t := AVX512()
	t.Half512 = true
	return t
}

// avx512Vector is what costs less than in avx2Vector.
var avx512Vector = []row{
	{ops{vir.OpMul}, d, 1.5, 15},
	{ops{vir.OpShl, vir.OpLshr, vir.OpAshr}, h, 0.5, 1},
	{ops{vir.OpAshr}, d, 0.5, 1},
	{ops{vir.OpRotl}, wd, 0.5, 1},
	{ops{vir.OpSmin, vir.OpSmax, vir.OpUmin, vir.OpUmax}, d, 1, 3},
	{ops{vir.OpClz}, wd, 0.5, 4},
	{ops{vir.OpFmax}, floats, 2, 8},
	{ops{vir.OpFminNnan, vir.OpFmaxNnan}, floats, 1, 4},
	{ops{vir.OpBlend}, append(elems{vir.Bool}, data...), 0.5, 1},
}

// avx512Convert is what costs less than in avx2Convert, or has no place there.
var avx512Convert = []convRow{
	{vir.OpSitof, d, elems{vir.F64}, 0.5, 4},
	{vir.OpSitof, d, elems{vir.F32}, 1, 7},
	{vir.OpUitof, w, elems{vir.F64}, 1, 7},
	{vir.OpUitof, w, elems{vir.F32}, 0.5, 4},
	{vir.OpUitof, d, elems{vir.F64}, 0.5, 4},
	{vir.OpUitof, d, elems{vir.F32}, 1, 7},
	{vir.OpFtosi, elems{vir.F64}, d, 0.5, 4},
	{vir.OpFtosi, elems{vir.F32}, d, 1, 7},
}
