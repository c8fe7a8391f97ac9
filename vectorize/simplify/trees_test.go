package simplify_test

import (
	"flag"
	"fmt"
	"testing"

	"github.com/lanewise/lanewise/vectorize/ranges"
	"github.com/lanewise/lanewise/vectorize/simplify"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/gen"
	"github.com/lanewise/lanewise/vir/interp"
	"github.com/lanewise/lanewise/vir/verify"
)

var (
	trees = flag.Int("n", 60, "small expressions of each shape")
	first = flag.Uint64("seed", 1, "where among the expressions to begin")
)

// others are second operands: each lane of a run has one, and in one run or another all of
// these meet every first operand.
var others = []uint64{0, 1, 2, 3, 7, 8, 9, 15, 16, 100, 126, 127, 128, 129, 200, 254, 255}

// TestSmallTrees simplifies small expressions of bytes, vectors with each byte as a lane, and
// compares them on all bytes with themselves as they were. On the way each value must be in
// its range, before and after. All expressions of few operations, of millions of others:
// go test ./vectorize/simplify -run SmallTrees -v -n 1000000 -timeout 0
func TestSmallTrees(t *testing.T) {
	changed, all := 0, 0
	for _, shape := range gen.TreeShapes {
		total := gen.Trees(shape)
		n := min(total, uint64(*trees))
		for i := range n {
			number := i
			if n < total { // a step that has no factor in common with sizes of shapes
				number = (i + *first*n) * (total/n | 1) * 1_000_003 % total
			}
			all++
			if tree(t, shape, number, int(i)) {
				changed++
			}
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d expressions of %d shapes, %d changed", all, len(gen.TreeShapes), changed)
	if changed < all/3 {
		t.Errorf("only %d of %d expressions changed", changed, all)
	}
}

// tree checks one expression, and reports whether it was changed.
func tree(t *testing.T, shape string, number uint64, turn int) bool {
	t.Helper()
	typ := vir.Vec(vir.I8, 256)
	f := vir.NewFunc("f")
	x, y := f.AddParam("x", typ), f.AddParam("y", typ)
	b := vir.NewBuilder(f, f.NewBlock("entry"))
	v := gen.Tree(b, shape, number, x, y)
	f.Results = []vir.Type{v.Type}
	b.Ret(v)
	before := f.Clone()
	simplify.Func(f, always)
	if err := verify.Func(f); err != nil {
		t.Errorf("%s %d: %v\n%s\n%s", shape, number, err, before, f)
		return true
	}
	first := make([]uint64, 256)
	second := make([]uint64, 256)
	for i := range first {
		first[i], second[i] = uint64(i), others[(i*7+i/17+turn)%len(others)]
	}
	args := []interp.Value{interp.New(typ, first...), interp.New(typ, second...)}
	want, err := within(before, args)
	if err != nil {
		t.Errorf("%s %d: %v\n%s", shape, number, err, before)
		return true
	}
	got, err := within(f, args)
	if err != nil {
		t.Errorf("%s %d: %v\n%s", shape, number, err, f)
		return true
	}
	for i := range want.Bits {
		if !interp.Refines(want.Lane(i), got.Lane(i)) {
			t.Errorf("%s %d: of %d and %d: %s, was %s\n%s\n%s", shape, number, first[i], second[i], got.Lane(i), want.Lane(i), before, f)
			return true
		}
	}
	return f.String() != before.String()
}

// within runs f and looks whether all values are in their ranges.
func within(f *vir.Func, args []interp.Value) (interp.Value, error) {
	info := ranges.New()
	var wrong error
	check := func(v *vir.Value, x interp.Value) {
		if !v.Type.Elem.IsInt() || wrong != nil {
			return
		}
		r := info.Of(v)
		for i := range x.Bits {
			if u, s := x.Bits[i], x.Lane(i).Int(); !x.Poison[i] && (u < r.ULo || u > r.UHi || s < r.SLo || s > r.SHi) {
				wrong = fmt.Errorf("%s is %d in lane %d, outside of %+v", v.Inst(), s, i, r)
			}
		}
	}
	res, err := interp.Config{Trace: check}.Run(f, new(interp.Memory), args)
	if err != nil {
		return interp.Value{}, err
	}
	return res[0], wrong
}
