package main

import (
	"cmp"
	"fmt"
	"io"
	"log"
	"math"
	"os"
	"path/filepath"
	"slices"
)

// The table of sizes shows what levels of -outline save: the machine code of the
// kernels of every example in a program that uses all twins, as its symbols have it.
// Beside that stands what the tool estimated, which its remarks say.

// sizeLevels are the levels to compare. The first is what others are compared with.
var sizeLevels = []string{"none", "merge", "size"}

// A sized is an example, or all of them, at each of the levels.
type sized struct {
	name      string
	kernels   int   // at the first level
	text      []int // bytes of kernels and their routines
	padding   []int // bytes of text that align loops
	estimated []int // bytes that the tool said it saves, without padding
}

func (s *sized) add(t *sized) {
	s.kernels += t.kernels
	for i := range sizeLevels {
		s.text[i] += t.text[i]
		s.padding[i] += t.padding[i]
		s.estimated[i] += t.estimated[i]
	}
}

// code is the number of bytes at a level that are no padding.
func (s *sized) code(level int) int { return s.text[level] - s.padding[level] }

func newSized(name string) *sized {
	n := len(sizeLevels)
	return &sized{name: name, text: make([]int, n), padding: make([]int, n), estimated: make([]int, n)}
}

// printSize prints the sizes of kernels by example, and of the whole program.
func printSize(w io.Writer, o options) {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	all, programs, err := o.sizesIn(dir)
	if err != nil {
		log.Fatal(err)
	}
	if len(all) > 0 {
		fmt.Fprintf(w, "Size of kernels in bytes, by level of outlining\n\n")
		sizeTable(all).print(w)
		for i, level := range sizeLevels[1:] {
			fmt.Fprintf(w, "Level %s: %s\n", level, deviation(all, i+1))
		}
		fmt.Fprintln(w)
		programTable(all, programs).print(w)
	}
}

// sizesIn generates the examples wanted at every level in dir and builds programs of
// them. It returns the examples and the bytes of machine code of each program.
func (o options) sizesIn(dir string) (all []*sized, programs []int, err error) {
	names, err := o.assembled()
	if err != nil || len(names) == 0 {
		return nil, nil, err
	}
	tool, err := buildTool(dir)
	if err != nil {
		return nil, nil, err
	}
	for _, name := range names {
		all = append(all, newSized(name))
	}
	for i, level := range sizeLevels {
		b := build{dir: filepath.Join(dir, level), names: names}
		if err := b.make(tool, level); err != nil {
			return nil, nil, fmt.Errorf("level %s: %w", level, err)
		}
		programs = append(programs, b.text)
		for k, s := range all {
			made := b.kernels[k]
			s.text[i], s.padding[i], s.estimated[i] = made.bytes, made.padding, made.saved
			if i == 0 {
				s.kernels = made.number
			}
		}
	}
	return all, programs, nil
}

// assembled are the examples with kernels.
func (o options) assembled() (names []string, err error) {
	files, err := filepath.Glob("../examples/*/vec_amd64.s")
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no examples found (in folder bench?): %v", err)
	}
	for _, file := range files {
		if name := filepath.Base(filepath.Dir(file)); o.wants(name) {
			names = append(names, name)
		}
	}
	return names, nil
}

func total(all []*sized) *sized {
	sum := newSized("all")
	for _, s := range all {
		sum.add(s)
	}
	return sum
}

func sizeTable(all []*sized) *table {
	header := []string{"example", "kernels", sizeLevels[0]}
	for _, level := range sizeLevels[1:] {
		header = append(header, level, "less", "estimated")
	}
	t := newTable(header...)
	for _, s := range append(all[:len(all):len(all)], total(all)) {
		cells := []string{s.name, fmt.Sprint(s.kernels), fmt.Sprint(s.text[0])}
		for i := range sizeLevels[1:] {
			cells = append(cells, fmt.Sprint(s.text[i+1]), percent(s.text[0]-s.text[i+1], s.text[0]), percent(s.estimated[i+1], s.code(0)))
		}
		t.add(cells...)
	}
	return t
}

// deviation says how far the sizes that are estimated for a level are from what they are,
// without padding.
func deviation(all []*sized, level int) string {
	off := func(s *sized) float64 {
		return float64(s.code(0)-s.estimated[level]-s.code(level)) / float64(s.code(level))
	}
	worst := slices.MaxFunc(all, func(a, b *sized) int { return cmp.Compare(math.Abs(off(a)), math.Abs(off(b))) })
	return fmt.Sprintf("estimated sizes are %+.1f%% off in sum, at most %+.1f%%, for %s", 100*off(total(all)), 100*off(worst), worst.name)
}

// programTable is how much of a program with all examples is kernels.
func programTable(all []*sized, programs []int) *table {
	sum := total(all)
	t := newTable("program at level", "machine code", "less", "kernels", "share")
	for i, level := range sizeLevels {
		t.add(level, fmt.Sprint(programs[i]), percent(programs[0]-programs[i], programs[0]), fmt.Sprint(sum.text[i]), percent(sum.text[i], programs[i]))
	}
	return t
}

func percent(part, whole int) string {
	if whole == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f%%", 100*float64(part)/float64(whole))
}
