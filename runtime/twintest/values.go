package twintest

import (
	"math"
	"math/rand/v2"
	"reflect"
	"unsafe"
)

// A style says what numbers a case is made of.
type style int

const (
	small   style = iota // small integers; floats that are exact in any order of sums and products
	wide                 // all bits of integers; floats of both signs and many magnitudes
	special              // extremes, NaN, infinities, signed zeros, denormals, rounding points
	index                // 0 <= x < n; floats likewise
	unit                 // small integers; floats in (-1, 1)
	numStyles

	timing style = numStyles // random elements; single numbers that keep repeated calls away from overflow and denormals
)

var styleNames = [numStyles + 1]string{"small", "wide", "special", "index", "unit", "timing"}

// A texture says how values repeat along a slice.
type texture int

const (
	fresh    texture = iota // every element on its own
	constant                // one value
	periodic                // two or three values in turn
	sparse                  // one value, now and then another
	turning                 // one value, the same in all slices, up to a point; then every element on its own
	numTextures
)

var textureNames = [numTextures]string{"fresh", "constant", "periodic", "sparse", "turning"}

// Special values. NaN is the one that the processor makes, so that operations
// on bits of a NaN see the same ones in both functions.
var (
	nan      = math.Float64frombits(0xfff8_0000_0000_0000)
	specials = []float64{
		0, math.Copysign(0, -1), 1, -1, nan, math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1),
		0.5, -0.5, 1.5, 2.5, -2.5, 0.49999999999999994, 1 << 23, 1<<23 + 0.5, 1 << 24, 1 << 52, 1<<52 + 1, 1 << 53,
		127, 127.5, 128, -128, -128.5, -129, 255, 255.5, 256, 32767.5, 32768, -32769, 65535.5, 65536,
		1<<31 - 1, 1 << 31, -1 << 31, -1<<31 - 256, 1<<32 - 1, 1 << 32, 1 << 63, -1 << 63, 1 << 64, 1e10, -1e19, 1e30,
	}
	specials32 = []float64{
		math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32, 0x1p-126, 0x1p-126 - 0x1p-149,
		math.MaxFloat32, -math.MaxFloat32, 0.49999997, 8388607.5, 1 << 62,
	}
	specials64 = []float64{
		math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64, 0x1p-1022, 0x1p-1022 - 0x1p-1074,
		math.MaxFloat64, -math.MaxFloat64, 1<<63 - 1024, math.MaxFloat32 * 2, 0x1p-150, 1 + 0x1p-24, 1 + 0x1p-52,
	}
	// What reordered or fused sums treat alike: no overflow, no rounding.
	specialsApprox = []float64{0, math.Copysign(0, -1), 1, -1, nan, math.Inf(1), math.Inf(-1), 2, -2, 0.5}
	exactFloats    = []float64{1, 1, 1, -1, -1, 0, math.Copysign(0, -1), 2, -2, 0.5, -0.5}
)

// A source makes numbers.
type source struct {
	rng      *rand.Rand
	pcg      *rand.PCG
	style    style
	n        int
	approx   bool
	products bool
	seed     uint64
	alone    bool       // the next number is an argument, no element
	below    int        // integers x of elements are 0 <= x < below, unless 0
	nudge    *rand.Rand // moves floats, unless nil

	sum    float64 // of the magnitudes of all finite floats made
	floats int     // number of them
}

func newSource(seed uint64, st style, n int, approx bool) *source {
	pcg := rand.NewPCG(seed, 0x1a7e)
	return &source{rng: rand.New(pcg), pcg: pcg, seed: seed, style: st, n: n, approx: approx}
}

func pick[T any](s *source, list []T) T { return list[s.rng.IntN(len(list))] }

func (s *source) chance(percent int) bool { return s.rng.IntN(100) < percent }

// float is a value for a float of the given bits.
func (s *source) float(bits int) float64 {
	x := s.anyFloat(bits)
	if s.products {
		x = nearOne(x)
	}
	if s.nudge != nil {
		x = nudged(x, bits, s.nudge)
	}
	if a := math.Abs(x); a <= math.MaxFloat64 {
		s.sum += a
		s.floats++
	}
	return x
}

// nearOne keeps signs, zeros and what is not finite.
func nearOne(x float64) float64 {
	if x == 0 || x-x != 0 {
		return x
	}
	_, fraction := math.Modf(math.Abs(x))
	return math.Copysign(1+(fraction-0.5)/64, x)
}

func (s *source) anyFloat(bits int) float64 {
	switch s.style {
	case small:
		return pick(s, exactFloats)
	case timing:
		if s.alone {
			return 0.5
		}
		return math.Copysign(0.5+s.rng.Float64()/2, s.rng.Float64()-0.5) // far from 0 after some products
	case unit:
		return s.rng.Float64()*2 - 1
	case index:
		if s.chance(50) {
			return float64(s.rng.IntN(s.n + 1))
		}
		return s.rng.Float64()
	case special:
		return s.specialFloat(bits)
	}
	switch {
	case s.approx:
		return s.rng.Float64()*2 - 1
	case s.chance(50):
		return math.Ldexp(s.rng.Float64()*2-1, s.rng.IntN(24)-10)
	case bits == 32:
		return clean(float64(math.Float32frombits(s.rng.Uint32())))
	}
	return clean(math.Float64frombits(s.rng.Uint64()))
}

func (s *source) specialFloat(bits int) float64 {
	switch {
	case s.approx:
		return pick(s, specialsApprox)
	case s.chance(60):
		return pick(s, specials)
	case bits == 32:
		return pick(s, specials32)
	}
	return pick(s, specials64)
}

// clean makes every NaN the same one.
func clean(x float64) float64 {
	if x != x {
		return nan
	}
	return x
}

// integer is a value for an integer of the given bits, sign-extended.
func (s *source) integer(bits int, signed bool) int64 {
	switch s.style {
	case small, unit:
		if signed {
			return int64(s.rng.IntN(17) - 8)
		}
		return int64(s.rng.IntN(17))
	case index:
		return int64(s.rng.IntN(s.n + 1))
	case timing:
		if s.alone {
			return 100
		}
	case special:
		return s.extreme(bits)
	}
	return int64(s.rng.Uint64())
}

// bounded brings an integer into the bounds of indices, if there are any.
func (s *source) bounded(x int64, bits int, signed bool) int64 {
	if s.below <= 0 {
		return x
	}
	if signed {
		bits--
	}
	m := uint64(s.below)
	if bits < 63 {
		m = min(m, 1<<bits)
	}
	return int64(uint64(x) % m)
}

// extreme is an integer at which something wraps or changes its sign.
func (s *source) extreme(bits int) int64 {
	top := int64(1) << (bits - 1) // as int64 of 64 bits: the smallest
	switch s.rng.IntN(8) {
	case 0:
		return 0
	case 1:
		return top // smallest
	case 2:
		return top - 1 // largest
	case 3:
		return -1 // largest unsigned
	case 4:
		return 0x5555555555555555
	case 5:
		return int64(1) << s.rng.IntN(bits)
	case 6:
		return int64(s.rng.IntN(5) - 2)
	}
	return top + int64(s.rng.IntN(5)-2)
}

// fill writes count elements of a type without pointers, and returns the number that
// the source goes on with.
func (s *source) fill(t reflect.Type, p unsafe.Pointer, count int, tx texture) (after uint64) {
	var seeds []uint64
	turn := 0
	switch tx {
	case fresh:
	case turning:
		turn = s.rng.IntN(count + 1)
	default:
		for range 2 + s.rng.IntN(2) {
			seeds = append(seeds, s.rng.Uint64())
		}
	}
	after = s.rng.Uint64()
	parts, size := partsOf(t), int(t.Size())
	for i := range count {
		if seeds != nil {
			s.pcg.Seed(seeds[choice(tx, i, len(seeds))], 1)
		}
		switch {
		case i < turn:
			s.pcg.Seed(s.seed, 3)
		case i == turn && turn > 0:
			s.pcg.Seed(after, 4)
		}
		s.put(parts, unsafe.Add(p, i*size))
	}
	s.restart(after)
	return after
}

// restart goes on with a number that fill returned.
func (s *source) restart(after uint64) { s.pcg.Seed(after, 2) }

// choice says which of the k values of a texture element i has.
func choice(tx texture, i, k int) int {
	switch tx {
	case periodic:
		return i % k
	case sparse:
		if i%61 == 37 {
			return 1
		}
	}
	return 0
}

// element writes one value of a type without pointers.
func (s *source) element(t reflect.Type, p unsafe.Pointer) { s.put(partsOf(t), p) }

// put writes the parts of a value.
func (s *source) put(parts []part, p unsafe.Pointer) {
	for i := range parts {
		at := &parts[i]
		p := unsafe.Add(p, at.offset)
		switch at.kind {
		case reflect.Bool:
			*(*bool)(p) = s.rng.IntN(2) == 1
		case reflect.Float32:
			*(*float32)(p) = s.float32()
		case reflect.Float64:
			*(*float64)(p) = s.float(64)
		case reflect.Array:
			for k := range at.times {
				s.put(at.elem, unsafe.Add(p, k*at.size))
			}
		default:
			bits := at.size * 8
			putInteger(p, at.size, s.bounded(s.integer(bits, at.signed), bits, at.signed))
		}
	}
}

func (s *source) float32() float32 {
	x := s.float(32)
	if x != x {
		return math.Float32frombits(0xffc0_0000)
	}
	return float32(x)
}

func integerKind(k reflect.Kind) (signed, ok bool) {
	switch {
	case reflect.Int <= k && k <= reflect.Int64:
		return true, true
	case reflect.Uint <= k && k <= reflect.Uintptr:
		return false, true
	}
	return false, false
}

func putInteger(p unsafe.Pointer, size int, x int64) {
	switch size {
	case 1:
		*(*int8)(p) = int8(x)
	case 2:
		*(*int16)(p) = int16(x)
	case 4:
		*(*int32)(p) = int32(x)
	case 8:
		*(*int64)(p) = x
	}
}

// flat reports whether values of type t hold no pointers at all, and no type
// that cannot be made up.
func flat(t reflect.Type) bool {
	if locks(t) {
		return false
	}
	switch k := t.Kind(); k {
	case reflect.Bool, reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return true
	case reflect.Struct:
		for i := range t.NumField() {
			if !flat(t.Field(i).Type) {
				return false
			}
		}
		return true
	case reflect.Array:
		return flat(t.Elem())
	default:
		_, ok := integerKind(k)
		return ok
	}
}

// locks reports whether t is a type of package sync, in most states of which programs end.
func locks(t reflect.Type) bool { return t.PkgPath() == "sync" }
