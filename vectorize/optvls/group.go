package optvls

import (
	"fmt"
	"strings"
)

// A Group is a set of memrefs at constant distances that are accessed together.
type Group struct {
	Access  Access
	Members []Member // by offset; at equal offsets in program order
	Place   Memref   // the member where the group stands: loads at the first, stores at the last of the program
	Lanes   int      // VF
	Stride  int64    // bytes from lane to lane; 0 when indexed
	Vector  int      // bytes of a vector register
}

// A Member is a memref with its distance in bytes from the first member.
type Member struct {
	Ref    Memref
	Offset int64
	Type   Type
}

// Span is the number of bytes from the first to behind the last byte of one lane.
func (g *Group) Span() int64 {
	end := int64(0)
	for _, m := range g.Members {
		end = max(end, m.end())
	}
	return end
}

// Extent is the range of bytes that all lanes of a strided group lie in, relative
// to lane 0 of the first member. Of an indexed group it is the range of one lane.
func (g *Group) Extent() (from, to int64) {
	last := int64(g.Lanes-1) * g.Stride
	return min(0, last), max(0, last) + g.Span()
}

// Mask says for each unit of one lane's span whether a member touches it. A unit is
// the largest size that all offsets, strides and elements are multiples of.
func (g *Group) Mask() []bool {
	unit := int64(g.unit())
	mask := make([]bool, g.Span()/unit)
	for _, m := range g.Members {
		for o := m.Offset; o < m.end(); o += unit {
			mask[o/unit] = true
		}
	}
	return mask
}

// unit is the size in bytes that everything in the group is a multiple of. It has
// at most 8 bytes, the widest lane of a shuffle.
func (g *Group) unit() int {
	all := int64(8) | g.Stride
	for _, m := range g.Members {
		all |= m.Offset | int64(m.Type.Bits/8)
	}
	return int(all & -all)
}

func (m *Member) end() int64 { return m.Offset + int64(m.Type.Bits/8) }

// String prints access, stride, mask and the offsets of the members.
func (g *Group) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %d lanes", g.Access, g.Lanes)
	if !g.Access.Indexed {
		fmt.Fprintf(&b, ", stride %d", g.Stride)
	}
	b.WriteString(", mask " + digits(g.Mask()) + ":")
	for _, m := range g.Members {
		fmt.Fprintf(&b, " %d.%d", m.Offset, m.Type.Bits)
	}
	return b.String()
}

func digits(mask []bool) string {
	s := make([]byte, len(mask))
	for i, m := range mask {
		s[i] = '0'
		if m {
			s[i] = '1'
		}
	}
	return string(s)
}
