package slev_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/internal/filetest"
	"github.com/lanewise/lanewise/vectorize/internal/regiontest"
	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vectorize/slev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/interp"
	"github.com/lanewise/lanewise/vir/parse"
	"github.com/lanewise/lanewise/vir/verify"
)

// TestFiles compares annotated text with what the files expect. Without flags the
// function is a region. The flags "lanes %x:shape ..." are for lanes that each run the
// whole function, and give shapes of parameters; "loop h" for lanes that are
// iterations of the loop with header h.
func TestFiles(t *testing.T) {
	filetest.Run(t, "../../testdata/slev/*.txtar", func(t *testing.T, c *filetest.Case) {
		if len(c.Flags) == 0 {
			r := regiontest.Parse(t, c.Section("in"))
			c.Golden("out", r.Fn.Text(vir.PrintOptions{Note: slev.Analyze(r, scev.New(r)).Note}))
			return
		}
		f, err := parse.Func(c.Section("in"))
		if err == nil {
			err = verify.Func(f)
		}
		if err != nil {
			t.Fatal(err)
		}
		r := analyzeFlags(t, f, c.Flags)
		c.Golden("out", f.Text(vir.PrintOptions{Note: r.Note}))
		c.Golden("report", r.Report())
	})
}

func analyzeFlags(t *testing.T, f *vir.Func, flags []string) *slev.Result {
	t.Helper()
	if flags[0] == "loop" {
		return slev.AnalyzeLoop(f, loops.Find(f).Of(f.Block(flags[1])))
	}
	o := slev.Options{Shapes: make(map[*vir.Value]slev.Shape)}
	for _, w := range flags[1:] {
		name, shape, _ := strings.Cut(w, ":")
		p, s := f.Param(name), slev.Shape{Kind: slev.Random}
		if k, strided := strings.CutPrefix(shape, "strided("); strided {
			n, err := strconv.ParseInt(strings.TrimSuffix(k, ")"), 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			s = slev.StridedBy(n)
		}
		if p == nil || s.String() != shape {
			t.Fatalf("bad flag %s", w)
		}
		o.Shapes[p] = s
	}
	return slev.Run(f, o)
}

const shapes = `func @f(%n i64, %u i8, %w i64, %i0 i64, %b0 i8) (i64, i8) {
entry:
	jmp header
header:
	%i = phi i64 [%i0, entry], [%i1, latch]
	%b = phi i8 [%b0, entry], [%b1, latch]
	%c = icmp.slt bool %i, %n
	br %c, body, exit
body:
	iter
	%k3 = const i64 3
	%k7 = const i8 7
	%neg = neg i64 %i
	%not = not i64 %i
	%sum = add i64 %i, %neg
	%m = mul i64 %k3, %i
	%mw = mul i64 %i, %w
	%s = shl i64 %m, %k3
	%d = sub i64 %s, %m
	%t = trunc i8 %s
	%bm = mul i8 %b, %k7
	%bs = add i8 %bm, %u
	%bz = zext i64 %bs
	%bx = sext i64 %b
	%and = and i64 %i, %k3
	%uu = xor i8 %u, %k7
	%e = icmp.eq bool %m, %m
	%sel = select i64 %e, %i, %m
	%c2 = icmp.ult bool %i, %w
	%same = select i64 %c2, %s, %s
	%min = umin i64 %i, %w
	jmp latch
latch:
	%one = const i64 1
	%i1 = add i64 %i, %one
	%mb = const i8 -3
	%b1 = add i8 %b, %mb
	jmp header
exit:
	ret %i, %b
}
`

// TestShapesAgainstInterpreter runs a loop and looks at each value in eight
// consecutive iterations: the lanes must relate as the shape says.
func TestShapesAgainstInterpreter(t *testing.T) {
	r := regiontest.Parse(t, shapes)
	sc := scev.New(r)
	sl := slev.Analyze(r, sc)
	for _, args := range [][5]int64{{40, 3, 5, 0, 0}, {1000, 200, -1, 970, 100}, {1 << 62, 77, 1 << 40, 1<<62 - 30, 255}} {
		lanes := make(map[*vir.Value][]uint64)
		run := interp.Config{Trace: func(v *vir.Value, res interp.Value) {
			if v.Type.Elem.IsInt() && v.Block.Name == "body" {
				lanes[v] = append(lanes[v], res.Bits[0])
			}
		}}
		var in []interp.Value
		for i, p := range r.Fn.Params {
			in = append(in, interp.New(p.Type, uint64(args[i])&(1<<(p.Type.Elem.Bits()-1)*2-1)))
		}
		if _, err := run.Run(r.Fn, nil, in); err != nil {
			t.Fatal(err)
		}
		compared := 0
		for v, got := range lanes {
			k, ok := sl.Stride(v)
			if a, _ := sc.Affine(v); !ok || len(a.Wrap) > 0 {
				continue // random, or right under bounds only
			}
			for i := 1; i < min(8, len(got)); i++ {
				compared++
				sh := 64 - v.Type.Elem.Bits()
				if (got[i]-got[i-1])<<sh != uint64(k)<<sh {
					t.Errorf("%s is %s, but goes from %d to %d", v.Inst(), sl.Shape(v), got[i-1], got[i])
				}
			}
		}
		if compared < 80 {
			t.Errorf("only %d lanes compared", compared)
		}
	}
}

// An extended induction that may wrap has no stride as a value: nothing keeps a
// kernel from the iterations behind the wrap. As a subscript it has one.
func TestSubscriptMayNotWrapValueMay(t *testing.T) {
	r := regiontest.Parse(t, shapes)
	sl := slev.Analyze(r, scev.New(r))
	bx := regiontest.Value(t, r, "bx")
	if k, ok := sl.Stride(bx); ok {
		t.Errorf("stride of an extended induction is %d; want none", k)
	}
	for v := range r.Fn.Values {
		if v.Op.IsLoad() && v.Index() == bx {
			if k := sl.Address(v); k != slev.StridedBy(-3*v.Scale) {
				t.Errorf("address of %s is %s", v.Inst(), k)
			}
		}
	}
}

// TestPredefinedShapes: a function without a loop, as for vector variants of
// functions: the lanes leave the loop in different iterations, but count b together.
func TestPredefinedShapes(t *testing.T) {
	r := regiontest.Parse(t, shapes)
	f := r.Fn
	sl := slev.Run(f, slev.Options{Shapes: map[*vir.Value]slev.Shape{
		f.Param("u"):  slev.StridedBy(1),
		f.Param("i0"): {Kind: slev.Random},
	}})
	for name, want := range map[string]string{"i": "random", "uu": "random", "m": "random", "b": "uniform", "w": "uniform", "k3": "uniform"} {
		if got := sl.Shape(regiontest.Value(t, r, name)).String(); got != want {
			t.Errorf("%%%s is %s, want %s", name, got, want)
		}
	}
}
