// Package isascii asks whether a text is ASCII: a question about all elements is a
// search for one that says no.
package isascii

//go:generate go tool lanewise -tests .

// isASCII reports whether all bytes of s are below 128.
//
//vec:func IsASCII
func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
