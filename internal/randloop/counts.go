package randloop

import "strings"

// countSayings count and sum by subscripts that are made of elements, beside something that lanes can do.
var countSayings = []saying{{"counts", false, countingByKey}}

func countingByKey(d *idiom) string {
	d.slicesOf("x")
	d.slice("y", d.main)
	d.slice("sum", pick(d.generator, d.main, "float64", "int", "uint8", "int32"))
	d.params = append(d.params, "count *[256]"+pick(d.generator, "int", "uint32", "uint16", "uint8"), "c, q []uint8")
	d.results = append(d.results, "n int")
	key := pick(d.generator, "c[i]", "c[i]", "c[2*i]", "c[i]>>1+3", "(int(c[i])*3+int(c[i]&9)*5)>>3", "(int(c[i])*int(c[i]^3)>>4^int(c[i]/7)*5+int(c[i]>>1)*3)&255", "(int(c[i])*11+i*7)>>2&127",
		"int(uint16(c[i])*uint16(c[i]>>3)*3>>5&255)", "uint8(uint16(c[i])*uint16(c[i])*5>>4)/3*2")
	lines := []string{"k := " + key + "\n\t\t_ = k", "x[i] = (y[i] " + d.op() + " x[i]) " + d.op() + " y[i]"}
	for _, l := range []string{
		"count[k]++", "count[k]--", "count[255-k] += count[k]", "count[k] ^= count[k&15]", "count[k&63] += 2", "sum[k]++", "sum[k] *= 3", "q[k]++", "q[k] ^= c[i]", "sum[k] += sum[k] + 1",
		"if c[i] > 99 {\n\t\t\tcount[k]++\n\t\t\tx[i] += T(count[k])\n\t\t}", "if y[i] > x[i] {\n\t\t\tsum[k&7]++\n\t\t\tn += int(sum[k&7])\n\t\t}",
		"n += int(count[k])", "n++", "if c[i] > 99 {\n\t\t\tcount[k]++\n\t\t}",
		"if k&1 != 0 {\n\t\t\tcount[k>>1] += 3\n\t\t} else {\n\t\t\tcount[k] = 1\n\t\t}",
		"if c[i] < 200 && x[i] != y[i] {\n\t\t\tn++\n\t\t\tsum[k&7]++\n\t\t}",
	} {
		if d.chance(0.1) {
			lines = append(lines, l)
		}
	}
	if len(lines) == 2 {
		lines = append(lines, "count[k]++")
	}
	return d.each(strings.ReplaceAll(strings.Join(lines, "\n\t\t"), "T(", d.main+"("))
}
