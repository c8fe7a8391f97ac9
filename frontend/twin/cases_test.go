package twin

import (
	"github.com/lanewise/lanewise/frontend"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

type goldenCase struct {
	name  string
	src   string
	build func(*builder)
}

func zero() *int64 { return new(int64) }

func arg(i int) plan.Arg { return plan.Arg{Kind: plan.ArgParam, Index: i} }

var count = plan.Arg{Kind: plan.ArgCount}

// advance is the update of the state behind parameter p by k per iteration.
func advance(p int, k int64) plan.Out {
	return plan.Out{Kind: plan.OutExpr, Expr: plan.Add(plan.Param(p), plan.Mul(plan.Done(), plan.Const(k)))}
}

func slice(name, expr string) paramSpec {
	return paramSpec{name: name, kind: frontend.ParamSliceData, expr: expr, vir: vir.Ptr}
}

func length(expr string) paramSpec {
	return paramSpec{name: expr + "_len", kind: frontend.ParamLen, expr: expr, vir: vir.I64}
}

func value(name, expr string, e vir.Elem) paramSpec {
	return paramSpec{name: name, kind: frontend.ParamValue, expr: expr, vir: e}
}

func counter() paramSpec { return paramSpec{name: "i0", kind: frontend.ParamCounter, vir: vir.I64} }

// upTo is the trip from the state behind parameter p up to parameter q.
func upTo(p, q int) plan.Trip {
	return plan.Trip{Cond: plan.Less, Start: plan.Param(p), Limit: plan.Param(q), Step: 1}
}

func inLen(p, q int) plan.Bound {
	return plan.Bound{Start: plan.Param(p), Step: 1, Lo: plan.Const(0), Hi: plan.Param(q)}
}

var cases = []goldenCase{
	{"axpy", `package p

// axpy adds a*x to y.
//
//vec:func Axpy
func axpy(a float32, x, y []float32) {
	for i := range y { // all of y
		y[i] += a * x[i]
	}
}
`, func(b *builder) {
		b.twin("axpy", "Axpy", []loopSpec{{
			params: []paramSpec{slice("x", "x"), length("x"), slice("y", "y"), length("y"), value("a", "a", vir.F32), counter()},
			states: []stateSpec{{param: 5, out: advance(5, 1)}},
			kernel: &kernelSpec{name: "axpyKernel", args: []plan.Arg{arg(0), arg(2), arg(4), arg(5), count},
				trip: upTo(5, 3), bounds: []plan.Bound{inLen(5, 1)},
				overlaps: []plan.Overlap{{A: plan.Stream{Param: 2, Off: plan.Const(0), Step: 4, Size: 4}, B: plan.Stream{Param: 0, Off: plan.Const(0), Step: 4, Size: 4}, Lo: -128, Hi: 0}},
				min:      8, block: 32, strip: 1 << 15},
		}})
	}},
}
