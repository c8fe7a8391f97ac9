// Package mode puts one layer of a picture onto another, in a way that a parameter
// chooses. The choice stands inside of the loop, where it is easiest to read; a
// kernel has a version for each way.
package mode

//go:generate go tool lanewise -tests .

// A Mode is a way to combine bytes of two layers.
type Mode uint8

const (
	Normal Mode = iota
	Multiply
	Screen
	Darken
	Lighten
	Difference
	Add
)

// layer puts top onto dst.
//
//vec:func Layer
func layer(dst, top []uint8, m Mode) {
	for i, t := range top {
		b := dst[i]
		switch m {
		case Multiply:
			t = uint8(uint16(b) * uint16(t) / 255)
		case Screen:
			t = 255 - uint8(uint16(255-b)*uint16(255-t)/255)
		case Darken:
			t = min(b, t)
		case Lighten:
			t = max(b, t)
		case Difference:
			t = max(b, t) - min(b, t)
		case Add:
			t = uint8(min(uint16(b)+uint16(t), 255))
		}
		dst[i] = t
	}
}

// mix is a x + b y, with x squared, as it is, or negative, and y left out on demand.
//
//vec:func Mix
func mix(dst, x, y []float32, a, b float32, power int, withY bool) {
	for i, v := range x {
		switch {
		case power == 2:
			v *= v
		case power < 0:
			v = -v
		}
		v *= a
		if withY {
			v += b * y[i]
		}
		dst[i] = v
	}
}
