package main

import (
	"github.com/lanewise/lanewise/examples/blackscholes"
	"github.com/lanewise/lanewise/examples/mathfuncs"
	"github.com/lanewise/lanewise/examples/softmax"
)

// mathMaps are rows with functions of package math. Their originals take as long as the
// arguments say, so that these are spread over what is usual.
func mathMaps() []row {
	type (
		unary   = func(dst, x []float64)
		unary32 = func(dst, x []float32)
		binary  = func(dst, x, y []float64)
	)
	return []row{
		map1("exp float64", predictable, -20, 20, versions(unary(mathExpOriginal), unary(mathfuncs.Exp))),
		map1("log float64", predictable, 1, 1000, versions(unary(mathLogOriginal), unary(mathfuncs.Log))),
		map1("sin float64", predictable, -99, 99, versions(unary(mathSinOriginal), unary(mathfuncs.Sin))),
		map1("cos float64", predictable, -99, 99, versions(unary(mathCosOriginal), unary(mathfuncs.Cos))),
		map1("tanh float64", predictable, -9, 9, versions(unary(mathTanhOriginal), unary(mathfuncs.Tanh))),
		map1("cbrt float64", predictable, -999, 999, versions(unary(mathCbrtOriginal), unary(mathfuncs.Cbrt))),
		map1("erf float64", predictable, -3, 3, versions(unary(mathErfOriginal), unary(mathfuncs.Erf))),
		map2("hypot float64", predictable, -99, 99, versions(binary(mathHypotOriginal), binary(mathfuncs.Hypot))),
		map1("exp float32", predictable, -20, 20, versions(unary32(mathExpFloat32Original), unary32(mathfuncs.ExpFloat32))),
		map1("exp float32, approx", predictable, -20, 20, versions(unary32(mathExpFloat32Original), unary32(mathfuncs.ExpApprox))),
		map1("log float32, approx", predictable, 1, 1000, versions(unary32(mathLogFloat32Original), unary32(mathfuncs.LogApprox))),
		map1("softmax", predictable, -9, 9, versions(unary(softmaxOriginal), unary(softmax.Softmax))),
		map1("sigmoid float32", predictable, -9, 9, versions(unary32(sigmoidOriginal), unary32(softmax.Sigmoid))),
		optionPrices(),
	}
}

// optionPrices are those of options with strikes around the price of the stock, of up to three
// years.
func optionPrices() row {
	type prices = func(call, put, spot, strike, years []float64, rate, volatility float64)
	return repeatable("black scholes", predictable, func(size int) func(f prices, at, n int) {
		call, put := written[float64](size), written[float64](size)
		spot, strike, months := fill[float64](size, 1, 80, 120), fill[float64](size, 2, 80, 120), fill[float64](size, 3, 1, 36)
		for i := range months {
			months[i] /= 12
		}
		return func(f prices, at, n int) {
			f(call[at:at+n], put[at:at+n], spot[at:at+n], strike[at:at+n], months[at:at+n], 0.03, 0.2)
		}
	}, versions(prices(pricesOriginal), prices(blackscholes.Prices)))
}
