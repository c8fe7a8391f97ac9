package slp

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/parse"
	"github.com/lanewise/lanewise/vir/verify"
)

var (
	seed  = flag.Uint64("seed", 1, "of random functions")
	funcs = flag.Int("funcs", 180, "random functions")
)

// A generator writes straight-line functions and loops full of groups of nearly equal
// work: the same expression for several lanes, with operands in other places, other
// operations here and there, lanes that are used by others, stores in any order.
type generator struct {
	*rand.Rand
	sb    strings.Builder
	elem  string
	size  int
	names int
	lanes int
	ptrs  int
}

func (g *generator) line(format string, args ...any) { fmt.Fprintf(&g.sb, "\t"+format+"\n", args...) }

func (g *generator) value(format string, args ...any) string {
	g.names++
	name := fmt.Sprintf("%%v%d", g.names)
	g.line("%s = "+format, append([]any{name}, args...)...)
	return name
}

func (g *generator) one(choices ...string) string { return choices[g.IntN(len(choices))] }

func (g *generator) text() string {
	g.elem = g.one("i32", "i32", "f32", "f64", "i64", "i8", "i16")
	g.size = map[string]int{"i8": 1, "i16": 2, "i32": 4, "f32": 4, "i64": 8, "f64": 8}[g.elem]
	g.lanes = []int{2, 3, 4, 4, 4, 8}[g.IntN(6)]
	g.ptrs = 1 + g.IntN(3)
	fmt.Fprintf(&g.sb, "func @f(")
	for p := range g.ptrs {
		fmt.Fprintf(&g.sb, "%%p%d ptr {elem %d%s}, ", p, g.size, g.one("", "", ", immutable"))
	}
	fmt.Fprintf(&g.sb, "%%out ptr {elem %d}, %%i i64, %%j i64, %%s %s, %%t %s) (%s, %s) {\nentry:\n", g.size, g.elem, g.elem, g.elem, g.elem)
	loop := g.IntN(3) == 0
	carried := g.vector(0, nil)
	if loop {
		carried = g.header(carried)
	}
	extra := g.groups(carried)
	res := [2]string{carried[g.IntN(g.lanes)], extra}
	if loop {
		g.footer()
	}
	g.line("ret %s, %s\n}", res[0], res[1])
	return g.sb.String()
}

// header begins a loop of 3 turns around variables that start with vs. Its last value is
// known in the footer.
func (g *generator) header(vs []string) []string {
	g.line("%%zero = const i64 0\n\tjmp loop\nloop:")
	phis := make([]string, len(vs))
	for i, v := range vs {
		phis[i] = fmt.Sprintf("%%x%d", i)
		next := phis[i] // the variable itself, another one, or what is computed of it
		if g.IntN(4) == 0 {
			next = fmt.Sprintf("%%x%d", (i+1)%len(vs))
		}
		g.line("%s = phi %s [%s, entry], [%s, loop]", phis[i], g.elem, v, next)
	}
	g.line("%%n = phi i64 [%%zero, entry], [%%n1, loop]")
	return phis
}

func (g *generator) footer() {
	g.line("%%one = const i64 1\n\t%%n1 = add i64 %%n, %%one\n\t%%three = const i64 3\n\t%%more = icmp.slt bool %%n1, %%three\n\tbr %%more, loop, end\nend:")
}

// vector is an expression for each lane.
func (g *generator) vector(depth int, given []string) []string {
	vs := make([]string, g.lanes)
	if depth == 0 {
		return g.leaf(given)
	}
	if g.IntN(4) == 0 {
		return g.chains(depth, given)
	}
	x, y := g.vector(depth-1, given), g.vector(depth-1, given)
	if g.IntN(4) == 0 {
		y = x
	}
	op, alt := g.op(), g.op()
	mixed := g.IntN(4) == 0
	for i := range vs {
		a, b := x[i], y[i]
		if g.IntN(3) == 0 {
			a, b = b, a
		}
		if g.IntN(20) == 0 {
			a = y[g.IntN(g.lanes)]
		}
		o := op
		if mixed && (i%2 == 0 || g.IntN(4) == 0) {
			o = alt
		}
		vs[i] = g.value("%s %s %s, %s", o, g.elem, a, b)
	}
	return vs
}

// chains adds and subtracts terms, in another order for each lane, or combines them by an
// operation without an inverse.
func (g *generator) chains(depth int, given []string) []string {
	var cols [][]string
	for range 3 + g.IntN(3) {
		cols = append(cols, g.vector(depth-1, given))
	}
	ops := []string{"add", "sub"}
	switch {
	case g.elem[0] == 'f':
		ops = []string{"fadd", "fsub"}
	case g.IntN(2) == 0:
		ops = []string{g.one("xor", "mul", "umin", "or")}
	}
	signs := g.Perm(len(cols))
	vs := make([]string, g.lanes)
	for i := range vs {
		acc := cols[0][i]
		order := g.Perm(len(cols) - 1)
		if g.IntN(3) == 0 {
			order, signs = g.Perm(len(cols)-1), g.Perm(len(cols))
		}
		for _, k := range order {
			x := cols[k+1][i]
			op := ops[signs[k]%len(ops)]
			if g.IntN(5) == 0 && op != "sub" && op != "fsub" {
				acc, x = x, acc
			}
			acc = g.value("%s %s %s, %s", op, g.elem, acc, x)
		}
		vs[i] = acc
	}
	return vs
}

func (g *generator) op() string {
	if g.elem[0] == 'f' {
		return g.one("fadd", "fsub", "fmul", "fadd", "fmul")
	}
	return g.one("add", "sub", "xor", "and", "mul", "add", "sub", "rotl", "shl", "smax")
}

// leaf is what an expression starts with.
func (g *generator) leaf(given []string) []string {
	vs := make([]string, g.lanes)
	ptr := fmt.Sprintf("%%p%d", g.IntN(g.ptrs))
	if g.IntN(5) == 0 {
		ptr = "%out"
	}
	index := g.one("", "", " + %i*"+fmt.Sprint(g.size), " + %j*"+fmt.Sprint(g.size))
	first, kind := g.IntN(6), g.IntN(9)
	order := g.Perm(g.lanes)
	switch {
	case given != nil && g.IntN(3) == 0:
		for i := range vs {
			vs[i] = given[i]
		}
	case kind < 6:
		for i := range vs {
			at := i
			switch kind {
			case 0:
				at = g.lanes - 1 - i
			case 1:
				at = order[i]
			case 2:
				at = 2 * i
			case 3:
				at = i / 2
			case 4:
				at = i*g.lanes + first - 2
			}
			vs[i] = g.value("load %s [%s%s + %d]", g.elem, ptr, index, g.size*(first+at))
		}
	case kind == 6:
		for i := range vs {
			vs[i] = g.value("const %s %d", g.elem, g.IntN(5))
		}
	case kind == 7:
		for i := range vs {
			vs[i] = g.one("%s", "%t")
		}
	default:
		for i := range vs {
			vs[i] = "%s"
		}
	}
	return vs
}

// groups writes groups of stores, and gives something else that was computed.
func (g *generator) groups(given []string) string {
	extra := given[0]
	for range 1 + g.IntN(3) {
		vs := g.vector(1+g.IntN(3), given)
		first := g.IntN(8)
		if g.IntN(4) == 0 {
			sum := g.sum(vs, given)
			extra = sum
			continue
		}
		order := g.Perm(g.lanes)
		for i := range vs {
			if g.IntN(2) == 0 {
				order[i] = i
			}
		}
		done := make(map[int]bool)
		for i := range vs {
			if k := order[i]; !done[k] {
				g.line("store %s %s, [%%out + %d]", g.elem, vs[k], g.size*(first+k))
				done[k] = true
			}
		}
		for k := range vs {
			if !done[k] {
				g.line("store %s %s, [%%out + %d]", g.elem, vs[k], g.size*(first+k))
			}
		}
		if g.IntN(3) == 0 {
			extra = vs[g.IntN(g.lanes)]
		}
	}
	return extra
}

// sum is one value of many.
func (g *generator) sum(vs, given []string) string {
	for range g.IntN(3) { // more terms
		vs = append(vs, g.vector(g.IntN(2), given)...)
	}
	if g.IntN(2) == 0 {
		g.Shuffle(len(vs), func(i, k int) { vs[i], vs[k] = vs[k], vs[i] })
	}
	op, inverse, less := "add", "sub", "icmp.slt"
	if g.elem[0] == 'f' {
		op, inverse, less = "fadd", "fsub", "fcmp.lt"
	}
	switch g.IntN(5) {
	case 0: // balanced
		for len(vs) > 1 {
			var next []string
			for i := 0; i+1 < len(vs); i += 2 {
				next = append(next, g.value("%s %s %s, %s", op, g.elem, vs[i], vs[i+1]))
			}
			if len(vs)%2 == 1 {
				next = append(next, vs[len(vs)-1])
			}
			vs = next
		}
		return vs[0]
	case 1: // whether all are less, or one
		op := g.one("and", "or")
		all := ""
		for i, v := range vs {
			c := g.value("%s bool %s, %s", less, v, vs[(i*3+1)%len(vs)])
			if all == "" {
				all = c
			} else {
				all = g.value("%s bool %s, %s", op, all, c)
			}
		}
		return g.value("select %s %s, %s, %s", g.elem, all, vs[0], vs[1])
	case 2:
		op, inverse = "smax", "smax"
		if g.elem[0] == 'f' {
			op, inverse = "fmin", "fmin"
		}
	case 3:
		inverse = op
	}
	sum := vs[0]
	for i, v := range vs[1:] {
		sum = g.value("%s %s %s, %s", []string{op, inverse}[i%2], g.elem, sum, v)
	}
	return sum
}

// TestRandom packs random functions and compares what they do.
func TestRandom(t *testing.T) {
	packed, seeds, tested, supers, cuts := 0, make(map[string]int), 0, 0, 0
	for i := range *funcs {
		g := &generator{Rand: rand.New(rand.NewPCG(*seed, uint64(i)))}
		text := g.text()
		f, err := parse.Func(text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if err := verify.Func(f); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		before := f.Clone()
		opt := Options{Costs: Generous(OnTarget(target.AVX2(), f)), Bytes: 32, Reassoc: i%4 == 0}
		if i%5 == 4 {
			opt.Costs = OnTarget(target.AVX2(), f)
		}
		if i%3 != 0 {
			opt.Testable = func(v *vir.Value) bool { return v.Op == vir.OpParam || v.Op == vir.OpConst }
		}
		if g, r := grow(f.Clone(), opt); math.Abs(r.Cost-g.recounted()) > 1e-3 {
			t.Fatalf("function %d: cost %v, recounted %v\n%s\n%s", i, r.Cost, g.recounted(), text, r.text())
		}
		r := Run(f, opt)
		if err := verify.Func(f); err != nil {
			t.Fatalf("function %d: %v\n%s\n%s\n%s", i, err, text, r.text(), f)
		}
		if err := same(before, f, r, opt.Reassoc); err != nil {
			t.Fatalf("function %d: %v\n%s\n%s\n%s", i, err, text, r.text(), f)
		}
		if len(r.Trees) > 0 {
			packed++
		}
		if len(r.Apart) > 0 {
			tested++
		}
		for _, tree := range r.Trees {
			seeds[tree.Seed]++
			cuts += tree.Cuts
			supers += strings.Count(tree.Text, "super")
		}
	}
	t.Logf("%d packed, %d with tests, %d super-nodes, %d cuts, seeds %v", packed, tested, supers, cuts, seeds)
	if packed < *funcs/2 || tested < *funcs/20 || supers < *funcs/20 || cuts < *funcs/20 || seeds["stores"] == 0 || seeds["sum"] == 0 || seeds["variables"] == 0 {
		t.Error("too little was packed")
	}
}
