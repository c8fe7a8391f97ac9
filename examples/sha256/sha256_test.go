package sha256

import "testing"

// TestSchedule expands the message "abc" of FIPS 180-2, appendix B.1.
func TestSchedule(t *testing.T) {
	for _, f := range []func(w *[64]uint32){schedule, Schedule} {
		w := [64]uint32{0: 0x61626380, 15: 0x18}
		f(&w)
		if w[16] != 0x61626380 || w[17] != 0x000f0000 || w[63] != 0x12b1edeb {
			t.Errorf("got %#x", w)
		}
	}
}
