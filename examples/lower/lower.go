// Package lower converts ASCII text to lower case.
package lower

//go:generate go tool lanewise -tests .

// lower converts b in place. Bytes that are no upper case letters are not
// written.
//
//vec:func Lower
func lower(b []byte) {
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + ('a' - 'A')
		}
	}
}

// lowerInto stores the lower case of src into dst.
//
//vec:func Into
func lowerInto(dst, src []byte) {
	for i, c := range src {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		dst[i] = c
	}
}
