package main

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A trial compares the generated benchmarks of examples at two levels.
type trial struct {
	dir      string
	sides    [2]side
	packages []benchmarked // what differs
	same     int           // twins whose code is the same at both levels
	lengths  string        // of the benchmarks, as alternatives of a regular expression
	rounds   int
	orders   int // builds with functions in another order
}

// A side is a copy of the examples.
type side struct {
	level string
	dir   string
	seed  int // of the order of functions in its first build; 0 leaves it to the linker
}

// benchmarked is an example and those of its twins that are measured.
type benchmarked struct {
	name  string
	twins []string
}

// patience is the time after which an example makes do with fewer rounds.
const patience = 30 * time.Second

// trialIn generates the examples at both levels in dir. A level is compared with
// itself by building it with its functions in another order.
func (o options) trialIn(dir string) (*trial, error) {
	t := &trial{dir: dir, rounds: max(1, o.rounds/roundsOf), orders: o.placements}
	if t.orders <= 1 {
		t.orders = reorderings
	}
	var lengths []string
	for _, n := range o.lengths {
		lengths = append(lengths, strconv.Itoa(n))
	}
	t.lengths = strings.Join(lengths, "|")
	wanted, err := o.benchmarked()
	if err != nil || len(wanted) == 0 {
		return t, err
	}
	before, after, ok := strings.Cut(o.levels, ",")
	if !ok {
		return nil, fmt.Errorf("-levels is %q, want two with a comma", o.levels)
	}
	tool, err := buildTool(dir)
	if err != nil {
		return nil, err
	}
	for i, level := range []string{before, after} {
		s := side{level: level, dir: filepath.Join(dir, strconv.Itoa(i))}
		if i == 1 && before == after {
			s.dir, s.seed = t.sides[0].dir, 1
		} else if err := s.generate(tool, wanted); err != nil {
			return nil, err
		}
		t.sides[i] = s
	}
	return t, t.sort(wanted)
}

var benchmarkDecl = regexp.MustCompile(`(?m)^func BenchmarkTwin(\w+)\(`)

// benchmarked lists the benchmarks that are wanted, named as package/Twin.
func (o options) benchmarked() ([]benchmarked, error) {
	files, err := filepath.Glob("../examples/*/vec_test.go")
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no examples found (in folder bench?): %v", err)
	}
	var all []benchmarked
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		b := benchmarked{name: filepath.Base(filepath.Dir(file))}
		for _, m := range benchmarkDecl.FindAllSubmatch(text, -1) {
			if twin := string(m[1]); o.wants(b.name + "/" + twin) {
				b.twins = append(b.twins, twin)
			}
		}
		if len(b.twins) > 0 {
			all = append(all, b)
		}
	}
	return all, nil
}

func (s side) generate(tool string, wanted []benchmarked) error {
	if err := copyExamples(s.dir); err != nil {
		return err
	}
	_, err := generateAt(tool, s.dir, s.level, paths(wanted)...)
	return err
}

func paths(bs []benchmarked) []string {
	var all []string
	for _, b := range bs {
		all = append(all, "./examples/"+b.name)
	}
	return all
}

// sort leaves out twins whose code is the same at both levels: they can only move.
// A level against itself has nothing but those.
func (t *trial) sort(wanted []benchmarked) error {
	if t.sides[0].dir == t.sides[1].dir {
		t.packages = wanted
		return nil
	}
	for _, b := range wanted {
		changed, err := t.changed(b)
		if err != nil {
			return err
		}
		t.same += len(b.twins) - len(changed)
		if len(changed) > 0 {
			t.packages = append(t.packages, benchmarked{b.name, changed})
		}
	}
	return nil
}

// changed are the twins of an example whose code differs.
func (t *trial) changed(b benchmarked) ([]string, error) {
	var code [2]*generated
	for i, s := range t.sides {
		var err error
		if code[i], err = readGenerated(filepath.Join(s.dir, "examples", b.name)); err != nil {
			return nil, err
		}
	}
	var twins []string
	for _, twin := range b.twins {
		if before := code[0].of(twin); before == "" || before != code[1].of(twin) {
			twins = append(twins, twin)
		}
	}
	return twins, nil
}

// run measures everything once, and what seems slower again, until it is stopped.
// What was measured before an error is good.
func (t *trial) run(ctx context.Context) ([]*comparison, error) {
	first := [2]string{filepath.Join(t.dir, "before"), filepath.Join(t.dir, "after")}
	for i, s := range t.sides {
		if err := s.build(first[i], s.seed, t.packages); err != nil {
			return nil, err
		}
	}
	var all []*comparison
	for _, b := range t.packages {
		cs, err := t.compare(b, first)
		switch {
		case ctx.Err() != nil: // the benchmarks are interrupted, too
			return all, nil
		case err != nil:
			return all, err
		}
		log.Printf("%s: %d benchmarks, %d below %.2f", b.name, len(cs), len(suspects(cs)), slower)
		all = append(all, cs...)
	}
	return all, nil
}

// build builds the benchmarks of packages into a folder, with functions in an
// order that depends on seed. Paths are left out, so that what is the same is
// the same in all copies, and built once.
func (s side) build(folder string, seed int, bs []benchmarked) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	flags := "-s -w" // links faster
	if seed != 0 {
		flags += " -randlayout=" + strconv.Itoa(seed)
	}
	args := []string{"test", "-c", "-trimpath", "-ldflags=" + flags, "-o", folder}
	_, err := command(s.dir, "go", append(args, paths(bs)...)...)
	return err
}

// compare measures an example: folders have the first builds of both sides.
func (t *trial) compare(b benchmarked, folders [2]string) ([]*comparison, error) {
	ns, err := t.minima(b.name, folders[:], b.twins, t.rounds)
	if err != nil {
		return nil, err
	}
	var all []*comparison
	for _, name := range slices.Sorted(maps.Keys(ns[0])) {
		if after := ns[1][name]; after > 0 {
			c := &comparison{pkg: b.name, name: name, before: ns[0][name], after: after}
			c.first = c.before / c.after
			all = append(all, c)
		}
	}
	if err := t.again(b, folders, suspects(all)); err != nil {
		return nil, err
	}
	return all, t.reorder(b, suspects(all))
}

// suspects are comparisons by which the second level is slower.
func suspects(all []*comparison) []*comparison {
	var found []*comparison
	for _, c := range all {
		if c.ratio() < slower {
			found = append(found, c)
		}
	}
	return found
}

// again gives more rounds to comparisons of an example.
func (t *trial) again(b benchmarked, folders [2]string, cs []*comparison) error {
	if len(cs) == 0 {
		return nil
	}
	ns, err := t.minima(b.name, folders[:], twinsOf(cs), moreRounds*t.rounds)
	if err != nil {
		return err
	}
	for _, c := range cs {
		c.before, c.after = min(c.before, ns[0][c.name]), min(c.after, ns[1][c.name])
		c.again = c.before / c.after
	}
	return nil
}

// reorder measures comparisons of an example in builds with functions in other
// orders, the same orders for both sides as far as they have the same functions.
func (t *trial) reorder(b benchmarked, cs []*comparison) error {
	if len(cs) == 0 {
		return nil
	}
	var folders []string // of the sides in turns
	for seed := range t.orders {
		for i, s := range t.sides {
			folder := filepath.Join(t.dir, fmt.Sprintf("order%d.%d", seed, i))
			// The second side of a level against itself has orders of its own.
			if err := s.build(folder, 2+seed+s.seed*t.orders, []benchmarked{b}); err != nil {
				return err
			}
			defer os.RemoveAll(folder)
			folders = append(folders, folder)
		}
	}
	ns, err := t.minima(b.name, folders, twinsOf(cs), t.rounds)
	if err != nil {
		return err
	}
	for _, c := range cs {
		c.reordered(ns)
	}
	return nil
}

// reordered takes the times of both sides in turns. The first builds are an order, too.
func (c *comparison) reordered(ns []map[string]float64) {
	orders := [2][]float64{{c.before}, {c.after}}
	for i, m := range ns {
		orders[i%2] = append(orders[i%2], m[c.name])
	}
	before := slices.Min(orders[0])
	c.ordered = before / slices.Min(orders[1])
	c.spread = before / slices.Max(orders[0])
}

// twinsOf are the twins of comparisons, each once.
func twinsOf(cs []*comparison) []string {
	var twins []string
	for _, c := range cs {
		twin, _, _ := strings.Cut(c.name, "/")
		twins = append(twins, twin)
	}
	slices.Sort(twins)
	return slices.Compact(twins)
}

// minima runs the builds of an example in turns and gives the fastest sample of
// each benchmark by its name, for each build.
func (t *trial) minima(name string, folders []string, twins []string, rounds int) ([]map[string]float64, error) {
	best := make([]map[string]float64, len(folders))
	for i := range best {
		best[i] = map[string]float64{}
	}
	start := time.Now()
	for r := range rounds {
		if r > 1 && time.Since(start) > patience {
			break
		}
		for i := range folders {
			i = (i + r) % len(folders)
			out, err := t.sample(filepath.Join(folders[i], name+".test"), name, twins)
			if err != nil {
				return nil, err
			}
			for bench, ns := range out {
				best[i][bench] = min(cmp.Or(best[i][bench], ns), ns)
			}
		}
	}
	return best, nil
}

// sample runs the benchmarks of twins in a process of their own.
func (t *trial) sample(exe, name string, twins []string) (map[string]float64, error) {
	out, err := command(filepath.Join(t.sides[0].dir, "examples", name), exe, "-test.run=^$", "-test.benchtime="+sampled,
		"-test.count="+strconv.Itoa(repeats), "-test.bench=^BenchmarkTwin("+strings.Join(twins, "|")+")$/^n=("+t.lengths+")$/^vec$")
	if err != nil {
		return nil, err
	}
	return fastest(out), nil
}

var benchmarkLine = regexp.MustCompile(`(?m)^BenchmarkTwin(\S+)/vec(?:-\d+)?\s+\d+\s+([0-9.]+) ns/op`)

// fastest reads the output of go test -bench: nanoseconds of the twins, by what
// their benchmarks are called.
func fastest(out []byte) map[string]float64 {
	best := map[string]float64{}
	for _, m := range benchmarkLine.FindAllSubmatch(out, -1) {
		name := string(m[1])
		if ns, err := strconv.ParseFloat(string(m[2]), 64); err == nil && ns > 0 {
			best[name] = min(cmp.Or(best[name], ns), ns)
		}
	}
	return best
}
