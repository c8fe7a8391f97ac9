package plan

// Turns is the number of iterations of t, if that is less than limit and follows from the parameters that param
// knows; nil knows none.
func (t Trip) Turns(param func(int) (int64, bool), limit int64) (n int64, known bool) {
	if t.Start == nil || t.Limit == nil {
		return 0, false
	}
	known = true
	value := func(p int) int64 {
		if param == nil {
			known = false
			return 0
		}
		x, ok := param(p)
		known = known && ok
		return x
	}
	x, end := t.Start.Eval(value, 0), t.Limit.Eval(value, 0)
	if !known || t.Unsigned && (x < 0 || end < 0) {
		return 0, false
	}
	for ; n < limit; n++ {
		if !t.Cond.holds(x, end) {
			return n, true
		}
		x += t.Step
	}
	return 0, false
}

func (c Cond) holds(x, y int64) bool {
	switch c {
	case Less:
		return x < y
	case LessEq:
		return x <= y
	case Greater:
		return x > y
	case GreaterEq:
		return x >= y
	}
	return x != y
}
