package sva

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vectorize/slev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// Natures flow from uses to definitions:
//
//	used(v)       = union of args(u, i) over all users u of v, v their operand i
//	inst(v)       = what v's operation and shape make of used(v)
//	args(v, i)    = what v's operation makes of inst(v) for operand i
//
// Both functions only grow with their argument, so visiting everything in
// post-order until nothing changes reaches the least solution; without phis one
// round is enough.
type analysis struct {
	*Result
	sc    *scev.Info
	sl    *slev.Result
	opt   Options
	entry int // position of the entry among the header's predecessors
}

func newAnalysis(r *plan.Region, sc *scev.Info, sl *slev.Result, opt Options) *analysis {
	a := &analysis{
		Result: &Result{
			fn: r.Fn, header: r.Fn.Entry().Succs[0],
			inst: make(map[*vir.Value]Nature),
			args: make(map[*vir.Value][]Nature),
			ret:  make(map[*vir.Value]Nature),
			used: make(map[*vir.Value]Nature),
		},
		sc:  sc,
		sl:  sl,
		opt: opt,
	}
	a.entry = a.header.PredIndex(r.Fn.Entry())
	return a
}

func (a *analysis) solve() {
	order := loops.RPO(a.fn)
	slices.Reverse(order)
	for changed := true; changed; {
		changed = false
		for _, b := range order {
			for _, v := range slices.Backward(b.Insts) {
				changed = a.visit(v) || changed
			}
		}
	}
	for _, p := range a.fn.Params {
		a.visit(p)
	}
}

// visit recomputes v and hands its needs to its operands.
func (a *analysis) visit(v *vir.Value) bool {
	n := a.define(v)
	if old, ok := a.inst[v]; ok && old == n {
		return false
	}
	a.inst[v] = n
	a.ret[v] = a.returned(v)
	args := make([]Nature, len(v.Args))
	for i, x := range v.Args {
		args[i] = a.operand(v, i)
		a.used[x] |= args[i]
	}
	a.args[v] = args
	return true
}

// returned is the natures in which the result of v exists: those in which v is
// computed, but for what turns lanes into a scalar.
func (a *analysis) returned(v *vir.Value) Nature {
	switch v.Op {
	case vir.OpAny, vir.OpAll, vir.OpCount, vir.OpFirst, vir.OpBits, vir.OpExtract:
		return FirstScalar
	case vir.OpPhi:
		if a.isCarried(v) && a.sc.Phi(v) == scev.Reduction && !a.affine(v) {
			return Vector | FirstScalar // behind the loop the lanes are combined
		}
	}
	return a.inst[v]
}

func (a *analysis) isCarried(v *vir.Value) bool { return v.Op == vir.OpPhi && v.Block == a.header }

// affine reports whether the lanes of v follow from the first one.
func (a *analysis) affine(v *vir.Value) bool {
	_, ok := a.sl.Stride(v)
	return ok
}

// define is the natures in which v must be computed.
func (a *analysis) define(v *vir.Value) Nature {
	switch {
	case v.Op == vir.OpIter, v.Op.Info().Term:
		return FirstScalar
	case v.Op.IsStore():
		return a.store(v)
	case v.Op.IsCheck():
		if slices.ContainsFunc(v.Args, func(x *vir.Value) bool { return !a.boundOperand(v, x) }) {
			return Vector
		}
		return FirstScalar
	case v.Op == vir.OpParam, v.Op == vir.OpConst, a.sl.IsUniform(v):
		// A uniform chain stays scalar to its end; one broadcast there. Its one
		// value is that of the last lane too.
		return FirstScalar | a.used[v]&LastScalar
	case v.Op.IsLoad():
		return Vector
	case a.isCarried(v) && !a.affine(v):
		return a.carried(v)
	case !a.scalarable(v, 0):
		return Vector
	case a.used[v] == 0:
		return FirstScalar
	}
	return a.used[v]
}

// carried is the natures of a state variable that is no induction. One that is
// set anew in each iteration is of interest behind the loop alone, where it has
// the value of the last iteration.
func (a *analysis) carried(phi *vir.Value) Nature {
	if a.sc.Phi(phi) == scev.Anew {
		return LastScalar
	}
	return Vector
}

// boundOperand reports whether check v needs no more of its operand x than one
// scalar: an index that changes by a constant is compared at its ends, other
// checks must see each lane that differs.
func (a *analysis) boundOperand(v, x *vir.Value) bool {
	return a.sl.IsUniform(x) || v.Op == vir.OpCheckIndex && a.affine(x)
}

// maxDepth limits how far back scalarable looks.
const maxDepth = 16

// scalarable reports whether the first and the last lane of v can be computed
// without any vector: v is affine, or arithmetic on such values, as in loop control.
func (a *analysis) scalarable(v *vir.Value, depth int) bool {
	if a.affine(v) {
		return true
	}
	info := v.Op.Info()
	if depth > maxDepth || v.Op == vir.OpPhi || info.Reads || info.Effect || len(v.Args) == 0 {
		return false
	}
	for _, x := range v.Args {
		if !a.scalarable(x, depth+1) {
			return false
		}
	}
	return true
}

// store is one scalar store when all lanes go to one address: of any lane's
// value if all are equal, else of the last lane's.
func (a *analysis) store(v *vir.Value) Nature {
	switch {
	case a.sl.Address(v).Kind != slev.Uniform || a.divergentMask(v):
		return Vector
	case a.sl.IsUniform(v.Stored()):
		return FirstScalar
	}
	return LastScalar
}

func (a *analysis) divergentMask(v *vir.Value) bool {
	return v.Mask() != nil && !a.sl.IsUniform(v.Mask())
}

// operand is the natures in which v needs its operand i.
func (a *analysis) operand(v *vir.Value, i int) Nature {
	x := v.Args[i]
	switch {
	case v.Op.IsLoad() || v.Op.IsStore():
		return a.memoryOperand(v, i)
	case v.Op.IsCheck():
		if a.boundOperand(v, x) {
			return FirstScalar
		}
		return Vector
	case v.Op == vir.OpBr:
		if v.Block == a.header || a.sl.IsUniform(x) {
			return FirstScalar
		}
		return Vector
	case v.Op == vir.OpRet:
		return a.final(x)
	case a.isCarried(v):
		// The loop starts from scalars, and the lanes of an induction follow
		// from its scalar in every iteration.
		if i == a.entry || a.affine(v) {
			return FirstScalar
		}
		return a.inst[v]
	case v.Op == vir.OpSelect && i == 0 && a.sl.IsUniform(x):
		return FirstScalar
	}
	return a.inst[v]
}

// final is the nature in which x leaves the loop: an induction as a scalar, a
// variable set anew with its last value, a reduction combined to a scalar.
func (a *analysis) final(x *vir.Value) Nature {
	switch {
	case a.affine(x):
		return FirstScalar
	case a.isCarried(x) && a.sc.Phi(x) == scev.Anew:
		return LastScalar
	case a.isCarried(x) && a.sc.Phi(x) == scev.Reduction:
		return FirstScalar
	}
	return Vector
}

// memoryOperand: the address of accesses that walk over neighbours or stay in
// place is that of the first lane; all other accesses need every lane's.
func (a *analysis) memoryOperand(v *vir.Value, i int) Nature {
	x := v.Args[i]
	switch {
	case v.Op.IsStore() && i == 0:
		return a.inst[v]
	case v.Masked && i == len(v.Args)-1:
		if a.inst[v] == Vector {
			return Vector
		}
		return FirstScalar
	case a.walks(v), x.Op == vir.OpParam:
		return FirstScalar
	}
	return Vector
}

// walks reports whether all addresses of v follow from that of the first lane.
func (a *analysis) walks(v *vir.Value) bool {
	return a.neighbours(v) || a.opt.Walks != nil && a.opt.Walks(v)
}

// neighbours reports whether the address of v is uniform, unit-stride or reverse.
func (a *analysis) neighbours(v *vir.Value) bool {
	addr, size := a.sl.Address(v), int64(v.Access().Size())
	switch addr.Kind {
	case slev.Uniform:
		return true
	case slev.Strided:
		return addr.Stride == size || addr.Stride == -size
	}
	return false
}
