// Package twintest compares a vectorized function with its scalar original. It
// is what generated tests call, and can be called by hand:
//
//	func TestAxpy(t *testing.T)      { twintest.Check(t, axpy, Axpy) }
//	func BenchmarkAxpy(b *testing.B) { twintest.Bench(b, axpy, Axpy) }
//
// Check makes arguments for any signature of numbers, bools, strings, slices,
// arrays, pointers and structs of these, calls both functions on identical
// copies of the memory, and compares results, panics and every byte in and
// around the arguments. Lengths, alignments, overlaps, special values and
// unreadable neighbours are tried systematically, always in the same order.
//
// The package knows nothing of kernels and plans: two functions of the same
// signature are all it needs.
package twintest

import (
	"fmt"
	"math"
	"os"
	"reflect"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lanewise/lanewise/runtime/cpu"
)

// An Option says what the two functions may differ in, or how to test.
type Option func(*config)

type config struct {
	source    any
	approx    bool
	products  bool
	disjoint  bool
	exclusive bool
	block     int
	ints      *[2]int
	depth     int
	bits      bool
	parallel  bool
	apart     bool
	budget    time.Duration
	hangs     time.Duration
}

// Reassoc allows float results to differ by rounding: sums and products may
// have been reordered. Values that are exact in any order are still compared
// bit by bit; others may differ by n*eps*sum|x| over all float arguments, or by
// what the original's own results move by when the arguments are off in their last
// places: where terms cancel, that is more.
func Reassoc() Option { return func(c *config) { c.approx = true } }

// Products makes finite floats other than 0 lie near 1 and -1, for functions that
// multiply them all in any order: one order must not overflow where another does not.
func Products() Option { return func(c *config) { c.products = true } }

// Contract allows float results to differ by rounding: products and sums may
// have been fused. The bound is that of Reassoc.
func Contract() Option { return func(c *config) { c.approx = true } }

// Approx allows float results to differ by rounding: functions of package math may be off by
// one unit in the last place. The bound is that of Reassoc.
func Approx() Option { return func(c *config) { c.approx = true } }

// Independent leaves out overlapping arguments: the function promises that its
// iterations do not depend on each other through memory.
func Independent() Option { return func(c *config) { c.disjoint = true } }

// Exclusive allows stores of unchanged values to memory that the original
// leaves alone.
func Exclusive() Option { return func(c *config) { c.exclusive = true } }

// Block says how many iterations one vector block has: all lengths up to two
// blocks and one are tried. The default is 64.
func Block(n int) Option { return func(c *config) { c.block = n } }

// Ints limits integer arguments of 32 and 64 bits (not elements of slices) to
// lo <= x <= hi, for functions that run very long or forever outside.
func Ints(lo, hi int) Option { return func(c *config) { c.ints = &[2]int{lo, hi} } }

// Depth says how deep the loops of the functions are nested: the time of a call grows
// with that power of lengths and integer arguments. The default is 1.
func Depth(n int) Option { return func(c *config) { c.depth = n } }

// Bits says that the functions look at the bits of floats, by [math.Signbit] for example. What
// they do with a NaN that the twin has computed itself is not compared: overlapping arguments
// make them see some.
func Bits() Option { return func(c *config) { c.bits = true } }

// Original is the function that want is a copy of, with every product rounded by itself. Where
// the compiler rounds them like that anyway, twins are compared with the function itself.
func Original(f any) Option { return func(c *config) { c.source = f } }

// Goroutines says that the functions start goroutines. A panic in one of them ends the program, so that
// nothing is tried with arguments that are made up.
func Goroutines() Option { return func(c *config) { c.parallel = true } }

const startsGoroutines = "twintest: a panic in a goroutine, for arguments that are made up, would end the program"

// usualBudget is how much processor time a test may take unless something else is said.
const usualBudget = 2 * time.Second

// hangs is the time after which a call counts as hanging, when at least half of it was processor time.
const hangs = 6 * time.Second

// Check compares got with want, the original, and reports the first difference
// as an error of t, with the arguments. Both are functions of the same type;
// methods are passed as method expressions. TWINTEST_CASE in the environment
// runs the case of that number alone, TWINTEST_BUDGET=1m says how long a test may take.
//
// The process's CPU level is tried first, then the scalar level in fewer cases. With
// go test -short, one case of seven is tried: which of them depends on the name of the test.
// The test is skipped when arguments cannot be made up (channels, functions,
// maps, interfaces), with Goroutines, or when the original gives different results for the same arguments. It ends
// where the original does not return; when the twin does not, the process ends.
func Check(t testing.TB, want, got any, opts ...Option) {
	t.Helper()
	c, err := newChecker(want, got, opts)
	if err != nil {
		t.Fatal(err)
	}
	defer c.free()
	c.share = shareOf(t.Name())
	if c.parallel {
		t.Skip(startsGoroutines)
	}
	if o := opaqueArgument(c.typ); o != nil {
		t.Skipf("twintest: no arguments can be made up for type %v", o)
	}
	only := -1
	if s := os.Getenv("TWINTEST_CASE"); s != "" {
		if only, err = strconv.Atoi(s); err != nil {
			t.Fatalf("TWINTEST_CASE: %v", err)
		}
	}
	if s := os.Getenv("TWINTEST_BUDGET"); s != "" {
		if c.budget, err = time.ParseDuration(s); err != nil {
			t.Fatalf("TWINTEST_BUDGET: %v", err)
		}
		c.patience = max(1, c.budget/usualBudget)
	}
	if c.apart && only < 0 && c.checkApart(t) {
		return
	}
	c.tell(t, c.watched(func() ending { return c.run(only) }))
}

// tell tells t of the test's ending.
func (c *checker) tell(t testing.TB, e ending) {
	t.Helper()
	for _, l := range c.logs {
		t.Log(l)
	}
	switch {
	case e.Fails != "":
		t.Error(e.Fails)
	case e.Skips != "":
		t.Skip(e.Skips)
	}
}

func (c *checker) logf(format string, args ...any) {
	c.logs = append(c.logs, fmt.Sprintf(format, args...))
}

// run tries all cases, or the one of the given number when that is not negative.
func (c *checker) run(only int) ending {
	c.probe()
	start := spent()
	for _, tc := range c.cases() {
		if only >= 0 && tc.id != only || tc.id < c.from || tc.n > c.most || c.tooMuch(tc.n) {
			continue
		}
		if msg := c.try(tc); msg != "" {
			if !c.repeats(tc) {
				return ending{Skips: "twintest: the original depends on more than its arguments"}
			}
			return ending{Fails: msg}
		}
		if spent()-start > c.budget {
			c.logf("twintest: stopped after case %d: out of time", tc.id)
			break
		}
	}
	return ending{}
}

// try runs one case at its level and returns what is wrong.
func (c *checker) try(tc testCase) string {
	if tc.scalar {
		defer cpu.Set(cpu.LevelScalar)()
	}
	c.trying.Store(&tc)
	c.reporter.tries(tc)
	all := cpu.Level() == cpu.LevelAVX512
	start := spent()
	w := c.runOriginal(tc)
	msg := c.compare(w, tc.atLevel(0, all))
	c.limit(tc.n, spent()-start)
	if msg == "" && all {
		msg = c.compareOnOthers(w, tc)
	}
	if msg == "" {
		return ""
	}
	return fmt.Sprintf("%s\n%s", msg, c.describe(tc))
}

// compareOnOthers runs one case as processors would that have AVX-512 of another kind, or AVX2
// alone.
func (c *checker) compareOnOthers(w *ran, tc testCase) string {
	restore := cpu.SetFast512(!cpu.Fast512)
	msg := c.compareAgain(w, tc.atLevel(1, true))
	restore()
	if msg == "" {
		defer cpu.Set(cpu.LevelAVX2)()
		msg = c.compareAgain(w, tc.atLevel(2, true))
	}
	return msg
}

// atLevel is tc for one of three levels at which it is tried, if at all of them: with read-only pages and all
// memory, which take most of the time, at one.
func (tc testCase) atLevel(k int, all bool) testCase {
	if all && tc.id/3%3 != k { // id%3 decides whether arguments fit
		tc.readOnly, tc.near = false, true
	}
	return tc
}

// limit leaves out longer arguments when those of length n take long: not at
// the first time, which may be the machine's fault.
func (c *checker) limit(n int, d time.Duration) {
	tolerable := c.tolerable(n)
	if n >= 16 {
		c.work = max(c.work, float64(d)/c.iterations(n))
	}
	if d <= tolerable || n <= 64 {
		return
	}
	if c.late++; c.late > 4 {
		c.most = min(c.most, max(n, 2*c.block+1))
	}
}

func (c *checker) tolerable(n int) time.Duration {
	if n > smallLen {
		return c.patience * 100 * time.Millisecond
	}
	return c.patience * 5 * time.Millisecond
}

// iterations is how often the innermost loop runs for lengths and integers of about n.
func (c *checker) iterations(n int) float64 { return math.Pow(float64(n+1), float64(c.depth)) }

// tooMuch reports whether nested loops are expected to run too long for lengths of n.
func (c *checker) tooMuch(n int) bool {
	return c.depth > 1 && n > 64 && c.work*c.iterations(n) > 4*float64(c.tolerable(n))
}

// A checker holds what stays the same from case to case.
type checker struct {
	config
	want, got reflect.Value
	typ       reflect.Type
	leaves    int           // memory regions among the arguments
	aligns    []int         // of these
	widest    int           // the most elements of alignment that an element, or what a pointer points to, has
	sites     int           // integer arguments of 32 and 64 bits
	slow      []bool        // by site: large values make the function run long
	fit       *fit          // of two thirds of the cases, unless the function wants none
	most      int           // longest length worth its time
	patience  time.Duration // a factor of how long calls may take
	late      int           // calls that took long
	share     int           // of short tests
	work      float64       // longest time seen of an iteration of the innermost loop, in ns

	step   atomic.Int64 // calls of the original that began or ended, or abandoned
	trying atomic.Pointer[testCase]

	from     int       // the first case that is tried
	logs     []string  // what is not wrong, but worth a word
	reporter *reporter // of a process of its own

	small, large [2]*arena // for want and for got
	made         contents  // of the last case
}

func newChecker(want, got any, opts []Option) (*checker, error) {
	c := &checker{
		config: config{block: 64, depth: 1, budget: usualBudget, hangs: hangs},
		want:   reflect.ValueOf(want), got: reflect.ValueOf(got),
		most: largeLen, patience: 1,
	}
	for _, o := range opts {
		o(&c.config)
	}
	if c.source != nil && !cpu.Fused {
		c.want = reflect.ValueOf(c.source)
	}
	c.typ = c.want.Type()
	if c.typ.Kind() != reflect.Func || c.typ != c.got.Type() {
		return nil, fmt.Errorf("twintest: want two functions of one type, got %v and %v", c.typ, c.got.Type())
	}
	for i := range c.small {
		a, err := arenas.get(smallCells, smallCell)
		if err != nil {
			return nil, err
		}
		c.small[i] = a
	}
	return c, nil
}

func (c *checker) free() {
	if c.isAbandoned() { // it still works on its memory
		return
	}
	for i := range c.small {
		arenas.put(c.small[i])
		arenas.put(c.large[i])
	}
}

// arenas are the memories for a case: want's and got's.
func (c *checker) arenas(tc testCase) [2]*arena {
	if tc.n <= smallLen {
		return c.small
	}
	for i := range c.large {
		if c.large[i] == nil {
			a, err := arenas.get(largeCells, largeCell)
			if err != nil {
				panic(err)
			}
			c.large[i] = a
		}
	}
	return c.large
}
