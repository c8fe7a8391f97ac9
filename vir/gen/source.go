package gen

import (
	"hash/fnv"
	"math"
	"math/rand/v2"

	"github.com/lanewise/lanewise/vir"
)

// A Source makes the choices: first from given bytes, then from a generator
// that they seed.
type Source struct {
	data []byte
	rng  *rand.Rand
}

// Seed is a source of random choices.
func Seed(n uint64) *Source { return &Source{rng: rand.New(rand.NewPCG(n, 0x6c616e65))} }

// Bytes is a source whose first choices are the given bytes, as fuzzing wants it.
func Bytes(data []byte) *Source {
	h := fnv.New64a()
	h.Write(data)
	s := Seed(h.Sum64())
	s.data = data
	return s
}

// below is a number from 0 to n-1.
func (s *Source) below(n int) int {
	if len(s.data) == 0 {
		return s.rng.IntN(n)
	}
	x := int(s.data[0])
	s.data = s.data[1:]
	if n > 256 && len(s.data) > 0 {
		x = x<<8 | int(s.data[0])
		s.data = s.data[1:]
	}
	return x % n
}

// chance is true in percent of all cases.
func (s *Source) chance(percent int) bool { return s.below(100) < percent }

func pick[T any](s *Source, xs []T) T { return xs[s.below(len(xs))] }

var floats = []float64{0, 1, 0.5, 1.5, 2.5, 3.25, 100, 255.5, 32767.5, 65536, 1 << 23, 1<<24 + 2, 1 << 31, 5e9, 1 << 52, 1 << 63, 1e20,
	math.MaxFloat32, math.SmallestNonzeroFloat32, 1e-40, math.MaxFloat64, math.SmallestNonzeroFloat64, math.Inf(1)}

// lane is an interesting bit pattern of e.
func (s *Source) lane(e vir.Elem) uint64 {
	switch {
	case e == vir.Bool:
		return uint64(s.below(2))
	case e.IsFloat():
		return s.float(e)
	}
	w := e.Bits()
	all := uint64(1)<<(w-1)<<1 - 1
	switch s.below(4) {
	case 0:
		return pick(s, []uint64{0, 1, 2, 3, uint64(w) - 1, uint64(w), all, all - 1, all >> 1, all>>1 + 1, all>>1 + 2})
	case 1:
		return uint64(s.below(256)-128) & all
	}
	return s.bits(w)
}

// bits are w random bits.
func (s *Source) bits(w int) uint64 {
	var x uint64
	for i := 0; i < w; i += 8 {
		x = x<<8 | uint64(s.below(256))
	}
	return x
}

func (s *Source) float(e vir.Elem) uint64 {
	x := 0.0
	switch s.below(8) {
	case 0, 1:
		x = pick(s, floats)
	case 2:
		return s.bits(e.Bits()) // anything, NaNs with payload included
	case 3:
		if s.chance(30) {
			x = math.NaN()
		}
	default:
		x = float64(s.below(2000)) / float64(s.below(16)+1)
	}
	if s.chance(50) {
		x = -x
	}
	if e == vir.F32 {
		return uint64(math.Float32bits(float32(x)))
	}
	return math.Float64bits(x)
}
