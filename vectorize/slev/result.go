package slev

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vir"
)

// Result is immutable.
type Result struct {
	region *loops.Region
	cycles *loops.Cycles
	post   *loops.Dom

	shapes    map[*vir.Value]Shape
	addrs     map[*vir.Value]Shape
	divergent map[*vir.Block]bool
	mixed     map[*vir.Value]mixture               // of phis
	late      map[operand]bool                     // of phis where lanes meet that left a loop in different iterations
	apart     map[*loops.Cycle]map[*vir.Block]bool // where lanes are together that left it in different iterations
	exits     map[*loops.Cycle]map[loops.Edge]bool // by which a lane leaves while others stay
	partial   map[*vir.Block]bool
	loops     []Loop

	same *congruence
}

// operand is an operand of a phi.
type operand struct {
	phi *vir.Value
	i   int
}

// mixture says why lanes that are together get different values from a phi.
type mixture uint8

const (
	mixedEdges      mixture = 1 << iota // over edges with different definitions
	mixedIterations                     // with one definition of different iterations
)

// Chosen is the operand that select v is in all lanes, whatever their conditions; nil if these matter.
func (r *Result) Chosen(v *vir.Value) *vir.Value {
	if k := r.same.chosen(v); k > 0 {
		return v.Args[k]
	}
	return nil
}

// A Loop is a cycle inside of what the lanes run.
type Loop struct {
	*loops.Cycle
	// Exits are its divergent exits: a lane may leave there while others stay.
	// Without any, all lanes that are in the loop together leave it together; its
	// branches stay branches. With some, it runs until its last lane leaves, and the
	// other exits let all the lanes out that are left.
	Exits []loops.Edge
	// LiveOuts are the definitions that a lane takes along through a divergent
	// exit and that change from iteration to iteration: their values must be kept
	// per lane as it leaves.
	LiveOuts []*vir.Value
}

// Divergent reports whether lanes may leave the loop in different iterations or
// by different exits.
func (l *Loop) Divergent() bool { return len(l.Exits) > 0 }

// Shape is the shape of v's result, for the lanes that compute it together.
func (r *Result) Shape(v *vir.Value) Shape { return r.shapes[v] }

// Use is the shape of operand i of v for the lanes that execute v together: that
// of its definition, unless it is stale.
func (r *Result) Use(v *vir.Value, i int) Shape {
	if s := r.shapes[v.Args[i]]; s.Kind == Bottom || !r.IsStale(v, i) {
		return s
	}
	return random
}

// IsStale reports whether lanes may read operand i of v from a loop that they
// have left in different iterations: each from its own last one.
func (r *Result) IsStale(v *vir.Value, i int) bool {
	x, at := v.Args[i], v.Block
	if v.Op == vir.OpPhi {
		at = v.Block.Preds[i]
		if r.late[operand{v, i}] {
			return true
		}
	}
	for c := r.cycles.Of(x.Block); c != nil; c = c.Parent {
		if r.apart[c][at] && !r.same.invariant(x, c) {
			return true
		}
	}
	return false
}

// Address is the shape, in bytes, of the address of memory operation v.
func (r *Result) Address(v *vir.Value) Shape { return r.addrs[v] }

// IsUniform reports whether all lanes of v are equal.
func (r *Result) IsUniform(v *vir.Value) bool { return r.shapes[v].Kind == Uniform }

// Stride is the stride of a strided (or uniform: 0) value.
func (r *Result) Stride(v *vir.Value) (int64, bool) {
	s := r.shapes[v]
	return s.Stride, s.affine()
}

// IsDivergent reports whether the lanes may disagree on the branch that ends b.
// Where they do not, it stays a branch, for the lanes that come to it: see
// IsPartial.
func (r *Result) IsDivergent(b *vir.Block) bool { return r.divergent[b] }

// Influence is the influence region of the branch that ends b: the blocks behind
// it and before its immediate post-dominator.
func (r *Result) Influence(b *vir.Block) []*vir.Block { return r.region.Influence(r.post, b) }

// IsPartial reports whether b may be executed for some of the lanes without the
// others: it lies in the influence region of a divergent branch. What is done
// there needs a mask, and a uniform branch there needs some active lane.
func (r *Result) IsPartial(b *vir.Block) bool { return r.partial[b] }

// IsBlend reports whether lanes that come to phi together get different
// definitions from it, so that it becomes a blend. All other phis choose one
// definition for all lanes.
func (r *Result) IsBlend(phi *vir.Value) bool { return r.mixed[phi]&mixedEdges != 0 }

// Loops are the cycles inside of what the lanes run, outer ones first.
func (r *Result) Loops() []Loop { return r.loops }

// IsReducible reports whether all of Loops are natural loops.
func (r *Result) IsReducible() bool {
	return !slices.ContainsFunc(r.loops, func(l Loop) bool { return len(l.Entries) > 1 })
}

// summarize answers what follows from the classification.
func (r *Result) summarize() {
	for _, b := range r.region.Blocks {
		if !r.divergent[b] {
			continue
		}
		for _, x := range r.Influence(b) {
			r.partial[x] = true
		}
	}
	for _, c := range r.cycles.All {
		l := Loop{Cycle: c}
		for _, e := range c.Exits {
			if r.exits[c][e] {
				l.Exits = append(l.Exits, e)
			}
		}
		l.LiveOuts = r.liveOuts(&l)
		r.loops = append(r.loops, l)
	}
}

// liveOuts finds the values of l that somebody reads behind its divergent exits.
func (r *Result) liveOuts(l *Loop) []*vir.Value {
	read := make(map[*vir.Value]bool)
	for _, e := range l.Exits {
		r.readBehind(e, l, read)
	}
	var outs []*vir.Value
	for _, b := range l.Blocks {
		for _, v := range b.Insts {
			if read[v] && !r.same.invariant(v, l.Cycle) {
				outs = append(outs, v)
			}
		}
	}
	return outs
}

// readBehind adds what is read behind exit e of l before control comes to l
// again. Lanes that leave the region take along what anybody reads outside.
func (r *Result) readBehind(e loops.Edge, l *Loop, read map[*vir.Value]bool) {
	seen := make(map[*vir.Block]bool)
	var enter func(from, b *vir.Block)
	enter = func(from, b *vir.Block) {
		for _, phi := range b.Phis() {
			for i, p := range b.Preds {
				if p == from {
					read[phi.Args[i]] = true
				}
			}
		}
		if seen[b] || b == r.region.Entry || l.Contains(b) {
			return
		}
		seen[b] = true
		for _, v := range b.Insts[len(b.Phis()):] {
			for _, x := range v.Args {
				read[x] = true
			}
		}
		for _, s := range b.Succs {
			enter(b, s)
		}
	}
	enter(e.From, e.To)
}

// Note is the annotation of v for vir.PrintOptions.
func (r *Result) Note(v *vir.Value) string {
	var notes []string
	switch {
	case v.Op == vir.OpBr && r.IsDivergent(v.Block):
		notes = append(notes, "divergent")
	case v.Op == vir.OpBr && r.region.Contains(v.Block) && r.Use(v, 0).Kind == Uniform:
		notes = append(notes, "uniform")
	case v.Type.Elem != vir.Void:
		notes = append(notes, r.Shape(v).String())
	}
	if a, ok := r.addrs[v]; ok {
		notes = append(notes, "address "+a.String())
	}
	if v.Op == vir.OpPhi && r.IsBlend(v) {
		notes = append(notes, "blend")
	}
	for i, x := range v.Args {
		if r.IsStale(v, i) {
			notes = append(notes, "stale %"+x.Name)
		}
	}
	return strings.Join(notes, ", ")
}

// Report is a line for each loop, in words.
func (r *Result) Report() string {
	var sb strings.Builder
	for _, l := range r.loops {
		kind := "uniform"
		if l.Divergent() {
			kind = "divergent"
		}
		if len(l.Entries) > 1 {
			kind += ", irreducible"
		}
		fmt.Fprintf(&sb, "loop %s: %s", l.Header.Name, kind)
		for i, e := range l.Exits {
			fmt.Fprintf(&sb, "%s%s to %s", sep(i, ", lanes leave from "), e.From.Name, e.To.Name)
		}
		for i, v := range l.LiveOuts {
			fmt.Fprintf(&sb, "%s%%%s", sep(i, ", live out "), v.Name)
		}
		sb.WriteString("\n")
	}
	var partial []string
	for _, b := range r.region.Blocks {
		if r.partial[b] {
			partial = append(partial, b.Name)
		}
	}
	if partial != nil {
		fmt.Fprintf(&sb, "partial: %s\n", strings.Join(partial, " "))
	}
	return sb.String()
}

func sep(i int, first string) string {
	if i == 0 {
		return first
	}
	return ", "
}
