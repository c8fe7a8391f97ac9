package slev

import (
	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// Options predefine what an analysis cannot find out by itself.
type Options struct {
	// Loop is the loop whose iterations the lanes are; nil for lanes that each
	// run the whole function.
	Loop *loops.Loop
	// Shapes are given: divergence origins, parameters (otherwise uniform),
	// values that Loop carries (otherwise judged by the value before the loop,
	// which is wrong for all that change).
	Shapes map[*vir.Value]Shape
	// Stride, if set, may know the stride of an integer for which the rules
	// have none (extensions of narrow values).
	Stride func(*vir.Value) (int64, bool)
	// Subscript, if set, is Stride for values that serve as subscripts, where
	// more may be assumed.
	Subscript func(*vir.Value) (int64, bool)
	// Control are blocks whose branch all lanes take together whatever its
	// condition: the test for the end of the loop being vectorized.
	Control []*vir.Block
}

// Analyze classifies the values of a region whose outermost loop is being
// vectorized: inductions are strided, other changing state is random. An
// extended narrow value is strided only if it cannot wrap in any iteration: the
// Wrap bounds of scev.Info.Affine hold for addresses, whose accesses limit the
// kernel's iterations by them, not for values.
func Analyze(r *plan.Region, sc *scev.Info) *Result {
	return Run(r.Fn, regionOptions(r, sc, []*vir.Block{r.Fn.Entry().Succs[0]}))
}

// Joint is Analyze for a region behind if-conversion: all lanes take the branches of
// its body together, as long as one of them wants to.
func Joint(r *plan.Region, sc *scev.Info) *Result {
	return Run(r.Fn, regionOptions(r, sc, r.Fn.Blocks))
}

// regionOptions describe the loop of a region; all lanes take the branches of joint
// blocks together.
func regionOptions(r *plan.Region, sc *scev.Info, joint []*vir.Block) Options {
	o := Options{
		Control: joint,
		Shapes:  make(map[*vir.Value]Shape),
		Stride: func(v *vir.Value) (int64, bool) {
			a, ok := sc.Evolution(v)
			return a.Step, ok && a.StepExpr == nil && len(a.Wrap) == 0
		},
		Subscript: func(v *vir.Value) (int64, bool) {
			a, ok := sc.Affine(v)
			return a.Step, ok
		},
	}
	header := r.Fn.Entry().Succs[0]
	if l := loops.Find(r.Fn).Of(header); l != nil && l.Header == header {
		o.Loop = l
	}
	for _, phi := range header.Phis() {
		o.Shapes[phi] = random
		if sc.Phi(phi) == scev.Unchanged {
			o.Shapes[phi] = uniform
		} else if a, ok := sc.Affine(phi); ok {
			o.Shapes[phi] = StridedBy(a.Step)
		}
	}
	return o
}

// AnalyzeLoop classifies the values of any natural loop of f when its iterations
// become lanes: inductions by a constant are strided, other changing state is
// random. The branch at the header is taken to be the test for its end.
func AnalyzeLoop(f *vir.Func, l *loops.Loop) *Result {
	o := Options{Loop: l, Shapes: make(map[*vir.Value]Shape), Control: []*vir.Block{l.Header}}
	for _, phi := range l.Header.Phis() {
		o.Shapes[phi] = carried(l, phi)
	}
	return Run(f, o)
}

// carried is the shape of a value that l carries.
func carried(l *loops.Loop, phi *vir.Value) Shape {
	s := Shape{}
	for i, next := range phi.Args {
		if l.Contains(phi.Block.Preds[i]) {
			s = join(s, step(phi, next))
		}
	}
	return s
}

// step is the shape of phi when its value in the next iteration is next.
func step(phi, next *vir.Value) Shape {
	if next == phi {
		return uniform
	}
	if len(next.Args) != 2 || next.Type.IsVector() {
		return random
	}
	x, y := next.Args[0], next.Args[1]
	if next.Op == vir.OpAdd && y == phi {
		x, y = y, x
	}
	k, ok := y.ConstInt()
	switch {
	case !ok || x != phi:
		return random
	case next.Op == vir.OpAdd, next.Op == vir.OpPtradd:
		return strided(next, k, uniform)
	case next.Op == vir.OpSub:
		return strided(next, -k, uniform)
	}
	return random
}
