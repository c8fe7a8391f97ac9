package rows

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// outside are the blocks of an iteration but for those of the inner loop.
func (j *joiner) outside() []*vir.Block {
	var bs []*vir.Block
	for _, b := range loops.RPO(j.fn()) {
		if b != j.fn().Entry() && b != j.outerHeader() && b != j.exit() && !j.loop.Contains(b) {
			bs = append(bs, b)
		}
	}
	return bs
}

// stored finds the blocks before whose first instruction the iteration may have
// stored something. Blocks come in an order in which the edges of an iteration lead
// forward.
func (j *joiner) stored() map[*vir.Block]bool {
	before := make(map[*vir.Block]bool)
	for _, b := range loops.RPO(j.fn()) {
		if b == j.outerHeader() || b == j.fn().Entry() {
			continue
		}
		for _, p := range b.Preds {
			if p == j.outerHeader() || j.loop.Contains(b) && p != j.pre {
				continue
			}
			own := slices.ContainsFunc(p.Insts, func(v *vir.Value) bool { return v.Op.IsStore() })
			before[b] = before[b] || before[p] || own || j.loop.Contains(p) && j.Nest.stores
		}
	}
	return before
}

// hoistChecks copies what stands behind a store of its iteration and may fail to the
// start of the iteration, and drops it where it stood. The tests of the row must not
// stand behind a store at all.
func (j *joiner) hoistChecks() error {
	j.delay()
	before := j.stored()
	if before[j.header] {
		return pass.Refuse(id, nil, "something is stored before the inner loop")
	}
	for _, b := range j.outside() {
		late := before[b]
		for _, v := range slices.Clone(b.Insts) {
			switch {
			case v.Op.IsStore():
				late = true
			case v.Op.IsCheck() && late:
				c := &copier{j: j, to: make(map[*vir.Value]*vir.Value)}
				args := make([]*vir.Value, len(v.Args))
				for i, a := range v.Args {
					if args[i] = c.early(a); args[i] == nil {
						return pass.Refuse(id, v, "something is checked behind a store of the same iteration")
					}
				}
				j.atStart(&vir.Value{Op: v.Op, Args: args, Pos: v.Pos})
				v.Remove()
			}
		}
		if b == j.pre && late {
			return pass.Refuse(id, nil, "something is stored before the inner loop")
		}
	}
	return nil
}

// A copier copies values to the start of an iteration.
type copier struct {
	j  *joiner
	to map[*vir.Value]*vir.Value
}

// early is v at the start of an iteration; nil when it is known later only.
func (c *copier) early(v *vir.Value) *vir.Value {
	j := c.j
	switch {
	case c.to[v] != nil:
		return c.to[v]
	case v.Block == nil || v.Block == j.fn().Entry() || v.Block == j.outerHeader() || v.Block == j.start:
		return v
	case v.Op == vir.OpPhi || v.Op.Info().Effect || v.Op.IsLoad() || edit.Divides(v.Op):
		return nil
	}
	w := *v
	w.Args = make([]*vir.Value, len(v.Args))
	for i, a := range v.Args {
		if w.Args[i] = c.early(a); w.Args[i] == nil {
			return nil
		}
	}
	x := j.atStart(&w)
	c.to[v] = x
	return x
}

// atStart adds v to the end of the start of an iteration.
func (j *joiner) atStart(v *vir.Value) *vir.Value {
	s := j.start
	term := s.Term()
	s.Insts = s.Insts[:len(s.Insts)-1]
	j.b.Cur = s
	j.b.Append(v)
	s.Insts = append(s.Insts, term)
	return v
}

// checks makes branches of the checks outside of the inner loop.
func (j *joiner) checks() {
	for _, b := range j.outside() {
		for i := 0; i < len(b.Insts); i++ {
			v := b.Insts[i]
			switch {
			case v.Op == vir.OpIter:
				b.Insts = slices.Delete(b.Insts, i, i+1)
				i--
			case v.Op.IsCheck():
				rest := j.split(b, i)
				j.b.Cur, j.b.Pos = b, v.Pos
				j.b.Br(edit.Passes(j.b, v, v.Args), rest, j.exit())
				b, i = rest, -1
			}
		}
	}
}
