package main

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// An anchor is what the C compilers make of a loop.
type anchor struct {
	loop, class  string
	gcc, clang   outcome // strict floating point
	gccF, clangF outcome // -ffast-math
}

// An outcome is whether a loop is vectorized and how many times faster it is than
// the same compiler's scalar code.
type outcome struct {
	vectorized bool
	gain       float64
}

func readAnchors(path string) ([]anchor, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, err
	}
	column := make(map[string]int)
	for i, name := range rows[0] {
		column[name] = i
	}
	var all []anchor
	for _, row := range rows[1:] {
		get := func(who string) outcome {
			gain, _ := strconv.ParseFloat(row[column[who+"_speedup"]], 64)
			return outcome{row[column[who]] == "1", gain}
		}
		all = append(all, anchor{row[column["loop"]], row[column["category"]],
			get("gcc_strict"), get("clang_strict"), get("gcc_fast"), get("clang_fast")})
	}
	return all, nil
}

// A result is one loop of the table.
type result struct {
	loop, class      string
	gcc, clang, ours outcome
	verdict
}

// join puts together what is known of the loops that were asked for.
func join(anchors []anchor, verdicts map[string]verdict, measured map[string]times, fast bool) []result {
	var all []result
	for _, a := range anchors {
		t, ok := measured[a.loop]
		if !ok || t.twin == 0 {
			continue
		}
		v, ok := verdicts[strings.ToUpper(a.loop[:1])+a.loop[1:]]
		if !ok {
			continue
		}
		r := result{a.loop, a.class, a.gcc, a.clang, outcome{v.vectorized, t.scalar / t.twin}, v}
		if fast {
			r.gcc, r.clang = a.gccF, a.clangF
		}
		all = append(all, r)
	}
	return all
}

func (o outcome) String() string {
	if !o.vectorized {
		return "-"
	}
	return fmt.Sprintf("%.1f×", o.gain)
}

func printLoops(w io.Writer, results []result) {
	t := tabwriter.NewWriter(w, 0, 0, 1, ' ', 0)
	fmt.Fprintln(t, "| loop\t| class\t| gcc\t| clang\t| lanewise\t| ratio\t| why not\t|")
	fmt.Fprintln(t, "| ---\t| ---\t| ---\t| ---\t| ---\t| ---\t| ---\t|")
	for _, r := range results {
		ours := r.ours.String()
		if r.partial {
			ours += " in part"
		}
		why := r.why
		if r.vectorized {
			why = ""
		}
		fmt.Fprintf(t, "| %s\t| %s\t| %v\t| %v\t| %s\t| %.2f\t| %s\t|\n", r.loop, r.class, r.gcc, r.clang, ours, r.ours.gain, why)
	}
	t.Flush()
}

// A sum counts loops and multiplies gains.
type sum struct {
	vectorized int
	log        float64
}

func (s *sum) add(o outcome) {
	if o.vectorized {
		s.vectorized++
	}
	s.log += math.Log(o.gain)
}

func (s *sum) text(n int) string {
	return fmt.Sprintf("%d, %.2f×", s.vectorized, math.Exp(s.log/float64(n)))
}

// classTable has a line per class and one for all: loops vectorized and the
// geometric mean of the gains, loops that stay scalar included.
func classTable(w io.Writer, results []result) {
	classes := make(map[string][]result)
	for _, r := range results {
		classes[r.class] = append(classes[r.class], r)
	}
	var names []string
	for name := range classes {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(len(classes[b])-len(classes[a]), cmp.Compare(a, b))
	})
	t := tabwriter.NewWriter(w, 0, 0, 1, ' ', 0)
	fmt.Fprintln(t, "| class of loops\t| loops\t| gcc\t| clang\t| lanewise\t|")
	fmt.Fprintln(t, "| ---\t| ---\t| ---\t| ---\t| ---\t|")
	for _, name := range names {
		classLine(t, name, classes[name])
	}
	classLine(t, "all", results)
	t.Flush()
}

func classLine(w io.Writer, name string, results []result) {
	var gcc, clang, ours sum
	for _, r := range results {
		gcc.add(r.gcc)
		clang.add(r.clang)
		ours.add(r.ours)
	}
	n := len(results)
	fmt.Fprintf(w, "| %s\t| %d\t| %s\t| %s\t| %s\t|\n", name, n, gcc.text(n), clang.text(n), ours.text(n))
}

func printSummary(w io.Writer, results []result) {
	fmt.Fprintln(w)
	classTable(w, results)
	partial, slowest := 0, result{ours: outcome{gain: math.Inf(1)}}
	for _, r := range results {
		if r.partial {
			partial++
		}
		if r.vectorized && r.ours.gain < slowest.ours.gain {
			slowest = r
		}
	}
	fmt.Fprintf(w, "\nin part: %d; least gain of a vectorized loop: %.2f (%s)\n", partial, slowest.ours.gain, slowest.loop)
}

// update puts the table of classes between its markers.
func update(path string, results []result) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	begin, end := "<!-- begin tsvc -->\n", "<!-- end tsvc -->"
	before, rest, found := strings.Cut(string(text), begin)
	_, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		return fmt.Errorf("%s: no markers of tsvc", path)
	}
	var table strings.Builder
	classTable(&table, results)
	return os.WriteFile(path, []byte(before+begin+table.String()+end+after), 0o644)
}
