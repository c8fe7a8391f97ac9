// Package xorkey applies a repeating key, as WebSocket frames have one.
package xorkey

//go:generate go tool lanewise -tests .

// mask applies a key of four bytes to data in place.
//
//vec:func Mask
func mask(data []byte, key [4]byte) {
	for i := range data {
		data[i] ^= key[i&3]
	}
}

// maskFrom is mask for data that goes on at position pos of a message.
//
//vec:func MaskFrom
func maskFrom(data []byte, key [4]byte, pos int) {
	for i := range data {
		data[i] ^= key[(pos+i)&3]
	}
}

// maskInto stores data with a key of sixteen bytes applied.
//
//vec:func MaskInto
func maskInto(dst, src []byte, key *[16]byte) {
	for i, b := range src {
		dst[i] = b ^ key[i%16]
	}
}

// maskBy stores data with a key of any length applied, over and over.
//
//vec:func MaskBy
func maskBy(dst, src, key []byte) {
	for i, b := range src {
		dst[i] = b ^ key[i%len(key)]
	}
}
