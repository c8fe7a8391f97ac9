package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// Variables that are set under one of several conditions, and to something that does not depend on them:
//
//	if a[i] > t { r = b[i] } else if a[i] < -t { r = -1 }      r' = c ? x : d ? y : r
//
// are set where any of the conditions holds, to what the first of these says:
//
//	r' = c or d ? (c ? x : y) : r
//
// which is the form of variables whose last value counts.

// either makes that form of next, the next value of phi; nil where it is not such a variable, or has one condition.
func (m *matcher) either(phi, next *vir.Value) *vir.Value {
	if next.Op != vir.OpSelect || phi.Type.Elem == vir.Bool || !m.free(next.Args[0]) || m.set(phi, next) {
		return nil
	}
	for v := range m.body.Func.Values {
		if slices.Contains(v.Args, phi) && (v.Op != vir.OpSelect || v.Args[0] == phi) && v.Op != vir.OpRet {
			return nil // what it was is asked for
		}
	}
	if !m.settable(phi, next) {
		return nil
	}
	cond, value := m.settings(phi, next)
	return m.append(next.Type, vir.OpSelect, next, cond, value, phi)
}

// set reports whether next has that form.
func (m *matcher) set(phi, next *vir.Value) bool {
	return next.Args[1] == phi && m.free(next.Args[2]) || next.Args[2] == phi && m.free(next.Args[1])
}

// settable reports whether v is phi, or does not depend on it, as conditions say that do not either.
func (m *matcher) settable(phi, v *vir.Value) bool {
	return v == phi || m.free(v) || v.Op == vir.OpSelect && m.free(v.Args[0]) && m.settable(phi, v.Args[1]) && m.settable(phi, v.Args[2])
}

// settings is the condition under which v, which is settable, is not phi, and what it is then, nil where it never is.
func (m *matcher) settings(phi, v *vir.Value) (cond, value *vir.Value) {
	bool1 := vir.Scalar(vir.Bool)
	switch {
	case v == phi:
		return m.truth(false, v), nil
	case m.free(v):
		return m.truth(true, v), v
	}
	c := v.Args[0]
	yes, x := m.settings(phi, v.Args[1])
	no, y := m.settings(phi, v.Args[2])
	switch {
	case x == nil:
		return m.append(bool1, vir.OpAnd, v, m.append(bool1, vir.OpNot, v, c), no), y
	case y == nil:
		return m.append(bool1, vir.OpAnd, v, c, yes), x
	}
	return m.append(bool1, vir.OpSelect, v, c, yes, no), m.append(v.Type, vir.OpSelect, v, c, x, y)
}

// truth is a constant condition.
func (m *matcher) truth(holds bool, at *vir.Value) *vir.Value {
	v := m.append(vir.Scalar(vir.Bool), vir.OpConst, at)
	v.Bits = []uint64{0}
	if holds {
		v.Bits[0] = 1
	}
	return v
}
