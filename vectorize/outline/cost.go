package outline

import "github.com/lanewise/lanewise/vir"

// Sizes of what surrounds a call, in bytes.
const (
	callBytes  = 5
	retBytes   = 1
	addBytes   = 4 // LEAQ 8(DX), AX
	constBytes = 7
	loadBytes  = 5
	copyBytes  = 1 // of 4 or 5, now and then
	longBytes  = 3 // for each register of a long vector
)

// worthwhile is the least that a routine must save: a name and a jump more to read.
const worthwhile = 6

// affordable is how many calls code that runs once per kernel may have without their
// showing: all of them may take a fiftieth of what the kernel takes at least, which is the
// call of it and three instructions of five bytes in a cycle.
func affordable(c Code) int {
	const (
		kernelCycles  = 20
		bytesPerCycle = 15
		callCycles    = 3
		share         = 50
	)
	return (kernelCycles + c.Bytes/bytesPerCycle) / (callCycles * share)
}

// estimate is how many bytes c saves: the body of the routine is there once, and every
// occurrence is a call with the arguments that are not in a register as they are. What
// copies of registers cost only shows when the code of the callers is made.
func (c *candidate) estimate() int {
	gain := -c.bytes
	for o, start := range c.starts {
		gain += c.bytes - retBytes - callBytes
		for _, j := range c.outputs {
			gain -= c.t.unfolded(c.t.items[start+j].v)
		}
		for i, p := range c.inputs.params {
			_, follows := c.follows(o, i)
			gain -= c.t.unfolded(c.inputs.operand(p.slot, o))
			switch {
			case follows:
			case p.bits != nil:
				gain -= constBytes
			case p.extra[o] != 0:
				gain -= addBytes
			}
		}
	}
	return gain
}

// unfolded is what it costs that v, which goes in or out, has to be in registers: that of
// loads with one user otherwise would be an operand of that, and now and then a vector has to
// be copied.
func (t *text) unfolded(v *vir.Value) int {
	n := registers(v.Type)
	switch at, ok := t.at[v]; {
	case !v.Type.IsVector() && !v.Type.Elem.IsFloat():
		return 0
	case v.Op.IsLoad() && ok && t.items[at].users == 1:
		return loadBytes * n
	case n > 1:
		return longBytes * n
	}
	return copyBytes
}

// roughly is a guess of the bytes of the operations of s, to sort out what is not worth
// the real thing.
func (t *text) roughly(s spot) (bytes int) {
	for k := range s.length {
		bytes += rough(t.items[s.starts[0]+k].v)
	}
	return bytes
}

// rough is a guess of the bytes that v takes.
func rough(v *vir.Value) int {
	const bytes = 6
	switch v.Op {
	case vir.OpConst, vir.OpPoison, vir.OpParam, vir.OpPhi, vir.OpResult, vir.OpBitcast, vir.OpSubvec:
		return 0
	case vir.OpRet:
		return retBytes
	case vir.OpCall:
		return callBytes
	case vir.OpFmin, vir.OpFmax, vir.OpFminNnan, vir.OpFmaxNnan, vir.OpPopcnt, vir.OpRotl, vir.OpGather, vir.OpScatter, vir.OpClz, vir.OpCtz:
		return 5 * bytes * parts(v)
	case vir.OpAdd, vir.OpPtradd:
		if isScalar(v) {
			return addBytes
		}
	}
	return bytes * parts(v)
}

// parts is the number of registers that v, or an operand of it, takes.
func parts(v *vir.Value) int {
	n := registers(v.Type)
	for _, a := range v.Args {
		n = max(n, registers(a.Type))
	}
	return n
}

// registers is how many registers a value of type t takes.
func registers(t vir.Type) int { return max(1, t.Size()/registerBytes) }

// Rough is a Measure for tests: the guess that candidates are sorted out by.
func Rough(fs []*vir.Func) ([]Code, error) {
	codes := make([]Code, len(fs))
	for i, f := range fs {
		for v := range f.Values {
			codes[i].Bytes += rough(v)
		}
	}
	return codes, nil
}
