package lower

import "testing"

func TestEveryByte(t *testing.T) {
	for c := range 256 {
		want := byte(c)
		if c >= 'A' && c <= 'Z' {
			want = byte(c) + 32
		}
		b, dst := []byte{byte(c)}, make([]byte, 1)
		lowerInto(dst, b)
		lower(b)
		if b[0] != want || dst[0] != want {
			t.Errorf("%q: in place %q, copied %q, want %q", rune(c), b[0], dst[0], want)
		}
	}
}
