package rows

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/alias"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// Stores in front of the inner loop wait until its tests have passed, since an iteration that is handed over must have stored nothing:
//
//	r[k] = f                          row: trip count, bounds, overlaps; else hand over
//	for j := k + 1; j < n; j++ {      r[k] = f
//		r[j] -= f * p[j]                  the kernel of the inner loop
//	}
//
// They may where nothing behind them loads a part of what they store. What is loaded as it was stored is that value.

// delay takes the stores out of the block in front of the inner loop if they can wait.
func (j *joiner) delay() {
	first := slices.IndexFunc(j.pre.Insts, func(v *vir.Value) bool { return v.Op.IsStore() })
	if first < 0 || j.flat != nil {
		return
	}
	var stores []*vir.Value
	again := make(edit.Replaced) // loads, by what was stored
	for _, v := range j.pre.Insts[first:] {
		switch {
		case v.Op.IsStore():
			stores = append(stores, v)
		case v.Op == vir.OpCall:
			return
		case v.Op.IsLoad():
			s := j.source(stores, v)
			if s == nil {
				return
			}
			if s != v {
				again[v] = s.Stored()
			}
		}
	}
	for v := range again {
		x := again.Now(v)
		j.fn().ReplaceUses(v, x)
		for i := range j.live {
			if j.live[i] == v {
				j.live[i] = x
			}
		}
		v.Remove()
	}
	j.delayed = stores
	j.pre.Insts = slices.DeleteFunc(j.pre.Insts, func(v *vir.Value) bool { return v.Op.IsStore() })
}

// source is the store that load v has its value from, v itself if that is none of them, and nil where it is not known.
func (j *joiner) source(stores []*vir.Value, v *vir.Value) *vir.Value {
	for _, s := range slices.Backward(stores) {
		switch {
		case j.leaves(s, v):
		case alias.Compare(s, v) == alias.Equal && !s.Masked && s.Stored().Type == v.Type:
			return s
		default:
			return nil
		}
	}
	return v
}

// leaves reports whether store s leaves what v loads as it is.
func (j *joiner) leaves(s, v *vir.Value) bool {
	return alias.IsHeader(j.fn(), v) || alias.Compare(s, v) == alias.Disjoint
}

// store makes the stores that have been waiting.
func (j *joiner) store() {
	for _, v := range j.delayed {
		w := j.fn().NewValue(v.Op, v.Type)
		fill(w, v)
		j.b.Append(w)
	}
}
