package simplify

import (
	"fmt"
	"maps"
	"strings"

	"github.com/lanewise/lanewise/vectorize/alias"
	"github.com/lanewise/lanewise/vectorize/boolean"
	"github.com/lanewise/lanewise/vir"
)

// A table holds what is available at a point of the function.
type table struct {
	values map[string]*vir.Value
	checks map[string][]*vir.Value // by operation and operands without mask

	// Memory: what is known of addresses, as no store behind that may have changed
	// them. Valid within one block.
	loads map[string]access
}

// access is the value last seen at an address.
type access struct {
	value *vir.Value
	by    *vir.Value // the access that showed it
	mask  *vir.Value // the value is defined only under the mask
}

// tableFor starts from what the immediate dominator knows.
func (r *rewriter) tableFor(b *vir.Block) *table {
	from := r.tables[r.dom.Idom(b)]
	t := &table{values: make(map[string]*vir.Value), checks: make(map[string][]*vir.Value), loads: make(map[string]access)}
	if from != nil {
		maps.Copy(t.values, from.values)
		maps.Copy(t.checks, from.checks)
	}
	return t
}

// keyOf is equal for values that compute the same.
func keyOf(v *vir.Value) string {
	var sb strings.Builder
	fmt.Fprintf(&sb, "%s %s", v.Op, v.Type)
	for _, a := range v.Args {
		fmt.Fprintf(&sb, " %d", a.ID())
	}
	for _, b := range v.Bits {
		fmt.Fprintf(&sb, " #%x", b)
	}
	if v.Imm != 0 {
		fmt.Fprintf(&sb, " @%d", v.Imm)
	}
	if v.Lanes != nil {
		fmt.Fprintf(&sb, " %v", v.Lanes)
	}
	return sb.String()
}

func checkKey(v *vir.Value) string {
	key := v.Op.String()
	for _, a := range v.WithoutMask() {
		key += fmt.Sprintf(" %d", a.ID())
	}
	return key
}

// checked reports whether an earlier check passes only if v does.
func (t *table) checked(v *vir.Value) bool {
	for _, c := range t.checks[checkKey(v)] {
		if boolean.Under(v, c) {
			return true
		}
	}
	return false
}

func (t *table) addCheck(v *vir.Value) {
	k := checkKey(v)
	t.checks[k] = append(t.checks[k][:len(t.checks[k]):len(t.checks[k])], v)
}

func addressKey(v *vir.Value) string {
	idx := 0
	if x := v.Index(); x != nil {
		idx = x.ID()
	}
	form := "lane"
	switch v.Op {
	case vir.OpLoadUnit, vir.OpStoreUnit:
		form = "unit"
	case vir.OpLoadReverse, vir.OpStoreReverse:
		form = "reverse"
	}
	return fmt.Sprintf("%s %s %d %d*%d+%d", form, v.Access(), v.Base().ID(), idx, v.Scale, v.Disp)
}

// load finds a value that v would load, nil when there is none, and remembers v.
func (t *table) load(v *vir.Value) *vir.Value {
	k := addressKey(v)
	a, ok := t.loads[k]
	if ok && (a.mask == nil || v.Masked && boolean.Implies(v.Mask(), a.mask)) {
		return a.value
	}
	t.loads[k] = access{v, v, v.Mask()}
	return nil
}

// holds reports whether v stores what its address holds already, as in
// x[i] = x[i]. Go's compiler leaves such stores out too.
func (t *table) holds(v *vir.Value) bool {
	a, ok := t.loads[addressKey(v)]
	return ok && a.value == v.Stored() && (a.mask == nil || v.Masked && boolean.Implies(v.Mask(), a.mask))
}

// maxKnown is the number of addresses that a store is compared with, so that blocks of
// thousands of stores do not take forever. Behind more of them it changes all.
const maxKnown = 256

// store forgets the memory that v may change, and notes what it stores. Where v stores
// under a mask the value is known only there.
func (t *table) store(v *vir.Value) {
	if len(t.loads) > maxKnown {
		clear(t.loads)
	}
	maps.DeleteFunc(t.loads, func(_ string, a access) bool { return !disjoint(v, a.by) })
	t.loads[addressKey(v)] = access{v.Stored(), v, v.Mask()}
}

// disjoint reports whether two accesses have no byte in common. Of those that are
// vectors nothing is known.
func disjoint(v, w *vir.Value) bool {
	lane := func(x *vir.Value) bool { return x.Op == vir.OpLoad || x.Op == vir.OpStore }
	return lane(v) && lane(w) && alias.Compare(v, w) == alias.Disjoint
}
