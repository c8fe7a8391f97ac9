package main

import (
	"github.com/lanewise/lanewise/examples/complexmul"
	"github.com/lanewise/lanewise/examples/dict"
	"github.com/lanewise/lanewise/examples/hexenc"
	"github.com/lanewise/lanewise/examples/matvec"
	"github.com/lanewise/lanewise/examples/normalize"
	"github.com/lanewise/lanewise/examples/particles"
	"github.com/lanewise/lanewise/examples/planar"
	"github.com/lanewise/lanewise/examples/premultiply"
	"github.com/lanewise/lanewise/examples/rgbagray"
	"github.com/lanewise/lanewise/examples/stencil"
	"github.com/lanewise/lanewise/examples/stereo"
	"github.com/lanewise/lanewise/examples/swaprb"
	"github.com/lanewise/lanewise/examples/take"
	"github.com/lanewise/lanewise/examples/xorkey"
	"github.com/lanewise/lanewise/examples/yuv"
)

// Rows of examples that do not walk over neighbours: n counts iterations, which is
// pixels, frames or structs.

// memoryRows are all of them.
func memoryRows() []row {
	var rows []row
	for _, group := range [][]row{pixels(), structs(), complexes(), channels(), lookups(), texts()} {
		rows = append(rows, group...)
	}
	return rows
}

// packed is a row of functions of two slices with out and in elements for each
// iteration.
func packed[D, T number](name string, out, in, lo, hi int, fs []named[func(dst []D, src []T)]) row {
	return repeatable(name, predictable, func(size int) func(f func(dst []D, src []T), at, n int) {
		dst, src := written[D](out*size), fill[T](in*size, 1, lo, hi)
		return func(f func(dst []D, src []T), at, n int) { f(dst[out*at:out*(at+n)], src[in*at:in*(at+n)]) }
	}, fs)
}

// values is a row of functions of one slice of anything, made by one function.
func values[T any](name string, element func(i int) T, fs []named[func(x []T)]) row {
	return repeatable(name, predictable, func(size int) func(f func(x []T), at, n int) {
		x := generate(size, element)
		return func(f func(x []T), at, n int) { f(x[at : at+n]) }
	}, fs)
}

// mapped is a row of functions that store a slice of anything from another.
func mapped[D, T any](name string, element func(i int) T, fs []named[func(dst []D, src []T)]) row {
	return repeatable(name, predictable, func(size int) func(f func(dst []D, src []T), at, n int) {
		dst, src := written[D](size), generate(size, element)
		return func(f func(dst []D, src []T), at, n int) { f(dst[at:at+n], src[at:at+n]) }
	}, fs)
}

func generate[T any](n int, element func(i int) T) []T {
	x := make([]T, n)
	for i := range x {
		x[i] = element(i)
	}
	return x
}

func pixels() []row {
	type bytes = func(dst, src []uint8)
	return []row{
		packed("RGBA to gray", 1, 4, 0, 255, versions(bytes(rgbaGrayOriginal), bytes(rgbagray.Gray))),
		packed("RGBA to luma", 1, 4, 0, 255, versions(bytes(lumaOriginal), bytes(yuv.Luma))),
		packed("RGBA to BGRA", 4, 4, 0, 255, versions(bytes(copySwappedOriginal), bytes(swaprb.CopySwapped))),
		packed("RGBA to BGRA in place", 0, 4, 0, 255, versions(
			bytes(func(_, x []uint8) { swapOriginal(x) }), bytes(func(_, x []uint8) { swaprb.Swap(x) }))),
		packed("RGBA to BGRA in place, exclusive", 0, 4, 0, 255, versions(
			bytes(func(_, x []uint8) { swapOriginal(x) }), bytes(func(_, x []uint8) { swaprb.SwapExclusive(x) }))),
		packed("RGB to RGBA", 4, 3, 0, 255, versions(bytes(toRGBAOriginal), bytes(planar.ToRGBA))),
		packed("RGB to planes", 3, 3, 0, 255, versions(split(splitOriginal), split(planar.Split))),
		packed("planes to RGB", 3, 3, 0, 255, versions(join(joinOriginal), join(planar.Join))),
		packed("YUV 4:4:4 to RGBA", 4, 3, 0, 255, versions(join(to444Original), join(yuv.To444))),
		packed("YUV 4:2:0 to RGBA", 4, 3, 0, 255, versions(join(row420Original), join(yuv.Row420))),
		packed("half width", 1, 2, 0, 255, versions(bytes(halveOriginal), bytes(stencil.Halve))),
		map1("smooth float32", predictable, -9, 9, versions(smoothOriginal, stencil.Smooth)),
	}
}

// split passes dst as three planes.
func split(f func(r, g, b, src []uint8)) func(dst, src []uint8) {
	return func(dst, src []uint8) {
		n := len(dst) / 3
		f(dst[:n], dst[n:2*n], dst[2*n:], src)
	}
}

// join passes src as three planes.
func join(f func(dst, a, b, c []uint8)) func(dst, src []uint8) {
	return func(dst, src []uint8) {
		n := len(src) / 3
		f(dst, src[:n], src[n:2*n], src[2*n:])
	}
}

func structs() []row {
	pixel := func(i int) premultiply.Pixel { return premultiply.Pixel{R: float32(i), G: 1, B: 2, A: 1} }
	particle := func(i int) particles.Particle {
		return particles.Particle{X: float32(i), VX: 1, Mass: 1, ID: uint32(i)}
	}
	return []row{
		values("premultiply in place", pixel, versions(premultiplyOriginal, premultiply.Premultiply)),
		mapped("premultiply, copied", pixel, versions(copyPremultipliedOriginal, premultiply.CopyPremultiplied)),
		values("move particles", particle, versions(
			func(ps []particles.Particle) { moveOriginal(ps, 1e-3) },
			func(ps []particles.Particle) { particles.Move(ps, 1e-3) })),
		values("falling bodies", func(i int) particles.Body { return particles.Body{X: float64(i), VX: 1} }, versions(
			func(bs []particles.Body) { fallOriginal(bs, 9.81, 1e-3) },
			func(bs []particles.Body) { particles.Fall(bs, 9.81, 1e-3) })),
		values("sum of a field", particle, versions(
			func(ps []particles.Particle) { massOriginal(ps) }, func(ps []particles.Particle) { particles.Mass(ps) })),
		values("max of a field", particle, versions(
			func(ps []particles.Particle) { maxIDOriginal(ps) }, func(ps []particles.Particle) { particles.MaxID(ps) })),
		values("normalize [3]float64", func(i int) [3]float64 { return [3]float64{float64(i), 1, 2} },
			versions(normalizeOriginal, normalize.Normalize)),
		mapped("norms of [4]float32", func(i int) [4]float32 { return [4]float32{float32(i), 1, 2, 3} },
			versions(normsOriginal, normalize.Norms)),
		mapped("transform [3]float64", func(i int) [3]float64 { return [3]float64{float64(i), 1, 2} }, versions(
			func(dst, src [][3]float64) { transformOriginal(dst, src, &rotation) },
			func(dst, src [][3]float64) { matvec.Transform(dst, src, &rotation) })),
	}
}

var rotation = [3][3]float64{{0.6, 0.8, 0}, {-0.8, 0.6, 0}, {0, 0, 1}}

func complexes() []row {
	type (
		mul64  = func(dst, x []complex64)
		mul128 = func(dst, x []complex128)
	)
	c64 := func(i int) complex64 { return complex(float32(i%9), 1) }
	c128 := func(i int) complex128 { return complex(float64(i%9), 1) }
	return []row{
		mapped("multiply complex64", c64, versions(
			mul64(func(dst, x []complex64) { mul64Original(dst, x, x) }),
			mul64(func(dst, x []complex64) { complexmul.Mul64(dst, x, x) }))),
		mapped("multiply complex128", c128, versions(
			mul128(func(dst, x []complex128) { mul128Original(dst, x, x) }),
			mul128(func(dst, x []complex128) { complexmul.Mul128(dst, x, x) }))),
		mapped("power of complex64", c64, versions(power64Original, complexmul.Power64)),
		mapped("abs of complex128", c128, versions(abs128Original, complexmul.Abs128)),
	}
}

func channels() []row {
	return []row{
		interleaveRow("interleave float32", stereo.InterleaveFloat32),
		interleaveRow("interleave int16", stereo.InterleaveInt16),
		deinterleaveRow("de-interleave float32", stereo.DeinterleaveFloat32),
		deinterleaveRow("de-interleave int16", stereo.DeinterleaveInt16),
		packed("stereo to mono int16", 1, 2, -30000, 30000, versions(mixOriginal, stereo.Mix)),
	}
}

func interleaveRow[T int16 | float32](name string, twin func(frames, left, right []T)) row {
	call := func(f func(frames, left, right []T)) func(dst, src []T) {
		return func(dst, src []T) { f(dst, src[:len(src)/2], src[len(src)/2:]) }
	}
	return packed(name, 2, 2, -99, 99, versions(call(interleaveOriginal[T]), call(twin)))
}

func deinterleaveRow[T int16 | float32](name string, twin func(left, right, frames []T)) row {
	call := func(f func(left, right, frames []T)) func(dst, src []T) {
		return func(dst, src []T) { f(dst[:len(dst)/2], dst[len(dst)/2:], src) }
	}
	return packed(name, 2, 2, -99, 99, versions(call(deinterleaveOriginal[T]), call(twin)))
}

func lookups() []row {
	recoding, colors := [256]uint8{}, [16]float32{}
	for i := range recoding {
		recoding[i] = uint8(i * 7)
		colors[i%16] = float32(i)
	}
	return []row{
		decodeRow("dictionary float32", dict.DecodeFloat32),
		decodeRow("dictionary int64", dict.DecodeInt64),
		map1("dictionary of 16 float32", predictable, 0, 255, versions(
			func(dst []float32, codes []uint8) { decode16Original(dst, codes, &colors) },
			func(dst []float32, codes []uint8) { dict.Decode16(dst, codes, &colors) })),
		map1("recode bytes", predictable, 0, 255, versions(
			func(dst, src []uint8) { recodeOriginal(dst, src, &recoding) },
			func(dst, src []uint8) { dict.Recode(dst, src, &recoding) })),
		takeRow("take float32", take.Float32),
		takeRow("take float64", take.Float64),
		lengthsRow(),
		sumAtRow(),
		matrixRow(),
	}
}

func decodeRow[T float32 | int64](name string, twin func(dst []T, codes []uint8, dict []T)) row {
	values := fill[T](256, 2, -99, 99)
	return map1(name, predictable, 0, 255, versions(
		func(dst []T, codes []uint8) { decodeOriginal(dst, codes, values) },
		func(dst []T, codes []uint8) { twin(dst, codes, values) }))
}

// sources is the number of elements that indices choose from: the first-level
// cache holds them.
const sources = 2048

func takeRow[T float32 | float64](name string, twin func(dst, src []T, idx []int32)) row {
	src := fill[T](sources, 2, -99, 99)
	return map1(name, predictable, 0, sources-1, versions(
		func(dst []T, idx []int32) { takeOriginal(dst, src, idx) },
		func(dst []T, idx []int32) { twin(dst, src, idx) }))
}

func lengthsRow() row {
	points := generate(sources, func(i int) take.Point { return take.Point{X: float32(i), Y: 1} })
	return packed("lengths of edges", 1, 2, 0, sources-1, versions(
		func(dst []float32, e []int32) { n := len(dst); lengthsOriginal(dst, e[:n], e[n:], points) },
		func(dst []float32, e []int32) { n := len(dst); take.Lengths(dst, e[:n], e[n:], points) }))
}

func sumAtRow() row {
	x := fill[float64](sources, 2, -99, 99)
	return map1("sparse dot float64", predictable, 0, sources-1, versions(
		func(w []float64, idx []int32) { sumAtOriginal(x, idx, w) },
		func(w []float64, idx []int32) { take.SumAt(x, idx, w) }))
}

// matrixRow multiplies matrices of four rows of n elements.
func matrixRow() row {
	type product = func(dst, src []float32)
	call := func(f func(y, a, x []float32)) product {
		return func(y, src []float32) {
			n := len(src) / 5
			f(y[:min(4, n)], src[:4*n], src[4*n:])
		}
	}
	return packed("matrix times vector", 4, 5, -9, 9, versions(call(mulOriginal), call(matvec.Mul)))
}

func texts() []row {
	type bytes = func(dst, src []uint8)
	key4, key16 := [4]byte{1, 2, 3, 4}, [16]byte{1, 2, 3, 4}
	return []row{
		inPlace("xor 4-byte key", versions(
			func(x []uint8) { maskOriginal(x, key4) }, func(x []uint8) { xorkey.Mask(x, key4) })),
		inPlace("xor 4-byte key, from", versions(
			func(x []uint8) { maskFromOriginal(x, key4, 3) }, func(x []uint8) { xorkey.MaskFrom(x, key4, 3) })),
		packed("xor 16-byte key, copied", 1, 1, 0, 255, versions(
			bytes(func(dst, src []uint8) { maskIntoOriginal(dst, src, &key16) }),
			bytes(func(dst, src []uint8) { xorkey.MaskInto(dst, src, &key16) }))),
		packed("encode hex", 2, 1, 0, 255, versions(bytes(encodeOriginal), bytes(hexenc.Encode))),
		packed("decode hex", 1, 2, '0', '9', versions(bytes(decodeHexOriginal), bytes(hexenc.Decode))),
	}
}
