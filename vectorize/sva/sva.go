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
// A first scalar need not be uniform: the index of a unit-stride access is the
// scalar of the first lane.
package sva

import (
	"strings"

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
	fn   *vir.Func
	inst map[*vir.Value]Nature
	args map[*vir.Value][]Nature
	ret  map[*vir.Value]Nature
	used map[*vir.Value]Nature // union over all uses
}

// Analyze computes the natures for the loop of r, scalar or if-converted.
func Analyze(r *plan.Region, sl *slev.Result) *Result {
	a := newAnalysis(r, sl)
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
