package memorder

import (
	"fmt"
	"strings"

	"github.com/lanewise/lanewise/vir"
)

// A lane is where a lane comes from: lane k of v, which does not only move lanes.
// Without v it may be anything.
type lane struct {
	v *vir.Value
	k int
}

// trace follows lane k of v through moves.
func trace(v *vir.Value, k int) lane {
	for {
		switch v.Op {
		case vir.OpPoison:
			return lane{}
		case vir.OpBroadcast:
			return lane{v, 0}
		case vir.OpShuffle:
			k = v.Lanes[k]
			if k < 0 {
				return lane{}
			}
		case vir.OpSubvec:
			k += int(v.Imm)
		case vir.OpConcat:
		default:
			return lane{v, k}
		}
		n := v.Args[0].Type.Lanes
		v, k = v.Args[k/n], k%n
	}
}

// bits is the constant in the lane.
func (l lane) bits() (uint64, bool) {
	if l.v.Op != vir.OpConst {
		return 0, false
	}
	return l.v.Bits[min(l.k, len(l.v.Bits)-1)], true
}

// uniform reports whether the lane is known before the block b runs, as a scalar.
func (l lane) uniform(b *vir.Block) bool {
	return l.v.Op == vir.OpConst || l.v.Op == vir.OpBroadcast && l.v.Block != b
}

// operands are what the lane is computed from.
func (l lane) operand(i int) lane { return trace(l.v.Args[i], l.k) }

// isLoad reports whether the lane is loaded from a known place of its block.
func (l lane) isLoad() bool { return l.v != nil && l.v.Op == vir.OpLoadUnit && !l.v.Masked }

// at is the displacement of a loaded lane.
func (l lane) at() int64 { return l.v.Disp + int64(l.k*l.v.Type.Elem.Size()) }

// sameWalk reports whether two memory operations are a constant distance apart.
func sameWalk(v, w *vir.Value) bool {
	return v.Base() == w.Base() && v.Index() == w.Index() && v.Scale == w.Scale
}

// keyOf tells lists of lanes of one type apart.
func keyOf(lanes []lane, e vir.Elem) string {
	var b strings.Builder
	fmt.Fprint(&b, e)
	for _, l := range lanes {
		if l.v == nil {
			b.WriteString(" u")
			continue
		}
		fmt.Fprintf(&b, " %d.%d", l.v.ID(), l.k)
	}
	return b.String()
}

// defined gives the lanes that matter.
func defined(lanes []lane) (d []lane) {
	for _, l := range lanes {
		if l.v != nil {
			d = append(d, l)
		}
	}
	return d
}

// lanewise reports whether v works lane by lane.
func lanewise(v *vir.Value) bool {
	if !v.Type.IsVector() || len(v.Args) == 0 {
		return false
	}
	for _, a := range v.Args {
		if a.Type.Lanes != v.Type.Lanes {
			return false
		}
	}
	r := v.Op.Info().Rule
	return vir.RuleInt <= r && r <= vir.RuleFloatCmp || vir.RuleBlend <= r && r <= vir.RuleBitcast
}

// alike says how well lane m, by lanes behind l, goes with it in one vector.
func alike(l, m lane, by int) int {
	switch {
	case l.v == nil || m.v == nil:
		return 2
	case l.isLoad() && m.isLoad() && sameWalk(l.v, m.v):
		if m.at()-l.at() == int64(by*l.v.Type.Elem.Size()) {
			return 4
		}
		if m.at() == l.at() {
			return 3
		}
		return 1
	case l == m:
		return 3
	case l.v.Op == m.v.Op:
		return 2
	}
	return 0
}
