package indexany

import (
	"strings"
	"testing"
)

func TestIndexEither(t *testing.T) {
	for n := range 200 {
		s := strings.Repeat("x", n)
		for _, end := range []string{"", "b--a--", "a--b--"} {
			if got, want := IndexEither(s+end, 'a', 'b'), strings.IndexAny(s+end, "ab"); got != want {
				t.Errorf("IndexEither(%q) = %d, want %d", s+end, got, want)
			}
		}
	}
}
