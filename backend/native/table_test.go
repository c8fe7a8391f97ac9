package native_test

import (
	"flag"
	"regexp"
	"slices"
	"testing"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vir"
)

// A row is a line of the selection table: an operation on lanes of an element, or on
// scalars (0 lanes). It stands in the target's tables under from; conversions have to
// besides.
type row struct {
	op       vir.Op
	from, to vir.Elem
	lanes    int
}

func (r row) String() string {
	s := name(r.op, vir.Type{Elem: r.from, Lanes: r.lanes})
	if r.to != vir.Void {
		s += "_" + r.to.String()
	}
	return s
}

// typ is the type under which the target knows the row.
func (r row) typ() vir.Type { return vir.Type{Elem: r.from, Lanes: r.lanes} }

var everyElem = []vir.Elem{vir.Void, vir.Bool, vir.I8, vir.I16, vir.I32, vir.I64, vir.F32, vir.F64, vir.Ptr}

func isConversion(op vir.Op) bool { return vir.OpTrunc <= op && op <= vir.OpFptrunc }

// legalRows asks the target about every operation on every type. What it allows is the
// table; divisions of vectors of 64 bits are legal by constants.
func legalRows(tgt *target.Target) (rows []row) {
	for _, op := range vir.Ops() {
		for _, from := range everyElem {
			for _, lanes := range allLanes {
				t := vir.Type{Elem: from, Lanes: lanes}
				if isConversion(op) {
					for _, to := range everyElem {
						if tgt.LegalConvert(op, t, t.WithElem(to)) {
							rows = append(rows, row{op, from, to, lanes})
						}
					}
				}
				if tgt.Legal(op, t) || lanes > 0 && from.IsInt() && isDivision(op) && tgt.LegalValue(quotient(op, t)) {
					rows = append(rows, row{op, from, vir.Void, lanes})
				}
			}
		}
	}
	return rows
}

// quotient is a division of type t by a constant.
func quotient(op vir.Op, t vir.Type) *vir.Value {
	d := &vir.Value{Op: vir.OpConst, Type: t, Bits: []uint64{3}}
	return &vir.Value{Op: op, Type: t, Args: []*vir.Value{{Op: vir.OpPoison, Type: t}, d}}
}

// byConstants reports whether the operation is a division whose divisors are constants.
func (r row) byConstants() bool { return isDivision(r.op) && r.lanes > 0 && r.from == vir.I64 }

// rowOf is the row of v.
func rowOf(v *vir.Value) row {
	t := v.Type
	switch r := v.Op.Info().Rule; {
	case isConversion(v.Op):
		x := v.Args[0].Type
		return row{v.Op, x.Elem, t.Elem, x.Lanes}
	case v.Op.IsStore():
		t = v.Access()
	case r == vir.RuleIntCmp, r == vir.RuleFloatCmp, r == vir.RuleExtract, r == vir.RuleLane, r == vir.RuleSubvec, r == vir.RuleMaskToB, r == vir.RuleMaskToI:
		t = v.Args[0].Type
	}
	return row{v.Op, t.Elem, vir.Void, t.Lanes}
}

// illFormed says why vir has no such values, although the target's tables, which go by
// operation, have a row for them; "" for all others.
func illFormed(r row) string {
	switch {
	case r.from == vir.Void:
		return "checks and control flow have no type; checks do not reach kernels"
	case r.op == vir.OpLeast:
		return "left out of kernels"
	case r.from == vir.Bool && (r.op.IsLoad() || r.op.IsStore() || r.op == vir.OpBitcast):
		return "truth values have no form in memory"
	case r.from == vir.Ptr && r.op == vir.OpStore:
		return "pointers are not stored"
	case r.from == vir.Ptr && r.op == vir.OpBitcast:
		return "pointers come from pointers only"
	case r.lanes == 0 && r.op.Info().Rule == vir.RuleMaskToB, r.lanes == 0 && r.op.Info().Rule == vir.RuleMaskToI:
		return "of masks; the scalar row is for the result"
	}
	return ""
}

// TestEveryRowHasKernels fails when something is legal and no kernel of the table has it.
func TestEveryRowHasKernels(t *testing.T) {
	rows := legalRows(level())
	forms, none := 0, 0
	for _, r := range rows {
		if illFormed(r) != "" {
			none++
			continue
		}
		s, ok := sheetOf(r)
		if !ok {
			t.Errorf("%s %s is legal, but nothing tests it", r.op, r)
			continue
		}
		found := false
		for _, f := range []*vir.Func{s.loop("loop"), s.straight("straight")} {
			for v := range f.Values {
				found = found || rowOf(v) == r
			}
			for _, p := range f.Params {
				found = found || rowOf(p) == r
			}
		}
		if !found {
			t.Errorf("%s %s: no kernel of its sheet has it\n%s", r.op, r, s.loop("loop"))
		}
		forms += len(s.outs)
	}
	t.Logf("%d rows, %d of them not in vir, %d forms", len(rows), none, forms)
	if len(rows) < 2500 {
		t.Errorf("the table has only %d rows", len(rows))
	}
}

var (
	long    = flag.Bool("long", false, "run what takes minutes: all forms of all rows, 16 bits exhaustively, more divisors")
	rowsRun = flag.String("rows", "", "regular expression: rows to run, of the table and of what is exhaustive")
)

// TestTable runs the table: in ordinary runs all rows with some of their forms, mostly in
// loops; else all forms of all rows, in loops and as straight lines.
func TestTable(t *testing.T) {
	if *long {
		runTable(t, level(), *rowsRun, 1<<20, 1)
		return
	}
	runTable(t, level(), *rowsRun, 4, 6)
}

// TestTableOtherWays stores under masks and gathers lane by lane.
func TestTableOtherWays(t *testing.T) {
	tgt := level()
	tgt.MaskMoveStores, tgt.GatherByLoads = false, true
	forms := 2
	if *long {
		forms = 1 << 20
	}
	runTable(t, tgt, `^(store_unit|store_reverse|gather)_`, forms, 8)
}

// TestTableInFewRegisters spills.
func TestTableInFewRegisters(t *testing.T) {
	if !*long {
		t.Skip("long")
	}
	inFewRegisters(t, 5, 6, func(t *testing.T, tgt *target.Target) {
		runTable(t, tgt, *rowsRun, 12, 2)
	})
}

// runTable runs the rows of the names with so many forms at most, one of so many as
// straight lines too.
func runTable(t *testing.T, tgt *target.Target, names string, forms, straight int) {
	t.Helper()
	only := regexp.MustCompile(names)
	b := newBatch(t, tgt)
	b.check = !*long
	for i, r := range legalRows(tgt) {
		if illFormed(r) != "" || !only.MatchString(r.String()) {
			continue
		}
		s, ok := sheetOf(r)
		if !ok {
			t.Errorf("%s is legal, but nothing tests it", r)
			continue
		}
		if tgt.VectorRegs < 16 { // too few for routines
			s.outs = slices.DeleteFunc(s.outs, func(o output) bool { return o.form == "called" })
		}
		forms := forms
		if r.from == vir.Bool {
			forms *= 3 // many, and short
		}
		d := dataFor(s.ins, streamLen)
		b.add(s.some(forms, i), d, streamLen, true)
		if i%straight == 0 {
			s := s.some(forms, i/straight)
			s.inOrder = i/straight%2 == 1
			b.add(s, d, streamLen, false)
		}
	}
	b.done()
}
