package randloop

import (
	"fmt"
	"strings"
)

// teamSayings are loops that do the same for each of several items of an iteration, with a variable or two for each.
var teamSayings = []saying{{"teams", false, teams}}

func teams(d *idiom) string {
	n := pick(d.generator, 2, 2, 3, 4, 4, 8)
	items, head := make([]string, n), ""
	switch d.rnd.IntN(3) {
	case 0:
		d.params = append(d.params, "x []"+d.main)
		head = fmt.Sprintf("for i := 0; i+%d < len(x); i += %d {", n-1, n)
		for k := range items {
			items[k] = fmt.Sprintf("x[i+%d]", k)
		}
	case 1:
		d.types += fmt.Sprintf("type team%d struct {\n\tf [%d]%s\n}\n\n", d.n, n, d.main)
		d.params = append(d.params, fmt.Sprintf("x []team%d", d.n))
		head = "for _, p := range x {"
		for k := range items {
			items[k] = fmt.Sprintf("p.f[%d]", k)
		}
	default:
		names := strings.Split("a b c d e f g h", " ")[:n]
		d.types += fmt.Sprintf("type team%d struct {\n\t%s %s\n}\n\n", d.n, strings.Join(names, ", "), d.main)
		d.params = append(d.params, fmt.Sprintf("x []team%d", d.n))
		head = "for i := range x {"
		for k := range items {
			items[k] = "x[i]." + names[k]
		}
	}
	d.scalar("k", d.main)
	var first, body []string
	for _, name := range []string{"r", "q"}[:pick(d.generator, 1, 1, 2)] {
		step, begin := d.teamStep(), pick(d.generator, "k", "k", "1", "-k", "0")
		item := pick(d.generator, "E", "E", "-E", "E + k", "E * k")
		for m, e := range items {
			v := fmt.Sprintf("%s%d", name, m)
			d.results = append(d.results, v+" "+d.main)
			if m > 0 && d.chance(0.2) {
				begin = pick(d.generator, "k", "2", "k + 1")
			}
			first = append(first, fmt.Sprintf("%s = %s", v, begin))
			body = append(body, strings.NewReplacer("V", v, "E", strings.ReplaceAll(item, "E", e), "T", d.main).Replace(step))
		}
	}
	d.rnd.Shuffle(len(body), func(i, j int) { body[i], body[j] = body[j], body[i] })
	return "\t" + strings.Join(first, "\n\t") + "\n\t" + head + "\n\t\t" + strings.Join(body, "\n\t\t") + "\n\t}\n"
}

// teamStep is what one variable V becomes with item E of type T.
func (d *idiom) teamStep() string {
	steps := []string{"V = max(V, E)", "V = min(V, E)", "if E > V {\n\t\t\tV = E\n\t\t}", "if !(E >= V) {\n\t\t\tV = E\n\t\t}", "V += E",
		"if E > 3 {\n\t\t\tV++\n\t\t}", "if V < 20 {\n\t\t\tV++\n\t\t}", "if E == k {\n\t\t\tV++\n\t\t} else {\n\t\t\tV = 0\n\t\t}", "V = E - V", "V = k*V + E"}
	if isFloat(d.main) {
		if d.chance(0.5) {
			d.clause = " reassoc"
		}
		steps = append(steps, "V = T(math.Max(float64(V), float64(E)))", "V = T(math.Min(float64(V), float64(E)))", "V = T(math.Max(float64(V), math.Abs(float64(E))))")
	} else {
		steps = append(steps, "V ^= E", "V &= E", "V |= E", "V *= E", "V = (V + E) & 15", "V = V>>1 ^ E", "V = V<<1 | E&1")
	}
	return pick(d.generator, steps...)
}
