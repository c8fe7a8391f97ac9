// Package pcm converts audio samples between 16-bit integers and floats.
package pcm

//go:generate go tool lanewise -tests .

// toFloat scales samples to [-1, 1).
//
//vec:func ToFloat
func toFloat(dst []float32, src []int16) {
	for i, v := range src {
		dst[i] = float32(v) / 32768
	}
}

// fromFloat scales back and clamps what does not fit.
//
//vec:func FromFloat
func fromFloat(dst []int16, src []float32) {
	for i, v := range src {
		v *= 32768
		if v > 32767 {
			v = 32767
		} else if v < -32768 {
			v = -32768
		}
		dst[i] = int16(v)
	}
}
