package slp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lanewise/lanewise/vir"
)

// text draws nodes: each with its number, what it does, its lanes, its operands and
// its cost.
func (g *Graph) text(nodes []*node, sums []*reduction) string {
	var sb strings.Builder
	for _, n := range nodes {
		fmt.Fprintf(&sb, "%d: %s %s", slices.Index(g.nodes, n), n.what(), n.lanesText())
		for i, a := range n.args {
			sep := ", "
			if i == 0 {
				sep = " <- "
			}
			fmt.Fprintf(&sb, "%s%s%d", sep, n.signText(i), slices.Index(g.nodes, a))
		}
		fmt.Fprintf(&sb, "  %+.4g", n.price)
		if x := g.extracts(n); x != 0 {
			fmt.Fprintf(&sb, ", extracts %+.4g", x)
		}
		if x := g.awaits(n); x != 0 {
			fmt.Fprintf(&sb, ", waits %+.4g", x)
		}
		sb.WriteByte('\n')
	}
	for _, s := range sums {
		way := "halves"
		if s.pairwise {
			way = "pairs"
		}
		fmt.Fprintf(&sb, "reduce %s by %s", s.op, way)
		for i, p := range s.groups {
			sep := ", "
			if i == 0 {
				sep = " <- "
			}
			if p.minus {
				sep += "-"
			}
			fmt.Fprintf(&sb, "%s%d", sep, slices.Index(g.nodes, p.node))
		}
		fmt.Fprintf(&sb, "  %+.4g\n", s.cost(g.opt.Costs))
	}
	return sb.String()
}

// what is the operation and type of a node.
func (n *node) what() string {
	t := n.typ()
	switch n.kind {
	case constants:
		return fmt.Sprintf("const %s", t)
	case splat:
		return fmt.Sprintf("splat %s", t)
	case gather:
		return fmt.Sprintf("gather %s", t)
	case shuffle:
		return fmt.Sprintf("shuffle %s %v", t, n.lanes)
	case span:
		return fmt.Sprintf("load %s %v", t, n.lanes)
	case super:
		return fmt.Sprintf("super %s %s", n.op, t)
	case alternate:
		return fmt.Sprintf("%s/%s %s", n.op, n.alt, t)
	}
	return fmt.Sprintf("%s %s", n.op, t)
}

// signText is the sign of an argument of a super-node.
func (n *node) signText(arg int) string {
	if n.kind != super || n.op == n.alt {
		return ""
	}
	switch plus, minus := n.signs(arg); {
	case plus && minus:
		return "±"
	case minus:
		return "-"
	}
	return "+"
}

// lanesText is the scalars of a node by name, stores by what they store.
func (n *node) lanesText() string {
	names := make([]string, len(n.scalars))
	for i, v := range n.scalars {
		names[i] = name(v)
	}
	if n.kind == constants && !slices.ContainsFunc(names, func(s string) bool { return s != names[0] }) {
		names = names[:1]
	}
	return "{" + strings.Join(names, " ") + "}"
}

func name(v *vir.Value) string {
	switch {
	case v == nil:
		return "_"
	case v.Op == vir.OpConst:
		_, text, _ := strings.Cut(v.Inst(), "= ")
		return strings.Join(strings.Fields(text)[2:], " ")
	case v.Op == vir.OpStore:
		return name(v.Stored())
	case v.Name != "":
		return "%" + v.Name
	}
	return fmt.Sprintf("%%v%d", v.ID())
}
