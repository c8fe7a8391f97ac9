package main

import (
	_ "unsafe" // for go:linkname

	"github.com/lanewise/lanewise/examples/matrix4"
	"github.com/lanewise/lanewise/examples/mode"
	"github.com/lanewise/lanewise/examples/particles"
	"github.com/lanewise/lanewise/examples/pixel4"
	"github.com/lanewise/lanewise/examples/premultiply"
	"github.com/lanewise/lanewise/examples/quaternion"
	"github.com/lanewise/lanewise/examples/take"
)

// The originals of the examples are unexported, as a user's would be. They are
// linked here by name, so that exactly that code is timed. TestOriginals compares the
// declarations with the examples.

//go:linkname axpyOriginal github.com/lanewise/lanewise/examples/axpy.axpy
func axpyOriginal(a float32, x, y []float32)

//go:linkname axpy64Original github.com/lanewise/lanewise/examples/axpy.axpy64
func axpy64Original(a float64, x, y []float64)

//go:linkname addFloat32Original github.com/lanewise/lanewise/examples/add.addFloat32
func addFloat32Original(dst, x, y []float32)

//go:linkname addInt64Original github.com/lanewise/lanewise/examples/add.addInt64
func addInt64Original(dst, x, y []int64)

//go:linkname dotFloat32Original github.com/lanewise/lanewise/examples/dot.dotFloat32
func dotFloat32Original(x, y []float32) float32

//go:linkname dotInt16Original github.com/lanewise/lanewise/examples/dot.dotInt16
func dotInt16Original(x, y []int16) int32

//go:linkname sumFloat32Original github.com/lanewise/lanewise/examples/sum.sumFloat32
func sumFloat32Original(x []float32) float32

//go:linkname sumInt32Original github.com/lanewise/lanewise/examples/sum.sumInt32
func sumInt32Original(x []int32) int32

//go:linkname sumBytesOriginal github.com/lanewise/lanewise/examples/sum.sumBytes
func sumBytesOriginal(x []byte) int

//go:linkname maxFloat32Original github.com/lanewise/lanewise/examples/minmax.maxFloat32
func maxFloat32Original(x []float32) float32

//go:linkname minFloat32Original github.com/lanewise/lanewise/examples/minmax.minFloat32
func minFloat32Original(x []float32) float32

//go:linkname maxBuiltinFloat32Original github.com/lanewise/lanewise/examples/minmax.maxBuiltinFloat32
func maxBuiltinFloat32Original(x []float32) float32

//go:linkname minBuiltinFloat32Original github.com/lanewise/lanewise/examples/minmax.minBuiltinFloat32
func minBuiltinFloat32Original(x []float32) float32

//go:linkname maxInt32Original github.com/lanewise/lanewise/examples/minmax.maxInt32
func maxInt32Original(x []int32) int32

//go:linkname minInt32Original github.com/lanewise/lanewise/examples/minmax.minInt32
func minInt32Original(x []int32) int32

//go:linkname maxUint8Original github.com/lanewise/lanewise/examples/minmax.maxUint8
func maxUint8Original(x []uint8) uint8

//go:linkname rangeUint8Original github.com/lanewise/lanewise/examples/minmax.rangeUint8
func rangeUint8Original(x []uint8) (lo, hi uint8)

//go:linkname countAboveOriginal github.com/lanewise/lanewise/examples/count.countAbove
func countAboveOriginal(x []float32, t float32) int

//go:linkname countByteOriginal github.com/lanewise/lanewise/examples/count.countByte
func countByteOriginal(b []byte, c byte) int

//go:linkname absFloat32Original github.com/lanewise/lanewise/examples/abs.absFloat32
func absFloat32Original(dst, x []float32)

//go:linkname absInt32Original github.com/lanewise/lanewise/examples/abs.absInt32
func absInt32Original(x []int32)

//go:linkname addU8Original github.com/lanewise/lanewise/examples/addu8.add
func addU8Original(dst, x, y []uint8)

//go:linkname addSatU8Original github.com/lanewise/lanewise/examples/addu8.addSat
func addSatU8Original(dst, x, y []uint8)

//go:linkname maxOfU8Original github.com/lanewise/lanewise/examples/addu8.maxOf
func maxOfU8Original(dst, x, y []uint8)

//go:linkname binarizeOriginal github.com/lanewise/lanewise/examples/threshold.binarize
func binarizeOriginal(dst, src []uint8, t uint8)

//go:linkname cutOriginal github.com/lanewise/lanewise/examples/threshold.cut
func cutOriginal(img []uint8, t uint8)

//go:linkname copyAboveOriginal github.com/lanewise/lanewise/examples/condstore.copyAbove
func copyAboveOriginal(dst, x []float32, t float32)

//go:linkname copyAboveInt64Original github.com/lanewise/lanewise/examples/condstore.copyAboveInt64
func copyAboveInt64Original(dst, x []int64, t int64)

//go:linkname copyAboveBytesOriginal github.com/lanewise/lanewise/examples/condstore.copyAboveBytes
func copyAboveBytesOriginal(dst, x []uint8, t uint8)

//go:linkname clipOriginal github.com/lanewise/lanewise/examples/condstore.clip
func clipOriginal(x []float32, limit float32)

//go:linkname blendOriginal github.com/lanewise/lanewise/examples/blend.blend
func blendOriginal(dst, src, alpha []uint8)

//go:linkname fadeOriginal github.com/lanewise/lanewise/examples/blend.fade
func fadeOriginal(dst, src []uint8, alpha uint8)

//go:linkname grayOriginal github.com/lanewise/lanewise/examples/gray.gray
func grayOriginal(dst, r, g, b []uint8)

//go:linkname toFloatOriginal github.com/lanewise/lanewise/examples/pcm.toFloat
func toFloatOriginal(dst []float32, src []int16)

//go:linkname fromFloatOriginal github.com/lanewise/lanewise/examples/pcm.fromFloat
func fromFloatOriginal(dst []int16, src []float32)

//go:linkname reluOriginal github.com/lanewise/lanewise/examples/relu.relu
func reluOriginal(dst, x []float32)

//go:linkname reluInPlaceOriginal github.com/lanewise/lanewise/examples/relu.reluInPlace
func reluInPlaceOriginal(x []float32)

//go:linkname leakyOriginal github.com/lanewise/lanewise/examples/relu.leaky
func leakyOriginal(dst, x []float32, slope float32)

//go:linkname exp5Original github.com/lanewise/lanewise/examples/horner.exp5
func exp5Original(dst, x []float32)

//go:linkname exp5FusedOriginal github.com/lanewise/lanewise/examples/horner.exp5Fused
func exp5FusedOriginal(dst, x []float32)

//go:linkname onesOriginal github.com/lanewise/lanewise/examples/popcount.ones
func onesOriginal(x []uint64) int

//go:linkname onesBytesOriginal github.com/lanewise/lanewise/examples/popcount.onesBytes
func onesBytesOriginal(x []byte) int

//go:linkname hammingOriginal github.com/lanewise/lanewise/examples/popcount.hamming
func hammingOriginal(x, y []uint64) int

//go:linkname hammingBytesOriginal github.com/lanewise/lanewise/examples/popcount.hammingBytes
func hammingBytesOriginal(x, y []byte) int

//go:linkname hash32Original github.com/lanewise/lanewise/examples/hash.hash32
func hash32Original(keys []uint32, seed uint32)

//go:linkname hash64Original github.com/lanewise/lanewise/examples/hash.hash64
func hash64Original(keys []uint64, seed uint64)

//go:linkname polynomialHashOriginal github.com/lanewise/lanewise/examples/hash.polynomial
func polynomialHashOriginal(text []byte) uint32

//go:linkname lowerOriginal github.com/lanewise/lanewise/examples/lower.lower
func lowerOriginal(b []byte)

//go:linkname lowerIntoOriginal github.com/lanewise/lanewise/examples/lower.lowerInto
func lowerIntoOriginal(dst, src []byte)

//go:linkname maskedSumOriginal github.com/lanewise/lanewise/examples/maskedsum.maskedSum
func maskedSumOriginal(x []float32, keep []bool) float32

//go:linkname positiveSumOriginal github.com/lanewise/lanewise/examples/maskedsum.positiveSum
func positiveSumOriginal(x []int32) (sum int32, n int)

//go:linkname affineOriginal github.com/lanewise/lanewise/examples/layernorm.affine
func affineOriginal(dst, x, gamma, beta []float32, mean, inv float32)

//go:linkname rgbaGrayOriginal github.com/lanewise/lanewise/examples/rgbagray.gray
func rgbaGrayOriginal(dst, src []uint8)

//go:linkname lumaOriginal github.com/lanewise/lanewise/examples/yuv.luma
func lumaOriginal(y, src []uint8)

//go:linkname to444Original github.com/lanewise/lanewise/examples/yuv.to444
func to444Original(dst, y, u, v []uint8)

//go:linkname row420Original github.com/lanewise/lanewise/examples/yuv.row420
func row420Original(dst, y, u, v []uint8)

//go:linkname swapOriginal github.com/lanewise/lanewise/examples/swaprb.swap
func swapOriginal(pix []uint8)

//go:linkname copySwappedOriginal github.com/lanewise/lanewise/examples/swaprb.copySwapped
func copySwappedOriginal(dst, src []uint8)

//go:linkname splitOriginal github.com/lanewise/lanewise/examples/planar.split
func splitOriginal(r, g, b, src []uint8)

//go:linkname joinOriginal github.com/lanewise/lanewise/examples/planar.join
func joinOriginal(dst, r, g, b []uint8)

//go:linkname toRGBAOriginal github.com/lanewise/lanewise/examples/planar.toRGBA
func toRGBAOriginal(dst, src []uint8)

//go:linkname halveOriginal github.com/lanewise/lanewise/examples/stencil.halve
func halveOriginal(dst, src []uint8)

//go:linkname highestOriginal github.com/lanewise/lanewise/examples/window.highest
func highestOriginal(dst, x []float64, w int)

//go:linkname sumsAroundOriginal github.com/lanewise/lanewise/examples/window.sums
func sumsAroundOriginal(dst, x []int32, r int)

//go:linkname filterAroundOriginal github.com/lanewise/lanewise/examples/window.filter
func filterAroundOriginal(dst, x, k []float32)

//go:linkname smoothOriginal github.com/lanewise/lanewise/examples/stencil.smooth
func smoothOriginal(dst, x []float32)

//go:linkname premultiplyOriginal github.com/lanewise/lanewise/examples/premultiply.premultiply
func premultiplyOriginal(ps []premultiply.Pixel)

//go:linkname copyPremultipliedOriginal github.com/lanewise/lanewise/examples/premultiply.copyPremultiplied
func copyPremultipliedOriginal(dst, src []premultiply.Pixel)

//go:linkname moveOriginal github.com/lanewise/lanewise/examples/particles.move
func moveOriginal(ps []particles.Particle, dt float32)

//go:linkname fallOriginal github.com/lanewise/lanewise/examples/particles.fall
func fallOriginal(bs []particles.Body, g, dt float64)

//go:linkname massOriginal github.com/lanewise/lanewise/examples/particles.mass
func massOriginal(ps []particles.Particle) float32

//go:linkname maxIDOriginal github.com/lanewise/lanewise/examples/particles.maxID
func maxIDOriginal(ps []particles.Particle) uint32

//go:linkname normalizeOriginal github.com/lanewise/lanewise/examples/normalize.normalize
func normalizeOriginal(vs [][3]float64)

//go:linkname normsOriginal github.com/lanewise/lanewise/examples/normalize.norms
func normsOriginal(dst []float32, vs [][4]float32)

//go:linkname transformOriginal github.com/lanewise/lanewise/examples/matvec.transform
func transformOriginal(dst, src [][3]float64, m *[3][3]float64)

//go:linkname mulOriginal github.com/lanewise/lanewise/examples/matvec.mul
func mulOriginal(y, a, x []float32)

//go:linkname mul64Original github.com/lanewise/lanewise/examples/complexmul.mul64
func mul64Original(dst, x, y []complex64)

//go:linkname mul128Original github.com/lanewise/lanewise/examples/complexmul.mul128
func mul128Original(dst, x, y []complex128)

//go:linkname power64Original github.com/lanewise/lanewise/examples/complexmul.power64
func power64Original(dst []float32, x []complex64)

//go:linkname abs128Original github.com/lanewise/lanewise/examples/complexmul.abs128
func abs128Original(dst []float64, x []complex128)

//go:linkname mixOriginal github.com/lanewise/lanewise/examples/stereo.mix
func mixOriginal(mono, frames []int16)

//go:linkname decode16Original github.com/lanewise/lanewise/examples/dict.decode16
func decode16Original(dst []float32, codes []uint8, dict *[16]float32)

//go:linkname recodeOriginal github.com/lanewise/lanewise/examples/dict.recode
func recodeOriginal(dst, src []uint8, table *[256]uint8)

//go:linkname lengthsOriginal github.com/lanewise/lanewise/examples/take.lengths
func lengthsOriginal(dst []float32, from, to []int32, points []take.Point)

//go:linkname sumAtOriginal github.com/lanewise/lanewise/examples/take.sumAt
func sumAtOriginal(x []float64, idx []int32, weight []float64) float64

//go:linkname maskOriginal github.com/lanewise/lanewise/examples/xorkey.mask
func maskOriginal(data []byte, key [4]byte)

//go:linkname maskFromOriginal github.com/lanewise/lanewise/examples/xorkey.maskFrom
func maskFromOriginal(data []byte, key [4]byte, pos int)

//go:linkname maskIntoOriginal github.com/lanewise/lanewise/examples/xorkey.maskInto
func maskIntoOriginal(dst, src []byte, key *[16]byte)

//go:linkname encodeOriginal github.com/lanewise/lanewise/examples/hexenc.encode
func encodeOriginal(dst, src []byte)

//go:linkname decodeHexOriginal github.com/lanewise/lanewise/examples/hexenc.decode
func decodeHexOriginal(dst, src []byte)

// The generic originals have no symbols to link: these are copies.

// scaleOriginal is that of examples/scale.
//
//go:noinline
func scaleOriginal[T int16 | int32 | uint8 | float32 | float64](dst, x []T, k T) {
	for i, v := range x {
		dst[i] = k * v
	}
}

// productOriginal is mul of examples/arith.
//
//go:noinline
func productOriginal[T uint8 | int64](dst, x, y []T) {
	for i, v := range x {
		dst[i] = v * y[i]
	}
}

// smallerOriginal is that of examples/arith.
//
//go:noinline
func smallerOriginal[T int64 | float64](dst, x, y []T) {
	for i, v := range x {
		dst[i] = min(v, y[i])
	}
}

// interleaveOriginal is that of examples/stereo.
//
//go:noinline
func interleaveOriginal[T float32 | int16](frames, left, right []T) {
	for i := range left {
		frames[2*i] = left[i]
		frames[2*i+1] = right[i]
	}
}

// deinterleaveOriginal is that of examples/stereo.
//
//go:noinline
func deinterleaveOriginal[T float32 | int16](left, right, frames []T) {
	for i := range left {
		left[i] = frames[2*i]
		right[i] = frames[2*i+1]
	}
}

// decodeOriginal is that of examples/dict.
//
//go:noinline
func decodeOriginal[T float32 | int64](dst []T, codes []uint8, dict []T) {
	for i, c := range codes {
		dst[i] = dict[c]
	}
}

// takeOriginal is that of examples/take.
//
//go:noinline
func takeOriginal[T float32 | float64](dst, src []T, idx []int32) {
	for i, k := range idx {
		dst[i] = src[k]
	}
}

//go:linkname indexByteOriginal github.com/lanewise/lanewise/examples/indexbyte.indexByte
func indexByteOriginal(x []byte, c byte) int

//go:linkname indexEitherOriginal github.com/lanewise/lanewise/examples/indexany.indexEither
func indexEitherOriginal(s string, a, b byte) int

//go:linkname isASCIIOriginal github.com/lanewise/lanewise/examples/isascii.isASCII
func isASCIIOriginal(s string) bool

//go:linkname equalOriginal github.com/lanewise/lanewise/examples/mismatch.equal
func equalOriginal(x, y []int32) bool

//go:linkname commonPrefixOriginal github.com/lanewise/lanewise/examples/mismatch.commonPrefix
func commonPrefixOriginal(x, y []byte) int

//go:linkname firstAboveOriginal github.com/lanewise/lanewise/examples/first.firstAbove
func firstAboveOriginal(x []float32, limit float32) int

//go:linkname takeWhileOriginal github.com/lanewise/lanewise/examples/first.take
func takeWhileOriginal(dst, src []int32) (n int, sum int32)

//go:linkname argMaxOriginal github.com/lanewise/lanewise/examples/argmax.argMaxFloat32
func argMaxOriginal(x []float32) (best float32, at int)

//go:linkname argMinOriginal github.com/lanewise/lanewise/examples/argmax.argMinInt32
func argMinOriginal(x []int32) (best int32, at int)

//go:linkname argMaxByteOriginal github.com/lanewise/lanewise/examples/argmax.argMaxByte
func argMaxByteOriginal(x []byte) (best byte, at int)

//go:linkname prefixSumOriginal github.com/lanewise/lanewise/examples/prefixsum.sumInt32
func prefixSumOriginal(dst, x []int32)

//go:linkname prefixSumFloatOriginal github.com/lanewise/lanewise/examples/prefixsum.sumFloat32
func prefixSumFloatOriginal(dst, x []float32)

//go:linkname runningMaxOriginal github.com/lanewise/lanewise/examples/prefixsum.maxFloat32
func runningMaxOriginal(dst, x []float32)

//go:linkname deltasOriginal github.com/lanewise/lanewise/examples/difference.deltas
func deltasOriginal(dst, x []int32, prev int32) int32

//go:linkname changesOriginal github.com/lanewise/lanewise/examples/difference.changes
func changesOriginal(x []byte, prev byte) int

//go:linkname lastByteOriginal github.com/lanewise/lanewise/examples/lastindex.lastByte
func lastByteOriginal(x []byte, c byte) int

//go:linkname mandelbrot32Original github.com/lanewise/lanewise/examples/mandelbrot.row32
func mandelbrot32Original(steps []int32, re []float32, im float32, limit int32)

//go:linkname mandelbrot64Original github.com/lanewise/lanewise/examples/mandelbrot.row64
func mandelbrot64Original(steps []int32, re []float64, im float64, limit int32)

//go:linkname collatzOriginal github.com/lanewise/lanewise/examples/collatz.lengths
func collatzOriginal(dst, x []uint32)

//go:linkname lowerBoundsOriginal github.com/lanewise/lanewise/examples/search.lowerBounds
func lowerBoundsOriginal(dst []int32, table, keys []int32)

//go:linkname lowerBounds32Original github.com/lanewise/lanewise/examples/search.lowerBounds32
func lowerBounds32Original(dst []int32, table, keys []int32)

//go:linkname eightOriginal github.com/lanewise/lanewise/examples/fir.eight
func eightOriginal(dst, src []float32, taps *[8]float32)

//go:linkname eightInt16Original github.com/lanewise/lanewise/examples/fir.eightInt16
func eightInt16Original(dst, src []int16, taps *[8]int16)

//go:linkname anyOriginal github.com/lanewise/lanewise/examples/fir.any
func anyOriginal(dst, src, taps []float32)

//go:linkname polynomialOriginal github.com/lanewise/lanewise/examples/horner.polynomial
func polynomialOriginal(dst, x, coefficients []float32)

//go:linkname keyStreamOriginal github.com/lanewise/lanewise/examples/chacha20.keyStream
func keyStreamOriginal(dst [][16]uint32, key *[8]uint32, counter uint32, nonce *[3]uint32)

//go:linkname rowsOriginal github.com/lanewise/lanewise/examples/matmul.rows
func rowsOriginal(dst, a, b []float32, k, n int)

//go:linkname dotsOriginal github.com/lanewise/lanewise/examples/matmul.dots
func dotsOriginal(dst, a, b []float32, k, n int)

//go:linkname transposedOriginal github.com/lanewise/lanewise/examples/matmul.transposed
func transposedOriginal(dst, a, b []float32, k, n int)

//go:linkname edgesOriginal github.com/lanewise/lanewise/examples/sobel.edges
func edgesOriginal(dst, src []uint8, width int)

//go:linkname stepOriginal github.com/lanewise/lanewise/examples/life.step
func stepOriginal(next, cur [][]bool)

//go:linkname blurOriginal github.com/lanewise/lanewise/examples/boxblur.blur3x3
func blurOriginal(dst, src []uint8, width int)

//go:linkname aboveOriginal github.com/lanewise/lanewise/examples/filter.above
func aboveOriginal(dst, src []float32, limit float32) int

//go:linkname betweenOriginal github.com/lanewise/lanewise/examples/filter.between
func betweenOriginal(selected []int32, x []float32, lo, hi float32) int

//go:linkname dropSpacesOriginal github.com/lanewise/lanewise/examples/filter.dropSpaces
func dropSpacesOriginal(text []byte) []byte

//go:linkname partitionOriginal github.com/lanewise/lanewise/examples/filter.partition
func partitionOriginal(low, high, src []int32, pivot int32) int

//go:linkname largeOriginal github.com/lanewise/lanewise/examples/filter.large
func largeOriginal(outKeys []int32, outWeights []float64, keys []int32, weights []float64, limit float64) int

//go:linkname nonZeroOriginal github.com/lanewise/lanewise/examples/filter.nonZero
func nonZeroOriginal(dst, src []uint16) int

//go:linkname unpackOriginal github.com/lanewise/lanewise/examples/expand.unpack
func unpackOriginal(dst, values []float32, present []bool, missing float32) int

//go:linkname unpackBytesOriginal github.com/lanewise/lanewise/examples/expand.unpackBytes
func unpackBytesOriginal(dst, values []uint8, present []bool, missing uint8) int

//go:linkname putBackOriginal github.com/lanewise/lanewise/examples/expand.putBack
func putBackOriginal(dst, src []float32, limit float32) int

//go:linkname chooseOriginal github.com/lanewise/lanewise/examples/expand.choose
func chooseOriginal(dst, a, b []int32, first []bool) int

//go:linkname fillOriginal github.com/lanewise/lanewise/examples/expand.fill
func fillOriginal(dst, samples []uint16, known []bool) int

//go:linkname layerOriginal github.com/lanewise/lanewise/examples/mode.layer
func layerOriginal(dst, top []uint8, m mode.Mode)

//go:linkname mixPowersOriginal github.com/lanewise/lanewise/examples/mode.mix
func mixPowersOriginal(dst, x, y []float32, a, b float32, power int, withY bool)

//go:linkname limitOriginal github.com/lanewise/lanewise/examples/rare.limit
func limitOriginal(x []float32, threshold float32)

//go:linkname slowDownOriginal github.com/lanewise/lanewise/examples/rare.slowDown
func slowDownOriginal(factors, vx, vy []float64, most float64)

//go:linkname expNearOriginal github.com/lanewise/lanewise/examples/rare.expNear
func expNearOriginal(dst, x []float32)

//go:linkname penalizeOriginal github.com/lanewise/lanewise/examples/rare.penalize
func penalizeOriginal(score, x []float32, threshold, penalty float32)

//go:linkname invertOriginal github.com/lanewise/lanewise/examples/rare.invert
func invertOriginal(dst, x []float64, limit float64)

//go:linkname matrix4MulOriginal github.com/lanewise/lanewise/examples/matrix4.mul
func matrix4MulOriginal(dst, a, b *matrix4.Matrix)

//go:linkname matrix4RowsOriginal github.com/lanewise/lanewise/examples/matrix4.mulRows
func matrix4RowsOriginal(dst, a, b *[4][4]float32)

//go:linkname matrix4Float64Original github.com/lanewise/lanewise/examples/matrix4.mulFloat64
func matrix4Float64Original(dst, a, b *[16]float64)

//go:linkname matrix4ApplyOriginal github.com/lanewise/lanewise/examples/matrix4.apply
func matrix4ApplyOriginal(dst, v *[4]float32, m *matrix4.Matrix)

//go:linkname matrix4TransposeOriginal github.com/lanewise/lanewise/examples/matrix4.transpose
func matrix4TransposeOriginal(dst, a *matrix4.Matrix)

//go:linkname quaternionMulOriginal github.com/lanewise/lanewise/examples/quaternion.mul
func quaternionMulOriginal(dst, p, q *quaternion.Quaternion)

//go:linkname pixel4OverOriginal github.com/lanewise/lanewise/examples/pixel4.over
func pixel4OverOriginal(dst, src *pixel4.Color)

//go:linkname pixel4MixOriginal github.com/lanewise/lanewise/examples/pixel4.mix8
func pixel4MixOriginal(dst, src *[4]uint8, alpha uint8)

//go:linkname pixel4AverageOriginal github.com/lanewise/lanewise/examples/pixel4.average
func pixel4AverageOriginal(dst *pixel4.Color, block *[16]pixel4.Color)

//go:linkname transformDCTOriginal github.com/lanewise/lanewise/examples/transform.dctColumns
func transformDCTOriginal(x *[64]float32)

//go:linkname transformHadamardOriginal github.com/lanewise/lanewise/examples/transform.hadamard
func transformHadamardOriginal(x *[8]int32)

//go:linkname transformButterflyOriginal github.com/lanewise/lanewise/examples/transform.butterfly
func transformButterflyOriginal(a, b *[4]complex128, w *[4]complex128)

//go:linkname dot4Original github.com/lanewise/lanewise/examples/dot4.dot
func dot4Original(a, b *[4]float32) float32

//go:linkname dot4DotsOriginal github.com/lanewise/lanewise/examples/dot4.dots
func dot4DotsOriginal(dst *[4]float32, a *[4][4]float32, b *[4]float32)

//go:linkname chachaDoubleOriginal github.com/lanewise/lanewise/examples/chacha20.doubleRound
func chachaDoubleOriginal(s *[16]uint32)

//go:linkname chachaBlockOriginal github.com/lanewise/lanewise/examples/chacha20.oneBlock
func chachaBlockOriginal(dst, state *[16]uint32)

//go:linkname chachaLocalOriginal github.com/lanewise/lanewise/examples/chacha20.oneBlockLocal
func chachaLocalOriginal(dst, s *[16]uint32)

//go:linkname sha256Original github.com/lanewise/lanewise/examples/sha256.schedule
func sha256Original(w *[64]uint32)

//go:linkname normOriginal github.com/lanewise/lanewise/examples/layernorm.norm
func normOriginal(dst, x, gamma, beta []float32)

//go:linkname mathExpOriginal github.com/lanewise/lanewise/examples/mathfuncs.exp
func mathExpOriginal(dst, x []float64)

//go:linkname mathLogOriginal github.com/lanewise/lanewise/examples/mathfuncs.log
func mathLogOriginal(dst, x []float64)

//go:linkname mathSinOriginal github.com/lanewise/lanewise/examples/mathfuncs.sin
func mathSinOriginal(dst, x []float64)

//go:linkname mathCosOriginal github.com/lanewise/lanewise/examples/mathfuncs.cos
func mathCosOriginal(dst, x []float64)

//go:linkname mathTanhOriginal github.com/lanewise/lanewise/examples/mathfuncs.tanh
func mathTanhOriginal(dst, x []float64)

//go:linkname mathCbrtOriginal github.com/lanewise/lanewise/examples/mathfuncs.cbrt
func mathCbrtOriginal(dst, x []float64)

//go:linkname mathErfOriginal github.com/lanewise/lanewise/examples/mathfuncs.erf
func mathErfOriginal(dst, x []float64)

//go:linkname mathHypotOriginal github.com/lanewise/lanewise/examples/mathfuncs.hypot
func mathHypotOriginal(dst, x, y []float64)

//go:linkname mathExpFloat32Original github.com/lanewise/lanewise/examples/mathfuncs.expFloat32
func mathExpFloat32Original(dst, x []float32)

//go:linkname mathLogFloat32Original github.com/lanewise/lanewise/examples/mathfuncs.logFloat32
func mathLogFloat32Original(dst, x []float32)

//go:linkname softmaxOriginal github.com/lanewise/lanewise/examples/softmax.softmax
func softmaxOriginal(dst, x []float64)

//go:linkname sigmoidOriginal github.com/lanewise/lanewise/examples/softmax.sigmoid
func sigmoidOriginal(dst, x []float32)

//go:linkname pricesOriginal github.com/lanewise/lanewise/examples/blackscholes.prices
func pricesOriginal(call, put, spot, strike, years []float64, rate, volatility float64)
