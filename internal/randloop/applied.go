package randloop

import (
	"fmt"
	"strings"
)

// appliedSayings call functions with functions, and methods and generic functions with loops in them, those of package slices too.
var appliedSayings = []saying{{"applied", false, applying}, {"slices", false, ofSlices}}

func ofSlices(d *idiom) string {
	d.types = strings.NewReplacer("#", fmt.Sprint(d.n), "T", d.main).Replace("type list# []T\n\n")
	d.params = append(d.params, fmt.Sprintf("x, y []%s, w []int32, z list%d, k %[1]s, n int", d.main, d.n))
	d.results = append(d.results, "s "+d.main, "c int")
	var lines []string
	for _, l := range []string{
		"s += slices.Max(x)", "s -= slices.Min(z)", "c += slices.Index(y, k)", "if slices.Contains(z, s) {\n\t\tc++\n\t}", "if slices.Equal(x, y) {\n\t\tc ^= 5\n\t}",
		"slices.Reverse(x)", "slices.Reverse(z[min(len(z), n&15):])", "x = slices.Compact(x)", "z = slices.DeleteFunc(z, func(v T) bool { return v OP k > 5 })",
		"w = slices.CompactFunc(w, func(a, b int32) bool { return a>>1 == b>>1 })", "c += slices.IndexFunc(w, func(v int32) bool { return int(v) OP n == 3 })",
		"if slices.ContainsFunc(y, func(v T) bool { return v > k && v != s }) {\n\t\tc += 7\n\t}", "if slices.IsSorted(y) {\n\t\ts++\n\t}",
		"if slices.EqualFunc(x, w, func(a T, b int32) bool { return a == T(b) }) {\n\t\tc--\n\t}", "if slices.IsSortedFunc(w, func(a, b int32) int { return int(a&63) - int(b&63) }) {\n\t\tc--\n\t}",
		"y = slices.Repeat(y[:min(len(y), 4)], n&3)", "for i := range min(len(x), len(y)) {\n\t\tif y[i] != 0 {\n\t\t\ty[i] = slices.Max(x[:i+1])\n\t\t}\n\t}",
	} {
		if d.chance(0.2) {
			lines = append(lines, l)
		}
	}
	lines = append(lines, "for i := range y {\n\t\ty[i] = y[i] OP k\n\t}\n\tc ^= len(x) + 8*len(z) + 64*len(w)")
	return "\t" + strings.NewReplacer("T", d.main, "OP", d.op()).Replace(strings.Join(lines, "\n\t")) + "\n"
}

func applying(d *idiom) string {
	d.types = strings.NewReplacer("#", fmt.Sprint(d.n), "T", d.main, "OP", d.op(), "VALUE", pick(d.generator, "f(v)", "f(f(v))")).Replace(`type row# struct {
	at int
	data []T
}

func each#[S ~[]E, E any](x S, f func(E) E) {
	for i, v := range x {
		x[i] = VALUE
	}
}

func zip#[E, F any](dst []E, x []E, y []F, g func(E, F) E) {
	for p := range min(len(dst), len(x), len(y)) {
		dst[p] = g(x[p], y[p])
	}
}

func fold#[E, A any](x []E, a A, f func(A, E) A) A {
	for _, v := range x {
		a = f(a, v)
	}
	return a
}

func find#[E any](x []E, ok func(E) bool) int {
	for i, v := range x {
		if ok(v) {
			return i
		}
	}
	return -1
}

func both#(x []T, f func(T) T) {
	each#(x, f)
	each#(x[len(x)/3:], f)
}

func (r *row#) add(o []T) {
	for i, v := range o {
		r.data[i+r.at&3] += v
	}
}

func (r row#) apply(f func(int, T) T) {
	for q, v := range r.data {
		r.data[q] = f(q, v)
	}
}

func up#(v T) T { return v OP 3 }

func walk#(x []T, f func([]T)) {
	for len(x) > 0 {
		n := 0
		for n < len(x) && x[n] > 2 {
			n++
		}
		f(x[:n])
		x = x[min(n+1, len(x)):]
	}
}

func shift#(x []T, up# T, f func(T) T) {
	for i := range x {
		x[i] += up#
	}
	for i, v := range x {
		x[i] = f(v)
	}
}

var kept# []func(T) T

func keep#(x []T, f func(T) T) {
	kept# = append(kept#[:0], f)
	for i, v := range x {
		x[i] = f(v) + 1
	}
}

`)
	d.params = append(d.params, fmt.Sprintf("x, y []%s, w []int32, r *row%d, k %[1]s, n int", d.main, d.n))
	d.results = append(d.results, "s "+d.main, "c int")
	var lines []string
	for _, l := range []string{
		"each#(x, func(t T) T { return t OP k })", "each#(y, up#)", "zip#(x, x, y, func(a, b T) T { return a OP b + k })", "zip#[T](y, x, w, func(a T, b int32) T { return a + T(b&7) })",
		"s += fold#(x, k, func(a, b T) T { return max(a, b) })", "c += fold#(w, 0, func(a int, b int32) int { return a + int(b)*n })",
		"c -= find#(y, func(t T) bool { return t > k })", "c ^= find#(w, func(t int32) bool { return int(t) == n })", "both#(x, func(t T) T { return t + k })", "both#(y, up#)",
		"r.add(x)", "r.apply(func(q int, t T) T { return t + T(q)*k })", "for range 2 {\n\t\teach#(y, func(t T) T { return t OP s })\n\t}", "each#(x, func(t T) T { c++; return t + 1 })",
		"f := func(t T) T { return t OP k }\n\teach#(x, f)", "h := n & 7\n\tr.apply(func(q int, t T) T { return t + T(q>>h) })",
		"walk#(x, func(p []T) { c += len(p) })", "walk#(y, func(p []T) {\n\t\tfor _, v := range p {\n\t\t\ts += v\n\t\t}\n\t})", "shift#(x, k, func(v T) T { s = max(s, v); return s })",
		"shift#(y, k, up#)", "shift#(y, 2, func(v T) T { return up#(v) })", "shift#(x, 1, func(v T) T { return v OP k })", "g := k\n\tkeep#(x, func(t T) T { return t + g })\n\tg++\n\ts += kept#[0](g)",
	} {
		if d.chance(0.2) {
			lines = append(lines, l)
		}
	}
	if lines == nil {
		lines = []string{"each#(x, func(t T) T { return t OP k })"}
	}
	lines = append(lines, "for i := range y {\n\t\ty[i] = y[i] OP k\n\t}")
	body := strings.NewReplacer("#", fmt.Sprint(d.n), "T", d.main, "OP", d.op()).Replace(strings.Join(lines, "\n\t"))
	return "\t" + body + "\n"
}
