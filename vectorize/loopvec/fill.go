package loopvec

import "github.com/lanewise/lanewise/vir"

// A fill is a variable that is set to a value where a condition holds, or with not where it does not, and
// read in all iterations: a scan of which, of two lanes that follow each other, the later one counts if it is
// set.
type fill struct {
	cond, value *vir.Value
	not         bool
}

// fillOf is nil for other variables.
func (l *loop) fillOf(m *matcher, phi *vir.Value) *fill {
	cond, value, not := l.setUnder(phi)
	if cond == nil || !m.free(cond) || !m.free(value) || phi.Type.Elem == vir.Bool {
		return nil
	}
	return &fill{cond: cond, value: value, not: not}
}

func (f *fill) made() []*vir.Value { return []*vir.Value{f.cond, f.value} }

func (f *fill) wait() float64 { return 0 }

func (f *fill) latency(*loop, vir.Type) float64 { return 1 }

func (f *fill) combine(w *widener, s *carry) {
	b := w.b
	set, x := w.value(f.cond), w.value(f.value)
	if f.not {
		set = b.Op(vir.OpNot, set.Type, set)
	}
	n := w.held[s.slot][0].Type.Lanes
	ever := w.everSet(set, w.e.l.natural(f.cond), n, func(d int) []int { return distances(n, d, n) })
	w.inPieces(s, func(p, n int, last *vir.Value) (lanes, next *vir.Value) {
		v, step := w.piece(x, p, n), 0
		for d := 1; d < n; d *= 2 {
			v = b.Op(vir.OpBlend, v.Type, ever.piece(step, p), v, b.Shuffle(v.Type, distances(n, d, n), v, nil))
			step++
		}
		v = b.Op(vir.OpBlend, v.Type, ever.piece(step, p), v, last)
		return v, w.spreadLast(v)
	})
}
