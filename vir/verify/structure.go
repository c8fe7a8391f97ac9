package verify

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

func (c *checker) function() {
	if c.f.Name == "" {
		c.funcf("function without a name")
	}
	if len(c.f.Blocks) == 0 {
		c.funcf("function without blocks")
		return
	}
	names := make(map[string]bool)
	for _, b := range c.f.Blocks {
		switch {
		case b.Name == "":
			c.blockf(b, "block without a name")
		case names[b.Name]:
			c.blockf(b, "block name used twice")
		}
		names[b.Name] = true
		if b.Func != c.f {
			c.blockf(b, "block belongs to another function")
		}
	}
	for _, t := range c.f.Results {
		if !validType(t) {
			c.funcf("bad result type %s", t)
		}
	}
	if len(c.f.Entry().Preds) > 0 {
		c.blockf(c.f.Entry(), "entry has predecessors")
	}
	c.reachable()
}

func (c *checker) reachable() {
	seen := map[*vir.Block]bool{c.f.Entry(): true}
	work := []*vir.Block{c.f.Entry()}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range b.Succs {
			if !seen[s] {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	for _, b := range c.f.Blocks {
		if !seen[b] {
			c.blockf(b, "block cannot be reached from the entry")
		}
	}
}

// index records where values stand and checks what identifies them.
func (c *checker) index() {
	ids := make([]bool, c.f.NumIDs())
	note := func(v *vir.Value, p place) {
		if _, ok := c.where[v]; ok {
			c.valuef(v, "value stands in two places")
			return
		}
		c.where[v] = p
		if v.ID() <= 0 || v.ID() >= len(ids) || ids[v.ID()] {
			c.valuef(v, "bad or repeated ID %d", v.ID())
		} else {
			ids[v.ID()] = true
		}
		if v.Block != p.block {
			c.valuef(v, "Block field names another block")
		}
	}
	for i, v := range c.f.Params {
		note(v, place{nil, i})
	}
	for _, b := range c.f.Blocks {
		for i, v := range b.Insts {
			if v == nil {
				c.blockf(b, "instruction %d is nil", i)
				continue
			}
			note(v, place{b, i})
		}
	}
}

func (c *checker) params() {
	names := make(map[string]bool)
	for _, v := range c.f.Params {
		if v.Op != vir.OpParam {
			c.funcf("parameter %%%s is a %s", v.Name, v.Op)
		}
		if v.Name == "" {
			c.funcf("parameter without a name")
		} else if names[v.Name] {
			c.funcf("two parameters are called %%%s", v.Name)
		}
		names[v.Name] = true
		if !validType(v.Type) {
			c.funcf("parameter %%%s has bad type %s", v.Name, v.Type)
		}
		c.facts(v)
	}
}

func (c *checker) facts(v *vir.Value) {
	p := v.Param
	if p == (vir.ParamFacts{}) {
		return
	}
	if v.Type != vir.Scalar(vir.Ptr) {
		c.funcf("parameter %%%s is no pointer but has facts", v.Name)
	}
	if p.ElemSize < 0 || p.FixedLen < 0 {
		c.funcf("parameter %%%s has a negative fact", v.Name)
	}
	if p.Copied && !p.Immutable {
		c.funcf("%%%s is copied, but not immutable", v.Name)
	}
	if n := len(p.Content); n > 0 && (!p.Immutable || int64(n) != p.FixedLen*int64(p.ElemSize)) {
		c.funcf("content of %%%s is not all of an immutable array", v.Name)
	}
	if p.Len != nil {
		if !slices.Contains(c.f.Params, p.Len) || p.Len.Type != vir.Scalar(vir.I64) {
			c.funcf("length of %%%s is no i64 parameter", v.Name)
		}
		if p.FixedLen != 0 {
			c.funcf("parameter %%%s has two lengths", v.Name)
		}
	}
	if (p.Len != nil || p.FixedLen != 0) && p.ElemSize == 0 {
		c.funcf("parameter %%%s has a length but no element size", v.Name)
	}
}

func (c *checker) block(b *vir.Block) {
	c.edges(b)
	body := false
	for i, v := range b.Insts {
		if v == nil {
			continue
		}
		switch {
		case v.Op == vir.OpParam:
			c.valuef(v, "parameter in a block")
		case v.Op == vir.OpPhi && body:
			c.valuef(v, "phi behind other instructions")
		case v.Op == vir.OpPhi && b == c.f.Entry():
			c.valuef(v, "phi in the entry")
		case v.Op.Info().Term && i < len(b.Insts)-1:
			c.valuef(v, "terminator in the middle of a block")
		}
		body = body || v.Op != vir.OpPhi
	}
	if n := len(b.Insts); n == 0 || b.Insts[n-1] != nil && !b.Insts[n-1].Op.Info().Term {
		c.blockf(b, "block does not end with a terminator")
	}
}

// edges compares Succs with the terminator and both edge lists with each other.
func (c *checker) edges(b *vir.Block) {
	if n := len(b.Insts); n > 0 && b.Insts[n-1] != nil {
		t := b.Insts[n-1]
		want := map[vir.Op]int{vir.OpJmp: 1, vir.OpBr: 2}[t.Op]
		if t.Op.Info().Term && len(b.Succs) != want {
			c.valuef(t, "%s has %d targets, not %d", t.Op, len(b.Succs), want)
		}
	}
	for i, s := range b.Succs {
		switch {
		case !slices.Contains(c.f.Blocks, s):
			c.blockf(b, "successor %d is no block of the function", i)
		case slices.Index(b.Succs, s) == i && count(s.Preds, b) != count(b.Succs, s):
			c.blockf(b, "%d edges to %s, which has %d from here", count(b.Succs, s), s.Name, count(s.Preds, b))
		}
	}
	for i, p := range b.Preds {
		switch {
		case !slices.Contains(c.f.Blocks, p):
			c.blockf(b, "predecessor %d is no block of the function", i)
		case slices.Index(b.Preds, p) == i && !slices.Contains(p.Succs, b):
			c.blockf(b, "predecessor %s has no edge to here", p.Name)
		}
	}
}

func count(bs []*vir.Block, b *vir.Block) int {
	n := 0
	for _, x := range bs {
		if x == b {
			n++
		}
	}
	return n
}

// validType reports whether a value may have type t.
func validType(t vir.Type) bool {
	n := t.Lanes
	return t.Elem != vir.Void && t.Elem <= vir.Ptr && n >= 0 && n <= MaxLanes && n&(n-1) == 0
}
