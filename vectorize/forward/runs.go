package forward

import (
	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vir"
)

// runs reports whether l, once it is entered, does an iteration for sure: its condition
// holds for constants that its counter starts with.
func runs(l *loops.Loop) bool {
	for _, e := range l.Exits {
		if e.From != l.Header {
			return false
		}
	}
	term := l.Header.Term()
	if term.Op != vir.OpBr {
		return true
	}
	cond, ok := first(l, term.Args[0])
	if !ok {
		return false
	}
	to := l.Header.Succs[0]
	if cond == 0 {
		to = l.Header.Succs[1]
	}
	return l.Contains(to)
}

// first is what v is when control comes to the header of l for the first time.
func first(l *loops.Loop, v *vir.Value) (int64, bool) {
	if c, ok := v.ConstInt(); ok {
		return c, true
	}
	switch v.Op {
	case vir.OpPhi:
		if v.Block != l.Header || len(v.Args) != 2 {
			return 0, false
		}
		for i, p := range l.Header.Preds {
			if !l.Contains(p) {
				return v.Args[i].ConstInt()
			}
		}
	case vir.OpIcmpSlt, vir.OpIcmpSle, vir.OpIcmpUlt, vir.OpIcmpUle, vir.OpIcmpEq, vir.OpIcmpNe:
		x, ok := first(l, v.Args[0])
		y, ok2 := first(l, v.Args[1])
		if ok && ok2 && v.Op.Holds(x, y) {
			return 1, true
		}
		return 0, ok && ok2
	}
	return 0, false
}
