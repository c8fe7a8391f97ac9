package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// A table is printed as Markdown, columns aligned.
type table struct{ rows [][]string }

func newTable(header ...string) *table { return &table{[][]string{header}} }

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

func (t *table) print(w io.Writer) {
	width := make([]int, len(t.rows[0]))
	for _, row := range t.rows {
		for i, cell := range row {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	for i, row := range t.rows {
		printRow(w, row, width)
		if i == 0 {
			rule := make([]string, len(width))
			for j, n := range width {
				rule[j] = strings.Repeat("-", n)
			}
			printRow(w, rule, width)
		}
	}
	fmt.Fprintln(w)
}

func printRow(w io.Writer, cells []string, width []int) {
	for i, cell := range cells {
		fmt.Fprintf(w, "| %-*s ", width[i], cell)
	}
	fmt.Fprintln(w, "|")
}
