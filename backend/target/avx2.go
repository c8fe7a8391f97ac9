package target

import "github.com/lanewise/lanewise/vir"

// AVX2 is the level of Haswell and Zen: AVX2, FMA, BMI1, BMI2, LZCNT, POPCNT.
// Masks live in vectors as lanes of 0 and -1.
func AVX2() *Target {
	t := &Target{
		Name:           "avx2",
		VectorBytes:    32,
		VectorRegs:     16,
		ScalarRegs:     12,
		MaskMoveStores: true,
		vector:         make(map[key]Cost),
		scalar:         make(map[key]Cost),
		convert:        make(map[convKey]Cost),
	}
	fill(t.vector, avx2Vector)
	fill(t.scalar, avx2Scalar)
	for _, r := range avx2Convert {
		for _, from := range r.from {
			for _, to := range r.to {
				if from != to {
					t.convert[convKey{r.op, from, to}] = Cost{r.tput, r.lat}
				}
			}
		}
	}
	return t
}

func fill(m map[key]Cost, rows []row) {
	for _, r := range rows {
		for _, op := range r.ops {
			for _, e := range r.elems {
				m[key{op, e}] = Cost{r.tput, r.lat}
			}
		}
	}
}

type row struct {
	ops       []vir.Op
	elems     []vir.Elem
	tput, lat float64
}

type convRow struct {
	op        vir.Op
	from, to  []vir.Elem
	tput, lat float64
}

type (
	ops   = []vir.Op
	elems = []vir.Elem
)

var (
	bit    = elems{vir.Bool}
	b      = elems{vir.I8}
	h      = elems{vir.I16}
	w      = elems{vir.I32}
	d      = elems{vir.I64}
	bh     = elems{vir.I8, vir.I16}
	wd     = elems{vir.I32, vir.I64}
	bhw    = elems{vir.I8, vir.I16, vir.I32}
	ints   = elems{vir.I8, vir.I16, vir.I32, vir.I64}
	floats = elems{vir.F32, vir.F64}
	data   = elems{vir.I8, vir.I16, vir.I32, vir.I64, vir.F32, vir.F64}
	all    = elems{vir.Bool, vir.I8, vir.I16, vir.I32, vir.I64, vir.F32, vir.F64, vir.Ptr}
)

// avx2Vector is the cost of one register of lanes, between Zen 4 and Haswell.
// Not there, hence not legal:
//   - division of vectors of 64 bits: there is no instruction, and lane by lane it
//     costs what the scalar loop costs. Others, see LegalValue, are legal by constants,
//     and as floats;
//   - compress: AVX2 has none, and a table of shuffles fits 8 lanes at most;
//   - checks, which belong to scalar code.
var avx2Vector = []row{
	{ops{vir.OpConst, vir.OpPoison, vir.OpPhi}, append(elems{vir.Bool}, data...), 0, 0},
	{ops{vir.OpAdd, vir.OpSub, vir.OpNeg, vir.OpNot}, ints, 0.33, 1},
	{ops{vir.OpAnd, vir.OpOr, vir.OpXor, vir.OpNot}, append(elems{vir.Bool}, ints...), 0.33, 1},
	{ops{vir.OpMul}, b, 2.5, 6},
	{ops{vir.OpMul}, h, 0.5, 3},
	{ops{vir.OpMul}, w, 1, 6},
	{ops{vir.OpMul}, d, 3.5, 9},
	{ops{vir.OpUmulh}, b, 3, 9},
	{ops{vir.OpUmulh}, h, 0.5, 5},
	{ops{vir.OpUmulh}, w, 2, 9},
	{ops{vir.OpUmulh}, d, 5, 14},
	{ops{vir.OpSdiv, vir.OpUdiv}, b, 36, 40}, // as floats
	{ops{vir.OpSdiv, vir.OpUdiv}, h, 16, 32},
	{ops{vir.OpSdiv, vir.OpUdiv}, w, 22, 34},
	{ops{vir.OpSrem, vir.OpUrem}, b, 38.5, 46},
	{ops{vir.OpSrem, vir.OpUrem}, h, 16.5, 35},
	{ops{vir.OpSrem, vir.OpUrem}, w, 23, 40},
	{ops{vir.OpShl, vir.OpLshr, vir.OpAshr}, b, 6, 8},
	{ops{vir.OpShl, vir.OpLshr, vir.OpAshr}, h, 2.5, 6},
	{ops{vir.OpShl, vir.OpLshr, vir.OpAshr}, w, 0.75, 2},
	{ops{vir.OpShl, vir.OpLshr}, d, 0.75, 2},
	{ops{vir.OpAshr}, d, 2, 4},
	{ops{vir.OpRotl}, b, 12, 10},
	{ops{vir.OpRotl}, h, 6, 8},
	{ops{vir.OpRotl}, wd, 2.5, 4},
	{ops{vir.OpSmin, vir.OpSmax, vir.OpUmin, vir.OpUmax}, bhw, 0.33, 1},
	{ops{vir.OpSmin, vir.OpSmax}, d, 1.5, 4},
	{ops{vir.OpUmin, vir.OpUmax}, d, 2.5, 5},
	{ops{vir.OpPopcnt}, b, 2.5, 5},
	{ops{vir.OpPopcnt}, h, 3.5, 8},
	{ops{vir.OpPopcnt}, w, 4, 9},
	{ops{vir.OpPopcnt}, d, 3, 7},
	{ops{vir.OpClz}, b, 3.5, 7},
	{ops{vir.OpClz}, h, 6, 12},
	{ops{vir.OpClz}, w, 7, 16},
	{ops{vir.OpClz}, d, 8, 18},
	{ops{vir.OpCtz}, b, 3.5, 7},
	{ops{vir.OpCtz}, h, 4.5, 10},
	{ops{vir.OpCtz}, w, 5, 11},
	{ops{vir.OpCtz}, d, 4, 9},
	{ops{vir.OpBitrev}, b, 2.5, 5},
	{ops{vir.OpBitrev}, elems{vir.I16, vir.I32, vir.I64}, 3, 6},
	{ops{vir.OpBswap}, b, 0, 0},
	{ops{vir.OpBswap}, elems{vir.I16, vir.I32, vir.I64}, 0.5, 1},

	{ops{vir.OpFadd, vir.OpFsub, vir.OpFmul, vir.OpFma}, floats, 0.5, 4},
	{ops{vir.OpFdiv}, elems{vir.F32}, 5, 11},
	{ops{vir.OpFdiv}, elems{vir.F64}, 8, 14},
	{ops{vir.OpFsqrt}, elems{vir.F32}, 7, 15},
	{ops{vir.OpFsqrt}, elems{vir.F64}, 12, 21},
	{ops{vir.OpFneg, vir.OpFabs}, floats, 0.33, 1},
	{ops{vir.OpFcopysign}, floats, 1, 2},
	{ops{vir.OpFfloor, vir.OpFceil, vir.OpFtrunc, vir.OpFrint}, floats, 1, 6},
	{ops{vir.OpFmin, vir.OpFmax}, floats, 2, 5},
	{ops{vir.OpFminNnan, vir.OpFmaxNnan}, floats, 1.5, 5},

	{ops{vir.OpIcmpEq}, data[:4], 0.33, 1},
	{ops{vir.OpIcmpNe, vir.OpIcmpSle}, ints, 0.66, 2},
	{ops{vir.OpIcmpSlt}, bhw, 0.33, 1},
	{ops{vir.OpIcmpSlt}, d, 0.75, 3},
	{ops{vir.OpIcmpUlt}, ints, 1.2, 3},
	{ops{vir.OpIcmpUle}, ints, 0.75, 2},
	{ops{vir.OpIcmpEq, vir.OpIcmpNe}, bit, 0.5, 1},
	{ops{vir.OpFcmpEq, vir.OpFcmpNe, vir.OpFcmpLt, vir.OpFcmpLe}, floats, 0.5, 4},
	{ops{vir.OpBlend}, append(elems{vir.Bool}, data...), 0.66, 2},
	{ops{vir.OpSelect}, append(elems{vir.Bool}, data...), 1.5, 4},
	{ops{vir.OpBitcast}, append(elems{vir.Bool}, data...), 0, 0},

	{ops{vir.OpLoadUnit}, data, 0.5, 7},
	{ops{vir.OpStoreUnit}, data, 1, 1},
	{ops{vir.OpLoadReverse}, data, 1, 10},
	{ops{vir.OpStoreReverse}, data, 1.5, 5},

	// Of one full register; see GatherCost, ScatterCost and PermuteCost.
	{ops{vir.OpGather, vir.OpScatter}, data, 8, 20},
	{ops{vir.OpStoreCompress}, data, 20, 25},
	{ops{vir.OpLoadExpand}, data, 6, 16},
	{ops{vir.OpPermute}, data, 2, 4},

	{ops{vir.OpBroadcast}, append(elems{vir.Bool}, data...), 1, 3},
	{ops{vir.OpLane}, data, 0.5, 5}, // of a scalar, see indexed
	{ops{vir.OpExtract, vir.OpSubvec}, append(elems{vir.Bool}, data...), 1, 3},
	// Of one instruction per register; see ShuffleCost for what it really is.
	{ops{vir.OpShuffle, vir.OpConcat}, append(elems{vir.Bool}, data...), 1, 2},
	{ops{vir.OpInsert}, append(elems{vir.Bool}, data...), 1, 3},
	{ops{vir.OpPrefix}, bit, 2, 4},
	{ops{vir.OpAny, vir.OpAll}, bit, 1.5, 5},
	{ops{vir.OpCount, vir.OpFirst, vir.OpBits}, bit, 2, 6},
}

// avx2Scalar is the cost of one scalar operation.
var avx2Scalar = []row{
	{ops{vir.OpParam, vir.OpConst, vir.OpPoison, vir.OpPhi}, all, 0, 0},
	{ops{vir.OpAdd, vir.OpSub, vir.OpNeg}, ints, 0.25, 1},
	{ops{vir.OpAnd, vir.OpOr, vir.OpXor, vir.OpNot}, append(elems{vir.Bool}, ints...), 0.25, 1},
	{ops{vir.OpMul}, ints, 1, 3},
	{ops{vir.OpUmulh}, ints, 2, 5},
	{ops{vir.OpShl, vir.OpLshr, vir.OpAshr}, ints, 1, 3},
	{ops{vir.OpRotl}, ints, 1, 1},
	{ops{vir.OpSdiv, vir.OpUdiv, vir.OpSrem, vir.OpUrem}, ints, 6, 14},
	{ops{vir.OpSmin, vir.OpSmax, vir.OpUmin, vir.OpUmax}, ints, 0.5, 2},
	{ops{vir.OpClz, vir.OpCtz, vir.OpPopcnt, vir.OpBswap}, ints, 0.5, 1},
	{ops{vir.OpBitrev}, ints, 4, 8},
	{ops{vir.OpFadd, vir.OpFsub, vir.OpFmul, vir.OpFma}, floats, 0.5, 4},
	{ops{vir.OpFdiv}, elems{vir.F32}, 3.5, 11},
	{ops{vir.OpFdiv}, elems{vir.F64}, 5, 13},
	{ops{vir.OpFsqrt}, elems{vir.F32}, 5, 15},
	{ops{vir.OpFsqrt}, elems{vir.F64}, 8.5, 21},
	{ops{vir.OpFneg, vir.OpFabs}, floats, 0.33, 1},
	{ops{vir.OpFcopysign}, floats, 1, 2},
	{ops{vir.OpFfloor, vir.OpFceil, vir.OpFtrunc, vir.OpFrint}, floats, 1, 6},
	{ops{vir.OpFmin, vir.OpFmax}, floats, 2.5, 7},
	{ops{vir.OpFminNnan, vir.OpFmaxNnan}, floats, 2, 6},
	{ops{vir.OpIcmpEq, vir.OpIcmpNe}, all[:5], 0.5, 1},
	{ops{vir.OpIcmpEq, vir.OpIcmpNe}, elems{vir.Ptr}, 0.5, 1},
	{ops{vir.OpIcmpSlt, vir.OpIcmpSle, vir.OpIcmpUlt, vir.OpIcmpUle}, ints, 0.5, 1},
	{ops{vir.OpFcmpEq, vir.OpFcmpNe, vir.OpFcmpLt, vir.OpFcmpLe}, floats, 1, 4},
	{ops{vir.OpSelect}, all, 0.5, 1},
	{ops{vir.OpBitcast}, all, 0.5, 2},
	{ops{vir.OpPtradd}, elems{vir.Ptr}, 0.25, 1},
	{ops{vir.OpLoad}, all, 0.33, 4},
	{ops{vir.OpStore}, all, 0.5, 1},
	{ops{vir.OpAny, vir.OpAll, vir.OpCount, vir.OpFirst, vir.OpBits}, bit, 1.5, 5},
	{ops{vir.OpJmp, vir.OpRet}, elems{vir.Void}, 0.5, 0},
	{ops{vir.OpBr}, elems{vir.Void}, 0.5, 1},
	{ops{vir.OpCheckIndex, vir.OpCheckDiv, vir.OpCheckNil, vir.OpCheckShift, vir.OpCheckRare, vir.OpExit}, elems{vir.Void}, 0.5, 0},
	{ops{vir.OpIter}, elems{vir.Void}, 0, 0},
	{ops{vir.OpLeast}, elems{vir.I64}, 0, 0},
}

// avx2Convert is the cost per register of the wider type, also used for scalars.
var avx2Convert = []convRow{
	{vir.OpTrunc, elems{vir.I16}, b, 1, 4},
	{vir.OpTrunc, w, bh, 1, 5},
	{vir.OpTrunc, d, bhw, 1, 5},
	{vir.OpZext, b, elems{vir.I16, vir.I32, vir.I64}, 1, 4},
	{vir.OpZext, h, wd, 1, 4},
	{vir.OpZext, w, d, 1, 4},
	{vir.OpSext, b, elems{vir.I16, vir.I32, vir.I64}, 1, 4},
	{vir.OpSext, h, wd, 1, 4},
	{vir.OpSext, w, d, 1, 4},
	{vir.OpZext, bit, ints, 0.5, 1},
	{vir.OpSext, bit, ints, 0.5, 1},
	{vir.OpSitof, w, floats, 1, 4},
	{vir.OpSitof, bh, floats, 2, 8},
	{vir.OpSitof, d, elems{vir.F64}, 3, 10},
	{vir.OpSitof, d, elems{vir.F32}, 6, 20},
	{vir.OpUitof, bh, floats, 2, 8},
	{vir.OpUitof, w, elems{vir.F64}, 2, 8},
	{vir.OpUitof, w, elems{vir.F32}, 3, 10},
	{vir.OpUitof, d, elems{vir.F64}, 3, 10},
	{vir.OpUitof, d, elems{vir.F32}, 8, 24},
	{vir.OpFtosi, floats, w, 1, 4},
	{vir.OpFtosi, floats, bh, 2, 8},
	{vir.OpFtosi, floats, d, 4, 30},
	{vir.OpFtoui, floats, bh, 2, 8},
	{vir.OpFtoui, elems{vir.F64}, w, 4, 26},
	{vir.OpFtoui, elems{vir.F32}, w, 8, 30},
	{vir.OpFtoui, floats, d, 4.5, 30},
	{vir.OpFpext, elems{vir.F32}, elems{vir.F64}, 1, 5},
	{vir.OpFptrunc, elems{vir.F64}, elems{vir.F32}, 1, 5},
}
