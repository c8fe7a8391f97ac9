package fold_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/fold"
	"github.com/lanewise/lanewise/vir/interp"
	"github.com/lanewise/lanewise/vir/verify"
)

var elems = []vir.Elem{vir.Bool, vir.I8, vir.I16, vir.I32, vir.I64, vir.F32, vir.F64}

// bits are those of a number as programs have it, or of one at the end of its type.
func bits(rng *rand.Rand, e vir.Elem) uint64 {
	x := rng.Uint64()
	switch rng.IntN(4) {
	case 0:
		x = uint64(rng.IntN(9) - 4)
	case 1:
		x = []uint64{0, 1, ^uint64(0), 1 << (e.Bits() - 1), 1<<(e.Bits()-1) - 1}[rng.IntN(5)]
	}
	switch f := float64(rng.IntN(64)-32) / 4; {
	case e == vir.F32 && rng.IntN(2) == 0:
		x = uint64(math.Float32bits(float32(f)))
	case e == vir.F64 && rng.IntN(2) == 0:
		x = math.Float64bits(f)
	}
	return x & e.Ones()
}

// TestLane holds what Lane knows against the interpreter: all operations on all types, as far as they go
// together.
func TestLane(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	known := make(map[vir.Op]bool)
	for _, op := range vir.Ops() {
		info := op.Info()
		if info.Term || info.Effect || info.Reads || op.IsCheck() || op == vir.OpPhi || info.Args < 1 || info.Args > 3 {
			continue
		}
		for range 3000 {
			if lane(t, rng, op) {
				known[op] = true
			}
		}
	}
	for _, op := range []vir.Op{vir.OpAdd, vir.OpSrem, vir.OpUdiv, vir.OpSelect, vir.OpFneg, vir.OpFadd, vir.OpIcmpUlt, vir.OpXor, vir.OpSitof, vir.OpTrunc, vir.OpSext,
		vir.OpFdiv, vir.OpFsqrt, vir.OpFfloor, vir.OpFtrunc, vir.OpFrint, vir.OpFtosi, vir.OpFtoui} {
		if !known[op] {
			t.Errorf("%s is not known for any operands", op)
		}
	}
}

// lane compares one result of op, and reports whether there is one.
func lane(t *testing.T, rng *rand.Rand, op vir.Op) bool {
	f := vir.NewFunc("f")
	b := vir.NewBuilder(f, f.NewBlock("entry"))
	from, to := elems[rng.IntN(len(elems))], elems[rng.IntN(len(elems))]
	f.Results = []vir.Type{vir.Scalar(to)}
	var args []*vir.Value
	var in []interp.Value
	var c []uint64
	for i := range op.Info().Args {
		e := from
		if op == vir.OpSelect && i > 0 {
			e = to
		}
		x := bits(rng, e)
		args, in, c = append(args, f.AddParam(string(rune('a'+i)), vir.Scalar(e))), append(in, interp.New(vir.Scalar(e), x)), append(c, x)
	}
	v := b.Op(op, vir.Scalar(to), args...)
	b.Ret(v)
	if verify.Func(f) != nil {
		return false // these types do not go together
	}
	got, ok := fold.Lane(v, c)
	if !ok {
		return false
	}
	want, err := interp.Run(f, nil, in)
	if err != nil || want[0].Poison[0] || want[0].Bits[0] != got {
		t.Fatalf("%s of %x: %x, the interpreter has %x, %v", op, c, got, want, err)
	}
	return true
}
