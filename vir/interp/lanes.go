package interp

import "github.com/lanewise/lanewise/vir"

// across are the operations that move values between lanes, or whose lanes are
// not treated alike.
var across = map[vir.Op]func(v *vir.Value, args []Value) Value{
	vir.OpSitof:     convertLanes,
	vir.OpUitof:     convertLanes,
	vir.OpFtosi:     convertLanes,
	vir.OpFtoui:     convertLanes,
	vir.OpSelect:    selectValue,
	vir.OpBlend:     blend,
	vir.OpBroadcast: broadcast,
	vir.OpExtract:   part,
	vir.OpSubvec:    part,
	vir.OpInsert:    insert,
	vir.OpConcat:    concat,
	vir.OpShuffle:   shuffle,
	vir.OpPermute:   permute,
	vir.OpCompress:  compress,
	vir.OpPrefix:    prefix,
	vir.OpAny:       reduceMask(func(active, lanes int) uint64 { return truth(active > 0) }),
	vir.OpAll:       reduceMask(func(active, lanes int) uint64 { return truth(active == lanes) }),
	vir.OpCount:     reduceMask(func(active, lanes int) uint64 { return uint64(active) }),
	vir.OpFirst:     firstLane,
	vir.OpBits:      laneBits,
	vir.OpLeast:     func(_ *vir.Value, args []Value) Value { return args[0] }, // iterations go one by one
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func selectValue(v *vir.Value, args []Value) Value {
	switch {
	case args[0].Poison[0]:
		return Poisoned(v.Type)
	case args[0].Bits[0] != 0:
		return args[1]
	}
	return args[2]
}

func blend(v *vir.Value, args []Value) Value {
	res := blank(v.Type)
	for i := range res.Bits {
		from := args[2]
		if args[0].Bits[i] != 0 {
			from = args[1]
		}
		res.Bits[i] = from.Bits[i]
		res.Poison[i] = args[0].Poison[i] || from.Poison[i]
	}
	return res
}

func broadcast(v *vir.Value, args []Value) Value {
	res := blank(v.Type)
	for i := range res.Bits {
		res.Bits[i], res.Poison[i] = args[0].Bits[0], args[0].Poison[0]
	}
	return res
}

// part copies lanes from Imm on.
func part(v *vir.Value, args []Value) Value {
	res := blank(v.Type)
	copy(res.Bits, args[0].Bits[v.Imm:])
	copy(res.Poison, args[0].Poison[v.Imm:])
	return res
}

func insert(v *vir.Value, args []Value) Value {
	res := blank(v.Type)
	copy(res.Bits, args[0].Bits)
	copy(res.Poison, args[0].Poison)
	res.Bits[v.Imm], res.Poison[v.Imm] = args[1].Bits[0], args[1].Poison[0]
	return res
}

func concat(v *vir.Value, args []Value) Value {
	res := Value{Type: v.Type}
	for _, a := range args {
		res.Bits = append(res.Bits, a.Bits...)
		res.Poison = append(res.Poison, a.Poison...)
	}
	return res
}

func shuffle(v *vir.Value, args []Value) Value {
	all := concat(v, args)
	res := Poisoned(v.Type)
	for i, k := range v.Lanes {
		if k >= 0 {
			res.Bits[i], res.Poison[i] = all.Bits[k], all.Poison[k]
		}
	}
	return res
}

func permute(v *vir.Value, args []Value) Value {
	table, index := args[0], args[1]
	res := Poisoned(v.Type)
	for i, k := range index.Bits {
		if !index.Poison[i] && k < uint64(len(table.Bits)) {
			res.Bits[i], res.Poison[i] = table.Bits[k], table.Poison[k]
		}
	}
	return res
}

// named is the lane of a vector that a number names.
func (m *machine) named(v *vir.Value) (Value, error) {
	args := m.args(v)
	x, k := args[0], args[1]
	if k.Poison[0] || k.Bits[0] >= uint64(len(x.Bits)) {
		return Value{}, m.poison(v, "lane number", 0)
	}
	return x.Lane(int(k.Bits[0])), nil
}

func compress(v *vir.Value, args []Value) Value {
	res := Poisoned(v.Type)
	x, mask := args[0], args[1]
	if mask.AnyPoison() {
		return res
	}
	n := 0
	for i, on := range mask.Bits {
		if on != 0 {
			res.Bits[n], res.Poison[n] = x.Bits[i], x.Poison[i]
			n++
		}
	}
	return res
}

func prefix(v *vir.Value, args []Value) Value {
	if args[0].Poison[0] {
		return Poisoned(v.Type)
	}
	res := blank(v.Type)
	for i := range res.Bits {
		res.Bits[i] = truth(int64(i) < int64(args[0].Bits[0]))
	}
	return res
}

func reduceMask(f func(active, lanes int) uint64) func(*vir.Value, []Value) Value {
	return func(v *vir.Value, args []Value) Value {
		if args[0].AnyPoison() {
			return Poisoned(v.Type)
		}
		active := 0
		for _, x := range args[0].Bits {
			active += int(x)
		}
		return New(v.Type, f(active, len(args[0].Bits)))
	}
}

// firstLane is the number of lanes before the first active one.
func firstLane(v *vir.Value, args []Value) Value {
	if args[0].AnyPoison() {
		return Poisoned(v.Type)
	}
	n := 0
	for n < len(args[0].Bits) && args[0].Bits[n] == 0 {
		n++
	}
	return New(v.Type, uint64(n))
}

// laneBits has a bit for each of the first 64 lanes.
func laneBits(v *vir.Value, args []Value) Value {
	if args[0].AnyPoison() {
		return Poisoned(v.Type)
	}
	word := uint64(0)
	for k, active := range args[0].Bits[:min(64, len(args[0].Bits))] {
		word |= active << k
	}
	return New(v.Type, word)
}

// relaned is x as lanes of another size in the same bytes. A lane is poison when
// one of its bytes is.
func relaned(t vir.Type, x Value) Value {
	res := blank(t)
	from, to := x.Type.Elem.Size(), t.Elem.Size()
	for i := range t.Size() {
		src, dst := i/from, i/to
		b := x.Bits[src] >> (8 * (i % from)) & 0xff
		res.Bits[dst] |= b << (8 * (i % to))
		res.Poison[dst] = res.Poison[dst] || x.Poison[src]
	}
	return res
}
