package randloop

import (
	"fmt"
	"strings"
)

// Some functions are nests: a loop over slices whose iterations have loops of their
// own. Trip counts are small, so that tests are fast, and every loop ends whatever the
// data are: what counts its iterations is set in one place only.

// everyNest is how many functions there are for one nest.
const everyNest = 7

func isNest(i int) bool { return i%everyNest == 3 }

// nestNumber is the function of nest k.
func nestNumber(k int) int { return k*everyNest + 3 }

// nestForms are how the inner loops of a nest are counted and left.
var nestForms = []string{"counted nest", "while nest", "uniform nest", "fixed nest", "search nest", "rows nest", "called nest", "column nest", "whole nest", "matrix nest", "window nest"}

// A nest is what the statements of a nest may use.
type nest struct {
	*generator
	number  int
	called  bool // in a function that the nest calls
	form    string
	in, out []variable // slices that are read and stored to
	table   variable   // of 32 elements
	coeffs  variable   // a short slice
	locals  []variable // set in the inner loops, used behind them
	around  []string   // counters of the loops around the statement, ints, outermost first
	inner   bool       // inside of an inner loop
	calm    bool       // stored slices are not read
	breaks  []string   // statements that leave loops, at this place
	loops   int        // made so far
	most    int        // of these
}

func (g *generator) nest(n int) string {
	w := &nest{generator: g, number: n, form: nestForms[n/everyNest%len(nestForms)], calm: g.chance(0.85)}
	g.used = append(g.used, w.form)
	g.policy()
	g.depth = 1 + g.rnd.IntN(2)
	g.cond = pick(g, 0, 0.2, 0.4)
	w.most = pick(g, 1, 1, 1, 2, 3)
	if w.form == "whole nest" {
		return w.whole(n)
	}
	if w.form == "matrix nest" {
		return w.matrix(n)
	}
	if w.form == "column nest" {
		return w.columns(n)
	}
	params := w.params(n)
	results := w.results()
	loop := w.outer()
	return w.declared(n, params, results, w.types, w.inits+loop)
}

// params makes the memory of the nest.
func (w *nest) params(n int) []string {
	list := []string{"m, n int"}
	for _, name := range []string{"x", "y"}[:1+w.rnd.IntN(2)] {
		v := variable{name: name, typ: w.typ(), ro: true}
		v.at = func() string { return w.read(v.name) }
		w.in = append(w.in, v)
		list = append(list, v.name+" []"+v.typ)
	}
	w.table = variable{name: "tab", typ: w.typ(), ro: true}
	w.table.at = func() string { return fmt.Sprintf("tab[int(%s)&31]", w.counter()) }
	list = append(list, "tab *[32]"+w.table.typ)
	w.coeffs = variable{name: "c", typ: w.main, ro: true}
	w.coeffs.at = func() string {
		if !w.inner && w.chance(0.9) {
			return fmt.Sprintf("%s(%s)", w.coeffs.typ, w.in[0].at())
		}
		return fmt.Sprintf("c[%s]", w.around[len(w.around)-1])
	}
	list = append(list, "c []"+w.main)
	w.inits = fmt.Sprintf("\tm &= %d\n\tn &= %d\n\tif len(c) > %d {\n\t\tc = c[:%[3]d]\n\t}\n", pick(w.generator, 7, 15, 31), pick(w.generator, 3, 31, 63), 5+w.rnd.IntN(30))
	for _, name := range []string{"out", "o2"}[:1+w.rnd.IntN(2)] {
		v := variable{name: name, typ: w.typ()}
		v.at = func() string { return w.read(v.name) }
		w.out = append(w.out, v)
		list = append(list, v.name+" []"+v.typ)
	}
	w.slices = append(append(w.slices, w.in...), w.table)
	if w.chance(0.5) {
		w.slices = append(w.slices, w.coeffs)
	}
	if !w.calm {
		w.slices = append(w.slices, w.out...)
	}
	if w.chance(0.4) {
		v := variable{name: "a", typ: w.typ()}
		w.scalars = append(w.scalars, v)
		list = append(list, "a "+v.typ)
	}
	return list
}

// results makes what all iterations add to.
func (w *nest) results() (list []string) {
	for i := range pick(w.generator, 0, 0, 1, 2) {
		v := variable{name: string("rs"[i]), typ: w.typ()}
		v.op = w.reduction(v.typ)
		if isFloat(v.typ) {
			v.op = pick(w.generator, "min", "max", "<", ">")
		}
		w.sums = append(w.sums, v)
		list = append(list, v.name+" "+v.typ)
	}
	if w.chance(0.15) {
		w.flag = true
		list = append(list, "found bool")
	}
	return list
}

// counter is one of the counters around the statement, mostly the innermost.
func (w *nest) counter() string {
	if w.chance(0.7) {
		return w.around[len(w.around)-1]
	}
	return pick(w.generator, w.around...)
}

// read is an element of a slice that is read.
func (w *nest) read(name string) string {
	i, k := w.around[0], w.around[len(w.around)-1]
	if !w.inner || w.chance(0.5) {
		if w.chance(0.05) {
			return fmt.Sprintf("%s[%s+1]", name, i)
		}
		return fmt.Sprintf("%s[%s]", name, i)
	}
	switch w.rnd.IntN(13) {
	case 12:
		if !w.called {
			return fmt.Sprintf("%s[min(max(%s%s%s, 0), len(%[1]s)-1)]", name, i, pick(w.generator, "+", "-"), k)
		}
	case 0, 1:
		return fmt.Sprintf("%s[%s]", name, k)
	case 2, 3:
		return fmt.Sprintf("%s[%s+%s]", name, i, k)
	case 4:
		return fmt.Sprintf("%s[%s*n+%s]", name, i, k)
	case 5:
		return fmt.Sprintf("%s[%s*n+%s]", name, k, i)
	case 6, 7:
		if v := w.integer(); v != "" {
			return fmt.Sprintf("%s[int(%s)&%d]", name, v, pick(w.generator, 3, 15))
		}
	}
	return fmt.Sprintf("%s[%s]", name, i)
}

// integer is a local integer; "" when there is none.
func (w *nest) integer() string {
	for _, v := range w.locals {
		if !isFloat(v.typ) {
			return v.name
		}
	}
	return ""
}

// outer writes the loop whose iterations may become lanes.
func (w *nest) outer() string {
	w.index, w.around = "i", []string{"i"}
	head := "for i := range out {"
	x := w.in[0]
	switch w.rnd.IntN(8) {
	case 0, 1, 2:
		head = "for i, v := range x {"
		w.temps = append(w.temps, variable{name: "v", typ: x.typ})
	case 3:
		head = "for i := 0; i < len(x) && i < len(out); i++ {"
	case 4:
		head = "for i := min(len(x), len(out)) - 1; i >= 0; i-- {"
	case 5:
		head = "for i := 0; i+3 < len(out); i += 2 {"
	}
	body := w.iteration()
	if w.chance(0.4) {
		head = "//vec:loop\n\t" + head
	}
	if strings.Contains(body, " outer\n") {
		head = "outer:\n\t" + head
	}
	loop := fmt.Sprintf("\t%s\n%s\t}\n", head, body)
	if w.form == "rows nest" && w.chance(0.2) {
		return fmt.Sprintf("\tfor q := range 2 {\n%s\t}\n", loop)
	}
	return loop
}

// iteration is the body of the outer loop.
func (w *nest) iteration() string {
	var sb strings.Builder
	for i := range 1 + w.rnd.IntN(3) {
		t := w.typ()
		v := variable{name: string("tuw"[i]), typ: t}
		e := w.expr(t, 1)
		if isConstant(e) && !strings.HasPrefix(e, t+"(") {
			e = w.constant(t)
		}
		fmt.Fprintf(&sb, "\t\t%s := %s\n\t\t_ = %[1]s\n", v.name, e)
		w.locals, w.temps = append(w.locals, v), append(w.temps, v)
	}
	w.breaks = []string{"continue"}
	if w.chance(0.2) {
		sb.WriteString(w.put(2))
	}
	if w.chance(0.15) {
		sb.WriteString(w.leave(2))
	}
	for w.loops == 0 || w.loops < w.most && w.chance(0.6) {
		in := ""
		if w.form == "called nest" && w.chance(0.8) {
			in = w.call(2)
		} else {
			in = w.innerLoop(2)
		}
		if w.chance(0.15) {
			in = fmt.Sprintf("\t\tif %s {\n%s\t\t}\n", w.condition(1), in)
		}
		sb.WriteString(in)
		if w.chance(0.2) {
			sb.WriteString(w.set(2))
		}
	}
	if w.chance(0.1) {
		sb.WriteString(w.leave(2))
	}
	sb.WriteString(w.behind())
	return sb.String()
}

// behind is what stands behind the inner loops: it uses what they set.
func (w *nest) behind() string {
	s := ""
	for _, v := range w.sums {
		s += w.reduce(2, v)
	}
	if w.flag {
		s += fmt.Sprintf("\t\tif %s {\n\t\t\tfound = true\n\t\t}\n", w.condition(1))
	}
	if len(w.sums) == 0 || w.chance(0.8) {
		s += w.put(2)
	}
	return s
}

// put stores to an element of the iteration.
func (w *nest) put(indent int) string {
	v := pick(w.generator, w.out...)
	e := w.expr(v.typ, 1)
	for _, l := range w.locals {
		if l.typ == v.typ && w.chance(0.6) {
			e = l.name
		}
	}
	s := fmt.Sprintf("%s%s[%s] %s %s\n", tabs(indent), v.name, w.around[0], pick(w.generator, "=", "=", "=", "+="), e)
	if w.chance(0.15) {
		s = fmt.Sprintf("%sif %s {\n\t%s%[1]s}\n", tabs(indent), w.condition(1), s)
	}
	return s
}

// leave is a statement that leaves a loop under a condition.
func (w *nest) leave(indent int) string {
	return fmt.Sprintf("%sif %s {\n%[1]s\t%[3]s\n%[1]s}\n", tabs(indent), w.condition(1), pick(w.generator, w.breaks...))
}

// set changes a local.
func (w *nest) set(indent int) string {
	v := pick(w.generator, w.locals...)
	e := w.expr(v.typ, w.depth)
	in := tabs(indent)
	switch w.rnd.IntN(8) {
	case 0:
		return fmt.Sprintf("%sif %s {\n%[1]s\t%[3]s = %[4]s\n%[1]s}\n", in, w.condition(1), v.name, e)
	case 1:
		return fmt.Sprintf("%s%s = %s(%[2]s, %[4]s)\n", in, v.name, pick(w.generator, "min", "max"), e)
	case 2:
		return fmt.Sprintf("%s%s = %s\n", in, v.name, e)
	case 3:
		u := pick(w.generator, w.locals...)
		if u.name != v.name {
			return fmt.Sprintf("%s%s, %s = %s, %s\n", in, v.name, u.name, e, w.expr(u.typ, 1))
		}
	case 4:
		if !isFloat(v.typ) {
			return fmt.Sprintf("%s%s %s %s\n", in, v.name, pick(w.generator, "^=", "|=", "&="), e)
		}
	}
	return fmt.Sprintf("%s%s %s %s\n", in, v.name, pick(w.generator, "+=", "+=", "-=", "*="), e)
}

// A counting is how an inner loop is counted.
type counting struct {
	before, head, first string // statement before it, header, first statement of the body
	count               string // its counter as an int
	own                 []variable
}

// innerLoop writes a loop inside, with loops inside of itself now and then.
func (w *nest) innerLoop(indent int) string {
	w.loops++
	name := fmt.Sprintf("k%d", w.loops)
	temps, breaks, was := len(w.temps), w.breaks, w.inner
	c := w.counting(name)
	in := tabs(indent)
	w.temps = append(w.temps, c.own...)
	w.around, w.inner = append(w.around, c.count), true
	w.index = c.count
	w.breaks = append([]string{"break", "break", "continue"}, "continue outer")
	switch {
	case w.called:
		w.breaks[3] = "return p"
	case w.chance(0.1):
		w.breaks = append(w.breaks, "break outer", "return")
	}
	body := w.innerBody(indent + 1)
	w.around = w.around[:len(w.around)-1]
	w.index = w.around[len(w.around)-1]
	w.temps, w.breaks, w.inner = w.temps[:temps], breaks, was
	s := ""
	if c.before != "" {
		s = in + c.before + "\n"
	}
	s += in + c.head + "\n"
	for _, v := range c.own {
		s += in + "\t_ = " + v.name + "\n"
	}
	if c.first != "" {
		s += in + "\t" + c.first + "\n"
	}
	return s + body + in + "}\n"
}

// call puts an inner loop into a function of its own, which sets a local.
func (w *nest) call(indent int) string {
	v, a := pick(w.generator, w.locals...), variable{name: "a", typ: w.typ()}
	name := fmt.Sprintf("h%d_%d", w.number, w.loops)
	arg := w.expr(a.typ, 1)
	outside, g := *w, *w.generator
	w.slices, w.scalars, w.sums, w.flag = []variable{w.table}, nil, nil, false
	p := variable{name: "p", typ: v.typ}
	w.locals, w.temps = []variable{p}, []variable{a, p}
	w.around, w.index, w.inner, w.form = []string{"n"}, "n", false, "search nest"
	w.breaks = []string{"return p"}
	w.called = true
	loop := w.innerLoop(1)
	loops := w.loops
	text := fmt.Sprintf("func %s(p %s, a %s, m, n int, tab *[32]%s) %[2]s {\n%[5]s\treturn p\n}\n\n", name, v.typ, a.typ, w.table.typ, loop)
	*w, *w.generator = outside, g
	w.loops = loops
	w.types += text
	return fmt.Sprintf("%s%s = %s(%[2]s, %[4]s, m, n, tab)\n", tabs(indent), v.name, name, arg)
}

func (w *nest) innerBody(indent int) string {
	s := ""
	if w.form == "rows nest" {
		v := pick(w.generator, w.out...)
		s += fmt.Sprintf("%s%s[i*n+%s] %s %s\n", tabs(indent), v.name, w.around[len(w.around)-1], pick(w.generator, "=", "+="), w.expr(v.typ, w.depth))
		if w.chance(0.6) {
			return s
		}
	}
	if w.form == "search nest" || w.chance(0.15) {
		s += w.leave(indent)
	}
	for range 1 + w.rnd.IntN(3) {
		s += w.set(indent)
		if w.chance(0.1) {
			s += w.leave(indent)
		}
	}
	if w.loops < w.most && w.chance(0.4) {
		s += w.innerLoop(indent)
	}
	if !w.called && w.chance(0.1) {
		s += w.atEdge(indent)
	}
	if len(w.sums) > 0 && w.chance(0.15) {
		s += w.reduce(indent, pick(w.generator, w.sums...))
	}
	if w.flag && w.chance(0.2) {
		s += tabs(indent) + "found = found || " + w.condition(0) + "\n"
	}
	if !w.called && w.chance(0.04) {
		s += w.put(indent)
	}
	if w.form == "search nest" && w.chance(0.5) {
		s += w.leave(indent)
	}
	return s
}

// bits is an integer expression of type t.
func (w *nest) bits(t string) string {
	if e := w.expr(t, 1); !isConstant(e) {
		return e
	}
	return fmt.Sprintf("%s(%s)", t, w.slices[0].at())
}

// counting draws how the loop with that counter is counted.
func (w *nest) counting(k string) counting {
	form := w.form
	if w.loops > 1 || w.chance(0.1) || form == "called nest" {
		form = pick(w.generator, nestForms...)
	}
	switch form {
	case "while nest":
		return w.while(k)
	case "uniform nest", "rows nest":
		return w.uniform(k, form)
	case "fixed nest":
		return w.fixed(k)
	case "window nest":
		if !w.called {
			return w.window(k)
		}
	case "search nest":
		if w.chance(0.5) {
			return w.uniform(k, form)
		}
	}
	return w.counted(k)
}

// counted loops have a trip count for each iteration around them.
func (w *nest) counted(k string) counting {
	t := pick(w.generator, intTypes...)
	if w.chance(0.4) {
		t = "int"
	}
	limit := fmt.Sprintf("%s&%d", w.bits(t), pick(w.generator, 7, 15, 31, 31, 63))
	count, own := "int("+k+")", []variable{{name: k, typ: t}}
	if t == "int" {
		count = k
	}
	if !w.called && w.chance(0.15) {
		return w.upToEnd(k)
	}
	head := ""
	switch w.rnd.IntN(8) {
	case 0:
		head = fmt.Sprintf("for %s := %s; %[1]s > 0; %[1]s-- {", k, limit)
	case 1:
		head = fmt.Sprintf("for %s := %s(%d); %[1]s <= %[4]s; %[1]s += %[5]d {", k, t, w.rnd.IntN(3), limit, 1+w.rnd.IntN(3))
	case 2:
		i := w.around[0]
		return counting{head: fmt.Sprintf("for %s := %s; %[1]s <= %[3]s; %[1]s++ {", k, pick(w.generator, "0", i+" &^ 7", i+" &^ 3"), i+pick(w.generator, "&15", "&7", "|7")), count: k, own: []variable{{name: k, typ: "int"}}}
	case 3:
		head = fmt.Sprintf("for %s := range %s {", k, limit)
	case 4:
		head = fmt.Sprintf("for %s := %s; %[1]s < %[3]d; %[1]s++ {", k, limit, pick(w.generator, 8, 20, 40))
	default:
		head = fmt.Sprintf("for %s := %s(%d); %[1]s < %[4]s; %[1]s++ {", k, t, w.rnd.IntN(2), limit)
	}
	return counting{head: head, count: count, own: own}
}

// upToEnd loops end where a slice does, each iteration around them after another number of turns.
func (w *nest) upToEnd(k string) counting {
	i, end := w.around[0], fmt.Sprintf("len(%s)", w.slices[0].name)
	head := pick(w.generator, "for %[1]s := 0; %[2]s+%[1]s < %[3]s; %[1]s++ {", "for %[1]s := 0; %[1]s < %[3]s-%[2]s; %[1]s++ {",
		"for %[1]s := %[2]s; %[1]s < %[3]s; %[1]s++ {", "for %[1]s := %[3]s - 1; %[1]s >= %[2]s; %[1]s-- {")
	return counting{head: fmt.Sprintf(head, k, i, end), count: k, own: []variable{{name: k, typ: "int"}}}
}

// window loops run over elements around the one of the iteration, as many as there are.
func (w *nest) window(k string) counting {
	i, end := w.around[0], fmt.Sprintf("len(%s)", w.slices[0].name)
	c := counting{count: k, own: []variable{{name: k, typ: "int"}}}
	lo, hi := pick(w.generator, i+"-n", i+"-m", i+"-2", i+"-n+1"), pick(w.generator, i, i+"+m", i+"+n", i+"+3")
	switch w.rnd.IntN(5) {
	case 0:
		c.head = fmt.Sprintf("for %s := %s; %[1]s <= %[3]s; %[1]s++ {", k, lo, hi)
	case 1:
		c.before = fmt.Sprintf("%s, e%[1]s := %[2]s, %[3]s\nif %[1]s < 0 {\n%[1]s = 0\n}\nif e%[1]s >= %[4]s {\ne%[1]s = %[4]s - 1\n}", k, lo, hi, end)
		c.head = fmt.Sprintf("for ; %s <= e%[1]s; %[1]s++ {", k)
		c.own = nil
	case 2:
		c.head = fmt.Sprintf("for %s := min(%[3]s, %[4]s-1); %[1]s >= max(0, %[2]s); %[1]s-- {", k, lo, hi, end)
	default:
		c.head = fmt.Sprintf("for %s := max(%s, 0); %[1]s < min(%[3]s, %[4]s); %[1]s++ {", k, lo, hi, end)
	}
	return c
}

// atEdge uses an element where there is one, or where something else says so.
func (w *nest) atEdge(indent int) string {
	in, s, v := tabs(indent), w.slices[0], pick(w.generator, w.locals...)
	w.loops++ // for the name
	e := fmt.Sprintf("at%d", w.loops)
	place := pick(w.generator, "%s-%s", "%s+%s", "%s+%s-2")
	inside := fmt.Sprintf(pick(w.generator, "%[1]s >= 0 && %[1]s < len(%[2]s)", "%[1]s >= 0 && %[1]s < len(%[2]s)", "uint(%[1]s) < uint(len(%[2]s))", "%[1]s < len(%[2]s)", "%[1]s > 2 && %[1]s < n"), e, s.name)
	return fmt.Sprintf("%sif %s := %s; %s {\n%[1]s\t%[5]s += %[6]s(%[7]s[%[2]s])\n%[1]s}\n", in, e, fmt.Sprintf(place, w.around[0], w.around[len(w.around)-1]), inside, v.name, v.typ, s.name)
}

// while loops count in a variable of their own.
func (w *nest) while(k string) counting {
	t := pick(w.generator, intTypes...)
	own := []variable{{name: k, typ: t}}
	c := counting{count: "int(" + k + ")", own: own}
	limit := fmt.Sprintf("%s & %d", w.bits(t), pick(w.generator, 15, 31, 63))
	switch w.rnd.IntN(5) {
	case 0:
		c.before, c.head, c.first = fmt.Sprintf("%s := %s", k, limit), fmt.Sprintf("for %s != 0 {", k), fmt.Sprintf("%s >>= 1", k)
	case 1:
		c.before, c.head, c.first = fmt.Sprintf("%s := %s", k, limit), fmt.Sprintf("for %s != 0 {", k), fmt.Sprintf("%s &= %[1]s - 1", k)
	case 2:
		c.before, c.head, c.first = fmt.Sprintf("%s := %s(0)", k, t), fmt.Sprintf("for %s < %d && (%s) {", k, pick(w.generator, 10, 30), w.condition(1)), k+"++"
	case 3:
		c.before, c.head, c.first = fmt.Sprintf("%s := %s", k, limit), "for {", fmt.Sprintf("if %s <= 0 {\n%s\tbreak\n%[2]s}\n%[2]s%[1]s--", k, tabs(2+len(w.around)))
	default:
		c.before, c.head, c.first = fmt.Sprintf("%s := %s", k, limit), fmt.Sprintf("for %s > 0 {", k), k+"--"
	}
	c.own = nil
	w.temps = append(w.temps, own...)
	return c
}

// uniform loops have one trip count for all iterations around them.
func (w *nest) uniform(k, form string) counting {
	own := []variable{{name: k, typ: "int"}}
	n := 6
	if form == "rows nest" {
		n = 3
	}
	switch w.rnd.IntN(n) {
	case 0:
		return counting{head: fmt.Sprintf("for %s := 0; %[1]s < n; %[1]s++ {", k), count: k, own: own}
	case 1:
		return counting{head: fmt.Sprintf("for %s := range m {", k), count: k, own: own}
	case 2:
		return counting{head: fmt.Sprintf("for %s := range n {", k), count: k, own: own}
	case 3:
		if w.called {
			break
		}
		return counting{head: fmt.Sprintf("for %s := range c {", k), count: k, own: own}
	}
	if w.called {
		return counting{head: fmt.Sprintf("for %s, e%[1]s := range tab {", k), count: k, own: append(own, variable{name: "e" + k, typ: w.table.typ})}
	}
	own = append(own, variable{name: "e" + k, typ: w.coeffs.typ})
	return counting{head: fmt.Sprintf("for %s, e%[1]s := range c {", k), count: k, own: own}
}

// fixed loops have few iterations, and are unrolled mostly.
func (w *nest) fixed(k string) counting {
	t := pick(w.generator, intTypes...)
	own, count := []variable{{name: k, typ: t}}, "int("+k+")"
	switch w.rnd.IntN(5) {
	case 0:
		return counting{head: fmt.Sprintf("for %s := range %s(%d) {", k, t, 1+w.rnd.IntN(20)), count: count, own: own}
	case 1:
		return counting{head: fmt.Sprintf("for %s := %s(%d); %[1]s > 0; %[1]s -= %[4]d {", k, t, 2*(1+w.rnd.IntN(5)), 1+w.rnd.IntN(2)), count: count, own: own}
	case 2:
		return counting{head: fmt.Sprintf("for %s := range tab {", k), count: k, own: []variable{{name: k, typ: "int"}}}
	case 3:
		if w.called || !w.chance(0.5) {
			break
		}
		part, n, i := w.slices[0], 1+w.rnd.IntN(8), w.around[0]
		from := pick(w.generator, i, i+"/2", i+"&^7")
		own = []variable{{name: k, typ: "int"}, {name: "e" + k, typ: part.typ}}
		return counting{head: fmt.Sprintf("for %s, e%[1]s := range %s[%s : %[3]s+%[4]d] {", k, part.name, from, n), count: k, own: own}
	}
	return counting{head: fmt.Sprintf("for %s := %s(%d); %[1]s < %[4]d; %[1]s += %[5]d {", k, t, w.rnd.IntN(3), 2+w.rnd.IntN(14), 1+w.rnd.IntN(2)), count: count, own: own}
}
