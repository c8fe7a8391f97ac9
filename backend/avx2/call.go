package avx2

import (
	"slices"

	"github.com/lanewise/lanewise/backend/machine"
	"github.com/lanewise/lanewise/vir"
	"github.com/mmcloughlin/avo/reg"
)

// Calls of local routines, and the two ends of a routine.

// call runs a routine, as a whole and once:
//
//	operands in registers -> loads that may be touched -> copies -> CALL -> copies
func (s *selector) call(v *vir.Value) {
	c := s.callers.known[v.Callee]
	if c == nil {
		s.fail(v, "no such routine in the file")
	}
	for k, a := range v.Args {
		if len(c.Params[k]) > 0 && a.Op != vir.OpConst && a.Op != vir.OpPoison {
			s.emit(a) // may use loads as operands that would otherwise be done separately
		}
	}
	if storesMemory(v.Callee) {
		s.forceLoads(s.block, v, 1<<30)
	}
	var todo []phiCopy
	for k, a := range v.Args {
		todo = append(todo, s.pass(c, a, c.Params[k])...)
	}
	s.assign(todo)
	s.cur.Insts = append(s.cur.Insts, machine.Call(v.Callee.Name, c))
	s.inK1 = heldMask{}
	for _, r := range s.a.uses[v] {
		if len(s.a.uses[r]) > 0 {
			s.result(r, c.Results[r.Imm])
		}
	}
}

func storesMemory(f *vir.Func) bool {
	return slices.ContainsFunc(f.Entry().Insts, func(v *vir.Value) bool { return v.Op.IsStore() })
}

// pass are the copies of an operand to registers.
func (s *selector) pass(c *machine.Convention, a *vir.Value, to []reg.Register) (cs []phiCopy) {
	for p, dst := range to {
		if a.Op == vir.OpPoison {
			continue
		}
		cs = append(cs, s.passPart(c, a, p, dst))
	}
	return cs
}

// passPart copies part p of an operand. Constants that the routine leaves alone are
// made once for all iterations.
func (s *selector) passPart(c *machine.Convention, a *vir.Value, p int, dst reg.Register) phiCopy {
	again := s.a.depth[s.block] == 0 || slices.ContainsFunc(c.Writes, func(w reg.Register) bool { return w.ID() == dst.ID() })
	e, isVec := entry{}, false
	if inVector(a.Type) {
		e, isVec = s.constant(a, p)
	}
	x, isInt := isConstInt(a)
	switch {
	case isVec && again:
		mk, _ := s.maker(e)
		return phiCopy{dst: dst, make: func(d reg.Register) { s.cur.Insts = append(s.cur.Insts, mk(d)) }}
	case isInt && again:
		return phiCopy{dst: dst, make: func(d reg.Register) { s.op("MOVQ", machine.Imm(x), d) }}
	case inVector(a.Type):
		return phiCopy{dst: dst, src: s.part(a, p)}
	}
	return phiCopy{dst: dst, src: s.gp(a)}
}

// result copies a result out of the registers where the routine leaves it.
func (s *selector) result(v *vir.Value, from []reg.Register) {
	if !inVector(v.Type) {
		d := s.f.GP()
		s.gps[v] = d
		s.move(from[0], d)
		return
	}
	var parts []vec
	for _, r := range from {
		d := s.f.Vec(registerSize(partBytes(v.Type)))
		parts = append(parts, d)
		s.move(r, d)
	}
	s.vecs[v] = parts
}

// enterRoutine gives the parameters of a routine their registers.
func (s *selector) enterRoutine() {
	for _, v := range s.fn.Params {
		var regs []reg.Register
		switch {
		case len(s.a.uses[v]) == 0:
		case inVector(v.Type):
			for range numParts(v.Type) {
				d := s.f.Vec(registerSize(partBytes(v.Type)))
				s.vecs[v] = append(s.vecs[v], d)
				regs = append(regs, sized(d, registerSize(partBytes(v.Type))))
			}
		default:
			d := s.f.GP()
			s.gps[v] = d
			regs = append(regs, d)
		}
		s.params = append(s.params, regs)
	}
	s.entry = append(s.entry, machine.Enter(s.params))
}

// leave ends a routine.
func (s *selector) leave(v *vir.Value) {
	var results [][]reg.Register
	for _, a := range v.Args {
		var regs []reg.Register
		if inVector(a.Type) {
			for p := range numParts(a.Type) {
				regs = append(regs, sized(s.part(a, p), registerSize(partBytes(a.Type))))
			}
		} else {
			regs = append(regs, s.gp(a))
		}
		results = append(results, regs)
	}
	var kept []reg.Register
	if !s.callers.plain[s.fn] {
		s.f.Prefer = s.callers.preferences(s.fn, s.params, results)
		for k, regs := range s.params {
			if s.callers.keeps(s.fn, k) {
				kept = append(kept, regs...)
			}
		}
	}
	s.cur.Insts = append(s.cur.Insts, machine.Leave(results, kept))
}

// Registers are the numbers of registers of the parameters and results of a routine.
func Registers(r *vir.Func) (params, results []int) {
	uses := r.Uses()
	for _, p := range r.Params {
		n := 0
		if len(uses[p]) > 0 {
			n = numParts(p.Type)
		}
		params = append(params, n)
	}
	for _, t := range r.Results {
		results = append(results, numParts(t))
	}
	return params, results
}
