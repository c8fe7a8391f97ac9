package main

import (
	"fmt"
	"io"
	"log"
	"math"
	"slices"
	"strings"
)

// The table of the cost model holds what the vectorizer estimates against what loops
// take, for a grid of operations on elements: each as planned and with other unrolling.

// unrolls are the plans beside the one chosen, which is among them.
var unrolls = []int{1, 2, 4, 8}

// wrongChoice is the part by which another plan has to be faster for the choice to be wrong.
const wrongChoice = 0.1

// printModel prints loops with their estimates, and how these spread.
func printModel(w io.Writer, o options) {
	fmt.Fprintf(w, "Cost model: cycles per iteration as estimated and measured, and with the best other plan where that is %.0f%% faster\n\n", 100*wrongChoice)
	for _, n := range o.lengths {
		if n > longestForms {
			continue
		}
		rows, err := o.forms(operationGrid(), n)
		if err != nil {
			log.Fatal(err)
		}
		t := newTable("loop", "n", "plan", "estimate", "cycles", "cycles/estimate", "of original", "cycles", "cycles/estimate", "better plan")
		var vector, scalar []float64
		wrong := 0
		for _, r := range rows {
			a := r.form.Args
			line := []string{r.Name, fmt.Sprint(n), r.form.describe(), estimated(a.Cost), fmt.Sprintf("%.2f", r.cycles(1)), "", estimated(a.Scalar), fmt.Sprintf("%.2f", r.cycles(0)), "", ""}
			if r.form.ID == "loopvec:Vectorized" && a.Cost > 0 {
				vector = append(vector, r.cycles(1)/a.Cost)
				line[5] = fmt.Sprintf("%.2f", r.cycles(1)/a.Cost)
				if unroll, faster := r.better(); faster > wrongChoice {
					wrong++
					line[9] = fmt.Sprintf("unroll(%d): %.0f%% less", unroll, 100*faster)
				}
			}
			if a.Scalar > 0 {
				scalar = append(scalar, r.cycles(0)/a.Scalar)
				line[8] = fmt.Sprintf("%.2f", r.cycles(0)/a.Scalar)
			}
			t.add(line...)
		}
		t.print(w)
		fmt.Fprintf(w, "cycles/estimate of %d vectorized loops: %s; of %d originals: %s; %d loops have a plan that is %.0f%% faster\n\n",
			len(vector), spread(vector), len(scalar), spread(scalar), wrong, 100*wrongChoice)
	}
}

// better is the fastest of the other plans, and the part of the time that it saves. The chosen
// plan is there twice: what it takes at its best counts.
func (r *formRow) better() (unroll int, faster float64) {
	chosen := r.twin()
	if k := slices.Index(unrolls, r.form.Args.UF); k >= 0 {
		chosen = min(chosen, r.Times[2+k])
	}
	for k, n := range unrolls {
		if f := 1 - r.Times[2+k]/chosen; f > faster {
			unroll, faster = n, f
		}
	}
	return unroll, faster
}

// spread tells the geometric mean of ratios, and the factor around it within which two of
// three lie.
func spread(ratios []float64) string {
	if len(ratios) == 0 {
		return "none"
	}
	mean := 0.0
	for _, r := range ratios {
		mean += math.Log(r) / float64(len(ratios))
	}
	var off []float64
	for _, r := range ratios {
		off = append(off, math.Abs(math.Log(r)-mean))
	}
	slices.Sort(off)
	return fmt.Sprintf("geometric mean %.2f, two of three within a factor of %.2f", math.Exp(mean), math.Exp(off[len(off)*2/3]))
}

// An operation is the statement of a loop, for some elements. T in it is the element, D what it
// becomes.
type operation struct {
	name  string
	on    string // names of elements
	to    string // what it becomes; "" for the same
	lines string // of the body, with slices dst, x, y, z and variables a, b; or of a reduction to s
}

// modelElements are the types of the grid by name.
var modelElements = map[string]element{
	"i8": {"i8", "int8", 1}, "i16": {"i16", "int16", 2}, "i32": {"i32", "int32", 4}, "i64": {"i64", "int64", 8},
	"u8": {"u8", "uint8", 1}, "u16": {"u16", "uint16", 2}, "u32": {"u32", "uint32", 4}, "u64": {"u64", "uint64", 8},
	"f32": {"f32", "float32", 4}, "f64": {"f64", "float64", 8},
}

const (
	signedInts   = "i8 i16 i32 i64"
	unsignedInts = "u8 u16 u32 u64"
	allInts      = signedInts + " " + unsignedInts
	floatTypes   = "f32 f64"
	allTypes     = signedInts + " " + floatTypes
)

var operations = []operation{
	{"copy", allTypes, "", "dst[i] = x[i]"},
	{"add", allTypes, "", "dst[i] = x[i] + y[i]"},
	{"multiply", allTypes, "", "dst[i] = x[i] * y[i]"},
	{"multiply add", allTypes, "", "dst[i] = x[i]*y[i] + z[i]"},
	{"scale", allTypes, "", "dst[i] = a*x[i] + b"},
	{"quotient by 7", allInts, "", "dst[i] = x[i] / 7"},
	{"remainder by 10", allInts, "", "dst[i] = x[i] % 10"},
	{"quotient", "i8 u16 i32", "", "dst[i] = x[i] / (y[i]|1)"},
	{"divide", floatTypes, "", "dst[i] = x[i] / y[i]"},
	{"and not", "i32 i64", "", "dst[i] = x[i] &^ y[i] | z[i]"},
	{"shift left", allInts, "", "dst[i] = x[i] << 3"},
	{"shift right", allInts, "", "dst[i] = x[i] >> 3"},
	{"shift by lanes", allInts, "", "dst[i] = x[i] >> (uint(y[i]) & 7)"},
	{"rotate", unsignedInts, "", "dst[i] = bits.RotateLeftW(x[i], 5)"},
	{"count bits", unsignedInts, "u8", "dst[i] = uint8(bits.OnesCountW(x[i]))"},
	{"leading zeros", unsignedInts, "u8", "dst[i] = uint8(bits.LeadingZerosW(x[i]))"},
	{"minimum", allTypes, "", "dst[i] = min(x[i], y[i])"},
	{"maximum", allTypes + " u32 u64", "", "dst[i] = max(x[i], y[i])"},
	{"clamp", allTypes, "", "dst[i] = min(max(x[i], a), b)"},
	{"absolute", signedInts, "", "v := x[i]; if v < 0 { v = -v }; dst[i] = v"},
	{"choose", allTypes, "", "v := z[i]; if x[i] < y[i] { v = x[i] }; dst[i] = v"},
	{"store if", allTypes, "", "if x[i] > y[i] { dst[i] = z[i] }"},
	{"less", allTypes, "u8", "v := uint8(0); if x[i] < y[i] { v = 1 }; dst[i] = v"},
	{"square root", "f64", "", "dst[i] = math.Sqrt(x[i])"},
	{"floor", "f64", "", "dst[i] = math.Floor(x[i])"},
	{"magnitude", "f64", "", "dst[i] = math.Abs(x[i])"},
	{"exp", "f64", "", "dst[i] = math.Exp(x[i])"},
	{"log", "f64", "", "dst[i] = math.Log(x[i] + 1)"},
	{"to i8", "i16 i32 i64 f32", "i8", "dst[i] = D(x[i])"},
	{"to i16", "i8 u8 i32 i64 f32", "i16", "dst[i] = D(x[i])"},
	{"to i32", "i8 u8 i16 i64 f32 f64", "i32", "dst[i] = D(x[i])"},
	{"to i64", "i8 i16 i32 u32", "i64", "dst[i] = D(x[i])"},
	{"to f32", "i8 i16 i32 u32 i64 f64", "f32", "dst[i] = D(x[i])"},
	{"to f64", "i8 i16 i32 u32 i64 f32", "f64", "dst[i] = D(x[i])"},
	{"sum", allInts, "s", "s += x[i]"},
	{"wide sum", "i8 u8 i16 i32", "i64", "s += D(x[i])"},
	{"dot", "i32 i64", "s", "s += x[i] * y[i]"},
	{"wide dot", "i8 i16", "i32", "s += D(x[i]) * D(y[i])"},
	{"float sum", floatTypes, "s reassoc", "s += x[i]"},
	{"float dot", floatTypes, "s reassoc", "s += x[i] * y[i]"},
	{"least", allTypes, "s", "s = min(s, x[i])"},
	{"greatest", allTypes + " u8", "s", "s = max(s, x[i])"},
	{"count", "i8 i16 i32 i64 f32 f64", "i64", "if x[i] > a { s++ }"},
	{"sum if", "i32 i64", "s", "if x[i] > y[i] { s += x[i] }"},
}

// operationGrid lists all loops: their order is that of the table.
func operationGrid() []loopRow {
	var rows []loopRow
	for _, op := range operations {
		for _, name := range strings.Fields(op.on) {
			rows = append(rows, op.row(modelElements[name]))
		}
	}
	return rows
}

// row is the loop for elements e.
func (op *operation) row(e element) loopRow {
	to, reassoc := strings.CutSuffix(op.to, " reassoc")
	d := e
	if other, ok := modelElements[to]; ok {
		d = other
	}
	sums := op.sums()
	l := loopRow{name: e.name + " " + op.name, lanes: 32 / max(e.size, d.size)}
	for _, n := range unrolls {
		l.clauses = append(l.clauses, fmt.Sprintf(" unroll(%d)", n))
	}
	width := map[string]string{"u8": "8", "u16": "16", "u32": "32", "u64": "64"}[e.name]
	lines := strings.ReplaceAll(strings.ReplaceAll(op.lines, "W(", width+"("), "D(", d.goType+"(")
	for _, p := range []struct{ name, typ, arg string }{
		{"dst", "[]" + d.goType, d.slice("n")},
		{"x", "[]" + e.goType, e.slice("n")}, {"y", "[]" + e.goType, "shifted(" + e.slice("n") + ")"}, {"z", "[]" + e.goType, e.slice("n")},
		{"a", e.goType, "3"}, {"b", e.goType, "5"},
	} {
		if p.name == "dst" && sums || p.name != "dst" && !mentions(lines, p.name) {
			continue
		}
		if l.params != "" {
			l.params, l.args = l.params+", ", l.args+", "
		}
		l.params, l.args = l.params+p.name+" "+p.typ, l.args+p.arg
		if len(p.arg) == 1 {
			l.args = l.args[:len(l.args)-1] + e.goType + "(" + p.arg + ")"
		}
	}
	over := "dst"
	if sums {
		over, l.result = "x", "(s "+d.goType+") "
	}
	l.body = "\tfor i := range " + over + " {\n\t\t" + strings.ReplaceAll(lines, "; ", "\n\t\t") + "\n\t}\n"
	if sums {
		l.body += "\treturn s\n"
	}
	if reassoc {
		l.clause = " reassoc"
	}
	return l
}

// sums reports whether the loop reduces to s.
func (op *operation) sums() bool {
	return strings.HasPrefix(op.lines, "s ") || strings.Contains(op.lines, "{ s")
}

// mentions reports whether code has the variable.
func mentions(code, name string) bool {
	return slices.Contains(strings.FieldsFunc(code, func(r rune) bool { return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9') }), name)
}
