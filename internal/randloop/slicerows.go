package randloop

import (
	"fmt"
	"strings"
)

// sliceRowSayings go through matrices that are slices of slices, whose rows are found anew in each turn of the loop along them. A row may
// be out of range where that loop has no turn, or asks in another way before.
var sliceRowSayings = []saying{{"rows of slices", false, sliceRows}}

func sliceRows(d *idiom) string {
	d.slicesOf("x")
	d.params = append(d.params, fmt.Sprintf("a, b, c [][]%s, n, m, k int", d.main))
	d.results = append(d.results, "s "+d.main)
	d.inits = pick(d.generator, "\tn, m, k = n&31, m&7, k&3\n", "\tn, m, k = n&7, m&3, k&15-4\n", "\tn, m, k = min(n, 40), 1, k&1\n")
	row := func() string {
		return pick(d.generator, "i", "i", "i", "i", "i+1", "i-1", "k", "m", "len(b)-1-i", "2*i", "i&3", "(i+m)/2")
	}
	at := func(name string) string {
		return fmt.Sprintf("%s[%s][%s]", name, row(), pick(d.generator, "j", "j", "j", "j", "j+1", "j-1", "i", "k", "n-1-j"))
	}
	outer := pick(d.generator, "i := range a", "i := range b", "i := 0; i < n; i++", "i := -2; i < len(b); i++", "i := k; i < len(c); i++", "i := len(a) - 1; i >= 0; i--", "i := 1; i < n-1; i += 2", "i, r := range a")
	inner := pick(d.generator, "j := range a["+row()+"]", "j := range x", "j := 0; j < n; j++", "j := 0; j < i; j++", "j := i; j < n; j++", "j := 0; j < len(b["+row()+"]); j++", "j := n - 1; j >= 0; j--", "j, v := range c["+row()+"]", "j := 1; j < len(x)-1; j++")
	var lines []string
	for range pick(d.generator, 1, 1, 2) {
		lines = append(lines, pick(d.generator,
			at("c")+" "+pick(d.generator, "=", "+=", "-=")+" "+at("a")+" "+d.op()+" "+at("b"),
			at("c")+" = "+at("a")+" "+d.op()+" x[j]",
			at("c")+" += "+at("a")+" * "+at("b"),
			"s "+pick(d.generator, "+=", "=")+" "+at("a")+" "+d.op()+" "+at("b"),
			"if "+at("a")+" > "+at("b")+" {\n\t"+at("c")+" = x[j]\n}",
			"if i >= 0 {\n\t"+at("c")+" = "+at("b")+"\n}",
			at("c")+", "+at("b")+" = "+at("b")+", "+at("c")))
	}
	loop := fmt.Sprintf("for %s {\n\tfor %s {\n%s%s\t}\n}\n", outer, inner, indented("_ = j\n"+strings.Join(lines, "\n")+"\n", 2), indented(pick(d.generator, "", "", "s += x[j]\n"), 2))
	for _, name := range []string{"r", "v"} {
		if strings.Contains(loop, ", "+name+" := range") {
			loop = strings.Replace(loop, "_ = j", "_, _ = j, "+name, 1)
		}
	}
	if d.chance(0.3) {
		loop = "for q := range 2 {\n\t_ = q\n" + indented(loop, 1) + "}\n"
	}
	return indented(loop, 1)
}
