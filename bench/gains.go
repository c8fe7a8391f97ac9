package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The table of gains holds the gain that the vectorizer estimates for the loops of all
// examples, those of TSVC among them, against the one that their benchmarks show. It needs
// no count of iterations: what both sides divide by drops out.

// gainLength is the length of the benchmarks that count, which few iterations beside the main
// loop blur and which the cache of the first level mostly holds.
const gainLength = 4096

// gainRuns is how often each benchmark runs; the fastest time counts.
const gainRuns = 5

// A gained is a twin with one vectorized loop.
type gained struct {
	name                string // as "axpy/Axpy"
	estimated, measured float64
	form                remark
}

// off is how many times more the loop gains than estimated.
func (g *gained) off() float64 { return g.measured / g.estimated }

// printGains prints twins by how far estimates are off.
func printGains(w io.Writer, o options) {
	fmt.Fprintf(w, "Gains: original / twin at n = %d as estimated and measured\n\n", gainLength)
	all, err := o.gains()
	if err != nil {
		log.Fatal(err)
	}
	slices.SortFunc(all, func(a, b gained) int { return strings.Compare(a.name, b.name) })
	t := newTable("twin", "estimated", "measured", "measured/estimated", "plan")
	var offs []float64
	for _, g := range all {
		offs = append(offs, g.off())
		t.add(g.name, fmt.Sprintf("%.2f", g.estimated), fmt.Sprintf("%.2f", g.measured), fmt.Sprintf("%.2f", g.off()), g.form.describe())
	}
	t.print(w)
	fmt.Fprintf(w, "measured/estimated of %d twins: %s\n\n", len(offs), spread(offs))
}

// gains generates the examples anew in a copy and runs their benchmarks.
func (o options) gains() ([]gained, error) {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := copyExamples(dir); err != nil {
		return nil, err
	}
	tool, err := buildTool(dir)
	if err != nil {
		return nil, err
	}
	out, err := generateAt(tool, dir, "", "./examples/...")
	if err != nil {
		return nil, err
	}
	forms := oneLoop(out)
	wanted, err := o.benchmarked()
	if err != nil {
		return nil, err
	}
	var all []gained
	for _, b := range wanted {
		gs, err := measureGains(dir, b, forms)
		if err != nil {
			return nil, err
		}
		all = append(all, gs...)
	}
	return all, nil
}

// oneLoop are the remarks about twins that have one vectorized loop and none that stays scalar,
// by package and twin.
func oneLoop(out []byte) map[string]remark {
	forms, loops := make(map[string]remark), make(map[string]int)
	for line := range bytes.Lines(out) {
		var r struct {
			remark
			Kind, File string
		}
		if json.Unmarshal(line, &r) != nil || r.Twin == "" || r.Kind != "passed" && r.Kind != "missed" {
			continue
		}
		name := filepath.Base(filepath.Dir(r.File)) + "/" + r.Twin
		loops[name]++
		forms[name] = r.remark
	}
	for name, r := range forms {
		if loops[name] > 1 || r.ID != "loopvec:Vectorized" || r.Args.Cost == 0 || r.Args.Scalar == 0 {
			delete(forms, name)
		}
	}
	return forms
}

// measureGains runs the benchmarks of those twins of an example that have estimates.
func measureGains(dir string, b benchmarked, forms map[string]remark) (gs []gained, err error) {
	twins := slices.DeleteFunc(b.twins, func(t string) bool { return forms[b.name+"/"+t].ID == "" })
	if len(twins) == 0 {
		return nil, nil
	}
	out, err := command(dir, "go", "test", "./examples/"+b.name, "-run=^$", "-benchtime=10ms", "-count="+strconv.Itoa(gainRuns),
		fmt.Sprintf("-bench=^BenchmarkTwin(%s)$/^n=%d$", strings.Join(twins, "|"), gainLength))
	if err != nil {
		return nil, err
	}
	times := bothSides(out)
	for _, t := range twins {
		if ns := times[t]; ns[0] > 0 && ns[1] > 0 {
			r := forms[b.name+"/"+t]
			gs = append(gs, gained{b.name + "/" + t, r.Args.Scalar / r.Args.Cost, ns[0] / ns[1], r})
		}
	}
	return gs, nil
}

var sideLine = regexp.MustCompile(`(?m)^BenchmarkTwin(\w+)/n=\d+/(scalar|vec)(?:-\d+)?\s+\d+\s+([0-9.]+) ns/op`)

// bothSides reads the fastest times of original and twin, by twin.
func bothSides(out []byte) map[string][2]float64 {
	times := make(map[string][2]float64)
	for _, m := range sideLine.FindAllSubmatch(out, -1) {
		side := 0
		if string(m[2]) == "vec" {
			side = 1
		}
		ns, err := strconv.ParseFloat(string(m[3]), 64)
		both := times[string(m[1])]
		if err == nil && (both[side] == 0 || ns < both[side]) {
			both[side] = ns
		}
		times[string(m[1])] = both
	}
	return times
}
