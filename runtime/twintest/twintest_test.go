package twintest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/lanewise/lanewise/runtime/cpu"
)

// A recorder is a testing.TB that keeps the first error for itself.
type recorder struct {
	testing.TB
	msg string
}

func (r *recorder) Helper()                   {}
func (r *recorder) Logf(string, ...any)       {}
func (r *recorder) Error(args ...any)         { r.msg = fmt.Sprint(args...) }
func (r *recorder) Errorf(f string, a ...any) { r.msg = fmt.Sprintf(f, a...) }
func (r *recorder) Fatal(args ...any)         { r.msg = fmt.Sprint(args...); panic(r) }
func (r *recorder) Fatalf(f string, a ...any) { r.msg = fmt.Sprintf(f, a...); panic(r) }

// verdict is what Check says about two functions.
func verdict(t *testing.T, want, got any, opts ...Option) string {
	t.Helper()
	r := &recorder{TB: t}
	Check(r, want, got, opts...)
	return r.msg
}

type vector struct {
	name string
	data []float32
	k    int
}

func (v *vector) scale(a float32) {
	for i := range v.data {
		v.data[i] *= a
	}
	v.k++
}

type pixel struct {
	r, g, b uint8
	w       uint16
}

type celsius float64

func axpy(a float32, x, y []float32) {
	for i := range y {
		y[i] += float32(a * x[i])
	}
}

func sum(x []float32) (s float32) {
	for _, v := range x {
		s += v
	}
	return s
}

// lanes adds in four interleaved sums, as a reordered reduction does.
func lanes(x []float32) float32 {
	z := float32(math.Copysign(0, -1))
	var a [4]float32
	a = [4]float32{0, z, z, z}
	n := len(x) &^ 3
	for i := 0; i < n; i += 4 {
		for k := range a {
			a[k] += x[i+k]
		}
	}
	s := (a[0] + a[2]) + (a[1] + a[3])
	for _, v := range x[n:] {
		s += v
	}
	return s
}

func lower(s []byte) {
	for i, c := range s {
		if 'A' <= c && c <= 'Z' {
			s[i] = c + 32
		}
	}
}

func divide(x, y []int32) {
	for i := range x {
		x[i] /= y[i]
	}
}

func rows(a [][]float32, b []float32) {
	for _, r := range a {
		for j := range r {
			r[j] += b[j]
		}
	}
}

// TestBudget: no case is begun when the time is over.
func TestBudget(t *testing.T) {
	calls := func(budget string) (n int) {
		t.Setenv("TWINTEST_BUDGET", budget)
		f := func(x []uint8) { n++ }
		if msg := verdict(t, f, f); msg != "" {
			t.Error(msg)
		}
		return n
	}
	// Arguments are found out about by calls, too: a few dozen.
	if some, all := calls("1ns"), calls("1h"); some > all/10 {
		t.Errorf("%d calls without time, %d with a lot of it", some, all)
	}
}

// A shelf has parts in most states of which programs end.
type shelf struct {
	mu   sync.Mutex
	once sync.Once
	x    []int32
}

func TestEqualFunctionsPass(t *testing.T) {
	for name, f := range map[string]any{
		"axpy":   axpy,
		"sum":    sum,
		"lower":  lower,
		"divide": divide,
		"rows":   rows,
		"method": (*vector).scale,
		"fields": func(p []pixel) {
			for i := range p {
				p[i].w = uint16(p[i].r) + uint16(p[i].g)
			}
		},
		"array": func(p *[64]int16, q [8]int16) {
			for i := range p {
				p[i] += q[i&7]
			}
		},
		"uniform": func(p *float32, x []float32) {
			for _, v := range x {
				*p += v
			}
		},
		"string": func(s string) (n int) {
			for i := 0; i < len(s); i++ {
				n += int(s[i])
			}
			return n
		},
		"named": func(x []celsius, t celsius) (n int, any bool) {
			for _, v := range x {
				if v > t {
					n++
					any = true
				}
			}
			return
		},
		"bools": func(x []bool, y []float64) {
			for i := range x {
				x[i] = y[i] > 0
			}
		},
		"complex": func(x []complex128, a complex64) {
			for i := range x {
				x[i] += complex128(a)
			}
		},
		"variadic": func(x ...int) (s int) {
			for _, v := range x {
				s += v
			}
			return s
		},
		"count": func(n int, x []int64) {
			for i := 0; i < n; i++ {
				x[i]++
			}
		},
		"returns": func(x []int32, n int) []int32 { return x[:n] },
		"long": func(n int) (s int) {
			for i := 0; i < n; i++ {
				s += i * i
			}
			return s
		},
		"locked": func(p *shelf, q []shelf) {
			p.mu.Lock()
			defer p.mu.Unlock()
			for i := range q {
				q[i].mu.Lock()
				p.once.Do(func() { p.x = q[i].x })
			}
		},
		"unsigned": func(n uint32, x []uint32) {
			for i := uint32(0); i < n; i += 3 {
				x[i] ^= n
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			if msg := verdict(t, f, f); msg != "" {
				t.Error(msg)
			}
		})
	}
}

// at reads or writes beyond what a slice allows.
func at[T any](x []T, i int) *T {
	return (*T)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(x)), i*int(unsafe.Sizeof(x[0]))))
}

// TestWrongFunctionsFail gives Check a right and a wrong function each, wrong in
// ways in which generated code could be.
func TestWrongFunctionsFail(t *testing.T) {
	if testing.Short() {
		t.Skip("short tests try few cases")
	}
	tests := []struct {
		name      string
		want, got any
		say       string // part of the report
	}{
		{"last element missing", axpy, func(a float32, x, y []float32) {
			for i := 0; i < len(y)-1; i++ {
				y[i] += float32(a * x[i])
			}
		}, ""},
		{"one store too many", lower, func(s []byte) {
			lower(s)
			if n := len(s); n >= 32 && uintptr(unsafe.Pointer(unsafe.SliceData(s)))+uintptr(n)&4095 != 0 {
				*at(s, n) = 1
			}
		}, "behind argument 0"},
		{"store before the start", func(x []int16) {}, func(x []int16) {
			if len(x) > 40 {
				*at(x, -1) = 0
			}
		}, "before argument 0"},
		{"read past the end", sum, func(x []float32) float32 {
			if len(x) > 8 {
				_ = *at(x, len(x)) + sum(nil)
				sink = *at(x, len(x))
			}
			return sum(x)
		}, "invalid access"},
		{"read before the start", sum, func(x []float32) float32 {
			if len(x) > 8 {
				sink = *at(x, -1)
			}
			return sum(x)
		}, "invalid access"},
		{"panic lost", divide, func(x, y []int32) {
			defer func() { recover() }()
			divide(x, y)
		}, "panics differ"},
		{"other index in panic", axpy, func(a float32, x, y []float32) {
			if len(x) < len(y) {
				_ = x[len(y)-1]
			}
			axpy(a, x, y)
		}, ""},
		{"stores after the panic", divide, func(x, y []int32) {
			for i := range min(len(x), len(y)) {
				if y[i] == 0 {
					for j := i + 1; j < min(i+4, len(x), len(y)); j++ {
						if y[j] != 0 {
							x[j] /= y[j]
						}
					}
				}
				x[i] /= y[i]
			}
			if len(x) > len(y) {
				_ = y[len(y)]
			}
		}, "memory differs"},
		{"store of what was there", lower, func(s []byte) {
			for i, c := range s {
				if 'A' <= c && c <= 'Z' {
					c += 32
				}
				s[i] = c
			}
		}, "store where the original stores nothing"},
		{"lost negative zero", func(x []float32) {
			for i, v := range x {
				x[i] = v * 1
			}
		}, func(x []float32) {
			for i, v := range x {
				x[i] = v + 0
			}
		}, "memory differs"},
		{"equal zeros swapped", func(x []float32) (m float32) {
			for i, v := range x {
				if i == 0 || v > m {
					m = v
				}
			}
			return m
		}, func(x []float32) (m float32) {
			for i, v := range x {
				if i == 0 || v >= m {
					m = v
				}
			}
			return m
		}, "result 0"},
		{"reordered sum", sum, lanes, "result 0"},
		{"overlap ignored", func(dst, src []int32) {
			for i := range dst {
				dst[i] = src[i] + 1
			}
		}, func(dst, src []int32) {
			i := 0
			for ; i+8 <= min(len(dst), len(src)); i += 8 {
				t := [8]int32(src[i:])
				for k := range t {
					dst[i+k] = t[k] + 1
				}
			}
			for ; i < len(dst); i++ {
				dst[i] = src[i] + 1
			}
		}, "overlap"},
		{"wrong at an odd distance", lowBytes, func(dst []uint8, src []uint32) {
			if distance(unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(src))) != 9 {
				lowBytes(dst, src)
			}
		}, "overlap"},
		{"wrong at distances of a long stride", everyEighth, func(dst, src []uint8) {
			if d := distance(unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(src))); d < 400 || d >= 420 {
				everyEighth(dst, src)
			}
		}, "overlap"},
		{"wrong only when aligned", func(x []uint8) {
			for i := range x {
				x[i]++
			}
		}, func(x []uint8) {
			for i := range x {
				x[i]++
			}
			if uintptr(unsafe.Pointer(unsafe.SliceData(x)))%64 == 37 && len(x) > 64 {
				x[0]++
			}
		}, "index 0"},
		{"wrap-around at an extreme", func(a int32, x []int32) {
			for i := range x {
				x[i] = min(x[i], a)
			}
		}, func(a int32, x []int32) {
			for i := range x {
				if x[i]-a > 0 {
					x[i] = a
				}
			}
		}, "memory differs"},
		{"saturation instead of wrap", func(x, y []int8) {
			for i := range x {
				x[i] += y[i]
			}
		}, func(x, y []int8) {
			for i := range x {
				x[i] = int8(max(min(int(x[i])+int(y[i]), 127), -128))
			}
		}, "memory differs"},
		{"NaN taken for a number", func(x []float64) (n int) {
			for _, v := range x {
				if !(v <= 1) {
					n++
				}
			}
			return n
		}, func(x []float64) (n int) {
			for _, v := range x {
				if v > 1 {
					n++
				}
			}
			return n
		}, "result 0"},
		{"wrong in rows that overlap", rows, func(a [][]float32, b []float32) {
			for _, r := range a {
				c := append([]float32(nil), b...)
				for j := range r {
					r[j] += c[j]
				}
			}
		}, ""},
		{"wrong field", (*vector).scale, func(v *vector, a float32) {
			for i := range v.data {
				v.data[i] *= a
			}
		}, "k: got"},
		{"wrong beyond a strip", sum, func(x []float32) float32 {
			if len(x) > 20000 {
				return sum(x[:20000])
			}
			return sum(x)
		}, "result 0"},
		{"neighbouring field", func(p []pixel) {
			for i := range p {
				p[i].g++
			}
		}, func(p []pixel) {
			for i := range p {
				p[i].g++
				p[i].b |= 0x80
			}
		}, "memory differs"},
		{"other slice returned", func(x []int32) []int32 { return x }, func(x []int32) []int32 { return x[:len(x):len(x)][len(x)/2:] }, "result 0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			msg := verdict(t, tt.want, tt.got)
			if msg == "" || !strings.Contains(msg, tt.say) {
				t.Errorf("report %q, want one with %q", msg, tt.say)
			}
		})
	}
}

var sink float32

// TestProducts: no order of the factors overflows where another one does not.
func TestProducts(t *testing.T) {
	product := func(x []float32) float32 {
		p := float32(1)
		for _, v := range x {
			p *= v
		}
		return p
	}
	backwards := func(x []float32) float32 {
		p := float32(1)
		for i := len(x) - 1; i >= 0; i-- {
			p *= x[i]
		}
		return p
	}
	if msg := verdict(t, product, backwards, Reassoc(), Products()); msg != "" {
		t.Error(msg)
	}
}

func TestReassoc(t *testing.T) {
	if msg := verdict(t, sum, lanes, Reassoc()); msg != "" {
		t.Errorf("a reordered sum: %s", msg)
	}
	wrong := func(x []float32) float32 {
		if len(x) > 40 {
			return lanes(x[:len(x)-1])
		}
		return lanes(x)
	}
	if verdict(t, sum, wrong, Reassoc()) == "" {
		t.Error("a sum without its last element passes")
	}
	one := func(x *[4]float32, n int) { // the errors of small x[2] are those of large x[0]
		for range n % 40 {
			x[0] *= 3
			x[1] = x[0] + x[3]
			x[2] = x[0] + x[3] + x[3] - x[1]
		}
	}
	other := func(x *[4]float32, n int) {
		for range n % 40 {
			x[0] *= 3
			x[1] = x[0] + x[3]
			x[2] = x[3] - x[1] + x[0] + x[3]
		}
	}
	if msg := verdict(t, one, other, Reassoc()); msg != "" {
		t.Errorf("sums of values that grow: %s", msg)
	}
	rotate := func(x *[2]float32, n int) { // errors add up, values do not grow
		for range n {
			x[1] += 0.3 + x[0]
			x[0] += 1 - x[1]
		}
	}
	back := func(x *[2]float32, n int) {
		for range n {
			x[1] = x[1] + x[0] + 0.3
			x[0] = x[0] - x[1] + 1
		}
	}
	if msg := verdict(t, rotate, back, Reassoc()); msg != "" {
		t.Errorf("many sums of few values: %s", msg)
	}
	positive := func(x []float32) float32 { return lanes(x) + 0 }
	if verdict(t, func(x []float32) float32 { return -sum(x) }, func(x []float32) float32 { return 0 - positive(x) }, Reassoc()) == "" {
		t.Error("a zero of the wrong sign passes")
	}
}

// TestCancellation has roots of what is left where terms cancel.
func TestCancellation(t *testing.T) {
	deviation := func(x []float64, squares float64) float64 {
		n, m := float64(len(x)), sum64(x)/float64(len(x))
		return math.Sqrt(max(squares/n-m*m, 0))
	}
	one := func(x []float64) float64 {
		squares := 0.0
		for _, v := range x {
			squares += v * v
		}
		return deviation(x, squares)
	}
	two := func(x []float64) float64 {
		var squares [2]float64
		for i, v := range x {
			squares[i%2] += v * v
		}
		return deviation(x, squares[0]+squares[1])
	}
	if msg := verdict(t, one, two, Reassoc()); msg != "" {
		t.Errorf("squares in another order: %s", msg)
	}
	wrong := func(x []float64) float64 {
		d := two(x)
		return d + d*1e-6
	}
	if verdict(t, one, wrong, Reassoc()) == "" {
		t.Error("what is off by a millionth passes")
	}
	// How many results there are depends on the last bits.
	list := func(deviation func([]float64) float64) func(x []float64) []float64 {
		return func(x []float64) []float64 {
			out := make([]float64, 1, 4)
			out[0] = deviation(x)
			for range int64(math.Float64bits(sum64(x)) & 3) {
				out = append(out, 0)
			}
			return out
		}
	}
	if msg := verdict(t, list(one), list(two), Reassoc()); msg != "" {
		t.Errorf("results whose number changes: %s", msg)
	}
}

func sum64(x []float64) (s float64) {
	for _, v := range x {
		s += v
	}
	return s
}

func TestContract(t *testing.T) {
	f := func(x, y []float64) {
		for i := range x {
			x[i] = float64(x[i]*0.1) + y[i]
		}
	}
	g := func(x, y []float64) {
		for i := range x {
			x[i] = math.FMA(x[i], 0.1, y[i])
		}
	}
	if msg := verdict(t, f, g, Contract()); msg != "" {
		t.Errorf("fused: %s", msg)
	}
	if verdict(t, f, g) == "" {
		t.Error("fused without leave passes")
	}
}

func TestIndependentLeavesOutOverlaps(t *testing.T) {
	f := func(x, y []int32) {
		for i := range x {
			x[i] = y[i] + 1
		}
	}
	g := func(x, y []int32) {
		for i := len(x) - 1; i >= 0; i-- {
			if i < len(y) {
				x[i] = y[i] + 1
			}
		}
		if len(x) > len(y) {
			_ = y[len(y)]
		}
	}
	if verdict(t, f, g) == "" {
		t.Error("backwards passes")
	}
	if msg := verdict(t, f, g, Independent()); msg != "" {
		t.Errorf("backwards with Independent: %s", msg)
	}
}

// What lies between fields is nobody's: no other memory is laid over it.
func TestBytesBetweenFields(t *testing.T) {
	type record struct {
		a uint8
		b uint32
	}
	f := func(x []record, y []uint16) (sum uint16) {
		for i := range x {
			x[i] = record{a: 1, b: 2}
			sum += y[i]
		}
		return sum
	}
	g := func(x []record, y []uint16) (sum uint16) {
		for i := range x {
			between := (*[8]uint8)(unsafe.Pointer(&x[i]))
			x[i] = record{a: 1, b: 2}
			between[2] = 7
			sum += y[i]
		}
		return sum
	}
	if msg := verdict(t, f, g); msg != "" {
		t.Error(msg)
	}
}

func TestExclusiveAllowsBlends(t *testing.T) {
	blend := func(s []byte) {
		for i, c := range s {
			if 'A' <= c && c <= 'Z' {
				c += 32
			}
			s[i] = c
		}
	}
	if msg := verdict(t, lower, blend, Exclusive()); msg != "" {
		t.Errorf("load, blend, store with Exclusive: %s", msg)
	}
}

func TestReportCanBeRepeated(t *testing.T) {
	wrong := func(x []uint8) {
		if len(x) == 77 {
			x[76]++
		}
	}
	msg := verdict(t, func(x []uint8) {}, wrong)
	var n int
	if i := strings.Index(msg, "TWINTEST_CASE="); i < 0 {
		t.Fatalf("no case number in %q", msg)
	} else if _, err := fmt.Sscanf(msg[i:], "TWINTEST_CASE=%d", &n); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TWINTEST_CASE", fmt.Sprint(n))
	if again := verdict(t, func(x []uint8) {}, wrong); again != msg {
		t.Errorf("second report:\n%s\nfirst:\n%s", again, msg)
	}
	t.Setenv("TWINTEST_CASE", fmt.Sprint(n+1))
	if other := verdict(t, func(x []uint8) {}, wrong); other == msg {
		t.Error("TWINTEST_CASE is ignored")
	}
}

// Two NaNs with other payloads are the same float32, but not the same int32s
// when seen half an element further on.
func TestPayloadOfNaNMayShow(t *testing.T) {
	zero := float32(0)
	want := func(x []float32, y []int32) {
		for i := range x {
			x[i] = zero / zero
		}
		for i := range y {
			y[i] ^= 1
		}
	}
	got := func(x []float32, y []int32) {
		for i := range x {
			x[i] = math.Float32frombits(0x7fc00123)
		}
		for i := range y {
			y[i] ^= 1
		}
	}
	Check(t, want, got)
	plain := func(x []float32, y []int32) {
		want(x, y)
		if len(y) > 3 {
			y[3]++
		}
	}
	if verdict(t, want, plain) == "" {
		t.Error("a wrong store beside a NaN was excused everywhere")
	}
}

// Small negative integers are NaNs when seen as floats, which nobody can see behind the call, nor
// before it.
func TestPayloadOfNaNMayHaveShown(t *testing.T) {
	with := func(payload uint32) func(x []float32, y []int32) {
		return func(x []float32, y []int32) {
			for i := range y {
				y[i] = ^(y[i] & 3)
			}
			for i, v := range x {
				if v != v {
					x[i] = math.Float32frombits(0x7fc00000 | payload)
				}
			}
			for i := range y {
				y[i] &= 3
			}
			for i, v := range x {
				if v != v {
					x[i] = 1
				}
			}
		}
	}
	Check(t, with(1), with(2))
	plain := func(x []float32, y []int32) {
		with(1)(x, y)
		if len(y) > 3 {
			y[3]++
		}
	}
	if verdict(t, with(1), plain) == "" {
		t.Error("a wrong store beside a NaN was excused everywhere")
	}
}

func TestAlike(t *testing.T) {
	type pair [2]float32
	at := func(off int, elem any) region { return region{off: off, elem: reflect.TypeOf(elem)} }
	for _, c := range []struct {
		r, s region
		want bool
	}{
		{at(0, int16(0)), at(4, int16(0)), true},
		{at(0, int16(0)), at(3, int16(0)), false},
		{at(0, int32(0)), at(0, uint32(0)), false},
		{at(0, float32(0)), at(4, complex64(0)), true},
		{at(8, pair{}), at(4, complex64(0)), true},
		{at(6, float32(0)), at(4, complex64(0)), false},
		{at(0, float32(0)), at(0, float64(0)), false},
		{at(0, float32(0)), at(0, int32(0)), false},
	} {
		if got := c.r.alike(c.s); got != c.want {
			t.Errorf("%v and %v: %v", c.r, c.s, got)
		}
	}
}

// The sign of a NaN that one argument computes is read from the other one, which is the same memory.
func TestBits(t *testing.T) {
	with := func(nan float32) func(x, y []float32) int {
		return func(x, y []float32) (n int) {
			for i, v := range x {
				if v != v {
					x[i] = nan
				}
			}
			for _, v := range y {
				if math.Signbit(float64(v)) {
					n++
				}
			}
			return n
		}
	}
	nan := float32(math.NaN())
	plus, minus := with(nan), with(float32(math.Copysign(float64(nan), -1)))
	Check(t, plus, minus, Bits())
	if verdict(t, plus, minus) == "" {
		t.Error("no argument holds a NaN")
	}
	wrong := func(x, y []float32) int {
		n := plus(x, y)
		if len(y) > 3 {
			n++
		}
		return n
	}
	if verdict(t, plus, wrong, Bits()) == "" {
		t.Error("a wrong number beside a NaN was excused everywhere")
	}
}

// Sums of integers and halves need no rounding in any order, sums of tenths do; one of them
// may look as if it needed none.
func TestExactOutcomes(t *testing.T) {
	tol := tolerance{on: true, exact: true, terms: 258, scale: 2 * 258 * 200, factor: 8 * 258}
	tenths := float64(float32(307.2))
	for _, c := range []struct {
		want, got float64
		ok        bool
	}{
		{307.203125, 307.203125, true},
		{307.203125, tenths, true},
		{tenths, 307.203125, true},
		{307.5, 307, false},
		{307.203125, 307.203125 + 0x1p-8, false},
		{307.203125, tenths + 1, false},
	} {
		if ok := tol.float(c.want, c.got, 32); ok != c.ok {
			t.Errorf("got %v for %v: accepted %v", c.got, c.want, ok)
		}
	}
}

var left [100]int32

// A function that reads what it left behind itself says nothing about its twin.
func TestOriginalWithStateIsSkipped(t *testing.T) {
	for name, f := range map[string]any{
		"state": func(x []int32) {
			for i := range x[:min(len(x), len(left))] {
				x[i], left[i] = left[i], x[i]
			}
		},
		"chance": func(x []int32) int32 { return rand.Int32N(4) }, // often the same again
	} {
		skipped := false
		t.Run(name, func(t *testing.T) {
			defer func() { skipped = t.Skipped() }()
			Check(t, f, f)
		})
		if !skipped {
			t.Errorf("%s: not skipped", name)
		}
	}
}

// An original that does not return, with the first arguments or with later ones, ends its own test only.
func TestOriginalThatDoesNotReturn(t *testing.T) {
	soon := func(c *config) { c.hangs = 200 * time.Millisecond }
	var released atomic.Bool
	defer released.Store(true)
	for _, length := range []int{61, 5} { // 61 is tried at first
		calls := 0
		f := func(x []int32) {
			for len(x) == length && !released.Load() {
			}
		}
		g := func(x []int32) { calls++ }
		var sub testing.TB
		t.Run(fmt.Sprint(length), func(t *testing.T) {
			sub = t
			Check(t, f, g, soon)
		})
		if sub.Failed() || sub.Skipped() != (length == 61) || (calls > 0) == (length == 61) {
			t.Errorf("length %d: failed %v, skipped %v, %d calls of the twin", length, sub.Failed(), sub.Skipped(), calls)
		}
	}
}

func TestArgumentsThatCannotBeMadeUpAreSkipped(t *testing.T) {
	type source struct{ c *chan []int32 }
	f := func(s *source, x []int32) {
		for i := range x {
			x[i] += (<-*s.c)[i]
		}
	}
	skipped := false
	t.Run("channel", func(t *testing.T) {
		defer func() { skipped = t.Skipped() }()
		Check(t, f, f)
	})
	if !skipped {
		t.Error("not skipped")
	}
}

// A panic in a goroutine cannot be recovered from.
func TestGoroutinesAreSkipped(t *testing.T) {
	f := func(x []int32) { t.Error("called") }
	for name, run := range map[string]func(t *testing.T){
		"test": func(t *testing.T) { Check(t, f, f, Goroutines()) },
		"benchmark": func(t *testing.T) {
			testing.Benchmark(func(b *testing.B) {
				BenchCalls(b, func(x []int32) (scalar, vec func()) { return func() { f(x) }, func() { f(x) } }, Goroutines())
			})
		},
	} {
		skipped := name == "benchmark"
		t.Run(name, func(t *testing.T) {
			defer func() { skipped = skipped || t.Skipped() }()
			run(t)
		})
		if !skipped {
			t.Errorf("%s: not skipped", name)
		}
	}
}

// The copy without fusion stands for the original only where that is compiled with fusion.
func TestOriginal(t *testing.T) {
	length := func(x []int32) int { return len(x) }
	more := func(x []int32) int { return len(x) + 1 }
	want, original := more, length
	if cpu.Fused {
		want, original = length, more
	}
	if msg := verdict(t, want, length, Original(original)); msg != "" {
		t.Errorf("not compared with what counts: %s", msg)
	}
	if msg := verdict(t, want, more, Original(original)); msg == "" {
		t.Error("a difference is not reported")
	}
}

func lowBytes(dst []uint8, src []uint32) {
	for i := range min(len(dst), len(src)) {
		dst[i] = uint8(src[i])
	}
}

func everyEighth(dst, src []uint8) {
	for i := range min(len(dst), len(src)) / 8 {
		dst[8*i] = src[8*i+1] + 1
	}
}

func distance(p, q unsafe.Pointer) int { return int(uintptr(q) - uintptr(p)) }

// Many rows without columns take long although no memory is touched: such a number of
// rows is not tried.
func TestManyEmptyRowsAreNotTried(t *testing.T) {
	normalize := func(m []float32, rows, cols int, by float32) {
		for r := 0; r < rows; r++ {
			for c := 0; c < cols; c++ {
				m[r*cols+c] *= by
			}
		}
	}
	Check(t, normalize, normalize, Depth(2))
}

// The same with rows that are sliced: columns below 0 panic at once.
func TestManyEmptySlicesAreNotTried(t *testing.T) {
	flip := func(pix []uint8, w, h int) {
		for y := 0; y < h/2; y++ {
			top, bottom := pix[y*w:(y+1)*w], pix[(h-1-y)*w:(h-y)*w]
			for x := range top {
				top[x], bottom[x] = bottom[x], top[x]
			}
		}
	}
	Check(t, flip, flip, Depth(2))
}
