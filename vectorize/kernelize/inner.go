package kernelize

import (
	"math"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
	"github.com/lanewise/lanewise/vir/plan"
)

// A counter is a phi that counts a loop inside, whose first and last values are known
// where the iteration starts.
type counter struct {
	start  *vir.Value
	span   int64 // from the first value to the last one; the last one may not be reached
	factor int64 // of the counter in the subscript
}

// maxSpan bounds how far subscripts move in a loop inside, so that one that is in range
// at both ends has not wrapped around in between.
const maxSpan = 1 << 40

// ends makes two checks of subscript check v in a loop inside: for the least and for the
// greatest subscript, which is a sum of multiples of counters and of what is known early.
// None are needed when the loop never runs.
func (e *early) ends(v *vir.Value) (checks []*vir.Value, ok bool) {
	s := &sum{e: e, counters: make(map[*vir.Value]*counter)}
	if e.late(v.Args[1]) != "" || !e.isLength(v.Args[1]) || !s.add(v.Args[0], 1) {
		return nil, false
	}
	if s.never {
		return nil, true
	}
	for _, known := range append(s.known, v.Args[1]) {
		e.move(known)
	}
	for _, high := range []bool{false, true} {
		var x *vir.Value
		edit.Ahead(e.b, e.cur, func() {
			e.b.Pos = v.Pos
			x = s.at(v.Args[0], high)
		})
		checks = append(checks, e.f.NewValue(v.Op, v.Type, x, v.Args[1]))
		checks[len(checks)-1].Pos = v.Pos
	}
	return checks, true
}

// A sum is a subscript taken apart.
type sum struct {
	e        *early
	counters map[*vir.Value]*counter
	known    []*vir.Value // what is known early of it
	never    bool         // a loop does not run at all
}

// add takes v apart, which is in the sum k times.
func (s *sum) add(v *vir.Value, k int64) bool {
	if s.e.late(v) == "" {
		s.known = append(s.known, v)
		return true
	}
	switch v.Op {
	case vir.OpAdd:
		return s.add(v.Args[0], k) && s.add(v.Args[1], k)
	case vir.OpSub:
		return s.add(v.Args[0], k) && s.add(v.Args[1], -k)
	case vir.OpNeg:
		return s.add(v.Args[0], -k)
	case vir.OpMul, vir.OpShl:
		s.known = append(s.known, v.Args[1])
		c, ok := v.Args[1].ConstInt()
		if v.Op == vir.OpShl {
			ok = ok && 0 <= c && c < 32
			c = 1 << max(0, min(c, 32))
		}
		return ok && math.MinInt32 < c && c < math.MaxInt32 && k < maxSpan && -maxSpan < k && s.add(v.Args[0], k*c)
	case vir.OpPhi:
		return s.count(v, k)
	}
	return false
}

// count adds counter v k times.
func (s *sum) count(v *vir.Value, k int64) bool {
	c := s.counters[v]
	if c == nil {
		e := s.e
		original := e.original(v)
		l, start, step := e.sc.Inner(original)
		if l == nil {
			return false
		}
		last := e.sc.Last(l)
		if last == nil || last.Op != plan.ExprConst || step <= -maxSpan || maxSpan <= step || last.Const > math.MaxInt32 {
			return false
		}
		c = &counter{start: e.copied(start), span: step * last.Const}
		if e.late(c.start) != "" || c.span <= -maxSpan || maxSpan <= c.span {
			return false
		}
		s.never = s.never || last.Const < 0
		s.known = append(s.known, c.start)
		s.counters[v] = c
	}
	c.factor += k
	return c.factor < maxSpan>>20 && -maxSpan>>20 < c.factor
}

// at builds the subscript v with all counters where it is the least, or the greatest.
func (s *sum) at(v *vir.Value, high bool) *vir.Value {
	e := s.e
	if e.isEarly(v) {
		return v
	}
	if c := s.counters[v]; c != nil {
		if (c.factor*c.span > 0) == high {
			return e.b.Op(vir.OpAdd, v.Type, c.start, e.b.Int(v.Type, c.span))
		}
		return c.start
	}
	args := make([]*vir.Value, len(v.Args))
	for i, a := range v.Args {
		args[i] = s.at(a, high)
	}
	return e.b.Op(v.Op, v.Type, args...)
}

// original is v in the region's function: copies keep their numbers.
func (m *maker) original(v *vir.Value) *vir.Value { return withID(m.r.Fn, v.ID()) }

// copied is value v of the region's function in the kernel's.
func (m *maker) copied(v *vir.Value) *vir.Value { return withID(m.f, v.ID()) }

func withID(f *vir.Func, id int) *vir.Value {
	for v := range f.Values {
		if v.ID() == id {
			return v
		}
	}
	return nil
}

// inside reports whether b is in a loop inside.
func (m *maker) inside(b *vir.Block) bool {
	l := m.forest.Of(b)
	return l != nil && l != m.loop
}
