package randloop

import (
	"fmt"
	"strings"
)

// lentSayings lend variables of the loop, elements, and what is behind a pointer to functions that change them, in statements of
// their own and in expressions.
var lentSayings = []saying{{"lent", false, lending}}

func lending(d *idiom) string {
	d.types = strings.NewReplacer("#", fmt.Sprint(d.n), "T", d.main, "OP", d.op()).Replace(`type box# struct{ a, b T }

func (v *box#) step(k T) { v.a += k; v.b -= v.a }
func (v *box#) next() T { v.a = v.a*5 + 3; return v.a - v.b }
func (v *box#) both(w *box#) { v.a, w.b = w.b, v.a OP w.a }
func swap#(p, q *T) { *p, *q = *q, *p }
func order#(p, q *T) {
	if *p > *q {
		swap#(p, q)
	}
}
func fold#(p *T, k T) T { *p = *p OP k; return *p + k }
func twice#(k T) T {
	v := k
	fold#(&v, 3)
	order#(&v, &k)
	return v OP k
}

`)
	d.params = append(d.params, fmt.Sprintf("x, y []%s, z []box%d, r *box%[2]d, k %[1]s", d.main, d.n))
	d.results = append(d.results, "s "+d.main, "n int")
	lines := []string{"v, w := x[i], k", fmt.Sprintf("b := box%d{v, k}", d.n)}
	for _, l := range []string{
		"fold#(&v, k)", "s += fold#(&v, 3)", "s = k - fold#(&w, v)", "order#(&v, &w)", "swap#(&v, &x[i])", "swap#(&b.a, &w)", "b.step(v)", "b.both(&b)", "b.both(&z[i])",
		"z[i].both(&b)", "x[i] = b.next()", "x[i] = k*3 + b.next()", "y[i] += r.next()", "y[i] = 2 * r.next()", "z[i].step(k)", "y[i] ^= 0; x[i] -= z[i].next()", "v = twice#(v)",
		"if r.next() > k {\n\t\t\tn++\n\t\t}", "if k > 3 && b.next() < v || fold#(&w, 1) == 7 {\n\t\t\ts += w\n\t\t}", "for range 2 {\n\t\t\tb.step(fold#(&v, k))\n\t\t}", "s += v + fold#(&w, 2)",
		"x[i] += fold#(&x[i], k)", "y[min(i, len(y)-1)] = fold#(&x[i], v)", "n += int(v)",
	} {
		if d.chance(0.2) && (!strings.Contains(l, "^=") || !strings.HasPrefix(d.main, "float")) {
			lines = append(lines, strings.ReplaceAll(l, "#", fmt.Sprint(d.n)))
		}
	}
	lines = append(lines, pick(d.generator, "x[i] = v", "s += w", "z[i] = b", "y[i] = b.a"), "_, _, _ = v, w, b")
	return d.each(lines...)
}
