package backend_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/backend/native"
	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vir"
)

// nest is a random kernel with a loop inside its loop over blocks, as loops over
// blocks of lanes with loops in their bodies become: the inner loop carries live
// vectors and a mask of the lanes still running, asks for fuel first, then for its
// own condition, and ends early when no lane is left if early is set. As many
// vectors live through it without being used there.
//
//	entry -> outer -> head -> more -> body -> head
//	                   |       |       |
//	                  done   after <---+ (early)
//	                           | -> outer, done
func nest(name string, seed uint64, t vir.Type, live int, early bool) *vir.Func {
	rnd := rand.New(rand.NewPCG(seed, 7))
	i64 := vir.Scalar(vir.I64)
	f := vir.NewFunc(name)
	x, out := f.AddParam("x", vir.Scalar(vir.Ptr)), f.AddParam("out", vir.Scalar(vir.Ptr))
	n, limit := f.AddParam("n", i64), f.AddParam("limit", i64)
	f.Results = []vir.Type{i64}
	entry, outer, head := f.NewBlock("entry"), f.NewBlock("outer"), f.NewBlock("head")
	more, body, after, done := f.NewBlock("more"), f.NewBlock("body"), f.NewBlock("after"), f.NewBlock("done")
	at := func(p *vir.Value, k int) vir.Addr { return vir.Addr{Base: p, Disp: int64(k * t.Size())} }

	b := vir.NewBuilder(f, entry)
	zero, one, fuel0 := b.Int(i64, 0), b.Int(i64, 1), b.Int(i64, int64(5+rnd.IntN(60)))
	var kept []*vir.Value
	for k := range live {
		kept = append(kept, b.Load(vir.OpLoadUnit, t, at(x, k), nil))
	}
	b.Jmp(outer)

	b.Cur = outer
	i, fuel := b.Phi(i64), b.Phi(i64)
	step := b.Op(vir.OpBroadcast, t, b.Op(vir.OpTrunc, vir.Scalar(t.Elem), i))
	var init []*vir.Value
	for _, v := range kept {
		init = append(init, b.Same(vir.OpAdd, v, step))
	}
	all := b.Cmp(vir.OpIcmpEq, step, step)
	b.Jmp(head)

	b.Cur = head
	k, left, running := b.Phi(i64), b.Phi(i64), b.Phi(all.Type)
	var states []*vir.Value
	for range live {
		states = append(states, b.Phi(t))
	}
	c := b.Cmp(vir.OpIcmpSlt, k, limit)
	now := b.Same(vir.OpAnd, running, b.Cmp(vir.OpIcmpSlt, states[0], b.Int(t, 1<<20)))
	left1 := b.Same(vir.OpSub, left, one)
	b.Br(b.Cmp(vir.OpIcmpSle, left1, zero), done, more)

	b.Cur = more
	b.Br(c, body, after)

	b.Cur = body
	next := append([]*vir.Value(nil), states...)
	for range 3 * live {
		next[rnd.IntN(live)] = mixed(b, rnd, next, now)
	}
	k1 := b.Same(vir.OpAdd, k, one)
	if early {
		b.Br(b.Op(vir.OpAny, vir.Scalar(vir.Bool), now), head, after)
	} else {
		b.Jmp(head)
	}

	b.Cur = after
	for j := range live {
		end := states[j]
		if early {
			end = b.Phi(t)
			end.Args = []*vir.Value{states[j], next[j]}
		}
		b.Store(vir.OpStoreUnit, b.Same(vir.OpXor, end, kept[j]), at(out, j), nil)
	}
	i1 := b.Same(vir.OpAdd, i, one)
	b.Br(b.Same(vir.OpAnd, b.Cmp(vir.OpIcmpSlt, i1, n), b.Cmp(vir.OpIcmpSlt, b.Int(i64, 3), left1)), outer, done)

	b.Cur = done
	r := b.Phi(i64)
	r.Args = []*vir.Value{i, i1}
	b.Ret(r)

	i.Args, fuel.Args = []*vir.Value{zero, i1}, []*vir.Value{fuel0, left1}
	k.Args, left.Args, running.Args = []*vir.Value{zero, k1}, []*vir.Value{fuel, left1}, []*vir.Value{all, now}
	for j, s := range states {
		s.Args = []*vir.Value{init[j], next[j]}
	}
	return f
}

// mixed is a random operation on some of xs.
func mixed(b *vir.Builder, rnd *rand.Rand, xs []*vir.Value, m *vir.Value) *vir.Value {
	x, y := xs[rnd.IntN(len(xs))], xs[rnd.IntN(len(xs))]
	bits := x.Type.Elem.Bits()
	switch rnd.IntN(6) {
	case 0:
		return b.Same(vir.OpRotl, x, b.Int(x.Type, int64(rnd.IntN(bits))))
	case 1:
		return b.Same(vir.OpRotl, x, b.Int(x.Type, int64(8*rnd.IntN(bits/8))))
	case 2:
		return b.Op(vir.OpBlend, x.Type, m, x, y)
	case 3:
		return b.Same(vir.OpSub, x, y)
	case 4:
		return b.Same(vir.OpXor, x, y)
	}
	return b.Same(vir.OpAdd, x, y)
}

// TestNests runs loops in loops, most of them with more live vectors than there are
// registers, also on a machine with few of them.
func TestNests(t *testing.T) {
	few := target.AVX2()
	few.VectorRegs, few.ScalarRegs = 6, 6
	for _, tgt := range []*target.Target{target.AVX2(), few} {
		var fns []*vir.Func
		var cases []native.Case
		for seed := range uint64(5) {
			for _, ty := range []vir.Type{vir.Vec(vir.I32, 8), vir.Vec(vir.I32, 16), vir.Vec(vir.I64, 4), vir.Vec(vir.I16, 16)} {
				for _, live := range []int{2, 7, 14, 20} {
					name := strings.ReplaceAll(fmt.Sprintf("nest_%s_%d_%d", ty, live, seed), ".", "_")
					f := nest(name, seed, ty, live, seed%2 == 0)
					fns = append(fns, f)
					for n := range int64(3) {
						c := inputs(f, 20*16)
						c.Args[2].Bits[0], c.Args[3].Bits[0] = uint64(n), uint64(3*n)
						cases = append(cases, c)
					}
				}
			}
		}
		compareOn(t, fns, cases, tgt)
	}
}
