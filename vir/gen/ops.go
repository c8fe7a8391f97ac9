package gen

import "github.com/lanewise/lanewise/vir"

// op appends operation op on data of the given lanes, with operands from the
// pool, and puts the result into the pool. It does nothing when the operation
// has no form for these lanes or is not allowed.
func (m *maker) op(op vir.Op, lanes int) {
	if v := m.make(op, lanes); v != nil {
		m.add(v)
	}
}

func (m *maker) make(op vir.Op, lanes int) *vir.Value {
	typ := func(es []vir.Elem) vir.Type { return vir.Type{Elem: pick(m.Source, es), Lanes: lanes} }
	switch r := op.Info().Rule; r {
	case vir.RuleConst:
		return m.constOrPoison(op, typ(data))
	case vir.RuleInt:
		return m.arith(op, typ(ints))
	case vir.RuleLogic:
		return m.same(op, typ(append([]vir.Elem{vir.Bool}, ints...)))
	case vir.RuleFloat:
		return m.arith(op, typ(flts))
	case vir.RuleIntCmp, vir.RuleFloatCmp:
		return m.compare(op, r, typ)
	case vir.RuleSelect:
		t := typ(data)
		return m.ifAllowed(op, t, func() *vir.Value { return m.emit(op, t, m.value(bool1), m.value(t), m.value(t)) })
	case vir.RuleMemory:
		return m.read(op, typ(data))
	case vir.RuleCheckIndex, vir.RuleCheck1, vir.RuleNone:
		m.check(op, lanes)
		return nil
	case vir.RulePtradd:
		return nil // addresses contain it
	case vir.RuleTrunc, vir.RuleExt, vir.RuleIntToF, vir.RuleFToInt, vir.RuleFpext, vir.RuleFptrunc, vir.RuleBitcast:
		return m.convert(op, r, lanes)
	}
	if lanes == 0 {
		return nil // what is left has vectors only
	}
	return m.acrossLanes(op, typ(data))
}

func (m *maker) ifAllowed(op vir.Op, t vir.Type, f func() *vir.Value) *vir.Value {
	if !m.allowed(op, t) {
		return nil
	}
	return f()
}

// same has operands and result of type t.
func (m *maker) same(op vir.Op, t vir.Type) *vir.Value {
	return m.ifAllowed(op, t, func() *vir.Value {
		args := make([]*vir.Value, op.Info().Args)
		for i := range args {
			args[i] = m.value(t)
		}
		return m.emit(op, t, args...)
	})
}

// arith is same with divisors that are not zero, counts that often lie below the
// width, signs that are no NaN's, and numbers where NaNs are poison.
func (m *maker) arith(op vir.Op, t vir.Type) *vir.Value {
	if !m.allowed(op, t) {
		return nil
	}
	switch op {
	case vir.OpSdiv, vir.OpUdiv, vir.OpSrem, vir.OpUrem:
		return m.divide(op, t)
	case vir.OpShl, vir.OpLshr, vir.OpAshr, vir.OpRotl:
		if m.chance(70) {
			return m.emit(op, t, m.value(t), m.count(t))
		}
	case vir.OpFcopysign:
		return m.emit(op, t, m.value(t), m.number(t))
	case vir.OpFminNnan, vir.OpFmaxNnan:
		return m.emit(op, t, m.number(t), m.number(t))
	}
	return m.same(op, t)
}

func (m *maker) divide(op vir.Op, t vir.Type) *vir.Value {
	if m.opt.ConstDivisors && (t.IsVector() || m.chance(50)) {
		return m.emit(op, t, m.value(t), m.b.Const(t, max(1, m.lane(t.Elem))))
	}
	y := m.value(t)
	if m.opt.Panics && m.loop == nil && m.chance(30) {
		m.used[y] = true
		m.b.Check(vir.OpCheckDiv, nil, y)
	} else {
		y = m.emit(vir.OpOr, t, y, m.b.Int(t, int64(1+m.below(7))))
	}
	return m.emit(op, t, m.value(t), y)
}

// count is a shift count mostly below the width.
func (m *maker) count(t vir.Type) *vir.Value {
	w := t.Elem.Bits()
	if m.chance(50) {
		return m.b.Int(t, int64(m.below(w+2)))
	}
	return m.emit(vir.OpAnd, t, m.value(t), m.b.Int(t, int64(2*w-1)))
}

// number is a float that is no NaN.
func (m *maker) number(t vir.Type) *vir.Value {
	x := m.value(t)
	ok := m.emit(vir.OpFcmpEq, t.WithElem(vir.Bool), x, x)
	op := vir.OpBlend
	if !t.IsVector() {
		op = vir.OpSelect
	}
	return m.emit(op, t, ok, x, m.b.Float(t, 1.25))
}

func (m *maker) constOrPoison(op vir.Op, t vir.Type) *vir.Value {
	if !m.allowed(op, t) {
		return nil
	}
	if op == vir.OpConst {
		return m.constant(t)
	}
	p := m.b.Op(vir.OpPoison, t)
	if !t.IsVector() {
		c := m.emit(vir.OpOr, bool1, m.value(bool1), m.b.Const(bool1, 1))
		return m.emit(vir.OpSelect, t, c, m.value(t), p)
	}
	mask := m.value(t.WithElem(vir.Bool))
	half := m.emit(vir.OpBlend, t, mask, m.value(t), p)
	return m.emit(vir.OpBlend, t, mask, half, m.value(t))
}

func (m *maker) compare(op vir.Op, r vir.Rule, typ func([]vir.Elem) vir.Type) *vir.Value {
	es := ints
	switch {
	case r == vir.RuleFloatCmp:
		es = flts
	case op == vir.OpIcmpEq || op == vir.OpIcmpNe:
		es = append([]vir.Elem{vir.Bool}, ints...)
	}
	x := typ(es)
	return m.ifAllowed(op, x, func() *vir.Value {
		return m.emit(op, x.WithElem(vir.Bool), m.value(x), m.value(x))
	})
}

func (m *maker) read(op vir.Op, t vir.Type) *vir.Value {
	if t.IsVector() == (op == vir.OpLoad) || !m.allowed(op, t) || !m.mayLoad(t) {
		return nil
	}
	switch {
	case op == vir.OpGather:
		return m.gather(t)
	case op == vir.OpLoadExpand && m.loop != nil:
		return nil
	case op == vir.OpLoadExpand:
		return m.expand(t)
	}
	return m.load(op, t)
}

func (m *maker) convert(op vir.Op, r vir.Rule, lanes int) *vir.Value {
	var from, to vir.Elem
	switch r {
	case vir.RuleTrunc:
		k := 1 + m.below(3)
		from, to = ints[k], ints[m.below(k)]
	case vir.RuleExt:
		k := 1 + m.below(3)
		from, to = ints[m.below(k)], ints[k]
		if m.chance(20) {
			from, to = vir.Bool, pick(m.Source, ints)
		}
	case vir.RuleIntToF:
		from, to = pick(m.Source, ints), pick(m.Source, flts)
	case vir.RuleFToInt:
		from, to = pick(m.Source, flts), pick(m.Source, ints)
	case vir.RuleFpext:
		from, to = vir.F32, vir.F64
	case vir.RuleFptrunc:
		from, to = vir.F64, vir.F32
	case vir.RuleBitcast:
		from = pick(m.Source, data[2:])
		to = pick(m.Source, sizes[from.Size()])
	}
	x, t := vir.Type{Elem: from, Lanes: lanes}, vir.Type{Elem: to, Lanes: lanes}
	return m.ifAllowed(op, t, func() *vir.Value {
		if r == vir.RuleBitcast && from.IsFloat() && to.IsInt() {
			return m.emit(op, t, m.number(x))
		}
		return m.emit(op, t, m.value(x))
	})
}

// acrossLanes are operations between scalars and lanes.
func (m *maker) acrossLanes(op vir.Op, t vir.Type) *vir.Value {
	mask := vir.Mask(t.Lanes)
	if m.chance(15) && (op == vir.OpBlend || op == vir.OpBroadcast || op == vir.OpExtract || rearranges(op)) {
		t = mask
	}
	if !m.allowed(op, t) {
		return nil
	}
	switch op.Info().Rule {
	case vir.RuleBlend:
		return m.emit(op, t, m.value(mask), m.value(t), m.value(t))
	case vir.RuleBroadcast:
		return m.emit(op, t, m.value(t.Lane()))
	case vir.RuleExtract:
		x := m.value(t)
		m.used[x] = true
		return m.b.Extract(x, m.below(t.Lanes))
	case vir.RuleLane:
		k := m.emit(vir.OpAnd, i64, m.value(i64), m.b.Int(i64, int64(t.Lanes-1)))
		return m.emit(op, t.Lane(), m.value(t), k)
	case vir.RuleSubvec:
		n := t.Lanes >> m.below(4)
		if n == 0 {
			return nil
		}
		x := m.value(t)
		m.used[x] = true
		return m.b.Subvec(x, m.below(t.Lanes/n)*n, n)
	case vir.RulePrefix:
		return m.emit(op, mask, m.smallInt(t.Lanes))
	case vir.RuleMaskToB:
		return m.emit(op, bool1, m.value(mask))
	case vir.RuleMaskToI:
		return m.emit(op, i64, m.value(mask))
	case vir.RuleLeast:
		return m.emit(op, i64, m.value(i64))
	case vir.RuleCompress:
		return m.compress(t)
	case vir.RuleInsert:
		v := m.emit(op, t, m.value(t), m.value(t.Lane()))
		v.Imm = int64(m.below(t.Lanes))
		return v
	case vir.RuleConcat:
		return m.concat(t)
	case vir.RuleShuffle:
		return m.shuffle(t)
	case vir.RulePermute:
		return m.permute(t)
	}
	return nil
}

// rearranges tells operations that only move lanes, of data and of masks.
func rearranges(op vir.Op) bool {
	return op == vir.OpSubvec || op == vir.OpInsert || op == vir.OpConcat || op == vir.OpShuffle
}

// concat makes a t of parts.
func (m *maker) concat(t vir.Type) *vir.Value {
	n := min(1<<m.below(3), t.Lanes)
	part := vir.Type{Elem: t.Elem, Lanes: t.Lanes / n}
	args := make([]*vir.Value, n)
	for i := range args {
		args[i] = m.value(part)
	}
	return m.emit(vir.OpConcat, t, args...)
}

// shuffle makes a t of one or two vectors of up to four times fewer or more lanes,
// by lanes at random or in steps, as interleaved data wants them. A list with
// poison lanes is blended with another value.
func (m *maker) shuffle(t vir.Type) *vir.Value {
	x := vir.Type{Elem: t.Elem, Lanes: max(1, t.Lanes<<m.below(3)>>m.below(3))}
	args := []*vir.Value{m.value(x), m.value(x)}[:1+m.below(2)]
	n := x.Lanes * len(args)
	lanes, keep := make([]int, t.Lanes), make([]uint64, t.Lanes)
	first, step, random := m.below(n), 1+m.below(4), m.chance(40)
	poison := 0
	if t.Elem != vir.Bool && m.chance(30) {
		poison = 30
	}
	for i := range lanes {
		lanes[i], keep[i] = (first+i*step)%n, 1
		if random {
			lanes[i] = m.below(n)
		}
		if m.below(100) < poison {
			lanes[i], keep[i] = -1, 0
		}
	}
	v := m.emit(vir.OpShuffle, t, args...)
	v.Lanes = lanes
	if poison == 0 {
		return v
	}
	return m.emit(vir.OpBlend, t, m.b.Lanes(t.WithElem(vir.Bool), keep), v, m.value(t))
}

// permute looks up lanes in a table by indices that fit it.
func (m *maker) permute(t vir.Type) *vir.Value {
	n := pick(m.Source, []int{4, 8, 16})
	if t.Elem.Size() == 1 {
		n = pick(m.Source, []int{16, 32, 64, 256})
	}
	it := t.WithElem(vir.IntElem(t.Elem.Size()))
	index := m.value(it)
	if n < 256 {
		index = m.emit(vir.OpAnd, it, index, m.b.Int(it, int64(n-1)))
	}
	return m.emit(vir.OpPermute, t, m.value(vir.Vec(t.Elem, n)), index)
}

// compress blends other lanes behind the active ones.
func (m *maker) compress(t vir.Type) *vir.Value {
	mask, x := m.value(t.WithElem(vir.Bool)), m.value(t)
	m.used[mask], m.used[x] = true, true
	v := m.b.Append(&vir.Value{Op: vir.OpCompress, Type: t, Args: []*vir.Value{x, mask}, Masked: true})
	n := m.emit(vir.OpCount, i64, mask)
	return m.emit(vir.OpBlend, t, m.emit(vir.OpPrefix, mask.Type, n), v, m.value(t))
}

// check appends a check that holds in most cases, or iter.
func (m *maker) check(op vir.Op, lanes int) {
	t := vir.Type{Elem: vir.I64, Lanes: lanes}
	switch {
	case !m.allowed(op, t):
		return
	case op == vir.OpIter:
		if m.loop == nil { // loops have it at the start of the body
			m.b.Op(op, vir.Type{})
		}
		return
	}
	var mask *vir.Value
	if lanes > 0 && op != vir.OpCheckNil && m.chance(50) {
		mask = m.value(vir.Mask(lanes))
		m.used[mask] = true
	}
	m.b.Check(op, mask, m.checked(op, t)...)
}

// checked are operands for a check.
func (m *maker) checked(op vir.Op, t vir.Type) []*vir.Value {
	wild := m.chance(10)
	if truth := t.WithElem(vir.Bool); op == vir.OpExit || op == vir.OpCheckRare {
		if wild {
			return []*vir.Value{m.value(truth)}
		}
		x := m.value(t)
		return []*vir.Value{m.emit(vir.OpIcmpSlt, truth, x, x)}
	}
	switch {
	case op == vir.OpCheckNil && m.k != nil:
		return []*vir.Value{m.in}
	case op == vir.OpCheckNil:
		return []*vir.Value{m.loop.slices[0].ptr}
	case op == vir.OpCheckIndex && wild:
		return []*vir.Value{m.value(t), m.value(t)}
	case op == vir.OpCheckIndex:
		i := m.emit(vir.OpAnd, t, m.value(t), m.b.Int(t, 7))
		return []*vir.Value{i, m.b.Int(t, 8)}
	case wild:
		return []*vir.Value{m.value(t)}
	case op == vir.OpCheckDiv:
		return []*vir.Value{m.emit(vir.OpOr, t, m.value(t), m.b.Int(t, 1))}
	}
	return []*vir.Value{m.emit(vir.OpLshr, t, m.value(t), m.b.Int(t, 1))}
}
