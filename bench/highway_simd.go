//go:build goexperiment.simd

package main

import (
	"github.com/ajroetker/go-highway/hwy/contrib/algo"
	"github.com/ajroetker/go-highway/hwy/contrib/vec"
)

func init() {
	hw32 = highwayFunctions[float32]{
		add: vec.BaseAddTo_avx2, sub: vec.BaseSubTo_avx2, mul: vec.BaseMulTo_avx2, div: vec.BaseDivTo_avx2,
		scale: vec.BaseScaleTo_avx2, addScaled: vec.BaseMulConstAddTo_avx2,
		min: vec.BaseMin_avx2, max: vec.BaseMax_avx2, sum: vec.BaseSum_avx2, norm: vec.BaseNorm_avx2,
		dot: vec.BaseDot_avx2, distance: vec.BaseL2Distance_avx2,
		argmax: vec.BaseArgmax_avx2, find: algo.BaseFind_avx2,
	}
	hw64 = highwayFunctions[float64]{
		add: vec.BaseAddTo_avx2_Float64, sub: vec.BaseSubTo_avx2_Float64, mul: vec.BaseMulTo_avx2_Float64, div: vec.BaseDivTo_avx2_Float64,
		scale: vec.BaseScaleTo_avx2_Float64, addScaled: vec.BaseMulConstAddTo_avx2_Float64,
		min: vec.BaseMin_avx2_Float64, max: vec.BaseMax_avx2_Float64, sum: vec.BaseSum_avx2_Float64, norm: vec.BaseNorm_avx2_Float64,
		dot: vec.BaseDot_avx2_Float64, distance: vec.BaseL2Distance_avx2_Float64,
		argmax: vec.BaseArgmax_avx2_Float64, find: algo.BaseFind_avx2_Float64,
	}
}
