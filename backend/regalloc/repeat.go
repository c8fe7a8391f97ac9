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
	s := &repeats{index: make(map[string]node), made: make(map[*machine.Inst][]node), kills: make(map[reg.ID]set)}
	for _, b := range f.Blocks {
		for _, i := range b.All() {
			s.collect(i)
		}
	}
	if len(s.regs) == 0 {
		return
	}
	for n, ids := range s.regs {
		for _, id := range ids {
			if s.kills[id] == nil {
				s.kills[id] = s.newSet()
			}
			s.kills[id].add(node(n))
		}
	}
	in := s.solve(f)
	for _, b := range f.Blocks {
		have := in[b]
		kept := b.Insts[:0:0]
		for _, i := range b.Insts {
			if made := s.made[i]; len(made) > 0 && have.has(made[0]) {
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
	regs  [][]reg.ID               // of each
	made  map[*machine.Inst][]node // what is done behind an instruction, itself first
	kills map[reg.ID]set           // by the register that is written
}

func (s *repeats) newSet() set { return make(set, (len(s.regs)+63)/64) }

func asText(i *machine.Inst) string {
	var sb strings.Builder
	sb.WriteString(i.OpcodeWithSuffixes())
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
	for _, x := range append([]*machine.Inst{i}, implied(i)...) {
		s.made[i] = append(s.made[i], s.number(x))
	}
}

// number is that of i, a new one for new texts.
func (s *repeats) number(i *machine.Inst) node {
	text := asText(i)
	if n, ok := s.index[text]; ok {
		return n
	}
	n := node(len(s.regs))
	s.index[text] = n
	var ids []reg.ID
	for _, r := range append(slices.Clone(i.Uses), i.Defs...) {
		ids = append(ids, r.ID())
	}
	s.regs = append(s.regs, ids)
	return n
}

// repeatable holds for copies of registers, constants and parameters.
func repeatable(i *machine.Inst) bool {
	if i.IsMove() {
		return i.Uses[0].ID() != i.Defs[0].ID()
	}
	if len(i.Defs) != 1 || len(i.Uses) > 0 || i.IsBranch || i.IsCall() || i.IsEnter() || i.IsEVEX() { // which may read a mask register
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
	for _, smaller := range []reg.Register{reg.Y0, reg.X0} {
		if src.Kind() == reg.KindVector && src.Size() > smaller.Size() {
			x, y := machine.As(src, smaller), machine.As(dst, smaller)
			out = append(out, machine.MustMake(i.Opcode, x, y), machine.MustMake(i.Opcode, y, x))
		}
	}
	return out
}

// step moves have from before i to behind it.
func (s *repeats) step(have set, i *machine.Inst) {
	for _, d := range i.Defs {
		for w, k := range s.kills[d.ID()] {
			have[w] &^= k
		}
	}
	for _, n := range s.made[i] {
		have.add(n)
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
	all := s.newSet()
	for n := range s.regs {
		all.add(node(n))
	}
	for _, b := range f.Blocks {
		out[b] = slices.Clone(all)
	}
	for changed := true; changed; {
		changed = false
		for k, b := range f.Blocks {
			have := s.newSet()
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
