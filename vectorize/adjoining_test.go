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

// An adjoiningGenerator writes nests whose rows follow each other in memory, nearly all
// of them: up or down, by a counter of their own, with checks of whole rows, with an
// unknown distance of rows, with accesses that do not go on from row to row.
type adjoiningGenerator struct {
	*rand.Rand
	sb      strings.Builder
	counter bool // k goes up by one in every iteration of the inner loop
	down    bool // rows, and what is in them
	elem    string
	size    int
}

func (g *adjoiningGenerator) line(format string, args ...any) {
	fmt.Fprintf(&g.sb, format+"\n", args...)
}

func (g *adjoiningGenerator) one(choices ...string) string { return choices[g.IntN(len(choices))] }

func (g *adjoiningGenerator) text() string {
	g.elem = g.one("i32", "i32", "i8")
	g.size = map[string]int{"i32": 4, "i8": 1}[g.elem]
	g.counter, g.down = g.IntN(4) == 0, g.IntN(5) == 0
	sum := g.IntN(3) == 0
	p := func(name string) string {
		return fmt.Sprintf("%%%s ptr {elem %d, len %%%s_len}, %%%s_len i64", name, g.size, name, name)
	}
	params := []string{p("x"), p("y"), p("z"), "%n i64", "%m i64", "%step i64", "%t " + g.elem, "%i0 i64"}
	types, values := []string{"i64"}, []string{"%i"}
	state := func(name, typ string) {
		params, types, values = append(params, fmt.Sprintf("%%%s0 %s", name, typ)), append(types, typ), append(values, "%"+name)
	}
	if g.counter {
		state("k", "i64")
	}
	if sum {
		state("s", g.elem)
	}
	g.line("func @nest(%s) (%s) {\nentry:\n\tjmp header\nheader:", strings.Join(params, ", "), strings.Join(types, ", "))
	g.line("\t%%i = phi i64 [%%i0, entry], [%%i1, latch]")
	if g.counter {
		g.line("\t%%k = phi i64 [%%k0, entry], [%%kk, latch]")
	}
	if sum {
		g.line("\t%%s = phi %s [%%s0, entry], [%%acc, latch]", g.elem)
	}
	g.line("\t%%c = icmp.slt bool %%i, %s\n\tbr %%c, body, exit\nbody:\n\titer", g.one("%m", "%z_len", "%x_len"))
	step := g.rows()
	g.row(sum)
	g.line("done:\n\tjmp latch\nlatch:\n\t%%i1 = add i64 %%i, %s\n\tjmp header\nexit:\n\tret %s\n}", step, strings.Join(values, ", "))
	return g.sb.String()
}

// rows writes where a row begins, and its length: %base and %w. It gives what counts rows.
func (g *adjoiningGenerator) rows() (step string) {
	g.line("\t%%zero = const i64 0\n\t%%one = const i64 1\n\t%%five = const i64 5\n\t%%minus = const i64 -1")
	g.line("\t%%few = const i64 %d", []int{3, 7, 15, 31}[g.IntN(4)])
	step = "%one"
	switch {
	case !g.down && g.IntN(3) == 0:
		g.line("\t%%w = const i64 %d\n\t%%base = mul i64 %%i, %%one", 2+g.IntN(20))
		step = "%w"
	default:
		g.line("\t%%w = %s", g.one("add i64 %n, %zero", "add i64 %step, %five", "add i64 %step, %five", "add i64 %step, %five", "const i64 3", "const i64 9", "const i64 21", "add i64 %one, %one"))
		width := "%w"
		if g.IntN(4) == 0 {
			width = "%apart"
			g.line("\t%%twice = add i64 %%step, %%step\n\t%%apart = add i64 %%twice, %s", g.one("%five", "%few"))
		}
		g.line("\t%%base0 = mul i64 %%i, %s", width)
		if g.down {
			g.line("\t%%base = sub i64 %%y_len, %%base0")
		} else {
			g.line("\t%%base = add i64 %%base0, %%zero")
		}
	}
	g.line("\t%%off = const i64 %d\n\t%%at = add i64 %%base, %%off", g.IntN(7)-2)
	if g.IntN(3) == 0 { // the slice of a row
		g.line("\t%%end = add i64 %%base, %%w\n\t%%y_len1 = add i64 %%y_len, %%one\n\tcheck.index %%end, %%y_len1")
		g.line("\t%%end1 = add i64 %%end, %%one\n\tcheck.index %%base, %%end1")
	}
	return step
}

// row writes the inner loop.
func (g *adjoiningGenerator) row(sum bool) {
	first, cond, next := "%zero", g.one("icmp.slt bool %j, %w", "icmp.slt bool %w2, %j", "icmp.ne bool %j, %w"), "%one"
	if cond == "icmp.slt bool %w2, %j" {
		cond = "icmp.slt bool %j, %w"
		if g.IntN(2) == 0 { // from where the row begins
			first = "%base"
			g.line("\t%%wend = add i64 %%base, %%w\n\t%%at2 = const i64 %d", g.IntN(3))
			cond = "icmp.slt bool %j, %wend"
		}
	}
	if g.down {
		first, cond, next = "%w", "icmp.slt bool %zero, %j", "%minus"
	}
	start := "%at"
	if first == "%base" {
		start = "%at2"
	}
	g.line("\tjmp head\nhead:\n\t%%j = phi i64 [%s, body], [%%j1, last]", first)
	if g.counter {
		g.line("\t%%kk = phi i64 [%%k, body], [%%kk1, last]")
	}
	if sum {
		g.line("\t%%acc = phi %s [%%s, body], [%%acc1, last]", g.elem)
	}
	g.line("\t%%d = %s\n\tbr %%d, inner, done\ninner:", cond)
	if g.IntN(4) == 0 {
		g.line("\tcheck.index %s, %s", g.one("%i", "%j"), g.one("%z_len", "%few"))
	}
	for _, name := range []string{"a", "b"} {
		g.index(name+"i", start)
		of := g.one("x", "y")
		g.line("\tcheck.index %%%si, %%%s_len\n\t%%%s = load %s [%%%s + %%%si*%d]", name, of, name, g.elem, of, name, g.size)
	}
	g.line("\t%%v0 = add %s %%a, %%b\n\t%%v = xor %s %%v0, %%t", g.elem, g.elem)
	if sum {
		g.line("\t%%jt = trunc %s %%j\n\t%%acc1 = %s %s %%acc, %s", g.elem, g.one("add", "xor"), g.elem, g.one("%v", "%v", "%v", "%jt"))
	}
	g.index("to", start)
	store := fmt.Sprintf("\tcheck.index %%to, %%x_len\n\tstore %s %%v, [%%x + %%to*%d]", g.elem, g.size)
	if g.IntN(5) == 0 {
		g.line("\t%%q = icmp.slt bool %%v0, %%t\n\tbr %%q, some, last\nsome:\n%s\n\tjmp last\nlast:", store)
	} else {
		g.line("%s\n\tjmp last\nlast:", store)
	}
	if g.counter {
		g.line("\t%%kk1 = add i64 %%kk, %%one")
	}
	g.line("\t%%j1 = add i64 %%j, %s\n\tjmp head", next)
}

// index writes where the row is accessed, counted from start.
func (g *adjoiningGenerator) index(name, start string) {
	switch k := g.IntN(14); {
	case g.counter && k < 7:
		g.line("\t%%%s = add i64 %%kk, %s", name, g.one("%zero", "%off", "%w"))
	case k == 0: // does not go on
		g.line("\t%%%s = add i64 %%j, %%off", name)
	case k < 3:
		g.line("\t%%%s0 = add i64 %s, %s\n\t%%%s = add i64 %%%s0, %%j", name, start, g.one("%w", "%one", "%few"), name, name)
	default:
		g.line("\t%%%s = add i64 %s, %%j", name, start)
	}
}

// TestRandomAdjoining compares kernels that do rows as one with the scalar nest.
func TestRandomAdjoining(t *testing.T) {
	why := make(map[string]int)
	adjoining, fails := 0, 0
	var total vectest.Stats
	zero := int64(0)
	for i := 0; i < *loops && fails < 3; i++ {
		g := &adjoiningGenerator{Rand: rand.New(rand.NewPCG(*seed, uint64(i)))}
		text := g.text()
		r, err := vectest.Region(text, plan.Clauses{})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		r.State[0].Init = &zero
		k, remark := Rows(r, plan.Clauses{}, target.AVX2(), Options{Verify: true, Brief: i%3 == 1})
		if k == nil {
			why[remark.Msg]++
			if remark.Broken() {
				t.Errorf("nest %d: %s\n%s\n%v", i, remark, text, remark.Args["ir"])
				fails++
			}
			continue
		}
		if !k.Adjoining {
			continue
		}
		adjoining++
		s, err := vectest.Compare(r, k, uint64(i), 16, 300)
		if err != nil {
			t.Errorf("nest %d: %v\n%s\n%s", i, err, text, k.Fn)
			fails++
		}
		total.Add(s)
	}
	t.Logf("%d with rows as one, refused %v, %+v", adjoining, why, total)
	if adjoining < *loops/3 || total.Vector < int64(3**loops) || total.Panics == 0 {
		t.Error("too few rows are done as one")
	}
}
