// Package transpose has inner loops whose lanes are rows do several elements of each row in a
// turn, so that they are loaded together and brought into lanes by shuffles:
//
//	for j := start; j < limit; j++ {           end := start + (limit-start)&^3
//		s += m[i*n+j]                  ==>     for ; j < end; j += 4 {
//	}                                              s += m[i*n+j]; s += m[i*n+j+1]; ...
//	                                           }
//	                                           for ; j < limit; j++ { s += m[i*n+j] }
//
// In lanes of i, the loads of a turn are four neighbours in each row, at addresses that differ by
// constants. What the loop computes, and in which order, stays as it is.
//
// Requires: a region behind if-conversion. Only loops are looked at that all lanes leave
// together, that count by one, up or down, and store nothing, before any store of the iteration: blocks may still
// be handed over there, so that subscripts are checked for the first and the last of the copies, and
// before what the turn computes.
//
// Remarks: transpose:Rows. What is left of a loop is in Unit.Rests, its other part in Unit.Strips.
//
// Not handled: stores to rows; loops with other steps; subscripts that are not linear in the counter.
package transpose

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vectorize/slev"
	"github.com/lanewise/lanewise/vir"
)

// Run rewrites the loops that Unit.Transpose asks for; without it, it tells whether there are any.
func Run(u *pass.Unit) error {
	a := &analysis{sc: scev.New(u.Region)}
	if len(a.sc.Loops().All) < 2 {
		return nil
	}
	a.sl = slev.Joint(u.Region, a.sc)
	var all []*strip
	for _, f := range a.sc.Loops().All {
		if s := a.strip(f); s != nil {
			all = append(all, s)
		}
	}
	u.Transposable = len(all) > 0
	if !u.Transpose {
		return nil
	}
	for _, s := range all {
		if u.Count() {
			u.Note("transpose:Rows", s.f.Header.Term().Pos, nil, "lanes are rows, of which %d elements are loaded at a time", s.copies)
			(&writer{strip: s, u: u}).rewrite()
		}
	}
	return nil
}

type analysis struct {
	sc *scev.Info
	sl *slev.Result
}

// A strip is a loop that is to do so many copies of its turn at a time.
type strip struct {
	*analysis
	f      *loops.Loop
	count  scev.InnerCount
	copies int
}

// strip is nil where nothing can be done, or gained, in f.
func (a *analysis) strip(f *loops.Loop) *strip {
	s := &strip{analysis: a, f: f}
	if !s.simple() || !s.counts() || a.storesBefore(f) {
		return nil
	}
	for _, v := range f.Latches[0].Insts {
		if size := v.Type.Size(); v.Op == vir.OpLoad && size <= rowBytes/2 && s.alongRow(v) {
			s.copies = max(s.copies, min(rowBytes/size, mostCopies), leastCopies)
		}
	}
	if s.copies == 0 {
		return nil
	}
	return s
}

// simple reports whether the loop is a header with its condition, which all lanes share, and a body
// in one block.
func (s *strip) simple() bool {
	f := s.f
	if f.Depth < 2 || len(f.Latches) != 1 || len(f.Blocks) != 2 || len(f.Header.Preds) != 2 || !f.EndsAtHeader() {
		return false
	}
	term := f.Header.Term()
	if term.Op != vir.OpBr || !s.sl.IsUniform(term.Args[0]) {
		return false
	}
	for _, v := range f.Header.Insts {
		if v.Op.IsLoad() || v.Op.Info().Effect && v != term {
			return false
		}
	}
	return !slices.ContainsFunc(f.Latches[0].Insts, func(v *vir.Value) bool {
		return v.Op == vir.OpExit || slices.Contains(v.Args, term.Args[0])
	})
}

// counts reports whether that condition is about a counter that goes up or down by one.
func (s *strip) counts() (ok bool) {
	if s.f.Header.Term().Args[0].Op.Info().Rule != vir.RuleIntCmp {
		return false
	}
	s.count, ok = s.sc.FixedCount(s.f)
	return ok && (s.count.Step == 1 || s.count.Step == -1) && s.fixed(s.count.Limit)
}

// fixed reports whether v is the same in all turns: it stands in front of the loop, or is a constant.
func (s *strip) fixed(v *vir.Value) bool {
	return v.Op == vir.OpConst || v.Block == nil || !s.f.Contains(v.Block)
}

// storesBefore reports whether something may have been stored when f runs.
func (a *analysis) storesBefore(f *loops.Loop) bool {
	outermost := f
	for outermost.Depth > 2 {
		outermost = outermost.Parent
	}
	before := true
	for _, b := range f.Header.Func.Blocks {
		inside := outermost.Contains(b)
		if (before || inside) && slices.ContainsFunc(b.Insts, func(v *vir.Value) bool { return v.Op.IsStore() }) {
			return true
		}
		before = before && !inside
	}
	return false
}

// rowBytes is what is loaded of a row at a time.
const rowBytes = 16

// Copies are at least that many, so that the loop itself is a small part of them, and at most so
// many, which bounds the code.
const leastCopies, mostCopies = 4, 8

// alongRow reports whether load v goes through neighbours, in lanes that are not neighbours.
func (s *strip) alongRow(v *vir.Value) bool {
	if v.Masked || v.Index() == nil || !s.fixed(v.Base()) {
		return false
	}
	step, ok := s.step(v.Index())
	size := int64(v.Type.Size())
	a := s.sl.Address(v)
	near := a.Kind == slev.Uniform || a.Kind == slev.Strided && (a.Stride == size || a.Stride == -size)
	return ok && (step*v.Scale == size || step*v.Scale == -size) && !near
}

// mostStep bounds what a subscript moves by in a turn, so that those between the first copy and the
// last one, both in range, are in range.
const mostStep = 1 << 31

// step is by how much v moves from turn to turn, modulo 2**64, if that is a small constant.
func (s *strip) step(v *vir.Value) (step int64, ok bool) {
	defer func() { ok = ok && -mostStep < step && step < mostStep }()
	switch {
	case v.Type != vir.Scalar(vir.I64):
		return 0, false
	case s.fixed(v):
		return 0, true
	}
	switch v.Op {
	case vir.OpPhi:
		of, _, step := s.sc.Inner(v)
		return step, of == s.f
	case vir.OpAdd, vir.OpSub:
		x, ok := s.step(v.Args[0])
		y, ok2 := s.step(v.Args[1])
		if v.Op == vir.OpSub {
			y = -y
		}
		return x + y, ok && ok2
	case vir.OpMul:
		for i, a := range v.Args {
			if k, ok := a.ConstInt(); ok && -mostStep < k && k < mostStep {
				x, ok := s.step(v.Args[1-i])
				return x * k, ok
			}
		}
	case vir.OpShl:
		if k, ok := v.Args[1].ConstInt(); ok && 0 <= k && k < 31 {
			x, ok := s.step(v.Args[0])
			return x << k, ok
		}
	}
	return 0, false
}
