package target

import (
	"math/bits"

	"github.com/lanewise/lanewise/vir"
)

// An Addition is a step of a multiplication by a constant where that takes less than a product:
// what there is so far is shifted left, and x is added to it (Sign 1), taken from it (-1), or
// neither (0).
type Addition struct {
	Shift int
	Sign  int
}

// Additions are the steps from x to k*x for lanes of the given type; nil where a product is
// better, and where k is a power of two, which is a shift. They follow the digits of k, the highest first,
// in the form with the fewest that are not 0, where each is 0, 1 or -1 (Reitwiesner, 1960).
func (t *Target) Additions(k uint64, e vir.Elem) []Addition {
	k &= e.Ones()
	if k>>(e.Bits()-1) != 0 || k&(k-1) == 0 {
		return nil
	}
	steps := additions(k)
	if instructions(steps, e) > t.mostAdditions(e) {
		return nil
	}
	return steps
}

func additions(k uint64) []Addition {
	type digit struct{ at, sign int }
	var digits []digit // the lowest first
	for at := 0; k != 0; {
		zeros := bits.TrailingZeros64(k)
		k, at = k>>zeros, at+zeros
		d := digit{at, 1}
		if k&3 == 3 {
			d.sign = -1
			k++
		} else {
			k--
		}
		digits = append(digits, d)
	}
	var steps []Addition
	for i := len(digits) - 1; i > 0; i-- {
		steps = append(steps, Addition{digits[i].at - digits[i-1].at, digits[i-1].sign})
	}
	if low := digits[0].at; low > 0 {
		steps = append(steps, Addition{Shift: low})
	}
	return steps
}

// instructions is how many the steps take: bytes are shifted as words, and what comes from
// the neighbour is cleared, unless they are doubled by an addition.
func instructions(steps []Addition, e vir.Elem) int {
	n := 0
	for _, s := range steps {
		n++
		if e == vir.I8 && s.Shift > 1 {
			n++
		}
		if s.Sign != 0 {
			n++
		}
	}
	return n
}

// mostAdditions is how many instructions are better than a product. That of words and of 32 bits is
// one instruction; bytes take five, and 64 bits six where the target has no instruction for them.
func (t *Target) mostAdditions(e vir.Elem) int {
	switch {
	case e == vir.I8:
		return 4
	case e == vir.I64 && t.EVEX:
		return 2
	case e == vir.I64:
		return 4
	}
	return 0
}

// product is the cost of a multiplication of vectors, which may be one by a constant.
func (t *Target) product(v *vir.Value) Cost {
	k, ok := v.Args[1].IsConst()
	if !ok {
		return t.Cost(v.Op, v.Type)
	}
	if k &= v.Type.Elem.Ones(); k != 0 && k&(k-1) == 0 {
		c := Cost{0.5, 1}
		if v.Type.Elem == vir.I8 {
			c = Cost{1, 2}
		}
		return c.times(t.Parts(v.Type))
	}
	if steps := t.Additions(k, v.Type.Elem); steps != nil {
		n := float64(instructions(steps, v.Type.Elem))
		return Cost{0.4 * n, n}.times(t.Parts(v.Type))
	}
	return t.Cost(v.Op, v.Type)
}
