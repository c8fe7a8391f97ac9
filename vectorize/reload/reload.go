// Package reload takes out loads of what an iteration has loaded or stored before, where only stores
// to other memory stand between:
//
//	sum[i] = x[i] + y[i]            a, b := x[i], y[i]
//	diff[i] = x[i] - y[i]           sum[i] = a + b
//	                                diff[i] = a - b
//
// What it has stored is not loaded either: where lanes are written under a mask, or together with
// others, the load would wait for all of it to be in the cache. What it has stored under a condition
// is chosen over what was there:
//
//	if c[i] > 0 {                   a := x[i]
//		x[i] += y[i]                if b := a + y[i]; c[i] > 0 { x[i], a = b, b }
//	}
//	z[i] = x[i]                     z[i] = a
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
func Run(u *pass.Unit) error { return run(u, func(*past) bool { return true }) }

// Arms takes out loads where nothing has to be tested for it: those of one arm behind stores of the other one.
func Arms(u *pass.Unit) error {
	return run(u, func(p *past) bool { return len(p.over) == 0 && len(p.others) == 0 })
}

func run(u *pass.Unit, wanted func(*past) bool) error {
	if u.Region.Clauses.Independent || len(u.Region.Fn.Blocks) != 5 {
		return nil
	}
	s := &search{insts: slices.Clone(u.Region.Fn.Blocks[2].Insts), known: make(map[address][]int), kept: make(map[*vir.Value][]*vir.Value)}
	s.accesses = sync.OnceValue(func() *dep.Result { return dep.Accesses(u.Region, scev.New(u.Region)) })
	to := make(edit.Replaced)
	for i, v := range s.insts {
		if v.Op != vir.OpLoad && v.Op != vir.OpStore {
			continue
		}
		if p := s.before(i); p != nil && wanted(p) && u.Count() {
			to[v] = p.value(u.Region.Fn, v)
			s.keep(p)
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

// A past is how the bytes of a load came to be what they are.
type past struct {
	first  *vir.Value   // the access that has loaded or stored them
	over   []*vir.Value // stores to them since, under masks
	others []*vir.Value // stores since that must not touch them
}

// value is what is in memory at v, behind all of p.
func (p *past) value(f *vir.Func, v *vir.Value) *vir.Value {
	x := valueOf(p.first)
	b := vir.NewBuilder(f, v.Block)
	b.Pos = v.Pos
	edit.InFront(b, v, func() {
		for _, s := range p.over {
			x = b.Op(vir.OpSelect, v.Type, s.Mask(), s.Stored(), x)
		}
	})
	return x
}

// before is the past of what instruction i loads, from the last access on that has all of it; nil
// where there is none.
func (s *search) before(i int) *past {
	v := s.insts[i]
	if v.Op != vir.OpLoad {
		return nil
	}
	for _, k := range slices.Backward(s.known[addressOf(v)]) {
		if w := s.insts[k]; boolean.Under(v, w) {
			if p, ok := s.since(w, v, s.insts[k+1:i]); ok {
				return p
			}
		}
	}
	return nil
}

// since is the past of load v from access first on, with insts between; false where distances do
// not tell whether a store touches its bytes.
func (s *search) since(first, v *vir.Value, insts []*vir.Value) (p *past, ok bool) {
	dp := s.accesses()
	if dp == nil {
		return nil, false
	}
	p = &past{first: first}
	a := dp.Access(first)
	for _, w := range insts {
		switch {
		case !w.Op.IsStore() || alias.Compare(first, w) == alias.Disjoint:
			continue
		case w.Masked && v.Masked && boolean.Disjoint(v.Mask(), w.Mask()): // of the other arm
			continue
		case w.Op == vir.OpStore && w.Masked && addressOf(w) == addressOf(v):
			p.over = append(p.over, w)
			continue
		}
		b := dp.Access(w)
		if a.Kind != dep.Linear || b.Kind != dep.Linear || a.Stream.Param == b.Stream.Param || a.Stream.Step != b.Stream.Step {
			return nil, false
		}
		p.others = append(p.others, w)
	}
	return p, true
}

func (s *search) keep(p *past) {
	for _, w := range p.others {
		if !slices.Contains(s.kept[p.first], w) {
			s.kept[p.first] = append(s.kept[p.first], w)
		}
	}
}
