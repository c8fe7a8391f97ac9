package blackscholes

import (
	"math"
	"testing"
)

// TestParity checks that a call less a put is worth the stock less the discounted strike.
func TestParity(t *testing.T) {
	const n, rate = 101, 0.03
	var spot, strike, years, call, put [n]float64
	for i := range n {
		spot[i], strike[i], years[i] = 80+float64(i)/2, 100, 0.1+float64(i%7)/3
	}
	Prices(call[:], put[:], spot[:], strike[:], years[:], rate, 0.2)
	for i := range n {
		want := spot[i] - strike[i]*math.Exp(-rate*years[i])
		if got := call[i] - put[i]; math.Abs(got-want) > 1e-9 || call[i] < 0 || put[i] < 0 {
			t.Errorf("%d: call %g, put %g, difference %g, want %g", i, call[i], put[i], got, want)
		}
	}
	// A textbook's: stock 42, strike 40, half a year, 10 %, volatility 20 %.
	spot[0], strike[0], years[0] = 42, 40, 0.5
	Prices(call[:1], put[:1], spot[:1], strike[:1], years[:1], 0.1, 0.2)
	if math.Abs(call[0]-4.76) > 0.005 || math.Abs(put[0]-0.81) > 0.005 {
		t.Errorf("call %g, put %g, want 4.76 and 0.81", call[0], put[0])
	}
}
