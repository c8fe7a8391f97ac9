package loopvec

import (
	"math"
	"slices"

	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/fold"
	"github.com/lanewise/lanewise/vir/plan"
)

// A reduction is a state variable whose new value is a combination of the old
// one with an item of the iteration, in an order that may change:
//
//	next = phi op item
//
// or, for the if-form of float minima and maxima,
//
//	next = cmp(phi, item) ? item : phi
//
// Lanes accumulate separately. They start from the identity of op and the first
// value of the variable joins at the end (start false), or all start from that
// value because repeating it does not matter (start true).
type reduction struct {
	phi   *vir.Value
	op    vir.Op     // combines lanes; OpSelect for the if-form
	step  vir.Op     // adds an item: op, or its inverse
	item  *vir.Value // a value of the body that depends on no other iteration
	start bool
	unit  uint64 // bits of the identity

	// Sums of narrow items. Lanes hold the low bits of partial sums: as many as
	// the sum of one call needs (lane), in the main loop perhaps fewer (main),
	// which are then added up wide after so many blocks.
	ext    vir.Op // what makes item, of type phi, out of x; OpInvalid when nothing does
	x      *vir.Value
	most   uint64 // |x| is at most that
	lane   vir.Elem
	main   vir.Elem
	blocks int64 // of the main loop before main overflows; 0 when lane = main
	strip  int64 // iterations before lane overflows; 0 when it cannot

	line *line // phi is multiplied before the item is added, see horner.go; or nil

	// The if-form.
	cmp     vir.Op // OpFcmpLt or OpFcmpLe
	swapped bool   // item is the first operand of cmp
}

// A family is an operation that accumulates.
type family struct {
	op     vir.Op
	inner  vir.Op // phi - item as phi + (-item)
	float  bool   // order matters unless reassoc
	repeat bool   // idempotent
	noun   string // what a float reduction is called
}

// families are the operations that reductions may consist of, with what else
// may occur in their chains.
var families = []family{
	{op: vir.OpAdd, inner: vir.OpSub},
	{op: vir.OpMul},
	{op: vir.OpAnd, repeat: true},
	{op: vir.OpOr, repeat: true},
	{op: vir.OpXor},
	{op: vir.OpSmin, repeat: true},
	{op: vir.OpSmax, repeat: true},
	{op: vir.OpUmin, repeat: true},
	{op: vir.OpUmax, repeat: true},
	{op: vir.OpFmin, repeat: true},
	{op: vir.OpFmax, repeat: true},
	{op: vir.OpFadd, inner: vir.OpFsub, float: true, noun: "sum"},
	{op: vir.OpFmul, float: true, noun: "product"},
}

// findReduction recognizes the reduction that makes next out of phi. Items are
// operands: the pass Reductions has brought chains to this form.
func (l *loop) findReduction(phi, next *vir.Value) (*reduction, error) {
	m := newMatcher(l.region, l.sc)
	m.follow(phi)
	if c, f := m.family(phi, next); c != nil {
		if f.float && !l.region.Clauses.Reassoc {
			return nil, pass.Refuse("loopvec:OrderedReduction", next, "float %s %s needs reassoc to be reordered", f.noun, name(phi))
		}
		item, ok := direct(phi, next, f)
		if !ok {
			return nil, l.recurrence(state{phi: phi, next: next})
		}
		r := &reduction{phi: phi, op: f.op, step: next.Op, item: item, start: f.repeat, unit: c.unit}
		l.planLanes(r)
		return r, nil
	}
	if x, ok := m.horner(phi, next); ok && x.joins() == vir.OpAdd && !l.isNest() {
		item, step := hornerItem(phi, next)
		if item == nil || !m.free(item) {
			return nil, l.recurrence(state{phi: phi, next: next})
		}
		l.lowBits(&x)
		r := &reduction{phi: phi, op: vir.OpAdd, step: step, item: item, line: &x}
		l.planLanes(r)
		return r, nil
	}
	if cmp, item, cond := m.ifForm(phi, next); cmp != nil && cond == nil {
		r := &reduction{phi: phi, op: vir.OpSelect, item: item, start: true, cmp: cmp.Op, swapped: cmp.Args[1] == phi}
		l.planLanes(r)
		return r, nil
	}
	return nil, l.recurrence(state{phi: phi, next: next})
}

// direct is the item of next = phi op item.
func direct(phi, next *vir.Value, f family) (item *vir.Value, ok bool) {
	switch {
	case next.Op == f.op && next.Args[0] == phi || f.inner != vir.OpInvalid && next.Op == f.inner:
		return next.Args[1], next.Args[0] == phi
	case next.Op == f.op:
		return next.Args[0], next.Args[1] == phi
	}
	return nil, false
}

// Reductions is a pass that shortens the chain from a state variable to its next
// value to one operation, so that accumulators wait for nothing else:
//
//	if c { s += x }; s += y   ==>   item = (c ? x : 0) + y; s += item
//
// Requires the straight body of if-conversion. Float sums and products are left
// alone without reassoc.
func Reductions(u *pass.Unit) error {
	mathExtremes(u)
	r := u.Region
	m := newMatcher(r, scev.New(r))
	back := 1 - m.header.PredIndex(r.Fn.Entry())
	if len(r.Fn.Blocks) == 5 {
		m.positive(back, u.Count)
	}
	for _, phi := range m.header.Phis() {
		k := m.sc.Phi(phi)
		if k != scev.Reduction && k != scev.Recurrence {
			continue
		}
		m.uses = nil // the loop has changed
		m.follow(phi)
		m.addDisjoint(u.Count)
		m.extremesUnder(phi, u.Count)
		if next := m.either(phi, phi.Args[back]); next != nil && len(r.Fn.Blocks) == 5 && u.Count() {
			phi.Args[back] = next
			continue
		}
		if k == scev.Recurrence {
			m.shortenScan(u, phi, back)
			continue
		}
		if next := m.shorten(phi, phi.Args[back], r.Clauses.Reassoc); next != phi.Args[back] && u.Count() {
			phi.Args[back] = next
		}
	}
	return nil
}

// shortenScan does the same for a variable that others read in the iteration. They
// read its next value instead of what was the last of the chain.
func (m *matcher) shortenScan(u *pass.Unit, phi *vir.Value, back int) {
	old := phi.Args[back]
	n := len(m.body.Insts)
	next := m.shorten(phi, old, u.Region.Clauses.Reassoc)
	made := slices.Clone(m.body.Insts[n-1 : len(m.body.Insts)-1])
	rest := append(m.body.Insts[:n-1:n-1], m.body.Insts[len(m.body.Insts)-1])
	at := slices.Index(rest, old)
	if next == old || at < 0 || !u.Count() {
		m.body.Insts = rest
		return
	}
	m.body.Insts = slices.Insert(rest, at+1, made...)
	for _, x := range m.uses[old] {
		for i, a := range x.Args {
			if a == old {
				x.Args[i] = next
			}
		}
	}
}

// shorten returns a next value that is phi op item.
func (m *matcher) shorten(phi, next *vir.Value, reassoc bool) *vir.Value {
	if c, f := m.family(phi, next); c != nil {
		if f.float && !reassoc {
			return c.linear(next)
		}
		if _, ok := direct(phi, next, f); ok {
			return next
		}
		return c.build(f.op, next, phi, c.item(next))
	}
	if x, ok := m.horner(phi, next); ok {
		return m.hornerForm(phi, next, x)
	}
	if x := m.restarted(phi, next, reassoc); x != nil {
		return x
	}
	cmp, item, cond := m.ifForm(phi, next)
	if cmp == nil || cond == nil || m.chosen(phi, next, cmp) {
		return next
	}
	c := newChain(m, phi, phi.Type.Elem.FloatBits(math.NaN()))
	item = c.build(vir.OpSelect, next, cond, item, c.identity())
	x, y := phi, item
	if cmp.Args[1] == phi {
		x, y = item, phi
	}
	hit := c.build(cmp.Op, cmp, x, y)
	hit.Type = cmp.Type
	return c.build(vir.OpSelect, next, hit, item, phi)
}

// chosen reports whether others are set where phi is, and nobody else looks at any of them: they are found together,
// see choice.go.
func (m *matcher) chosen(phi, next, cmp *vir.Value) bool {
	cond := next.Args[0]
	if !m.usedBy(phi, cmp, next) || !m.usedBy(cmp, cond) {
		return false
	}
	others := 0
	for _, u := range m.uses[cond] {
		switch {
		case u == next || u.Masked && u.Mask() == cond && u.Op.IsLoad():
		case !m.isSet(u):
			return false
		default:
			others++
		}
	}
	return others > 0
}

// isSet reports whether u is the next value of a variable that is set under a condition and otherwise not looked at.
func (m *matcher) isSet(u *vir.Value) bool {
	old := u.Args
	if u.Op == vir.OpSelect {
		old = u.Args[2:]
	}
	return (u.Op == vir.OpSelect || u.Op == vir.OpOr) && slices.ContainsFunc(old, func(p *vir.Value) bool {
		return p.Op == vir.OpPhi && p.Block == m.header && m.usedBy(p, u)
	})
}

// usedBy reports whether nothing in the body but those values has v as operand.
func (m *matcher) usedBy(v *vir.Value, by ...*vir.Value) bool {
	return !slices.ContainsFunc(m.uses[v], func(u *vir.Value) bool { return u.Block == m.body && !slices.Contains(by, u) })
}

// A matcher recognizes chains of reductions in a straight body.
type matcher struct {
	sc     *scev.Info
	header *vir.Block
	body   *vir.Block
	uses   map[*vir.Value][]*vir.Value
	bound  map[*vir.Value]bool // memo: values that depend on the variable in question
}

func newMatcher(r *plan.Region, sc *scev.Info) *matcher {
	return &matcher{sc: sc, header: r.Fn.Blocks[1], body: r.Fn.Blocks[len(r.Fn.Blocks)-3]}
}

// family finds the family whose operations lead from phi to next.
func (m *matcher) family(phi, next *vir.Value) (*chain, family) {
	for _, f := range families {
		c := newChain(m, phi, fold.Identity(f.op, phi.Type.Elem))
		c.op, c.inner = f.op, f.inner
		if phi != next && c.covers(next) {
			return c, f
		}
	}
	return nil, family{}
}

// A chain is the way from phi to the next value by operations of one family and
// choices whose conditions do not depend on phi.
type chain struct {
	*matcher
	phi   *vir.Value
	op    vir.Op
	inner vir.Op // OpInvalid when the family has none
	unit  uint64

	// Values are shared, so that ways through them are many: memos.
	covered map[*vir.Value]bool
	items   map[*vir.Value]*vir.Value
}

func newChain(m *matcher, phi *vir.Value, unit uint64) *chain {
	return &chain{matcher: m, phi: phi, unit: unit, covered: make(map[*vir.Value]bool), items: make(map[*vir.Value]*vir.Value)}
}

// covers reports whether v is phi, or made from it by the family alone.
func (c *chain) covers(v *vir.Value) bool {
	ok, known := c.covered[v]
	if !known {
		ok = c.leads(v)
		c.covered[v] = ok
	}
	return ok
}

func (c *chain) leads(v *vir.Value) bool {
	switch {
	case v == c.phi:
		return true
	case v.Op == c.op:
		return c.coversOne(v.Args)
	case v.Op == c.inner && c.inner != vir.OpInvalid:
		return c.covers(v.Args[0]) && c.free(v.Args[1])
	case c.toggles(v):
		return c.coversOne(v.Args)
	case v.Op == vir.OpSelect:
		return c.free(v.Args[0]) && c.covers(v.Args[1]) && c.covers(v.Args[2])
	}
	return false
}

// coversOne reports whether one of args is made from phi by the family, and the others are free.
func (c *chain) coversOne(args []*vir.Value) bool {
	if len(args) == 1 {
		return c.covers(args[0])
	}
	x, y := args[0], args[1]
	return c.covers(x) && c.free(y) || c.free(x) && c.covers(y)
}

// free reports whether v does not depend on what earlier iterations computed,
// inductions aside.
func (m *matcher) free(v *vir.Value) bool { return !m.depends(v) }

func (m *matcher) depends(v *vir.Value) bool {
	if d, ok := m.bound[v]; ok {
		return d
	}
	// Made by this pass, of operands that are known.
	m.bound[v] = slices.ContainsFunc(v.Args, m.depends)
	return m.bound[v]
}

// recurs reports whether the variable of phi is a recurrence or a reduction.
func (m *matcher) recurs(phi *vir.Value) bool {
	k := m.sc.Phi(phi)
	return k == scev.Recurrence || k == scev.Reduction
}

// behind is where in the body x is known, or what it will be made of.
func (m *matcher) behind(x *vir.Value) int {
	at := slices.Index(m.body.Insts, x) + 1
	if x.Block == nil {
		for _, a := range x.Args {
			at = max(at, m.behind(a))
		}
	}
	return at
}

// follow finds all values on which the value of phi in this or an earlier
// iteration has influence. What a load reads does not depend on its mask: where that
// is false, nobody looks.
func (m *matcher) follow(phi *vir.Value) {
	m.bound = make(map[*vir.Value]bool)
	f := m.body.Func
	for v := range f.Values {
		m.bound[v] = false
	}
	if m.uses == nil {
		m.uses = f.Uses()
	}
	work := []*vir.Value{phi}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if m.bound[v] {
			continue
		}
		m.bound[v] = true
		for _, u := range m.uses[v] {
			if u.Op.IsLoad() && u.Masked && u.Mask() == v && !slices.Contains(u.Args[:len(u.Args)-1], v) {
				continue
			}
			work = append(work, u)
		}
	}
}

// item is what v adds to phi: v = phi op item(v). Where a choice leaves phi
// alone, it adds the identity. The chain of operations that the accumulators
// wait for is one operation long.
func (c *chain) item(v *vir.Value) *vir.Value {
	x := c.items[v]
	if x == nil {
		x = c.makeItem(v)
		c.items[v] = x
	}
	return x
}

func (c *chain) makeItem(v *vir.Value) *vir.Value {
	switch {
	case v == c.phi:
		return c.identity()
	case v.Op == vir.OpSelect:
		x, y := c.item(v.Args[1]), c.item(v.Args[2])
		return c.build(vir.OpSelect, v, v.Args[0], x, y)
	case v.Op == c.inner && c.inner != vir.OpInvalid:
		x := c.item(v.Args[0])
		if c.isIdentity(x) {
			return c.negated(v, v.Args[1])
		}
		return c.build(c.inner, v, x, v.Args[1])
	case c.toggles(v):
		return c.toggled(v)
	}
	x, y := v.Args[0], v.Args[1]
	if !c.covers(x) {
		x, y = y, x
	}
	x = c.item(x)
	if c.isIdentity(x) {
		return y
	}
	return c.build(c.op, v, x, y)
}

func (c *chain) negated(v, x *vir.Value) *vir.Value {
	if c.op == vir.OpFadd {
		return c.build(vir.OpFneg, v, x)
	}
	return c.build(vir.OpNeg, v, x)
}

func (c *chain) identity() *vir.Value {
	k := c.build(vir.OpConst, c.phi)
	k.Bits = []uint64{c.unit}
	return k
}

func (c *chain) isIdentity(v *vir.Value) bool {
	bits, ok := v.IsConst()
	return ok && bits == c.unit
}

func (c *chain) build(op vir.Op, at *vir.Value, args ...*vir.Value) *vir.Value {
	return c.append(c.phi.Type, op, at, args...)
}

// append puts a value at the end of the body.
func (m *matcher) append(t vir.Type, op vir.Op, at *vir.Value, args ...*vir.Value) *vir.Value {
	v := m.body.Func.NewValue(op, t, args...)
	v.Pos, v.Block = at.Pos, m.body
	n := len(m.body.Insts) - 1
	m.body.Insts = append(m.body.Insts[:n:n], v, m.body.Insts[n])
	return v
}

// ifForm recognizes
//
//	next = c and cmp(phi, item) ? item : phi
//
// with a strict or other comparison in either direction. Lanes keep the first
// (or last) of equal elements, as the scalar loop does. What the lanes cannot
// tell is which of two zeros of different sign came first; the kernel hands such
// a result over. An item that is not to be looked at is replaced by a NaN, which
// compares false. The form with the choices exchanged (NaN taken over) is refused.
func (m *matcher) ifForm(phi, next *vir.Value) (cmp, item, cond *vir.Value) {
	if next.Op != vir.OpSelect || !phi.Type.Elem.IsFloat() || next.Args[2] != phi {
		return nil, nil, nil
	}
	item = next.Args[1]
	cmp, cond = splitCompare(next.Args[0], phi, item)
	if cmp == nil || !m.free(item) || cond != nil && !m.free(cond) {
		return nil, nil, nil
	}
	return cmp, item, cond
}

// splitCompare finds the comparison of phi with item in a conjunction, and what
// else the conjunction asks for.
func splitCompare(v, phi, item *vir.Value) (cmp, cond *vir.Value) {
	switch v.Op {
	case vir.OpFcmpLt, vir.OpFcmpLe:
		if v.Args[0] == phi && v.Args[1] == item || v.Args[0] == item && v.Args[1] == phi {
			return v, nil
		}
	case vir.OpAnd:
		for k := range 2 {
			if cmp, rest := splitCompare(v.Args[k], phi, item); cmp != nil && rest == nil {
				return cmp, v.Args[1-k]
			}
		}
	}
	return nil, nil
}
