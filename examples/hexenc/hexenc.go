// Package hexenc encodes and decodes hexadecimal digits.
package hexenc

//go:generate go tool lanewise -tests .

const digits = "0123456789abcdef"

// encode stores two digits for every byte of src.
//
//vec:func Encode
func encode(dst, src []byte) {
	j := 0
	for _, v := range src {
		dst[j] = digits[v>>4]
		dst[j+1] = digits[v&15]
		j += 2
	}
}

// value is the value of a valid digit.
func value(c byte) byte { return c&15 + c>>6*9 }

// decode stores a byte for every two digits of src, which must be valid.
//
//vec:func Decode
func decode(dst, src []byte) {
	for i := range dst {
		dst[i] = value(src[2*i])<<4 | value(src[2*i+1])
	}
}
