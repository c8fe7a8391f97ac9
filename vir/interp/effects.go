package interp

import "github.com/lanewise/lanewise/vir"

// active tells whether a lane of a masked operation is active; the error says
// that the mask is poison there.
func (m *machine) active(v *vir.Value, lane int) (bool, error) {
	mask := v.Mask()
	if mask == nil {
		return true, nil
	}
	x := m.env[mask]
	if x.Poison[lane] {
		return false, m.poison(v, "mask", lane)
	}
	return x.Bits[lane] != 0, nil
}

// address is the address of a lane.
func (m *machine) address(v *vir.Value, lane int) (uint64, error) {
	base := m.env[v.Base()]
	poison := base.Poison[0]
	addr := base.Bits[0] + uint64(v.Disp)
	if x := v.Index(); x != nil {
		k := 0
		if v.Op.IsIndexed() {
			k = lane
		}
		poison = poison || m.env[x].Poison[k]
		addr += uint64(signed(x.Type.Elem, m.env[x].Bits[k]) * v.Scale)
	}
	if poison {
		return 0, m.poison(v, "address", lane)
	}
	if v.Op.IsIndexed() {
		return addr, nil
	}
	if v.Op == vir.OpStoreCompress {
		lane = m.rank(v, lane)
	}
	step := uint64(v.Access().Elem.Size())
	if v.Op == vir.OpLoadReverse || v.Op == vir.OpStoreReverse {
		step = -step
	}
	return addr + uint64(lane)*step, nil
}

// rank is the number of active lanes before the given one.
func (m *machine) rank(v *vir.Value, lane int) int {
	n := 0
	for _, on := range m.env[v.Mask()].Bits[:lane] {
		if on != 0 {
			n++
		}
	}
	return n
}

// bytes is the memory of an active lane; nil for an inactive one.
func (m *machine) bytes(v *vir.Value, lane int) ([]byte, error) {
	on, err := m.active(v, lane)
	if err != nil || !on {
		return nil, err
	}
	addr, err := m.address(v, lane)
	if err != nil {
		return nil, err
	}
	n := v.Access().Elem.Size()
	data, reason := m.mem.bytes(addr, n, v.Op.IsStore())
	if reason != "" {
		return nil, Fault{addr, n, v.Op.IsStore(), lane, reason, v.Inst(), v.Pos}
	}
	return data, nil
}

func (m *machine) load(v *vir.Value) (Value, error) {
	if v.Op == vir.OpLoadExpand {
		return m.expand(v)
	}
	res := blank(v.Type)
	for i := range res.Bits {
		data, err := m.bytes(v, i)
		if err != nil {
			return Value{}, err
		}
		if data == nil {
			res.Poison[i] = true
			continue
		}
		res.Bits[i] = get(data)
		res.Poison[i] = m.isUndefined(data)
	}
	return res, nil
}

// expand looks at every element that there is room for, needed or not: a backend may.
func (m *machine) expand(v *vir.Value) (Value, error) {
	if m.env[v.Room()].Poison[0] {
		return Value{}, m.poison(v, "room", 0)
	}
	room, size := int64(m.env[v.Room()].Bits[0]), v.Type.Elem.Size()
	var elems []uint64
	for i := int64(0); i < min(room, int64(v.Type.Lanes)); i++ {
		addr, err := m.address(v, int(i))
		if err != nil {
			return Value{}, err
		}
		data, reason := m.mem.bytes(addr, size, false)
		if reason != "" {
			return Value{}, Fault{addr, size, false, int(i), reason, v.Inst(), v.Pos}
		}
		if m.isUndefined(data) {
			return Value{}, m.poison(v, "memory", int(i))
		}
		elems = append(elems, get(data))
	}
	res, rank := blank(v.Type), 0
	for i := range res.Bits {
		on, err := m.active(v, i)
		switch {
		case err != nil:
			return Value{}, err
		case rank < len(elems):
			res.Bits[i] = elems[rank]
		default:
			res.Poison[i] = true
		}
		if on {
			rank++
		}
	}
	return res, nil
}

// store writes lane by lane in ascending order, after all lanes were found good.
func (m *machine) store(v *vir.Value) error {
	x := m.env[v.Stored()]
	dst := make([][]byte, len(x.Bits))
	for i := range x.Bits {
		data, err := m.bytes(v, i)
		if err != nil {
			return err
		}
		dst[i] = data
	}
	for i, data := range dst {
		put(data, x.Bits[i])
		for k := range data {
			switch at := &data[k]; {
			case x.Poison[i]:
				m.undefined[at] = m.poison(v, "stored value", i)
			case len(m.undefined) > 0:
				delete(m.undefined, at)
			}
		}
	}
	return nil
}

// isUndefined reports whether a poison lane was the last to be stored in some of the bytes.
func (m *machine) isUndefined(data []byte) bool {
	for k := range data {
		if len(m.undefined) > 0 && m.undefined[&data[k]] != nil {
			return true
		}
	}
	return false
}

// leftUndefined is the error that the first of such bytes is left behind; nil when none is.
func (m *machine) leftUndefined() error {
	if len(m.undefined) == 0 {
		return nil
	}
	for _, o := range m.mem.objects {
		for k := range o.Data {
			if err := m.undefined[&o.Data[k]]; err != nil {
				return err
			}
		}
	}
	return nil
}

func (m *machine) check(v *vir.Value) error {
	x := m.env[v.Args[0]]
	var y Value
	if v.Op == vir.OpCheckIndex {
		y = m.env[v.Args[1]]
	}
	for i := range x.Bits {
		on, err := m.active(v, i)
		if err != nil {
			return err
		}
		if !on {
			continue
		}
		if x.Poison[i] || y.Poison != nil && y.Poison[i] {
			return m.poison(v, "check", i)
		}
		if v.Op == vir.OpExit {
			if x.Bits[i] != 0 {
				return Exit{Lane: i, Iter: m.iters, Inst: v.Inst(), Pos: v.Pos}
			}
			continue
		}
		p := Panic{Lane: i, Iter: m.iters, Pos: v.Pos}
		n := signed(x.Type.Elem, x.Bits[i])
		switch v.Op {
		case vir.OpCheckIndex:
			p.Kind, p.Index, p.Len = PanicIndex, n, int64(y.Bits[i])
			if 0 <= p.Index && p.Index < p.Len {
				continue
			}
		case vir.OpCheckDiv:
			p.Kind = PanicDiv
			if n != 0 {
				continue
			}
		case vir.OpCheckNil:
			p.Kind = PanicNil
			if n != 0 {
				continue
			}
		case vir.OpCheckShift:
			p.Kind, p.Index = PanicShift, n
			if n >= 0 {
				continue
			}
		case vir.OpCheckRare:
			p.Kind = PanicRare
			if x.Bits[i] == 0 {
				continue
			}
		}
		p.Inst = v.Inst()
		return p
	}
	return nil
}
