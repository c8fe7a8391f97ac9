package randloop

import "fmt"

// librarySayings are about operators and functions of the standard library at the edges of
// what they are defined for.
var librarySayings = []saying{
	{"counts of shifts", false, func(d *idiom) string {
		d.integerMain()
		d.slicesOf("x")
		t := pick(d.generator, d.main, "uint8", "int8", "uint", "int", "int32")
		d.slice("k", t)
		d.scalar("c", t)
		by := pick(d.generator, "k[i]", "k[i]", "c", "(k[i] & 63)", "(c + k[i])", "k[0]", "(k[0] & 15)")
		return d.each(fmt.Sprintf("x[i] %s= %s", pick(d.generator, "<<", ">>"), by))
	}},
	{"divisions", false, func(d *idiom) string {
		d.integerMain()
		d.slicesOf("x")
		d.slice("y", d.main)
		d.scalar("c", d.main)
		by := pick(d.generator, "y[i]", "c", "(y[i] | 1)", fmt.Sprint(1+d.rnd.IntN(120)), fmt.Sprint(pick(d.generator, 3, 7, 10, 64, 100, 127)))
		if !isUnsigned(d.main) && d.chance(0.3) {
			by = pick(d.generator, "-1", "-3", "-128", "-7", "-64")
		}
		return d.each(fmt.Sprintf("x[i] = x[i] %s %s", pick(d.generator, "/", "%"), by))
	}},
	{"math", false, func(d *idiom) string {
		d.main = pick(d.generator, "float32", "float64", "float64")
		d.mixed = 0
		d.slicesOf("x", "y")
		d.results = []string{"n int"}
		t := d.main
		u := "math.Float64bits(float64(y[i]))"
		v := "math.Float64frombits(uint64(i)<<52 | 1)"
		if t == "float32" && d.chance(0.7) {
			u, v = "math.Float32bits(y[i])", "math.Float32frombits(uint32(i)<<23 | 1)"
		}
		a, b := d.number(t), d.number(t)
		return d.each(pick(d.generator,
			fmt.Sprintf("x[i] = %s(math.Max(float64(%s), float64(%s)))", t, a, b),
			fmt.Sprintf("x[i] = %s(math.Min(float64(%s), float64(%s)))", t, a, b),
			fmt.Sprintf("x[i] = %s(math.FMA(float64(%s), float64(%s), 3))", t, a, b),
			fmt.Sprintf("if math.IsNaN(float64(%s)) || math.IsInf(float64(%s), 0) {\n\t\t\tx[i] = 0\n\t\t}", a, b),
			fmt.Sprintf("if math.Signbit(float64(y[i])) {\n\t\t\tn++\n\t\t}\n\t\tx[i] = %s", a),
			fmt.Sprintf("n += int(%s >> 20 & 255)", u),
			fmt.Sprintf("x[i] = y[i] * %s(%s)", t, v),
			fmt.Sprintf("x[i] = %s(math.Round(float64(y[i])))", t)))
	}},
	{"bits", false, func(d *idiom) string {
		d.main = pick(d.generator, "uint32", "uint32", "uint64", "uint16", "uint8")
		d.slicesOf("x")
		d.slice("y", d.main)
		w := width(d.main)
		list := []string{
			fmt.Sprintf("x[i] = bits.RotateLeft%d(y[i], int(x[i]&31)-8)", w), "x[i] = x[i] & -x[i]", "x[i] = x[i] & (x[i] - 1) ^ y[i]",
			fmt.Sprintf("x[i] = %s(bits.OnesCount%d(x[i] ^ y[i]))", d.main, w), fmt.Sprintf("x[i] = bits.Reverse%d(y[i] + x[i])", w),
			"x[i] = (x[i] ^ y[i]) & ^(x[i] - 1)", fmt.Sprintf("x[i] = y[i] << %d >> 3", w-1),
		}
		switch w {
		case 64:
			list = append(list, "hi, lo := bits.Mul64(x[i], y[i])\n\t\tx[i] = hi ^ lo", "s, c := bits.Add64(x[i], y[i], 1)\n\t\tx[i] = s + c")
		case 32:
			list = append(list, "hi, lo := bits.Mul32(x[i], y[i])\n\t\tx[i] = hi ^ lo", "s, c := bits.Sub32(x[i], y[i], 0)\n\t\tx[i] = s + c")
		}
		if w > 8 {
			list = append(list, fmt.Sprintf("x[i] = bits.ReverseBytes%d(y[i])", w))
		}
		return d.each(pick(d.generator, list...))
	}},
	{"conversions", false, func(d *idiom) string {
		d.integerMain()
		d.slicesOf("x")
		f := pick(d.generator, floatTypes...)
		d.slice("y", f)
		return d.each(pick(d.generator,
			fmt.Sprintf("x[i] = %s(y[i])", d.main), fmt.Sprintf("x[i] = %s(y[i] * 1e9)", d.main), fmt.Sprintf("x[i] += %s(uint64(y[i]))", d.main),
			fmt.Sprintf("y[i] = %s(x[i]) + 0.5", f), fmt.Sprintf("y[i] = %s(uint32(x[i]))", f), fmt.Sprintf("y[i] = %s(int64(y[i]))", f),
			fmt.Sprintf("x[i] = %s(int8(y[i])) + %[1]s(uint16(y[i]))", d.main), fmt.Sprintf("x[i] = %s(min(max(y[i], 0), 255))", d.main)))
	}},
	{"complex numbers", false, func(d *idiom) string {
		t := pick(d.generator, "complex64", "complex128")
		f := map[string]string{"complex64": "float32", "complex128": "float64"}[t]
		d.params = []string{"x, y []" + t, "a " + t, "r []" + f}
		return d.each(pick(d.generator, "x[i] = y[i] * a", "x[i] += y[i]", "x[i] = x[i]*y[i] - a", "r[i] = real(x[i])*real(x[i]) + imag(x[i])*imag(x[i])",
			"x[i] = complex(r[i], -imag(y[i]))", fmt.Sprintf("x[i] *= complex(%s(i), r[i])", f), "if real(x[i]) > real(a) {\n\t\t\tx[i] = -y[i]\n\t\t}", "x[i], y[i] = y[i], x[i]+a"))
	}},
	{"text", false, func(d *idiom) string {
		d.main = "uint8"
		d.slice("x", "byte")
		d.params = append(d.params, "s, t string")
		d.results = []string{"n int"}
		return "\tx = x[:min(len(x), len(s))]\n" + d.each(pick(d.generator,
			"c := s[i]\n\t\tif 'a' <= c && c <= 'z' {\n\t\t\tc -= 'a' - 'A'\n\t\t}\n\t\tx[i] = c", "n += int(s[i] - '0')", "if s[i] == '\\n' || s[i] == ' ' {\n\t\t\tn++\n\t\t}",
			"if s[i] >= 0x80 {\n\t\t\treturn -1\n\t\t}", "if s[i] != t[i] {\n\t\t\treturn i\n\t\t}", "x[i] = \"0123456789abcdef\"[s[i]&15]", "n = n*31 + int(s[i])"))
	}},
	{"runes", true, func(d *idiom) string {
		d.params, d.results = []string{"s string", "x []rune"}, []string{"n int"}
		return "\tfor i, c := range s {\n\t\tx[i] = c\n\t\tif c > 'm' {\n\t\t\tn++\n\t\t}\n\t}\n"
	}},
	{"min and max", false, func(d *idiom) string {
		d.slicesOf("x")
		d.slice("y", d.main)
		d.scalar("a", d.main)
		d.results = []string{"lo " + d.main, "hi " + d.main}
		return d.each(pick(d.generator, "x[i] = min(max(x[i], y[i]), a)", "lo, hi = min(lo, x[i]), max(hi, y[i])", "x[i] = max(x[i], y[i], a)",
			"if x[i] > hi {\n\t\t\thi = x[i]\n\t\t}\n\t\tif x[i] < lo {\n\t\t\tlo = x[i]\n\t\t}", "if x[i] < y[i] {\n\t\t\tx[i] = y[i]\n\t\t}"))
	}},
	{"wrapped subscripts", false, func(d *idiom) string {
		d.slicesOf("x")
		d.slice("y", d.main)
		d.params = append(d.params, "n int")
		at := pick(d.generator, "uint8(i+3)", "int8(i)", "uint16(i*7)", "i*n", "(i+n)&31", "uint32(i)<<1", "i^1", "len(y)-1-i", "i%5", "n-i", "int32(i)*int32(n)")
		return d.each(fmt.Sprintf("x[i] = x[i] %s y[%s]", d.op(), at))
	}},
}

// mathSayings are about functions of package math that lanes compute by its algorithms.
var mathSayings = []saying{
	{"functions of math", false, func(d *idiom) string {
		d.main = pick(d.generator, "float32", "float64", "float64")
		d.mixed = 0
		d.slicesOf("x", "y")
		d.scalar("a", d.main)
		t, a, b := d.main, d.number(d.main), d.number(d.main)
		f := func(x string) string {
			name := pick(d.generator, "Exp", "Exp", "Log", "Exp2", "Sin", "Cos", "Tan", "Tanh", "Cbrt", "Erf", "Log1p", "Expm1", "Atan", "Log2", "Sinh")
			return fmt.Sprintf("%s(math.%s(float64(%s)))", t, name, x)
		}
		return d.each(pick(d.generator,
			"x[i] = "+f(a), "x[i] = "+f(a), fmt.Sprintf("x[i] = %s * %s", f(a), b), fmt.Sprintf("x[i] = %s + %s", f(a), f(b)),
			fmt.Sprintf("if y[i] > a {\n\t\t\tx[i] = %s\n\t\t}", f(a)),
			fmt.Sprintf("x[i] = 1 / (1 + %s)", f("-"+a)),
			fmt.Sprintf("x[i] = %s(math.Hypot(float64(%s), float64(%s)))", t, a, b),
			fmt.Sprintf("x[i] = %s(math.Pow(float64(%s), %s))", t, a, pick(d.generator, "2", "3", "0.5", "1.5", "-1", "float64(a)")),
			fmt.Sprintf("s, c := math.Sincos(float64(%s))\n\t\tx[i], y[i] = %s(s), %s(c)", a, t, t)))
	}},
}
