// Package reload takes out loads of what an iteration has loaded or stored before, where only stores
// to other memory stand between:
//
//	sum[i] = x[i] + y[i]            a, b := x[i], y[i]
//	diff[i] = x[i] - y[i]           sum[i] = a + b
//	                                diff[i] = a - b
//
// What it has stored is not loaded either: where lanes are written under a mask, or together with
// others, the load would wait for all of it to be in the cache.
//
// The other memory may be the same. So the first access comes with the stores that must not
// touch its bytes in the same iteration, which package dep adds to what is tested at run time: where
// both move by the same number of bytes, that is one distance more that must not be. A call that
// works in place and reads again what it has stored runs as written.
//
// Requires: one body block, addresses shared. It must not know lanes.
package reload

import (
	"slices"
	"sync"

	"github.com/lanewise/lanewise/vectorize/alias"
	"github.com/lanewise/lanewise/vectorize/boolean"
	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// Run works on the region of u.
func Run(u *pass.Unit) error {
	if u.Region.Clauses.Independent || len(u.Region.Fn.Blocks) != 5 {
		return nil
	}
	s := &search{insts: u.Region.Fn.Blocks[2].Insts, known: make(map[address][]int), kept: make(map[*vir.Value][]*vir.Value)}
	s.accesses = sync.OnceValue(func() *dep.Result { return dep.Accesses(u.Region, scev.New(u.Region)) })
	to := make(edit.Replaced)
	for i, v := range s.insts {
		if v.Op != vir.OpLoad && v.Op != vir.OpStore {
			continue
		}
		if first, stores := s.before(i); first != nil && u.Count() {
			to[v] = valueOf(first)
			s.keep(first, stores)
		} else {
			s.known[addressOf(v)] = append(s.known[addressOf(v)], i)
		}
	}
	if len(to) == 0 {
		return nil
	}
	for v := range u.Region.Fn.Values {
		for i, a := range v.Args {
			v.Args[i] = to.Now(a)
		}
	}
	for v := range to {
		v.Remove()
	}
	u.Kept = s.kept
	return nil
}

type search struct {
	accesses func() *dep.Result // nil where some address is not understood
	insts    []*vir.Value
	known    map[address][]int // places of accesses that stay
	kept     map[*vir.Value][]*vir.Value
}

// An address is equal for accesses of the same bytes, which share the values that it is computed
// from.
type address struct {
	base, index *vir.Value
	scale, disp int64
	typ         vir.Type
}

func addressOf(v *vir.Value) address {
	return address{v.Base(), v.Index(), v.Scale, v.Disp, v.Access()}
}

// valueOf is what is in memory behind v.
func valueOf(v *vir.Value) *vir.Value {
	if v.Op == vir.OpStore {
		return v.Stored()
	}
	return v
}

// before is the access that has loaded or stored what instruction i loads, with the stores between
// them that must not touch it; nil for none.
func (s *search) before(i int) (access *vir.Value, stores []*vir.Value) {
	v := s.insts[i]
	if v.Op != vir.OpLoad {
		return nil, nil
	}
	for _, k := range s.known[addressOf(v)] {
		if w := s.insts[k]; boolean.Under(v, w) {
			if stores, ok := s.between(w, s.insts[k+1:i]); ok {
				return w, stores
			}
		}
	}
	return nil, nil
}

// between are the stores among insts that may touch what v accesses; false where distances do not
// tell whether they do.
func (s *search) between(v *vir.Value, insts []*vir.Value) (stores []*vir.Value, ok bool) {
	dp := s.accesses()
	if dp == nil {
		return nil, false
	}
	a := dp.Access(v)
	for _, w := range insts {
		if !w.Op.IsStore() || alias.Compare(v, w) == alias.Disjoint {
			continue
		}
		b := dp.Access(w)
		if a.Kind != dep.Linear || b.Kind != dep.Linear || a.Stream.Param == b.Stream.Param || a.Stream.Step != b.Stream.Step {
			return nil, false
		}
		stores = append(stores, w)
	}
	return stores, true
}

func (s *search) keep(v *vir.Value, stores []*vir.Value) {
	for _, w := range stores {
		if !slices.Contains(s.kept[v], w) {
			s.kept[v] = append(s.kept[v], w)
		}
	}
}
