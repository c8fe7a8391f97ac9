package outline

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// Calls that follow each other often work on memory side by side: the same index, a step
// further each time. Their routine hands out the index a step further, in the register where
// it came in, and the next call takes it from there.

// An advance is a parameter that a routine hands out a step further.
type advance struct {
	param int
	step  int64
}

// findAdvances decides for which parameters that is less code: one addition in the routine
// instead of one at each of the calls that follow another one.
func (c *candidate) findAdvances() {
	for i, p := range c.inputs.params {
		if p.bits != nil {
			continue
		}
		times := make(map[int64]int)
		var most int64
		for o := range c.starts {
			if step := c.stepTo(o, p); step != 0 {
				times[step]++
				if n := times[step] - times[most]; n > 0 || n == 0 && step < most {
					most = step
				}
			}
		}
		if times[most] > 1 {
			c.advances = append(c.advances, advance{i, most})
		}
	}
}

// stepTo is what occurrence o adds to the operand of p beyond what the occurrence before
// it adds to the same one in the same block; 0 when there is none.
func (c *candidate) stepTo(o int, p param) int64 {
	if o == 0 || c.block(o) != c.block(o-1) || c.inputs.operand(p.slot, o) != c.inputs.operand(p.slot, o-1) {
		return 0
	}
	return p.extra[o] - p.extra[o-1]
}

// block is where occurrence o stands.
func (c *candidate) block(o int) *vir.Block { return c.t.items[c.starts[o]].v.Block }

// follows reports whether occurrence o gets parameter i from the call before it.
func (c *candidate) follows(o, i int) (from int, ok bool) {
	for k, a := range c.advances {
		if a.param == i && c.stepTo(o, c.inputs.params[i]) == a.step {
			return k, true
		}
	}
	return 0, false
}

// further is v, a parameter, and a step.
func further(b *vir.Builder, v *vir.Value, step int64) *vir.Value {
	n := b.Int(vir.Scalar(vir.I64), step)
	if v.Type.Elem == vir.Ptr {
		return b.Op(vir.OpPtradd, v.Type, v, n)
	}
	return b.Same(vir.OpAdd, v, n)
}

// replaceSums makes what follows call use sum, which call hands out, in the place of sums
// of base and distance that the caller has already: the index of the next iteration, mostly.
func replaceSums(call, base *vir.Value, distance int64, sum *vir.Value) {
	b := call.Block
	at := slices.Index(b.Insts, call)
	behind := make(map[*vir.Value]bool)
	for _, v := range b.Insts[at+1:] {
		behind[v] = true
	}
	for u := range b.Func.Values {
		for i, w := range u.Args {
			if w == sum || !isSum(w, base, distance) {
				continue
			}
			if behind[w] || behind[u] || u.Op == vir.OpPhi && u.Block.Preds[i] == b {
				u.Args[i] = sum
			}
		}
	}
}

func isSum(v, base *vir.Value, distance int64) bool {
	if v.Op != vir.OpAdd || v.Type != base.Type || v.Type.IsVector() {
		return false
	}
	for i, a := range v.Args {
		if c, ok := v.Args[1-i].ConstInt(); ok && a == base && c == distance {
			return true
		}
	}
	return false
}
