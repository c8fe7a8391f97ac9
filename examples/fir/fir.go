// Package fir filters signals: every output is a weighted sum of neighbouring inputs.
package fir

//go:generate go tool lanewise -tests .

// eight stores the signal filtered by 8 taps.
//
//vec:func Eight
func eight(dst, src []float32, taps *[8]float32) {
	for i := range dst {
		var s float32
		for j, t := range taps {
			s += src[i+j] * t
		}
		dst[i] = s
	}
}

// eightInt16 filters samples by taps in 1/32768 and rounds.
//
//vec:func EightInt16
func eightInt16(dst, src []int16, taps *[8]int16) {
	for i := range dst {
		s := int32(1 << 14)
		for j, t := range taps {
			s += int32(src[i+j]) * int32(t)
		}
		dst[i] = int16(s >> 15)
	}
}

// any filters by any number of taps.
//
//vec:func Any
func any(dst, src, taps []float32) {
	for i := range dst {
		var s float32
		for j, t := range taps {
			s += src[i+j] * t
		}
		dst[i] = s
	}
}
