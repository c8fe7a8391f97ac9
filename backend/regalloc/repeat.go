package regalloc

import (
	"slices"
	"strings"

	"github.com/lanewise/lanewise/backend/machine"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Routines that leave a register alone leave there what was copied into it for the
// first of several calls. Copies, and constants and parameters that are read, are done
// again only if something wrote their registers in between:
//
//	in(b)  = intersection of out(p) over predecessors p of b, nothing for the entry
//	out(b) = in(b) less what b writes, plus what it copies behind that
//
// dropRepeated runs on an allocated function.
func dropRepeated(f *machine.Func) {
	s := &repeats{index: make(map[string]node)}
	for _, b := range f.Blocks {
		for _, i := range b.Insts {
			s.collect(i)
		}
	}
	if len(s.regs) == 0 {
		return
	}
	in := s.solve(f)
	for _, b := range f.Blocks {
		have := in[b]
		kept := b.Insts[:0:0]
		for _, i := range b.Insts {
			if n, ok := s.index[asText(i)]; ok && have.has(n) {
				continue
			}
			s.step(have, i)
			kept = append(kept, i)
		}
		b.Insts = kept
	}
}

// repeats are the instructions that may be needless, by their texts.
type repeats struct {
	index map[string]node
	regs  [][]reg.ID // of each
}

func asText(i *machine.Inst) string {
	var sb strings.Builder
	sb.WriteString(i.Opcode)
	for _, op := range i.Operands {
		sb.WriteString(" " + op.Asm())
	}
	return sb.String()
}

// collect notes i, and of copies also the way back and that of half a register.
func (s *repeats) collect(i *machine.Inst) {
	if !repeatable(i) {
		return
	}
	s.add(i)
	for _, other := range implied(i) {
		s.add(other)
	}
}

func (s *repeats) add(i *machine.Inst) {
	text := asText(i)
	if _, ok := s.index[text]; ok {
		return
	}
	s.index[text] = node(len(s.regs))
	var ids []reg.ID
	for _, r := range append(slices.Clone(i.Uses), i.Defs...) {
		ids = append(ids, r.ID())
	}
	s.regs = append(s.regs, ids)
}

// repeatable holds for copies of registers, constants and parameters.
func repeatable(i *machine.Inst) bool {
	if i.IsMove() {
		return i.Uses[0].ID() != i.Defs[0].ID()
	}
	if len(i.Defs) != 1 || len(i.Uses) > 0 || i.IsBranch || i.IsCall() || i.IsEnter() {
		return false
	}
	for _, op := range i.Operands {
		if m, ok := op.(operand.Mem); ok && !m.Symbol.Static && m.Base != reg.FramePointer {
			return false
		}
	}
	return i.Opcode != "SETCC" && !strings.HasPrefix(i.Opcode, "SET")
}

// implied are the copies that i makes needless as well.
func implied(i *machine.Inst) (out []*machine.Inst) {
	if !i.IsMove() {
		return nil
	}
	src, dst := i.Operands[0].(reg.Register), i.Operands[1].(reg.Register)
	out = append(out, machine.MustMake(i.Opcode, dst, src))
	if src.Size() > 16 {
		x, y := src.(reg.Vec).AsX(), dst.(reg.Vec).AsX()
		out = append(out, machine.MustMake(i.Opcode, x, y), machine.MustMake(i.Opcode, y, x))
	}
	return out
}

// step moves have from before i to behind it.
func (s *repeats) step(have set, i *machine.Inst) {
	for _, d := range i.Defs {
		for n, ids := range s.regs {
			if slices.Contains(ids, d.ID()) {
				have.remove(node(n))
			}
		}
	}
	if !repeatable(i) {
		return
	}
	have.add(s.index[asText(i)])
	for _, other := range implied(i) {
		have.add(s.index[asText(other)])
	}
}

// solve finds what has been done at the starts of blocks on all ways.
func (s *repeats) solve(f *machine.Func) map[*machine.Block]set {
	preds := make(map[*machine.Block][]*machine.Block)
	for _, b := range f.Blocks {
		for _, t := range b.Succs() {
			preds[t] = append(preds[t], b)
		}
	}
	in, out := make(map[*machine.Block]set), make(map[*machine.Block]set)
	all := make(set, (len(s.regs)+63)/64)
	for n := range s.regs {
		all.add(node(n))
	}
	for _, b := range f.Blocks {
		out[b] = slices.Clone(all)
	}
	for changed := true; changed; {
		changed = false
		for k, b := range f.Blocks {
			have := make(set, len(all))
			if k > 0 {
				copy(have, all)
			}
			for _, p := range preds[b] {
				for w := range have {
					have[w] &= out[p][w]
				}
			}
			in[b] = slices.Clone(have)
			for _, i := range b.All() {
				s.step(have, i)
			}
			changed = changed || !slices.Equal(have, out[b])
			out[b] = have
		}
	}
	return in
}
