package randloop

import "fmt"

// lowSayings are polynomials that keep low bits, or other ones, of what each iteration makes, and shift registers that run down.
var lowSayings = []saying{{"low bits", false, lowBits}, {"shifted down", false, shiftedDown}}

func shiftedDown(d *idiom) string {
	d.integerMain()
	d.slicesOf("x")
	d.slice("y", d.main)
	d.params = append(d.params, "h "+d.main)
	d.results = []string{"last " + d.main}
	n := pick(d.generator, "1", "2", "3", "5", "7")
	item := pick(d.generator, "x[i]", "x[i]&3", "x[i]<<5", "x[i]<<7", "x[i] & 1 << 6", "7", d.value(d.main))
	next := fmt.Sprintf("h>>%s %s (%s)", n, pick(d.generator, "|", "^", "|", "^", "+", "-", "&^"), item)
	if d.rnd.IntN(4) == 0 {
		next = fmt.Sprintf("(%s) %s h>>%s", item, pick(d.generator, "|", "^", "+"), n)
	}
	lines := []string{"h = " + next, "y[i] = h"}
	switch d.rnd.IntN(5) {
	case 0:
		lines = []string{lines[1], lines[0]}
	case 1:
		lines = append(lines, "if x[i] == h {\n\t\t\ty[i]++\n\t\t}")
	case 2:
		lines = append([]string{fmt.Sprintf("if %s {\n\t\t\tbreak\n\t\t}", d.condition(0))}, lines...)
	}
	return "\tlast = h\n" + d.each(lines...) + "\tlast ^= h\n"
}

func lowBits(d *idiom) string {
	d.integerMain()
	d.slicesOf("x")
	d.slice("y", d.main)
	d.scalar("a", d.main)
	d.params = append(d.params, "h "+d.main)
	d.results = []string{"last " + d.main}
	times := pick(d.generator, "h*31", "h*a", "h<<2", "h<<5 - h", "h*5 + h", "-h", "h*a*3")
	item := pick(d.generator, "x[i]", "x[i]&3", "y[i]", "7", "a", d.value(d.main))
	mask := pick(d.generator, "0x3f", "0xf", "0x7f", "1", "0x7e", "a")
	next := fmt.Sprintf("(%s %s %s) & %s", times, pick(d.generator, "+", "+", "-", "|", "^"), item, mask)
	lines := []string{"h = " + next}
	switch d.rnd.IntN(6) {
	case 0:
		lines = append(lines, "y[i] = h")
	case 1:
		lines = append([]string{"y[i] = h"}, lines...)
	case 2:
		lines = append(lines, "if x[i] == h {\n\t\t\ty[i]++\n\t\t}")
	case 3:
		lines = append([]string{fmt.Sprintf("if %s {\n\t\t\tbreak\n\t\t}", d.condition(0))}, lines...)
	case 4:
		lines = []string{fmt.Sprintf("if %s {\n\t\t\t%s\n\t\t}", d.condition(0), lines[0])}
	}
	return "\tlast = h\n" + d.each(lines...) + "\tlast ^= h\n"
}
