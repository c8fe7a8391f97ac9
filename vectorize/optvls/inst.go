package optvls

import (
	"fmt"
	"strings"
)

// An Op is what an abstract instruction does.
type Op int

const (
	Value   Op = iota // the vector that a member of a store group stores
	Load              // lanes that lie one behind the other in memory
	Shuffle           // lanes of one or two vectors
	Store             // lanes that lie one behind the other in memory
)

// An Inst is an abstract instruction. Its lanes are units of the group: where
// members have elements of different sizes, or of 16 bytes, a lane is a part of an
// element, and the client reinterprets the bits of results and values.
type Inst struct {
	Op     Op
	Type   Type  // of the result; of a store, of what it stores
	Args   []int // the sources of a shuffle or what a store stores, as indices into the code
	Lanes  []int // of a shuffle: lane k is lane Lanes[k] of the sources one behind the other, -1 is any
	Member int   // of a value: which member of the group

	// A load or store accesses the lanes one behind the other from Offset bytes
	// behind where the first member of the group is in lane Row; Row is 0 when
	// strided. Rows has for each lane accessed the lane of the memrefs that it
	// belongs to, -1 for a gap. When Masked, gaps must not be touched, nor, in a
	// masked group, anything of inactive rows; else all may be: a store then writes
	// any value to gaps, for a later store of the code to overwrite.
	Row    int
	Offset int64
	Rows   []int
	Masked bool
}

// Code is a sequence of instructions, sources before their uses.
type Code struct {
	Insts   []Inst
	Results []int // of a load group: for each member the instruction that gives its value
	Cost    int   // of all instructions, as the client counts
}

// String prints the code one instruction a line. Vectors are numbered from 1.
func (c *Code) String() string {
	var b strings.Builder
	for i := range c.Insts {
		in := &c.Insts[i]
		switch in.Op {
		case Value:
			fmt.Fprintf(&b, "%%%d = value %s member %d\n", i+1, in.Type, in.Member)
		case Load:
			fmt.Fprintf(&b, "%%%d = mask.load.%d.%d (%s)\n", i+1, in.Type.Bits, in.Type.Lanes, in.address())
		case Store:
			fmt.Fprintf(&b, "mask.store.%d.%d %%%d (%s)\n", in.Type.Bits, in.Type.Lanes, in.Args[0]+1, in.address())
		case Shuffle:
			fmt.Fprintf(&b, "%%%d = shufflevector ", i+1)
			for _, a := range in.Args {
				fmt.Fprintf(&b, "%s %%%d, ", c.Insts[a].Type, a+1)
			}
			fmt.Fprintf(&b, "<%d x 32>%s\n", len(in.Lanes), angle(in.Lanes, ", "))
		}
	}
	return b.String()
}

func (in *Inst) address() string {
	mask := make([]bool, len(in.Rows))
	for i, r := range in.Rows {
		mask[i] = !in.Masked || r >= 0
	}
	return fmt.Sprintf("<Base:%d Offset:%d>, %s", in.Row, in.Offset, digits(mask))
}

// angle prints lanes as <0, 4, 2, 6>, any lane as u.
func angle(lanes []int, sep string) string {
	s := make([]string, len(lanes))
	for i, l := range lanes {
		s[i] = fmt.Sprint(l)
		if l < 0 {
			s[i] = "u"
		}
	}
	return "<" + strings.Join(s, sep) + ">"
}
