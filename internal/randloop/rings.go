package randloop

import (
	"fmt"
	"strings"
)

// ringSayings go round in a short table.
var ringSayings = []saying{{"short table", false, shortTable}, {"round a short table", false, roundShortTable}}

// key declares a table of a few elements: of y, which may be x as well.
func (d *idiom) key() {
	d.slicesOf("x")
	d.slice("y", d.main)
	d.params = append(d.params, "n int")
	size := 1 + d.rnd.IntN(pick(d.generator, 9, 9, 70))
	d.inits = fmt.Sprintf("\tkey := y[:min(len(y), %d)]\n", size)
}

// using is what the loop does with an element of the table.
func (d *idiom) using(e string) string {
	switch d.rnd.IntN(4) {
	case 0:
		d.results = append(d.results, "s int")
		return fmt.Sprintf("if x[i] > %s {\n\t\t\ts++\n\t\t}", e)
	case 1:
		d.slice("w", d.main)
		return fmt.Sprintf("x[i] = w[i] %s %s", d.op(), e)
	}
	return fmt.Sprintf("x[i] %s= %s", d.op(), e)
}

func shortTable(d *idiom) string {
	d.key()
	at := pick(d.generator, "i%len(key)", "i%len(key)", "(i+n)%len(key)", "(3*i+1)%len(key)", "i&(len(key)-1)", "(i-n)&(len(key)-1)", "i%n", "i&n",
		"uint(i)%uint(len(key))", "T(i)%m", "T(i)&m", "(T(i)+2)&m")
	if strings.Contains(at, "T(") {
		t := pick(d.generator, "uint", "uint64", "int64", "uintptr", "uint32", "int32", "uint8")
		at = strings.ReplaceAll(at, "T(", t+"(")
		d.inits += fmt.Sprintf("\tm := %s(n)\n", t)
	}
	return d.each(d.using("key[" + at + "]"))
}

func roundShortTable(d *idiom) string {
	d.key()
	last := ""
	if d.chance(0.5) {
		d.inits += "\tk := 0\n"
	} else {
		last = "\tlast = k\n"
		d.params = append(d.params, "k int")
		d.results = append(d.results, "last int")
		d.inits += pick(d.generator, "", "\tk = min(k&15, len(key)-1)\n")
	}
	next := pick(d.generator, "k++\n\t\tif k == len(key) {\n\t\t\tk = 0\n\t\t}", "if k++; k >= len(key) {\n\t\t\tk = 0\n\t\t}", "k = (k + 1) % len(key)",
		"k = (k + 2) % len(key)", "k = (k + 1) & (len(key) - 1)", "if k++; k >= n {\n\t\t\tk = 0\n\t\t}", "if k++; k == len(key) {\n\t\t\tk = 1\n\t\t}")
	return d.each(d.using("key[k]")+"\n\t\t"+next) + last
}
