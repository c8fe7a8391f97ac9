package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
)

// updateReadme measures the tables of the README and puts them between their
// markers.
func updateReadme(path string, o options) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for _, t := range []struct {
		marker string
		print  func(io.Writer, options)
	}{
		{"examples", printExamples},
		{"straight", printStraight},
		{"libraries", printSummary},
	} {
		var b bytes.Buffer
		t.print(&b, o)
		if text, err = replace(text, t.marker, b.String()); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return os.WriteFile(path, text, 0o644)
}

// replace puts the table of a printed text, without its title, between the
// markers of that name.
func replace(text []byte, marker, printed string) ([]byte, error) {
	_, table, _ := strings.Cut(printed, "\n\n")
	begin, end := "<!-- begin "+marker+" -->\n", "<!-- end "+marker+" -->"
	before, rest, found := strings.Cut(string(text), begin)
	_, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		return nil, fmt.Errorf("no markers of %s", marker)
	}
	return []byte(before + begin + strings.TrimSpace(table) + "\n" + end + after), nil
}

// printSummary prints the twin's time over that of the best library alone.
func printSummary(w io.Writer, o options) {
	fmt.Fprintf(w, "Against libraries: twin / best library\n\n")
	t := newTable(lengthColumns(o)...)
	for _, r := range againstLibraries() {
		if !o.wants(r.name) {
			continue
		}
		line := []string{r.name}
		for _, n := range o.lengths {
			ns := measure(r.contenders(n), o.rounds)
			line = append(line, fmt.Sprintf("%.2f", ns[1]/best(ns[2:])))
		}
		t.add(line...)
	}
	t.print(w)
}
