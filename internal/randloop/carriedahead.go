package randloop

import "fmt"

// aheadSayings are iterations that go on from a variable of the one before, and look at what became of it in a loop inside.
var aheadSayings = []saying{{"carried ahead of loops", false, carriedAhead}}

func carriedAhead(d *idiom) string {
	d.integerMain()
	d.slice("x", d.main)
	d.slice("w", d.main)
	out := d.slice("y", pick(d.generator, d.main, d.main, d.typ()))
	d.params = append(d.params, "h "+d.main, "k int")
	d.results = append(d.results, "last "+d.main)
	item := pick(d.generator, "x[i]", "x[i]", "x[i]&3", "1", "3", d.value(d.main))
	step := fmt.Sprintf(pick(d.generator, "h += %s", "h += %s", "h -= %s", "h ^= %s", "h |= %s", "h = max(h, %s)", "h = min(%s, h)",
		"h = h*5 + %s", "h = h<<1 ^ %s", "h = -h + %s", "h = %s", "h = h*3 + 1 - %s*0"), item)
	if d.chance(0.3) {
		step = fmt.Sprintf("if %s {\n\t\t\t%s\n\t\t}", d.condition(0), step)
	}
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	behind := d.chance(0.3)
	if !behind {
		lines = append(lines, step)
	}
	add("s := h")
	add("%s", pick(d.generator, "for j := range w {", "for j := range w {", "for j := 0; j < k; j++ {", "for j := range 3 {", "for j := 0; j < i%5; j++ {"))
	other := pick(d.generator, "w[j]", "w[j]", "x[i]", "w[len(w)-1-j]")
	switch d.rnd.IntN(3) {
	case 0:
		add("\ts = s*3 + %s", other)
	case 1:
		add("\ts = max(s, %s)", other)
	default:
		add("\tif %s %s s {", other, pick(d.generator, ">", "<", "=="))
		add("\t\ts = %s", pick(d.generator, "h", other, "s + 1"))
		if d.chance(0.6) {
			add("\t\tbreak")
		}
		add("\t}")
	}
	add("}")
	if behind && d.chance(0.7) {
		lines = append(lines, step)
	} else if behind {
		add("h = s + %s", item)
	}
	add("y[i] = %s(%s)", out.typ, pick(d.generator, "s", "s", "h", "s + h", "s ^ h"))
	return "\tlast = h\n" + d.each(lines...) + "\tlast ^= h\n"
}
