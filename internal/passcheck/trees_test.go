package passcheck

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/vectorize/vectest"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
	"github.com/lanewise/lanewise/vir/gen"
	"github.com/lanewise/lanewise/vir/interp"
	"github.com/lanewise/lanewise/vir/plan"
)

// A form says how small expressions are computed: in elements of one type that are extended to
// another one first.
type form struct {
	elem, in vir.Elem
	ext      vir.Op
}

var forms = []form{
	{vir.I8, vir.I8, vir.OpInvalid}, {vir.I8, vir.I32, vir.OpZext}, {vir.I8, vir.I32, vir.OpSext},
	{vir.I8, vir.I16, vir.OpZext}, {vir.I16, vir.I32, vir.OpSext}, {vir.I8, vir.I16, vir.OpSext}, {vir.I16, vir.I16, vir.OpInvalid},
}

// treeLoop is out[i] = expression of x[i] and y[i].
func treeLoop(t *testing.T, shape string, number uint64, f form) *plan.Region {
	size := f.elem.Size()
	slice := func(name string) string {
		return fmt.Sprintf("%%%s ptr {elem %d, len %%%[1]s_len}, %%%[1]s_len i64", name, size)
	}
	text := fmt.Sprintf(`func @tree(%s, %s, %s, %%i0 i64) (i64) {
entry:
	jmp header
header:
	%%i = phi i64 [%%i0, entry], [%%i1, latch]
	%%c = icmp.slt bool %%i, %%x_len
	br %%c, body, exit
body:
	iter
	check.index %%i, %%y_len
	check.index %%i, %%out_len
	%%a = load %s [%%x + %%i*%d]
	%%b = load %[4]s [%%y + %%i*%[5]d]
	jmp latch
latch:
	%%one = const i64 1
	%%i1 = add i64 %%i, %%one
	jmp header
exit:
	ret %%i
}
`, slice("x"), slice("y"), slice("out"), f.elem, size)
	r, err := vectest.Region(text, plan.Clauses{Force: true})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	body := r.Fn.Blocks[2]
	jmp := body.Term()
	a, b := body.Insts[3], body.Insts[4]
	i := a.Index()
	body.Insts = body.Insts[:5]
	w := vir.NewBuilder(r.Fn, body)
	if f.ext != vir.OpInvalid {
		a, b = w.Op(f.ext, vir.Scalar(f.in), a), w.Op(f.ext, vir.Scalar(f.in), b)
	}
	v := gen.Tree(w, shape, number, a, b)
	if f.ext != vir.OpInvalid {
		v = w.Op(vir.OpTrunc, vir.Scalar(f.elem), scaled(w, v, int(number>>3)))
	}
	w.Store(vir.OpStore, v, vir.Addr{Base: r.Fn.Param("out"), Index: i, Scale: int64(size)}, nil)
	old := body.Insts
	body.Insts = nil
	for _, v := range old { // nobody divides by zero
		if c, ok := divisor(v).IsConst(); edit.Divides(v.Op) && (!ok || c == 0) {
			v.Args[1] = w.Op(vir.OpOr, v.Type, v.Args[1], w.Int(v.Type, 1))
		}
		body.Insts = append(body.Insts, v)
	}
	body.Insts = append(body.Insts, jmp)
	return r
}

// scaled is v brought into the range of narrower elements, in one of the ways that programs have.
func scaled(w *vir.Builder, v *vir.Value, way int) *vir.Value {
	c := func(x int) *vir.Value { return w.Int(v.Type, int64(x)) }
	by := 1 + way/8%4
	switch way % 8 {
	case 0, 1:
		return w.Op(vir.OpLshr, v.Type, v, c(by))
	case 2, 3:
		return w.Op(vir.OpAshr, v.Type, v, c(by))
	case 4:
		return w.Op(vir.OpUdiv, v.Type, v, c(2*by+1))
	case 5:
		return w.Op(vir.OpSdiv, v.Type, v, c(2*by+1))
	case 6:
		return w.Op(vir.OpSmax, v.Type, w.Op(vir.OpSmin, v.Type, v, c(127)), c(-128))
	}
	return v
}

// divisor is the last operand of v.
func divisor(v *vir.Value) *vir.Value {
	if len(v.Args) == 0 {
		return v
	}
	return v.Args[len(v.Args)-1]
}

// special are second operands.
var special = []uint64{0, 1, 2, 3, 7, 8, 15, 16, 100, 126, 127, 128, 129, 200, 254, 255, 256, 0x7fff, 0x8000, 0xff80, 0xffff}

// treeInput has each byte as a first operand, with a special value beside it.
func treeInput(f form, n int) vectest.Input {
	mem := &interp.Memory{}
	size := f.elem.Size()
	var x, y []byte
	for i := range 256 {
		first, second := uint64(i), special[(i*7+i/17+n*5)%len(special)]
		if size == 2 && i%3 > 0 { // also around the ends of the other type
			first = first<<8 | special[i/2%len(special)]&0xff
		}
		x = append(x, byte(first), byte(first>>8))[:len(x)+size]
		y = append(y, byte(second), byte(second>>8))[:len(y)+size]
	}
	in := vectest.Input{Mem: mem}
	for i, data := range [][]byte{x, y, make([]byte, len(x))} {
		o := mem.Alloc(fmt.Sprintf("%s%d", []string{"x", "y", "out"}[i], 2*i), data)
		in.Args = append(in.Args, o.Ptr(0), interp.Int(256))
	}
	in.Args = append(in.Args, interp.Int(0))
	return in
}

// TestSmallTrees sends loops that compute small expressions of narrow types through all passes and
// compares them on all bytes. Longer: go test ./internal/passcheck -run SmallTrees -v -n 5000 -timeout 0
func TestSmallTrees(t *testing.T) {
	c := newChecker(t)
	c.Inputs = 1
	loops := 0
	for k := 0; k < *number/4 && c.Errors < most; k++ {
		for s, shape := range gen.TreeShapes {
			total := gen.Trees(shape)
			at := (uint64(k)+*seed*1000)*1_000_003 + uint64(s)
			if total < uint64(*number/4) {
				at = uint64(k)
			}
			f := forms[(k+s)%len(forms)]
			if strings.Contains(shape, "E") && f.in.Size() > 2 {
				f = forms[0]
			}
			r := treeLoop(t, shape, at%total, f)
			c.Input = func(_ *plan.Region, n, _ int) vectest.Input { return treeInput(f, n+k) }
			c.Region(fmt.Sprintf("%s %d of %s in %s", shape, at%total, f.elem, f.in), r)
			loops++
			if c.Errors >= most {
				break
			}
		}
	}
	t.Logf("%d loops\n%s", loops, c.Table())
	if s := c.Stats["loops/narrow"]; c.Errors == 0 && (s.Changed < loops/8 || c.Stats["loops/loopvec"].Vector < int64(100*loops)) {
		t.Error("too little has become of the loops")
	}
}
