// Package dict decodes columns that are stored as codes into a dictionary.
package dict

//go:generate go tool lanewise -tests .

// decode stores the values of codes.
//
//vec:func DecodeFloat32[float32]
//vec:func DecodeInt64[int64]
func decode[T float32 | int64](dst []T, codes []uint8, dict []T) {
	for i, c := range codes {
		dst[i] = dict[c]
	}
}

// decode16 stores the values of codes of four bits, one in each byte.
//
//vec:func Decode16
func decode16(dst []float32, codes []uint8, dict *[16]float32) {
	for i, c := range codes {
		dst[i] = dict[c&15]
	}
}

// recode stores the bytes that a table gives for others.
//
//vec:func Recode
func recode(dst, src []uint8, table *[256]uint8) {
	for i, c := range src {
		dst[i] = table[c]
	}
}
