// Package expand puts elements that lie side by side where they belong, the reverse of
// a filter.
package expand

//go:generate go tool lanewise -tests .

// unpack sets dst to the numbers of values where there is one, and to missing elsewhere,
// and returns how many of values it used. It is how columns with gaps are read.
//
//vec:func Unpack
func unpack(dst, values []float32, present []bool, missing float32) int {
	k := 0
	for i, p := range present {
		v := missing
		if p {
			v = values[k]
			k++
		}
		dst[i] = v
	}
	return k
}

// unpackBytes is unpack for bytes.
//
//vec:func UnpackBytes
func unpackBytes(dst, values []uint8, present []bool, missing uint8) int {
	k := 0
	for i, p := range present {
		v := missing
		if p {
			v = values[k]
			k++
		}
		dst[i] = v
	}
	return k
}

// putBack replaces the numbers of dst above limit, in order, by those of src.
//
//vec:func PutBack
func putBack(dst, src []float32, limit float32) int {
	k := 0
	for i, v := range dst {
		if v > limit {
			dst[i] = src[k]
			k++
		}
	}
	return k
}

// choose takes the next number of a where first holds, and of b elsewhere.
//
//vec:func Choose
func choose(dst, a, b []int32, first []bool) int {
	k, j := 0, 0
	for i, f := range first {
		if f {
			dst[i] = a[k]
			k++
		} else {
			dst[i] = b[j]
			j++
		}
	}
	return k
}

// fill sets the samples of dst that are not known to the next known ones.
//
//vec:func Fill
func fill(dst, samples []uint16, known []bool) int {
	k := 0
	for i, ok := range known {
		dst[i] = samples[k]
		if ok {
			k++
		}
	}
	return k
}
