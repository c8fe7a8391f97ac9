package transpose

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
	"github.com/lanewise/lanewise/vir/plan"
)

// A writer puts a loop that does copies of the turns of f in front of f. What moves by a constant from
// turn to turn is, in copy k, what it is in the first copy plus k times that.
type writer struct {
	*strip
	u *pass.Unit
	b *vir.Builder

	first map[*vir.Value]*vir.Value // what moves so, in the first copy
	now   map[*vir.Value]*vir.Value // other values, in the current copy
	at    int                       // which that is
}

// rewrite makes the loop.
//
//	pre:    end = start + (limit-start)&^3     head:  phis
//	        jmp head                                  br (counter < end), turn, rest
//	                                           turn:  copies
//	                                                  jmp head
//	                                           rest:  jmp f
func (w *writer) rewrite() {
	header, body := w.f.Header, w.f.Latches[0]
	from := header.PredIndex(body)
	pre := header.Preds[1-from]
	w.b = vir.NewBuilder(header.Func, pre)
	w.b.Pos = header.Term().Pos
	var end *vir.Value
	edit.Ahead(w.b, pre, func() { end = w.end() })
	head := edit.InsertBlock(pre, header.Name+".rows")
	turn := edit.InsertBlock(head, header.Name+".turn")
	w.u.Strips[head], w.u.Rests[header] = w.copies, w.copies

	pre.Succs[slices.Index(pre.Succs, header)] = head
	head.Preds = []*vir.Block{pre, turn}
	rest := edit.InsertBlock(turn, header.Name+".rest")
	head.Succs = []*vir.Block{turn, rest}
	turn.Preds, turn.Succs = []*vir.Block{head}, []*vir.Block{head}
	rest.Preds, rest.Succs = []*vir.Block{head}, []*vir.Block{header}
	header.Preds[1-from] = rest

	w.b.Cur = head
	w.first, w.now = make(map[*vir.Value]*vir.Value), make(map[*vir.Value]*vir.Value)
	phis := header.Phis()
	var made []*vir.Value
	for _, phi := range phis {
		p := w.b.Phi(phi.Type)
		p.Name, p.Pos, p.Args = phi.Name, phi.Pos, []*vir.Value{phi.Args[1-from]}
		made = append(made, p)
		w.set(phi, p)
		phi.Args[1-from] = p
	}
	counter := w.value(w.count.Phi)
	if w.count.Step < 0 {
		counter, end = end, counter
	}
	more := w.b.Cmp(vir.OpIcmpSlt, counter, end)
	w.b.Append(&vir.Value{Op: vir.OpBr, Args: []*vir.Value{more}})

	w.b.Cur = turn
	w.turns()
	for i, phi := range phis {
		made[i].Args = append(made[i].Args, w.value(phi.Args[from]))
	}
	w.b.Append(&vir.Value{Op: vir.OpJmp})
	w.b.Cur = rest
	w.b.Append(&vir.Value{Op: vir.OpJmp})
}

// set says what v is in the current copy, which is the first one where v moves by a constant.
func (w *writer) set(v, x *vir.Value) {
	if _, ok := w.step(v); ok {
		w.first[v] = x
	} else {
		w.now[v] = x
	}
}

// end is where the counter is behind the last turn that does all copies: the counts from start on
// are rounded down. Without any it is start.
func (w *writer) end() *vir.Value {
	b, t, start, limit := w.b, w.count.Phi.Type, w.count.Start, w.value(w.count.Limit)
	low, high, on := start, limit, vir.OpAdd
	if w.count.Step < 0 {
		low, high, on = limit, start, vir.OpSub
	}
	left, some := b.Op(vir.OpSub, t, high, low), vir.OpIcmpSlt
	if w.count.Cond == plan.LessEq || w.count.Cond == plan.GreaterEq {
		left, some = b.Op(vir.OpAdd, t, left, b.Int(t, 1)), vir.OpIcmpSle
	}
	left = b.Op(vir.OpSelect, t, b.Cmp(some, low, high), left, b.Int(t, 0))
	return b.Op(on, t, start, b.Op(vir.OpAnd, t, left, b.Int(t, -int64(w.copies))))
}

// turns writes the copies. Subscripts and their checks come first, so that all loads of a row can stand
// side by side.
func (w *writer) turns() {
	insts := slices.Concat(w.f.Header.Insts[len(w.f.Header.Phis()):], w.f.Latches[0].Insts)
	insts = slices.DeleteFunc(insts, func(v *vir.Value) bool {
		return v.Op == vir.OpConst || v.Op.Info().Term || v == w.f.Header.Term().Args[0]
	})
	for _, v := range insts {
		if _, ok := w.step(v); ok {
			w.copy(v)
		}
	}
	for _, v := range insts {
		for _, k := range []int{0, w.copies - 1} {
			if w.common(v) {
				w.at = k
				w.copy(v)
			}
		}
	}
	for k := range w.copies {
		if w.at = k; k > 0 {
			w.now = w.next()
		}
		for _, v := range insts {
			if _, ok := w.step(v); !ok && !w.common(v) {
				w.copy(v)
			}
		}
	}
}

// next is what the next copy begins with.
func (w *writer) next() map[*vir.Value]*vir.Value {
	next := make(map[*vir.Value]*vir.Value)
	w.at--
	for _, phi := range w.f.Header.Phis() {
		if _, ok := w.step(phi); !ok {
			next[phi] = w.value(phi.Args[w.f.Header.PredIndex(w.f.Latches[0])])
		}
	}
	w.at++
	return next
}

// common reports whether v checks a subscript that moves by a constant against a number that the loop
// does not change.
func (w *writer) common(v *vir.Value) bool {
	if v.Op != vir.OpCheckIndex || v.Masked || !w.fixed(v.Args[1]) {
		return false
	}
	_, ok := w.step(v.Args[0])
	return ok
}

// copy writes v for the current copy. The place of a load moves by its displacement.
func (w *writer) copy(v *vir.Value) {
	x := w.f.Header.Func.CopyValue(v)
	moved := -1
	if v.Op.IsLoad() && v.Index() != nil {
		step, ok := w.step(v.Index())
		if disp := v.Disp + int64(w.at)*step*v.Scale; ok && -mostStep < disp && disp < mostStep {
			x.Disp = disp
			moved = slices.Index(v.Args, v.Index())
		}
	}
	w.b.Pos = v.Pos
	for i, a := range v.Args {
		if i == moved {
			x.Args[i] = w.inCopy(0, a)
		} else {
			x.Args[i] = w.value(a)
		}
	}
	w.set(v, w.b.Append(x))
}

// value is v in the current copy.
func (w *writer) value(v *vir.Value) *vir.Value { return w.inCopy(w.at, v) }

func (w *writer) inCopy(k int, v *vir.Value) *vir.Value {
	switch step, ok := w.step(v); {
	case w.f.Contains(v.Block) && v.Op == vir.OpConst:
		return w.b.Append(w.f.Header.Func.CopyValue(v))
	case w.fixed(v):
		return v
	case ok && k > 0 && step != 0:
		return w.b.Op(vir.OpAdd, v.Type, w.first[v], w.b.Int(v.Type, int64(k)*step))
	case ok:
		return w.first[v]
	}
	return w.now[v]
}
