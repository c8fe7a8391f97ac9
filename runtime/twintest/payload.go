package twintest

import "reflect"

// The payload of a NaN that is computed may differ between twin and original.
// Where memory of another type, or of the same type at another alignment, shares
// its bytes, or in a function that looks at the bits of floats, the difference becomes one
// of ordinary values, which is nobody's mistake either.

// payloadShows reports whether bytes of a quiet NaN lie in memory, before or behind a call,
// that the call also saw as something else, or may have lain there: of arbitrary numbers in
// the same memory many are NaNs for a while.
func (c *checker) payloadShows(b built, mem ...*arena) bool {
	for i, r := range b.regions {
		k := floats(r.elem)
		if k == reflect.Invalid {
			continue
		}
		for j, s := range b.regions {
			if i == j || r.apart(s) || !c.bits && r.alike(s) {
				continue
			}
			if b.tc.style == wide || b.tc.style == special {
				return true
			}
			lo, hi := min(r.off, s.off), max(r.off+r.bytes(), s.off+s.bytes())
			for _, m := range mem {
				if hasQuietNaN(m.mem[lo:hi], k) {
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

// alike reports whether r and s cut their bytes into the same elements.
func (r region) alike(s region) bool {
	return r.elem == s.elem && (r.off-s.off)%int(r.elem.Size()) == 0
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
