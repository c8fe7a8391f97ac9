package main

import (
	"github.com/lanewise/lanewise/examples/mode"
	"github.com/lanewise/lanewise/examples/rare"
)

// branches are loops with conditions that all iterations share, or that few meet: one
// per cent here. How the others gain at other densities is a table of its own.
func branches() []row {
	return []row{
		map1("layer, screen", predictable, 0, 255, versions(
			func(dst, top []uint8) { layerOriginal(dst, top, mode.Screen) },
			func(dst, top []uint8) { mode.Layer(dst, top, mode.Screen) })),
		map1("layer, darken", unpredictable, 0, 255, versions(
			func(dst, top []uint8) { layerOriginal(dst, top, mode.Darken) },
			func(dst, top []uint8) { mode.Layer(dst, top, mode.Darken) })),
		map1("mix of squares", predictable, -9, 9, versions(
			func(dst, x []float32) { mixPowersOriginal(dst, x, x, 2, 3, 2, true) },
			func(dst, x []float32) { mode.Mix(dst, x, x, 2, 3, 2, true) })),
		map1("penalize, 1%", endless, -99, 99, versions(
			func(score, x []float32) { penalizeOriginal(score, x, 97, 1) },
			func(score, x []float32) { rare.Penalize(score, x, 97, 1) })),
		destructive("limit, 1%", -99, 99, versions(
			func(x []float32) { limitOriginal(x, 97) },
			func(x []float32) { rare.Limit(x, 97) })),
		map1("slow down, 1%", endless, -99, 99, versions(
			func(dst, x []float64) { slowDownOriginal(dst, x, x, 138) },
			func(dst, x []float64) { rare.SlowDown(dst, x, x, 138) })),
	}
}
