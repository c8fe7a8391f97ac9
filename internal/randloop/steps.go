package randloop

import (
	"fmt"
	"strings"
)

// stepSayings have counters that go on by numbers which are known before the loop only.
var stepSayings = []saying{{"steps of parameters", false, stepping}}

// stepping goes over rows of any length, each of which a loop inside runs over: by the counter of the loop, by a variable
// beside it, or by the number of the row.
func stepping(d *idiom) string {
	d.slicesOf("x", "y")
	d.params = append(d.params, "w, from int")
	d.results = append(d.results, "n int")
	d.inits = pick(d.generator, "\tw = w&63 + 1\n", "\tw = w&7 + 1\n", "\tw = max(w, 1)\n", "\tif w <= 0 {\n\t\treturn\n\t}\n", "\tw, from = w&15+3, from&31\n")
	step := pick(d.generator, "w", "w", "w", "2*w", "w+1")
	inner, at := stepped(d)
	sum := fmt.Sprintf("s := %s(%s)\n\t\tfor %s {\n\t\t\ts = s %s x[%s]\n\t\t}", d.main, pick(d.generator, "0", "1", "n&7"), inner, d.op(), at)
	if d.chance(0.3) {
		sum = fmt.Sprintf("s := x[k]\n\t\tfor %s {\n\t\t\tif x[%s] > s {\n\t\t\t\ts = x[%s]\n\t\t\t}\n\t\t}", inner, at, at)
	}
	if d.chance(0.3) {
		sum = fmt.Sprintf("s := x[k]\n\t\tfor %s {\n\t\t\tx[%s] = x[%s] %s %s(w)\n\t\t}", inner, at, at, d.op(), d.main)
	}
	store := pick(d.generator, "y[n] = s", "y[k/w] = s", "y[k] = s", "y[n] += s")
	store = strings.Replace(store, "s", d.typed("y", "s"), 1)
	known := pick(d.generator, "", "", "", " && w > 0", " && w >= from", " && !(w < 3 || from == 40)", " && from != 7") // before the loop
	switch d.rnd.IntN(5) {
	case 4:
		inner, at = "j := k; j < min(k+w, len(x)); j++", "j"
		return fmt.Sprintf("\tfor k := 0; k < len(x)"+known+"; k += w {\n\t\ts := x[k]\n\t\tfor %s {\n\t\t\ts %s= x[%s]\n\t\t}\n\t\t%s\n\t\tn++\n\t}\n", inner, d.op(), at, store)
	case 0:
		return fmt.Sprintf("\tfor k := %s; k < len(x)"+known+"; k += %s {\n\t\t%s\n\t\t%s\n\t\tn++\n\t}\n", pick(d.generator, "0", "0", "from"), step, sum, store)
	case 1:
		return fmt.Sprintf("\tfor k := 0; k+w <= len(x)"+known+"; k += %s {\n\t\t%s\n\t\t%s\n\t\tn++\n\t}\n", step, sum, store)
	case 2:
		return fmt.Sprintf("\tfor k := len(x) - w; k >= 0"+known+"; k -= %s {\n\t\t%s\n\t\t%s\n\t\tn++\n\t}\n", step, sum, store)
	}
	return fmt.Sprintf("\tk := %s\n\tfor range len(x) / w {\n\t\t%s\n\t\t%s\n\t\tn++\n\t\tk += %s\n\t}\n", pick(d.generator, "0", "0", "from"), sum, store, step)
}

// stepped is the header of a loop over a row at k, and what it is at.
func stepped(d *idiom) (header, at string) {
	switch d.rnd.IntN(5) {
	case 0:
		return "j := k; j < k+w; j++", "j"
	case 1:
		return "j := range w", "k+j"
	case 2:
		return "j := n * w; j < (n+1)*w; j++", "j"
	case 3:
		return "j := k + w - 1; j >= k; j--", "j"
	}
	return "j := 0; j < w; j++", "k+j"
}

// typed is x, of the main type, as an element of a slice.
func (d *idiom) typed(slice, x string) string {
	for _, v := range d.slices {
		if v.name == slice {
			return convert(v.typ, variable{name: x, typ: d.main})
		}
	}
	return x
}
