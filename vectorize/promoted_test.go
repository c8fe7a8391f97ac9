package vectorize

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/vectorize/vectest"
	"github.com/lanewise/lanewise/vir/plan"
)

// A promotedGenerator writes loops whose iterations load and store elements that stay
// the same: with and without conditions, one or two of them, read by what is stored
// elsewhere, in memory that other accesses may walk over.
type promotedGenerator struct {
	*rand.Rand
	sb   strings.Builder
	elem string
	size int
	next int
}

func (g *promotedGenerator) line(format string, args ...any) {
	fmt.Fprintf(&g.sb, format+"\n", args...)
}

func (g *promotedGenerator) one(choices ...string) string { return choices[g.IntN(len(choices))] }

func (g *promotedGenerator) name() string {
	g.next++
	return fmt.Sprintf("%%v%d", g.next)
}

func (g *promotedGenerator) text() string {
	g.elem = g.one("i32", "i32", "i8", "i64", "f32")
	g.size = map[string]int{"i32": 4, "i8": 1, "i64": 8, "f32": 4}[g.elem]
	p := func(name string) string {
		return fmt.Sprintf("%%%s ptr {elem %d, len %%%s_len}, %%%s_len i64", name, g.size, name, name)
	}
	g.line("func @loop(%s, %%p ptr {elem %d, len 4}, %%k i64, %%n i64, %%t %s, %%i0 i64) (i64) {", strings.Join([]string{p("x"), p("y"), p("a")}, ", "), g.size, g.elem)
	g.line("entry:\n\tjmp header\nheader:\n\t%%i = phi i64 [%%i0, entry], [%%i1, latch]")
	g.line("\t%%c = icmp.slt bool %%i, %s\n\tbr %%c, body, exit\nbody:\n\titer\n\t%%one = const i64 1\n\t%%two = const i64 2", g.one("%n", "%x_len"))
	v := g.load(g.one("x", "y"), "%i")
	for range 1 + g.IntN(2) {
		if g.IntN(3) == 0 {
			v = g.along(v)
		} else {
			v = g.update(v)
		}
	}
	if g.IntN(2) == 0 {
		g.store("x", "%i", v)
	}
	g.line("\tjmp latch\nlatch:\n\t%%i1 = add i64 %%i, %%one\n\tjmp header\nexit:\n\tret %%i\n}")
	return g.sb.String()
}

func (g *promotedGenerator) load(of, at string) string {
	v := g.name()
	if of != "p" {
		g.line("\tcheck.index %s, %%%s_len", at, of)
	}
	g.line("\t%s = load %s [%%%s + %s*%d]", v, g.elem, of, at, g.size)
	return v
}

func (g *promotedGenerator) store(of, at, v string) {
	if of != "p" {
		g.line("\tcheck.index %s, %%%s_len", at, of)
	}
	g.line("\tstore %s %s, [%%%s + %s*%d]", g.elem, v, of, at, g.size)
}

// update changes an element that stays the same, and gives what may be stored elsewhere.
func (g *promotedGenerator) update(v string) string {
	of, at := g.one("p", "p", "a", "a", "x"), g.one("%one", "%two", "%k", "%k")
	if of == "p" {
		at = g.one("%one", "%two")
	}
	joined := ""
	if g.IntN(3) == 0 {
		g.next++
		cond := fmt.Sprintf("icmp.slt bool %s, %%t", v)
		if g.elem == "f32" {
			cond = fmt.Sprintf("fcmp.lt bool %s, %%t", v)
		}
		g.line("\t%%q%d = %s\n\tbr %%q%[1]d, some%[1]d, join%[1]d\nsome%[1]d:", g.next, cond)
		joined = fmt.Sprint(g.next)
	}
	read := g.IntN(4) > 0
	now := v
	if read {
		old := g.load(of, at)
		now = g.name()
		op := g.one("add", "add", "xor", "smax", "sub")
		if g.elem == "f32" {
			op = "fsub" // which of two NaNs comes out of a sum is nobody's promise
		}
		g.line("\t%s = %s %s %s, %s", now, op, g.elem, old, v)
	}
	g.store(of, at, now)
	if joined != "" {
		g.line("\tjmp join%s\njoin%[1]s:", joined)
		return v
	}
	return g.one(v, now)
}

// along makes an element of the one that the iteration before has made.
func (g *promotedGenerator) along(v string) string {
	of, near := g.one("x", "y", "a"), g.name()
	from, to := near, "%i"
	g.line("\t%s = %s i64 %%i, %%one", near, g.one("sub", "sub", "add"))
	if g.IntN(4) == 0 {
		from, to = to, from
	}
	old, now := g.load(of, from), g.name()
	op := g.one("add", "xor", "smax", "sub")
	if g.elem == "f32" {
		op = "fmax"
	}
	g.line("\t%s = %s %s %s, %s", now, op, g.elem, old, v)
	g.store(of, to, now)
	if g.IntN(4) == 0 { // perhaps once more
		g.next++
		join := g.next
		g.line("\t%%q%d = icmp.slt bool %%i, %%k\n\tbr %%q%[1]d, some%[1]d, join%[1]d\nsome%[1]d:", join)
		g.store(of, to, v)
		g.line("\tjmp join%d\njoin%[1]d:", join)
	}
	return g.one(v, now)
}

// TestRandomPromoted compares kernels that keep elements in registers with the loops.
func TestRandomPromoted(t *testing.T) {
	promoted, fails := 0, 0
	why := make(map[string]int)
	var total vectest.Stats
	for i := 0; i < 2**loops && fails < 3; i++ {
		g := &promotedGenerator{Rand: rand.New(rand.NewPCG(*seed, uint64(i)))}
		text := g.text()
		r, err := vectest.Region(text, plan.Clauses{})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		k, remarks := Run(r, target.AVX2(), Options{Verify: true, Brief: i%3 == 1})
		if k == nil {
			last := remarks[len(remarks)-1]
			why[last.ID]++
			if last.Broken() {
				t.Errorf("loop %d: %s\n%s\n%v", i, last, text, last.Args["ir"])
				fails++
			}
			continue
		}
		if !slices.ContainsFunc(remarks, func(r diag.Remark) bool { return r.ID == "promote:Register" }) {
			continue
		}
		promoted++
		s, err := vectest.Compare(r, k, uint64(i), 20, 200)
		if err != nil {
			t.Errorf("loop %d: %v\n%s\n%s", i, err, text, k.Fn)
			fails++
		}
		total.Add(s)
	}
	t.Logf("%d with elements in registers, refused %v, %+v", promoted, why, total)
	if promoted < *loops/3 || total.Vector < int64(10**loops) || total.Panics == 0 {
		t.Error("too few elements are kept in registers")
	}
}
