// Package sva is scalar/vector analysis (SVA): for each value of a loop being
// vectorized, whether the vector program needs it as a vector, as the scalar of
// the first lane, or as the scalar of the last lane. A value can be needed in
// several natures and is then computed several times.
//
// It builds on slev and decides nothing about machines or costs. Where broadcasts
// and extracts go follows from comparing the nature of a definition with the
// nature of each of its uses:
//
//	computed as \ used as   Vector      FirstScalar   LastScalar
//	Vector                  as it is    extract       extract
//	FirstScalar             broadcast   as it is      not allowed
//	LastScalar              broadcast   not allowed   as it is
//
// A scalar of either kind need not be uniform: the index of a unit-stride access
// is the scalar of the first lane. Nor does scalar mean serialized: a scatter that
// is done lane by lane takes its values out of a vector, and they are of nature
// Vector here. The one value of something uniform is that of the first and of the
// last lane.
//
// Three places have natures: the definition, its result and each use. They differ
// where lanes become a scalar: a reduction is computed as a vector, and its result
// is a scalar too, since the lanes are combined behind the loop. vir has no calls,
// so there is no rule for their parameters.
//
// Loop entities have rules of their own:
//
//	start of any state variable     FirstScalar
//	induction                       what its uses need; steps and ends as FirstScalar
//	reduction                       Vector inside, FirstScalar behind the loop
//	set anew in each iteration      LastScalar
//
// Nothing is changed in the function: broadcasts and extracts depend on the number
// of lanes, and there may be several.
package sva

import (
	"strings"

	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vectorize/slev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// Nature is a set of the three ways to need a value.
type Nature uint8

const (
	Vector      Nature = 1 << iota // one value per lane
	FirstScalar                    // the value of the first active lane
	LastScalar                     // the value of the last active lane
)

// Has reports whether all of m are in n.
func (n Nature) Has(m Nature) bool { return n&m == m }

// String is Vec, FScal, LScal or a concatenation; "" for none.
func (n Nature) String() string {
	var sb strings.Builder
	if n.Has(FirstScalar) {
		sb.WriteString("FScal")
	}
	if n.Has(LastScalar) {
		sb.WriteString("LScal")
	}
	if n.Has(Vector) {
		sb.WriteString("Vec")
	}
	return sb.String()
}

// Result is immutable.
type Result struct {
	fn     *vir.Func
	header *vir.Block // of the loop

	inst map[*vir.Value]Nature
	args map[*vir.Value][]Nature
	ret  map[*vir.Value]Nature
	used map[*vir.Value]Nature // union over all uses
}

// Options tell what the other analyses cannot know. The zero value is right when
// nothing has been decided.
type Options struct {
	// Walks, if set, reports whether memory operation v goes by the address of its
	// first lane although its lanes are no neighbours: all others lie at a
	// constant distance from it. Without it such an access needs every address.
	Walks func(v *vir.Value) bool
}

// Analyze computes the natures for the loop of r, scalar or if-converted.
func Analyze(r *plan.Region, sc *scev.Info, sl *slev.Result, opt Options) *Result {
	a := newAnalysis(r, sc, sl, opt)
	a.solve()
	return a.Result
}

// Inst says in which natures v is computed.
func (r *Result) Inst(v *vir.Value) Nature { return r.inst[v] }

// Operand says in which natures v uses its operand i.
func (r *Result) Operand(v *vir.Value, i int) Nature { return r.args[v][i] }

// Return says in which natures the result of v exists after v. It differs from
// Inst for operations that turn lanes into a scalar.
func (r *Result) Return(v *vir.Value) Nature { return r.ret[v] }

// NeedsBroadcast reports whether v is computed as a scalar only and used as a vector.
func (r *Result) NeedsBroadcast(v *vir.Value) bool {
	return !r.ret[v].Has(Vector) && r.used[v].Has(Vector)
}

// NeedsExtractFirst reports whether v is used as the scalar of the first lane
// but not computed as such.
func (r *Result) NeedsExtractFirst(v *vir.Value) bool {
	return !r.ret[v].Has(FirstScalar) && r.used[v].Has(FirstScalar)
}

// NeedsExtractLast reports whether v is used as the scalar of the last lane but
// not computed as such.
func (r *Result) NeedsExtractLast(v *vir.Value) bool {
	return !r.ret[v].Has(LastScalar) && r.used[v].Has(LastScalar)
}

// Note is the annotation of v for vir.PrintOptions: [result, instruction]
// operands, and what has to be added behind v.
func (r *Result) Note(v *vir.Value) string {
	var sb strings.Builder
	sb.WriteByte('[')
	if v.Type.Elem != vir.Void {
		sb.WriteString(r.ret[v].String() + ", ")
	}
	sb.WriteString(r.inst[v].String() + "]")
	for _, n := range r.args[v] {
		sb.WriteString(" " + n.String())
	}
	for _, need := range []struct {
		is   bool
		text string
	}{
		{r.NeedsBroadcast(v), "broadcast"},
		{r.NeedsExtractFirst(v), "extract first"},
		{r.NeedsExtractLast(v), "extract last"},
	} {
		if need.is {
			sb.WriteString("; " + need.text)
		}
	}
	return sb.String()
}
