package randloop

import (
	"fmt"
	"strings"
)

// valueSayings are about what is computed: words of bytes, counts, sums of products, values cut
// and clamped, small arrays, tables, chains.
var valueSayings = []saying{
	{"words of bytes", false, func(d *idiom) string {
		bits := pick(d.generator, 16, 32, 32, 64)
		d.main = fmt.Sprintf("uint%d", bits)
		d.slice("x", d.main)
		d.params = append(d.params, "b []byte")
		size := bits / 8
		at := pick(d.generator, fmt.Sprintf("%d*i", size), fmt.Sprintf("%d*i", size), fmt.Sprintf("%d*i+%d", size, 1+d.rnd.IntN(4)), "i", fmt.Sprintf("%d*i", 2*size))
		order := pick(d.generator, "Little", "Little", "Big")
		get := fmt.Sprintf("binary.%sEndian.Uint%d(b[%s:])", order, bits, at)
		if d.chance(0.4) {
			get = d.wordByHand(size, at)
		}
		if d.chance(0.3) {
			return d.each(fmt.Sprintf("binary.%sEndian.PutUint%d(b[%s:], x[i]%s)", order, bits, at, pick(d.generator, "", "+1", "^x[i]>>3")))
		}
		if d.chance(0.3) {
			return d.each(fmt.Sprintf("if x[i]&%d == 1 {\n\t\t\tx[i] = %s\n\t\t}", pick(d.generator, 1, 3), get))
		}
		return d.each(fmt.Sprintf("x[i] = x[i] %s %s", d.op(), get))
	}},
	{"counts of bits", false, func(d *idiom) string {
		d.integerMain()
		d.slicesOf("x")
		d.slice("y", d.main)
		d.results = []string{"n " + pick(d.generator, "int", "int", "int32", "uint64")}
		t := strings.TrimPrefix(d.results[0], "n ")
		w := width(d.main)
		count := fmt.Sprintf("%s(bits.OnesCount%d(uint%[2]d(x[i]%s)))", t, w, pick(d.generator, "", " ^ y[i]", " & y[i]", " & 15"))
		return d.each(pick(d.generator, "n += "+count, "n += "+count, "n -= "+count, fmt.Sprintf("if x[i] > y[i] {\n\t\t\tn += %s\n\t\t}", count), fmt.Sprintf("y[i] = %s(%s)", d.main, count)))
	}},
	{"sums of products", false, func(d *idiom) string {
		d.main = pick(d.generator, "int16", "int16", "int8", "uint8", "uint16", "int32")
		d.slicesOf("x")
		d.slice("y", pick(d.generator, d.main, d.main, "int16", "uint8"))
		t := pick(d.generator, "int32", "int32", "int", "uint32", "int64", "int16")
		d.results = []string{"s " + t}
		p := fmt.Sprintf("%s(x[i]) * %[1]s(y[i])", t)
		return d.each(pick(d.generator, "s += "+p, "s += "+p, "s -= "+p, fmt.Sprintf("d := %s(x[i]) - %[1]s(y[i])\n\t\ts += d * d", t), fmt.Sprintf("d := %s(x[i]) - %[1]s(y[i])\n\t\tif d < 0 {\n\t\t\td = -d\n\t\t}\n\t\ts += d", t),
			"if x[i] > 3 {\n\t\t\ts += "+p+"\n\t\t}", "s += "+p+" >> "+pick(d.generator, "1", "4", "15")))
	}},
	{"clamps", false, func(d *idiom) string {
		d.main = pick(d.generator, "uint8", "int8", "int16", "uint16", "uint8")
		d.slicesOf("x")
		d.slice("y", d.main)
		t := pick(d.generator, "int", "int32", "int32", "int16")
		lo, hi := "-128", "127"
		switch {
		case d.main == "uint8":
			lo, hi = "0", "255"
		case width(d.main) == 16 && t == "int16":
			t = "int32"
			fallthrough
		case d.main == "int16":
			lo, hi = "-32768", "32767"
		case d.main == "uint16":
			lo, hi = "0", "65535"
		}
		if d.chance(0.2) {
			lo, hi = "3", "100"
		}
		v := fmt.Sprintf("%s(x[i]) %s %[1]s(y[i])", t, pick(d.generator, "+", "+", "-", "-", "*"))
		return d.each(pick(d.generator,
			fmt.Sprintf("x[i] = %s(min(max(%s, %s), %s))", d.main, v, lo, hi),
			fmt.Sprintf("v := %s\n\t\tif v > %s {\n\t\t\tv = %[2]s\n\t\t} else if v < %[3]s {\n\t\t\tv = %[3]s\n\t\t}\n\t\tx[i] = %[4]s(v)", v, hi, lo, d.main),
			fmt.Sprintf("x[i] = %s((%s(x[i]) + %[2]s(y[i]) + %d) >> 1)", d.main, t, d.rnd.IntN(2)),
			fmt.Sprintf("x[i] = %s((%s(x[i]) * %[2]s(y[i])) >> %d)", d.main, t, pick(d.generator, 7, 8, 15, 16)),
			fmt.Sprintf("if s := x[i] + y[i]; s < x[i] {\n\t\t\tx[i] = %s\n\t\t} else {\n\t\t\tx[i] = s\n\t\t}", pick(d.generator, d.main+"("+hi+")", "y[i]")),
			"if x[i] > y[i] {\n\t\t\tx[i] -= y[i]\n\t\t} else {\n\t\t\tx[i] = y[i] - x[i]\n\t\t}"))
	}},
	{"cut floats", false, func(d *idiom) string {
		from := pick(d.generator, "float64", "float64", "float32")
		d.main = pick(d.generator, "uint8", "int8", "int16", "uint16", "int32", "int64", "uint32")
		d.slice("x", d.main)
		d.slice("y", from)
		d.scalar("a", from)
		return d.each(pick(d.generator, fmt.Sprintf("x[i] = %s(y[i])", d.main), fmt.Sprintf("x[i] = %s(y[i] * a)", d.main), fmt.Sprintf("x[i] = %s(min(max(y[i], 0), 100))", d.main),
			fmt.Sprintf("y[i] = %s(x[i]) / a", from), fmt.Sprintf("if y[i] > a {\n\t\t\tx[i] = %s(y[i] - a)\n\t\t}", d.main), fmt.Sprintf("x[i] %s= %s(math.Floor(float64(y[i])))", d.op(), d.main)))
	}},
	{"stored twice", false, func(d *idiom) string {
		d.main = pick(d.generator, "int32", "float32", "int64", "float64", "uint16")
		d.slicesOf("x", "y")
		d.params = append(d.params, "z []"+d.main)
		d.results = []string{"k int"}
		first, second := d.value(d.main), pick(d.generator, "x[i]", d.value(d.main))
		if d.chance(0.2) {
			return d.each(fmt.Sprintf("if %s {\n\t\t\tz[k] = %s\n\t\t\tk++\n\t\t}\n\t\tz[k] = %s\n\t\tk++", d.condition(0), first, second))
		}
		return d.each(fmt.Sprintf("z[k] = %s\n\t\tk++\n\t\tif %s {\n\t\t\tz[k] = %s\n\t\t\tk++\n\t\t}", first, d.condition(0), second))
	}},
	{"small turns", false, func(d *idiom) string {
		k := pick(d.generator, 2, 3, 4, 4, 8)
		d.slice("x", d.main)
		d.slice("y", d.main)
		d.params = append(d.params, fmt.Sprintf("q *[%d]%s", k, d.main))
		d.inits = fmt.Sprintf("\tvar last [%d]%s\n", k, d.main)
		turn := pick(d.generator, fmt.Sprintf("last[c] %s= x[%d*i+c]", d.op(), k), fmt.Sprintf("last[c] = max(last[c], x[%d*i+c])", k),
			fmt.Sprintf("v := x[%d*i+c]\n\t\t\tx[%[1]d*i+c] = v %s last[c]\n\t\t\tlast[c] = v", k, d.op()),
			fmt.Sprintf("if x[%d*i+c] > y[i] {\n\t\t\t\tlast[c]++\n\t\t\t}", k),
			fmt.Sprintf("y[i] = y[i] %s q[c] %s x[%d*i+c]", d.op(), d.op(), k),
			fmt.Sprintf("for e := range 2 {\n\t\t\t\tlast[c] = last[c] %s x[%d*i+c] %s y[2*i+e]\n\t\t\t}", d.op(), k, d.op()))
		head := pick(d.generator, fmt.Sprintf("for c := range %d {", k), fmt.Sprintf("for c := 0; c < %d; c++ {", k), fmt.Sprintf("for c := %d; c >= 0; c-- {", k-1), fmt.Sprintf("for c := 1; c < %d; c += 2 {", k))
		return fmt.Sprintf("\tfor i := range len(x)/%d {\n\t\t%s\n\t\t\t%s\n\t\t}\n\t}\n\tfor c := range q {\n\t\tq[c] = last[c]\n\t}\n", k, head, turn)
	}},
	{"chains in rows", false, func(d *idiom) string {
		rows, columns := pick(d.generator, 12, 24), pick(d.generator, 40, 48, 65)
		d.params = []string{fmt.Sprintf("b, c *[%d][%d]%s", rows, columns, d.main), "w []" + d.main, "n int"}
		chain := pick(d.generator, fmt.Sprintf("b[j][i] = b[j][i-1] %s c[j][i]", d.op()), fmt.Sprintf("b[j][i] = b[j-1][i] %s c[j][i]", d.op()),
			fmt.Sprintf("b[j][i] = b[j][i-1] %s c[j][i] %s w[i]", d.op(), d.op()), fmt.Sprintf("b[j][i] = b[j-1][i-1] %s c[j][i]", d.op()),
			fmt.Sprintf("t := b[j][i-1] %s c[j][i]\n\t\t\tb[j][i] = t\n\t\t\tc[j][i] = t %s 1", d.op(), d.op()),
			fmt.Sprintf("if c[j][i] > w[j] {\n\t\t\t\tb[j][i] = b[j][i-1] %s 1\n\t\t\t}", d.op()),
			fmt.Sprintf("b[j][i] = b[j][i-1] %s b[j-1][i]", d.op()),
			fmt.Sprintf("w[j] = w[j-1] %s b[j][i]", d.op()))
		inner, outer := fmt.Sprintf("for j := 1; j < %s; j++ {", pick(d.generator, fmt.Sprint(rows), "n&7")), fmt.Sprintf("for i := 1; i < %d; i++ {", columns)
		if d.chance(0.3) {
			inner, outer = outer, inner
		}
		return fmt.Sprintf("\t%s\n\t\t%s\n\t\t\t%s\n\t\t}\n\t}\n", outer, inner, chain)
	}},
	{"appends", true, func(d *idiom) string {
		d.slicesOf("x", "y")
		d.params = append(d.params, "buf []"+d.main)
		d.results = []string{"out []" + d.main, "n int"}
		v := func() string { return pick(d.generator, "x[i]", d.value(d.main)) }
		return "\tout = " + pick(d.generator, "buf[:0]", "buf", "nil", "make([]"+d.main+", 0, len(x))") + "\n" +
			d.each(pick(d.generator, fmt.Sprintf("out = append(out, %s, %s)", v(), v()), fmt.Sprintf("if %s {\n\t\t\tout = append(out, %s)\n\t\t\tn = len(out)\n\t\t}", d.condition(0), v()),
				fmt.Sprintf("out = append(out, %s)\n\t\tout[0] = %s", v(), v()), fmt.Sprintf("if len(out) < 9 {\n\t\t\tout = append(out, %s)\n\t\t}", v()), fmt.Sprintf("n += cap(out)\n\t\tout = append(out, %s)", v())))
	}},
	{"factors", false, func(d *idiom) string {
		narrow, wide := pick(d.generator, "uint8", "uint8", "int8", "uint16", "int16"), pick(d.generator, "uint32", "int32", "int", "uint16", "uint64")
		d.slice("x", pick(d.generator, "uint8", "uint8", "int8", "int16", "uint16"))
		d.slice("y", pick(d.generator, "uint8", "int16", "uint16", "int32"))
		x, y := d.slices[0].typ, d.slices[1].typ
		d.params = append(d.params, "k "+narrow, "m "+wide)
		d.inits = fmt.Sprintf(pick(d.generator, "\ta := %s(k)\n", "\ta := %s(k)\n", "\tvar a = %s(k)\n", "\ta := %s(k)\n\tif m&1 == 0 {\n\t\ta += m\n\t}\n", "\ta := %s(k)\n\tp := &a\n\t*p += m & 3\n"), wide)
		t := func(v string) string { return fmt.Sprintf("%s(%s)", wide, v) }
		sum := pick(d.generator, fmt.Sprintf("%s*a + %s*(255-a)", t("x[i]"), t("y[i]")), fmt.Sprintf("%s*a + %s", t("x[i]"), t("y[i]")), fmt.Sprintf("%s*(a+1)", t("x[i]")), fmt.Sprintf("(%s-%s)*a", t("x[i]"), t("y[i]")))
		sum = fmt.Sprintf(pick(d.generator, "(%s) >> 8", "(%s + 127) / 255", "(%s) >> 7", "%s", "min(%s, 255)"), sum)
		if d.chance(0.3) {
			return d.each(fmt.Sprintf("y[i] = %s(%s)", y, sum))
		}
		return d.each(fmt.Sprintf("x[i] = %s(%s)", x, sum))
	}},
	{"views", false, func(d *idiom) string {
		d.slice("x", d.main)
		d.slice("y", d.main)
		k := pick(d.generator, 2, 4, 4, 8)
		body := pick(d.generator, fmt.Sprintf("p := (*[%d]%s)(x[%[1]d*i:])\n\t\tp[0], p[1] = p[1], y[i]", k, d.main),
			fmt.Sprintf("p := [%d]%s(x[%[1]d*i : %[1]d*i+%[1]d])\n\t\ty[i] = p[0] %[3]s p[1]", k, d.main, d.op()),
			fmt.Sprintf("p, q := x[%d*i:%[1]d*i+%[1]d], y[%[1]d*i:]\n\t\tp[0] = q[1] %s p[1]", k, d.op()),
			fmt.Sprintf("copy(x[%d*i:%[1]d*i+%[1]d], y[%[1]d*i:%[1]d*i+%[1]d])", k),
			fmt.Sprintf("for c, v := range x[%d*i : %[1]d*i+%[1]d] {\n\t\t\ty[%[1]d*i+c] = v %s 1\n\t\t}", k, d.op()))
		return fmt.Sprintf("\tfor i := range len(%s)/%d {\n\t\t%s\n\t}\n", pick(d.generator, "x", "y"), k, body)
	}},
	{"complex values", false, func(d *idiom) string {
		c, part := "complex64", "float32"
		if d.chance(0.5) {
			c, part = "complex128", "float64"
		}
		d.params = []string{"x, y []" + c, "z []" + part, "a " + c}
		d.results = []string{"n int"}
		return d.each(pick(d.generator, fmt.Sprintf("x[i] = x[i] %s y[i] %s a", pick(d.generator, "+", "-", "*"), pick(d.generator, "+", "*")), "x[i] = complex(imag(y[i]), z[i])", "z[i] = real(x[i])*real(x[i]) + imag(x[i])*imag(x[i])",
			"if x[i] == y[i] {\n\t\t\tn++\n\t\t}", "x[i] = -y[i] * complex(z[i], 0)", fmt.Sprintf("x[i] = %s(complex128(y[i])) - a", c), "if real(x[i]) > z[i] {\n\t\t\tx[i] = y[i]\n\t\t}"))
	}},
	{"tables", false, func(d *idiom) string {
		size := pick(d.generator, 4, 8, 16, 32, 64, 256)
		d.params = []string{"x []" + d.main, "k []" + pick(d.generator, "uint8", "uint8", "int32", "uint16", "int"), fmt.Sprintf("tab *[%d]%s", size, d.main)}
		at := fmt.Sprintf("k[i]&%d", size-1)
		if d.chance(0.2) {
			at = "k[i]"
		}
		return d.each(pick(d.generator, fmt.Sprintf("x[i] = tab[%s]", at), fmt.Sprintf("x[i] = x[i] %s tab[%s]", d.op(), at), fmt.Sprintf("if k[i] > 3 {\n\t\t\tx[i] = tab[%s]\n\t\t}", at),
			fmt.Sprintf("x[i] = tab[%s] %s tab[(k[i]+1)&%d]", at, d.op(), size-1), fmt.Sprintf("x[i] = tab[%s]\n\t\ttab[%d] = x[i]", at, d.rnd.IntN(size)), fmt.Sprintf("x[i] = tab[i&%d] %s tab[%s]", size-1, d.op(), at)))
	}},
	{"remembered subscripts", false, func(d *idiom) string {
		d.slice("x", d.main)
		d.slice("y", d.main)
		t := pick(d.generator, "int", "uint8", "uint8", "int16", "uint16", "int32")
		next := fmt.Sprintf("%s(%s)", t, pick(d.generator, "i", "i+1", "2*i", "i-1", "i>>1", "i&7", "3*i+2"))
		d.inits = fmt.Sprintf("\tvar k, j %s = %d, %d\n\t_ = j\n", t, d.rnd.IntN(4), d.rnd.IntN(2))
		return d.each(pick(d.generator, fmt.Sprintf("x[i] = y[k] %s 1\n\t\tk = %s", d.op(), next), fmt.Sprintf("x[k] = y[i]\n\t\tk = %s", next), fmt.Sprintf("x[i] = y[j] %s y[k]\n\t\tj, k = k, %s", d.op(), next),
			fmt.Sprintf("x[i] = x[i] %s y[k]\n\t\tif x[i] > 3 {\n\t\t\ty[k] = 1\n\t\t}\n\t\tk = %s", d.op(), next)))
	}},
	{"best places", false, func(d *idiom) string {
		d.slice("x", d.main)
		d.slice("y", d.main)
		d.results = []string{"at int", "n int"}
		op := pick(d.generator, "<", ">", "<=", ">=")
		better := pick(d.generator, "x[i] "+op+" x[at]", "!(x[i] "+op+" x[at])", "x[at] "+op+" x[i]", "x[i] "+op+" x[at] && y[i] > 2", "y[i] != 0 && !(x[at] "+op+" x[i])")
		return d.each(fmt.Sprintf("if %s {\n\t\t\tat = i%s\n\t\t}", better, pick(d.generator, "", "\n\t\t\tn++")))
	}},
	{"truths", false, func(d *idiom) string {
		d.slice("x", d.main)
		d.slice("y", d.main)
		d.params = append(d.params, "u, v []bool", "on bool")
		d.results = []string{"n int"}
		c := func() string { return d.condition(0) }
		return d.each(fmt.Sprintf("c, e := %s, %s", c(), c()), pick(d.generator, "if v[i] {\n\t\t\tc = e\n\t\t}\n\t\tu[i] = c", "u[i] = c == e", "u[i] = (c != on) == e", "if c {\n\t\t\te = v[i]\n\t\t}\n\t\tif e {\n\t\t\tn++\n\t\t}",
			"if c != e {\n\t\t\tx[i] = y[i]\n\t\t}", "if on {\n\t\t\tc = !c\n\t\t}\n\t\tif c || e {\n\t\t\tx[i]++\n\t\t}"))
	}},
}

// wordByHand puts bytes from b[at] on together, in either order.
func (d *idiom) wordByHand(size int, at string) string {
	big := d.chance(0.3)
	var terms []string
	for k := range size {
		shift := 8 * k
		if big {
			shift = 8 * (size - 1 - k)
		}
		terms = append(terms, fmt.Sprintf("%s(b[%s+%d])<<%d", d.main, at, k, shift))
	}
	return "(" + strings.Join(terms, " | ") + ")"
}
