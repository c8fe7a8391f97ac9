// Package filter keeps the elements that meet a condition, side by side, or tells
// where they are.
package filter

//go:generate go tool lanewise -tests .

// above copies the numbers of src above limit to dst and returns how many there are.
//
//vec:func Above
func above(dst, src []float32, limit float32) int {
	k := 0
	for _, v := range src {
		if v > limit {
			dst[k] = v
			k++
		}
	}
	return k
}

// kept returns the numbers of src above limit.
//
//vec:func Kept
func kept(src []float32, limit float32) []float32 {
	out := make([]float32, 0, len(src))
	for _, v := range src {
		if v > limit {
			out = append(out, v)
		}
	}
	return out
}

// between makes a selection vector: the positions of the numbers from lo up to and
// including hi.
//
//vec:func Between
func between(selected []int32, x []float32, lo, hi float32) int {
	k := 0
	for i, v := range x {
		if lo <= v && v <= hi {
			selected[k] = int32(i)
			k++
		}
	}
	return k
}

// dropSpaces takes the spaces out of text and returns what is left.
//
//vec:func DropSpaces
func dropSpaces(text []byte) []byte {
	k := 0
	for _, c := range text {
		if c != ' ' {
			text[k] = c
			k++
		}
	}
	return text[:k]
}

// partition copies the numbers of src below pivot to low and all others to high, in
// order, and returns how many are low.
//
//vec:func Partition
func partition(low, high, src []int32, pivot int32) int {
	k, j := 0, 0
	for _, v := range src {
		if v < pivot {
			low[k] = v
			k++
		} else {
			high[j] = v
			j++
		}
	}
	return k
}

// large keeps the keys and weights of the pairs whose weight is more than limit.
//
//vec:func Large
func large(outKeys []int32, outWeights []float64, keys []int32, weights []float64, limit float64) int {
	k := 0
	for i, w := range weights {
		if w > limit {
			outKeys[k] = keys[i]
			outWeights[k] = w
			k++
		}
	}
	return k
}

// nonZero keeps what is not zero. It has no branch: each number is stored, and the
// next one overwrites it if it is not kept.
//
//vec:func NonZero
func nonZero(dst, src []uint16) int {
	k := 0
	for _, v := range src {
		dst[k] = v
		if v != 0 {
			k++
		}
	}
	return k
}
