package outline

import (
	"slices"

	"github.com/lanewise/lanewise/vir/plan"
)

// Whole kernels. Two of them are congruent when their control flow is the same, and
// everything with an effect, in order, down to the inputs:
//
//	func @addKernel(%n i64, %x ptr, %y ptr)    func @sumKernel(%a ptr, %b ptr, %n i64)
//		%p = load.unit i32x8 [%x + %t*4]           %v = load.unit i32x8 [%b + %t*4]
//		%q = load.unit i32x8 [%y + %t*4]           %w = load.unit i32x8 [%a + %t*4]
//		%s = add i32x8 %p, %q                      %s = add i32x8 %w, %v
//
// Parameters correspond one to one, in any order: twins pass what the first of the kernels
// wants. Constants at which two kernels differ become parameters where that is free at run
// time (mergefree.go), and so do displacements (mergemove.go), if the whole becomes smaller
// (mergecost.go).

// Merged is a kernel that has been given up for another one.
type Merged struct {
	Kernel, Into int // numbers of kernels
	Bytes        int // by which code becomes smaller, as estimated; 0 when that is not known
}

// Whole merges whole kernels of a package. It returns the kernels as they are then, in the
// same order: those that share a body have the same Fn, which is made of the function of
// the first of them and has its name. The kernels given are not changed.
func Whole(ks []*plan.Kernel, opt Options) ([]*plan.Kernel, []Merged) {
	out := slices.Clone(ks)
	if opt.Level == None {
		return out, nil
	}
	var merged []Merged
	for _, g := range groups(ks, opt) {
		for _, part := range g.partition(opt) {
			if len(part.members) > 1 {
				merged = append(merged, part.replace(out, opt)...)
			}
		}
	}
	slices.SortStableFunc(merged, func(a, b Merged) int { return a.Kernel - b.Kernel })
	return out, merged
}

// A group are kernels that are congruent to the first of them.
type group struct{ members []member }

// A member is a kernel, and what of it stands for what of the leader of its group.
type member struct {
	at       int
	kernel   *plan.Kernel
	subject  *subject
	matching *matching // with the leader; of the leader nil
}

// groups lists kernels by what they are congruent to, in order of the first ones.
func groups(ks []*plan.Kernel, opt Options) []*group {
	var gs []*group
	for i, k := range ks {
		m := member{at: i, kernel: k, subject: newSubject(k.Fn)}
		if !joinAny(gs, m, opt.most()) {
			gs = append(gs, &group{[]member{m}})
		}
	}
	return gs
}

// joinAny adds m to the group to whose leader it is congruent with least slack.
func joinAny(gs []*group, m member, most slack) bool {
	for s := min(constants, most); s <= most; s++ {
		for _, g := range gs {
			if g.join(m, s) {
				return true
			}
		}
	}
	return false
}

// join adds m if it is congruent to the leader.
func (g *group) join(m member, s slack) bool {
	leader := g.members[0]
	if leader.kernel.Level != m.kernel.Level {
		return false
	}
	m.matching = match(leader.subject, m.subject, s)
	if m.matching != nil {
		g.members = append(g.members, m)
	}
	return m.matching != nil
}
