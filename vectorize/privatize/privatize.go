// Package privatize has each iteration reduce by itself what loops inside of it go on with:
//
//	for _, v := range x {                 for _, v := range x {
//		for v >= 128 {                        s := 0
//			n++                               for v >= 128 {
//			v >>= 7              ==>                  s++
//		}                                             v >>= 7
//	}                                             }
//	                                              n += s
//	                                      }
//
// The sum of an iteration is none of the iterations before: lanes may have them side by
// side, and the variable is a reduction like any other. That holds for all operations
// that may be done in any order, and of floats for those that a clause allows that for.
// Flags, which inner loops set to one constant, are disjunctions and conjunctions.
//
// Requires: a region as the frontend makes it. The package must not know what
// reductions are good for.
//
// Not handled: variables that an iteration reads for something else, as in n > most.
package privatize

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
	"github.com/lanewise/lanewise/vir/fold"
	"github.com/lanewise/lanewise/vir/plan"
)

// Split is r with such variables reduced in each iteration by itself, and these
// variables; nil when there are none.
func Split(r *plan.Region) (*plan.Region, []*vir.Value) {
	c := *r
	c.Fn = r.Fn.Clone()
	s := &splitter{region: &c, forest: loops.Find(c.Fn), uses: c.Fn.Uses()}
	var split []*vir.Value
	for _, phi := range c.Fn.Blocks[1].Phis() {
		if op, ok := s.reduces(phi); ok {
			s.split(phi, op)
			split = append(split, phi)
		}
	}
	if split == nil {
		return nil, nil
	}
	return &c, split
}

type splitter struct {
	region *plan.Region
	forest *loops.Forest
	uses   map[*vir.Value][]*vir.Value
}

// reduces is the operation that all of what an iteration makes of phi consists of. It
// fails if a part of that is read by something else, or no inner loop goes on with it.
func (s *splitter) reduces(phi *vir.Value) (op vir.Op, ok bool) {
	parts, inside := s.parts(phi)
	if !inside {
		return 0, false
	}
	for v := range parts {
		if v == phi {
			continue
		}
		f, fits := s.family(v, parts)
		if !fits || f != vir.OpInvalid && op != vir.OpInvalid && f != op {
			return 0, false
		}
		if f != vir.OpInvalid {
			op = f
		}
	}
	other := func(u *vir.Value) bool { return !parts[u] && u.Op != vir.OpRet }
	for v := range parts {
		if slices.ContainsFunc(s.uses[v], other) {
			return 0, false
		}
	}
	return op, op != vir.OpInvalid && parts[s.next(phi)]
}

// parts are phi and what follows from it by operations that may be done together and phis, but not what is behind
// the loop. inside tells that loops inside are among the phis.
func (s *splitter) parts(phi *vir.Value) (parts map[*vir.Value]bool, inside bool) {
	parts = map[*vir.Value]bool{phi: true}
	for work := []*vir.Value{phi}; len(work) > 0; work = work[1:] {
		for _, u := range s.uses[work[0]] {
			if parts[u] || s.together(u) == vir.OpInvalid && u.Op != vir.OpPhi {
				continue
			}
			parts[u] = true
			work = append(work, u)
			f := s.forest.Of(u.Block)
			inside = inside || u.Op == vir.OpPhi && f != nil && f.Depth > 1 && f.Header == u.Block
		}
	}
	return parts, inside
}

// family is the operation that v reduces by, none if it hands a part on; it fails where v is no
// step of a reduction.
func (s *splitter) family(v *vir.Value, parts map[*vir.Value]bool) (op vir.Op, ok bool) {
	if v.Op == vir.OpPhi {
		return s.handed(v, parts)
	}
	op = s.together(v)
	return op, !parts[v.Args[1]] || !parts[v.Args[0]] && op == v.Op // not x - n
}

func (s *splitter) together(v *vir.Value) vir.Op {
	return fold.Together(v.Op, s.region.Clauses.Reassoc)
}

// handed is family for phis: parts and, of flags, constants.
func (s *splitter) handed(phi *vir.Value, parts map[*vir.Value]bool) (op vir.Op, ok bool) {
	if phi.Block == s.region.Fn.Blocks[1] {
		return 0, false // another variable
	}
	for _, a := range phi.Args {
		c, constant := a.IsConst()
		set := vir.OpAnd
		if c&1 != 0 {
			set = vir.OpOr
		}
		switch {
		case parts[a]:
		case !constant || a.Type != vir.Scalar(vir.Bool), op != vir.OpInvalid && op != set:
			return 0, false
		default:
			op = set
		}
	}
	return op, true
}

func (s *splitter) next(phi *vir.Value) *vir.Value { return phi.Args[s.back()] }

func (s *splitter) back() int {
	return 1 - s.region.Fn.Blocks[1].PredIndex(s.region.Fn.Entry())
}

// split begins the iteration with what changes nothing, and adds what has become of that at its end.
func (s *splitter) split(phi *vir.Value, op vir.Op) {
	fn := s.region.Fn
	b := vir.NewBuilder(fn, fn.Entry())
	b.Pos = phi.Pos
	next := s.next(phi)
	var none *vir.Value
	edit.InFront(b, fn.Blocks[2].Insts[1], func() { none = b.Const(phi.Type, fold.Identity(op, phi.Type.Elem)) })
	for _, u := range s.uses[phi] {
		for i, a := range u.Args {
			if a == phi && u.Op != vir.OpRet {
				u.Args[i] = none
			}
		}
	}
	edit.Ahead(b, fn.Blocks[1].Preds[s.back()], func() { phi.Args[s.back()] = b.Op(op, phi.Type, phi, next) })
}
