package lower

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// A liveIn is a parameter while the function is being built.
type liveIn struct {
	Param
	v     *vir.Value
	order int // states behind all others, values behind memory
	pos   token.Pos
	group int // first parameter of the same path
	n     int
}

// A state is a header phi.
type state struct {
	plan.State
	Var
	key key
	in  *liveIn
	phi *vir.Value
}

type liveIns struct {
	ins    []*liveIn
	byKey  map[string]*liveIn
	groups map[string]int // by path
	taken  map[string]bool
	states []*state
}

func (t *liveIns) init() {
	t.byKey = make(map[string]*liveIn)
	t.groups = make(map[string]int)
	t.taken = make(map[string]bool)
}

const (
	orderMemory = iota
	orderValue
	orderState
)

// liveIn finds or makes the parameter for p in the given kind.
func (l *lowerer) liveIn(kind ParamKind, p *path, t vir.Type) *liveIn {
	id := fmt.Sprintf("%d %s", kind, p.key)
	if in := l.byKey[id]; in != nil {
		return in
	}
	name, order := p.name, orderMemory
	switch kind {
	case ParamLen:
		name += "_len"
	case ParamCap:
		name += "_cap"
	case ParamValue:
		order = orderValue
	}
	in := l.addLiveIn(Param{Kind: kind, Expr: p.expr, Type: p.typ, NonNil: p.nonNil, NonZero: p.nonZero, InRange: p.inRange}, name, t)
	in.order, in.pos = order, p.root.Pos()
	l.byKey[id] = in
	group, ok := l.groups[p.key]
	if !ok {
		group = in.n
		l.groups[p.key] = group
	}
	in.group = group
	return in
}

func (l *lowerer) addLiveIn(p Param, name string, t vir.Type) *liveIn {
	in := &liveIn{Param: p, n: len(l.ins)}
	in.v = l.f.AddParam(l.uniqueName(name), t)
	l.ins = append(l.ins, in)
	return in
}

// uniqueName makes a parameter name that is legal in Go and in assembly, where
// upper case names may be registers, and free of the names of results.
func (l *lowerer) uniqueName(s string) string {
	name := []rune(strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII || r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return '_'
		}
		return r
	}, s))
	name[0] = unicode.ToLower(name[0])
	s = string(name)
	if strings.Trim(s, "_") == "" || token.IsKeyword(s) || unicode.IsDigit(name[0]) {
		s = "v" + s
	}
	if strings.Trim(s, "0123456789") == "r" || s == "ret" || s == "g" {
		s += "v"
	}
	for base, i := s, 1; l.taken[s]; i++ {
		s = fmt.Sprintf("%s_%d", base, i)
	}
	l.taken[s] = true
	return s
}

// sliceData and sliceLen are the parameters of an invariant slice or string.
func (l *lowerer) sliceData(p *path) *vir.Value {
	kind, elem := ParamSliceData, int64(1)
	if isString(p.typ) {
		kind = ParamStringData
	} else {
		elem = sizes.Sizeof(p.typ.Underlying().(*types.Slice).Elem())
	}
	in := l.liveIn(kind, p, vir.Scalar(vir.Ptr))
	switch {
	case in.v.Param.ElemSize != 0 || elem == 0:
	case p.content != "":
		in.v.Param = constantFacts(p, elem)
	default:
		in.v.Param = vir.ParamFacts{ElemSize: int(elem), Len: l.sliceLen(p), Immutable: kind == ParamStringData}
	}
	return in.v
}

// constantFacts are those of memory with known content.
func constantFacts(p *path, elem int64) vir.ParamFacts {
	return vir.ParamFacts{ElemSize: int(elem), FixedLen: int64(len(p.content)) / elem, Immutable: true, Content: p.content}
}

// sliceLen is the length of a slice or string: a parameter or a constant.
func (l *lowerer) sliceLen(p *path) *vir.Value {
	if p.content != "" {
		elem := int64(1)
		if s, ok := p.typ.Underlying().(*types.Slice); ok {
			elem = sizes.Sizeof(s.Elem())
		}
		return l.int64(int64(len(p.content)) / elem)
	}
	return l.liveIn(ParamLen, p, vir.Scalar(vir.I64)).v
}

// address is the parameter that points to the variable p denotes.
func (l *lowerer) address(p *path) *vir.Value {
	kind, at := ParamAddress, p
	if p.pointer != nil {
		kind, at = ParamPointer, p.pointer.clone()
		at.nonNil = p.nonNil
	}
	in := l.liveIn(kind, at, vir.Scalar(vir.Ptr))
	if in.v.Param.ElemSize != 0 {
		return in.v
	}
	size, n := sizes.Sizeof(p.typ), int64(1)
	if a, ok := p.typ.Underlying().(*types.Array); ok {
		size, n = sizes.Sizeof(a.Elem()), a.Len()
	}
	switch {
	case size == 0 || n == 0:
	case p.content != "":
		in.v.Param = constantFacts(p, size)
	default:
		// Nobody else knows the address of a variable that the function takes it
		// of nowhere, and the loop does not set it.
		private := kind == ParamAddress && !p.memory && len(p.nonNil) == 0 && !p.indexed && !isPackageLevel(p.root)
		in.v.Param = vir.ParamFacts{ElemSize: int(size), FixedLen: n, Immutable: private}
	}
	return in.v
}

// addState makes a header phi for a scalar variable; v is nil for the hidden
// counter of a range loop.
func (l *lowerer) addState(v *types.Var, entry ast.Expr, name string, t vir.Type) *state {
	p := Param{Kind: ParamCounter}
	if v != nil {
		p = Param{Kind: ParamValue, Expr: entry, Type: l.substitute(v.Type())}
	}
	return l.addStateOf(Var{Obj: v}, 0, p, name, t)
}

// addStateOf makes a header phi for leaf k of a variable.
func (l *lowerer) addStateOf(v Var, k int, p Param, name string, t vir.Type) *state {
	s := &state{Var: v, key: key{v.Obj, k}}
	s.in = l.addLiveIn(p, name+"0", t)
	s.in.order = orderState
	s.phi = l.b.Phi(t)
	s.phi.Name = name
	l.states = append(l.states, s)
	if v.Obj != nil {
		l.set(s.key, s.phi)
	}
	return s
}

// region brings the parameters into their final order: memory, values, states,
// each by declaration of its root and then by use, lengths behind their data.
func (l *lowerer) region() *Region {
	slices.SortStableFunc(l.ins, func(a, b *liveIn) int {
		if c := cmp.Compare(a.order, b.order); c != 0 || a.order == orderState {
			return cmp.Or(c, cmp.Compare(a.n, b.n))
		}
		return cmp.Or(cmp.Compare(a.pos, b.pos), cmp.Compare(a.group, b.group),
			cmp.Compare(a.Kind/ParamLen, b.Kind/ParamLen), cmp.Compare(a.n, b.n))
	})
	r := &Region{Fn: l.f, Inlined: l.inlined, Stops: l.stops, Runes: l.runes, Named: l.named, Unrolled: l.unrolled, Span: l.span(), Usual: make(map[int]int64)}
	l.f.Params = l.f.Params[:0]
	index := make(map[*liveIn]int)
	around := l.around()
	for i, in := range l.ins {
		index[in] = i
		l.f.Params = append(l.f.Params, in.v)
		r.Params = append(r.Params, in.Param)
		if around != nil && l.stays(in, around) {
			r.Stays = append(r.Stays, i)
		}
		if l.counts(in) {
			r.Counters = append(r.Counters, i)
		} else if n := l.usual(in); n != 0 {
			r.Usual[i] = n
		}
	}
	for _, s := range l.steadies {
		if s.now == nil || s.path.indexed {
			continue // it is another element each time, or is not asked about
		}
		h := plan.Held{Value: slices.Index(l.f.Params, s.value), Base: slices.Index(l.f.Params, s.now.Base()), Disp: s.now.Disp}
		if h.Value >= 0 && h.Base >= 0 && !slices.Contains(r.Held, h) {
			r.Held = append(r.Held, h)
		}
	}
	for _, s := range l.states {
		s.State.Param = index[s.in]
		r.State = append(r.State, s.State)
		r.Vars = append(r.Vars, s.Var)
	}
	return r
}

// counts reports whether in is what a loop around this one counts with, or has counted with one before.
func (l *lowerer) counts(in *liveIn) bool {
	id, ok := in.Expr.(*ast.Ident)
	if !ok || in.Kind != ParamValue {
		return false
	}
	v, ok := objectOf(l.info, id).(*types.Var)
	return ok && l.facts.counters[v]
}
