package vectorize

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/vectorize/vectest"
	"github.com/lanewise/lanewise/vir/plan"
)

// A memoryGenerator writes code that works on elements in memory: an array and two slices
// that may lie in each other, at constant subscripts, at such that are known before the
// code, and at counters, with branches and loops of few rounds.
type memoryGenerator struct {
	*rand.Rand
	sb    strings.Builder
	next  int
	block string   // the current one
	pool  []string // values of the element type
	index []string // subscripts of t and u
	inner []string // counters of loops inside
	bases []string
	elem  string
	size  int
}

func (g *memoryGenerator) line(format string, args ...any) {
	fmt.Fprintf(&g.sb, format+"\n", args...)
}

func (g *memoryGenerator) one(choices ...string) string { return choices[g.IntN(len(choices))] }

func (g *memoryGenerator) name() string {
	g.next++
	return fmt.Sprintf("%%v%d", g.next)
}

func (g *memoryGenerator) label(name string) {
	g.line("%s:", name)
	g.block = name
}

func (g *memoryGenerator) text() string {
	g.elem = g.one("i32", "i32", "f32", "i64", "i8")
	g.size = map[string]int{"i32": 4, "f32": 4, "i64": 8, "i8": 1}[g.elem]
	g.line("func @code(%%s ptr {elem %d, len 8}, %%t ptr {elem %[1]d, len %%t_len}, %%t_len i64, %%u ptr {elem %[1]d, len %%u_len}, %%u_len i64, %%a %s, %%k i64, %%i0 i64) (i64) {", g.size, g.elem)
	g.line("entry:\n\tjmp header\nheader:\n\t%%i = phi i64 [%%i0, entry], [%%i1, latch]")
	g.line("\t%%c = icmp.slt bool %%i, %%t_len\n\tbr %%c, body, exit")
	g.label("body")
	g.line("\titer")
	for i := range 8 {
		g.line("\t%%k%d = const i64 %[1]d", i)
	}
	g.pool, g.index = []string{"%a"}, []string{"%i", "%k", "%k0", "%k1", "%k2", "%k3"}
	if g.IntN(3) > 0 {
		g.index = g.index[2:]
	}
	g.bases = [][]string{{"s"}, {"t"}, {"s", "s", "t"}, {"t", "u"}, {"s", "t", "u"}}[g.IntN(5)]
	g.statements(3+g.IntN(6), 2)
	g.line("\tjmp latch\nlatch:\n\t%%i1 = add i64 %%i, %%k1\n\tjmp header\nexit:\n\tret %%i\n}")
	return g.sb.String()
}

func (g *memoryGenerator) statements(n, depth int) {
	for range n {
		switch k := g.IntN(10); {
		case k == 0 && depth > 0:
			g.branch(depth - 1)
		case k == 1 && depth > 0:
			g.loop(depth - 1)
		case k == 2:
			g.lanes()
		case k < 6:
			g.access(false)
		default:
			g.access(true)
		}
	}
}

// access loads or stores an element.
func (g *memoryGenerator) access(store bool) {
	of := g.one(g.bases...)
	at := g.one(g.index...)
	if of == "s" {
		at = fmt.Sprintf("%%k%d", g.IntN(4))
		if len(g.inner) > 0 && g.IntN(4) == 0 {
			at = g.one(g.inner...)
		}
	} else {
		if g.IntN(4) == 0 {
			sum := g.name()
			g.line("\t%s = add i64 %s, %%k%d", sum, at, g.IntN(4))
			at = sum
		}
		g.line("\tcheck.index %s, %%%s_len", at, of)
	}
	place := fmt.Sprintf("[%%%s + %s*%d]", of, at, g.size)
	if store {
		g.line("\tstore %s %s, %s", g.elem, g.value(), place)
		return
	}
	v := g.name()
	g.line("\t%s = load %s %s", v, g.elem, place)
	g.pool = append(g.pool, v)
}

// lanes does the same with elements side by side.
func (g *memoryGenerator) lanes() {
	from, to := g.one(g.bases...), g.one(g.bases...)
	op := g.one("add", "xor", "sub")
	if g.elem == "f32" {
		op = "fsub"
	}
	first, n, clamp := g.IntN(3), 2+2*g.IntN(2), g.IntN(3) == 0
	y := g.one(g.pool...)
	for k := range n {
		x, z := g.name(), g.name()
		for _, of := range []string{from, to} {
			if of != "s" {
				g.line("\tcheck.index %%k%d, %%%s_len", first+k, of)
			}
		}
		g.line("\t%s = load %s [%%%s + %%k%d*%d]", x, g.elem, from, first+k, g.size)
		g.line("\t%s = %s %s %s, %s", z, op, g.elem, x, y)
		if clamp {
			z = g.clamp(z, y)
		}
		g.line("\tstore %s %s, [%%%s + %%k%d*%d]", g.elem, z, to, first+k, g.size)
	}
}

// clamp is v, or y where that is more, by a branch.
func (g *memoryGenerator) clamp(v, y string) string {
	g.next++
	id, out := g.next, g.name()
	cmp := "icmp.slt"
	if g.elem == "f32" {
		cmp = "fcmp.lt"
	}
	from := g.block
	g.line("\t%%q%d = %s bool %s, %s\n\tbr %%q%[1]d, c%[1]d, m%[1]d", id, cmp, v, y)
	g.label(fmt.Sprintf("c%d", id))
	g.line("\tjmp m%d", id)
	g.label(fmt.Sprintf("m%d", id))
	g.line("\t%s = phi %s [%s, %s], [%s, c%d]", out, g.elem, v, from, y, id)
	return out
}

// value computes something of the last values.
func (g *memoryGenerator) value() string {
	recent := g.pool[max(0, len(g.pool)-4):]
	x, y, v := g.one(recent...), g.one(recent...), g.name()
	op := g.one("add", "xor", "sub")
	if g.elem == "f32" {
		op = "fsub"
	}
	g.line("\t%s = %s %s %s, %s", v, op, g.elem, x, y)
	g.pool = append(g.pool, v)
	return v
}

func (g *memoryGenerator) branch(depth int) {
	g.next++
	id, pool := g.next, slices.Clone(g.pool)
	cond := fmt.Sprintf("icmp.slt bool %s, %%a", g.one(pool...))
	if g.elem == "f32" {
		cond = fmt.Sprintf("fcmp.lt bool %s, %%a", g.one(pool...))
	}
	if g.IntN(4) == 0 {
		cond = "icmp.slt bool %k3, %k"
	}
	other := g.one("join", "else")
	g.line("\t%%q%d = %s\n\tbr %%q%[1]d, then%[1]d, %[3]s%[1]d", id, cond, other)
	g.label(fmt.Sprintf("then%d", id))
	g.statements(1+g.IntN(3), depth)
	g.line("\tjmp join%d", id)
	g.pool = pool
	if other == "else" {
		g.label(fmt.Sprintf("else%d", id))
		g.statements(1+g.IntN(2), depth)
		g.line("\tjmp join%d", id)
		g.pool = pool
	}
	g.label(fmt.Sprintf("join%d", id))
}

func (g *memoryGenerator) loop(depth int) {
	g.next++
	id, pool, index, inner := g.next, slices.Clone(g.pool), slices.Clone(g.index), slices.Clone(g.inner)
	g.line("\tjmp h%d", id)
	from := g.block
	g.label(fmt.Sprintf("h%d", id))
	g.line("\t%%j%d = phi i64 [%%k0, %s], [%%j%[1]dn, l%[1]d]", id, from)
	g.line("\t%%jc%d = icmp.slt bool %%j%[1]d, %%k%[2]d\n\tbr %%jc%[1]d, b%[1]d, x%[1]d", id, g.IntN(5))
	g.label(fmt.Sprintf("b%d", id))
	g.inner = append(inner, fmt.Sprintf("%%j%d", id))
	if g.IntN(3) == 0 {
		g.index = append(index, fmt.Sprintf("%%j%d", id))
	}
	g.statements(1+g.IntN(4), depth)
	g.line("\tjmp l%d", id)
	g.label(fmt.Sprintf("l%d", id))
	g.line("\t%%j%dn = add i64 %%j%[1]d, %%k1\n\tjmp h%[1]d", id)
	g.pool, g.index, g.inner = pool, index, inner
	g.label(fmt.Sprintf("x%d", id))
}

// TestRandomMemory compares kernels of such code, in loops and by itself, with the code.
func TestRandomMemory(t *testing.T) {
	s := &straightStats{refused: make(map[string]int)}
	for i := 0; i < 3**loops && !t.Failed(); i++ {
		g := &memoryGenerator{Rand: rand.New(rand.NewPCG(*seed, uint64(i)))}
		text := g.text()
		r, err := vectest.Region(text, plan.Clauses{Force: true})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		r.Once = i%2 == 0
		s.compare(t, fmt.Sprintf("code %d", i), r, uint64(i), 15, 12)
	}
	t.Logf("%d kernels, %v, refused %v, %+v", s.kernels, s.notes, s.refused, s.total)
	if *loops >= enough && (s.kernels < *loops || s.notes["forward:Registers"] < *loops/2 || s.notes["slp:Overlap"] == 0 || s.notes["slp:Tree"] == 0 || s.total.Panics == 0) {
		t.Error("too little was tried")
	}
}
