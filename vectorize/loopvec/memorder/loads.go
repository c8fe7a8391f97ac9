package memorder

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// loaded makes a vector of lanes that are loaded at constant distances: a load if
// they are neighbours, else a shuffle of one or two loads.
func (m *maker) loaded(lanes []lane, t vir.Type) *vir.Value {
	size := int64(t.Elem.Size())
	some := defined(lanes)
	lead := some[0].v
	lo, hi := some[0].at(), some[0].at()
	for _, l := range some {
		lo, hi = min(lo, l.at()), max(hi, l.at())
	}
	if at, ok := neighbours(lanes, size); ok {
		if v := m.load(lead, at, t); v != nil {
			return v
		}
	}
	width := size * int64(t.Lanes)
	for _, at := range m.windows(lead, t, lo, hi+size-width) {
		if at <= lo && hi+size <= at+width {
			if v := m.load(lead, at, t); v != nil {
				return m.pick(lanes, t, v, nil)
			}
		}
	}
	if hi+size-lo > 2*width {
		return nil
	}
	v, w := m.load(lead, lo, t), m.load(lead, hi+size-width, t)
	if v == nil || w == nil {
		return nil
	}
	return m.pick(lanes, t, v, w)
}

// neighbours reports whether lanes lie one behind the other from at on.
func neighbours(lanes []lane, size int64) (at int64, ok bool) {
	first := slices.IndexFunc(lanes, func(l lane) bool { return l.v != nil })
	at = lanes[first].at() - int64(first)*size
	for k, l := range lanes {
		if l.v != nil && l.at() != at+int64(k)*size {
			return 0, false
		}
	}
	return at, true
}

// windows are where loads of lanes might start: where the store goes, where there
// are loads, and at both ends of what is wanted.
func (m *maker) windows(lead *vir.Value, t vir.Type, lo, hi int64) (all []int64) {
	if sameWalk(m.current, lead) {
		all = append(all, m.current.Disp)
	}
	for _, v := range m.new {
		if sameWalk(v, lead) && v.Type == t {
			all = append(all, v.Disp)
		}
	}
	return append(all, lo, hi)
}

// pick takes the lanes out of loads v and w, which may be nil.
func (m *maker) pick(lanes []lane, t vir.Type, v, w *vir.Value) *vir.Value {
	size, n := int64(t.Elem.Size()), t.Lanes
	s := &vir.Value{Op: vir.OpShuffle, Type: t, Args: []*vir.Value{v}, Lanes: make([]int, n)}
	if w != nil {
		s.Args = append(s.Args, w)
	}
	for k, l := range lanes {
		s.Lanes[k] = -1
		if l.v == nil {
			continue
		}
		for i, from := range s.Args {
			if d := l.at() - from.Disp; 0 <= d && d < size*int64(n) && d%size == 0 {
				s.Lanes[k] = i*n + int(d/size)
				break
			}
		}
		if s.Lanes[k] < 0 {
			return nil
		}
	}
	return m.add(s)
}

// load is a load of type t at a displacement in the walk of lead, if the block
// reads all of its bytes anyway. It stands right before its first use, unless a store
// before that might write what it reads.
func (m *maker) load(lead *vir.Value, at int64, t vir.Type) *vir.Value {
	same := func(v *vir.Value) bool { return sameWalk(v, lead) && v.Disp == at && v.Type == t }
	if i := slices.IndexFunc(m.new, same); i >= 0 {
		return m.new[i]
	}
	if !m.readable(lead, at, at+int64(t.Size())) {
		return nil
	}
	v := &vir.Value{Op: vir.OpLoadUnit, Type: t, Args: slices.Clone(lead.Args), Indexed: lead.Indexed, Scale: lead.Scale, Disp: at, Pos: lead.Pos}
	if m.undisturbed(v) {
		m.fresh = append(m.fresh, v)
	} else if i := slices.IndexFunc(m.loads, same); i >= 0 {
		return m.loads[i]
	} else {
		m.early = append(m.early, v)
	}
	m.new = append(m.new, v)
	return v
}

// readable reports whether loads of the block cover the bytes from lo to hi.
func (m *maker) readable(lead *vir.Value, lo, hi int64) bool {
	for lo < hi {
		next := lo
		for _, v := range m.loads {
			if end := v.Disp + int64(v.Type.Size()); sameWalk(v, lead) && v.Disp <= lo {
				next = max(next, end)
			}
		}
		if next == lo {
			return false
		}
		lo = next
	}
	return true
}

// undisturbed reports whether no store before the present one writes what v loads.
func (m *maker) undisturbed(v *vir.Value) bool {
	for _, s := range m.done {
		if s.Op != vir.OpStoreUnit || !sameWalk(s, v) {
			return false
		}
		if s.Disp < v.Disp+int64(v.Type.Size()) && v.Disp < s.Disp+int64(s.Access().Size()) && !(s.Masked && m.misses(s, v)) {
			return false
		}
	}
	return true
}

// misses reports whether the constant mask of s leaves out all that v loads.
func (m *maker) misses(s, v *vir.Value) bool {
	if s.Mask().Op != vir.OpConst {
		return false
	}
	size := int64(s.Access().Elem.Size())
	for k := range s.Access().Lanes {
		at := s.Disp + int64(k)*size
		if bits, _ := (lane{s.Mask(), k}).bits(); bits&1 != 0 && at < v.Disp+int64(v.Type.Size()) && v.Disp < at+size {
			return false
		}
	}
	return true
}
