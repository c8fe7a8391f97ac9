package loopvec

import "github.com/lanewise/lanewise/vir"

// The loop as written leaves out the second operand of && and || where the first one decides, which lanes compute
// always: v%4 == 0 && v%100 != 0 divides one number in two by 100.

// often is how often the scalar loop computes values that it does not compute each time: each condition decides every other
// time. Which operand comes first is lost by here; the one with less to do does, as it is written mostly.
func (l *loop) often() map[*vir.Value]float64 {
	if l.halves != nil {
		return l.halves
	}
	often := make(map[*vir.Value]float64)
	if l.halves = often; l.isNest() {
		return often
	}
	work := make(map[*vir.Value]float64) // of a value and what it is made of
	for _, v := range l.insts {
		work[v] = l.throughput(v)
		if v.Op == vir.OpPhi {
			continue
		}
		for _, a := range v.Args {
			work[v] += work[a]
		}
	}
	uses := l.region.Fn.Uses()
	for i := len(l.insts) - 1; i >= 0; i-- {
		v, most := l.insts[i], 0.0
		for _, u := range uses[v] {
			n, known := often[u]
			if !known {
				n = 1
			}
			if second(u, work) == v {
				n /= 2
			}
			most = max(most, n)
		}
		if most > 0 && most < 1 {
			often[v] = most
		}
	}
	return often
}

// second is the operand of u, && or ||, that is computed where the other one does not decide; nil for other values.
func second(u *vir.Value, work map[*vir.Value]float64) *vir.Value {
	switch {
	case u.Op != vir.OpAnd && u.Op != vir.OpOr || u.Type != vir.Scalar(vir.Bool):
		return nil
	case work[u.Args[0]] > work[u.Args[1]]:
		return u.Args[0]
	}
	return u.Args[1]
}
