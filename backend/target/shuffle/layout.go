package shuffle

// A Layout is how the operands of a shuffle lie in registers: each has Lanes
// lanes of Width bytes, in as few registers as hold them, and the registers of
// all operands are numbered one behind the other.
type Layout struct{ Lanes, Width int }

// per is the number of lanes in a register.
func (l Layout) per() int { return min(l.Lanes, Size/l.Width) }

// Registers is the number of registers of an operand.
func (l Layout) Registers() int { return l.Lanes / l.per() }

// Find is the register and the byte in it where a lane starts; lanes are
// numbered through all operands.
func (l Layout) Find(lane int) (register, offset int) {
	k := lane % l.Lanes
	return lane/l.Lanes*l.Registers() + k/l.per(), k % l.per() * l.Width
}

// Want is the register that holds the given lanes, of which those below 0 are
// not wanted.
func (l Layout) Want(lanes []int) Reg {
	r := None()
	for i, k := range lanes {
		if k < 0 {
			continue
		}
		n, off := l.Find(k)
		for b := range l.Width {
			r[i*l.Width+b] = Of(n, off+b)
		}
	}
	return r
}
