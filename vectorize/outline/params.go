package outline

import (
	"fmt"
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// Limits of what goes in and out of a routine, in registers.
const (
	maxGeneral = 8
	maxVectors = 8
)

// A param is a parameter of a routine: one operand of one of its operations, and all
// others that are the same in every occurrence.
type param struct {
	slot slot
	typ  vir.Type
	// extra is added to the operand by each occurrence: what displacements differ by, in
	// units of the index or in bytes for a base.
	extra []int64
	// bits are the constants of each occurrence, if the operand is one in all of them.
	bits [][]uint64
}

// A slot is an operand of an operation of an occurrence, in the order of text.operands.
type slot struct{ item, operand int }

// A use says what stands for an operand from outside in a routine.
type use struct {
	param    int   // -1 for a constant
	distance int64 // added to the parameter
	bits     []uint64
}

// inputs are the parameters of a routine and what its operands from outside are.
type inputs struct {
	t      *text
	starts []int
	params []param
	uses   map[slot]use
	keys   map[string]use
}

// parameters finds out what occurrences of one structure differ in. It is not ok when
// that cannot be passed.
func (t *text) parameters(starts []int, length int) (*inputs, bool) {
	in := &inputs{t: t, starts: starts, uses: make(map[slot]use), keys: make(map[string]use)}
	for j := range length {
		carrier, extra, ok := in.displacement(j)
		if !ok {
			return nil, false
		}
		for k, a := range t.operands(starts[0], starts[0]+j) {
			s := slot{j, k}
			_, internal := t.inside(starts[0], starts[0]+j, a)
			switch {
			case internal && s == carrier:
				return nil, false
			case internal:
			case s == carrier:
				in.uses[s] = in.find(s, extra)
			default:
				in.uses[s] = in.find(s, make([]int64, len(starts)))
			}
		}
	}
	return in, in.fit()
}

// operand is the operand of slot s in occurrence o.
func (in *inputs) operand(s slot, o int) *vir.Value {
	start := in.starts[o]
	return in.t.operands(start, start+s.item)[s.operand]
}

// displacement finds the operand of memory operation j that takes up what the
// displacements of the occurrences differ by: the index, if it is a number of its steps,
// else the base. There is none when they are equal.
func (in *inputs) displacement(j int) (carrier slot, extra []int64, ok bool) {
	first := in.t.items[in.starts[0]+j].v
	extra = make([]int64, len(in.starts))
	differ, steps := false, first.Indexed && !first.Op.IsIndexed()
	for o, start := range in.starts {
		extra[o] = in.t.items[start+j].v.Disp - first.Disp
		differ = differ || extra[o] != 0
		steps = steps && extra[o]%first.Scale == 0
	}
	base := 0
	if first.Op.IsStore() {
		base = 1
	}
	switch {
	case !differ:
		return slot{-1, 0}, nil, true
	case steps:
		for o := range extra {
			extra[o] /= first.Scale
		}
		return slot{j, base + 1}, extra, true
	}
	return slot{j, base}, extra, true
}

// find is the use of slot s, whose operand is changed by extra: a constant that is the
// same everywhere is folded, an input that is equal to another one in every occurrence is
// condensed with it, and so is a constant integer at a fixed distance from another one.
func (in *inputs) find(s slot, extra []int64) use {
	p := param{slot: s, typ: in.operand(s, 0).Type, extra: extra}
	bits := in.constants(s, extra)
	if bits != nil && allEqual(bits) {
		return use{param: -1, bits: bits[0]}
	}
	key, distance := in.key(s, extra, bits)
	if u, ok := in.keys[key]; ok {
		u.distance = distance - u.distance
		return u
	}
	if bits != nil {
		p.bits, p.extra = bits, nil
	}
	in.params = append(in.params, p)
	u := use{param: len(in.params) - 1}
	in.keys[key] = use{param: u.param, distance: distance}
	return u
}

// constants are the values of slot s, changed by extra, if all are constants.
func (in *inputs) constants(s slot, extra []int64) [][]uint64 {
	all := make([][]uint64, len(in.starts))
	for o := range in.starts {
		a := in.operand(s, o)
		bits, ok := constant(a)
		if !ok || a.Type != in.operand(s, 0).Type {
			return nil
		}
		if extra[o] != 0 {
			if a.Type.Elem == vir.Ptr {
				return nil
			}
			bits = []uint64{bits[0] + uint64(extra[o])} // an index, of 64 bits
		}
		all[o] = bits
	}
	return all
}

func allEqual(all [][]uint64) bool {
	return !slices.ContainsFunc(all, func(bits []uint64) bool { return !slices.Equal(bits, all[0]) })
}

// key is the same for inputs that are equal in every occurrence up to a distance.
func (in *inputs) key(s slot, extra []int64, bits [][]uint64) (key string, distance int64) {
	typ := in.operand(s, 0).Type
	key = typ.String()
	if bits != nil && typ == vir.Scalar(vir.I64) {
		for _, b := range bits {
			key += fmt.Sprintf(" #%d", int64(b[0]-bits[0][0]))
		}
		return key, int64(bits[0][0])
	}
	for o := range in.starts {
		switch {
		case bits != nil:
			key += fmt.Sprintf(" %x", bits[o])
		default:
			key += fmt.Sprintf(" %d+%d", in.operand(s, o).ID(), extra[o])
		}
	}
	return key, 0
}

// fit reports whether the parameters fit into registers.
func (in *inputs) fit() bool {
	var ts []vir.Type
	for _, p := range in.params {
		ts = append(ts, p.typ)
	}
	return inRegisters(ts)
}

func inRegisters(ts []vir.Type) bool {
	general, vectors := 0, 0
	for _, t := range ts {
		if t.IsVector() || t.Elem.IsFloat() {
			vectors += registers(t)
		} else {
			general++
		}
	}
	return general <= maxGeneral && vectors <= maxVectors
}
