// Package corpus holds loops for the tests of lowering: each method of C is one
// loop, whose parameters, named results and init statement are all that it
// depends on. Tests run the methods natively and their lowered form in the
// interpreter. The package must not know anything; it is only looked at.
package corpus

import (
	"cmp"
	"math"
	"math/bits"
	"reflect"
	"unsafe"
)

// C carries the loops as methods, so that tests can list them.
type C struct{}

func (C) Axpy(a float32, x, y []float32) {
	for i := range y {
		y[i] += a * x[i]
	}
}

func (C) Dot(x, y []float64) (s float64) {
	for i, v := range x {
		s += v * y[i]
	}
	return
}

func (C) Reverse(x, y []int32) {
	for i := len(x) - 1; i >= 0; i-- {
		y[i] = x[len(x)-1-i]
	}
}

func (C) Steps(x []int16, n int) (s int64, k int) {
	for i := 1; i <= n; i += 3 {
		s += int64(x[i])
		k = i
	}
	return
}

func (C) NotEqual(x []uint8, n int) (s uint8) {
	for i := 0; i != n; i++ {
		s ^= x[i]
	}
	return
}

func (C) Down(x []uint8, n uint8) (s uint32) {
	for i := n; i > 0; i-- {
		s = s*31 + uint32(x[i-1])
	}
	return
}

func (C) While(x []int32, n int) (i int, s int32) {
	for i < n {
		s += x[i]
		i++
	}
	return
}

func (C) RangeInt(x []uint16, n uint8) (s uint16) {
	for i := range n {
		s += x[i] + uint16(i)
		i = 7
	}
	return
}

func (C) RangeConst(x *[16]float32, y []float32) {
	for i := range 16 {
		x[i] = y[i] / 3
	}
}

func (C) OuterKey(x []int8) (i int, v int8) {
	for i, v = range x {
		x[i] = -v
	}
	return
}

func (C) RangeArray(a [8]int32, k int) (s int32) {
	for i, v := range a {
		s += v * a[(i+k)&7]
	}
	return
}

func (C) RangeSlice(x, y []int32, lo, hi int) (s int32) {
	for i, v := range x[lo:hi] {
		y[i] += v
		s += y[lo]
	}
	return
}

func (C) RangeRest(m *Matrix) (n int) {
	for _, v := range m.Data[m.Cols:] {
		if v > 0 {
			n++
		}
	}
	return
}

func (C) RangeArrayPart(x [8]int32, y []int32, n int) {
	for i := range x[1:n:7] {
		y[i] = x[i]
	}
}

func (C) MinLength(x, y []uint16) {
	for i := range min(len(x), len(y)) {
		y[i] += x[i]
	}
}

func (C) HalfLength(x []int32) {
	for i := 0; i < len(x)/2; i++ {
		x[i] += x[2*i]
	}
}

func (C) NarrowLimit(x []int32, n int8) (s int32) {
	for i := int8(0); i <= n>>1; i++ {
		s += x[i]
	}
	return
}

func (C) RangePointer(a *[8]int32, y []int32) {
	for i, v := range a {
		a[7-i] = v + y[i]
	}
}

func (C) KeyChanges(x []int32) {
	for i := range x {
		i += 2
		x[i] = int32(i)
	}
}

func (C) Continue(x, y []int32, t int32) (n int) {
	for i, v := range x {
		if v < t {
			continue
		}
		if v == t {
			y[i] = 0
			continue
		}
		n++
		y[i] = v
	}
	return
}

func (C) Labeled(x []int32) (a, b int) {
loop:
	for _, v := range x {
		switch {
		case v > 10:
			a++
			continue loop
		case v > 5:
			break
		default:
			b += 2
		}
		b++
	}
	return
}

func (C) SwitchTag(x []uint8) (a, b, c int) {
	for _, v := range x {
		switch w := v & 7; w {
		case 1, 2:
			a++
			fallthrough
		case 3:
			b++
		case 4:
		default:
			c += int(w)
			if w == 6 {
				break
			}
			c++
		}
	}
	return
}

func (C) ShortCircuit(x []int32, y []int32, n int) (c int) {
	for i := 0; i < n; i++ {
		if i < len(x) && x[i] > 0 || i < len(y) && y[i] < 0 {
			c++
		}
		ok := i >= len(x) || x[i] != 3
		if !ok {
			c += 100
		}
	}
	return
}

func (C) Logic(x []float32, lo, hi float32) (in, out int) {
	for _, v := range x {
		if lo <= v && v <= hi {
			in++
		}
		if !(v >= lo) || v > hi {
			out++
		}
	}
	return
}

func (C) Swap(x, y []int32) {
	for i := range x {
		x[i], y[i] = y[i], x[i]
	}
}

func (C) TwoPhase(x []int32) (a, b int32) {
	for i := range x {
		a, b = b+x[i], a
		x[i], x[a&3] = x[a&3], b
	}
	return
}

func (C) Rotate(x []int32, i, j int) {
	for k := 0; k < 4; k++ {
		i, x[i], j = j, int32(k), i
	}
}

func (C) Neighbour(x []float64) {
	for i := 1; i < len(x); i++ {
		x[i] = x[i-1] + x[i]
	}
}

func (C) Wrap(x []uint8, y []int32) (s int32) {
	for i := range x {
		s += y[uint8(i+253)]
	}
	return
}

func (C) NarrowIndex(x []int32, idx []uint8, off []int8) (s int32) {
	for i := range idx {
		s += x[idx[i]]
		s += x[off[i]]
	}
	return
}

func (C) Table(t *[256]uint8, x []uint8) {
	for i, v := range x {
		x[i] = t[v] + t[v>>4] + t[int(v)&15]
	}
}

func (C) Shifts(x []int32, y []uint8, n []uint32) {
	for i, v := range x {
		x[i] = v<<n[i] ^ v>>n[i] ^ int32(uint32(v)>>(n[i]&31)) ^ v<<3 ^ v>>31
		y[i] = y[i]<<n[i] | y[i]>>(n[i]%8)
	}
}

func (C) SignedShift(x []int64, n []int, m []int8) {
	for i := range x {
		x[i] = x[i]<<n[i] ^ 1<<m[i]
		x[i] >>= n[i] & 63
	}
}

func (C) ShiftByWide(x []uint8, n []uint64, m []uint16) {
	for i := range x {
		x[i] = x[i]<<n[i] + x[i]>>m[i]
	}
}

func (C) Divide(x, y []int32, u, v []uint8) {
	for i := range x {
		x[i] = x[i]/y[i] + x[i]%y[i] + x[i]/7 - x[i]%-5
		u[i] = u[i]/v[i] ^ u[i]%v[i] ^ u[i]/3
	}
}

func (C) DivideLong(x, y []int64) {
	for i := range x {
		x[i] = x[i]/y[i] ^ x[i]%y[i]
	}
}

func (C) Bits(x []uint32, y []int64, z []uint8) {
	for i := range x {
		x[i] = x[i]&^0xff0 | ^x[i]&15
		y[i] = -y[i] ^ ^y[i]
		z[i] &^= 7
		z[i] |= 1
		z[i] ^= 255
	}
}

func (C) IntConversions(a []int8, b []uint16, c []int32, d []uint64) {
	for i := range a {
		b[i] = uint16(a[i])
		c[i] = int32(b[i]) + int32(int8(d[i]))
		d[i] = uint64(a[i]) + uint64(uint32(c[i]))
		a[i] = int8(c[i] >> 3)
	}
}

func (C) FloatToInt(x []float64, a []int8, b []uint8, c []int16, d []uint16, e []int32, f []uint32, g []int64, h []uint64) {
	for i, v := range x {
		a[i], b[i], c[i], d[i] = int8(v), uint8(v), int16(v), uint16(v)
		e[i], f[i], g[i], h[i] = int32(v), uint32(v), int64(v), uint64(v)
	}
}

func (C) Float32ToInt(x []float32, a []int8, b []uint8, f []uint32, g []int64, h []uint64) {
	for i, v := range x {
		a[i], b[i], f[i], g[i], h[i] = int8(v), uint8(v), uint32(v), int64(v), uint64(v)
	}
}

func (C) IntToFloat(a []int8, b []uint16, c []int32, d []uint32, e []int64, f []uint64, x []float32, y []float64) {
	for i := range a {
		x[i] = float32(a[i]) + float32(b[i]) + float32(c[i]) + float32(d[i]) + float32(e[i]) + float32(f[i])
		y[i] = float64(a[i]) + float64(b[i]) + float64(c[i]) + float64(d[i]) + float64(e[i]) + float64(f[i])
	}
}

func (C) Through64(x, y, z []float32, c []int32) {
	for i, v := range x {
		w := float64(v)
		z[i] = float32(math.Sqrt(w)) + float32(math.Abs(w)) + float32(math.Floor(w*0.5))
		y[i] = float32(w*float64(y[i])) - float32(w/float64(y[i])) + float32(math.Copysign(math.Trunc(w), -1))
		x[i] = float32(w+float64(y[i])*3) + float32(float64(c[i]))
	}
}

func (C) Math(x, y []float64) {
	for i, v := range x {
		y[i] = math.FMA(v, y[i], 1) + math.Ceil(v) - math.RoundToEven(v)
		x[i] = math.Max(v, y[i]) - math.Min(v, y[i]) + math.Trunc(v)
	}
}

func (C) MathInlined(x []float64) (nan, inf int) {
	for i, v := range x {
		if math.IsNaN(v) {
			nan++
		}
		if math.IsInf(v, 1) {
			inf++
		}
		if math.Signbit(v) {
			x[i] = math.Round(v)
		}
	}
	return
}

func (C) FloatBits(x []float32, y []float64) {
	for i := range x {
		x[i] = math.Float32frombits(math.Float32bits(x[i]) ^ 1<<31)
		y[i] = math.Float64frombits(math.Float64bits(y[i]) & (1<<52 - 1))
	}
}

func (C) BitCounts(a []uint8, b []uint16, c []uint32, d []uint64) (s int) {
	for i := range a {
		s += bits.LeadingZeros8(a[i]) + bits.TrailingZeros16(b[i])<<4 + bits.OnesCount32(c[i])<<8 + bits.Len64(d[i])<<16
		s += bits.Len8(a[i]) * 3
		a[i] = bits.RotateLeft8(a[i], s) ^ bits.Reverse8(a[i])
		b[i] = bits.ReverseBytes16(b[i]) + bits.RotateLeft16(b[i], -3)
		c[i] = bits.Reverse32(c[i])
		d[i] = bits.RotateLeft64(d[i], int(c[i]))
	}
	return
}

func (C) MinMaxInt(x []int8, y []uint8, lo, hi int8) (a int8, b uint8) {
	for i := range x {
		x[i] = min(max(x[i], lo), hi, 100)
		b = max(b, y[i])
		a = min(a, x[i])
	}
	return
}

func (C) MinMaxFloat(x []float32) (a, b float32) {
	for _, v := range x {
		a = min(a, v, 1e6)
		b = max(b, v)
	}
	return
}

func (C) MaxIf(x []float64) (m float64) {
	for _, v := range x {
		if v > m {
			m = v
		}
	}
	return
}

func (C) Bools(x []bool, y []bool) (any, all bool, n int) {
	for i, v := range x {
		any = any || v
		all = all != (v == y[i])
		y[i] = !v && any
		if y[i] {
			n++
		}
	}
	return
}

const scale, big = 0.1, 1 << 40

func (C) Constants(x []float32, y []int64) {
	for i := range x {
		x[i] = x[i]*scale + math.MaxFloat32/2 - math.Pi
		y[i] += big + math.MaxInt32 + 'x'
	}
}

// Floats is any slice of floats under a name.
type Floats []float32

// Celsius is a number under a name.
type Celsius float32

func (C) Named(x Floats, y []Celsius) {
	for i, c := range y {
		x[i] = float32(c)*9/5 + 32
		y[i]++
	}
}

// Matrix has its elements in a field.
type Matrix struct {
	Rows, Cols int
	Data       []float32
	Scale      float32
	Diag       [4]float32
}

func (C) Field(m *Matrix, k int) {
	for i := range m.Data {
		m.Data[i] *= m.Scale
	}
	_ = k
}

func (C) FieldIndex(m *Matrix, r int) (s float32) {
	for c := 0; c < m.Cols; c++ {
		s += m.Data[r*m.Cols+c]
	}
	return
}

func (C) FieldStore(m *Matrix, x []float32) {
	for i, v := range x {
		m.Scale += v
		m.Diag[i&3] = m.Scale
	}
}

func (C) FieldByValue(m Matrix, x []float32) {
	for i := range x {
		x[i] = m.Scale*x[i] + m.Diag[1] + float32(m.Rows)
	}
}

func (C) FieldArray(m Matrix, x []float32) {
	for i := range x {
		x[i] += m.Diag[i&3]
	}
}

func (C) Rows(a [][]float32, x []float32, i int) {
	for j := range a[i] {
		x[j] += a[i][j] - a[i+1][j]
	}
}

func (C) Grid(a *[4][8]int32, i int) {
	for j := 1; j < 8; j++ {
		a[i][j] = a[i][j-1] + a[(i+1)&3][j]
	}
}

func (C) Column(a *[4][8]int32, j int) (s int32) {
	for i := range a {
		s += a[i][j] + a[i][2]
		a[i][3]++
	}
	return
}

func (C) Pointer(p *int32, x []int32) {
	for _, v := range x {
		*p += v
	}
}

func (C) PointerRead(p *float32, x []float32) {
	for i := range x {
		x[i] *= *p
	}
}

// Point is a small struct.
type Point struct {
	X, Y float32
	Kind int8
}

func (C) Structs(ps []Point, x []float32) {
	for i := range x {
		p := &ps[i]
		p.X, p.Y = p.Y, p.X+x[i]
		ps[i].Kind++
	}
}

func (C) StructValues(ps []Point, qs []Point) (n int) {
	for i, p := range ps {
		p.X += 1
		q := Point{X: p.Y, Kind: 3}
		qs[i] = q
		if p == qs[0] {
			n++
		}
		ps[i] = add(p, q)
	}
	return
}

func add(p, q Point) Point { return Point{p.X + q.X, p.Y + q.Y, p.Kind} }

func (C) SmallArray(x []float32) {
	for i := range x {
		w := [3]float32{1, x[i]}
		w[2] = w[0] + w[1]
		x[i] = w[2] * w[1]
	}
}

func (C) String(s string, x []uint8) (n int) {
	for i := 0; i < len(s); i++ {
		if s[i] == ' ' {
			n++
		}
		x[i] = s[i] | 32
	}
	return
}

const digits = "0123456789abcdef"

func (C) Hex(x []uint8, dst []uint8) {
	for i, v := range x {
		dst[2*i] = digits[v>>4]
		dst[2*i+1] = digits[v&15]
	}
}

var offsets = [4]int32{1, -2, 3, 1 << 30}

var total int64

func (C) PackageVars(x []int32) (s int64) {
	for i := range x {
		x[i] += offsets[i&3]
		total += int64(x[i])
	}
	return
}

func clamp(v, lo, hi int32) int32 {
	if v < lo {
		return lo
	}
	if v > hi {
		return hi
	}
	return v
}

func (C) Inline(x []int32) {
	for i, v := range x {
		x[i] = clamp(v, -5, clamp(v/2, 3, 9))
	}
}

func at[T any](x []T, i int) T { return x[i] }

func set(x []int32, i int, v int32) (old int32) {
	old, x[i] = x[i], v
	return
}

func divmod[T int32 | uint8](a, b T) (q, r T) {
	if b == 0 {
		return
	}
	return a / b, a % b
}

func (C) InlineSlices(x, y []int32) (s int32) {
	for i := range x {
		old := set(x, i, at(y, i)+1)
		s += old
		q, r := divmod(s, at(x, i))
		y[i] = q ^ r
	}
	return
}

// Norm is the square of the length.
func (p Point) Norm() float32 { return p.X*p.X + p.Y*p.Y }

// Grow scales in place.
func (p *Point) Grow(k float32) { p.X *= k; p.Y *= k }

func (C) Methods(ps []Point, x []float32) {
	for i := range x {
		ps[i].Grow(x[i])
		x[i] = ps[i].Norm()
	}
}

func (C) Compare(x, y []float32, z []int8) {
	for i := range x {
		z[i] = int8(cmp.Compare(x[i], y[i]))
		if cmp.Less(x[i], y[i]) {
			x[i] = 0
		}
	}
}

func (C) Nested(x []int32) (a, b, c int) {
	for i, v := range x {
		if v > 0 {
			if i&1 == 0 {
				a++
			} else if v > 100 {
				b++
			} else {
				var t int
				t = i
				c += t
			}
		} else {
			t := a
			a, b = b, t
		}
	}
	return
}

func (C) TempOutside(x, y []float64) (t float64) {
	for i := range x {
		t = x[i] * 2
		if t > 1 {
			t = 1
		}
		y[i] = t
	}
	return
}

func (C) Unsigned(x []uint64, n uint) (s uint64) {
	for i := uint(0); i < n; i++ {
		if x[i] > 1<<63 {
			s += x[i] >> 1
		}
		if uint32(x[i]) >= uint32(n) {
			s++
		}
	}
	return
}

func (C) Hoisted(x []int32, n int) (s int32) {
	for i, m := 0, n*2; i < m; i++ {
		s += x[i]
	}
	return
}

func (C) TwoCounters(x []int32) {
	for i, j := 0, len(x)-1; i < j; i, j = i+1, j-1 {
		x[i], x[j] = x[j], x[i]
	}
}

func (C) Complement(x []float64, y []float32) {
	for i := range x {
		x[i] = -x[i]
		y[i] -= +y[i] * 2
	}
}

func (C) Compress(x, y []int32) (k int) {
	for _, v := range x {
		if v > 2 {
			y[k] = v
			k++
		}
	}
	return
}

func (C) Blank(x, y []int32) (n int) {
	for i := range x {
		_ = y[i]
		_, n = x[i], n+1
	}
	return
}

func (C) LabeledSwitch(x []int32) (n int32) {
	for _, v := range x {
	outer:
		switch {
		case v > 0:
			switch v {
			case 1:
				break outer
			case 2:
				break
			default:
				n += v
			}
			n++
		}
		n ^= 1
	}
	return
}

const nearTie = 1 + 0x1p-24 + 0x1p-60 // rounds up to float32, but down by way of float64

func nearTies[T float32 | float64](x T) (a, b, c T) {
	const typed float64 = nearTie
	return T(nearTie) * x, x * nearTie, T(typed) * x
}

func (C) TypeParamConsts(x, y, z []float32, w []float64) {
	for i := range x {
		x[i], y[i], z[i] = nearTies(x[i])
		_, w[i], _ = nearTies(w[i])
	}
}

func quotient[T int8 | uint8](x T) T { return x/T(3) + x%T(7) }

func (C) TypeParamDivision(x []int8, y []uint8) {
	for i := range x {
		x[i] = quotient(x[i])
		y[i] = quotient(y[i])
	}
}

// Body has fields of several sizes, some of them structs and arrays.
type Body struct {
	Pos, Vel Vec
	Mass     float64
	Tags     [4]int16
	_        int32
	On       bool
}

// Vec is a vector of the plane.
type Vec struct{ X, Y float32 }

// Px is a pixel.
type Px struct{ R, G, B, A uint8 }

func (C) Move(ps []Body, dt float32) {
	for i := range ps {
		p := &ps[i]
		p.Pos.X += p.Vel.X * dt
		p.Pos.Y += p.Vel.Y * dt
		if p.Pos.X < 0 {
			p.Pos.X, p.Vel.X = -p.Pos.X, -p.Vel.X
		}
		ps[i].Tags[2]++
		p.On = !p.On && p.Mass > 0
	}
}

func (C) NestedFields(ps, qs []Body, k int) {
	for i := range ps {
		v := &ps[i].Vel
		v.X, ps[i].Pos = qs[i].Pos.Y, qs[i].Vel
		ps[i].Tags[1] = qs[2*i+1].Tags[3] + ps[k].Tags[0]
	}
}

func (C) CopyElements(src, dst []Px, n int) {
	for i := 0; i < n; i++ {
		p := src[i]
		dst[i] = p
		d := &dst[i]
		d.A = p.R
		dst[i].G++
	}
}

func (C) Literals(src, dst []Px, w [][4]float32, v []Vec) {
	for i, p := range src {
		dst[i] = Px{p.A, p.B, p.G, p.R}
		w[i] = [4]float32{w[i][1], 2: float32(p.R), 3: 1}
		v[i] = Vec{Y: v[i].X}
	}
}

func (C) CompareStructs(x, y []Body) (same, other int) {
	for i := range x {
		if x[i] == y[i] {
			same++
		}
		if x[i].Pos != y[i].Vel {
			other++
		}
		y[i].Vel = x[i].Pos
		x[i] = Body{}
	}
	return
}

// Flag has a field that comparisons leave out.
type Flag struct {
	On bool
	_  int32
}

func (C) CompareBlank(x, y []Flag) (same int) {
	for i := range x {
		if x[i] == y[i] {
			same++
		}
	}
	return
}

func (C) Triples(b [][3]byte, planes [][]byte) {
	for i, p := range b {
		planes[0][i] = p[0]
		planes[1][i], planes[2][i] = p[1], p[2]
	}
}

func (C) ArraysOfArrays(a *[4][8][2]int16, b [][2][3]int32, j int) {
	for i := range b {
		b[i][1][2] += b[i][0][j&1]
		a[i&3][(2*i+1)&7][j&1] = int16(i)
	}
}

func (C) Every3(x, y []float32, k int) {
	for i := 0; 3*i+2 < len(x); i++ {
		y[i] = x[3*i] + x[3*i+1] - x[3*i+2]
		x[3*i+1] = y[len(y)-1-2*i]
	}
}

func (C) Columns(m []float32, n, j, k int) {
	for i := 0; i < n; i++ {
		m[i*n+j] += m[i*n+k]
	}
}

func (C) MovingIndex(m []float32, n, j int) (s float32) {
	for i := 0; i < n; i++ {
		s += m[j]
		j += n
	}
	return
}

func (C) Key(x []byte, key [4]byte, key2 []byte, key3 *[6]uint16) {
	for i := range x {
		x[i] ^= key[i&3] ^ key[i%3]
		x[i] += key2[i%len(key2)]
		x[i] -= byte(key3[i%6] >> 8)
	}
}

func (C) PeriodicSums(x []float32, sums *[4]float32) {
	for i, v := range x {
		sums[i%4] += v
	}
}

func (C) PeriodicStore(x, acc []int32) {
	for i, v := range x {
		acc[i&3] += v
	}
}

func (C) Gather(dst, x []float32, idx []int32, ps []Vec) {
	for i, j := range idx {
		dst[i] = x[j] + x[j+1]
		ps[j].X = ps[i].Y
		ps[i].Y = ps[2*j].Y
	}
}

func (C) Scatter(x, y []int16, idx []uint8) {
	for i, j := range idx {
		x[j] = y[i]
		y[j/2]++
	}
}

var primes = [...]uint8{2, 3, 5, 7, 11, 13, 17, 19}

var halves = []float32{0, 0.5, 1, 1.5}

var pairs = [4]struct {
	a int16
	b uint8
}{{1, 2}, {a: -3}, 3: {b: 255}}

func (C) Tables(x []uint8, y []float32, z []int16) (n int) {
	for i, v := range x {
		x[i] = primes[v&7] + primes[v]
		y[i] = halves[i&3] - halves[v]
		z[i] = pairs[v>>6].a + int16(pairs[i&3].b)
		n += len(halves) + int(primes[3])
	}
	return
}

func (C) ComplexMul(x, y []complex64, c complex64) {
	for i := range x {
		x[i] = x[i]*y[i] - c
	}
}

func (C) ComplexMul128(x, y []complex128, c complex128) (s complex128) {
	for i, v := range x {
		x[i] = v*y[i] + 2i*c - v
		s += x[i] * x[i]
	}
	return
}

func (C) ComplexOps(x []complex64, y []complex128, m []float32, n []bool) {
	for i := range x {
		y[i] += complex128(x[i]) * 2
		x[i] = complex64(y[i]) + -x[i]
		x[i]++
		m[i] = real(x[i]) - imag(x[i])
		n[i] = x[i] == complex(m[i], 0) || y[i] != 1
		if n[i] {
			x[i] = complex(m[i], -1)
		}
	}
}

// Signal is a complex number under a name.
type Signal complex64

// Filter holds complex coefficients.
type Filter struct {
	Gain  Signal
	Taps  [2]complex64
	Count int
}

func (C) ComplexFields(f Filter, fs []Filter, x []Signal) (last Filter, z Signal) {
	for i := range fs {
		z = z*f.Gain + x[i]
		fs[i].Taps[1] += complex64(z) * f.Taps[0]
		last = fs[i]
		last.Count += i
	}
	return
}

func (C) StructStates(ps []Body) (sum Vec, top Body, c [3]int) {
	for _, p := range ps {
		sum.X += p.Pos.X
		sum.Y -= p.Vel.Y
		if p.Mass > top.Mass {
			top = p
		}
		c[0]++
		c[2], c[1] = c[1], c[0]
	}
	return
}

// ExactBytes and others have no capacity beyond their length.
type (
	ExactBytes  []byte
	ExactFloats []float32
	ExactInts   []int16
)

func (C) Pixels(dst, src ExactBytes) {
	for i := 0; i < len(src)/4; i++ {
		s := src[4*i : 4*i+4 : 4*i+4]
		d := dst[i*4:]
		d[0], d[1], d[2] = s[2], s[1], s[0]
		d[3] = s[3] + byte(len(s)+len(d))
	}
}

func (C) SlicedRows(m ExactFloats, n, j, k int) {
	for i := 0; i < n; i++ {
		row := m[i*k : (i+1)*k]
		row[j] += row[j+1] * float32(len(row))
	}
}

func (C) SlicedTwice(x ExactInts, s string, k int) (n int) {
	for i := range x {
		y := x[i:]
		z := y[1:3]
		z[0] += z[1]
		y[k] = int16(len(y[2:]))
		if s[i:][1] == 'a' {
			n++
		}
		n += int(x[k : i : i+1][0]) + len(y[k:k+2])
	}
	return
}

func (C) SlicedArrays(a [][8]int16, x ExactInts, b *[16]uint8, k int) {
	for i := range a {
		r := a[i][2:6]
		p := (*[4]int16)(x[4*i:])
		r[1], p[2] = p[3], r[2]
		put(x[2*i:2*i+2], int16(b[:8][i&7]))
		if k > 5 {
			r[k]++
		}
	}
}

func put(p []int16, v int16) {
	p[0] = v
	p[1] = v >> 8
}

// Globals yields the variables of the package that loops use.
func Globals(yield func(unsafe.Pointer, reflect.Type)) {
	yield(unsafe.Pointer(&offsets), reflect.TypeOf(offsets))
	yield(unsafe.Pointer(&total), reflect.TypeOf(total))
}

// Global finds a variable or constant of the package by name.
func Global(name string) reflect.Value {
	switch name {
	case "offsets":
		return reflect.ValueOf(&offsets).Elem()
	case "total":
		return reflect.ValueOf(&total).Elem()
	case "digits":
		return reflect.ValueOf(digits)
	}
	panic("corpus: no global " + name)
}
