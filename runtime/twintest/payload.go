package twintest

import (
	"reflect"
	"slices"
)

// The payload of a NaN that is computed may differ between twin and original.
// Where memory of another type, or of the same type at another alignment, shares
// its bytes, or in a function that looks at the bits of floats, the difference becomes one
// of ordinary values, which is nobody's mistake either.

// payloadShows reports whether a NaN that the twin has computed may have become part of other
// values: memory of floats is seen as something else as well, of which much is a NaN for a while,
// -1 for example; or functions look at bits where NaNs are, or may have been.
func (c *checker) payloadShows(b built, mem ...*arena) bool {
	for i, r := range b.regions {
		k := floats(r.elem)
		if k == reflect.Invalid {
			continue
		}
		for j, s := range b.regions {
			switch {
			case i == j || r.apart(s):
			case !r.alike(s):
				return true
			case c.bits && (b.tc.style == wide || b.tc.style == special):
				return true
			case c.bits:
				lo, hi := min(r.off, s.off), max(r.off+r.bytes(), s.off+s.bytes())
				if slices.ContainsFunc(mem, func(m *arena) bool { return hasQuietNaN(m.mem[lo:hi], k) }) {
					return true
				}
			}
		}
	}
	return false
}

// floats is the kind of the floats that t is made of, the smaller one if there are both;
// Invalid for none.
func floats(t reflect.Type) reflect.Kind {
	switch t.Kind() {
	case reflect.Float32, reflect.Complex64:
		return reflect.Float32
	case reflect.Float64, reflect.Complex128:
		return reflect.Float64
	case reflect.Array:
		return floats(t.Elem())
	case reflect.Struct:
		found := reflect.Invalid
		for i := range t.NumField() {
			if k := floats(t.Field(i).Type); k != reflect.Invalid && (found == reflect.Invalid || k < found) {
				found = k
			}
		}
		return found
	}
	return reflect.Invalid
}

// apart reports whether r and s share no byte.
func (r region) apart(s region) bool {
	return r.off+r.bytes() <= s.off || s.off+s.bytes() <= r.off
}

// alike reports whether r and s cut their bytes into the same elements, or into floats of the
// same kind at the same places.
func (r region) alike(s region) bool {
	x, y := floatOf(r.elem), floatOf(s.elem)
	return x == y && (r.off-s.off)%int(x.Size()) == 0
}

// floatOf is the float that t consists of, else t.
func floatOf(t reflect.Type) reflect.Type {
	switch t.Kind() {
	case reflect.Float32, reflect.Complex64:
		return reflect.TypeFor[float32]()
	case reflect.Float64, reflect.Complex128:
		return reflect.TypeFor[float64]()
	case reflect.Array:
		if u := floatOf(t.Elem()); u.Kind() == reflect.Float32 || u.Kind() == reflect.Float64 {
			return u
		}
	}
	return t
}

// hasQuietNaN looks for the upper two bytes of a quiet NaN at any alignment.
func hasQuietNaN(mem []byte, k reflect.Kind) bool {
	least := byte(0xc0)
	if k == reflect.Float64 {
		least = 0xf8
	}
	for i := 1; i < len(mem); i++ {
		if mem[i]&0x7f == 0x7f && mem[i-1] >= least {
			return true
		}
	}
	return false
}
