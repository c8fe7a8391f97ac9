package loopvec

import (
	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
)

// loadAhead puts loads that variables are set to before the first access or check
// that needs the lanes of the variable before the iteration: the lanes come from
// those that are set. That may be before stores of the iteration.
func (l *loop) loadAhead(items []*vir.Value) ([]*vir.Value, error) {
	if l.isNest() || len(l.carries) == 0 && len(l.members) == 0 {
		return items, nil
	}
	var out []*vir.Value
	done := make(map[*vir.Value]bool)
	for i, v := range items {
		if done[v] {
			continue
		}
		ahead := l.needsAhead(v)
		if ahead[v] {
			return nil, pass.Refuse("loopvec:Recurrence", v, "%s is loaded under a condition that follows from what other iterations load", name(v))
		}
		for k := i + 1; k < len(items); k++ {
			x := items[k]
			if !ahead[x] || done[x] {
				continue
			}
			if err := l.mayLoadAhead(x, items[i:k], done); err != nil {
				return nil, err
			}
			out, done[x] = append(out, x), true
		}
		out, done[v] = append(out, v), true
	}
	return out, nil
}

// needsAhead are the loads in lanes that v is computed from; where v begins a cycle that is
// done lane by lane, those for all of it.
func (l *loop) needsAhead(v *vir.Value) map[*vir.Value]bool {
	ahead := make(map[*vir.Value]bool)
	s := l.serials[v]
	if s == nil {
		l.loadsFor(v, ahead)
		return ahead
	}
	if s.nodes[0] == v {
		for _, x := range s.nodes {
			l.loadsFor(x, ahead)
		}
	}
	for _, x := range s.nodes {
		delete(ahead, x)
	}
	return ahead
}

// loadsFor marks the loads in lanes that access or check v is computed from.
func (l *loop) loadsFor(v *vir.Value, loads map[*vir.Value]bool) {
	seen := make(map[*vir.Value]bool)
	l.loadsOf(v, loads, seen)
	switch {
	case v.Op.IsStore():
		for _, a := range v.Args {
			if l.demand[a] && !seen[a] {
				seen[a], loads[a] = true, loads[a] || a.Op.IsLoad()
				l.loadsOf(a, loads, seen)
			}
		}
	}
}

// mayLoadAhead decides whether load x may go before items.
func (l *loop) mayLoadAhead(x *vir.Value, items []*vir.Value, done map[*vir.Value]bool) error {
	b := l.dp.Access(x)
	for _, a := range items {
		if done[a] {
			continue
		}
		if a.Op.IsStore() && !l.movable(l.dp.Access(a), b) || b.Kind != dep.Linear && a.Op.IsCheck() {
			return pass.Refuse("loopvec:Recurrence", x, "%s of the iteration before is needed before it is loaded", name(x))
		}
	}
	return nil
}
