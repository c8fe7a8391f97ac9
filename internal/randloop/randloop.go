// Package randloop writes random, well-defined Go functions with one annotated
// loop each, as input for differential tests of the whole tool: generate,
// vectorize, build, compare with the originals.
//
// The choices favour what vectorizes (unit stride, one element type per
// function, a few temporaries), after the generation policies of YARPGen
// (Livinskii, Babokin, Regehr, OOPSLA 2020): every function draws its own
// probabilities first and then its statements from them. Undefined results do
// not exist in Go; panics do, and functions that panic are welcome.
package randloop

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

func newGenerator(seed uint64, i int) *generator {
	g := &generator{rnd: rand.New(rand.NewPCG(seed, uint64(i)))}
	if !isNest(i) {
		g.mayExit(seed, i)
		g.mayCarry(seed, i)
		g.mayKeep(seed, i)
		g.mayInduct(seed, i)
		g.mayNeighbour(seed, i)
		g.mayOrder(seed, i)
		g.mayMove(seed, i)
		g.mayRecur(seed, i)
		g.mayCopy(seed, i)
	}
	return g
}

var (
	intTypes   = []string{"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "int", "uint"}
	floatTypes = []string{"float32", "float64"}
)

func isFloat(t string) bool    { return strings.HasPrefix(t, "float") }
func isUnsigned(t string) bool { return strings.HasPrefix(t, "uint") }

func width(t string) int {
	switch t {
	case "int8", "uint8":
		return 8
	case "int16", "uint16":
		return 16
	case "int32", "uint32", "float32":
		return 32
	}
	return 64
}

// variable is something an expression may read or a statement may write. For
// memory, typ is that of the elements.
type variable struct {
	name  string
	typ   string
	ro    bool   // a string
	field string // of the elements, with its dot
	op    string // by which loops accumulate in it

	at func() string // writes an element; nil for name[subscript]field
}

// A generator writes one function.
type generator struct {
	rnd *rand.Rand

	slices  []variable // element types
	scalars []variable
	temps   []variable // in scope in the body
	sums    []variable // reductions, results of the function
	index   string     // the loop variable, an int
	reverse bool
	flag    bool   // there is a result found bool
	known   bool   // there are parameters on bool and mode int
	clauses string // of the directive

	// The policy of this function.
	main      string  // favourite element type
	mixed     float64 // chance of another type
	cond      float64 // chance that a statement is an if
	offset    float64 // chance of x[i+c] instead of x[i]
	stride    int     // of subscripts, mostly 1
	indexed   bool    // subscripts may be loaded
	shared    bool    // subscripts may be quotients and remainders of the index
	depth     int
	nextTemp  int
	narrow    bool // the index may be of a narrow type
	stmtsLeft int

	exits  *rand.Rand // how loops are left from inside; nil when they are not
	states *rand.Rand // what loops carry besides sums; nil when nothing
	kind   string     // of that
	best   variable   // that
	atType string     // of the index that goes with it
	keeps  *rand.Rand // what loops put side by side; nil when nothing
	kept   []variable
	near   *rand.Rand // for statements over neighbours; nil for others
	order  *rand.Rand // for sums in order; nil for others
	moving *rand.Rand // for slices that are eaten; nil for others
	recur  *rand.Rand // for recurrences; nil for others
	copied *rand.Rand // for loops unrolled by hand; nil for others
	held   bool       // elements that all iterations use are among them

	inducts *rand.Rand // what inductions loops have besides the index; nil for none
	way     string     // of that
	lag     variable   // that

	forms // what memory needs besides slices
}

func (g *generator) chance(p float64) bool { return g.rnd.Float64() < p }

func pick[T any](g *generator, xs ...T) T { return xs[g.rnd.IntN(len(xs))] }

func (g *generator) typ() string {
	if !g.chance(g.mixed) {
		return g.main
	}
	if g.chance(0.3) {
		return pick(g, floatTypes...)
	}
	return pick(g, intTypes...)
}

func (g *generator) function(n int) string {
	if isNest(n) {
		return g.nest(n)
	}
	if g.near != nil {
		return g.neighbours(n)
	}
	if g.order != nil {
		return g.ordered(n)
	}
	if g.moving != nil {
		return g.moves(n)
	}
	if g.recur != nil {
		return g.recurrence(n)
	}
	if g.copied != nil {
		return g.copies(n)
	}
	g.policy()
	types, params := g.anyMemory(n)
	for i := range g.rnd.IntN(3) {
		v := variable{name: string("ab"[i]), typ: g.typ()}
		g.scalars = append(g.scalars, v)
		params = append(params, v.name+" "+v.typ)
	}
	if g.known = g.chance(0.15); g.known {
		params = append(params, "on bool", "mode int")
	}
	results, inits := g.results()
	results = append(results, g.carried()...)
	results = append(results, g.inducted()...)
	more, counters := g.keptOutputs()
	params, results = append(params, more...), append(results, counters...)
	if g.chance(0.1) {
		inits += g.reslice()
	}
	inits += g.inits
	loops := ""
	for range pick(g, 1, 1, 1, 1, 2) {
		loops += g.loop()
	}
	res, ret := "", ""
	if len(results) > 0 {
		res, ret = " ("+strings.Join(results, ", ")+")", "\treturn\n"
	}
	return fmt.Sprintf("%s//vec:func F%d%s\nfunc f%d(%s)%s {\n%s%s%s}\n",
		types, n, g.clauses, n, strings.Join(params, ", "), res, inits, loops, ret)
}

// memory makes what the loops walk over: slices mostly, also fields of a
// struct, arrays behind pointers, strings and single variables.
func (g *generator) memory(n int) (types string, params []string) {
	var fields []string
	if g.chance(0.15) {
		return g.structs(n)
	}
	for i := range 1 + g.rnd.IntN(3) {
		v := variable{name: string("xyz"[i]), typ: g.typ()}
		kind := g.rnd.IntN(12)
		switch {
		case kind == 0 && i > 0:
			v.typ, v.ro = "uint8", true
			params = append(params, v.name+" string")
		case kind == 1 && i > 0:
			params = append(params, fmt.Sprintf("%s *[%d]%s", v.name, pick(g, 40, 64, 129), v.typ))
		case kind <= 3:
			fields = append(fields, fmt.Sprintf("\t%s []%s\n", v.name, v.typ))
			v.name = "m." + v.name
		default:
			params = append(params, v.name+" []"+v.typ)
		}
		g.slices = append(g.slices, v)
	}
	if g.chance(0.08) {
		v := variable{name: "*p", typ: g.typ()}
		params = append(params, "p *"+v.typ)
		g.scalars = append(g.scalars, v)
	}
	if fields != nil {
		types = fmt.Sprintf("type rec%d struct {\n\tn int\n%s}\n\n", n, strings.Join(fields, ""))
		params = append(params, fmt.Sprintf("m *rec%d", n))
	}
	return types, params
}

// structs makes one slice of structs, whose fields the loop walks over.
func (g *generator) structs(n int) (types string, params []string) {
	fields := ""
	for i := range 2 + g.rnd.IntN(3) {
		v := variable{name: "x", typ: g.typ(), field: "." + string("rgbw"[i])}
		fields += fmt.Sprintf("\t%c %s\n", "rgbw"[i], v.typ)
		g.slices = append(g.slices, v)
	}
	types = fmt.Sprintf("type rec%d struct {\n%s}\n\n", n, fields)
	params = append(params, fmt.Sprintf("x []rec%d", n))
	if g.chance(0.5) {
		y := variable{name: "y", typ: g.typ()}
		g.slices = append(g.slices, y)
		params = append(params, "y []"+y.typ)
	}
	return types, params
}

// results makes the variables that loops accumulate in.
func (g *generator) results() (results []string, inits string) {
	for i := range pick(g, 0, 0, 1, 1, 2) {
		v := variable{name: string("rs"[i]), typ: g.typ()}
		if isFloat(v.typ) && g.chance(0.5) {
			v.typ = "int" // an ordered float sum is refused; keep few of them
		}
		v.op = g.reduction(v.typ)
		g.sums = append(g.sums, v)
		results = append(results, v.name+" "+v.typ)
		if !isFloat(v.typ) && g.chance(0.4) { // a sum of floats must not start so that it cancels
			inits += fmt.Sprintf("\t%s = %s\n", v.name, g.constant(v.typ))
		}
	}
	if g.chance(0.1) {
		g.flag = true
		results = append(results, "found bool")
	}
	if slices.ContainsFunc(g.sums, func(v variable) bool { return isFloat(v.typ) }) && g.chance(0.5) {
		g.clauses = " reassoc"
	}
	return results, inits
}

// reslice makes a slice shorter, as one does to drop bounds checks.
func (g *generator) reslice() string {
	x, y := pick(g, g.slices...), pick(g, g.slices...)
	if x.ro || x.at != nil || y.at != nil || g.slices[0].at != nil || strings.Contains(x.name, ".") || len(g.slices) < 2 {
		return ""
	}
	return fmt.Sprintf("\tif len(%s) < len(%s) {\n\t\t%[2]s = %[2]s[:len(%[1]s)]\n\t}\n", y.name, g.slices[0].name)
}

func (g *generator) loop() string {
	g.temps, g.reverse = nil, false
	g.stmtsLeft = 1 + g.rnd.IntN(4)
	head := g.header()
	body := g.prelude() + g.early() + g.inductEarly() + g.exit(2) + g.block(2) + g.exit(2)
	if len(g.sums) == 0 || g.chance(0.5) {
		body += g.store(2)
	}
	for _, s := range g.sums {
		body += g.reduce(2, s)
	}
	body += g.keep(2)
	if g.flag {
		body += fmt.Sprintf("\t\tif %s {\n\t\t\tfound = true\n\t\t}\n", g.condition(1))
	}
	body += g.late() + g.inductLate() + g.exit(2)
	if g.outer != "" {
		return fmt.Sprintf("\t%s\n\t_ = k\n\t%s\n%s\t}\n\t}\n", g.outer, head, body)
	}
	return fmt.Sprintf("\t%s\n%s\t}\n", head, body)
}

func (g *generator) policy() {
	g.main = pick(g, append(append([]string{}, intTypes...), "float32", "float64", "float32", "float64", "uint8", "int32")...)
	g.mixed = pick(g, 0, 0, 0.2, 0.6)
	g.cond = pick(g, 0, 0.2, 0.5)
	g.offset = pick(g, 0, 0, 0.3)
	g.stride = pick(g, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4)
	g.indexed = g.chance(0.1)
	g.shared = g.chance(0.1)
	g.depth = 1 + g.rnd.IntN(4)
	g.stmtsLeft = 1 + g.rnd.IntN(4)
}

// header opens the loop and declares its variables.
func (g *generator) header() string {
	g.index = "i"
	x := g.slices[0]
	if g.head != nil {
		return g.head()
	}
	if g.stride > 1 {
		return fmt.Sprintf("for i := 0; i < len(%s)/%d; i++ {", x.name, g.stride)
	}
	switch g.rnd.IntN(11) {
	case 0, 1:
		return fmt.Sprintf("for i := range %s {", x.name)
	case 8:
		return fmt.Sprintf("for i := int32(0); i < int32(len(%s)); i++ {", x.name)
	case 9:
		return fmt.Sprintf("for i := uint16(%d); i < uint16(len(%s)); i++ {", g.rnd.IntN(4), x.name)
	case 10:
		return fmt.Sprintf("for i := len(%s) - %d; i > %d; i -= 1 {", x.name, 1+g.rnd.IntN(2), g.rnd.IntN(3))
	case 2:
		if x.field != "" {
			return fmt.Sprintf("for i := range %s {", x.name)
		}
		g.temps = append(g.temps, variable{name: "v", typ: x.typ})
		return fmt.Sprintf("for i, v := range %s {\n\t\t_, _ = i, v", x.name)
	case 3:
		return fmt.Sprintf("for i := 0; i < len(%s); i++ {", x.name)
	case 4:
		g.reverse = true
		return fmt.Sprintf("for i := len(%s) - 1; i >= 0; i-- {", x.name)
	case 5:
		return fmt.Sprintf("for i := range len(%s) {", x.name)
	case 6:
		return fmt.Sprintf("for i := %d; i <= len(%s)-%d; i++ {", g.rnd.IntN(3), x.name, 1+g.rnd.IntN(3))
	default:
		return fmt.Sprintf("for i := 0; i != len(%s); i++ {", x.name)
	}
}

func tabs(n int) string { return strings.Repeat("\t", n) }

// block writes statements at an indentation; temporaries end with it.
func (g *generator) block(indent int) string {
	var sb strings.Builder
	for g.stmtsLeft > 0 {
		g.stmtsLeft--
		sb.WriteString(g.stmt(indent))
	}
	return sb.String()
}

func (g *generator) stmt(indent int) string {
	if g.chance(g.cond) && indent < 5 {
		return g.ifStmt(indent)
	}
	if s := g.formStmt(indent); s != "" {
		return s
	}
	switch g.rnd.IntN(4) {
	case 0, 1:
		return g.store(indent)
	case 2:
		if len(g.sums) > 0 {
			return g.reduce(indent, pick(g, g.sums...))
		}
	}
	t := g.typ()
	s := fmt.Sprintf("%st%d := %s\n%s_ = t%d\n", tabs(indent), g.nextTemp, g.expr(t, g.depth), tabs(indent), g.nextTemp)
	g.temps = append(g.temps, variable{name: fmt.Sprintf("t%d", g.nextTemp), typ: t})
	g.nextTemp++
	return s
}

func (g *generator) switchStmt(indent int) string {
	scope := len(g.temps)
	t := pick(g, intTypes...)
	in := tabs(indent)
	s := fmt.Sprintf("%sswitch %s & 3 {\n", in, g.variable(t, 1))
	for _, label := range []string{"case 0:", "case 1, 2:", "default:"} {
		s += fmt.Sprintf("%s%s\n%s", in, label, g.stmt(indent+1))
		g.temps = g.temps[:scope]
	}
	return s + in + "}\n"
}

func (g *generator) ifStmt(indent int) string {
	if g.chance(0.15) {
		return g.switchStmt(indent)
	}
	scope := len(g.temps)
	cond := g.condition(1)
	if g.known && g.chance(0.5) {
		cond = pick(g, "on", "mode > 5", "mode&1 == 0", "mode == 0") + pick(g, "", " && "+cond, " || "+cond)
	}
	s := fmt.Sprintf("%sif %s {\n%s%s", tabs(indent), cond, g.stmt(indent+1), tabs(indent))
	g.temps = g.temps[:scope]
	switch g.rnd.IntN(5) {
	case 0, 1:
		s += fmt.Sprintf("} else {\n%s%s}\n", g.stmt(indent+1), tabs(indent))
		g.temps = g.temps[:scope]
	case 2:
		s += fmt.Sprintf("\t%s\n%s}\n", "continue", tabs(indent))
	default:
		s += "}\n"
	}
	return s
}

func (g *generator) store(indent int) string {
	x := pick(g, g.slices...)
	if x.ro {
		x = g.writable()
	}
	lhs := g.element(x)
	op := "="
	if g.chance(0.4) {
		op = pick(g, "+=", "-=", "*=")
		if !isFloat(x.typ) && g.chance(0.3) {
			op = pick(g, "&=", "|=", "^=")
		}
	}
	return fmt.Sprintf("%s%s %s %s\n", tabs(indent), lhs, op, g.expr(x.typ, g.depth))
}

// reduce accumulates into s, mostly by the operation of that variable: with
// several of them the order of iterations would matter.
func (g *generator) reduce(indent int, s variable) string {
	e := g.expr(s.typ, max(g.depth-1, 1))
	if isFloat(s.typ) && g.clauses != "" {
		e = g.summand(s.typ) // so that the error of another order has a bound
	}
	in := tabs(indent)
	op := s.op
	if op == "" || g.chance(0.05) {
		op = g.reduction(s.typ)
	}
	switch op {
	case "min", "max":
		return fmt.Sprintf("%s%s = %s(%s, %s)\n", in, s.name, op, s.name, e)
	case "horner":
		return fmt.Sprintf("%s%s = %s*%s + %s\n", in, s.name, s.name, pick(g, "31", "2", "3", "33", "7"), e)
	case "rest":
		return fmt.Sprintf("%s%s = %s - %s\n", in, s.name, e, s.name)
	case "<", ">", "<=", ">=":
		return fmt.Sprintf("%[1]sif e%[2]d := %[3]s; e%[2]d %[4]s %[5]s {\n%[1]s\t%[5]s = e%[2]d\n%[1]s}\n", in, g.temp(), e, op, s.name)
	case "+=":
		switch g.rnd.IntN(4) {
		case 0:
			return fmt.Sprintf("%sif %s {\n%s\t%s++\n%s}\n", in, g.condition(1), in, s.name, in)
		case 1:
			return fmt.Sprintf("%sif %s {\n%s\t%s += %s\n%s}\n", in, g.condition(1), in, s.name, e, in)
		}
	}
	return fmt.Sprintf("%s%s %s %s\n", in, s.name, op, e)
}

// reduction is an operation to accumulate values of type t by.
func (g *generator) reduction(t string) string {
	if isFloat(t) {
		return pick(g, "min", "max", "<", ">", "<=", ">=", "+=", "+=")
	}
	return pick(g, "min", "max", "<", ">", "<=", ">=", "+=", "+=", "+=", "+=", "-=", "^=", "|=", "&=", "*=", "horner", "rest")
}

// summand is an element of type t, or a small constant when no memory has it.
func (g *generator) summand(t string) string {
	for _, x := range g.slices {
		if x.typ == t && x.at == nil {
			return x.name + "[" + g.index + "]" + x.field
		}
	}
	return t + "(2)"
}

func (g *generator) temp() int {
	g.nextTemp++
	return g.nextTemp - 1
}

// element is an element of x, or a field of one.
func (g *generator) element(x variable) string {
	if x.at != nil {
		return x.at()
	}
	return x.name + "[" + g.subscript() + "]" + x.field
}

func (g *generator) subscript() string {
	switch {
	case g.stride > 1 && g.chance(0.8):
		return fmt.Sprintf("%d*%s+%d", g.stride, g.index, g.rnd.IntN(g.stride))
	case g.shared && g.chance(0.4):
		return g.repeating()
	case g.indexed && g.chance(0.15):
		k := g.slices[len(g.slices)-1]
		if !isFloat(k.typ) && k.at == nil {
			return fmt.Sprintf("int(%s[%s]%s)&7", k.name, g.index, k.field)
		}
	}
	if !g.chance(g.offset) {
		return g.index
	}
	if g.chance(0.2) && g.slices[0].at == nil {
		return fmt.Sprintf("len(%s)-1-int(%s)", g.slices[0].name, g.index)
	}
	c := 1 + g.rnd.IntN(pick(g, 2, 9, 40))
	return fmt.Sprintf("%s%s%d", g.index, pick(g, "+", "-"), c)
}

// repeating is a subscript that several iterations have in common.
func (g *generator) repeating() string {
	x := g.index
	if g.chance(0.3) {
		x = fmt.Sprintf("(%s+%d)", x, 1+g.rnd.IntN(9))
	}
	if g.chance(0.4) {
		return x + pick(g, "/2", ">>1", "/4", ">>3", "/3")
	}
	return fmt.Sprintf("%s%%%d", x, 1+g.rnd.IntN(pick(g, 5, 9, 40)))
}

func (g *generator) condition(depth int) string {
	if depth > 0 && g.chance(0.25) {
		return fmt.Sprintf("%s %s %s", g.condition(depth-1), pick(g, "&&", "||"), g.condition(depth-1))
	}
	if g.chance(0.1) {
		return "!(" + g.condition(0) + ")"
	}
	t := g.typ()
	return fmt.Sprintf("%s %s %s", g.variable(t, 1), pick(g, "<", ">", "<=", ">=", "==", "!="), g.expr(t, 1))
}

// expr is an expression of type t.
func (g *generator) expr(t string, depth int) string {
	if depth <= 0 || g.chance(0.15) {
		return g.leaf(t)
	}
	e := ""
	if isFloat(t) {
		e = g.floatExpr(t, depth-1)
	} else {
		e = g.intExpr(t, depth-1)
	}
	if isConstant(e) { // might overflow, which is a compile error
		return g.leaf(t)
	}
	return e
}

var word = regexp.MustCompile(`[A-Za-z_]\w*`)

// isConstant reports whether Go would fold s: its words are types only.
func isConstant(s string) bool {
	for _, w := range word.FindAllString(s, -1) {
		switch {
		case slices.Contains(intTypes, w), slices.Contains(floatTypes, w), w == "min", w == "max", w == "e9":
		default:
			return false
		}
	}
	return true
}

func (g *generator) intExpr(t string, d int) string {
	x, y := g.variable(t, d), g.expr(t, d)
	switch g.rnd.IntN(14) {
	case 0, 1, 2:
		return fmt.Sprintf("(%s %s %s)", x, pick(g, "+", "-", "*"), y)
	case 3, 4:
		return fmt.Sprintf("(%s %s %s)", x, pick(g, "&", "|", "^", "&^"), y)
	case 5:
		return fmt.Sprintf("(%s %s %d)", x, pick(g, "<<", ">>"), g.rnd.IntN(width(t)+2))
	case 6:
		return fmt.Sprintf("(%s %s (uint(%s) %% %d))", x, pick(g, "<<", ">>"), g.variable(t, d), 2*width(t))
	case 7:
		if g.chance(0.1) {
			return fmt.Sprintf("(%s %s %s)", x, pick(g, "/", "%"), g.variable(t, 0))
		}
		if g.chance(0.1) && !isUnsigned(t) {
			return fmt.Sprintf("(%s %s (%s & 31))", x, pick(g, "<<", ">>"), g.variable(t, 0))
		}
		return fmt.Sprintf("(%s %s %d)", x, pick(g, "/", "%"), pick(g, 1, 2, 3, 5, 7, 8, 10, 16, 60, 100, 127))
	case 8:
		return fmt.Sprintf("%s(%s, %s)", pick(g, "min", "max"), x, y)
	case 9:
		return fmt.Sprintf("(%s%s)", pick(g, "-", "^"), x)
	case 10:
		return g.bitsCall(t, d)
	default:
		from := g.typ()
		if isFloat(from) && g.chance(0.5) {
			from = t
		}
		return fmt.Sprintf("%s(%s)", t, g.variable(from, d))
	}
}

// variable is an expression that Go does not fold.
func (g *generator) variable(t string, d int) string {
	if e := g.expr(t, d); !isConstant(e) {
		return e
	}
	return fmt.Sprintf("%s(%s)", t, g.element(g.slices[0]))
}

func (g *generator) bitsCall(t string, d int) string {
	w := pick(g, 8, 16, 32, 64)
	x := g.variable(fmt.Sprintf("uint%d", w), d)
	switch g.rnd.IntN(5) {
	case 0:
		return fmt.Sprintf("%s(bits.RotateLeft%d(%s, %d))", t, w, x, g.rnd.IntN(70)-3)
	case 1:
		return fmt.Sprintf("%s(bits.Reverse%d(%s))", t, w, x)
	default:
		return fmt.Sprintf("%s(bits.%s%d(%s))", t, pick(g, "OnesCount", "LeadingZeros", "TrailingZeros", "Len"), w, x)
	}
}

func (g *generator) floatExpr(t string, d int) string {
	x, y := g.variable(t, d), g.expr(t, d)
	switch g.rnd.IntN(10) {
	case 0, 1, 2, 3:
		return fmt.Sprintf("(%s %s %s)", x, pick(g, "+", "-", "*", "/"), y)
	case 4:
		return fmt.Sprintf("%s(%s, %s)", pick(g, "min", "max"), x, y)
	case 5:
		return fmt.Sprintf("(-%s)", x)
	case 6:
		f := pick(g, "Abs", "Sqrt", "Floor", "Ceil", "Trunc", "RoundToEven")
		return fmt.Sprintf("%s(math.%s(float64(%s)))", t, f, x)
	case 7:
		// The sign of a computed NaN is nobody's promise, so signs come from
		// integers; converting a NaN to an integer gives the same for all of them.
		return fmt.Sprintf("%s(math.Copysign(float64(%s), float64(%s)))", t, x, g.variable("int32", d))
	default:
		return fmt.Sprintf("%s(%s)", t, g.variable(g.typ(), d))
	}
}

func (g *generator) leaf(t string) string {
	var same []string
	for _, s := range g.slices {
		if s.typ == t {
			same = append(same, g.element(s))
		}
	}
	for _, vs := range [][]variable{g.scalars, g.temps} {
		for _, v := range vs {
			if v.typ == t {
				same = append(same, v.name)
			}
		}
	}
	switch {
	case len(same) > 0 && !g.chance(0.15):
		return pick(g, same...)
	case g.chance(0.3):
		return fmt.Sprintf("%s(%s)", t, g.index)
	case g.chance(0.5):
		s := pick(g, g.slices...)
		return fmt.Sprintf("%s(%s)", t, g.element(s))
	}
	return g.constant(t)
}

func (g *generator) constant(t string) string {
	if isFloat(t) {
		return t + "(" + pick(g, "0.5", "2", "-1", "3.25", "1e9", "0.1", "255", "-0.75") + ")"
	}
	c := pick(g, 0, 1, 2, 3, 5, 7, 10, 50, 100, 127)
	if width(t) > 8 && g.chance(0.3) {
		c = pick(g, 128, 255, 1000, 32767)
	}
	if !isUnsigned(t) && g.chance(0.3) {
		c = -c
	}
	return fmt.Sprintf("%s(%d)", t, c)
}
