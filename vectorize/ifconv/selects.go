package ifconv

import (
	"slices"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// Selects turns small branches of a kernel that runs iterations as they are into choices:
//
//	   b                      b:
//	  / \                       both arms
//	then else      ==>          %p = select %c, %then, %else
//	  \ /                       ...
//	   join
//
// An arm may be missing. Arms that load, store or divide stay: what they do may be
// possible under the condition only. Arms that take long stay as well.
func Selects(u *pass.Unit) error {
	f := u.Func()
	for changed := true; changed; {
		changed = false
		heads := make(map[*vir.Block]bool)
		for _, l := range loops.Find(f).All {
			heads[l.Header] = true
		}
		for _, b := range f.Blocks {
			if d := diamondAt(b, u.Target); d != nil && !heads[d.join] && u.Count() {
				d.choose()
				edit.Merge(f)
				changed = true
				break
			}
		}
	}
	return nil
}

// A diamond is two ways from a branch to a block, of which one may be empty.
type diamond struct {
	from, join *vir.Block
	arms       [2]*vir.Block // nil for none
}

// maxArms is the most cycles that both arms of a branch may keep the machine busy.
const maxArms = 6

func diamondAt(b *vir.Block, t *target.Target) *diamond {
	if len(b.Succs) != 2 || b.Succs[0] == b.Succs[1] {
		return nil
	}
	d := &diamond{from: b}
	cycles := 0.0
	for i, s := range b.Succs {
		if c, ok := armCost(s, t); ok {
			d.arms[i] = s
			cycles += c
		}
	}
	switch x, y := d.arms[0], d.arms[1]; {
	case x != nil && y != nil && x.Succs[0] == y.Succs[0]:
		d.join = x.Succs[0]
	case x != nil && x.Succs[0] == b.Succs[1]:
		d.join, d.arms[1] = b.Succs[1], nil
	case y != nil && y.Succs[0] == b.Succs[0]:
		d.join, d.arms[0] = b.Succs[0], nil
	default:
		return nil
	}
	if cycles > maxArms || d.join == b {
		return nil
	}
	return d
}

// armCost is what arm b costs, if it is one.
func armCost(b *vir.Block, t *target.Target) (float64, bool) {
	if len(b.Preds) != 1 || len(b.Succs) != 1 || b.Term().Op != vir.OpJmp {
		return 0, false
	}
	cycles := 0.0
	for _, v := range b.Insts[:len(b.Insts)-1] {
		i := v.Op.Info()
		if i.Effect || i.Reads || v.Op == vir.OpPhi || edit.Divides(v.Op) {
			return 0, false
		}
		cycles += t.CostValue(v).Throughput
	}
	return cycles, true
}

// choose makes choices of the phis of the join, and lets one edge lead there.
func (d *diamond) choose() {
	b, join, f := d.from, d.join, d.from.Func
	var edges [2]int
	for i, arm := range d.arms {
		edges[i] = join.PredIndex(b)
		if arm != nil {
			edges[i] = join.PredIndex(arm)
			for _, v := range slices.Clone(arm.Insts[:len(arm.Insts)-1]) {
				edit.Move(v, b)
			}
		}
	}
	cond := b.Term().Args[0]
	b.Insts = b.Insts[:len(b.Insts)-1]
	build := vir.NewBuilder(f, b)
	for _, phi := range join.Phis() {
		x, y := phi.Args[edges[0]], phi.Args[edges[1]]
		if x != y {
			build.Pos = phi.Pos
			x = build.Op(vir.OpSelect, phi.Type, cond, x, y)
			x.Name = phi.Name
		}
		phi.Args[edges[0]] = x
		phi.Args = slices.Delete(phi.Args, edges[1], edges[1]+1)
	}
	join.Preds[edges[0]] = b
	join.Preds = slices.Delete(join.Preds, edges[1], edges[1]+1)
	b.Succs = []*vir.Block{join}
	build.Append(&vir.Value{Op: vir.OpJmp})
	f.Blocks = slices.DeleteFunc(f.Blocks, func(x *vir.Block) bool { return x != nil && (x == d.arms[0] || x == d.arms[1]) })
}
