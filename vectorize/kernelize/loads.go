package kernelize

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/alias"
	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// worthTests is how many loads of one slice are worth tests of where iterations store.
const worthTests = 4

// Loads moves loads of the same element in all iterations to the start of the call, where no check comes before them
// and stores of the iterations are apart from it. What that takes for granted of other slices is in pass.Unit.Apart; it is
// asked for several loads of one slice only.
func Loads(u *pass.Unit) error {
	if u.Region.Once || u.Kernel.Partial {
		return nil
	}
	f := u.Func()
	m := &loadMover{u: u, f: f, known: Testable(f, false)}
	for v := range f.Values {
		if v.Op.IsStore() {
			m.stores = append(m.stores, v)
		}
	}
	for _, loads := range m.stays() {
		m.move(loads)
	}
	return nil
}

// A loadMover moves loads of the kernel of u.
type loadMover struct {
	u      *pass.Unit
	f      *vir.Func
	stores []*vir.Value
	known  func(v *vir.Value) bool // where an iteration starts
}

// stays are the loads of every iteration whose addresses are known before the loop, those of each slice together.
func (m *loadMover) stays() (all [][]*vir.Value) {
	inside := func(v *vir.Value) bool { return v.Block != nil && v.Block != m.f.Entry() }
	forest, dom := loops.Find(m.f), loops.DomTree(m.f)
	loop := forest.Of(m.f.Blocks[1])
	for _, b := range m.f.Blocks {
		if !inEach(loop, forest, dom, b) {
			continue
		}
		for _, v := range b.Insts {
			if v.Op != vir.OpLoad || v.Masked || slices.ContainsFunc(v.Args, inside) {
				continue
			}
			k := slices.IndexFunc(all, func(same []*vir.Value) bool { return alias.Root(same[0].Base()) == alias.Root(v.Base()) })
			if k < 0 {
				k, all = len(all), append(all, nil)
			}
			all[k] = append(all[k], v)
		}
	}
	return all
}

// move moves those of loads, all from one slice, that no store is to.
func (m *loadMover) move(loads []*vir.Value) {
	var movable []*vir.Value
	var tests []alias.Apart
	for _, v := range loads {
		if more, ok := m.apart(v); ok {
			movable, tests = append(movable, v), append(tests, more...)
		}
	}
	if len(tests) > 0 && len(movable) < worthTests {
		return
	}
	m.u.Apart = append(m.u.Apart, tests...)
	for _, v := range movable {
		edit.Move(v, m.f.Entry())
	}
}

// apart is what must be tested so that no store is to what v loads; ok is false if one is, or that is not known.
func (m *loadMover) apart(v *vir.Value) (tests []alias.Apart, ok bool) {
	for _, s := range m.stores {
		if alias.Compare(v, s) == alias.Disjoint {
			continue
		}
		t := alias.Apart{A: alias.Of(v), B: alias.Of(s)}
		unknown := func(x *vir.Value) bool { return !m.known(x) }
		if alias.Root(v.Base()) == alias.Root(s.Base()) || slices.ContainsFunc(alias.Values([]alias.Apart{t}), unknown) {
			return nil, false
		}
		tests = append(tests, t)
	}
	return tests, true
}
