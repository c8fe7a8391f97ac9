package vir

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// PrintOptions selects what goes into trailing comments.
type PrintOptions struct {
	Pos bool // source positions
	// Note, if set, gives a fact to print behind a value; "" for none.
	Note func(*Value) string
}

// String is the text form of f without comments.
func (f *Func) String() string { return f.Text(PrintOptions{}) }

// Text is the text form of f. It works on broken functions too: missing blocks,
// operands and terminators are printed as such.
func (f *Func) Text(o PrintOptions) string {
	p := &printer{opt: o, names: nameValues(f)}
	p.signature(f)
	for _, b := range f.Blocks {
		fmt.Fprintf(&p.sb, "%s:\n", b.Name)
		for _, v := range b.Insts {
			p.line(v)
		}
	}
	p.sb.WriteString("}\n")
	return p.sb.String()
}

// Inst is the text of a single value, as in Text.
func (v *Value) Inst() string {
	var names map[*Value]string
	if v.Block != nil && v.Block.Func != nil {
		names = nameValues(v.Block.Func)
	}
	p := &printer{names: names}
	p.inst(v)
	return p.sb.String()
}

// nameValues gives every value a unique name: its own when free, else its own
// with a number, else a number.
func nameValues(f *Func) map[*Value]string {
	names := make(map[*Value]string)
	taken := make(map[string]bool)
	next := 0
	for v := range f.Values {
		if v.Name != "" && !taken[v.Name] {
			names[v], taken[v.Name] = v.Name, true
		}
	}
	for v := range f.Values {
		if _, ok := names[v]; ok || (v.Type.Elem == Void && v.Op != OpParam && !v.hasResults()) {
			continue
		}
		name := v.Name
		for i := 1; name == "" || taken[name]; i++ {
			if v.Name == "" {
				name = strconv.Itoa(next)
				next++
			} else {
				name = fmt.Sprintf("%s.%d", v.Name, i)
			}
		}
		names[v], taken[name] = name, true
	}
	return names
}

type printer struct {
	sb    strings.Builder
	opt   PrintOptions
	names map[*Value]string
}

func (p *printer) printf(format string, args ...any) { fmt.Fprintf(&p.sb, format, args...) }

func (p *printer) ref(v *Value) string {
	if v == nil {
		return "%<nil>"
	}
	if n, ok := p.names[v]; ok {
		return "%" + n
	}
	return fmt.Sprintf("%%<foreign %d>", v.id)
}

func (p *printer) refs(vs []*Value) string {
	s := make([]string, len(vs))
	for i, v := range vs {
		s[i] = p.ref(v)
	}
	return strings.Join(s, ", ")
}

func (p *printer) signature(f *Func) {
	p.printf("func @%s(", f.Name)
	for i, v := range f.Params {
		if i > 0 {
			p.printf(", ")
		}
		p.printf("%s %s%s", p.ref(v), v.Type, p.facts(v))
	}
	p.printf(")")
	if len(f.Results) > 0 {
		s := make([]string, len(f.Results))
		for i, t := range f.Results {
			s[i] = t.String()
		}
		p.printf(" (%s)", strings.Join(s, ", "))
	}
	if f.InOrder {
		p.printf(" inorder")
	}
	if f.Local {
		p.printf(" local")
	}
	p.printf(" {\n")
}

func (p *printer) facts(v *Value) string {
	var s []string
	if v.Param.ElemSize > 0 {
		s = append(s, fmt.Sprintf("elem %d", v.Param.ElemSize))
	}
	if v.Param.Len != nil {
		s = append(s, "len "+p.ref(v.Param.Len))
	}
	if v.Param.FixedLen > 0 {
		s = append(s, fmt.Sprintf("len %d", v.Param.FixedLen))
	}
	if v.Param.Immutable {
		s = append(s, "immutable")
	}
	if v.Param.Copied {
		s = append(s, "copied")
	}
	if v.Param.Content != "" {
		s = append(s, fmt.Sprintf("content %x", v.Param.Content))
	}
	if s == nil {
		return ""
	}
	return " {" + strings.Join(s, ", ") + "}"
}

func (p *printer) line(v *Value) {
	if v == nil {
		p.printf("\t<nil>\n")
		return
	}
	p.sb.WriteByte('\t')
	p.inst(v)
	var notes []string
	if p.opt.Note != nil {
		if s := p.opt.Note(v); s != "" {
			notes = append(notes, s)
		}
	}
	if p.opt.Pos && v.Pos.IsValid() {
		notes = append(notes, v.Pos.String())
	}
	if notes != nil {
		p.printf(" // %s", strings.Join(notes, ", "))
	}
	p.sb.WriteByte('\n')
}

func (p *printer) inst(v *Value) {
	if v.Type.Elem != Void || v.hasResults() {
		p.printf("%s = ", p.ref(v))
	}
	p.printf("%s", v.Op)
	if v.Type.Elem != Void {
		p.printf(" %s", v.Type)
	}
	switch {
	case v.Op == OpConst:
		p.printf(" %s", constText(v))
	case v.Op == OpPhi:
		p.phi(v)
	case v.Op.IsStore() && len(v.Args) >= 2:
		p.printf(" %s %s, ", v.Args[0].Type, p.ref(v.Args[0]))
		p.address(v, v.Args[1:])
	case v.Op.IsLoad() && len(v.Args) >= 1:
		p.printf(" ")
		p.address(v, v.Args)
	case v.Op == OpShuffle:
		p.shuffle(v)
	case v.Op == OpCall:
		p.call(v)
	case v.Op == OpExtract || v.Op == OpSubvec || v.Op == OpInsert || v.Op == OpResult:
		p.printf(" %s, %d", p.refs(v.Args), v.Imm)
	case v.Op.Info().Term:
		p.term(v)
	case v.Masked && len(v.Args) > 0:
		n := len(v.Args) - 1
		p.printf(" %s mask %s", p.refs(v.Args[:n]), p.ref(v.Args[n]))
	case len(v.Args) > 0:
		p.printf(" %s", p.refs(v.Args))
	}
}

func (p *printer) phi(v *Value) {
	for i, a := range v.Args {
		if i > 0 {
			p.printf(",")
		}
		from := "?"
		if v.Block != nil && i < len(v.Block.Preds) {
			from = v.Block.Preds[i].Name
		}
		p.printf(" [%s, %s]", p.ref(a), from)
	}
}

// address prints [base + index*scale + disp] and the mask.
func (p *printer) address(v *Value, args []*Value) {
	p.printf("[%s", p.ref(args[0]))
	args = args[1:]
	if v.Indexed && len(args) > 0 {
		p.printf(" + %s*%d", p.ref(args[0]), v.Scale)
		args = args[1:]
	}
	switch {
	case v.Disp > 0:
		p.printf(" + %d", v.Disp)
	case v.Disp < 0:
		p.printf(" - %d", -v.Disp)
	}
	p.printf("]")
	if v.Op == OpLoadExpand && len(args) > 0 {
		p.printf(" room %s", p.ref(args[0]))
		args = args[1:]
	}
	if v.Masked && len(args) > 0 {
		p.printf(" mask %s", p.ref(args[0]))
	}
}

func (p *printer) term(v *Value) {
	sep := " "
	if len(v.Args) > 0 {
		p.printf(" %s", p.refs(v.Args))
		sep = ", "
	}
	if v.Block == nil {
		return
	}
	for _, s := range v.Block.Succs {
		p.printf("%s%s", sep, s.Name)
		sep = ", "
	}
}

func (p *printer) call(v *Value) {
	name := "<nil>"
	if v.Callee != nil {
		name = v.Callee.Name
	}
	p.printf(" @%s", name)
	if len(v.Args) > 0 {
		p.printf(" %s", p.refs(v.Args))
	}
}

// hasResults holds for calls of routines with results, which have a name in the text.
func (v *Value) hasResults() bool {
	return v.Op == OpCall && v.Callee != nil && len(v.Callee.Results) > 0
}

func (p *printer) shuffle(v *Value) {
	for _, a := range v.Args {
		p.printf(" %s,", p.ref(a))
	}
	s := make([]string, len(v.Lanes))
	for i, k := range v.Lanes {
		s[i] = strconv.Itoa(k)
	}
	p.printf(" {%s}", strings.Join(s, ", "))
}

func constText(v *Value) string {
	if len(v.Bits) == 1 {
		return laneText(v.Type.Elem, v.Bits[0])
	}
	s := make([]string, len(v.Bits))
	for i, b := range v.Bits {
		s[i] = laneText(v.Type.Elem, b)
	}
	return "{" + strings.Join(s, ", ") + "}"
}

// laneText prints integers as signed decimals, finite floats as the shortest
// decimal that reads back the same, and everything else as hexadecimal bits.
func laneText(e Elem, bits uint64) string {
	switch e {
	case Bool:
		return strconv.FormatBool(bits&1 != 0)
	case I8, I16, I32, I64:
		sh := 64 - e.Bits()
		return strconv.FormatInt(int64(bits<<sh)>>sh, 10)
	case F32:
		if x := math.Float32frombits(uint32(bits)); !math.IsNaN(float64(x)) && !math.IsInf(float64(x), 0) {
			return strconv.FormatFloat(float64(x), 'g', -1, 32)
		}
	case F64:
		if x := math.Float64frombits(bits); !math.IsNaN(x) && !math.IsInf(x, 0) {
			return strconv.FormatFloat(x, 'g', -1, 64)
		}
	case Ptr:
		if bits == 0 {
			return "nil"
		}
	}
	return fmt.Sprintf("0x%x", bits)
}
