package scev_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/runtime/guard"
	"github.com/lanewise/lanewise/vectorize/internal/regiontest"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/interp"
	"github.com/lanewise/lanewise/vir/plan"
)

// stretchText is a loop whose body computes what goes on steadily and jumps.
func stretchText(step int) string {
	var sb strings.Builder
	for _, op := range []string{"and", "srem", "urem", "smax", "smin"} {
		fmt.Fprintf(&sb, "\t%%%s1 = %[1]s i64 %%i, %%m\n", op)
		fmt.Fprintf(&sb, "\t%%%s2 = %[1]s i64 %%ahead, %%m\n", op)
	}
	for _, op := range []string{"slt", "sle", "eq", "ne"} {
		for k, args := range []string{"%i, %m", "%m, %i", "%ahead, %m", "%m, %ahead"} {
			fmt.Fprintf(&sb, "\t%%%s%d = icmp.%[1]s bool %[3]s\n", op, k, args)
			for j, ways := range []string{"%i, %m", "%m, %i", "%ahead, %apart", "%apart, %i", "%i, %five"} {
				fmt.Fprintf(&sb, "\t%%%s%d%d = select i64 %%%[1]s%[2]d, %[4]s\n", op, k, j, ways)
			}
		}
	}
	return fmt.Sprintf(`func @f(%%i0 i64, %%n i64, %%m i64) (i64) {
entry:
	jmp header
header:
	%%i = phi i64 [%%i0, entry], [%%i1, latch]
	%%c = icmp.ne bool %%i, %%n
	br %%c, body, exit
body:
	iter
	%%five = const i64 5
	%%ahead = add i64 %%i, %%five
	%%apart = sub i64 %%i, %%m
	%%zero = const i64 0
	%%z = icmp.ne bool %%m, %%zero
	check.div %%m
%s	jmp latch
latch:
	%%step = const i64 %d
	%%i1 = add i64 %%i, %%step
	jmp header
exit:
	ret %%i
}
`, sb.String(), step)
}

// TestStretchesAgainstInterpreter: while the bounds hold, values that jump are what they are
// said to be, from any iteration on; and the bounds hold for more than some iterations.
func TestStretchesAgainstInterpreter(t *testing.T) {
	numbers := []int64{math.MinInt64, math.MinInt64 + 1, -70, -64, -7, -2, -1, 1, 2, 7, 15, 63, 64, 127, math.MaxInt64 - 1, math.MaxInt64}
	for _, step := range []int{1, -1, 3} {
		r := regiontest.Parse(t, stretchText(step))
		sc := scev.New(r)
		seen := make(map[string]int)
		for _, m := range numbers {
			for _, from := range append(numbers, m-20, m+9, m-5) {
				s := stretchRun{r: r, sc: sc, params: []int64{from, from + 25*int64(step), m}, seen: seen}
				s.compare(t)
				if t.Failed() {
					return
				}
			}
		}
		for _, name := range []string{"and1", "srem1", "urem2", "smax1", "smin2", "slt00", "sle11", "eq21", "ne30", "slt22", "sle33", "ne24"} {
			if seen[name] < 100 {
				t.Errorf("step %d: %s goes on in %d iterations only", step, name, seen[name])
			}
		}
	}
}

type stretchRun struct {
	r      *plan.Region
	sc     *scev.Info
	params []int64
	seen   map[string]int // iterations behind the first, by value
}

func (s *stretchRun) compare(t *testing.T) {
	param := func(i int) int64 { return s.params[i] }
	iter := int64(-1)
	cfg := interp.Config{Steps: 20000, Trace: func(v *vir.Value, res interp.Value) {
		if v.Op == vir.OpIter {
			iter++
		}
		a, ok := s.sc.Affine(v)
		if !ok || v.Block != s.r.Fn.Block("body") || a.Step == 0 {
			return
		}
		for _, b := range a.Wrap {
			n := guard.Within(int(iter+1), int(b.Start.Eval(param, 0)), int(b.Step), int(b.Lo.Eval(param, 0)), int(b.Hi.Eval(param, 0)))
			if int64(n) <= iter {
				return
			}
		}
		if got := a.Start.Eval(param, 0) + iter*a.Step; got != int64(res.Bits[0]) {
			t.Errorf("i0, n, m = %d: iteration %d: %s is %d, not %d", s.params, iter, v.Inst(), int64(res.Bits[0]), got)
		}
		if iter > 0 {
			s.seen[v.Name]++
		}
	}}
	var args []interp.Value
	for _, p := range s.params {
		args = append(args, interp.Int(p))
	}
	cfg.Run(s.r.Fn, nil, args)
}
