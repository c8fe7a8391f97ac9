package generate

import (
	"go/ast"
	"slices"

	"github.com/lanewise/lanewise/frontend"
	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/vectorize"
	"github.com/lanewise/lanewise/vectorize/rows"
	"github.com/lanewise/lanewise/vir/plan"
)

// Of a nest, lanes are iterations of the outer loop or of loops inside it, of those that
// promise more. A //vec:loop decides. Around an inner loop the one outside may become
// scalar code of the same kernel.

// A nest is an attempt with those at the loops directly inside.
type nest struct {
	*attempt
	inside []*nest
	before []diag.Remark // what was said of a kernel that has been dropped since
}

// nestsOf are the outermost loops of a twin; attempts come in syntax order.
func nestsOf(as []*attempt) []*nest {
	var top []*nest
	for _, a := range as {
		n := &nest{attempt: a}
		list := &top
		for len(*list) > 0 && contains((*list)[len(*list)-1].region.Loop, a.region.Loop) {
			list = &(*list)[len(*list)-1].inside
		}
		*list = append(*list, n)
	}
	return top
}

func contains(outer, inner ast.Node) bool {
	return outer.Pos() <= inner.Pos() && inner.End() <= outer.End()
}

// choose keeps one level of every nest and returns how much faster it is expected to
// be than the scalar loop: 1 when something in it stays scalar.
func (g *packager) choose(n *nest) float64 {
	if len(n.inside) == 0 {
		return n.gain()
	}
	if gain, ok := g.byLength(n); ok {
		return gain
	}
	gain, outer := g.level(n)
	if n.region.Once {
		n.quiet()
		return gain
	}
	if outer || len(n.inside) != 1 || n.inside[0].kernel == nil {
		return gain
	}
	least, ok := g.awaits(n)
	if !ok {
		return 1
	}
	g.rows(n, least)
	if n.kernel == nil {
		g.instead(n)
	}
	return gain
}

// handedRun is the number of iterations that the code as written does while a vector waits for an element that has just
// been stored, about 25 cycles.
const handedRun = 14

// awaits drops the kernel of the loop inside of n if it does in order what begins with an element that n has stored just
// before, so that all of it waits from row to row, in lanes as without. Where a part of a row waits, rows of less than least
// are left alone.
func (g *packager) awaits(n *nest) (least int64, ok bool) {
	inner := n.inside[0]
	if g.stages.handed == nil || len(inner.inside) > 0 || !inner.voluntary() {
		return 0, true
	}
	said := inner.said()
	if said < 0 {
		return 0, true
	}
	h := rows.NotHanded
	g.try(func() { h = g.stages.handed(&n.region.Region, inner.region.Clauses) })
	inOrder := inner.remarks[said].Args["partial"] != nil
	switch {
	case h == rows.NotHanded:
		return 0, true
	case h == rows.HandedFirst && inOrder && !inner.waitsForMemory():
		r := inner.region
		inner.drop(diag.Remark{Kind: diag.Missed, ID: "loopvec:Unprofitable", Pos: r.Pos, Func: r.Func, Twin: r.Twin,
			Msg: "the first element is what the loop around it has stored just before, and all iterations wait for it in order"})
		inner.waits = true
		return 0, false
	case !inOrder || h == rows.HandedFirst:
		inner.raise(handedRun)
	}
	return inner.kernel.Min, true
}

// said is the index of the remark that tells of the kernel, negative where there is none.
func (n *nest) said() int {
	return slices.IndexFunc(n.remarks, func(m diag.Remark) bool { return m.Kind == diag.Passed })
}

// raise has calls of the kernel, of which a remark tells, be for that many iterations more.
func (n *nest) raise(more int64) {
	k, said := *n.kernel, n.said()
	k.Min += more
	n.kernel, n.raised = &k, n.raised+more
	n.remarks[said] = vectorize.Raised(n.remarks[said], k.Min)
}

// entryCycles is what the function of a loop takes to be entered with a frame for calls, which the threshold of a kernel leaves out: the twin
// has entered it anyway. In each turn of a loop around it the code as written saves that.
const entryCycles = 3

// enoughPerTurn are as many iterations as make up for that in any case.
const enoughPerTurn = 8

// perTurn raises the thresholds of kernels that are called in each turn of a loop around theirs; inside says that there is one.
func (n *nest) perTurn(inside bool) {
	for _, k := range n.inside {
		k.perTurn(true)
	}
	_, scalar, ok := n.cycles()
	if inside && len(n.inside) == 0 && ok && n.voluntary() {
		n.raise(max(0, min(int64(entryCycles/scalar), enoughPerTurn-n.kernel.Min)))
	}
}

// inOrderCycles is what an iteration takes that adds to the sum of the one before, in cycles.
const inOrderCycles = 4

// waitsForMemory reports whether each iteration of the loop as written waits clearly longer for the one before, whose sum it
// loads again, than additions in order do in registers.
func (n *nest) waitsForMemory() bool {
	_, scalar, ok := n.cycles()
	return ok && scalar > 1.5*inOrderCycles
}

// level decides between the outer loop and those inside of it.
func (g *packager) level(n *nest) (gain float64, outer bool) {
	inner, asked := 0.0, false
	for i, k := range n.inside {
		gain := k.seenFrom(n, g.choose(k))
		if i == 0 || gain < inner {
			inner = gain
		}
		asked = asked || k.asked()
	}
	switch {
	case n.kernel == nil:
		n.taken = n.taken || !n.region.Asked && n.vectorizedInside()
		if n.taken && n.allInside() {
			n.quiet()
		}
		return inner, false
	case n.region.Once && !n.forced() && n.charged() > 1 && n.gain() < wholeMargin*n.charged():
	case n.region.Asked || !asked && (n.gain() > inner && (inner != perhaps || n.gain() > surely) || n.region.Once || n.forced()):
		if !n.leavesFew() {
			for _, k := range n.inside {
				k.cede(n.chosen())
			}
		}
		return n.gain(), true
	}
	n.leave("loopvec:InnerChosen", "a loop inside it is vectorized")
	return inner, false
}

// slower is how much longer an inner loop may take within a kernel of the loop around it, which saves a call for each row. Some of the ways of
// doing it, like taking numbers to be small, are for kernels of its own.
const slower = 1.5

// rows gives the outer loop a kernel that calls that of the loop inside, as it were.
// The inner one stays for what that kernel hands over. Rows of less than least are left alone.
func (g *packager) rows(n *nest, least int64) {
	inner := n.inside[0]
	if g.stages.rows == nil || len(inner.inside) > 0 || labelled(n.region.Loop) {
		return
	}
	k, remark := (*plan.Kernel)(nil), diag.Remark{}
	g.try(func() { k, remark = g.stages.rows(&n.region.Region, inner.region.Clauses, g.Passes) })
	if remark.ID == "" {
		return
	}
	if k == nil {
		n.remarks = append(n.remarks, remark)
		return
	}
	if _, short := inner.short(); short && !k.Adjoining {
		return
	}
	took, _ := remark.Args["inner"].(float64)
	if cost, _, ok := inner.cycles(); ok && took > slower*cost {
		remark.ID, remark.Msg, remark.Args = "loopvec:OneRowPerCall", "the loop inside takes longer in a kernel of both", nil
		n.remarks = append(n.remarks, remark)
		return
	}
	n.drop(remark)
	if k.Inner != nil {
		k.InnerMin = max(k.InnerMin, least)
	}
	n.kernel, n.taken, n.along = k, true, &inner.region.Clauses
}

// labelled reports whether a loop has labels inside or jumps to some. Copies of the
// loops inside of it would need other names for them.
func labelled(loop ast.Node) bool {
	found := false
	ast.Inspect(loop, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.LabeledStmt:
			found = true
		case *ast.BranchStmt:
			found = found || n.Label != nil
		}
		return !found
	})
	return found
}

// asked reports whether a //vec:loop stands at one of the loops that have a kernel.
func (n *nest) asked() bool {
	for _, k := range n.inside {
		if k.asked() {
			return true
		}
	}
	return n.region.Asked && n.kernel != nil
}

// vectorizedInside reports whether a loop inside of n has a kernel.
func (n *nest) vectorizedInside() bool {
	for _, k := range n.inside {
		if k.kernel != nil || k.vectorizedInside() {
			return true
		}
	}
	return false
}

// allInside reports whether all loops inside of n have kernels, or none that are better.
func (n *nest) allInside() bool {
	return !slices.ContainsFunc(n.inside, func(k *nest) bool { return k.kernel == nil && !k.taken })
}

// forced reports whether the kernel of n exists because one is required, and none exists
// inside.
func (n *nest) forced() bool {
	for _, k := range n.inside {
		if k.region.Clauses.Require && k.kernel == nil && !k.taken {
			return true
		}
	}
	return false
}

// cede leaves all loops of n to a loop around them.
func (n *nest) cede(id, msg string) {
	n.leave(id, msg)
	for _, k := range n.inside {
		k.cede(id, msg)
	}
}

// leave drops the kernel, which another one makes superfluous, and what has been said of how it does the loops inside.
func (n *nest) leave(id, msg string) {
	r := n.region
	n.remarks = slices.DeleteFunc(n.remarks, func(m diag.Remark) bool {
		return m.Kind == diag.Analysis && (m.ID == "loopvec:RowsInKernel" || m.ID == "loopvec:RowsAsOne" || m.ID == "loopvec:ByLength")
	})
	n.drop(diag.Remark{Kind: diag.Analysis, ID: id, Pos: r.Pos, Func: r.Func, Twin: r.Twin, Msg: msg})
	n.taken = true
}

// quietInside keeps it down about loops of t that are no regions but part of a kernel of a loop
// around them, unless they were asked for.
func (g *packager) quietInside(t *frontend.Twin) {
	for loop, why := range t.Scalar {
		within := func(a *attempt) bool {
			return a.kernel != nil && slices.Contains(t.Regions, a.region) && a.region.Loop != loop && contains(a.region.Loop, loop)
		}
		if why.Args["asked"] == true || !slices.ContainsFunc(g.regions, within) {
			continue
		}
		for i, r := range t.Remarks {
			if r.Pos == why.Pos && r.ID == why.ID {
				t.Remarks[i].Kind = diag.Analysis
			}
		}
	}
}
