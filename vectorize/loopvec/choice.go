package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/boolean"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
)

// Variables that are set together where a condition holds, and otherwise left alone:
//
//	if x[i] > best { best = x[i]; at = i }        the key decides
//	if c { last = x[i]; at = i }                  the last iteration with c decides
//
// Each lane does that for its own iterations, and keeps the iteration that it has
// chosen beside what was set then:
//
//	vec32:  %m = fcmp.lt maskx32 %best, %x
//	        %best' = blend f32x32 %m, %x, %best
//	        %it' = blend i32x32 %m, %t, %it         %t the number of the block
//
// At the end the best lane is found: of equal keys the first iteration, or the last
// one where equal keys replace, so that the result is that of the scalar loop in
// every bit, signs of zeros included. Lanes that have chosen nothing have
// iteration -1, before all others, and the first values. A NaN never replaces
// anything, and a variable that is NaN before the loop stays so in all lanes.
//
// Variables that follow from the iteration, or are the same in all of them, need no
// lanes. Where there are no others, and the first one of equal keys counts, the main loop only
// asks blocks whether they have a better one: see seek.go. In other main loops iterations are counted in
// blocks, in integers as wide as what was compared: 8 bits are enough for calls of 128 blocks.
type choice struct {
	key  *choiceKey // nil when the last iteration decides
	cond *vir.Value // what else must hold; nil for nothing
	not  bool       // the variables are set where cond does not hold
	pays []payload
	unit vir.Elem // of numbers of blocks
}

// A choiceKey is the variable that is compared.
type choiceKey struct {
	phi     *vir.Value // nil when its value is read again from memory
	again   *vir.Value // that load, by the index that is kept
	item    *vir.Value
	cmp     vir.Op // of the variable with the item
	swapped bool   // or of the item with the variable
}

// A payload is a variable that is set.
type payload struct {
	phi, value *vir.Value
	affine     *scev.Affine // follows from the iteration
	uniform    bool
	flag       *bool // the value of a bool; value is nil then
}

func (p *payload) inLanes() bool { return p.affine == nil && !p.uniform && p.flag == nil }

// choices finds the variables that are set under common conditions.
func (l *loop) choices() []*choice {
	var all []*choice
	taken := make(map[*vir.Value]bool)
	for phi := range l.holder {
		taken[phi] = true
	}
	for _, phi := range l.header.Phis() {
		c := l.choiceOf(phi, taken)
		if c == nil {
			continue
		}
		for _, p := range c.phis() {
			taken[p] = true
		}
		all = append(all, c)
	}
	return all
}

// setUnder is the condition under which phi is set, or with not is left alone, and
// what to; nil for variables that are not of this kind.
func (l *loop) setUnder(phi *vir.Value) (cond, value *vir.Value, not bool) {
	k := l.sc.Phi(phi)
	next := l.next(phi)
	if k != scev.Recurrence && k != scev.Reduction || next.Op != vir.OpSelect {
		return nil, nil, false
	}
	yes, no := next.Args[1], next.Args[2]
	switch {
	case yes == no:
		return nil, nil, false
	case no == phi:
		return next.Args[0], yes, false
	case yes == phi:
		return next.Args[0], no, true
	}
	return nil, nil, false
}

// flagUnder recognizes a bool that is set to true or false where cond holds, or with
// not where it does not: next = phi or cond, next = phi and not cond.
func (l *loop) flagUnder(phi, cond *vir.Value, not bool) (value, ok bool) {
	next := l.next(phi)
	if phi.Type.Elem != vir.Bool || next.Op != vir.OpOr && next.Op != vir.OpAnd || !slices.Contains(next.Args, phi) {
		return false, false
	}
	x := next.Args[0]
	if x == phi {
		x = next.Args[1]
	}
	value = next.Op == vir.OpOr
	if not == value { // the complement
		return value, x.Op == vir.OpNot && x.Args[0] == cond
	}
	return value, x == cond
}

// choiceOf makes a choice of the variable of phi and those that go with it; nil
// when it is no such variable, or a minimum or maximum by itself. In a loop that
// stores, a float minimum or maximum by comparison is a choice, too: the iteration
// tells which of two zeros came first, and nothing need be done again.
func (l *loop) choiceOf(phi *vir.Value, taken map[*vir.Value]bool) *choice {
	cond, value, not := l.setUnder(phi)
	if cond == nil || taken[phi] {
		return nil
	}
	c := &choice{not: not}
	for i, p := range l.header.Phis() {
		if f, ok := l.flagUnder(p, cond, not); ok && !taken[p] {
			if l.region.State[i].Live || l.sc.Phi(p) == scev.Recurrence {
				c.pays = append(c.pays, payload{phi: p, flag: &f})
			}
			continue
		}
		under, v, n := l.setUnder(p)
		if under != cond || n != not || taken[p] {
			continue
		}
		if c.key == nil {
			if c.key, c.cond = splitKey(cond, p, v, not); c.key != nil {
				c.key.phi = p
				continue
			}
		}
		if l.region.State[i].Live || l.sc.Phi(p) == scev.Recurrence {
			c.pays = append(c.pays, l.payload(p, v))
		}
	}
	if c.key == nil {
		c.key = l.extremeKey(cond, not, taken)
	}
	if c.key == nil && l.sc.Phi(phi) == scev.Recurrence && value.Type == vir.Scalar(vir.I64) {
		c.key, c.cond = l.loadedKey(cond, phi, value, not)
	}
	switch {
	case c.key == nil:
		c.cond = cond
	case len(c.pays) == 0 && !(c.key.item.Type.Elem.IsFloat() && l.storesSomething()):
		return nil
	}
	if c.key != nil {
		c.not = false
	}
	if !l.undisturbed(c) {
		return nil
	}
	c.unit = c.unitOf(l)
	return c
}

// undisturbed reports whether nobody else asks for what the variables are during the
// loop. A key that is read again is read by the choice.
func (l *loop) undisturbed(c *choice) bool {
	m := newMatcher(l.region, l.sc)
	for _, phi := range c.phis() {
		m.follow(phi)
		if c.key != nil && c.key.again != nil {
			m.bound[c.key.again] = false
		}
		if !l.staysInside(m, phi, c.phis()...) {
			return false
		}
		if c.key == nil && slices.ContainsFunc(c.pays, func(p payload) bool { return m.bound[p.value] }) {
			return false // what is chosen follows from what was
		}
	}
	return true
}

// splitKey finds the comparison of key p with item v in the condition under which,
// or not under which, the key is replaced, and what else the condition asks for. A
// NaN never replaces a key: such a condition is none.
func splitKey(cond, p, v *vir.Value, not bool) (*choiceKey, *vir.Value) {
	if x, rest, ok := conjunct(cond, func(x *vir.Value) bool { return compares(x, p, v) }); ok {
		k := &choiceKey{item: v, cmp: x.Op, swapped: x.Args[0] != p}
		switch {
		case !not:
			return k, rest
		case rest == nil && !v.Type.Elem.IsFloat():
			k.invert()
			return k, nil
		}
	}
	return nil, nil
}

// compares reports whether x is an order of p and v.
func compares(x, p, v *vir.Value) bool {
	switch x.Op {
	case vir.OpFcmpLt, vir.OpFcmpLe, vir.OpIcmpSlt, vir.OpIcmpSle, vir.OpIcmpUlt, vir.OpIcmpUle:
		return x.Args[0] == p && x.Args[1] == v || x.Args[0] == v && x.Args[1] == p
	}
	return false
}

// conjunct finds a part of a conjunction of at most two.
func conjunct(cond *vir.Value, is func(*vir.Value) bool) (x, rest *vir.Value, ok bool) {
	if is(cond) {
		return cond, nil, true
	}
	if cond.Op == vir.OpAnd {
		for k := range 2 {
			if is(cond.Args[k]) {
				return cond.Args[k], cond.Args[1-k], true
			}
		}
	}
	return nil, nil, false
}

// invert makes the comparison of integers its contrary: not a < b is b <= a.
func (k *choiceKey) invert() {
	k.cmp, _, _ = boolean.Inverse(k.cmp)
	k.swapped = !k.swapped
}

// extremeKey finds an integer key whose next value has been recognized as a minimum
// or maximum: the condition compares it with the same item.
func (l *loop) extremeKey(cond *vir.Value, not bool, taken map[*vir.Value]bool) *choiceKey {
	for _, p := range l.header.Phis() {
		next := l.next(p)
		if taken[p] || next.Op < vir.OpSmin || next.Op > vir.OpUmax || !slices.Contains(next.Args, p) {
			continue
		}
		item := next.Args[0]
		if item == p {
			item = next.Args[1]
		}
		k, rest := splitKey(cond, p, item, not)
		if k != nil && rest == nil && extremeOf(k) == next.Op {
			k.phi = p
			return k
		}
	}
	return nil
}

// loadedKey finds a key that is read from memory by the index that phi keeps, and what else
// the condition asks for:
//
//	if x[i] > x[at] { at = i }
//
// Nothing of that memory may change, and the item must have been x[i].
func (l *loop) loadedKey(cond, phi, value *vir.Value, not bool) (*choiceKey, *vir.Value) {
	var again, item *vir.Value
	compare, _, ok := conjunct(cond, func(c *vir.Value) bool {
		again, item = l.readAgain(c, phi, value)
		return again != nil
	})
	if !ok || l.storesSomething() || compare == cond && (again.Masked || item.Masked) {
		return nil, nil
	}
	key, rest := splitKey(cond, again, item, not)
	if key == nil || !l.checkedFirst(again.Index()) {
		return nil, nil
	}
	key.again = again
	return key, rest
}

// readAgain finds a load by index phi that c compares with the one by what phi is set to.
func (l *loop) readAgain(c, phi, value *vir.Value) (again, item *vir.Value) {
	if len(c.Args) != 2 {
		return nil, nil
	}
	for k, again := range c.Args {
		item := c.Args[1-k]
		if !again.Op.IsLoad() || !item.Op.IsLoad() || !compares(c, again, item) {
			continue
		}
		a, x := again.Addr(), item.Addr()
		if a.Base == x.Base && a.Scale == x.Scale && a.Disp == x.Disp && again.Type == item.Type && l.sameDistance(floorOf(a.Index), phi, x.Index, value) {
			return again, item
		}
	}
	return nil, nil
}

// sameDistance reports whether x is as far from v as a is from p, which is the same in all iterations.
func (l *loop) sameDistance(a, p, x, v *vir.Value) bool {
	if a == nil || x == nil || a == p || x == v {
		return a == p && x == v
	}
	if a.Op != vir.OpAdd || x.Op != vir.OpAdd || a.Type != x.Type {
		return false
	}
	for i := range 2 {
		for j := range 2 {
			if d := a.Args[1-i]; a.Args[i] == p && x.Args[j] == v && x.Args[1-j] == d && l.uniform(d) {
				return true
			}
		}
	}
	return false
}

// checkedFirst makes the checks of an index that is kept ones of its first value:
// the others have been checked when they were chosen. That is asked whatever the mask. It reports
// whether there is one.
func (l *loop) checkedFirst(index *vir.Value) bool {
	found := false
	for _, v := range l.insts {
		if v.Op == vir.OpCheckIndex && v.Args[0] == index && l.uniform(v.Args[1]) {
			l.forms[v] = checkUniform
			found = true
		}
	}
	return found
}

// storesSomething reports whether the loop has stores.
func (l *loop) storesSomething() bool {
	return slices.ContainsFunc(l.insts, func(v *vir.Value) bool { return v.Op.IsStore() })
}

// extremeOf is the operation that chooses as integer key k does.
func extremeOf(k *choiceKey) vir.Op {
	signed := k.cmp == vir.OpIcmpSlt || k.cmp == vir.OpIcmpSle
	switch {
	case signed && k.swapped:
		return vir.OpSmin
	case signed:
		return vir.OpSmax
	case k.swapped:
		return vir.OpUmin
	}
	return vir.OpUmax
}

// payload describes what the variable of phi is set to.
func (l *loop) payload(phi, v *vir.Value) payload {
	p := payload{phi: phi, value: v, uniform: l.uniform(v)}
	if a, ok := l.sc.Affine(v); ok && !p.uniform && len(a.Wrap) == 0 {
		p.affine = &a
	}
	return p
}

// unitOf is the integer type of the lanes that are compared.
func (c *choice) unitOf(l *loop) vir.Elem {
	if c.key != nil {
		return vir.IntElem(c.key.item.Type.Elem.Size())
	}
	if e := l.natural(c.cond); e != vir.Void {
		return e
	}
	return vir.I32
}

// iterElem is the type of iterations behind the main loop.
func (c *choice) iterElem() vir.Elem {
	if c.unit == vir.I64 {
		return vir.I64
	}
	return vir.I32
}

func (c *choice) phis() []*vir.Value {
	var all []*vir.Value
	if c.key != nil && c.key.phi != nil {
		all = append(all, c.key.phi)
	}
	for _, p := range c.pays {
		all = append(all, p.phi)
	}
	return all
}

func (c *choice) need(l *loop) {
	if c.key != nil {
		l.need(c.key.item)
	}
	if c.cond != nil {
		l.need(c.cond)
	}
	for _, p := range c.pays {
		switch {
		case p.inLanes():
			l.need(p.value)
		case p.uniform:
			l.want(p.value)
		}
	}
}
