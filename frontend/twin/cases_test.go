package twin

import (
	"github.com/lanewise/lanewise/frontend"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// A goldenCase is one shape. With run, TestRun executes its twins: sim are
// bodies for the kernels, run is the body of func() that panics when something
// is wrong; both are Go.
type goldenCase struct {
	name  string
	src   string
	build func(*builder)
	sim   map[string]string
	run   string
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
