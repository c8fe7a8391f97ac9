package randloop

import (
	"fmt"
	"strings"
)

// optionalSayings have slices and pointers that may be nil, methods of embedded structs, results that are arguments.
var optionalSayings = []saying{{"optional weights", false, optionalWeights}, {"embedded", false, embedding}}

func optionalWeights(d *idiom) string {
	d.slicesOf("x")
	d.slice("y", d.main)
	d.params = append(d.params, "w []"+d.main, "p *"+d.main)
	d.results = append(d.results, "s "+d.main, "n int")
	if d.chance(0.2) {
		d.inits = "\tif len(x)%2 == 0 {\n\t\tw = nil\n\t}\n"
	}
	test := pick(d.generator, "w == nil", "w != nil", "nil != w", "p != nil", "p == nil && w != nil", "w == nil || p == nil")
	with := pick(d.generator, "x[i] = y[i] "+d.op()+" w[i]", "s "+d.op()+"= w[i]", "x[i] "+d.op()+"= *p", "n++", "y[i] = x[i]")
	without := pick(d.generator, "x[i] = y[i]", "s "+d.op()+"= y[i]", "n--", "continue", "x[i] = 3", "break")
	return d.each(fmt.Sprintf("if %s {\n\t\t\t%s\n\t\t} else {\n\t\t\t%s\n\t\t}", test, with, without), pick(d.generator, "n += i", "x[i] "+d.op()+"= y[i]", "s = x[i]"))
}

func embedding(d *idiom) string {
	d.types = strings.NewReplacer("#", fmt.Sprint(d.n), "T", d.main).Replace(`type in# struct{ a, b T }

func (v in#) mix(w in#) T { return v.a*w.b + v.b }
func (v *in#) move(k T) { v.a += k; v.b -= v.a }
func (v in#) both() (T, T) { return v.b, v.a }
func sum#(a, b T) T { return a + b + b }

type out# struct {
	n T
	in#
}

type far# struct {
	*in#
	vs []out#
}

`)
	d.params = append(d.params, fmt.Sprintf("x []out%d, y []%s, f *far%[1]d, k %[2]s", d.n, d.main))
	d.results = append(d.results, "s "+d.main)
	in, sum := fmt.Sprintf("in%d", d.n), fmt.Sprintf("sum%d", d.n)
	var lines []string
	for _, l := range []string{
		"y[i] = x[i].mix(x[i]." + in + ")", "x[i].move(k)", "s += f.mix(x[i]." + in + ")", "y[i] " + d.op() + "= " + sum + "(x[i].both())", "y[i] += f.vs[i].mix(*f." + in + ")",
		"if x[i].mix(f.vs[i]." + in + ") > 3 {\n\t\t\ts++\n\t\t}", "x[i].n = " + sum + "(f.both())", "f.vs[i].move(y[i])",
	} {
		if d.chance(0.25) {
			lines = append(lines, l)
		}
	}
	if lines == nil {
		lines = []string{"y[i] = x[i].mix(x[i]." + in + ")"}
	}
	return d.each(lines...)
}
