package blend

import "testing"

// TestAllOpacities compares with the rounded quotient for every opacity.
func TestAllOpacities(t *testing.T) {
	for a := range 256 {
		for s := 0; s < 256; s += 5 {
			for d := 0; d < 256; d += 15 {
				want := uint8((s*a + d*(255-a) + 127) / 255)
				one, two := []uint8{uint8(d)}, []uint8{uint8(d)}
				blend(one, []uint8{uint8(s)}, []uint8{uint8(a)})
				fade(two, []uint8{uint8(s)}, uint8(a))
				if one[0] != want || two[0] != want {
					t.Fatalf("%d over %d at %d: blend %d, fade %d, want %d", s, d, a, one[0], two[0], want)
				}
			}
		}
	}
}
