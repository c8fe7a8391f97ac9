package kernelize

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
	"github.com/lanewise/lanewise/vir/plan"
)

// finish cleans up, and says what a call takes.
func (m *maker) finish() error {
	k := m.k
	k.Min, k.Block, k.Complete = 1, 1, !k.Partial
	k.Strip = 1
	n, err := m.strip()
	if err != nil {
		return err
	}
	if !m.r.Once {
		k.Strip = n
	}
	if k.Partial {
		k.Pause = pause
	}
	edit.Merge(m.f)
	edit.Sweep(m.f)
	if !m.r.Once {
		edit.Hoist(m.f)
	}
	m.arguments()
	return nil
}

// pause is the number of iterations that are left to the caller when one was handed
// over: where that goes on it waits ever longer before it calls again.
const pause = 8

// arguments drops the parameters that nothing uses.
func (m *maker) arguments() {
	used := make(map[*vir.Value]bool)
	for v := range m.f.Values {
		for _, a := range v.Args {
			used[a] = true
		}
	}
	var params []*vir.Value
	for i, p := range m.f.Params {
		if !used[p] {
			continue
		}
		a := plan.Arg{Kind: plan.ArgParam, Index: i}
		if i >= len(m.r.Fn.Params) {
			a = plan.Arg{Kind: plan.ArgCount}
		}
		params = append(params, p)
		m.k.Args = append(m.k.Args, a)
	}
	for _, p := range params {
		if !slices.Contains(params, p.Param.Len) {
			p.Param.Len = nil
		}
	}
	m.f.Params = params
}
