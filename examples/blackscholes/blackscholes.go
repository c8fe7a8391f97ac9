// Package blackscholes prices European options by the formula of Black and Scholes: a
// logarithm, a root, an exponential and two error functions for each.
package blackscholes

import "math"

//go:generate go tool lanewise -tests .

// prices stores what calls and puts are worth for prices of the stock, strikes and times to
// expiry in years, at one rate of interest and one volatility.
//
//vec:func Prices
func prices(call, put, spot, strike, years []float64, rate, volatility float64) {
	for i := range call {
		s, k, t := spot[i], strike[i], years[i]
		deviation := volatility * math.Sqrt(t)
		d1 := (math.Log(s/k) + (rate+volatility*volatility/2)*t) / deviation
		d2 := d1 - deviation
		discounted := k * math.Exp(-rate*t)
		call[i] = s*normal(d1) - discounted*normal(d2)
		put[i] = discounted*normal(-d2) - s*normal(-d1)
	}
}

// normal is the probability that a standard normal variable is below x.
func normal(x float64) float64 { return 0.5 + 0.5*math.Erf(x/math.Sqrt2) }
