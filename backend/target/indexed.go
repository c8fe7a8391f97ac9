package target

import "github.com/lanewise/lanewise/vir"

// Costs of indexed accesses and lookups, in cycles per lane, measured in a loop that also reads the
// index and stores the result:
//
//	                        Zen 4                           Zen 5
//	                        gather   extract, load, insert  gather   extract, load, insert
//	8 x f32, i32 index      1.33     0.87                   1.05     1.00
//	8 x f32, i64 index                                      1.20     1.00
//	4 x f64, i32 index      1.50     1.31                   1.30     1.20
//	4 x f64, i64 index      1.46     1.45                   1.30     1.20
//	scalar loop                      1.40                            1.15 to 1.30
//
// where indices of 4 bytes are extracted in pairs on Zen 4. With the index in memory, loads take 0.76
// for 4 bytes and 1.09 for 8 there. On Skylake the instruction takes half of what it takes on Zen 5,
// or many times as much with the microcode against Gather Data Sampling, so that only indices of 8
// bytes, and lanes under masks, leave it to the instruction.
const (
	gatherEight   = 10.0 // VGATHER of 8 lanes
	gatherFour    = 5.25
	loadPair      = 0.8  // half of: two indices in one, two loads and inserts
	loadLongPair  = 1.1  // the same of lanes of 8 bytes
	loadLane      = 1.4  // index, load, insert
	loadBoth      = 0.75 // the same with the index in memory
	scanLane      = 2.5  // the same by way of the stack, per active lane
	storeLane     = 1.1  // index, store
	scanStoreLane = 2.2
)

// GatherCost is the cost of a gather of type ty by an index of lanes of the given
// element. Under a mask all lanes count as active: conditions are true more often than not
// (x != 0), and where they are not, the scalar loop is faster than estimated as well.
func (t *Target) GatherCost(ty vir.Type, index vir.Elem, masked bool) Cost {
	lanes, size := float64(ty.Lanes), ty.Elem.Size()
	switch {
	case masked && size < 4:
		return Cost{5*float64(t.Parts(ty)) + scanLane*lanes, 25}
	case masked && size == 4 && index == vir.I32:
		return Cost{gatherEight, 20}.times(max(1, ty.Lanes/8))
	case !masked && index == vir.I32 && size == 8:
		return Cost{loadLongPair * lanes, 14}
	case !masked && index == vir.I32:
		return Cost{loadPair * lanes, 14}
	case !masked && (size < 4 || ty.Lanes <= 2 || t.GatherByLoads):
		return Cost{loadLane * lanes, 14}
	}
	return Cost{gatherFour, 18}.times(max(1, ty.Lanes/4))
}

// ScatterCost is the cost of a scatter of type ty.
func (t *Target) ScatterCost(ty vir.Type, masked bool) Cost {
	lanes := float64(ty.Lanes)
	if masked {
		return Cost{5*float64(t.Parts(ty)) + scanStoreLane*lanes*0.75, 10}
	}
	return Cost{storeLane * lanes, 5}
}

// compressCost is the cost of a compress store of type ty: a table lookup, a shuffle
// and a store for each unit of 8 lanes, or 4 of 8 bytes, and the way back from the
// frame, which has to wait for these stores. With AVX-512 there is an instruction for
// elements of 4 and 8 bytes.
func (t *Target) compressCost(ty vir.Type) Cost {
	units := max(1, ty.Lanes/min(8, t.VectorBytes/ty.Elem.Size()))
	if t.EVEX && ty.Elem.Size() >= 4 {
		return Cost{5 * float64(units), 15}
	}
	return Cost{14 + 4*float64(units), 25}
}

// expandCost is the cost of an expanding load of type ty: bits, a table lookup, a load
// and a shuffle for each unit.
func (t *Target) expandCost(ty vir.Type) Cost {
	units := max(1, ty.Lanes/min(8, t.VectorBytes/ty.Elem.Size()))
	return Cost{3 + 4*float64(units), 16}
}

// PermuteCost is the cost of a lookup of type ty in a table of n lanes that stays
// in registers. Up to 256 bytes, or 128 bytes of larger elements, that is cheaper
// than loads (0.55 against 0.7 cycles per byte for the longest); what is longer is
// looked up in the stack.
func (t *Target) PermuteCost(ty vir.Type, n int) Cost {
	size := ty.Elem.Size()
	chunk, most := 16, 16
	if size >= 4 {
		chunk, most = 32, 4
	}
	chunks := max(1, n*size/chunk)
	if chunks > most {
		return Cost{2.2 * float64(ty.Lanes), 15}
	}
	c := Cost{0.65*float64(chunks) + 0.85*float64(chunks-1), 2 + 2*float64(chunks-1)}
	switch size {
	case 2:
		c = c.Add(Cost{1.2, 6})
	case 8:
		c = c.Add(Cost{1.3, 3})
	}
	return c.times(max(1, t.Parts(ty)))
}

// indexFromMemory reports whether the index of gather v is a load of the same
// block that serves nothing else: its lanes are read one by one.
func indexFromMemory(v *vir.Value) bool {
	x := v.Index()
	if x.Op == vir.OpZext || x.Op == vir.OpSext {
		if x.Block != v.Block || used(x) > 1 {
			return false
		}
		x = x.Args[0]
	}
	return x.Op == vir.OpLoadUnit && !x.Masked && x.Block == v.Block && used(x) == 1
}

// used counts how often values of its block read x.
func used(x *vir.Value) int {
	n := 0
	for _, v := range x.Block.Insts {
		for _, a := range v.Args {
			if a == x {
				n++
			}
		}
	}
	return n
}

// IndexElem is the element of the lanes by which memory is addressed at the given
// scale: a factor that addresses do not have may need more bits than the index.
func IndexElem(index vir.Elem, scale int64) vir.Elem {
	switch scale {
	case 1, 2, 4, 8:
		return index
	}
	return vir.I64
}

// indexed is the cost of gather, scatter and lookups; ok says that v is one.
func (t *Target) indexed(v *vir.Value) (c Cost, ok bool) {
	switch v.Op {
	case vir.OpGather:
		if !v.Masked && indexFromMemory(v) {
			return Cost{loadBoth * float64(v.Type.Lanes), 14}, true
		}
		return t.GatherCost(v.Type, IndexElem(v.Index().Type.Elem, v.Scale), v.Masked), true
	case vir.OpScatter:
		return t.ScatterCost(v.Access(), v.Masked), true
	case vir.OpStoreCompress:
		return t.compressCost(v.Access()), true
	case vir.OpLoadExpand:
		return t.expandCost(v.Type), true
	case vir.OpLane:
		return t.vector[key{vir.OpLane, v.Type.Elem}], true
	case vir.OpPermute:
		return t.PermuteCost(v.Type, v.Args[0].Type.Lanes), true
	}
	return Cost{}, false
}
