package randloop

import (
	"fmt"
	"strings"
)

// flagSayings end loops by a variable that an iteration before has set.
var flagSayings = []saying{{"flag", false, flagged}, {"conditions beside", false, besides}}

func flagged(d *idiom) string {
	d.slicesOf("x")
	d.slice("y", d.main)
	d.scalar("a", d.main)
	d.results = append(d.results, "at int", "s "+d.main)
	flag, set, asked := "done", "done = true", "!done"
	first := pick(d.generator, "\tdone := false\n", "\tvar done bool\n")
	if d.chance(0.4) {
		flag, set, asked, first = "more", "more = false", "more", "\tmore := true\n"
	}
	if d.chance(0.2) {
		d.params, first = append(d.params, flag+" bool"), ""
	}
	d.inits = first
	test := fmt.Sprintf("x[i] %s %s", pick(d.generator, "==", "==", ">", "<", "!="), pick(d.generator, "a", "y[i]", d.number(d.main)))
	along := []string{set}
	for _, l := range []string{"at = i", "x[i] = a", "s += a", "at++"} {
		if d.chance(0.4) {
			along = append(along, l)
		}
	}
	lines := []string{fmt.Sprintf("if %s {\n\t\t\t%s\n\t\t}", test, strings.Join(along, "\n\t\t\t"))}
	for _, l := range []string{"y[i] = x[i]", "s += x[i]", "at += 2", "s = max(s, y[i])"} {
		if d.chance(0.4) {
			lines = append(lines, l)
		}
	}
	d.rnd.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	head := pick(d.generator, "i < len(x) && "+asked, asked+" && i < len(x)", "i < len(x) && i < len(y) && "+asked)
	return fmt.Sprintf("\tfor i := 0; %s; i++ {\n\t\t%s\n\t}\n", head, strings.Join(lines, "\n\t\t"))
}

// besides has conditions in the header that do not count iterations.
func besides(d *idiom) string {
	d.slicesOf("x")
	d.slice("y", d.main)
	d.params = append(d.params, "n int")
	d.results = append(d.results, "k int")
	beside := pick(d.generator, "n > 3", "k < n", "k < len(y)", "k+1 < len(y)", "n >= 0 && k < n", "n != 5")
	lines := []string{pick(d.generator, "x[i] "+d.op()+"= y[i]", "y[k] = x[i]", "y[i] = x[i]")}
	lines = append(lines, pick(d.generator, "if x[i] > y[i] {\n\t\t\tk++\n\t\t}", "if x[i] > 3 {\n\t\t\tk++\n\t\t}", "k += int(x[i]) & 3", "k++"))
	head := pick(d.generator, "i < len(x) && "+beside, beside+" && i < len(x)")
	return fmt.Sprintf("\tfor i := 0; %s; i++ {\n\t\t%s\n\t}\n", head, strings.Join(lines, "\n\t\t"))
}
