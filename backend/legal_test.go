package backend_test

import (
	"fmt"
	"testing"

	"github.com/lanewise/lanewise/backend"
	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/verify"
)

// single is a function around one operation on lanes of e, or nil when the
// operation does not exist on them.
func single(op vir.Op, e vir.Elem, lanes int) *vir.Func {
	f := vir.NewFunc(fmt.Sprintf("f%d_%s_%d", op, e, lanes))
	p := f.AddParam("p", vir.Scalar(vir.Ptr))
	f.Results = []vir.Type{vir.Scalar(vir.I64)}
	b := vir.NewBuilder(f, f.NewBlock("entry"))
	t := vir.Type{Elem: e, Lanes: lanes}
	load, store := vir.OpLoadUnit, vir.OpStoreUnit
	if lanes == 0 {
		load, store = vir.OpLoad, vir.OpStore
	}
	off := int64(0)
	value := func(t vir.Type) *vir.Value {
		off += 2048
		a := vir.Addr{Base: p, Disp: off}
		if t.Elem != vir.Bool {
			return b.Load(load, t, a, nil)
		}
		x := b.Load(load, t.WithElem(vir.I8), a, nil)
		return b.Cmp(vir.OpIcmpNe, x, b.Int(x.Type, 0))
	}
	var r *vir.Value
	switch op.Info().Rule {
	case vir.RuleInt, vir.RuleLogic, vir.RuleFloat:
		args := []*vir.Value{value(t), value(t), value(t)}
		r = b.Same(op, args[:op.Info().Args]...)
	case vir.RuleIntCmp, vir.RuleFloatCmp:
		r = b.Cmp(op, value(t), value(t))
	case vir.RuleBlend:
		r = b.Op(op, t, value(t.WithElem(vir.Bool)), value(t), value(t))
	case vir.RuleBroadcast:
		off += 8
		s := b.Load(vir.OpLoad, vir.Scalar(vir.IntElem(max(1, e.Size()))), vir.Addr{Base: p, Disp: off}, nil)
		if e.IsFloat() {
			s = b.Op(vir.OpBitcast, t.Lane(), s)
		} else if e == vir.Bool {
			s = b.Cmp(vir.OpIcmpNe, s, b.Int(s.Type, 0))
		}
		r = b.Op(op, t, s)
	case vir.RuleExtract:
		r = b.Extract(value(t), lanes-1)
	case vir.RuleLane:
		if e == vir.Bool || lanes == 0 {
			return nil
		}
		r = b.Lane(value(t), b.Int(vir.Scalar(vir.I64), int64(lanes-1)))
	case vir.RuleSubvec:
		r = b.Subvec(value(t), lanes/2, max(1, lanes/2))
	case vir.RuleInsert:
		x, y := value(t), value(t)
		if lanes == 0 {
			return nil
		}
		r = b.Insert(x, b.Extract(y, 0), lanes-1)
	case vir.RuleConcat:
		x := value(t)
		r = b.Concat(vir.Vec(e, 2*lanes), x, x)
	case vir.RuleShuffle:
		list := make([]int, lanes)
		for i := range list {
			list[i] = (i*3 + 1) % (2 * lanes)
		}
		r = b.Shuffle(t, list, value(t), value(t))
	case vir.RulePermute:
		if e == vir.Bool {
			return nil
		}
		index := value(t.WithElem(vir.IntElem(e.Size())))
		r = b.Permute(value(vir.Vec(e, 16)), index)
	case vir.RuleMemory:
		if !op.IsIndexed() || lanes == 0 || e == vir.Bool {
			return nil
		}
		a := vir.Addr{Base: p, Index: value(t.WithElem(vir.I32)), Scale: 8}
		if op == vir.OpScatter {
			b.Scatter(value(t), a, nil)
			r = a.Index
		} else {
			r = b.Gather(t, a, nil)
		}
	case vir.RulePrefix:
		r = b.Op(op, t, b.Load(vir.OpLoad, vir.Scalar(vir.I64), vir.Addr{Base: p}, nil))
	case vir.RuleMaskToB:
		r = b.Op(op, vir.Scalar(vir.Bool), value(t))
	case vir.RuleMaskToI:
		r = b.Op(op, vir.Scalar(vir.I64), value(t))
	default:
		return nil
	}
	if r.Type.Elem == vir.Bool {
		r = b.Op(vir.OpZext, r.Type.WithElem(vir.I8), r)
	}
	if !r.Type.IsVector() {
		store = vir.OpStore
	}
	b.Store(store, r, vir.Addr{Base: p}, nil)
	b.Ret(b.Int(vir.Scalar(vir.I64), 0))
	if verify.Func(f) != nil {
		return nil
	}
	return f
}

// TestLegalIsWhatIsEmitted holds the target's tables against the selection, in
// both directions, for every operation on every element.
func TestLegalIsWhatIsEmitted(t *testing.T) {
	for _, tgt := range []*target.Target{target.AVX2(), target.AVX512()} {
		t.Run(tgt.Name, func(t *testing.T) { legalIsEmitted(t, tgt) })
	}
}

func legalIsEmitted(t *testing.T, tgt *target.Target) {
	legal := 0
	for _, op := range vir.Ops() {
		for _, e := range []vir.Elem{vir.Bool, vir.I8, vir.I16, vir.I32, vir.I64, vir.F32, vir.F64} {
			for _, lanes := range []int{0, 1, 4, 32} {
				f := single(op, e, lanes)
				if f == nil {
					continue
				}
				_, err := backend.Emit(backend.File{Kernels: []backend.Kernel{{Fn: f}}}, tgt)
				ty := vir.Type{Elem: e, Lanes: lanes}
				if op == vir.OpExtract || op == vir.OpSubvec || op == vir.OpAny || op == vir.OpAll || op == vir.OpCount || op == vir.OpFirst || op == vir.OpBits {
					if lanes == 0 {
						continue
					}
				}
				if ok := tgt.Legal(op, ty); ok != (err == nil) {
					t.Errorf("%s %s: legal %v, but Emit says %v", op, ty, ok, err)
				}
				if tgt.Legal(op, ty) {
					legal++
					if c := tgt.Cost(op, ty); c.Throughput <= 0 && op != vir.OpBitcast && op != vir.OpBswap {
						t.Errorf("%s %s costs nothing", op, ty)
					}
				}
			}
		}
	}
	if legal < 500 {
		t.Errorf("only %d legal cases", legal)
	}
}

// TestConversionsAreWhatIsEmitted does the same for conversions.
func TestConversionsAreWhatIsEmitted(t *testing.T) {
	for _, tgt := range []*target.Target{target.AVX2(), target.AVX512()} {
		t.Run(tgt.Name, func(t *testing.T) { conversionsAreEmitted(t, tgt) })
	}
}

func conversionsAreEmitted(t *testing.T, tgt *target.Target) {
	n := 0
	for op := vir.OpTrunc; op <= vir.OpFptrunc; op++ {
		for _, from := range []vir.Elem{vir.Bool, vir.I8, vir.I16, vir.I32, vir.I64, vir.F32, vir.F64} {
			for _, to := range []vir.Elem{vir.I8, vir.I16, vir.I32, vir.I64, vir.F32, vir.F64} {
				f := vir.NewFunc("convert")
				p := f.AddParam("p", vir.Scalar(vir.Ptr))
				b := vir.NewBuilder(f, f.NewBlock("entry"))
				var x *vir.Value
				if from == vir.Bool {
					y := b.Load(vir.OpLoadUnit, vir.Vec(vir.I8, 16), vir.Addr{Base: p}, nil)
					x = b.Cmp(vir.OpIcmpNe, y, b.Int(y.Type, 0))
				} else {
					x = b.Load(vir.OpLoadUnit, vir.Vec(from, 16), vir.Addr{Base: p}, nil)
				}
				b.Store(vir.OpStoreUnit, b.Op(op, vir.Vec(to, 16), x), vir.Addr{Base: p}, nil)
				b.Ret()
				if verify.Func(f) != nil {
					continue
				}
				_, err := backend.Emit(backend.File{Kernels: []backend.Kernel{{Fn: f}}}, tgt)
				if ok := tgt.LegalConvert(op, vir.Vec(from, 16), vir.Vec(to, 16)); ok != (err == nil) {
					t.Errorf("%s %s to %s: legal %v, but Emit says %v", op, from, to, ok, err)
				}
				n++
			}
		}
	}
	if n < 60 {
		t.Errorf("only %d conversions", n)
	}
}
