//go:build amd64 && unix

package contract

import (
	"encoding/binary"
	"math"
	"reflect"
)

// A style says what elements are made of. Element i of a series has number
// (i+start)*stride mod period of a list, so that with all starts every value
// comes to every place, and with two strides every two values meet.
type style int

const (
	special  style = iota // extremes; NaNs of all kinds, infinities, denormals, signed zeros
	exact                 // small integers; floats of which sums are exact
	below                 // 0 <= x < n
	random                // all bits of integers; floats with long mantissas
	benign                // from 1 to 7
	constant              // one of few values, the same everywhere
	numStyles
)

var styleNames = [numStyles]string{"special", "exact", "below", "random", "benign", "constant"}

// period is how many values each list has: a prime, so that it has no factor in common
// with strides and numbers of lanes.
const period = 31

var specials = [period]float64{
	0, math.Copysign(0, -1), 1, -1, math.NaN(), math.Inf(1), math.Inf(-1), 0.5, -0.5, 1.5, 2.5, -2.5, 0.1,
	math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64, 0x1p-1022, 0x1p-1022 - 0x1p-1074,
	1<<52 + 0.5, 1<<53 + 2, 127.5, -128.5, 255.5, 32768, 1<<31 - 0.5, -1<<31 - 1, 1 << 32, 1 << 63, -1e19, 1 + 0x1p-52,
}

var specials32 = [period]float32{
	0, float32(math.Copysign(0, -1)), 1, -1, float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), 0.5, -0.5, 1.5, 2.5, -2.5, 0.1,
	math.MaxFloat32, -math.MaxFloat32, math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32, 0x1p-126, 0x1p-126 - 0x1p-149,
	1<<23 - 0.5, 1<<24 + 2, 127.5, -128.5, 255.5, 32768, 1<<31 - 128, -1<<31 - 256, 1 << 32, 1 << 63, -1e19, 1 + 0x1p-23,
}

// Bits of NaNs that take the place of the one in the lists, in turns: quiet and
// signaling, of both signs, with payloads.
var (
	nans   = [...]uint64{0x7ff8_0000_0000_0000, 0xfff8_0000_0000_0000, 0x7ff0_0000_0000_0001, 0xfff7_ffff_ffff_ffff, 0x7ff8_1234_5678_9abc}
	nans32 = [...]uint32{0x7fc0_0000, 0xffc0_0000, 0x7f80_0001, 0xffbf_ffff, 0x7fc1_2345}
)

// extreme is integer k of a list, of which the lower bits count.
func extreme(k, bits int) uint64 {
	top := uint64(1) << (bits - 1)
	half := uint64(1) << (bits / 2)
	return [period]uint64{
		0, 1, ^uint64(0), 2, ^uint64(1), 3, 5, 7, 8, 10, 15, 16, 31, 32, 63, 64, ^uint64(7), ^uint64(63), 100,
		top, top - 1, top + 1, top - 2, half, half - 1, half + 1, top | half, 0x5555_5555_5555_5555, 0xaaaa_aaaa_aaaa_aaaa, 127, 255,
	}[k]
}

var constants = [...]int{0, 1, -1, 2, 5}

// A series makes elements.
type series struct {
	style         style
	stride, start int
	n             int // bound of style below
	part          int // the constant
}

// at is the number of element i in its list.
func (s series) at(i int) int { return (i + s.start) * s.stride % period }

// put writes element i of a type without pointers.
func (s series) put(t reflect.Type, p []byte, i int) {
	switch t.Kind() {
	case reflect.Struct:
		for k := range t.NumField() {
			f := t.Field(k)
			s.put(f.Type, p[f.Offset:], i+5*k)
		}
	case reflect.Array:
		size := int(t.Elem().Size())
		for k := range t.Len() {
			s.put(t.Elem(), p[k*size:], i*t.Len()+k)
		}
	case reflect.Complex64, reflect.Complex128:
		half := int(t.Size()) / 2
		s.float(p, half*8, i)
		s.float(p[half:], half*8, i*3+1)
	case reflect.Float32, reflect.Float64:
		s.float(p, int(t.Size())*8, i)
	case reflect.Bool:
		p[0] = byte(s.integer(1, i) & 1)
	default:
		x := s.integer(int(t.Size())*8, i)
		switch t.Size() {
		case 1:
			p[0] = byte(x)
		case 2:
			binary.LittleEndian.PutUint16(p, uint16(x))
		case 4:
			binary.LittleEndian.PutUint32(p, uint32(x))
		case 8:
			binary.LittleEndian.PutUint64(p, x)
		}
	}
}

func (s series) float(p []byte, bits, i int) {
	if bits == 32 {
		x := float32(s.plain(i))
		b := math.Float32bits(x)
		if s.style == special {
			b = math.Float32bits(specials32[s.at(i)])
			if b&^(1<<31) > 0x7f80_0000 {
				b = nans32[(i+s.start)/period%len(nans32)]
			}
		}
		binary.LittleEndian.PutUint32(p, b)
		return
	}
	b := math.Float64bits(s.plain(i))
	if s.style == special {
		b = math.Float64bits(specials[s.at(i)])
		if specials[s.at(i)] != specials[s.at(i)] {
			b = nans[(i+s.start)/period%len(nans)]
		}
	}
	binary.LittleEndian.PutUint64(p, b)
}

// plain is a float of all styles but special.
func (s series) plain(i int) float64 {
	if s.style == random {
		r := mixed(s.seed(i))
		return math.Ldexp(float64(int64(r)>>11), int(r%9)-54)
	}
	x := float64(int64(s.integer(64, i)))
	if s.style == exact && i%3 == 0 {
		x /= 2
	}
	return x
}

func (s series) seed(i int) uint64 { return uint64(i+s.start)<<10 + uint64(s.stride) }

// mixed has bits that depend on all of x (the output function of SplitMix64).
func mixed(x uint64) uint64 {
	x = (x + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func (s series) integer(bits, i int) uint64 {
	switch s.style {
	case special:
		return extreme(s.at(i), bits)
	case exact:
		return uint64(s.at(i) - period/2)
	case below:
		m := uint64(max(s.n, 1))
		if bits < 64 {
			m = min(m, 1<<(bits-1))
		}
		return mixed(s.seed(i)) >> 8 % m
	case benign:
		return uint64(1 + s.at(i)%7)
	case constant:
		return uint64(constants[s.part%len(constants)])
	}
	return mixed(s.seed(i))
}

type tableKey struct {
	elem reflect.Type
	series
	count int
}

var tables = map[tableKey][]byte{}

// fill writes count elements from tables, which are made once. Those of a series that
// starts later are those of start 0, later.
func (s series) fill(t reflect.Type, dst []byte, count int) {
	size := int(t.Size())
	if size == 0 || count == 0 {
		return
	}
	room := 256
	for room < count+period {
		room *= 4
	}
	skip := s.start % period
	s.start = 0
	key := tableKey{t, s, room}
	tab := tables[key]
	if tab == nil {
		tab = make([]byte, size*room)
		for i := range room {
			s.put(t, tab[i*size:], i)
		}
		tables[key] = tab
	}
	copy(dst[:count*size], tab[skip*size:])
}
