package vectest

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/interp"
	"github.com/lanewise/lanewise/vir/plan"
)

// An Input is memory and one value per parameter of the region.
type Input struct {
	Mem   *interp.Memory
	Args  []interp.Value
	Steps int // after which to give up; 0 for the usual number
}

// An Outcome is what is left behind: memory, and results or a panic.
type Outcome struct {
	Mem     *interp.Memory
	Results []interp.Value
	Err     error
}

// MaxSteps are the usual number of steps of a loop: it ends those that would run for ever, or
// nearly so.
const MaxSteps = 500_000

// Scalar runs the region as it is.
func Scalar(r *plan.Region, in Input) Outcome {
	mem := in.Mem.Clone()
	res, err := runLoop(r.Fn, mem, in.Args, len(r.State), cmp.Or(in.Steps, MaxSteps))
	return Outcome{mem, res, err}
}

// runLoop runs f, a region. Where that leaves the loop by an exit, the results are
// the state variables as the iteration found them that does, the last n phis of
// the header. It gives up behind so many steps.
func runLoop(f *vir.Func, mem *interp.Memory, args []interp.Value, n, steps int) ([]interp.Value, error) {
	state := make(map[*vir.Value]interp.Value)
	phis := f.Blocks[1].Phis()
	phis = phis[len(phis)-n:]
	note := func(v *vir.Value, x interp.Value) {
		if slices.Contains(phis, v) {
			state[v] = x
		}
	}
	res, err := interp.Config{Steps: steps, Trace: note}.Run(f, mem, args)
	if errors.As(err, new(interp.Exit)) {
		res = nil
		for _, phi := range phis {
			res = append(res, state[phi])
		}
	}
	return res, err
}

// A Twin plays the code around a kernel.
type Twin struct {
	Region *plan.Region
	Kernel *plan.Kernel
	Rand   *rand.Rand // chooses how many iterations to ask for; nil asks for all
	// Copies, unless 0, divides the numbers of iterations that the kernel is asked for.
	Copies int64

	Calls int   // of the kernel
	Done  int64 // iterations done by it
	// Interrupts is the number of calls that left a block unfinished.
	Interrupts int

	state *interp.Object // of the kernel, between calls

	turn bool // of branches that may go either way

	fuel *vir.Func // the region, limited in iterations
}

// maxCalls ends a run in the scalar loop, as every real twin does some time.
const maxCalls = 6

// Run runs the twin: kernel calls, scalar iterations between them and after.
func (t *Twin) Run(in Input) Outcome {
	mem := in.Mem.Clone()
	args := append([]interp.Value(nil), in.Args...)
	if n := t.Kernel.State; n > 0 {
		t.state = mem.Alloc("state", make([]byte, 8*n))
	}
	written := t.Kernel
	defer func() { t.Kernel = written }()
	t.Kernel = looked(written, mem, args)
	if k := t.Kernel; k.Peel > 0 && t.iterations(args) >= k.Min {
		var err error
		if args, err = t.scalar(mem, args, k.Peel); err != nil {
			return Outcome{mem, args, err}
		}
	}
	for range maxCalls {
		t.Kernel = looked(written, mem, args)
		n := t.iterations(args)
		if n < t.Kernel.Min || !t.apart(args, n) {
			break
		}
		done, err := t.call(mem, args, n)
		if err != nil {
			return Outcome{mem, nil, fmt.Errorf("kernel: %w", err)}
		}
		t.Calls++
		t.Done += done
		if t.idle() {
			clear(t.state.Data[:8])
			done = 0
		}
		if t.interrupted() {
			t.Interrupts++
			continue
		}
		if done < t.Kernel.Min {
			// Get over what the kernel did not like.
			if args, err = t.scalar(mem, args, 1+t.pick(t.Kernel.Block)); err != nil {
				return Outcome{mem, args, err}
			}
		}
	}
	res, err := runLoop(t.Region.Fn, mem, args, len(t.Region.State), cmp.Or(in.Steps, MaxSteps))
	return Outcome{mem, res, err}
}

// interrupted reports whether the last call left a block to the next one.
func (t *Twin) interrupted() bool {
	return t.state != nil && slices.ContainsFunc(t.state.Data[:8], func(b byte) bool { return b != 0 })
}

// idle reports whether most lanes of the last call waited for others.
func (t *Twin) idle() bool {
	return t.state != nil && !slices.ContainsFunc(t.state.Data[:8], func(b byte) bool { return b != 0xff })
}

// pick is a number from 0 to n-1.
func (t *Twin) pick(n int64) int64 {
	if t.Rand == nil || n < 1 {
		return max(n-1, 0)
	}
	return t.Rand.Int64N(n)
}

// call asks the kernel for up to n iterations and updates args.
func (t *Twin) call(mem *interp.Memory, args []interp.Value, n int64) (int64, error) {
	k := t.Kernel
	n = min(n, k.Strip)
	if t.Rand != nil && t.Rand.IntN(2) == 0 {
		least := k.Min
		if k.Complete {
			least = 1
		}
		n = least + t.Rand.Int64N(max(n-least, 0)+1)
	}
	if t.Copies > 1 {
		if n -= n % t.Copies; n == 0 {
			return 0, nil
		}
	}
	kargs := make([]interp.Value, len(k.Args))
	for i, a := range k.Args {
		switch a.Kind {
		case plan.ArgParam:
			kargs[i] = args[a.Index]
		case plan.ArgCount:
			kargs[i] = interp.Int(n)
		case plan.ArgState:
			kargs[i] = t.state.Ptr(0)
		case plan.ArgConst:
			kargs[i] = interp.New(k.Fn.Params[i].Type, a.Bits)
		case plan.ArgBound:
			kargs[i] = interp.Int(loosely(k.Bounds[a.Index], params(args), n))
		}
	}
	either := func() bool {
		t.turn = !t.turn
		return t.turn
	}
	res, err := interp.Config{Either: either}.Run(k.Fn, mem, kargs)
	if err != nil {
		return 0, err
	}
	done := res[0].Int()
	if done < 0 || done > n || !k.Partial && n-done >= k.Block || k.Complete && done < n {
		return 0, fmt.Errorf("%d of %d iterations done", done, n)
	}
	return done, t.update(args, res, done)
}

// update gives the state variables their values after done iterations.
func (t *Twin) update(args, res []interp.Value, done int64) error {
	if len(t.Kernel.Outs) != len(t.Region.State) {
		return fmt.Errorf("%d outs for %d variables", len(t.Kernel.Outs), len(t.Region.State))
	}
	if done == 0 {
		return nil // what the last iteration sets is not known
	}
	old := params(append([]interp.Value(nil), args...))
	for i, o := range t.Kernel.Outs {
		p := t.Region.State[i].Param
		switch o.Kind {
		case plan.OutResult:
			args[p] = res[o.Index]
		case plan.OutExpr:
			args[p] = interp.New(args[p].Type, uint64(o.Expr.Eval(old, done)))
		}
	}
	return nil
}

func params(args []interp.Value) func(int) int64 {
	return func(i int) int64 { return args[i].Int() }
}

// scalar runs n iterations of the region and returns the arguments to go on with,
// or results as runLoop does.
func (t *Twin) scalar(mem *interp.Memory, args []interp.Value, n int64) ([]interp.Value, error) {
	if t.fuel == nil {
		t.fuel = limited(t.Region.Fn)
	}
	res, err := runLoop(t.fuel, mem, append(append([]interp.Value(nil), args...), interp.Int(n)), len(t.Region.State), MaxSteps)
	if err != nil {
		return res, err
	}
	out := append([]interp.Value(nil), args...)
	for i, s := range t.Region.State {
		out[s.Param] = res[i]
	}
	return out, nil
}

// limited is f with one more parameter: the most iterations to do.
func limited(f *vir.Func) *vir.Func {
	f = f.Clone()
	i64 := vir.Scalar(vir.I64)
	fuel := f.AddParam("fuel__", i64)
	entry, header := f.Entry(), f.Blocks[1]
	insert := func(b *vir.Block, vs ...*vir.Value) {
		n := len(b.Insts) - 1
		term := b.Insts[n]
		for _, v := range vs {
			v.Block = b
		}
		b.Insts = append(append(b.Insts[:n:n], vs...), term)
	}
	zero, one := f.NewValue(vir.OpConst, i64), f.NewValue(vir.OpConst, i64)
	zero.Bits, one.Bits = []uint64{0}, []uint64{1}
	insert(entry, zero, one)
	phi := f.NewValue(vir.OpPhi, i64)
	phi.Block = header
	next := f.NewValue(vir.OpAdd, i64, phi, one)
	for _, p := range header.Preds {
		if p == entry {
			phi.Args = append(phi.Args, zero)
		} else {
			phi.Args = append(phi.Args, next)
		}
	}
	header.Insts = append([]*vir.Value{phi}, header.Insts...)
	more := f.NewValue(vir.OpIcmpSlt, vir.Scalar(vir.Bool), phi, fuel)
	both := f.NewValue(vir.OpAnd, vir.Scalar(vir.Bool), header.Term().Args[0], more)
	insert(header, next, more, both)
	header.Term().Args[0] = both
	return f
}

// iterations is what the plan promises from the state args on.
func (t *Twin) iterations(args []interp.Value) int64 {
	n := trip(t.Kernel.Trip, params(args))
	for _, b := range t.Kernel.Bounds {
		if !b.Conditional {
			n = within(b, params(args), n)
		}
	}
	return n
}

const manyIterations = 1 << 40

// trip counts iterations by looking at them one after the other in exact
// arithmetic, jumping where the count is large.
func trip(t plan.Trip, p func(int) int64) int64 {
	start, limit := exact(t.Start.Eval(p, 0), t.Unsigned), exact(t.Limit.Eval(p, 0), t.Unsigned)
	step := big.NewInt(t.Step)
	runs := func(n int64) bool {
		x := new(big.Int).Mul(big.NewInt(n), step)
		x.Add(x, start)
		if !representable(x, t.Unsigned) {
			return false
		}
		c := x.Cmp(limit)
		switch t.Cond {
		case plan.Less:
			return c < 0
		case plan.LessEq:
			return c <= 0
		case plan.Greater:
			return c > 0
		case plan.GreaterEq:
			return c >= 0
		}
		// NotEq: until the limit is reached or passed.
		return t.Step > 0 && c < 0 || t.Step < 0 && c > 0
	}
	return leading(manyIterations, runs)
}

func exact(x int64, unsigned bool) *big.Int {
	if unsigned {
		return new(big.Int).SetUint64(uint64(x))
	}
	return big.NewInt(x)
}

func representable(x *big.Int, unsigned bool) bool {
	if unsigned {
		return x.IsUint64()
	}
	return x.IsInt64()
}

// within counts the leading iterations below n in which b holds.
func within(b plan.Bound, p func(int) int64, n int64) int64 {
	start, step := big.NewInt(b.Start.Eval(p, 0)), big.NewInt(b.Step)
	lo, hi := big.NewInt(b.Lo.Eval(p, 0)), big.NewInt(b.Hi.Eval(p, 0))
	return leading(n, func(t int64) bool {
		x := new(big.Int).Mul(big.NewInt(t), step)
		x.Add(x, start)
		return x.Cmp(lo) >= 0 && x.Cmp(hi) < 0
	})
}

// loosely is within, but more than n and less than 0 where that is less to
// compute, as twins do.
func loosely(b plan.Bound, p func(int) int64, n int64) int64 {
	const small = 1 << 40
	start, lo, hi := b.Start.Eval(p, 0), b.Lo.Eval(p, 0), b.Hi.Eval(p, 0)
	if b.Step == 1 && start >= max(lo, 0) && start < small && hi > -small && hi < small {
		return hi - start
	}
	return within(b, p, n)
}

// leading is the number of t < limit for which holds is true from 0 on, given
// that once it was true and is false, it stays so.
func leading(limit int64, holds func(int64) bool) int64 {
	if !holds(0) {
		return 0
	}
	lo, hi := int64(0), limit
	for lo < hi {
		mid := lo + (hi-lo)/2
		if holds(mid) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// apart makes the overlap tests for n iterations.
func (t *Twin) apart(args []interp.Value, n int64) bool {
	for _, o := range t.Kernel.Overlaps {
		a, b := first(o.A, args), first(o.B, args)
		if o.Disjoint {
			alo, ahi := span(o.A, a, n, args)
			blo, bhi := span(o.B, b, n, args)
			if ahi.Cmp(blo) > 0 && bhi.Cmp(alo) > 0 && !(o.Follows && a <= b) {
				return false
			}
			continue
		}
		lo, hi := o.Lo, o.Hi
		if bytes, rest, most, ok := o.Beyond(false); ok {
			lo = -bytes*min(n, most) - rest
		}
		if bytes, rest, most, ok := o.Beyond(true); ok {
			hi = bytes*min(n, most) + rest
		}
		if d := b - a; lo < d && d < hi {
			return false
		}
	}
	return true
}

func first(s plan.Stream, args []interp.Value) int64 {
	return int64(args[s.Param].Uint()) + s.Off.Eval(params(args), 0)
}

// span is the addresses [lo, hi) that stream s touches in n iterations from a.
func span(s plan.Stream, a, n int64, args []interp.Value) (lo, hi *big.Int) {
	size, step := s.Size, s.Step
	if s.Extent != nil {
		size = s.Extent.Eval(params(args), 0)
	}
	if s.Stride != nil {
		step = s.Stride.Eval(params(args), 0)
	}
	end := new(big.Int).Mul(big.NewInt(n-1), big.NewInt(step))
	end.Add(end, big.NewInt(a))
	lo, hi = big.NewInt(a), end
	if lo.Cmp(hi) > 0 {
		lo, hi = hi, lo
	}
	return lo, new(big.Int).Add(hi, big.NewInt(size))
}
