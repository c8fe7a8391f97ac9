package randloop

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Idioms are short functions in the ways in which Go programs say things: one way each, with
// everything else drawn at random. What other functions leave out is here: generic functions,
// methods, named types, closures, clauses, library functions, conversions and counts out
// of range.

// An idiom writes one function.
type idiom struct {
	*generator
	n               int
	types, clause   string
	recv, typeParam string
	params, results []string
	inits           string
}

// A saying is a way to say things. Scalar ones are refused by design: twins call the
// original, or run its loops.
type saying struct {
	name   string
	scalar bool
	write  func(d *idiom) (body string)
}

// sayings are set at start-up, because some of them are made of others.
var sayings = slices.Concat(typeSayings, controlSayings, librarySayings, valueSayings, mathSayings, runeSayings, copySayings, updateSayings, lastSayings, staySayings, beforeSayings, rowSayings, aheadSayings, lowSayings, beginningSayings, innerSayings, gridSayings, ringSayings, flagSayings, cutSayings, countSayings, placeSayings, optionalSayings, lentSayings, appliedSayings, decodedSayings, stepSayings, chosenSayings, teamSayings, sweepSayings, arraySayings, extremeSayings, sliceRowSayings, settingSayings, meetingSayings, activeSayings)

func idiomFunction(seed uint64, i int) Function {
	g := &generator{rnd: rand.New(rand.NewPCG(seed+9000011, uint64(i))), index: "i"}
	s := sayings[i%len(sayings)]
	d := &idiom{generator: g, n: i}
	d.main = pick(g, "float32", "float32", "float64", "int32", "int32", "int16", "uint8", "uint8", "int64", "uint32", "int8", "uint16", "int", "uint64")
	d.mixed, d.depth = pick(g, 0, 0, 0.2), 1+g.rnd.IntN(2)
	body := d.enclosed(s.write(d))
	res := ""
	if len(d.results) > 0 {
		res = " (" + strings.Join(d.results, ", ") + ")"
		body += "\treturn\n"
	}
	text := fmt.Sprintf("%s//vec:func F%d%s\nfunc %sf%d%s(%s)%s {\n%s%s}\n", d.types, i, d.clause, d.recv, i, d.typeParam, strings.Join(d.params, ", "), res, d.inits, body)
	return Function{fmt.Sprintf("f%d", i), text, []string{"idiom: " + s.name}}
}

// slicesOf adds slices x, y, ... of the main type, or of some other type now and then.
func (d *idiom) slicesOf(names ...string) {
	for i, name := range names {
		t := d.main
		if i > 0 {
			t = d.typ()
		}
		d.slice(name, t)
	}
}

func (d *idiom) slice(name, t string) variable {
	v := variable{name: name, typ: t}
	d.slices = append(d.slices, v)
	d.params = append(d.params, name+" []"+t)
	return v
}

func (d *idiom) scalar(name, t string) {
	d.scalars = append(d.scalars, variable{name: name, typ: t})
	d.params = append(d.params, name+" "+t)
}

// each is a loop over x with a body of these lines.
func (d *idiom) each(lines ...string) string {
	head := pick(d.generator, "for i := range x {", "for i := range x {", "for i := 0; i < len(x); i++ {", "for i := range len(x) {", "for i := len(x) - 1; i >= 0; i-- {")
	return "\t" + head + "\n" + "\t\t" + strings.Join(lines, "\n\t\t") + "\n\t}\n"
}

func (d *idiom) value(t string) string { return d.expr(t, d.depth) }

// number is an expression of type t that Go does not fold.
func (d *idiom) number(t string) string { return d.variable(t, 1) }

func (d *idiom) op() string {
	if isFloat(d.main) {
		return pick(d.generator, "+", "-", "*")
	}
	return pick(d.generator, "+", "-", "*", "^", "&", "|")
}

// swaps hands values on among two or three variables.
func (d *idiom) swaps() string {
	names := []string{"a", "b", "c"}[:pick(d.generator, 2, 2, 3)]
	for _, n := range names {
		d.scalar(n, d.main)
		d.results = append(d.results, "last"+n+" "+d.main)
	}
	from := pick(d.generator, slices.Concat(names[1:], names[:1]), slices.Concat(names[len(names)-1:], names[:len(names)-1]))
	use := pick(d.generator, "x[i] = x[i] %s a", "x[i] = w[i] %[1]s (a %[1]s b)", "if x[i] > a {\n\t\t\tx[i] = b %s 1\n\t\t}")
	if d.chance(0.3) {
		use += "\n\t\ta = -a"
	}
	last := ""
	for _, n := range names {
		last += fmt.Sprintf("\tlast%[1]s = %[1]s\n", n)
	}
	return d.each(fmt.Sprintf(use, d.op())+"\n\t\t"+strings.Join(names, ", ")+" = "+strings.Join(from, ", ")) + last
}

// integerMain makes the main type one of integers.
func (d *idiom) integerMain() {
	if isFloat(d.main) {
		d.main = pick(d.generator, "int32", "uint8", "int16", "uint32", "int64", "int", "int8")
	}
}

// typeSayings are about types.
var typeSayings = []saying{
	{"bools", false, func(d *idiom) string {
		d.slicesOf("x", "y")
		d.params = append(d.params, "u, v []bool")
		d.results = []string{"n int"}
		c := func() string { return d.condition(0) }
		return d.each(pick(d.generator,
			fmt.Sprintf("u[i] = %s", c()),
			fmt.Sprintf("u[i] = v[i] && %s", c()),
			fmt.Sprintf("u[i] = !v[i] || %s", c()),
			fmt.Sprintf("u[i] = (%s) != v[i]", c()),
			fmt.Sprintf("if v[i] {\n\t\t\tx[i] = %s\n\t\t}\n\t\tif u[i] == v[i] {\n\t\t\tn++\n\t\t}", d.value(d.main)),
			fmt.Sprintf("if !u[i] && %s {\n\t\t\tn++\n\t\t\tu[i] = true\n\t\t}", c())))
	}},
	{"named types", false, func(d *idiom) string {
		t := fmt.Sprintf("num%d", d.n)
		d.types = fmt.Sprintf("type %s %s\n\nfunc (a %[1]s) twice() %[1]s { return a + a }\n\nconst half%[3]d %[1]s = %[4]d\n\n", t, d.main, d.n, 1+d.rnd.IntN(100))
		d.params = []string{"x []" + t, "y []" + d.main, "a " + t}
		d.results = []string{"s " + t}
		return d.each(fmt.Sprintf("x[i] = x[i].twice() %s %s(y[i])", d.op(), t), fmt.Sprintf("s = max(s, x[i]%sa)", pick(d.generator, "+", "-")),
			fmt.Sprintf("y[i] = %s(half%d) %s y[i]", d.main, d.n, d.op()))
	}},
	{"generic", false, func(d *idiom) string {
		d.types = fmt.Sprintf("type any%d interface {\n\t~int8 | ~int16 | ~int32 | ~int64 | ~int | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64\n}\n\n", d.n)
		d.typeParam, d.clause = fmt.Sprintf("[T any%d]", d.n), "["+d.main+"]"
		d.params, d.results = []string{"x, y []T", "a T"}, []string{"s T"}
		return d.each(fmt.Sprintf("t := x[i] %s y[i]", pick(d.generator, "+", "-", "*")), pick(d.generator, "x[i] = t * a", "x[i] = max(t, a)", "if t > a {\n\t\t\tx[i] = T(i&7)\n\t\t}"), "s = min(s, t)")
	}},
	{"method", false, func(d *idiom) string {
		d.types = fmt.Sprintf("type obj%d struct {\n\tx []%s\n\tgain, sum %[2]s\n\tused int\n}\n\n", d.n, d.main)
		d.recv = fmt.Sprintf("(o *obj%d) ", d.n)
		if d.chance(0.3) {
			d.recv = fmt.Sprintf("(o obj%d) ", d.n)
		}
		d.params = []string{"y []" + d.main}
		return fmt.Sprintf("\tfor i := range o.x {\n\t\to.x[i] = o.x[i] %s y[i] %s o.gain\n%s\t}\n", d.op(), d.op(),
			pick(d.generator, "", "\t\to.used++\n", "\t\tif o.x[i] > o.sum {\n\t\t\to.sum = o.x[i]\n\t\t}\n"))
	}},
	{"array value", false, func(d *idiom) string {
		n := pick(d.generator, 16, 40, 64, 100)
		d.params = []string{fmt.Sprintf("p *[%d]%s", n, d.main), fmt.Sprintf("q [%d]%s", n, d.main), "x []" + d.main}
		switch d.rnd.IntN(6) {
		case 0: // the range expression is copied before the first store
			return fmt.Sprintf("\tfor i, v := range *p {\n\t\tp[(i+3)%%%d] = v %s q[i]\n\t}\n", n, d.op())
		case 1:
			return fmt.Sprintf("\tc := *p\n\tfor i := range p {\n\t\tp[i] = c[%d-i] %s q[i]\n\t}\n", n-1, d.op())
		}
		if d.chance(0.4) {
			return fmt.Sprintf("\tfor i, v := range q {\n\t\tx[i] = x[i] %s v\n\t\tq[i] = v\n\t}\n\t*p = q\n", d.op())
		}
		return fmt.Sprintf("\tfor i := range q {\n\t\tx[i] = p[i] %s q[%s]\n\t}\n", d.op(), pick(d.generator, "i", "i/2", fmt.Sprintf("%d-i", n-1)))
	}},
	{"struct copies", false, func(d *idiom) string {
		d.types = fmt.Sprintf("type pt%d struct {\n\ta, b %s\n}\n\ntype box%[1]d struct {\n\tpt%[1]d\n\tc [2]%[2]s\n}\n\n", d.n, d.main)
		d.params = []string{fmt.Sprintf("x, y []pt%d", d.n), fmt.Sprintf("z []box%d", d.n)}
		return d.each(pick(d.generator,
			fmt.Sprintf("p := y[i]\n\t\tp.a, p.b = p.b, p.a %s p.b\n\t\tx[i] = p", d.op()),
			fmt.Sprintf("x[i] = pt%d{y[i].b, x[i].a %s y[i].a}", d.n, d.op()),
			fmt.Sprintf("x[i] = z[i].pt%d\n\t\ty[i].a = z[i].c[1] %s z[i].a", d.n, d.op()),
			fmt.Sprintf("p := &x[i]\n\t\tp.a = p.a %s y[i].b\n\t\tp.b = y[i].a", d.op())))
	}},
	{"pointers", false, func(d *idiom) string {
		d.slicesOf("x", "y")
		d.params = append(d.params, "p, q *"+d.main)
		return d.each(pick(d.generator,
			fmt.Sprintf("*p = *p %s x[i]", d.op()), fmt.Sprintf("x[i] = *p %s *q", d.op()),
			fmt.Sprintf("e := &x[i]\n\t\t*e = *e %s *p", d.op()), "*p = max(*p, x[i])\n\t\t*q = min(*q, x[i])"))
	}},
	{"constants", false, func(d *idiom) string {
		d.integerMain()
		d.slicesOf("x", "y")
		d.types = fmt.Sprintf("const (\n\tk%da = iota + %d\n\tk%[1]db\n\tk%[1]dc = k%[1]db << 2\n)\n\n", d.n, 1+d.rnd.IntN(5))
		return d.each(fmt.Sprintf("x[i] = (x[i] %s k%db) >> (k%[2]da & 3) %[3]s k%[2]dc", d.op(), d.n, d.op()))
	}},
	{"wide table", false, func(d *idiom) string {
		d.types = fmt.Sprintf("var tab%d = [...]%s{%s}\n\nvar scale%[1]d %[2]s = 3\n\n", d.n, d.main, d.entries(pick(d.generator, 8, 16, 32)))
		d.slicesOf("x")
		return d.each(fmt.Sprintf("x[i] = tab%d[i&7] %s x[i] %s scale%[1]d", d.n, d.op(), d.op()))
	}},
	{"small array", false, func(d *idiom) string {
		d.params = []string{fmt.Sprintf("x, y [][4]%s", d.main), fmt.Sprintf("m *[4][4]%s", d.main)}
		if d.chance(0.5) {
			return d.each("for k := range 4 {\n\t\t\tx[i][k] = m[k][0]*y[i][0] + m[k][1]*y[i][1] + m[k][2]*y[i][2]\n\t\t}")
		}
		return d.each(fmt.Sprintf("v := y[i]\n\t\tfor k := range v {\n\t\t\tx[i][3-k] = v[k] %s m[k][1]\n\t\t}", d.op()))
	}},
}

// controlSayings are about control flow and statements.
var controlSayings = []saying{
	{"closure", true, func(d *idiom) string {
		d.slicesOf("x", "y")
		d.scalar("a", d.main)
		return fmt.Sprintf("\tstep := func(v %s) %[1]s { return v %s a }\n", d.main, d.op()) +
			d.each(fmt.Sprintf("x[i] = step(x[i]) %s %s(y[i])", d.op(), d.main))
	}},
	{"deferred", true, func(d *idiom) string {
		d.slicesOf("x", "y")
		d.results = []string{"s " + d.main, "bad bool"}
		return "\tdefer func() {\n\t\tif recover() != nil {\n\t\t\tbad = true\n\t\t}\n\t}()\n" + d.each(fmt.Sprintf("s += %s", d.element(d.slices[0])), fmt.Sprintf("x[i] = %s", d.value(d.main)))
	}},
	{"append", true, func(d *idiom) string {
		d.slicesOf("x", "y")
		d.results = []string{"out []" + d.main}
		behind := ""
		switch {
		case d.chance(0.3):
			d.params, d.inits = append(d.params, "buf []"+d.main), "\tout = buf[:0]\n"
		case d.chance(0.5):
			d.params, d.results, behind = append(d.params, "out []"+d.main), []string{"z []" + d.main}, "\tz = out\n"
			d.inits = pick(d.generator, "", "\tout = out[:0]\n", "\tout = out[:len(out)/2]\n")
		}
		if d.chance(0.3) {
			return d.each(fmt.Sprintf("out = append(out, %s)", d.value(d.main))) + behind
		}
		return d.each(fmt.Sprintf("if %s {\n\t\t\tout = append(out, %s)\n\t\t}", d.condition(0), pick(d.generator, "x[i]", d.value(d.main)))) + behind
	}},
	{"copy and clear", false, func(d *idiom) string {
		d.slicesOf("x", "y")
		d.slice("z", d.main)
		return pick(d.generator, "\tcopy(z, x)\n", "\tcopy(x[min(1, len(x)):], z)\n", "\tclear(z)\n", "\tz = append(z[:0:0], x...)\n") +
			d.each(fmt.Sprintf("x[i] = %s", d.value(d.main))) + pick(d.generator, "", "\tcopy(z, x)\n", "\tclear(y)\n")
	}},
	{"bounds hints", false, func(d *idiom) string {
		d.slicesOf("x", "y", "z")
		d.inits = pick(d.generator, "\tif len(x) == 0 {\n\t\treturn\n\t}\n\t_ = y[len(x)-1]\n\t_ = z[len(x)-1]\n", "\ty, z = y[:len(x)], z[:len(x)]\n",
			"\tn := min(len(x), len(y), len(z))\n\tx, y, z = x[:n], y[:n], z[:n]\n", "\tx = x[:min(len(x), len(y), len(z)):len(x)]\n")
		return d.each(fmt.Sprintf("x[i] = %s", d.value(d.main)))
	}},
	{"swaps", false, func(d *idiom) string {
		d.slicesOf("x")
		d.slice("y", d.main)
		return pick(d.generator, "\tfor i, j := 0, len(x)-1; i < j; i, j = i+1, j-1 {\n\t\tx[i], x[j] = x[j], x[i]\n\t}\n", d.each("x[i], y[i] = y[i], x[i]"),
			"\tfor i := range len(x)/2 {\n\t\tx[2*i], x[2*i+1] = x[2*i+1], x[2*i]\n\t}\n",
			fmt.Sprintf("\tfor i := 1; i < len(x); i++ {\n\t\tx[i-1], y[i] = y[i] %s 1, x[i]\n\t}\n", d.op()))
	}},
	{"places", false, func(d *idiom) string {
		d.slicesOf("x", "y")
		d.params = append(d.params, pick(d.generator, "p *[4]"+d.main, "p []"+d.main), "idx []uint8")
		place := func() string { return fmt.Sprintf("p[%d]", d.rnd.IntN(4)) }
		lines := []string{pick(d.generator, "x[i] = x[idx[i]]", "y[i] = y[idx[i]]", "x[i] = "+d.value(d.main))}
		for range 1 + d.rnd.IntN(4) {
			lines = append(lines, place()+pick(d.generator, " = "+place(), " = "+place(), " += x[i]", fmt.Sprintf(" = %s(%d)", d.main, d.rnd.IntN(9)), " = "+place()+" + 1", " = max("+place()+", x[i])"))
		}
		return d.each(strings.Join(lines, "\n\t\t"))
	}},
	{"labels", false, func(d *idiom) string {
		d.slicesOf("x", "y")
		d.results = []string{"n int"}
		return fmt.Sprintf("outer:\n\tfor i := range x {\n\t\tfor k := range min(len(y), %d) {\n\t\t\tif x[i] %s %s(y[k]) {\n\t\t\t\t%s outer\n\t\t\t}\n\t\t\tn++\n\t\t}\n\t\tx[i] = %s\n\t}\n",
			4+d.rnd.IntN(20), pick(d.generator, "<", "==", ">"), d.main, pick(d.generator, "continue", "continue", "break"), d.value(d.main))
	}},
	{"switches", false, func(d *idiom) string {
		d.integerMain()
		d.slicesOf("x", "y")
		d.results = []string{"n int"}
		v := func() string { return d.value(d.main) }
		return d.each(pick(d.generator,
			fmt.Sprintf("switch {\n\t\tcase %s:\n\t\t\tx[i] = %s\n\t\tcase %s:\n\t\t\tx[i] = %s\n\t\t\tfallthrough\n\t\tdefault:\n\t\t\tn++\n\t\t}", d.condition(0), v(), d.condition(0), v()),
			fmt.Sprintf("switch v := x[i] & 7; v {\n\t\tcase 1, 3:\n\t\t\tx[i] = %s\n\t\tcase 2:\n\t\t\tif v > %s {\n\t\t\t\tbreak\n\t\t\t}\n\t\t\tn += int(v)\n\t\tcase 5:\n\t\t\tcontinue\n\t\tdefault:\n\t\t\tx[i]++\n\t\t}", v(), v())))
	}},
	{"search", false, func(d *idiom) string {
		d.slicesOf("x", "y")
		d.scalar("a", d.main)
		d.results = []string{"at int"}
		return d.each(fmt.Sprintf("if %s {\n\t\t\treturn i\n\t\t}", pick(d.generator, "x[i] == a", "x[i] > a && "+d.condition(0), fmt.Sprintf("%s(y[i]) != x[i]", d.main)))) + "\tat = -1\n"
	}},
	{"fills", false, func(d *idiom) string {
		d.slicesOf("x", "y")
		d.scalar("a", d.main)
		what := pick(d.generator, "a", "a", fmt.Sprintf("%s(%d)", d.main, d.rnd.IntN(9)))
		return d.each(pick(d.generator, "x[i] = "+what, "x[i] = "+what, fmt.Sprintf("if %s {\n\t\t\tx[i] = %s\n\t\t}", d.condition(0), what),
			fmt.Sprintf("x[i] = max(x[i], %s)", what), fmt.Sprintf("x[i] %s= %s", d.op(), what)))
	}},
	{"unchanged", false, func(d *idiom) string {
		d.slicesOf("x")
		d.slice("y", d.main)
		d.params = append(d.params, "k int")
		use := pick(d.generator, "x[k*k^7]", "x[k]", "y[(k*k)&3]", d.main+"(k*k)", d.main+"(k/3)")
		set := pick(d.generator, "k += 0", "k |= 0", fmt.Sprintf("if %s {\n\t\t\tk += 0\n\t\t}", d.condition(0)))
		store := fmt.Sprintf("x[i] = x[i] %s %s", d.op(), use)
		if d.chance(0.3) {
			store = fmt.Sprintf("if k*k > 7 {\n\t\t\tx[i] = y[i]\n\t\t} else {\n\t\t\tx[i] = %s\n\t\t}", d.value(d.main))
		}
		return d.each(store, set)
	}},
	{"left with", false, (*idiom).leftWith},
	{"steps", false, func(d *idiom) string {
		d.slicesOf("x", "y")
		d.params = append(d.params, "n int")
		k := 2 + d.rnd.IntN(6)
		head := pick(d.generator, fmt.Sprintf("for i := 0; i <= len(x)-%d; i += %[1]d {", k), fmt.Sprintf("for i := len(x) - 1; i > 0; i -= %d {", k),
			"for i := 0; i != len(x); i++ {", "for i := 0; i <= n && i < len(x); i++ {", fmt.Sprintf("for i := n; i < len(x); i += %d {", k),
			fmt.Sprintf("for i := uint8(%d); i < uint8(len(x)); i++ {", k), fmt.Sprintf("for i := int16(len(x)); i > %d; i-- {", k),
			fmt.Sprintf("for i := uint(len(x)) - 1; i < uint(len(x)); i -= %d {", k), fmt.Sprintf("for i := range int32(len(x)) / %d {", k),
			"for i := 0; ; i++ {", fmt.Sprintf("for i := n & 7; ; i += %d {", k), "for i := len(x) - 1; ; i-- {")
		return fmt.Sprintf("\t%s\n\t\tx[i] = %s\n\t}\n", head, d.value(d.main))
	}},
	{"range forms", false, func(d *idiom) string {
		d.slicesOf("x", "y")
		n := pick(d.generator, 16, 40, 100)
		d.params = append(d.params, fmt.Sprintf("p *[%d]%s", n, d.main), "s string")
		d.results = []string{"c " + d.main}
		return pick(d.generator,
			fmt.Sprintf("\tfor i, v := range p {\n\t\tx[i] = v %s x[i]\n\t}\n", d.op()),
			fmt.Sprintf("\tfor i := range p[3:%d] {\n\t\tp[i] = %s\n\t}\n", n-3, d.value(d.main)),
			fmt.Sprintf("\tfor i := range len(s) {\n\t\tx[i] = x[i] %s %s(s[i])\n\t}\n", d.op(), d.main),
			fmt.Sprintf("\tfor i, b := range []byte(s) {\n\t\tx[i] = %s(b) %s x[i]\n\t}\n", d.main, d.op()),
			"\tfor range x {\n\t\tc += 3\n\t}\n",
			fmt.Sprintf("\tfor v := range slices.Values(x) {\n\t\tc = max(c, v %s 1)\n\t}\n", d.op()),
			fmt.Sprintf("\tfor i, v := range slices.All(x) {\n\t\tx[i] = v %s %s\n\t}\n", d.op(), d.value(d.main)),
			fmt.Sprintf("\tfor _, v := range x {\n\t\tc = max(c, v %s 1)\n\t}\n", d.op()))
	}},
	{"histogram", true, func(d *idiom) string {
		d.slice("x", "uint8")
		d.params = append(d.params, "h *[256]"+pick(d.generator, "int", "uint32", "uint16"), "w *[16]int32")
		return d.each(pick(d.generator, "h[x[i]]++", "h[x[i]] += 3\n\t\tw[x[i]>>4]++", "w[x[i]&15] -= int32(x[i])"))
	}},
	{"helpers", false, func(d *idiom) string {
		d.slicesOf("x")
		d.slice("y", d.main)
		d.types = fmt.Sprintf("func both%d(a, b %s) (lo, hi %[2]s) {\n\tif a %[3]s b {\n\t\treturn b, a\n\t}\n\treturn a, b %[4]s 1\n}\n\n", d.n, d.main, pick(d.generator, ">", "<=", "=="), d.op())
		return d.each(fmt.Sprintf("lo, hi := both%d(x[i], y[i])\n\t\tx[i] = lo %s hi%s", d.n, d.op(), pick(d.generator, "", "\n\t\ty[i] = lo")))
	}},
	{"literals", false, func(d *idiom) string {
		d.slicesOf("x")
		d.slice("y", d.main)
		d.scalar("c", d.main)
		t := d.main
		start := fmt.Sprintf("\tf := func(a %s) %[1]s {\n\t\tif a %s c {\n\t\t\treturn a %s c\n\t\t}\n\t\treturn a\n\t}\n", t, pick(d.generator, "<", ">", "=="), d.op())
		value := "f(y[i])"
		end := ""
		switch d.rnd.IntN(6) {
		case 0, 1:
			start += fmt.Sprintf("\tg := func(i int) %s { return f(y[i]) %s x[i] }\n", t, d.op())
			value = "g(i)"
		case 2:
			start += fmt.Sprintf("\tc %s= 1\n", d.op())
		case 3:
			start, end = start+"\tif c := c + 1; c != 0 {\n", "\t}\n"
		case 4:
			start += "\tp := &c\n\tq := func(a " + t + ") " + t + " {\n\t\t*p = a\n\t\treturn f(a)\n\t}\n"
			value = "q(y[i])"
		}
		return start + d.each(fmt.Sprintf("x[i] = %s %s c", value, d.op())) + end
	}},
	{"elements before", false, func(d *idiom) string {
		d.slicesOf("x")
		d.slice("y", d.main)
		head, before := "for i := 1; i < len(x); i++ {", "x[i-1]"
		if d.chance(0.3) {
			head, before = "for i := len(x) - 2; i >= 0; i-- {", "x[i+1]"
		}
		body := pick(d.generator,
			fmt.Sprintf("x[i] = %s %s x[i]", before, d.op()),
			fmt.Sprintf("x[i] = %s %s y[i]", before, d.op()),
			fmt.Sprintf("x[i] = min(%s, y[i])", before),
			fmt.Sprintf("x[i] = %s + y[i]\n\t\ty[i] = x[i] %s y[i]", before, d.op()),
			fmt.Sprintf("x[i] = %s ^ %s(i)", before, d.main))
		if isFloat(d.main) {
			body = fmt.Sprintf("x[i] = max(%s, y[i])", before)
		}
		return fmt.Sprintf("\t%s\n\t\t%s\n\t}\n", head, body)
	}},
	{"neighbouring rows", false, func(d *idiom) string {
		d.slicesOf("x")
		d.params = append(d.params, "m [][]"+d.main, "y int")
		sub := pick(d.generator, "y+k", "y-k", "k+y-1", "y-2+k", "2*y+k", "min(y, k)", "max(y-k, k)", "y^k", "y+(3-k)*2")
		value := fmt.Sprintf("m[%s][i]", sub)
		if d.chance(0.3) {
			value += fmt.Sprintf(" %s m[y][i]", d.op())
		}
		store := pick(d.generator, "x[i] = s", "x[i] = s", "m[y][i] = s", "m[y-1][i] = s")
		head := pick(d.generator, "for k := 0; k < 3; k++ {", "for k := -1; k <= 1; k++ {", "for k := range 2 {", "for k := 2; k >= 0; k-- {")
		return fmt.Sprintf("\tfor i := range x {\n\t\ts := x[i]\n\t\t%s\n\t\t\ts = s %s %s\n\t\t}\n\t\t%s\n\t}\n", head, d.op(), value, store)
	}},
	{"numbers in memory", false, func(d *idiom) string {
		d.slicesOf("x")
		number := pick(d.generator, "int", "int", "int32", "uint8", "int16")
		d.types = fmt.Sprintf("type table%d struct {\n\tdata []%s\n\trows, cols %s\n}\n\nfunc (t *table%[1]d) at(i, j int) %[2]s { return t.data[i*int(t.cols)+j] }\n\n", d.n, d.main, number)
		d.params = append(d.params, fmt.Sprintf("t *table%d", d.n), "k int")
		head := pick(d.generator, "for i := 0; i < int(t.cols); i++ {", "for i := range int(t.rows) {", "for i := 0; i < int(t.rows) && i < len(x); i++ {", "for i := range x {")
		body := pick(d.generator,
			fmt.Sprintf("t.data[i] = t.data[i] %s x[i]", d.op()),
			fmt.Sprintf("x[i] = t.data[k*int(t.cols)+i] %s x[i]", d.op()),
			fmt.Sprintf("x[i] = t.at(k, i) %s x[i]\n\t\tt.data[i] = t.at(i, k)", d.op()),
			fmt.Sprintf("x[i] = x[i+int(t.rows)] %s t.at(k&1, i)", d.op()),
			"t.data[int(t.rows)+i] = x[i]\n\t\tt.rows++")
		if d.chance(0.3) {
			d.params = append(d.params, "m *"+d.main)
			if isFloat(d.main) {
				return fmt.Sprintf("\t%s\n\t\t%s\n\t}\n", head, body)
			}
			head = "for i := 0; i < int(*m); i++ {"
		}
		return fmt.Sprintf("\t%s\n\t\t%s\n\t}\n", head, body)
	}},
	{"variadic", false, func(d *idiom) string {
		d.params = []string{"a " + d.main, "x ..." + d.main}
		d.results = []string{"s " + d.main}
		return d.each(fmt.Sprintf("x[i] = x[i] %s a\n\t\ts = max(s, x[i])", d.op()))
	}},
	{"two counters", false, func(d *idiom) string {
		d.slicesOf("x")
		d.slice("y", d.main)
		d.results = []string{"j int"}
		step := pick(d.generator, "j++", "j += 2", "j += 3", "j--")
		start := pick(d.generator, "", "\tj = 1\n", "\tj = len(y) - 1\n")
		return start + fmt.Sprintf("\tfor i := 0; i < len(x); i++ {\n\t\tx[i] = x[i] %s y[j]\n\t\t%s\n\t}\n", d.op(), step)
	}},
	{"known steps", false, func(d *idiom) string {
		d.slicesOf("x")
		d.slice("y", d.main)
		t := pick(d.generator, "int", "int32", "uint32", "uint32", "uint16", "int64", "uint8")
		d.scalar("step", t)
		d.results = []string{"p " + t}
		shift := pick(d.generator, 0, 4, 8, 16)
		use := pick(d.generator, fmt.Sprintf("%s(p)", d.main), fmt.Sprintf("y[p>>%d]", shift), fmt.Sprintf("y[p>>%d&7]", shift), fmt.Sprintf("y[i] %s %s(p>>3)", d.op(), d.main))
		next := pick(d.generator, "p += step", "p -= step", "p += step + 7", "p = p*3 + step", "p += step\n\t\tp += %[1]s(a)", "p -= step << 2", "p = step - p")
		if strings.Contains(next, "%") {
			d.scalar("a", t)
			next = fmt.Sprintf(next, t)
		}
		now := fmt.Sprintf("x[i] = %s", use)
		if d.chance(0.5) {
			now, next = next, now
		}
		return pick(d.generator, "", "\tp = 5\n") + d.each(now+"\n\t\t"+next)
	}},
	{"periodic variables", false, func(d *idiom) string {
		d.slicesOf("x")
		d.slice("w", d.main)
		if d.chance(0.3) {
			return d.swaps()
		}
		t := pick(d.generator, "int", "int", "int32", "uint32", "uint16", "uint8", "int64")
		d.params = append(d.params, "k "+t)
		d.results = []string{"p " + t}
		m := 2 + d.rnd.IntN(6)
		next := pick(d.generator, "k = (k + 1) %% %d", "k++\n\t\tif k == %d {\n\t\t\tk = 0\n\t\t}", "if k++; k >= %d {\n\t\t\tk = 1\n\t\t}", "k = %d - k", "k ^= %d", "k = (k*5 + %d) & 7", "k = (k + %d) & 3")
		use := pick(d.generator, "x[i] = x[i] %[2]s w[k]", "x[i] = x[i] %[2]s %[1]s(k)", "if k == 1 {\n\t\t\tx[i] = w[i] %[2]s 3\n\t\t}", "if k < %[1]s(len(w)) {\n\t\t\tx[i] = x[i] %[2]s w[k]\n\t\t}", "x[i] = w[i] %[2]s (%[1]s(k) %[2]s a)")
		switch {
		case strings.Contains(use, "len(w)"):
			use = strings.ReplaceAll(use, "k < %[1]s(len(w))", "uint64(k) < uint64(len(w))")
		case strings.Contains(use, " a)"):
			d.scalar("a", d.main)
		}
		body := []string{fmt.Sprintf(use, d.main, d.op()), fmt.Sprintf(next, m)}
		if d.chance(0.5) {
			slices.Reverse(body)
		}
		start := fmt.Sprintf("\tk = %d\n", d.rnd.IntN(m))
		if d.chance(0.3) {
			start = ""
		}
		return start + d.each(strings.Join(body, "\n\t\t")) + "\tp = k\n"
	}},
	{"turns", false, func(d *idiom) string {
		d.slicesOf("x")
		d.slice("w", d.main)
		turn := func() string {
			x := pick(d.generator, "i", "i", "(i + 3)", "(i * 3)", "(len(x) - i)", "uint(i)")
			return fmt.Sprintf(pick(d.generator, "%s&%d", "%s%%%d"), x, pick(d.generator, 1, 2, 3, 3, 4, 5, 7, 12, 15))
		}
		use := pick(d.generator, "if %[1]s == 1 {\n\t\t\tx[i] = w[i] %[3]s 3\n\t\t}", "x[i] = x[i] %[3]s w[%[1]s]", "x[i] = w[i] %[3]s %[4]s(%[1]s)*w[0]", "if %[1]s != 0 && %[2]s != 0 {\n\t\t\tx[i] = 1\n\t\t}", "x[i] = w[%[1]s] %[3]s w[%[2]s]")
		return d.each(fmt.Sprintf(use+"%.0[1]s%.0[2]s%.0[3]s%.0[4]s", turn(), turn(), d.op(), d.main))
	}},
	{"rest of blocks", false, func(d *idiom) string {
		d.slicesOf("x")
		d.slice("y", d.main)
		d.scalar("a", d.main)
		op := d.op()
		return fmt.Sprintf("\ti := 0\n\tfor ; i+4 <= len(x); i += 4 {\n\t\tx[i] = y[i] %[1]s a\n\t\tx[i+1] = y[i+1] %[1]s a\n\t\tx[i+2] = y[i+2] %[1]s a\n\t\tx[i+3] = y[i+3] %[1]s a\n\t}\n"+
			"\tfor ; i < len(x); i++ {\n\t\tx[i] = y[i] %[1]s a\n\t}\n", op)
	}},
	{"running totals", false, func(d *idiom) string {
		d.integerMain()
		d.slicesOf("x")
		d.slice("y", d.main)
		d.results = []string{"s " + d.main}
		return d.each(pick(d.generator, "s += x[i]\n\t\ty[i] = s", "y[i] = s\n\t\ts += x[i]", "s = max(s, x[i])\n\t\ty[i] = s", "s ^= x[i] << 1\n\t\ty[i] = s"))
	}},
	{"other integers", false, func(d *idiom) string {
		t := pick(d.generator, "uintptr", "rune", "byte", "uint")
		d.params = []string{"x, y []" + t, "a " + t}
		d.main = map[string]string{"uintptr": "uint64", "rune": "int32", "byte": "uint8", "uint": "uint"}[t]
		return d.each(fmt.Sprintf("x[i] = (x[i] %s y[i]) %s a", d.op(), d.op()), "if y[i] > a {\n\t\t\ty[i] = x[i] >> 3\n\t\t}")
	}},
	{"clauses", false, func(d *idiom) string {
		d.main = pick(d.generator, "float32", "int32", "uint32")
		d.slicesOf("x")
		d.slice("y", d.main)
		d.mixed = 0
		d.clause = pick(d.generator, " unroll(2)", " unroll(4)", " simdlen(8)", " simdlen(8) unroll(2)", " require", " independent", " exclusive", " contract", " reassoc", " require simdlen(8)", " independent exclusive")
		loop := d.each(fmt.Sprintf("x[i] = y[i] %s x[i]%s", pick(d.generator, "+", "-", "*"), pick(d.generator, "", " + 3", "*2")))
		if d.chance(0.5) && !strings.Contains(d.clause, "require") {
			loop = d.each(fmt.Sprintf("if y[i] > x[i] {\n\t\t\tx[i] = y[i] %s 1\n\t\t}", d.op()))
		}
		if d.chance(0.3) {
			return "\t//vec:loop" + pick(d.generator, " unroll(2)", " simdlen(8)", " exclusive", "") + "\n" + loop
		}
		if d.chance(0.3) {
			return "\t//vec:scalar\n" + d.each("y[i]++") + loop
		}
		return loop
	}},
}
