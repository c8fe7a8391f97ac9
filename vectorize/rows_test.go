package vectorize

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vectorize/vectest"
	"github.com/lanewise/lanewise/vir/plan"
)

// A rowsGenerator writes loops around loops over rows: rows of one length or of
// lengths that change, up and down, at steps, sums, values before and behind the row.
type rowsGenerator struct {
	*rand.Rand
	sb strings.Builder
}

func (g *rowsGenerator) line(format string, args ...any) {
	fmt.Fprintf(&g.sb, format+"\n", args...)
}

func (g *rowsGenerator) one(choices ...string) string { return choices[g.IntN(len(choices))] }

// text is a random nest. z is written behind rows, x in rows, y is read.
func (g *rowsGenerator) text() string {
	elem := g.one("i32", "i32", "i8")
	size := map[string]int{"i32": 4, "i8": 1}[elem]
	sum, stores := g.IntN(2) == 0, g.IntN(4) > 0
	state := g.IntN(3) == 0
	p := func(name string) string {
		return fmt.Sprintf("%%%s ptr {elem %d, len %%%s_len}, %%%s_len i64", name, size, name, name)
	}
	params, results, values := strings.Join([]string{p("x"), p("y"), p("z"), "%n i64", "%m i64", "%i0 i64"}, ", "), "i64", "%i"
	if state {
		params, results, values = params+", %s0 "+elem, "i64, "+elem, "%i, %s"
	}
	g.line("func @nest(%s) (%s) {\nentry:\n\tjmp header\nheader:", params, results)
	g.line("\t%%i = phi i64 [%%i0, entry], [%%i1, latch]")
	if state {
		g.line("\t%%s = phi %s [%%s0, entry], [%%s1, latch]", elem)
	}
	g.line("\t%%c = icmp.slt bool %%i, %s\n\tbr %%c, body, exit\nbody:\n\titer", g.one("%m", "%z_len", "%m"))
	if g.IntN(2) == 0 {
		g.line("\tcheck.index %%i, %%y_len")
		g.line("\t%%t = load %s [%%y + %%i*%d]", elem, size)
	} else {
		g.line("\t%%t = const %s 3", elem)
	}
	g.width()
	g.line("\t%%base = %s", g.one("mul i64 %i, %w", "mul i64 %i, %w", "mul i64 %i, %n", "shl i64 %i, %one"))
	g.line("\t%%off = const i64 %d\n\t%%at = add i64 %%base, %%off", g.IntN(7)-2)
	down := g.IntN(5) == 0
	first, cond, next := "%zero", g.one("icmp.slt bool %j, %w", "icmp.slt bool %j, %w", "icmp.sle bool %j, %w", "icmp.ne bool %j, %w", "icmp.ult bool %j, %w"), g.one("%one", "%one", "%one", "%two")
	if down {
		first, cond, next = "%w", g.one("icmp.slt bool %zero, %j", "icmp.sle bool %zero, %j"), "%minus"
	}
	g.line("\tjmp head\nhead:\n\t%%j = phi i64 [%s, body], [%%j1, inner]", first)
	if sum {
		g.line("\t%%acc = phi %s [%%t, body], [%%acc1, inner]", elem)
	}
	g.line("\t%%d = %s\n\tbr %%d, inner, done\ninner:", cond)
	g.access("a", elem, g.one("x", "y"), size)
	g.access("b", elem, g.one("x", "y"), size)
	g.line("\t%%v0 = add %s %%a, %%b\n\t%%v = add %s %%v0, %%t", elem, elem)
	if sum {
		g.line("\t%%acc1 = add %s %%acc, %%v", elem)
	}
	if stores {
		g.index("to", "x")
		g.line("\tstore %s %%v, [%%x + %%to*%d]", elem, size)
	}
	g.line("\t%%j1 = add i64 %%j, %s\n\tjmp head\ndone:", next)
	value := "%t"
	if sum {
		value = "%acc"
	}
	if g.IntN(2) == 0 {
		g.line("\tcheck.index %%i, %%z_len\n\tstore %s %s, [%%z + %%i*%d]", elem, value, size)
	}
	if state {
		g.line("\t%%s1 = %s %s %%s, %s", g.one("add", "xor"), elem, value)
	}
	g.line("\tjmp latch\nlatch:\n\t%%i1 = add i64 %%i, %%one\n\tjmp header\nexit:\n\tret %s\n}", values)
	return g.sb.String()
}

// width chooses the length of the row.
func (g *rowsGenerator) width() {
	g.line("\t%%zero = const i64 0\n\t%%one = const i64 1\n\t%%two = const i64 2\n\t%%minus = const i64 -1")
	g.line("\t%%few = const i64 %d", []int{3, 7, 15, 31}[g.IntN(4)])
	g.line("\t%%w = %s", g.one("and i64 %n, %few", "and i64 %n, %few", "and i64 %i, %few", "const i64 9", "const i64 21", "add i64 %n, %one", "sub i64 %few, %i"))
}

// index computes where the row is accessed, with its check.
func (g *rowsGenerator) index(name, of string) {
	switch g.IntN(4) {
	case 0:
		g.line("\t%%%s0 = add i64 %%j, %%off\n\t%%%s = add i64 %%%s0, %s", name, name, name, g.one("%zero", "%i", "%w"))
	default:
		g.line("\t%%%s = add i64 %%at, %%j", name)
	}
	g.line("\tcheck.index %%%s, %%%s_len", name, of)
}

func (g *rowsGenerator) access(name, elem, of string, size int) {
	g.index(name+"i", of)
	g.line("\t%%%s = load %s [%%%s + %%%si*%d]", name, elem, of, name, size)
}

// TestRandomRows compares kernels that do many rows with the scalar nest.
func TestRandomRows(t *testing.T) {
	why := make(map[string]int)
	vectorized, fails := 0, 0
	var total vectest.Stats
	for i := 0; i < *loops && fails < 3; i++ {
		g := &rowsGenerator{Rand: rand.New(rand.NewPCG(*seed, uint64(i)))}
		text := g.text()
		r, err := vectest.Region(text, plan.Clauses{})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		k, remark := Rows(r, plan.Clauses{}, target.AVX2(), Options{Verify: true, Brief: i%3 == 1})
		if k == nil {
			why[remark.Msg]++
			if remark.Broken() {
				t.Errorf("nest %d: %s\n%s\n%v", i, remark, text, remark.Args["ir"])
				fails++
			}
			continue
		}
		vectorized++
		s, err := vectest.Compare(r, k, uint64(i), 40, 300)
		if err != nil {
			t.Errorf("nest %d: %v\n%s\n%s", i, err, text, k.Fn)
			fails++
		}
		total.Add(s)
	}
	t.Logf("%d vectorized, refused %v, %+v", vectorized, why, total)
	if vectorized < *loops*2/3 || total.Vector < int64(10**loops) || total.Panics == 0 {
		t.Error("too few rows are done in kernels")
	}
}
