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
		g.mayLookUp(seed, i)
		g.mayStretch(seed, i)
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
	items  *rand.Rand // for items at loaded subscripts; nil for others
	ring   *rand.Rand // for subscripts that jump; nil for others
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
	if g.ring != nil {
		return g.stretches(n)
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
	if g.items != nil {
		return g.lookUps(n)
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
	return g.declared(n, params, results, types, inits+loops)
}

// declared is the text of function n with that body, behind the types that it needs.
func (g *generator) declared(n int, params, results []string, types, body string) string {
	res, ret := "", ""
	if len(results) > 0 {
		res, ret = " ("+strings.Join(results, ", ")+")", "\treturn\n"
	}
	return fmt.Sprintf("%s//vec:func F%d%s\nfunc f%d(%s)%s {\n%s%s}\n", types, n, g.clauses, n, strings.Join(params, ", "), res, body, ret)
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
		return fmt.Sprintf("\t%s\n\t%s\n%s\t}\n\t}\n", g.outer, head, body)
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
	switch g.rnd.IntN(12) {
	case 11:
		if g.chance(0.7) || x.field != "" {
			return fmt.Sprintf("for i := range %s {", x.name)
		}
		g.index = "(i-math.MinInt64)"
		return fmt.Sprintf("for i := math.MinInt64; i < math.MinInt64+len(%s); i++ {", x.name)
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
		return fmt.Sprintf("for i, v := range %s {", x.name)
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
