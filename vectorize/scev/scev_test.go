package scev_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/internal/filetest"
	"github.com/lanewise/lanewise/vectorize/internal/regiontest"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/interp"
	"github.com/lanewise/lanewise/vir/plan"
)

// loopText is a loop over an i8 with values derived from it in the body.
const loopText = `func @f(%i0 i8, %n i8) (i8) {
entry:
	jmp header
header:
	%i = phi i8 [%i0, entry], [%i1, latch]
	COND
	br %c, SUCCS
body:
	iter
	%three = const i8 3
	%k2 = const i8 2
	%k5 = const i64 -5
	%zi = zext i64 %i
	%si = sext i64 %i
	%ip = add i8 %i, %three
	%zp = zext i64 %ip
	%w1 = const i8 1
	%inc = add i8 %i, %w1
	%zinc = zext i64 %inc
	%sinc = sext i64 %inc
	%dec = sub i8 %i, %w1
	%zdec = zext i64 %dec
	%sdec = sext i64 %dec
	%tz = trunc i16 %zp
	%sp = sext i64 %ip
	%d = mul i8 %i, %k2
	%sd = sext i64 %d
	%h = sext i16 %d
	%zh = zext i64 %h
	%nn = not i8 %i
	%zn = zext i64 %nn
	%m = mul i64 %zp, %k5
	%back = trunc i8 %m
	%ns = sub i8 %n, %i
	%sns = sext i64 %ns
	%sh = shl i64 %si, %k2x
	jmp latch
latch:
	%step = const i8 STEP
	%i1 = add i8 %i, %step
	jmp header
exit:
	ret %i
}
`

func loop(t *testing.T, cond string, step int) *plan.Region {
	succs := "body, exit"
	if c, ok := strings.CutPrefix(cond, "!"); ok {
		cond, succs = c, "exit, body"
	}
	if !strings.HasPrefix(cond, "%") {
		cond = "%c = " + cond
	}
	text := strings.NewReplacer("COND", cond, "SUCCS", succs, "STEP", fmt.Sprint(step),
		"\t%k2 =", "\t%k2x = const i64 2\n\t%k2 =").Replace(loopText)
	return regiontest.Parse(t, text)
}

var values8 = []int{-128, -127, -100, -5, -1, 0, 1, 3, 50, 124, 126, 127}

var steps8 = []int{-128, -100, -3, -2, -1, 1, 2, 3, 7, 100, 127}

// TestNarrowLoopsAgainstInterpreter runs small loops over an i8: no more
// iterations than there are, and every value that is called affine is what it is
// said to be.
func TestNarrowLoopsAgainstInterpreter(t *testing.T) {
	conds := []string{
		"icmp.slt bool %i, %n", "icmp.slt bool %n, %i", "icmp.sle bool %i, %n", "icmp.sle bool %n, %i",
		"icmp.ult bool %i, %n", "icmp.ult bool %n, %i", "icmp.ule bool %i, %n", "icmp.ule bool %n, %i",
		"icmp.ne bool %i, %n", "!icmp.eq bool %n, %i", "!icmp.slt bool %i, %n", "!icmp.ule bool %i, %n",
		`%k100 = const i8 100
	%c0 = icmp.slt bool %i, %n
	%c1 = icmp.sle bool %i, %k100
	%c = and bool %c0, %c1`,
		`%k90 = const i8 -90
	%c0 = icmp.sle bool %i, %k90
	%c1 = icmp.sle bool %i, %n
	%c2 = or bool %c0, %c1
	%c = not bool %c2`,
		`%k120 = const i8 120
	%c0 = icmp.ult bool %i, %n
	%c1 = icmp.slt bool %i, %k120
	%c = and bool %c1, %c0`,
	}
	counted, exact := 0, 0
	for _, cond := range conds {
		for _, step := range steps8 {
			r := loop(t, cond, step)
			sc := scev.New(r)
			trip, wrap, err := sc.Trip()
			if err != nil {
				continue
			}
			if len(wrap) != strings.Count(cond, "%c1 =") {
				t.Errorf("%s step %d: count rests on %v", cond, step, wrap)
			}
			counted++
			e := newExpectations(r, sc, trip, wrap)
			for _, start := range values8 {
				for _, limit := range values8 {
					if e.compare(t, fmt.Sprintf("%s step %d", cond, step), start, limit) {
						exact++
					}
				}
			}
			if t.Failed() {
				return
			}
		}
	}
	if counted < 40 || exact < counted*30 {
		t.Errorf("only %d loops counted, %d runs exact", counted, exact)
	}
}

// expectations are the affine values of the body of a region.
type expectations struct {
	r      *plan.Region
	trip   plan.Trip
	wrap   []plan.Bound
	body   *vir.Block
	affine map[*vir.Value]scev.Affine
}

func newExpectations(r *plan.Region, sc *scev.Info, trip plan.Trip, wrap []plan.Bound) *expectations {
	e := &expectations{r: r, trip: trip, wrap: wrap, body: r.Fn.Block("body"), affine: make(map[*vir.Value]scev.Affine)}
	for v := range r.Fn.Values {
		if a, ok := sc.Affine(v); ok && v.Block != nil {
			e.affine[v] = a
		}
	}
	return e
}

// compare runs the loop; it reports whether the count is exact.
func (e *expectations) compare(t *testing.T, what string, start, limit int) bool {
	t.Helper()
	param := func(i int) int64 { return []int64{int64(start), int64(limit)}[i] }
	count := int64(0)
	for most := tripCount(e.trip, param); count < most && holds(e.wrap, param, count); {
		count++
	}
	iter, wrong := int64(-1), false
	cfg := interp.Config{Steps: 40 * int(min(count, 300)+2), Trace: func(v *vir.Value, res interp.Value) {
		if v.Op == vir.OpIter {
			iter++
		}
		a, ok := e.affine[v]
		if !ok || v.Block != e.body || iter >= count || wrong || !holds(a.Wrap, param, iter) {
			return
		}
		got, bits := a.Start.Eval(param, 0)+iter*a.Step, a.Width
		if want := res.Bits[0]; uint64(got)<<(64-bits)>>(64-bits) != want {
			t.Errorf("%s start %d limit %d: iteration %d: %s is %#x, not %d", what, start, limit, iter, v.Inst(), want, got)
			wrong = true
		}
	}}
	args := []interp.Value{interp.New(vir.Scalar(vir.I8), uint64(uint8(start))), interp.New(vir.Scalar(vir.I8), uint64(uint8(limit)))}
	_, err := cfg.Run(e.r.Fn, nil, args)
	n := iter + 1
	if count > n {
		t.Errorf("%s start %d limit %d: %d iterations, loop has %d", what, start, limit, count, n)
	}
	return err == nil && n == count
}

// tripCount counts by the definition of plan.Trip, for small numbers.
func tripCount(tr plan.Trip, param func(int) int64) int64 {
	i, limit := tr.Start.Eval(param, 0), tr.Limit.Eval(param, 0)
	for n := int64(0); ; n++ {
		ok := false
		switch tr.Cond {
		case plan.Less:
			ok = i < limit
		case plan.LessEq:
			ok = i <= limit
		case plan.Greater:
			ok = i > limit
		case plan.GreaterEq:
			ok = i >= limit
		case plan.NotEq:
			ok = tr.Step > 0 && i < limit || tr.Step < 0 && i > limit
		}
		if !ok {
			return n
		}
		i += tr.Step
	}
}

func holds(bounds []plan.Bound, param func(int) int64, iter int64) bool {
	for _, b := range bounds {
		for t := int64(0); t <= iter; t++ {
			x := b.Start.Eval(param, 0) + t*b.Step
			if x < b.Lo.Eval(param, 0) || x >= b.Hi.Eval(param, 0) {
				return false
			}
		}
	}
	return true
}

// TestTripExhaustive tries every start and limit of loops over an i8: the count
// is exact unless the loop wraps around first, and never too large.
func TestTripExhaustive(t *testing.T) {
	conds := map[string]func(i, n int8) bool{
		"icmp.slt bool %i, %n":  func(i, n int8) bool { return i < n },
		"icmp.slt bool %n, %i":  func(i, n int8) bool { return n < i },
		"!icmp.slt bool %n, %i": func(i, n int8) bool { return i <= n },
		"icmp.sle bool %n, %i":  func(i, n int8) bool { return n <= i },
		"icmp.ult bool %i, %n":  func(i, n int8) bool { return uint8(i) < uint8(n) },
		"icmp.ule bool %n, %i":  func(i, n int8) bool { return uint8(n) <= uint8(i) },
		"icmp.ne bool %i, %n":   func(i, n int8) bool { return i != n },
	}
	for cond, runs := range conds {
		for _, step := range []int{-128, -100, -3, -1, 1, 2, 127} {
			trip, _, err := scev.New(loop(t, cond, step)).Trip()
			if err != nil {
				continue
			}
			for start := -128; start < 128; start++ {
				for limit := -128; limit < 128; limit++ {
					count := tripCount(trip, func(i int) int64 { return []int64{int64(start), int64(limit)}[i] })
					want, wrapped := iterations(int8(start), int8(limit), int8(step), trip.Unsigned, runs)
					if count > want || count < want && !wrapped {
						t.Fatalf("%s step %d from %d to %d: count %d, loop has %d", cond, step, start, limit, count, want)
					}
				}
			}
		}
	}
}

// iterations runs the loop, up to a limit; it reports whether the induction wrapped.
func iterations(i, n, step int8, unsigned bool, runs func(i, n int8) bool) (count int64, wrapped bool) {
	for count < 600 && runs(i, n) {
		before := i
		i += step
		switch {
		case unsigned:
			wrapped = wrapped || (uint8(i) > uint8(before)) != (step > 0)
		default:
			wrapped = wrapped || (i > before) != (step > 0)
		}
		count++
	}
	return count, wrapped
}

// TestFiles compares the annotated text of regions with what the files expect.
func TestFiles(t *testing.T) {
	filetest.Run(t, "../../testdata/scev/*.txtar", func(t *testing.T, c *filetest.Case) {
		r := regiontest.Parse(t, c.Section("in"))
		c.Golden("out", r.Fn.Text(vir.PrintOptions{Note: scev.New(r).Note}))
	})
}
