package loopvec

import (
	"github.com/lanewise/lanewise/vectorize/ranges"
	"github.com/lanewise/lanewise/vir"
)

// maxStrip is the most iterations of one call; shortStrip the fewest for which
// narrow accumulators are worth it, because each call ends in a fold.
const (
	maxStrip   = 1 << 18
	shortStrip = 1 << 14
)

// fewBlocks is the fewest blocks between two foldings of the main loop.
const fewBlocks = 16

// planLanes chooses the types of the accumulators. Sums of narrow items need no
// more bits than the sum of one call has; counting bytes is done in bytes.
func (l *loop) planLanes(r *reduction) {
	phi := r.phi.Type.Elem
	r.x, r.lane, r.main = r.item, phi, phi
	if r.line != nil || r.op != vir.OpAdd || !phi.IsInt() || r.item.Op != vir.OpZext && r.item.Op != vir.OpSext {
		return
	}
	x := r.item.Args[0]
	from := l.natural(x)
	if from == vir.Void || from.Size() > phi.Size() {
		return
	}
	r.ext, r.x, r.most = r.item.Op, x, magnitude(x, r.item.Op)
	for e := from; e.Size() < phi.Size(); e = wider(e) {
		if n := r.room(e); n >= shortStrip {
			r.lane, r.strip = e, n
			break
		}
	}
	r.main = r.lane
	if x.Type.Elem == vir.I8 && r.lane.Size() >= 4 && r.step == vir.OpAdd {
		return // bytes are added up across lanes
	}
	for e := from; e.Size() < r.lane.Size(); e = wider(e) {
		if n := r.room(e); n >= fewBlocks {
			r.main, r.blocks = e, n
			break
		}
	}
}

// room is the number of items whose sum certainly fits e.
func (r *reduction) room(e vir.Elem) int64 {
	bits := e.Bits()
	if r.ext == vir.OpSext || r.step == vir.OpSub {
		bits--
	}
	n := (uint64(1)<<bits - 1) / max(r.most, 1)
	return int64(min(n, 1<<40))
}

func wider(e vir.Elem) vir.Elem { return vir.IntElem(2 * e.Size()) }

// magnitude is the largest |x| of what ext makes out of v.
func magnitude(v *vir.Value, ext vir.Op) uint64 {
	if v.Type.Elem == vir.Bool {
		return 1
	}
	r := ranges.New().Of(v)
	if ext == vir.OpZext {
		return r.UHi
	}
	return max(uint64(-r.SLo), uint64(max(r.SHi, 0)))
}

// natural is the integer type of the lanes in which v is at hand: its own, for a
// truth value that of what was compared in lanes.
func (l *loop) natural(v *vir.Value) vir.Elem { return natural(v, l.uniform) }

// natural is that of v in a function where scalar tells what is in no lanes.
func natural(v *vir.Value, scalar func(*vir.Value) bool) vir.Elem { return naturalElem(v, scalar, 8) }

// naturalElem looks at most depth operations deep: values are shared.
func naturalElem(v *vir.Value, scalar func(*vir.Value) bool, depth int) vir.Elem {
	if v.Type.Elem.IsInt() {
		return v.Type.Elem
	}
	e := vir.Void
	for _, a := range v.Args {
		n := vir.Void
		switch {
		case scalar(a):
		case a.Type.Elem == vir.Bool && depth > 0:
			n = naturalElem(a, scalar, depth-1)
		case a.Type.Elem.IsInt() || a.Type.Elem.IsFloat():
			n = vir.IntElem(a.Type.Elem.Size())
		}
		if n.Size() > e.Size() {
			e = n
		}
	}
	return e
}

// chunked reports whether the main loop is interrupted to add up its narrow
// accumulators.
func (r *reduction) chunked() bool { return r.blocks > 0 }

// chunk is the largest number of blocks that the accumulators of all reductions
// allow between two interruptions; 0 for any number.
func (e *emitter) chunk() int64 {
	n := int64(0)
	for _, r := range e.reds {
		if r.chunked() && (n == 0 || r.blocks < n) {
			n = r.blocks
		}
	}
	return n
}

// widened adds up narrow accumulators to fewer lanes of the wide type. Each lane
// holds the sum of at most r.blocks items.
func (r *reduction) widened(b *vir.Builder, acc *vir.Value, lanes int, blocks int64) *vir.Value {
	most := blocks
	for acc.Type.Lanes > lanes {
		if 2*most > r.room(acc.Type.Elem) {
			acc = r.extend(b, acc, wider(acc.Type.Elem))
		}
		n := acc.Type.Lanes / 2
		acc = b.Op(vir.OpAdd, vir.Vec(acc.Type.Elem, n), b.Subvec(acc, 0, n), b.Subvec(acc, n, n))
		most *= 2
	}
	return r.extend(b, acc, r.lane)
}

// extend widens the lanes of a partial sum.
func (r *reduction) extend(b *vir.Builder, acc *vir.Value, e vir.Elem) *vir.Value {
	if acc.Type.Elem == e {
		return acc
	}
	op := vir.OpZext
	if r.ext == vir.OpSext || r.step == vir.OpSub {
		op = vir.OpSext
	}
	return b.Op(op, acc.Type.WithElem(e), acc)
}

// add is acc with the items x of one block added.
func (r *reduction) add(b *vir.Builder, acc, x *vir.Value) *vir.Value {
	step := r.step
	switch from, to := x.Type.Elem, acc.Type.Elem; {
	case from == vir.Bool && r.ext == vir.OpZext:
		// Masks are 0 and -1: subtracting them counts.
		x = b.Op(vir.OpSext, acc.Type, x)
		step = vir.OpAdd + vir.OpSub - step
	case from == vir.Bool || from.Size() < to.Size():
		x = b.Op(r.ext, acc.Type, x)
	}
	return b.Op(step, acc.Type, acc, x)
}
