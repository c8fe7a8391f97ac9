package guard

import (
	"bytes"
	"math"
	"math/big"
	"math/rand/v2"
	"os/exec"
	"regexp"
	"testing"
	"unsafe"
)

// corners are the integers around every place where 64-bit arithmetic bends.
func corners(radius int) []int {
	var c []int
	for d := -radius; d <= radius; d++ {
		c = append(c, d)
	}
	for d := 0; d <= radius; d++ {
		c = append(c, math.MinInt+d, math.MaxInt-d)
	}
	return append(c, math.MinInt/2, math.MaxInt/2, math.MaxInt/2+1)
}

// leading is the number of t in [0, limit) for which holds is true, given that
// holds is true up to some t and false from there on: found by halving.
func leading(limit *big.Int, holds func(t *big.Int) bool) *big.Int {
	lo, hi := new(big.Int), new(big.Int).Set(limit)
	for lo.Cmp(hi) < 0 {
		mid := new(big.Int).Add(lo, hi)
		mid.Rsh(mid, 1)
		if holds(mid) {
			lo = mid.Add(mid, big.NewInt(1))
		} else {
			hi = mid
		}
	}
	return lo
}

// at is start + t*step, exact.
func at(start *big.Int, t *big.Int, step int) *big.Int {
	x := new(big.Int).Mul(t, big.NewInt(int64(step)))
	return x.Add(x, start)
}

func signed(x int) *big.Int   { return big.NewInt(int64(x)) }
func unsigned(x int) *big.Int { return new(big.Int).SetUint64(uint64(x)) }

func TestTripCountsExactIterations(t *testing.T) {
	less := func(i, limit *big.Int) bool { return i.Cmp(limit) < 0 }
	lessEq := func(i, limit *big.Int) bool { return i.Cmp(limit) <= 0 }
	greater := func(i, limit *big.Int) bool { return i.Cmp(limit) > 0 }
	greaterEq := func(i, limit *big.Int) bool { return i.Cmp(limit) >= 0 }
	asUnsigned := func(f func(start, limit uint, step int) int) func(start, limit, step int) int {
		return func(start, limit, step int) int { return f(uint(start), uint(limit), step) }
	}
	tests := []struct {
		name  string
		trip  func(start, limit, step int) int
		exact func(int) *big.Int
		up    bool
		cond  func(i, limit *big.Int) bool
	}{
		{"TripLess", TripLess, signed, true, less},
		{"TripLessEq", TripLessEq, signed, true, lessEq},
		{"TripGreater", TripGreater, signed, false, greater},
		{"TripGreaterEq", TripGreaterEq, signed, false, greaterEq},
		{"TripNotEq", TripNotEq, signed, true, less},
		{"TripNotEq", TripNotEq, signed, false, greater},
		{"TripLessU", asUnsigned(TripLessU), unsigned, true, less},
		{"TripLessEqU", asUnsigned(TripLessEqU), unsigned, true, lessEq},
		{"TripGreaterU", asUnsigned(TripGreaterU), unsigned, false, greater},
		{"TripGreaterEqU", asUnsigned(TripGreaterEqU), unsigned, false, greaterEq},
	}
	steps := []int{1, 2, 3, 7, math.MaxInt - 1, math.MaxInt}
	cs := corners(2)
	most := big.NewInt(math.MaxInt)
	for _, tt := range tests {
		for _, step := range steps {
			if !tt.up {
				step = -step
			}
			checkTrip(t, tt.name, cs, step, most, tt.trip, tt.exact, tt.cond)
		}
		if !tt.up {
			checkTrip(t, tt.name, cs, math.MinInt, most, tt.trip, tt.exact, tt.cond)
		}
	}
}

func checkTrip(t *testing.T, name string, cs []int, step int, most *big.Int,
	trip func(start, limit, step int) int, exact func(int) *big.Int, cond func(i, limit *big.Int) bool) {
	t.Helper()
	for _, start := range cs {
		for _, limit := range cs {
			s, l := exact(start), exact(limit)
			want := leading(most, func(n *big.Int) bool { return cond(at(s, n, step), l) })
			if got := trip(start, limit, step); big.NewInt(int64(got)).Cmp(want) != 0 {
				t.Errorf("%s(%v, %v, %d) = %d, want %v", name, s, l, step, got, want)
			}
		}
	}
}

// TestTripNeverMoreThanLoop runs real wrapping loops of a type small enough to
// try every start, limit and step.
func TestTripNeverMoreThanLoop(t *testing.T) {
	const most = 1 << 9
	loop := func(start, step int8, cond func(i int8) bool) int {
		n := 0
		for i := start; n < most && cond(i); i += step {
			n++
		}
		return n
	}
	for start := math.MinInt8; start <= math.MaxInt8; start += 3 {
		for limit := math.MinInt8; limit <= math.MaxInt8; limit++ {
			for _, step := range []int8{-128, -127, -5, -2, -1, 1, 2, 5, 127} {
				l := int8(limit)
				check := func(name string, got int, cond func(i int8) bool) {
					if want := loop(int8(start), step, cond); got > want && want < most {
						t.Fatalf("%s(%d, %d, %d) = %d, the loop makes %d", name, start, limit, step, got, want)
					}
				}
				check("TripNotEq", TripNotEq(start, limit, int(step)), func(i int8) bool { return i != l })
				if step > 0 {
					check("TripLess", TripLess(start, limit, int(step)), func(i int8) bool { return i < l })
					check("TripLessEq", TripLessEq(start, limit, int(step)), func(i int8) bool { return i <= l })
				} else {
					check("TripGreater", TripGreater(start, limit, int(step)), func(i int8) bool { return i > l })
					check("TripGreaterEq", TripGreaterEq(start, limit, int(step)), func(i int8) bool { return i >= l })
				}
			}
		}
	}
}

func TestTripWrongSignIsZero(t *testing.T) {
	for _, c := range []struct {
		name string
		got  int
	}{
		{"TripLess", TripLess(0, 9, -1)},
		{"TripLess", TripLess(0, 9, 0)},
		{"TripLessEq", TripLessEq(0, 9, math.MinInt)},
		{"TripGreater", TripGreater(9, 0, 1)},
		{"TripGreaterEq", TripGreaterEq(9, 0, 0)},
		{"TripNotEq", TripNotEq(0, 9, 0)},
		{"TripNotEq", TripNotEq(0, 9, -1)},
		{"TripLessU", TripLessU(0, 9, -1)},
		{"TripLessEqU", TripLessEqU(0, 9, 0)},
		{"TripGreaterU", TripGreaterU(9, 0, 1)},
		{"TripGreaterEqU", TripGreaterEqU(9, 0, 0)},
	} {
		if c.got != 0 {
			t.Errorf("%s with a step of the wrong sign = %d, want 0", c.name, c.got)
		}
	}
}

func TestWithinCountsLeadingIterations(t *testing.T) {
	cs := corners(1)
	steps := []int{0, 1, -1, 2, -2, 3, math.MaxInt, math.MinInt}
	for _, n := range []int{math.MinInt, -1, 0, 1, 2, 5, math.MaxInt} {
		for _, step := range steps {
			for _, start := range cs {
				for _, lo := range cs {
					for _, hi := range cs {
						inside := func(t *big.Int) bool {
							x := at(signed(start), t, step)
							return x.Cmp(signed(lo)) >= 0 && x.Cmp(signed(hi)) < 0
						}
						want := new(big.Int)
						if inside(want) { // and once outside, always outside
							want = leading(signed(max(n, 0)), inside)
						}
						if got := Within(n, start, step, lo, hi); signed(got).Cmp(want) != 0 {
							t.Fatalf("Within(%d, %d, %d, %d, %d) = %d, want %v", n, start, step, lo, hi, got, want)
						}
					}
				}
			}
		}
	}
}

func TestClearIsWindowOfDistances(t *testing.T) {
	var buf [64]byte
	for d := -20; d <= 20; d++ {
		for _, off := range []int{-8, 0, 8} {
			a, b := unsafe.Pointer(&buf[30]), unsafe.Pointer(&buf[30+d])
			got := Clear(a, b, off, 8, -4, 12)
			want := d+8-off <= -4 || d+8-off >= 12
			if got != want {
				t.Errorf("distance %d, aoff %d: Clear = %v", d, off, got)
			}
			for _, few := range []bool{false, true} {
				wantFew := want || few && (d+8-off <= -2 || d+8-off >= 6)
				if got := ClearFew(a, b, off, 8, -4, 12, few, -2, 6); got != wantFew {
					t.Errorf("distance %d, aoff %d, few %v: ClearFew = %v", d, off, few, got)
				}
			}
		}
	}
}

// bytesOf marks the bytes that a stream touches in a small arena.
func bytesOf(off, step, size, n int) map[int]bool {
	m := make(map[int]bool)
	for t := range n {
		for k := range size {
			m[off+t*step+k] = true
		}
	}
	return m
}

func TestDisjointNeverLies(t *testing.T) {
	var buf [256]byte
	base := unsafe.Pointer(&buf[128])
	yes := 0
	for _, astep := range []int{-8, -4, 0, 1, 4, 8} {
		for _, bstep := range []int{-4, 0, 2, 8} {
			for n := range 5 {
				a := bytesOf(0, astep, 4, n)
				for boff := -48; boff <= 48; boff++ {
					touch := false
					for x := range bytesOf(boff, bstep, 2, n) {
						touch = touch || a[x]
					}
					got := Disjoint(base, 0, astep, 4, base, boff, bstep, 2, n)
					if got && touch {
						t.Fatalf("Disjoint(0, %d, 4, %d, %d, 2, n %d) = true", astep, boff, bstep, n)
					}
					if apart := boff > 40 || boff < -40; !got && apart && n < 4 {
						t.Fatalf("Disjoint(0, %d, 4, %d, %d, 2, n %d) = false for distant streams", astep, boff, bstep, n)
					}
					if got {
						yes++
					}
				}
			}
		}
	}
	if yes == 0 {
		t.Error("Disjoint never says yes")
	}
}

func TestDisjointRefusesWhatOverflows(t *testing.T) {
	var buf [16]byte
	a, b := unsafe.Pointer(&buf[0]), unsafe.Pointer(&buf[8])
	for _, c := range []struct{ aoff, astep, n int }{
		{0, 4, math.MaxInt},
		{0, math.MinInt, 3},
		{0, math.MaxInt, 2},
		{math.MinInt, 4, 1},
		{math.MaxInt, 4, 1},
		{math.MaxInt - 100, 4, 50},
	} {
		if Disjoint(a, c.aoff, c.astep, 4, b, 0, 4, 4, c.n) {
			t.Errorf("Disjoint(aoff %d, astep %d, n %d) = true", c.aoff, c.astep, c.n)
		}
		if Disjoint(b, 0, 4, 4, a, c.aoff, c.astep, 4, c.n) {
			t.Errorf("Disjoint(boff %d, bstep %d, n %d) = true", c.aoff, c.astep, c.n)
		}
	}
	end := func(p unsafe.Pointer, back int) int { return math.MaxInt - int(uintptr(p)) - back }
	if Disjoint(a, end(a, 20), 4, 4, b, end(b, 8), 1, 4, 5) {
		t.Error("Disjoint of streams that meet where addresses turn negative")
	}
}

// somewhere is memory that does not move, as that of the stack does now and then.
var somewhere [16]byte

// TestDisjointOfLargeNumbers: streams that Disjoint tells apart are apart in exact arithmetic, and those near
// memory whose extents are of a usual size are told apart whenever they are.
func TestDisjointOfLargeNumbers(t *testing.T) {
	a, b := unsafe.Pointer(&somewhere[0]), unsafe.Pointer(&somewhere[8])
	rng := rand.New(rand.NewPCG(5, 6))
	number := func() int {
		x := 1<<rng.IntN(64) + rng.IntN(9) - 4
		if rng.IntN(2) == 0 {
			return -x
		}
		return x
	}
	extent := func(p unsafe.Pointer, off, step, n int) (lo, hi *big.Int) {
		first := new(big.Int).Add(new(big.Int).SetUint64(uint64(uintptr(p))), big.NewInt(int64(off)))
		last := new(big.Int).Add(first, new(big.Int).Mul(big.NewInt(int64(n-1)), big.NewInt(int64(step))))
		if step < 0 {
			first, last = last, first
		}
		return first, last.Add(last, big.NewInt(4))
	}
	count := make(map[bool]int)
	for range 200000 {
		aoff, boff, astep, bstep, n := number(), number(), number(), number(), max(number(), 1)
		got := Disjoint(a, aoff, astep, 4, b, boff, bstep, 4, n)
		alo, ahi := extent(a, aoff, astep, n)
		blo, bhi := extent(b, boff, bstep, n)
		apart := ahi.Cmp(blo) <= 0 || bhi.Cmp(alo) <= 0
		usual := max(magnitude(aoff), magnitude(boff)) < 1<<50 && max(magnitude(astep), magnitude(bstep), uint(n)) < 1<<25
		if got && !apart || usual && got != apart {
			t.Fatalf("Disjoint(aoff %d, astep %d, boff %d, bstep %d, n %d) = %v", aoff, astep, boff, bstep, n, got)
		}
		count[got]++
	}
	if count[true] < 1000 || count[false] < 1000 {
		t.Errorf("poor sample: %v", count)
	}
}

func TestShadowedBuiltins(t *testing.T) {
	type ints []int
	if got := Len(ints{1, 2, 3}); got != 3 {
		t.Errorf("Len = %d", got)
	}
	if got := LenString("ab"); got != 2 {
		t.Errorf("LenString = %d", got)
	}
	if got := Min(3, -1); got != -1 {
		t.Errorf("Min = %d", got)
	}
}

// TestHotGuardsInline asks the compiler: a guard that becomes a call costs more
// than the small loops it stands before.
func TestHotGuardsInline(t *testing.T) {
	out, err := exec.Command("go", "build", "-gcflags=-m", ".").CombinedOutput()
	if err != nil {
		t.Skipf("go build: %v\n%s", err, out)
	}
	if !bytes.Contains(out, []byte("inline")) {
		t.Skip("the compiler reports no inlining decisions")
	}
	for _, name := range []string{
		"TripLess", "TripLessEq", "TripGreater", "TripGreaterEq", "TripNotEq",
		"TripLessU", "TripLessEqU", "TripGreaterU", "TripGreaterEqU",
		"Within", "Clear", "ClearFew",
	} {
		if ok, _ := regexp.Match(`can inline `+name+`\n`, out); !ok {
			t.Errorf("%s is not inlined", name)
		}
	}
}

// TestQuotients divides by what may be nothing to divide by.
func TestQuotients(t *testing.T) {
	for _, c := range []struct{ x, y, quo, rem int }{{17, 5, 3, 2}, {-17, 5, -3, -2}, {17, 1, 17, 0}, {17, 0, 17, 0}, {17, -3, 17, 0}, {math.MinInt, -1, math.MinInt, 0}} {
		if q, r := Quo(c.x, c.y), Rem(c.x, c.y); q != c.quo || r != c.rem {
			t.Errorf("%d by %d: %d and %d, want %d and %d", c.x, c.y, q, r, c.quo, c.rem)
		}
	}
}
