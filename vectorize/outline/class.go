package outline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lanewise/lanewise/vir"
)

// class names the congruence class of v: values of one class are the same operation on
// the same types, as far as the operation sees them, whatever their operands are. What
// decides about the instruction is part of it: lanes, scales, shift counts. Displacements
// are not: they may become parameters.
func class(v *vir.Value) string {
	var sb strings.Builder
	fmt.Fprintf(&sb, "%s %s", v.Op, seenType(v.Op, v.Type))
	operands := make([]string, len(v.Args))
	for i, a := range v.Args {
		operands[i] = seenType(v.Op, a.Type)
		if bits, ok := selecting(v, i); ok {
			operands[i] += fmt.Sprintf("=%x", bits)
		}
	}
	if v.Op.Info().Commutative {
		slices.Sort(operands)
	}
	fmt.Fprint(&sb, operands)
	fmt.Fprintf(&sb, " %t*%d", v.Indexed, v.Scale)
	if v.Masked {
		sb.WriteString(" masked")
	}
	fmt.Fprintf(&sb, " %d %v", v.Imm, v.Lanes)
	return sb.String()
}

// seenType is the part of t that operations op distinguish: those that only move lanes
// see how wide they are.
func seenType(op vir.Op, t vir.Type) string {
	if !t.IsVector() || t.IsMask() || !moves(op) {
		return t.String()
	}
	return fmt.Sprintf("%dx%d", t.Elem.Bits(), t.Lanes)
}

// selecting is a constant operand of v that decides which instructions v becomes, so
// that a parameter in its place would be another operation.
func selecting(v *vir.Value, i int) (bits []uint64, ok bool) {
	a := v.Args[i]
	if a.Op == vir.OpBroadcast && !a.Type.IsMask() {
		a = a.Args[0]
	}
	if a.Op != vir.OpConst {
		return nil, false
	}
	switch v.Op {
	case vir.OpShl, vir.OpLshr, vir.OpAshr, vir.OpRotl, vir.OpMul, vir.OpSdiv, vir.OpUdiv, vir.OpSrem, vir.OpUrem, vir.OpPermute:
		return a.Bits, true
	}
	return a.Bits, len(a.Bits) > 1 || a.Type.Elem == vir.Bool || simple(a)
}

// simple holds for zeros and ones, for which machines have instructions of their own.
func simple(c *vir.Value) bool {
	bits, _ := c.IsConst()
	return c.Type.IsVector() && (bits == 0 || bits == 1<<c.Type.Elem.Bits()-1)
}
