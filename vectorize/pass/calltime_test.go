package pass

import "testing"

func TestStrip(t *testing.T) {
	for _, c := range []struct {
		ns   float64 // of an iteration
		want int64
	}{
		{0, 1 << 18},
		{0.2, 1 << 18},                  // 52 µs
		{Transfer(4, false), 1 << 17},   // as long
		{Transfer(24, false), 1 << 14},  // 39 µs: twice as many took 79
		{Transfer(8, true), 1 << 13},    // a line each
		{Transfer(4096, false), 1 << 7}, // more than a line
		{Transfer(4096, true), 1 << 7},  // the same
		{10_000, 8},                     // no fewer than a block has
		{100_000, 8},
	} {
		if got := new(Unit).Strip(c.ns, 8, 1<<18); got != c.want {
			t.Errorf("%v ns: %d iterations, want %d", c.ns, got, c.want)
		}
	}
	if got := (&Unit{Brief: true}).Strip(0, 8, 1<<18); got != 8 {
		t.Errorf("brief: %d iterations, want 8", got)
	}
}
