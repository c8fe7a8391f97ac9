package loopvec

import (
	"fmt"
	"strings"

	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vectorize/optvls"
)

// memoryForms counts the accesses by form: "2 unit loads, 1 group of 3 (3 loads,
// 6 shuffles)".
func (l *loop) memoryForms() string {
	var kinds []string
	count := make(map[string]int)
	add := func(k string) {
		if count[k] == 0 {
			kinds = append(kinds, k)
		}
		count[k]++
	}
	for i := range l.dp.Accesses {
		a := &l.dp.Accesses[i]
		g := l.groups[a.Inst]
		switch {
		case !a.Store && !l.demand[a.Inst] && !l.wanted[a.Inst], !a.Store && l.single(a.Inst):
		case g == nil:
			add(l.form(a))
		case g.place == a.Inst:
			add(g.form())
		}
	}
	for i, k := range kinds {
		kinds[i] = plural(count[k], k)
	}
	if kinds == nil {
		return "no memory"
	}
	return strings.Join(kinds, ", ")
}

// plural counts things; what is in brackets or behind "of" stays as it is.
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	head, rest, found := strings.Cut(what, " of ")
	if found {
		return fmt.Sprintf("%d %ss of %s", n, head, rest)
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func (l *loop) form(a *dep.Access) string {
	form, verb := "unit", "load"
	if x, ok := l.repeats(a); ok {
		return fmt.Sprintf("load of every element %d times", x.Divisor)
	}
	if s := l.serials[a.Inst]; s != nil && s.byIndex(l) {
		return "indexed update"
	}
	if u := l.updateOf(a.Inst); u != nil {
		return fmt.Sprintf("update of every element %d times", u.At.Divisor)
	}
	switch f := l.innerForm(a.Inst); {
	case l.periodics[a.Inst] != nil:
		return "load of a period"
	case a.Kind == dep.Counted && !a.Store:
		return "expanding load"
	case a.Kind == dep.Counted:
		return "compress store"
	case f == innerUniform:
		form = "uniform"
	case f == innerUnit, f == innerSerial && l.besides(a.Inst):
	case f == innerSerial, f == innerSpread:
		form = "strided"
	case f == innerReverse:
		form = "reverse"
	case a.Uniform(), !a.Store && l.wanted[a.Inst] && !l.demand[a.Inst]:
		form = "uniform"
	case l.isRotated(a), l.turns(a) && l.ringLanes(a) > 0:
		return "key"
	case l.tableLanes(a) > 0:
		return "table"
	case a.Kind == dep.Indexed || a.Kind == dep.Periodic:
		form = map[bool]string{false: "gather", true: "scatter"}[a.Store]
		if a.Inst.Masked {
			form = "masked " + form
		}
		return form
	case l.isStrided(a):
		form = "strided"
	case a.Stream.Step < 0:
		form = "reverse"
	}
	if a.Store {
		verb = "store"
		if l.blends[a.Inst] {
			form = "blended " + form
		} else if a.Inst.Masked {
			form = "masked " + form
		}
	}
	return form + " " + verb
}

// form says how many members a group has and what a full piece takes.
func (g *group) form() string {
	what := "group"
	if g.members[0].Store {
		what = "store group"
	}
	if g.l.reordered {
		return fmt.Sprintf("%s of %d in the order of memory", what, len(g.members))
	}
	return fmt.Sprintf("%s of %d (%s)", what, len(g.members), g.parts(", "))
}

// parts counts the instructions of a full piece.
func (g *group) parts(sep string) string {
	count := make(map[optvls.Op]int)
	for _, in := range g.code(g.lanes).Insts {
		count[in.Op]++
	}
	var s []string
	for _, op := range []struct {
		op   optvls.Op
		name string
	}{{optvls.Load, "load"}, {optvls.Shuffle, "shuffle"}, {optvls.Store, "store"}} {
		if n := count[op.op]; n > 0 {
			s = append(s, plural(n, op.name))
		}
	}
	return strings.Join(s, sep)
}

// noteGroups tells what became of accesses that would be gathers or scatters.
func (l *loop) noteGroups(vf int) {
	for _, g := range l.groupList {
		was := "gather"
		if g.members[0].Store {
			was = "scatter"
		}
		what := g.parts(" + ")
		if l.reordered {
			what = "computed in the order of memory"
		}
		l.u.Note("optvls:Grouped", g.place.Pos, nil, "VF=%d, %s -> %s", vf, plural(len(g.members), was), what)
	}
}
