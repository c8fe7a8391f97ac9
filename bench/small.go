package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// longest is the largest of the small lengths.
const longest = 64

// shown are the lengths with a column of their own in the table of small lengths.
var shown = []int{0, 1, 2, 4, 7, 8, 12, 15, 16, 24, 31, 32, 48, longest}

// A smallRow is what a twin costs beyond its original, in ns by length.
type smallRow struct {
	Name  string
	Extra []float64
}

// printSmall prints what a twin costs beyond its original where it has the least
// to win. Every length from 0 to 64 is measured.
func printSmall(w io.Writer, o options) {
	placements, err := o.smallRows()
	if err != nil {
		log.Fatal(err)
	}
	if o.json {
		printJSON(w, placements[0])
		return
	}
	fmt.Fprintf(w, "Small lengths: ns of the twin minus ns of the original; worst of all n from 0 to %d.\n", longest)
	fmt.Fprintf(w, "Originals that branch on their data get %d fresh elements. Mean of %d placements of the code.\n\n", endless, len(placements))
	header := []string{"loop"}
	for _, n := range shown {
		header = append(header, fmt.Sprint(n))
	}
	t := newTable(append(header, "worst", "in one placement")...)
	for i, r := range placements[0] {
		all := make([][]float64, len(placements))
		for j, p := range placements {
			all[j] = p[i].Extra
		}
		t.add(smallLine(r.Name, all)...)
	}
	t.print(w)
}

func printJSON(w io.Writer, rows []smallRow) {
	if err := json.NewEncoder(w).Encode(rows); err != nil {
		log.Fatal(err)
	}
}

// smallLine is the line of a row that was measured in several placements.
func smallLine(name string, placements [][]float64) []string {
	mean, single := make([]float64, longest+1), make([]float64, longest+1)
	for n := range mean {
		single[n] = placements[0][n]
		for _, p := range placements {
			mean[n] += p[n] / float64(len(placements))
			single[n] = max(single[n], p[n])
		}
	}
	line := []string{name}
	for _, n := range shown {
		line = append(line, fmt.Sprintf("%+.1f", mean[n]))
	}
	return append(line, worst(mean), worst(single))
}

// worst is the largest of extra costs and its length.
func worst(extra []float64) string {
	at := 0
	for n, d := range extra {
		if d > extra[at] {
			at = n
		}
	}
	return fmt.Sprintf("%+.1f at %d", extra[at], at)
}

// smallRows measures the rows in each placement.
func (o options) smallRows() ([][]smallRow, error) {
	if o.placements <= 1 {
		return [][]smallRow{o.measureSmall()}, nil
	}
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var all [][]smallRow
	for seed := 1; seed <= o.placements; seed++ {
		rows, err := o.placed(filepath.Join(dir, "bench"), seed)
		if err != nil {
			return nil, err
		}
		all = append(all, rows)
	}
	return all, nil
}

// measureSmall measures the rows in this process.
func (o options) measureSmall() []smallRow {
	var rows []smallRow
	for _, r := range examples() {
		if !o.wants(r.name) {
			continue
		}
		extra := make([]float64, longest+1)
		for n := range extra {
			ns := measure(r.contenders(n)[:2], o.rounds)
			extra[n] = ns[1] - ns[0]
		}
		rows = append(rows, smallRow{r.name, extra})
	}
	return rows
}

// placed builds this program with its functions in an order that depends on
// seed, and measures with that. Where a short loop lies relative to the lines of
// the instruction cache changes its time by half, and an unrelated edit moves it.
func (o options) placed(exe string, seed int) ([]smallRow, error) {
	build := exec.Command("go", "build", "-ldflags=-randlayout="+strconv.Itoa(seed), "-o", exe, ".")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return nil, fmt.Errorf("building placement %d (in folder bench?): %w", seed, err)
	}
	run := exec.Command(exe, "-table", "small", "-json", "-rows", o.rows.String(), "-rounds", strconv.Itoa(o.rounds))
	run.Stderr = os.Stderr
	out, err := run.Output()
	if err != nil {
		return nil, err
	}
	var rows []smallRow
	return rows, json.Unmarshal(out, &rows)
}
