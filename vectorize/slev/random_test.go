package slev_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/slev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/interp"
	"github.com/lanewise/lanewise/vir/parse"
	"github.com/lanewise/lanewise/vir/verify"
)

var functions = flag.Int("functions", 400, "number of random functions")

// TestRandomControl runs random control flow lane by lane and looks at what the
// lanes do in the same iterations of all cycles: they must agree where the
// analysis says so. Half of the functions are whole functions with divergent
// parameters, half have an outer loop whose iterations are the lanes.
func TestRandomControl(t *testing.T) {
	n := *functions
	var all tally
	// Rare cases that only these seeds show, of many: stale operands of phis, nothing
	// but poison, lanes behind each other in an irreducible cycle.
	seeds := []uint64{1514, 1516, 1879}
	for seed := range uint64(n) {
		seeds = append(seeds, seed)
	}
	for _, seed := range seeds {
		f, r, l := analyzed(t, seed)
		c := &laneCheck{r: r, cycles: regionOf(f, l).Cycles(), region: regionOf(f, l)}
		for _, group := range runs(t, rand.New(rand.NewPCG(seed, 2)), c, f, l) {
			c.compare(group)
		}
		if len(c.errs) > 0 {
			slices.Sort(c.errs)
			t.Fatalf("seed %d: %s\n%s%s", seed, strings.Join(slices.Compact(c.errs), "\n"), f.Text(vir.PrintOptions{Note: r.Note}), r.Report())
		}
		all.add(r, c)
	}
	t.Logf("%+v", all)
	if all.claims < 50*n || all.Irreducible < n/20 || all.Divergent < n/4 || all.UniformLoops < n/20 {
		t.Error("too little was compared")
	}
	// Nearly all that is called random should be seen to differ.
	if all.Differ*100 < all.Random*40 {
		t.Errorf("of %d random values only %d differ between lanes", all.Random, all.Differ)
	}
}

// TestRandomControlSeesErrors: with the shapes of an analysis that knows nothing
// of control divergence, the comparison must fail.
func TestRandomControlSeesErrors(t *testing.T) {
	found := 0
	for seed := range uint64(300) {
		f, r, l := analyzed(t, seed)
		c := &laneCheck{r: r, cycles: regionOf(f, l).Cycles(), region: regionOf(f, l), blind: true}
		for _, group := range runs(t, rand.New(rand.NewPCG(seed, 2)), c, f, l) {
			c.compare(group)
		}
		if len(c.errs) > 0 {
			found++
		}
	}
	if found < 60 {
		t.Errorf("only %d of 300 functions show that phis and stale uses are not uniform", found)
	}
}

type tally struct {
	claims, Random, Differ                               int
	Divergent, UniformLoops, DivergentLoops, Irreducible int
	Blends, LiveOuts, Stale                              int
}

func (a *tally) add(r *slev.Result, c *laneCheck) {
	a.claims += c.claims
	irreducible := 0
	for _, l := range r.Loops() {
		if l.Divergent() {
			a.DivergentLoops++
		} else {
			a.UniformLoops++
		}
		if len(l.Entries) > 1 {
			irreducible = 1
		}
		a.LiveOuts += len(l.LiveOuts)
	}
	a.Irreducible += irreducible
	for _, b := range c.region.Blocks {
		if r.IsDivergent(b) {
			a.Divergent++
		}
		for _, v := range b.Insts {
			if v.Op == vir.OpPhi && r.IsBlend(v) {
				a.Blends++
			}
			for i := range v.Args {
				if r.IsStale(v, i) {
					a.Stale++
				}
			}
			if c.compared[v] && r.Shape(v).Kind == slev.Random {
				a.Random++
				if c.differ[v] {
					a.Differ++
				}
			}
		}
	}
}

func regionOf(f *vir.Func, l *loops.Loop) *loops.Region {
	if l != nil {
		return l.Body()
	}
	return loops.Whole(f)
}

// analyzed makes the function of a seed.
func analyzed(t *testing.T, seed uint64) (*vir.Func, *slev.Result, *loops.Loop) {
	t.Helper()
	outer := seed%2 == 1
	text := randomControl(rand.New(rand.NewPCG(seed, 1)), outer)
	f, err := parse.Func(text)
	if err == nil {
		err = verify.Func(f)
	}
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, text)
	}
	if outer {
		l := loops.Find(f).Of(f.Block("head"))
		return f, slev.AnalyzeLoop(f, l), l
	}
	return f, slev.Run(f, slev.Options{Shapes: map[*vir.Value]slev.Shape{
		f.Param("d"): {Kind: slev.Random},
		f.Param("s"): slev.StridedBy(1),
	}}), nil
}

const lanes = 4

// runs executes the function on a few inputs, and gives what was seen in groups
// of lanes.
func runs(t *testing.T, rng *rand.Rand, c *laneCheck, f *vir.Func, l *loops.Loop) [][]*lane {
	t.Helper()
	var groups [][]*lane
	for range 3 {
		u, w, s := int64(rng.IntN(5)), int64(rng.IntN(3)), int64(rng.IntN(3))
		if l != nil {
			all := c.trace(f, u, w, int64(rng.IntN(4)), s)
			for len(all) > 1 {
				k := min(lanes, len(all))
				groups = append(groups, all[:k])
				all = all[k:]
			}
			continue
		}
		var group []*lane
		for k := range int64(lanes) {
			group = append(group, c.trace(f, u, w, int64(rng.IntN(4)), s+k)...)
		}
		groups = append(groups, group)
	}
	return groups
}

// A lane is what one lane has done, by instruction and iteration.
type lane struct {
	seen map[instance]observation
	done bool // until the end
}

// An instance is one execution, as it is the same for all lanes: of operand or
// result (arg < 0) of value id, of a block, or the leaving of a cycle.
type instance struct {
	id, arg int
	name    string // of a block or the header of a cycle
	leave   bool
	vector  string // iterations of all cycles around
}

type observation struct {
	v      *vir.Value
	arg    int // operand, or -1 for the result
	res    interp.Value
	next   string       // of a branch or a loop: where control went
	cycle  *loops.Cycle // of the exit from a loop
	exit   loops.Edge
	rounds int
}

type laneCheck struct {
	r        *slev.Result
	region   *loops.Region
	cycles   *loops.Cycles
	blind    bool // take all shapes for those of an analysis without control divergence
	claims   int
	errs     []string
	compared map[*vir.Value]bool
	differ   map[*vir.Value]bool
}

// trace runs f once; every pass through the entry of the region is a lane.
func (c *laneCheck) trace(f *vir.Func, args ...int64) []*lane {
	var all []*lane
	env := make(map[*vir.Value]interp.Value)
	var in []interp.Value
	for i, p := range f.Params {
		in = append(in, interp.Int(args[i]))
		env[p] = in[i]
	}
	w := &walker{c: c, env: env, rounds: make(map[*loops.Cycle]int)}
	cfg := interp.Config{Steps: 250, Trace: func(v *vir.Value, res interp.Value) {
		if w.fresh {
			w.enter(v.Block, &all)
		}
		w.see(v, res)
	}}
	w.fresh = true
	_, err := cfg.Run(f, nil, in)
	if w.lane != nil && err == nil {
		w.lane.done = true
	}
	return all
}

type walker struct {
	c      *laneCheck
	env    map[*vir.Value]interp.Value
	rounds map[*loops.Cycle]int
	lane   *lane
	at     *vir.Block
	branch instance // of the last branch
	here   string   // iterations of the cycles around the block
	fresh  bool
}

// enter follows control to block b.
func (w *walker) enter(b *vir.Block, all *[]*lane) {
	from := w.at
	w.at, w.fresh = b, false
	if o, ok := w.observed(w.branch); ok {
		o.next = b.Name
		w.lane.seen[w.branch] = o
	}
	leaves := w.c.region.Leaves(b)
	if w.lane != nil && from != nil {
		for q := w.c.cycles.Of(from); q != nil; q = q.Parent {
			if leaves || !q.Contains(b) {
				w.lane.seen[instance{name: q.Header.Name, leave: true, vector: w.vector(q.Parent)}] = observation{
					cycle: q, exit: loops.Edge{From: from, To: b}, rounds: w.rounds[q],
				}
			}
		}
	}
	if leaves && w.lane != nil {
		w.lane.done = true
		w.lane = nil
	}
	if b == w.c.region.Entry {
		w.lane = &lane{seen: make(map[instance]observation)}
		*all = append(*all, w.lane)
		clear(w.rounds)
		from = nil
	}
	if w.lane == nil {
		return
	}
	for q := w.c.cycles.Of(b); q != nil; q = q.Parent {
		if from == nil || !q.Contains(from) {
			w.rounds[q] = 0
		}
		if b == q.Header {
			w.rounds[q]++
		}
	}
	w.here = w.vector(w.c.cycles.Of(b))
	w.lane.seen[instance{name: b.Name, vector: w.here}] = observation{}
	if from != nil {
		w.edges(from, b)
	}
}

func (w *walker) observed(key instance) (observation, bool) {
	if w.lane == nil {
		return observation{}, false
	}
	o, ok := w.lane.seen[key]
	return o, ok
}

// edges notes what phis read, before they change anything.
func (w *walker) edges(from, b *vir.Block) {
	i := b.PredIndex(from)
	for _, phi := range b.Phis() {
		if x, ok := w.env[phi.Args[i]]; ok {
			w.note(phi, i, x)
		}
	}
}

// vector is the iteration of q and of all cycles around it.
func (w *walker) vector(q *loops.Cycle) string {
	s := ""
	for ; q != nil; q = q.Parent {
		s += strconv.Itoa(w.rounds[q]) + " "
	}
	return s
}

func (w *walker) note(v *vir.Value, arg int, res interp.Value) instance {
	key := instance{id: v.ID(), arg: arg, vector: w.here}
	w.lane.seen[key] = observation{v: v, arg: arg, res: res}
	return key
}

func (w *walker) see(v *vir.Value, res interp.Value) {
	if w.lane != nil {
		if v.Op != vir.OpPhi {
			for i, a := range v.Args {
				w.note(v, i, w.env[a])
			}
		}
		w.branch = w.note(v, -1, res)
	}
	w.env[v] = res
	w.fresh = v.Op.Info().Term
}

// compare looks at each pair of lanes.
func (c *laneCheck) compare(group []*lane) {
	if c.compared == nil {
		c.compared, c.differ = make(map[*vir.Value]bool), make(map[*vir.Value]bool)
	}
	finished := true
	for _, l := range group {
		finished = finished && l.done
	}
	for i, a := range group {
		for j, b := range group {
			for key, x := range a.seen {
				y, both := b.seen[key]
				switch {
				case i == j:
				case key.name != "" && !key.leave:
					if !both && finished && !c.blind && !c.r.IsPartial(c.block(key.name)) {
						c.fail("%s is executed by some lanes only", key.name)
					}
				case both && x.cycle != nil:
					c.loop(x, y)
				case both && i < j:
					c.value(x, y, int64(j-i))
				}
			}
		}
	}
}

func (c *laneCheck) block(name string) *vir.Block {
	i := slices.IndexFunc(c.region.Blocks, func(b *vir.Block) bool { return b.Name == name })
	return c.region.Blocks[i]
}

func (c *laneCheck) fail(format string, args ...any) {
	c.errs = append(c.errs, fmt.Sprintf(format, args...))
}

// loop compares how two lanes left a loop that they were in together: when x left
// by an exit that is not divergent, y cannot have stayed.
func (c *laneCheck) loop(x, y observation) {
	for _, l := range c.r.Loops() {
		if l.Cycle.Header != x.cycle.Header || slices.Contains(l.Exits, x.exit) {
			continue
		}
		if y.rounds > x.rounds || !l.Divergent() && y.exit != x.exit {
			c.fail("lanes leave the loop of %s after %d and %d rounds", l.Header.Name, x.rounds, y.rounds)
		}
	}
}

// value compares what two lanes, dist apart, saw of one value.
func (c *laneCheck) value(x, y observation, dist int64) {
	v := x.v
	if v.Op == vir.OpBr && x.arg < 0 && x.next != "" && y.next != "" {
		if !c.blind && x.next != y.next && !c.r.IsDivergent(v.Block) && v.Block != c.region.Entry {
			c.fail("lanes take different ways from %s", v.Block.Name)
		}
	}
	if len(x.res.Bits) == 0 || x.res.Poison[0] || y.res.Poison[0] {
		return
	}
	s := c.r.Shape(v)
	if x.arg >= 0 {
		s = c.r.Use(v, x.arg)
		if c.blind {
			s = c.r.Shape(v.Args[x.arg])
		}
	} else if c.blind && v.Op == vir.OpPhi && c.r.IsBlend(v) {
		s = slev.StridedBy(0)
	}
	d := y.res.Int() - x.res.Int()
	if x.arg < 0 && v.Type.Elem.IsInt() {
		c.compared[v] = true
		c.differ[v] = c.differ[v] || d != 0
	}
	if s.Kind == slev.Bottom {
		c.fail("%s was reached", v.Inst())
	}
	if s.Kind != slev.Uniform && s.Kind != slev.Strided {
		return
	}
	c.claims++
	bits := x.res.Type.Elem.Bits()
	if sh := 64 - bits; (d-s.Stride*dist)<<sh != 0 {
		c.fail("operand %d of %s is %s, but %d and %d in lanes %d apart", x.arg, v.Inst(), s, x.res.Int(), y.res.Int(), dist)
	}
}

// randomControl is the text of a function with parameters u, w (uniform), d
// (divergent) and s (strided), random blocks and three variables.
func randomControl(rng *rand.Rand, outer bool) string {
	g := &control{rng: rng, outer: outer}
	for g.shape(); outer && !slices.Contains(g.order, "end"); g.shape() {
		g.order = nil
	}
	g.code()
	return g.String()
}

type control struct {
	rng   *rand.Rand
	outer bool
	succs map[string][]string
	preds map[string][]string
	order []string // in reverse post-order
	lines map[string][]string
	vars  map[string][3]string // at the end of a block
	ints  map[string][]string  // defined in a block
	n     int
}

// shape makes blocks b0 .. that start from "head" and lead to "end".
func (g *control) shape() {
	n := 3 + g.rng.IntN(7)
	name := func(i int) string {
		if i >= n {
			return "end"
		}
		return fmt.Sprintf("b%d", i)
	}
	g.succs = map[string][]string{"head": {"b0"}, "end": nil}
	if g.outer {
		g.succs["head"] = []string{"b0", "exit"}
		g.succs["end"] = []string{"head"}
	}
	for i := range n {
		to := func() string {
			switch {
			case g.outer && g.rng.IntN(12) == 0:
				return "exit"
			case g.rng.IntN(10) < 7:
				return name(i + 1 + g.rng.IntN(3))
			}
			return name(g.rng.IntN(n))
		}
		g.succs[name(i)] = []string{to()}
		if s := to(); g.rng.IntN(5) > 0 && s != g.succs[name(i)][0] {
			g.succs[name(i)] = append(g.succs[name(i)], s)
		}
	}
	g.preds = make(map[string][]string)
	seen := make(map[string]bool)
	var visit func(b string)
	visit = func(b string) {
		seen[b] = true
		for _, s := range slices.Backward(g.succs[b]) {
			if !seen[s] {
				visit(s)
			}
		}
		g.order = append(g.order, b)
	}
	visit("head")
	slices.Reverse(g.order)
	for _, b := range g.order {
		for _, s := range g.succs[b] {
			g.preds[s] = append(g.preds[s], b)
		}
	}
}

// dominators of b, by the definition; b is not among them.
func (g *control) dominators(b string) []string {
	var doms []string
	for _, d := range g.order {
		seen := map[string]bool{d: true}
		var visit func(x string)
		visit = func(x string) {
			if !seen[x] {
				seen[x] = true
				for _, s := range g.succs[x] {
					visit(s)
				}
			}
		}
		visit("head")
		if d == "head" || !seen[b] {
			doms = append(doms, d)
		}
	}
	return slices.DeleteFunc(doms, func(d string) bool { return d == b })
}

func (g *control) code() {
	g.lines, g.vars, g.ints = make(map[string][]string), make(map[string][3]string), make(map[string][]string)
	for _, b := range g.order {
		switch p := g.preds[b]; {
		case b == "head":
			g.start()
		case len(p) == 1:
			g.vars[b] = g.vars[p[0]]
		default:
			g.vars[b] = [3]string{"%" + b + "x", "%" + b + "y", "%" + b + "z"}
		}
		if b != "head" && b != "exit" && b != "end" {
			for range g.rng.IntN(4) {
				g.inst(b)
			}
		}
		g.leave(b)
	}
	for _, b := range g.order {
		if b != "head" && len(g.preds[b]) > 1 {
			g.phis(b)
		}
	}
}

// start fills the block in front; an outer loop carries i, d and s there.
func (g *control) start() {
	g.ints["head"] = []string{"%u", "%w", "%d", "%s", "%c0", "%c1", "%c2", "%u", "%c1"}
	vars := []string{"%u", "%c0", "%undef", "%s", "%d", "%w"}
	if g.outer {
		g.ints["head"] = append(g.ints["head"], "%i", "%a", "%k")
		vars = append(vars, "%i", "%a", "%k")
	}
	var v [3]string
	for i := range v {
		v[i] = vars[g.rng.IntN(len(vars))]
	}
	g.vars["head"] = v
}

func (g *control) emit(b, format string, args ...any) {
	g.lines[b] = append(g.lines[b], "\t"+fmt.Sprintf(format, args...))
}

func (g *control) fresh() string {
	g.n++
	return fmt.Sprintf("%%v%d", g.n)
}

// operand is a variable, or anything defined on every way to b.
func (g *control) operand(b string) string {
	if g.rng.IntN(2) == 0 {
		return g.vars[b][g.rng.IntN(3)]
	}
	from := g.ints[b]
	for _, d := range g.dominators(b) {
		from = append(slices.Clip(from), g.ints[d]...)
	}
	return from[g.rng.IntN(len(from))]
}

func (g *control) inst(b string) {
	v, x, y := g.fresh(), g.operand(b), g.operand(b)
	switch g.rng.IntN(12) {
	case 0, 1, 2, 3:
		g.emit(b, "%s = add i64 %s, %%c1", v, x)
	case 4, 5:
		g.emit(b, "%s = add i64 %s, %s", v, x, y)
	case 6:
		g.emit(b, "%s = sub i64 %s, %s", v, x, y)
	case 7:
		g.emit(b, "%s = mul i64 %s, %%c2", v, x)
	case 8:
		g.emit(b, "%s = and i64 %s, %%c1", v, x)
	case 9:
		g.emit(b, "%sc = icmp.eq bool %s, %s", v, x, y)
		g.emit(b, "%s = select i64 %sc, %s, %s", v, v, g.operand(b), g.operand(b))
	case 10:
		g.emit(b, "%st = trunc i8 %s", v, x)
		g.emit(b, "%s = sext i64 %st", v, v)
	case 11:
		g.emit(b, "%s = umin i64 %s, %s", v, x, y)
	}
	g.ints[b] = append(g.ints[b], v)
	vars := g.vars[b]
	vars[g.rng.IntN(3)] = v
	g.vars[b] = vars
}

// leave ends a block.
func (g *control) leave(b string) {
	switch s := g.succs[b]; {
	case b == "head" && g.outer:
		g.emit(b, "%%c = icmp.slt bool %%i, %%trip")
		g.emit(b, "br %%c, b0, exit")
	case len(s) == 0:
		g.emit(b, "ret")
	case len(s) == 1:
		if b == "end" {
			g.emit(b, "%%i1 = add i64 %%i, %%c1")
			g.emit(b, "%%k1 = sub i64 %%k, %%c3")
		}
		g.emit(b, "jmp %s", s[0])
	default:
		v := g.fresh()
		op := []string{"slt", "eq", "ne", "slt"}[g.rng.IntN(4)]
		g.emit(b, "%s = icmp.%s bool %s, %s", v, op, g.operand(b), g.operand(b))
		g.emit(b, "br %s, %s, %s", v, s[0], s[1])
	}
}

func (g *control) phis(b string) {
	var lines []string
	for i, name := range []string{"x", "y", "z"} {
		var in []string
		for _, p := range g.preds[b] {
			in = append(in, fmt.Sprintf("[%s, %s]", g.vars[p][i], p))
		}
		lines = append(lines, fmt.Sprintf("\t%%%s%s = phi i64 %s", b, name, strings.Join(in, ", ")))
	}
	g.lines[b] = append(lines, g.lines[b]...)
}

func (g *control) String() string {
	var sb strings.Builder
	sb.WriteString("func @f(%u i64, %w i64, %d i64, %s i64) () {\nentry:\n\t%c0 = const i64 0\n\t%c1 = const i64 1\n\t%c2 = const i64 2\n\t%c3 = const i64 3\n\t%trip = const i64 8\n\t%undef = poison i64\n\tjmp head\n")
	for _, b := range g.order {
		fmt.Fprintf(&sb, "%s:\n", b)
		if b == "head" && g.outer {
			fmt.Fprintf(&sb, "\t%%i = phi i64 [%%c0, entry], [%%i1, end]\n\t%%k = phi i64 [%%s, entry], [%%k1, end]\n\t%%a = phi i64 [%%d, entry], [%s, end]\n", g.vars["end"][0])
		}
		sb.WriteString(strings.Join(g.lines[b], "\n") + "\n")
	}
	sb.WriteString("}\n")
	return sb.String()
}
