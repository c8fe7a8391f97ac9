package randloop

import (
	"fmt"
	"strings"
)

// cutSayings compare counters with what stays the same.
var cutSayings = []saying{{"cuts", false, cutting}, {"pixels", false, pixels}}

// cutting has numbers that may be anything, so that counters are about to wrap around now and then.
func cutting(d *idiom) string {
	d.slicesOf("x")
	d.slice("y", d.main)
	d.params = append(d.params, "a, b, from int")
	d.results = append(d.results, "n int", "s "+d.main)
	c := pick(d.generator, "i", "i", "i", "i+1", "i-3", "from+i", "i+1<<40")
	test := func() string {
		limit := pick(d.generator, "a", "b", "a", "b", "len(y)", "a+b", "5", "b&63")
		if d.chance(0.15) {
			return fmt.Sprintf("uint(%s) %s uint(%s)", c, pick(d.generator, "<", "<=", ">", ">="), limit)
		}
		x, y := c, limit
		if d.chance(0.3) {
			x, y = y, x
		}
		return fmt.Sprintf("%s %s %s", x, pick(d.generator, "<", "<=", ">", ">=", "==", "!="), y)
	}
	cond := test()
	if d.chance(0.5) {
		cond += pick(d.generator, " && ", " || ") + test()
	}
	var lines []string
	for _, l := range []string{"x[i] = y[i]", "s " + d.op() + "= x[i]", "y[i] = 3", "n++", "n += i", "x[i] " + d.op() + "= s"} {
		if d.chance(0.35) {
			lines = append(lines, l)
		}
	}
	if d.chance(0.15) {
		lines = append(lines, "break")
	}
	if lines == nil {
		lines = []string{"n++"}
	}
	body := fmt.Sprintf("if %s {\n\t\t\t%s\n\t\t}", cond, strings.Join(lines, "\n\t\t\t"))
	if d.chance(0.3) {
		body += fmt.Sprintf(" else {\n\t\t\tx[i] %s= 2\n\t\t}", d.op())
	}
	return d.each(body)
}

// pixels calls what the standard library has for colours, points and times.
func pixels(d *idiom) string {
	d.params = append(d.params, "x, y, z, w []uint8", "k int")
	d.results = append(d.results, "n int")
	line := pick(d.generator,
		"x[i], y[i], z[i] = color.YCbCrToRGB(y[i], z[i], w[i])",
		"x[i], y[i], z[i] = color.RGBToYCbCr(x[i], y[i], w[i])",
		"x[i] = color.RGBA{x[i], y[i], z[i], 255}.G",
		"r, g, _, _ := color.NRGBA{x[i], y[i], z[i], w[i]}.RGBA()\n\t\tx[i], y[i] = uint8(r>>8), uint8(g)",
		"p := image.Pt(int(x[i]), i).Add(image.Pt(k, 3))\n\t\tx[i] = uint8(p.X ^ p.Y)",
		"if image.Pt(i, int(y[i])).In(image.Rect(3, 2, k, 100)) {\n\t\t\tx[i]++\n\t\t}",
		"n += int(time.Duration(k+i*1000003).Milliseconds())",
		"x[i] = uint8(time.Duration(int(y[i])*1e9).Seconds())",
		"n += slices.Index(w[:4], x[i])",
		"if slices.Contains(z, x[i]) {\n\t\t\tn++\n\t\t}")
	return d.each(line)
}
