package slp

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// A kind says how the lanes of a node come about.
type kind uint8

const (
	constants kind = iota // known numbers
	splat                 // one scalar in all lanes
	gather                // scalars put together
	shuffle               // lanes of one or two other nodes
	operation             // the same operation on all lanes
	alternate             // one of two operations on each lane
	super                 // a chain of operations with many operands (super.go)
	load                  // neighbours in memory
	span                  // elements of a stretch of memory, in any order, with gaps
	store                 // neighbours in memory
	phis                  // phis of one block
)

// A node is a group of scalars that are lanes of one vector. Lanes that nobody looks at
// are nil.
type node struct {
	kind    kind
	scalars []*vir.Value
	op, alt vir.Op // alt is that of the lanes in which it differs from op
	args    []*node
	lanes   []int        // of a shuffle, out of those of args one behind the other; of a span, in elements from its lowest
	uniform *vir.Value   // condition of a select, if it is the same in all lanes
	inner   []*vir.Value // operations of a super-node that are no lanes
	terms   [][]term     // of a super-node: operands with signs, by argument and lane

	price float64    // by itself, vector minus scalar
	vec   *vir.Value // once it is written
}

// packs reports whether the scalars of the node are replaced by lanes of its vector.
func (n *node) packs() bool { return n.kind >= operation }

func (n *node) width() int { return len(n.scalars) }

// first is a scalar of the node.
func (n *node) first() *vir.Value {
	for _, v := range n.scalars {
		if v != nil {
			return v
		}
	}
	return nil
}

// element is the type of a lane of the node.
func (n *node) element() vir.Elem {
	v := n.first()
	if n.kind == store {
		return v.Stored().Type.Elem
	}
	return v.Type.Elem
}

// typ is the type of the node's vector.
func (n *node) typ() vir.Type { return vir.Vec(n.element(), n.width()) }

// present are the lanes that somebody looks at.
func present(vs []*vir.Value) []*vir.Value {
	return slices.DeleteFunc(slices.Clone(vs), func(v *vir.Value) bool { return v == nil })
}

// all reports whether ok holds for the lanes that somebody looks at.
func all(vs []*vir.Value, ok func(*vir.Value) bool) bool {
	return !slices.ContainsFunc(vs, func(v *vir.Value) bool { return v != nil && !ok(v) })
}

// operand is operand k of each lane.
func operand(vs []*vir.Value, k int) []*vir.Value {
	args := make([]*vir.Value, len(vs))
	for i, v := range vs {
		if v != nil {
			args[i] = v.Args[k]
		}
	}
	return args
}
