package popcount

import "testing"

func TestPopcount(t *testing.T) {
	x, y := []uint64{1<<63 | 1, 0xff}, []uint64{1, 0x0f}
	b, c := []byte{0xff, 0x01, 0}, []byte{0x0f, 0x02, 0}
	for _, r := range []struct {
		name      string
		got, want int
	}{
		{"ones", ones(x), 10},
		{"hamming", hamming(x, y), 5},
		{"onesBytes", onesBytes(b), 9},
		{"hammingBytes", hammingBytes(b, c), 6},
	} {
		if r.got != r.want {
			t.Errorf("%s = %d, want %d", r.name, r.got, r.want)
		}
	}
}
