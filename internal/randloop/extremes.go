package randloop

import "fmt"

// extremeSayings look for the item that something of few bits is least or largest for, which begins with anything.
var extremeSayings = []saying{{"wide extremes", false, wideExtremes}}

func wideExtremes(d *idiom) string {
	d.integerMain()
	d.slicesOf("x")
	t := pick(d.generator, "int", "int", "int64", "int32")
	first := pick(d.generator, "from", "from", "1 << 30", "-1", "math.MaxInt32", "0", "1<<15 - 1", "1 << 15", "-1 << 15", "65025", "255")
	if t != "int32" {
		first = pick(d.generator, first, "math.MaxInt64", "math.MinInt64", "1 << 31", "-1<<31 - 1")
	}
	d.params = append(d.params, "from "+t, "to "+d.main)
	d.results = append(d.results, "at, n int", "best "+t)
	item := fmt.Sprintf(pick(d.generator, "%s(x[i]) - %[1]s(to)", "%s(x[i])", "%s(x[i]) * 3", "%s(x[i]>>1)", "(%s(x[i]) - %[1]s(to)) * 2", "%s(x[i] & 15)"), t)
	body := "v := " + item
	body += pick(d.generator, "", "\n\t\tv *= v", "\n\t\tif v < 0 {\n\t\t\tv = -v\n\t\t}", "\n\t\tv = -v", "\n\t\tv = max(v, 0)")
	op := pick(d.generator, "<", "<", ">", "<=", ">=")
	set := pick(d.generator, "at, best = i, v", "at, best = i, v", "best = v\n\t\t\tn++", "at, best, n = i, v, n+1")
	body += fmt.Sprintf("\n\t\tif v %s best {\n\t\t\t%s\n\t\t}", op, set)
	switch d.rnd.IntN(8) {
	case 0:
		body += "\n\t\tif best < 9 {\n\t\t\tn++\n\t\t}"
	case 1:
		d.params = append(d.params, "out []"+t)
		body += "\n\t\tout[i] = best"
	case 2:
		body += "\n\t\tn += int(best)"
	}
	return "\tbest = " + first + "\n" + d.each(body)
}
