// Package stereo interleaves two channels of sound and takes them apart.
package stereo

//go:generate go tool lanewise -tests .

// interleave stores two channels as frames.
//
//vec:func InterleaveFloat32[float32]
//vec:func InterleaveInt16[int16]
func interleave[T float32 | int16](frames, left, right []T) {
	for i := range left {
		frames[2*i] = left[i]
		frames[2*i+1] = right[i]
	}
}

// deinterleave stores the channels of frames.
//
//vec:func DeinterleaveFloat32[float32]
//vec:func DeinterleaveInt16[int16]
func deinterleave[T float32 | int16](left, right, frames []T) {
	for i := range left {
		left[i] = frames[2*i]
		right[i] = frames[2*i+1]
	}
}

// mix stores the mean of the channels of frames.
//
//vec:func Mix
func mix(mono, frames []int16) {
	for i := range mono {
		mono[i] = int16((int32(frames[2*i]) + int32(frames[2*i+1])) >> 1)
	}
}
