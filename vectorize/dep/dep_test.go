package dep

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/internal/filetest"
	"github.com/lanewise/lanewise/vectorize/internal/regiontest"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// report is the text of a result, with the tests for 8 lanes.
func report(r *Result) string {
	var sb strings.Builder
	if r.Refusal != nil {
		fmt.Fprintf(&sb, "refused: %s [%s]\n", r.Refusal.Msg, r.Refusal.ID)
		return sb.String()
	}
	for _, a := range r.Accesses {
		kind := "load "
		if a.Store {
			kind = "store"
		}
		fmt.Fprintf(&sb, "%s %s%s", kind, streamText(r.region, a.Stream), kindText(&a))
		if a.Conditional {
			sb.WriteString(", conditional")
		}
		sb.WriteByte('\n')
	}
	for _, b := range r.Wrap {
		fmt.Fprintf(&sb, "if %s <= %s + t*%d < %s\n", b.Lo, b.Start, b.Step, b.Hi)
	}
	lanes := 8
	if r.Limit != nil {
		fmt.Fprintf(&sb, "at most %d lanes: %s\n", r.MaxLanes, r.Limit.Msg)
		lanes = min(lanes, r.MaxLanes)
	}
	for _, o := range r.Overlaps(lanes, lanes) {
		a, b := streamText(r.region, o.A), streamText(r.region, o.B)
		switch {
		case o.Follows:
			fmt.Fprintf(&sb, "disjoint %s and %s, or not behind it\n", a, b)
		case o.Disjoint:
			fmt.Fprintf(&sb, "disjoint %s and %s\n", a, b)
		default:
			fmt.Fprintf(&sb, "distance from %s to %s not in %d..%d\n", a, b, o.Lo+1, o.Hi-1)
		}
	}
	for _, s := range r.Splits {
		fmt.Fprintf(&sb, "split where %s%s meets %s%s\n", streamText(r.region, s.Up.Stream), indexText(s.Up), streamText(r.region, s.Down.Stream), indexText(s.Down))
	}
	return sb.String()
}

func indexText(e End) string {
	if e.Index == nil {
		return ""
	}
	return fmt.Sprintf(" + %%%s*%d", e.Index.Name, e.Scale)
}

// kindText is what is beyond the stream of an access that is not linear.
func kindText(a *Access) string {
	switch a.Kind {
	case Linear:
		return ""
	case Symbolic:
		return fmt.Sprintf(" + t*%s", a.Step)
	case Periodic:
		return fmt.Sprintf(" + (%%%s < %d, period %d)*%d", a.Index.Name, a.Modulus, a.Period, a.Scale)
	}
	return fmt.Sprintf(" + %%%s*%d", a.Index.Name, a.Scale)
}

func streamText(r *plan.Region, s plan.Stream) string {
	if s.Extent != nil {
		return fmt.Sprintf("%s bytes at %s + %s", s.Extent, r.Fn.Params[s.Param].Name, s.Off)
	}
	if s.Stride != nil {
		return fmt.Sprintf("%d bytes at %s + %s + t*%s", s.Size, r.Fn.Params[s.Param].Name, s.Off, s.Stride)
	}
	return fmt.Sprintf("%d bytes at %s + %s + t*%d", s.Size, r.Fn.Params[s.Param].Name, s.Off, s.Step)
}

func TestFiles(t *testing.T) {
	filetest.Run(t, "../../testdata/dep/*.txtar", func(t *testing.T, c *filetest.Case) {
		r := regiontest.Parse(t, c.Section("in"))
		r.Clauses.Independent = c.Flag("independent")
		if c.Flag("from-zero") {
			r.State[0].Init = new(int64)
		}
		res := Analyze(r, scev.New(r), Options{})
		if c.Has("graph") {
			_, text, _ := strings.Cut(r.Fn.Text(vir.PrintOptions{Note: res.Note}), "\nbody:\n")
			text, _, _ = strings.Cut(text, "latch:\n")
			c.Golden("graph", text)
		}
		c.Golden("out", report(res))
	})
}

// TestRandomProgramsAgainstSimulation: when a program of several accesses is
// not refused and its run-time tests hold, scalar and vector order agree.
func TestRandomProgramsAgainstSimulation(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const programs, runs = 800, 60
	legal, limited, refused, differing, reordered := 0, 0, 0, 0, 0
	for range programs {
		text := randomProgram(rng)
		r := regiontest.Parse(t, text)
		res := Analyze(r, scev.New(r), Options{})
		if res.Refusal != nil {
			refused++
			continue
		}
		if res.Inverted() != nil {
			reordered++
		}
		lanes := 2 << rng.IntN(3)
		if res.MaxLanes != 0 && lanes > res.MaxLanes {
			lanes = res.MaxLanes
			limited++
		}
		for range runs {
			args := []int64{200 + rng.Int64N(40), 200 + rng.Int64N(40), rng.Int64N(9) - 4, rng.Int64N(5)}
			n := 2 * lanes
			same := sameOrder(res, args, n, lanes)
			if !same {
				differing++
			}
			if !testsHold(res, args, n, lanes) {
				continue
			}
			legal++
			if !same {
				t.Fatalf("%d lanes, arguments %v: order shows in\n%s\n%s", lanes, args, text, report(res))
			}
		}
	}
	if legal < 2000 || limited < 10 || refused < 10 || differing < 500 || reordered < 50 {
		t.Errorf("poor sample: %d legal runs, %d programs limited, %d refused, %d reordered, %d runs differing", legal, limited, refused, reordered, differing)
	}
}

// randomProgram accesses two pointers at i, i+k and constant places.
func randomProgram(rng *rand.Rand) string {
	var sb strings.Builder
	sb.WriteString("func @f(%p ptr {elem 1}, %q ptr {elem 1}, %k i64, %i0 i64, %n i64) (i64) {\nentry:\n\tjmp header\n" +
		"header:\n\t%i = phi i64 [%i0, entry], [%i1, latch]\n\t%c = icmp.slt bool %i, %n\n\tbr %c, body, exit\n" +
		"body:\n\titer\n\t%j = add i64 %i, %k\n\t%v1 = const i8 0\n\t%v2 = const i16 0\n\t%v4 = const i32 0\n")
	scale := []int{1, 2, 4, -2}[rng.IntN(4)]
	near := rng.IntN(2) == 0 // neighbours of one memory
	loaded := make(map[int]string)
	for m := range 2 + rng.IntN(4) {
		base := []string{"p", "q"}[rng.IntN(2)]
		index := fmt.Sprintf(" + %%i*%d", scale)
		kind := rng.IntN(6)
		if near {
			base, kind = "p", 6
		}
		switch kind {
		case 0:
			index = fmt.Sprintf(" + %%j*%d", scale)
		case 1:
			index = ""
		case 2:
			index = fmt.Sprintf(" + %%i*%d", -scale)
		}
		addr := fmt.Sprintf("[%%%s%s + %d]", base, index, rng.IntN(12))
		size := []int{1, 2, 4}[rng.IntN(3)]
		if near {
			size = max(1, scale)
		}
		switch value := loaded[size]; {
		case rng.IntN(2) == 0 && value != "" && rng.IntN(2) == 0:
			fmt.Fprintf(&sb, "\tstore i%d %%%s, %s\n", 8*size, value, addr)
		case rng.IntN(2) == 0:
			fmt.Fprintf(&sb, "\tstore i%d %%v%d, %s\n", 8*size, size, addr)
		default:
			loaded[size] = fmt.Sprintf("l%d", m)
			fmt.Fprintf(&sb, "\t%%l%d = load i%d %s\n", m, 8*size, addr)
		}
	}
	sb.WriteString("\tjmp latch\nlatch:\n\t%one = const i64 1\n\t%i1 = add i64 %i, %one\n\tjmp header\nexit:\n\tret %i\n}\n")
	return sb.String()
}

func first(s plan.Stream, args []int64) int64 {
	return args[s.Param] + s.Off.Eval(func(i int) int64 { return args[i] }, 0)
}

func sameOrder(res *Result, args []int64, n, lanes int) bool {
	var moves []move
	for _, a := range res.Accesses {
		s := a.Stream
		moves = append(moves, move{a.Program, int(first(s, args)), int(s.Step), int(s.Size), a.Store})
	}
	program := slices.Clone(moves)
	slices.SortFunc(program, func(a, b move) int { return a.id - b.id })
	return scalar(program, n).equal(blocks(moves, n, lanes))
}

func testsHold(res *Result, args []int64, n, lanes int) bool {
	for _, o := range res.Overlaps(lanes, lanes) {
		if d := first(o.B, args) - first(o.A, args); !o.Disjoint {
			if o.Lo < d && d < o.Hi {
				return false
			}
			continue
		}
		touched := make(map[int64]bool)
		for _, b := range bytesOf(o.A, args, n) {
			touched[b] = true
		}
		for _, b := range bytesOf(o.B, args, n) {
			if touched[b] {
				return false
			}
		}
	}
	return !slices.ContainsFunc(res.Splits, func(s Split) bool { return meets(s, args, n) })
}

// meets reports whether the two sides of s meet in n iterations. Where one has an
// index, that is taken to be so.
func meets(s Split, args []int64, n int) bool {
	up, down := s.Up.Stream, s.Down.Stream
	passed := func(t int64) int64 { return first(up, args) + t*up.Step - first(down, args) - t*down.Step }
	return s.Up.Index != nil || s.Down.Index != nil || passed(int64(n)-1) > -up.Size && passed(0) < down.Size
}

// bytesOf are the addresses that a stream touches in n iterations.
func bytesOf(s plan.Stream, args []int64, n int) (all []int64) {
	size, step := s.Size, s.Step
	value := func(i int) int64 { return args[i] }
	if s.Extent != nil {
		size = s.Extent.Eval(value, 0)
	}
	if s.Stride != nil {
		step = s.Stride.Eval(value, 0)
	}
	for t := range int64(n) {
		for i := range size {
			all = append(all, first(s, args)+t*step+i)
		}
	}
	return all
}
