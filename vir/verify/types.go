package verify

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// value checks fields, number of operands and types of v.
func (c *checker) value(v *vir.Value) {
	info := v.Op.Info()
	if info.Name == "" || v.Op == vir.OpInvalid {
		c.valuef(v, "no operation")
		return
	}
	if !c.result(v) {
		return
	}
	c.fields(v)
	if info.Args >= 0 && len(v.Args) != info.Args {
		c.valuef(v, "%s has %d operands, not %d", v.Op, len(v.Args), info.Args)
		return
	}
	for _, a := range v.Args {
		if a == nil || a.Type.Elem == vir.Void && v.Op != vir.OpResult {
			return // reported with the operand
		}
	}
	c.rule(v, info.Rule)
}

// result checks that v has a result exactly when its operation has one.
func (c *checker) result(v *vir.Value) bool {
	void := v.Op.Info().Effect
	switch {
	case void && v.Type != vir.Type{}:
		c.valuef(v, "%s has no result", v.Op)
	case !void && !validType(v.Type):
		c.valuef(v, "%s has bad result type %s", v.Op, v.Type)
	default:
		return true
	}
	return false
}

// fields checks that fields of other operations are zero.
func (c *checker) fields(v *vir.Value) {
	memory := v.Op.Info().Rule == vir.RuleMemory
	if v.Op != vir.OpConst && v.Bits != nil {
		c.valuef(v, "%s has constant bits", v.Op)
	}
	if v.Op != vir.OpExtract && v.Op != vir.OpSubvec && v.Op != vir.OpInsert && v.Op != vir.OpResult && v.Imm != 0 {
		c.valuef(v, "%s has an immediate", v.Op)
	}
	if v.Op != vir.OpCall && v.Callee != nil {
		c.valuef(v, "%s has a routine", v.Op)
	}
	if v.Op != vir.OpShuffle && v.Lanes != nil {
		c.valuef(v, "%s has a list of lanes", v.Op)
	}
	if !memory && (v.Indexed || v.Scale != 0 || v.Disp != 0) {
		c.valuef(v, "%s has an address", v.Op)
	}
	if !memory && !mayMask(v.Op) && v.Masked {
		c.valuef(v, "%s has a mask", v.Op)
	}
	if v.Param != (vir.ParamFacts{}) {
		c.valuef(v, "parameter facts on %s", v.Op)
	}
}

// mayMask reports whether an operation other than a memory access may end in a mask.
func mayMask(op vir.Op) bool { return op.IsCheck() || op == vir.OpCompress }

// rule checks the types of v against its row of the operation table.
func (c *checker) rule(v *vir.Value, r vir.Rule) {
	t := v.Type
	switch r {
	case vir.RuleNone:
	case vir.RuleConst:
		c.constant(v)
	case vir.RulePhi:
		c.operands(v, 0, t)
	case vir.RuleInt:
		c.resultIs(v, t.Elem.IsInt(), "an integer")
		c.operands(v, 0, t)
	case vir.RuleLogic:
		c.resultIs(v, t.Elem.IsInt() || t.Elem == vir.Bool, "an integer, bool or mask")
		c.operands(v, 0, t)
	case vir.RuleFloat:
		c.resultIs(v, t.Elem.IsFloat(), "a float")
		c.operands(v, 0, t)
	case vir.RuleIntCmp, vir.RuleFloatCmp:
		c.compare(v, r)
	case vir.RuleSelect:
		c.operands(v, 1, t)
		c.operandIs(v, 0, vir.Scalar(vir.Bool))
	case vir.RuleBlend:
		c.resultIs(v, t.IsVector(), "a vector")
		c.operands(v, 1, t)
		c.operandIs(v, 0, t.WithElem(vir.Bool))
	case vir.RuleTrunc, vir.RuleExt, vir.RuleIntToF, vir.RuleFToInt, vir.RuleFpext, vir.RuleFptrunc, vir.RuleBitcast:
		c.convert(v, r)
	case vir.RulePtradd:
		c.resultIs(v, t == vir.Scalar(vir.Ptr), "a ptr")
		c.operandIs(v, 0, t)
		c.operandIs(v, 1, vir.Scalar(vir.I64))
	case vir.RuleMemory:
		c.memory(v)
	case vir.RuleCheckIndex, vir.RuleCheck1:
		c.check(v)
	case vir.RuleTerm:
		c.term(v)
	case vir.RuleInsert:
		c.insert(v)
	case vir.RuleConcat:
		c.concat(v)
	case vir.RuleShuffle:
		c.shuffle(v)
	case vir.RulePermute:
		c.permute(v)
	case vir.RuleCompress:
		c.compress(v)
	case vir.RuleCall:
		c.call(v)
	case vir.RuleResult:
		c.routineResult(v)
	default:
		c.lanes(v, r)
	}
}

func (c *checker) resultIs(v *vir.Value, ok bool, what string) {
	if !ok {
		c.valuef(v, "%s of %s: the result must be %s", v.Op, v.Type, what)
	}
}

// operandIs reports operand k when its type is not t.
func (c *checker) operandIs(v *vir.Value, k int, t vir.Type) {
	if have := v.Args[k].Type; have != t {
		c.valuef(v, "operand %d is %s, not %s", k, have, t)
	}
}

// operands checks that the operands from k on are all of type t.
func (c *checker) operands(v *vir.Value, k int, t vir.Type) {
	for ; k < len(v.Args); k++ {
		c.operandIs(v, k, t)
	}
}

func (c *checker) constant(v *vir.Value) {
	if v.Op != vir.OpConst {
		return
	}
	if n := len(v.Bits); n != 1 && n != v.Type.Lanes {
		c.valuef(v, "constant of %s has %d entries", v.Type, n)
	}
	for _, x := range v.Bits {
		if n := v.Type.Elem.Bits(); n < 64 && x>>n != 0 {
			c.valuef(v, "constant 0x%x does not fit %s", x, v.Type.Elem)
		}
		if v.Type.Elem == vir.Ptr && x != 0 {
			c.valuef(v, "pointer constant other than nil")
		}
	}
}

func (c *checker) compare(v *vir.Value, r vir.Rule) {
	x := v.Args[0].Type
	c.operandIs(v, 1, x)
	ok := x.Elem.IsInt()
	switch {
	case r == vir.RuleFloatCmp:
		ok = x.Elem.IsFloat()
	case v.Op == vir.OpIcmpEq || v.Op == vir.OpIcmpNe:
		ok = ok || x.Elem == vir.Bool || x.Elem == vir.Ptr
	}
	if !ok {
		c.valuef(v, "%s does not compare %s", v.Op, x)
	}
	if t := x.WithElem(vir.Bool); v.Type != t {
		c.valuef(v, "comparison of %s gives %s, not %s", x, t, v.Type)
	}
}

func (c *checker) convert(v *vir.Value, r vir.Rule) {
	from, to := v.Args[0].Type.Elem, v.Type.Elem
	ok := false
	switch r {
	case vir.RuleTrunc:
		ok = from.IsInt() && to.IsInt() && from.Size() > to.Size()
	case vir.RuleExt:
		ok = to.IsInt() && (from == vir.Bool || from.IsInt() && from.Size() < to.Size())
	case vir.RuleIntToF:
		ok = from.IsInt() && to.IsFloat()
	case vir.RuleFToInt:
		ok = from.IsFloat() && to.IsInt()
	case vir.RuleFpext:
		ok = from == vir.F32 && to == vir.F64
	case vir.RuleFptrunc:
		ok = from == vir.F64 && to == vir.F32
	case vir.RuleBitcast:
		number := func(e vir.Elem) bool { return e.IsInt() || e.IsFloat() }
		// An address may be looked at as a number; pointers come from pointers only.
		// Vectors may change the size of their lanes, and thereby how many there are.
		if x := v.Args[0].Type; number(from) && number(to) && x.IsVector() && v.Type.IsVector() && x.Size() == v.Type.Size() {
			return
		}
		ok = number(from) && number(to) && from.Size() == to.Size() || from == vir.Ptr && to == vir.I64
	}
	if !ok {
		c.valuef(v, "%s does not convert %s to %s", v.Op, from, to)
	}
	if v.Args[0].Type.Lanes != v.Type.Lanes {
		c.valuef(v, "%s changes the lanes from %d to %d", v.Op, v.Args[0].Type.Lanes, v.Type.Lanes)
	}
}

// lanes checks operations between scalars and lanes.
func (c *checker) lanes(v *vir.Value, r vir.Rule) {
	x, t := v.Args[0].Type, v.Type
	switch r {
	case vir.RuleBroadcast:
		c.resultIs(v, t.IsVector(), "a vector")
		c.operandIs(v, 0, t.Lane())
	case vir.RuleExtract:
		c.operandVector(v, x)
		c.resultIs(v, t == x.Lane(), "the lane of "+x.String())
		if v.Imm < 0 || v.Imm >= int64(max(x.Lanes, 1)) {
			c.valuef(v, "lane %d of %s", v.Imm, x)
		}
	case vir.RuleLane:
		c.operandVector(v, x)
		if x.IsMask() {
			c.valuef(v, "operand 0 is a mask")
		}
		c.resultIs(v, t == x.Lane(), "the lane of "+x.String())
		c.operandIs(v, 1, vir.Scalar(vir.I64))
	case vir.RuleSubvec:
		c.operandVector(v, x)
		c.resultIs(v, t.IsVector() && t.Elem == x.Elem, "a vector of "+x.Elem.String())
		if n := int64(t.Lanes); n > 0 && (v.Imm < 0 || v.Imm%n != 0 || v.Imm+n > int64(x.Lanes)) {
			c.valuef(v, "%s does not start at lane %d of %s", t, v.Imm, x)
		}
	case vir.RulePrefix:
		c.resultIs(v, t.IsMask(), "a mask")
		c.operandIs(v, 0, vir.Scalar(vir.I64))
	case vir.RuleMaskToB:
		c.resultIs(v, t == vir.Scalar(vir.Bool), "a bool")
		c.operandMask(v, x)
	case vir.RuleMaskToI:
		c.resultIs(v, t == vir.Scalar(vir.I64), "an i64")
		c.operandMask(v, x)
	case vir.RuleLeast:
		c.resultIs(v, t == vir.Scalar(vir.I64), "an i64")
		c.operandIs(v, 0, vir.Scalar(vir.I64))
	}
}

func (c *checker) operandVector(v *vir.Value, x vir.Type) {
	if !x.IsVector() {
		c.valuef(v, "operand 0 is %s, not a vector", x)
	}
}

func (c *checker) operandMask(v *vir.Value, x vir.Type) {
	if !x.IsMask() {
		c.valuef(v, "operand 0 is %s, not a mask", x)
	}
}

func (c *checker) compress(v *vir.Value) {
	c.resultIs(v, v.Type.IsVector() && v.Type.Elem != vir.Bool, "a vector and no mask")
	c.operandIs(v, 0, v.Type)
	c.operandIs(v, 1, v.Type.WithElem(vir.Bool))
	if !v.Masked {
		c.valuef(v, "compress without a mask")
	}
}

func (c *checker) term(v *vir.Value) {
	switch v.Op {
	case vir.OpBr:
		c.operandIs(v, 0, vir.Scalar(vir.Bool))
	case vir.OpRet:
		var have []vir.Type
		for _, a := range v.Args {
			have = append(have, a.Type)
		}
		if !slices.Equal(have, c.f.Results) {
			c.valuef(v, "returns %v, function has results %v", have, c.f.Results)
		}
	}
}
