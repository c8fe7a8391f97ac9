// Package parse reads the text form of vir. Printing what it returns gives the
// same text up to comments and white space. It checks syntax and names only; types and
// structure are the verifier's business.
package parse

import (
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/lanewise/lanewise/vir"
)

// Func reads text that holds exactly one function besides local routines.
func Func(text string) (*vir.Func, error) {
	fs, err := Funcs(text)
	if err != nil {
		return nil, err
	}
	fs = slices.DeleteFunc(fs, func(f *vir.Func) bool { return f.Local })
	if len(fs) != 1 {
		return nil, fmt.Errorf("want one function, have %d", len(fs))
	}
	return fs[0], nil
}

// Funcs reads a sequence of functions. Errors carry the line number in text.
func Funcs(text string) (fs []*vir.Func, err error) {
	p := &parser{lines: strings.Split(text, "\n")}
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(syntaxError)
			if !ok {
				panic(r)
			}
			fs, err = nil, e
		}
	}()
	for p.next() {
		fs = append(fs, p.function())
	}
	p.link(fs)
	return fs, nil
}

type syntaxError struct {
	line int
	msg  string
}

func (e syntaxError) Error() string { return fmt.Sprintf("line %d: %s", e.line, e.msg) }

// A parser walks lines; within a line, rest is what is still to be read.
type parser struct {
	lines []string
	line  int // number of the current line, from 1
	rest  string

	f       *vir.Func
	values  map[string]*vir.Value
	blocks  map[string]*vir.Block
	pending []pendingArg   // operands used before their definition
	phis    []pendingPhi   // phis, whose operands follow the order of Preds
	preds   []pendingEdges // terminators, whose targets may come later
	calls   []pendingCall  // of all functions
}

type pendingCall struct {
	call *vir.Value
	name string
	line int
}

type pendingArg struct {
	user *vir.Value
	arg  int
	name string
	line int
}

type pendingPhi struct {
	phi  *vir.Value
	vals []string
	from []string
	line int
}

type pendingEdges struct {
	block   *vir.Block
	targets []string
	line    int
}

func (p *parser) fail(format string, args ...any) {
	panic(syntaxError{p.line, fmt.Sprintf(format, args...)})
}

// next moves to the next line with content and strips its comment.
func (p *parser) next() bool {
	for p.line < len(p.lines) {
		s, _, _ := strings.Cut(p.lines[p.line], "//")
		p.line++
		if p.rest = strings.TrimSpace(s); p.rest != "" {
			return true
		}
	}
	return false
}

func (p *parser) accept(tok string) bool {
	if strings.HasPrefix(p.rest, tok) {
		p.rest = strings.TrimLeft(p.rest[len(tok):], " \t")
		return true
	}
	return false
}

func (p *parser) want(tok string) {
	if !p.accept(tok) {
		p.fail("want %q before %q", tok, p.rest)
	}
}

// word reads up to a separator.
func (p *parser) word() string {
	i := strings.IndexAny(p.rest, " \t,()[]{}:=*")
	if i < 0 {
		i = len(p.rest)
	}
	w := p.rest[:i]
	p.rest = strings.TrimLeft(p.rest[i:], " \t")
	if w == "" {
		p.fail("want a word before %q", p.rest)
	}
	return w
}

// hex reads bytes as hexadecimal digits.
func (p *parser) hex() string {
	b, err := hex.DecodeString(p.word())
	if err != nil {
		p.fail("bad bytes: %v", err)
	}
	return string(b)
}

func (p *parser) ref() string {
	p.want("%")
	return p.word()
}

func (p *parser) typ() vir.Type {
	w := p.word()
	t, ok := vir.ParseType(w)
	if !ok {
		p.fail("unknown type %q", w)
	}
	return t
}

func (p *parser) int() int64 {
	w := p.word()
	n, err := strconv.ParseInt(w, 0, 64)
	if err != nil {
		p.fail("want an integer, have %q", w)
	}
	return n
}

func (p *parser) function() *vir.Func {
	p.want("func")
	p.want("@")
	p.f = vir.NewFunc(p.word())
	p.values = make(map[string]*vir.Value)
	p.blocks = make(map[string]*vir.Block)
	p.pending, p.phis, p.preds = nil, nil, nil
	p.params()
	if p.accept("(") {
		for !p.accept(")") {
			p.f.Results = append(p.f.Results, p.typ())
			p.accept(",")
		}
	}
	p.f.InOrder = p.accept("inorder")
	p.f.Local = p.accept("local")
	p.want("{")
	for {
		if !p.next() {
			p.fail("missing } of @%s", p.f.Name)
		}
		if p.accept("}") {
			break
		}
		p.bodyLine()
	}
	p.resolve()
	return p.f
}

func (p *parser) params() {
	p.want("(")
	type lenFact struct {
		param *vir.Value
		name  string
	}
	var lens []lenFact
	for !p.accept(")") {
		name := p.ref()
		v := p.f.AddParam(name, p.typ())
		p.define(name, v)
		if p.accept("{") {
			for !p.accept("}") {
				switch w := p.word(); w {
				case "elem":
					v.Param.ElemSize = int(p.int())
				case "len":
					if strings.HasPrefix(p.rest, "%") {
						lens = append(lens, lenFact{v, p.ref()})
					} else {
						v.Param.FixedLen = p.int()
					}
				case "immutable":
					v.Param.Immutable = true
				case "copied":
					v.Param.Copied = true
				case "content":
					v.Param.Content = p.hex()
				default:
					p.fail("unknown parameter fact %q", w)
				}
				p.accept(",")
			}
		}
		p.accept(",")
	}
	for _, l := range lens {
		if l.param.Param.Len = p.values[l.name]; l.param.Param.Len == nil {
			p.fail("unknown length %%%s", l.name)
		}
	}
}

func (p *parser) define(name string, v *vir.Value) {
	if p.values[name] != nil {
		p.fail("%%%s defined twice", name)
	}
	p.values[name] = v
	// Pure numbers are the printer's own; leave them to it.
	if _, err := strconv.Atoi(name); err != nil {
		v.Name = name
	}
}

// cur is the block being filled.
func (p *parser) cur() *vir.Block {
	if n := len(p.f.Blocks); n > 0 {
		return p.f.Blocks[n-1]
	}
	p.fail("instruction before the first block label")
	return nil
}

func (p *parser) bodyLine() {
	if label, ok := strings.CutSuffix(p.rest, ":"); ok && !strings.ContainsAny(label, " %") {
		if p.blocks[label] != nil {
			p.fail("block %s defined twice", label)
		}
		p.blocks[label] = p.f.NewBlock(label)
		return
	}
	name := ""
	if strings.HasPrefix(p.rest, "%") {
		name = p.ref()
		p.want("=")
	}
	w := p.word()
	op, ok := vir.OpByName(w)
	if !ok {
		p.fail("unknown operation %q", w)
	}
	v := &vir.Value{Op: op}
	if name != "" && op != vir.OpCall {
		v.Type = p.typ()
	}
	b := vir.NewBuilder(p.f, p.cur())
	p.operands(v)
	b.Append(v)
	if name != "" {
		p.define(name, v)
	}
	if p.rest != "" {
		p.fail("unexpected %q", p.rest)
	}
}

func (p *parser) operands(v *vir.Value) {
	switch {
	case v.Op == vir.OpConst:
		p.constant(v)
	case v.Op == vir.OpPhi:
		p.phi(v)
	case v.Op.IsStore():
		t := p.typ()
		p.arg(v)
		p.want(",")
		p.address(v)
		// The stored value may be defined later only through a phi, so its type
		// is known here unless the text is wrong.
		if a := v.Args[0]; a != nil && a.Type != t {
			p.fail("stored value is %s, not %s", a.Type, t)
		}
	case v.Op.IsLoad():
		p.address(v)
	case v.Op == vir.OpJmp, v.Op == vir.OpBr:
		if v.Op == vir.OpBr {
			p.arg(v)
			p.want(",")
		}
		e := pendingEdges{block: p.cur(), line: p.line}
		for p.rest != "" {
			e.targets = append(e.targets, p.word())
			p.accept(",")
		}
		p.preds = append(p.preds, e)
	case v.Op == vir.OpCall:
		p.want("@")
		p.calls = append(p.calls, pendingCall{v, p.word(), p.line})
		for strings.HasPrefix(p.rest, "%") {
			p.arg(v)
			p.accept(",")
		}
	case v.Op == vir.OpExtract, v.Op == vir.OpSubvec, v.Op == vir.OpResult:
		p.arg(v)
		p.want(",")
		v.Imm = p.int()
	case v.Op == vir.OpInsert:
		p.arg(v)
		p.want(",")
		p.arg(v)
		p.want(",")
		v.Imm = p.int()
	case v.Op == vir.OpShuffle:
		p.shuffle(v)
	default:
		for strings.HasPrefix(p.rest, "%") {
			p.arg(v)
			p.accept(",")
		}
		p.mask(v)
	}
}

// arg reads one operand reference.
func (p *parser) arg(v *vir.Value) {
	name := p.ref()
	a := p.values[name]
	if a == nil {
		p.pending = append(p.pending, pendingArg{v, len(v.Args), name, p.line})
	}
	v.Args = append(v.Args, a)
}

func (p *parser) mask(v *vir.Value) {
	if p.accept("mask") {
		p.arg(v)
		v.Masked = true
	}
}

func (p *parser) address(v *vir.Value) {
	p.want("[")
	p.arg(v)
	for !p.accept("]") {
		switch {
		case p.accept("-"):
			v.Disp -= p.int()
		case p.accept("+"):
			if !strings.HasPrefix(p.rest, "%") {
				v.Disp += p.int()
				break
			}
			p.arg(v)
			p.want("*")
			v.Indexed, v.Scale = true, p.int()
		default:
			p.fail("want + or - or ] before %q", p.rest)
		}
	}
	if p.accept("room") {
		p.arg(v)
	}
	p.mask(v)
}

func (p *parser) phi(v *vir.Value) {
	ph := pendingPhi{phi: v, line: p.line}
	for p.accept("[") {
		ph.vals = append(ph.vals, p.ref())
		p.want(",")
		ph.from = append(ph.from, p.word())
		p.want("]")
		p.accept(",")
	}
	p.phis = append(p.phis, ph)
}

func (p *parser) constant(v *vir.Value) {
	if !p.accept("{") {
		v.Bits = []uint64{p.lane(v.Type.Elem)}
		return
	}
	for !p.accept("}") {
		v.Bits = append(v.Bits, p.lane(v.Type.Elem))
		p.accept(",")
	}
}

// shuffle reads operands and the lanes to take from them.
func (p *parser) shuffle(v *vir.Value) {
	for strings.HasPrefix(p.rest, "%") {
		p.arg(v)
		p.want(",")
	}
	for p.want("{"); !p.accept("}"); p.accept(",") {
		v.Lanes = append(v.Lanes, int(p.int()))
	}
}

func (p *parser) lane(e vir.Elem) uint64 {
	w := p.word()
	switch {
	case w == "true" && e == vir.Bool:
		return 1
	case w == "false" && e == vir.Bool, w == "nil" && e == vir.Ptr:
		return 0
	case strings.HasPrefix(w, "0x"):
		u, err := strconv.ParseUint(w, 0, 64)
		if err != nil {
			p.fail("bad bits %q", w)
		}
		return u
	case e.IsFloat():
		x, err := strconv.ParseFloat(w, e.Bits())
		if err != nil {
			p.fail("bad number %q", w)
		}
		if e == vir.F32 {
			return uint64(math.Float32bits(float32(x)))
		}
		return math.Float64bits(x)
	case e.IsInt():
		n, err := strconv.ParseInt(w, 10, 64)
		if err != nil {
			p.fail("bad integer %q", w)
		}
		if b := e.Bits(); b < 64 {
			return uint64(n) & (1<<b - 1)
		}
		return uint64(n)
	}
	p.fail("bad constant %q of type %s", w, e)
	return 0
}

// resolve fills in edges, then operands that were used before their definition.
func (p *parser) resolve() {
	defer func(line int) { p.line = line }(p.line)
	for _, e := range p.preds {
		p.line = e.line
		for _, t := range e.targets {
			to := p.blocks[t]
			if to == nil {
				p.fail("unknown block %s", t)
			}
			e.block.Succs = append(e.block.Succs, to)
			to.Preds = append(to.Preds, e.block)
		}
	}
	for _, a := range p.pending {
		p.line = a.line
		a.user.Args[a.arg] = p.value(a.name)
	}
	for _, ph := range p.phis {
		p.line = ph.line
		p.phiArgs(ph)
	}
}

// link gives calls their routines, which may stand anywhere in the text.
func (p *parser) link(fs []*vir.Func) {
	for _, c := range p.calls {
		p.line = c.line
		i := slices.IndexFunc(fs, func(f *vir.Func) bool { return f.Name == c.name })
		if i < 0 {
			p.fail("unknown routine @%s", c.name)
		}
		c.call.Callee = fs[i]
	}
}

func (p *parser) value(name string) *vir.Value {
	v := p.values[name]
	if v == nil {
		p.fail("undefined %%%s", name)
	}
	return v
}

func (p *parser) phiArgs(ph pendingPhi) {
	preds := ph.phi.Block.Preds
	ph.phi.Args = make([]*vir.Value, len(preds))
	for i, from := range ph.from {
		b := p.blocks[from]
		if b == nil {
			p.fail("unknown block %s", from)
		}
		k := ph.phi.Block.PredIndex(b)
		for k >= 0 && k < len(preds) && (preds[k] != b || ph.phi.Args[k] != nil) {
			k++ // a block may come in by several edges
		}
		if k < 0 || k == len(preds) {
			p.fail("%s is no predecessor of %s", from, ph.phi.Block.Name)
		}
		ph.phi.Args[k] = p.value(ph.vals[i])
	}
	if len(ph.from) != len(preds) {
		p.fail("phi has %d operands, block %s has %d predecessors", len(ph.from), ph.phi.Block.Name, len(preds))
	}
}
