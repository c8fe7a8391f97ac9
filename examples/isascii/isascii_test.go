package isascii

import (
	"strings"
	"testing"
)

func TestIsASCII(t *testing.T) {
	for n := range 200 {
		s := strings.Repeat("\x7f", n)
		if !IsASCII(s) || IsASCII(s+"\x80") || IsASCII(s+"é"+s) || isASCII("é") {
			t.Errorf("wrong behind %d bytes", n)
		}
	}
}
