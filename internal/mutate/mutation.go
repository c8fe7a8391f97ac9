// Command mutate measures the tests: it breaks the product on purpose, in one place at a
// time, and looks whether a test fails. What is broken is data, the files in
// mutations; what a mutation that nothing notices shows is a test that is missing.
//
//	go run ./internal/mutate               all of them, and the score
//	go run ./internal/mutate -run swapped  those whose name or file matches
//	go run ./internal/mutate -list         their names and what is wrong
//
// The tree stays as it is: the go command reads the changed file through an overlay,
// and so do the go commands that tests start. It knows nothing of the packages that it breaks.
package main

import (
	"fmt"
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// A mutation is a small wrong change of one file.
type mutation struct {
	name  string   // unique
	what  string   // what is wrong, in a sentence
	file  string   // slash path from the module's root
	hunk  []string // lines: what they are first (' ' stays, '-' goes, '+' comes), then the text
	tests []string // arguments of go test, the cheapest that catches it first

	at string // file and line of the list, for messages
}

// readMutations reads the lists of a directory, in the order of their names.
func readMutations(dir string) (all []*mutation, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		some, err := parseMutations(filepath.Base(f), string(text))
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// parseMutations reads a list:
//
//	== name
//	What is wrong.
//	file: path/of/file.go
//	 	a line that stays
//	-	a line that goes
//	+	a line that comes
//	test: ./package -run Test
//
// Lines that start with # are comments.
func parseMutations(file, text string) (all []*mutation, err error) {
	var m *mutation
	for i, line := range strings.Split(text, "\n") {
		at := fmt.Sprintf("%s:%d", file, i+1)
		if name, ok := strings.CutPrefix(line, "== "); ok {
			m = &mutation{name: name, at: at}
			all = append(all, m)
			continue
		}
		if line == "" || line[0] == '#' {
			continue
		}
		if m == nil || !m.add(line) {
			return nil, fmt.Errorf("%s: unexpected line %q", at, line)
		}
	}
	for _, m := range all {
		if m.name == "" || m.what == "" || m.file == "" || len(m.hunk) == 0 || len(m.tests) == 0 {
			return nil, fmt.Errorf("%s: %q is not complete", m.at, m.name)
		}
	}
	return all, nil
}

// add takes one line of the description.
func (m *mutation) add(line string) bool {
	if f, ok := strings.CutPrefix(line, "file: "); ok && m.file == "" {
		m.file = f
	} else if t, ok := strings.CutPrefix(line, "test: "); ok && m.hunk != nil {
		m.tests = append(m.tests, t)
	} else if strings.ContainsRune(" -+", rune(line[0])) && m.file != "" && m.tests == nil {
		m.hunk = append(m.hunk, line)
	} else if m.file == "" {
		m.what = strings.TrimSpace(m.what + " " + line)
	} else {
		return false
	}
	return true
}

// apply gives the changed source. The lines that stay or go must stand in it, in a row, exactly
// once, whatever their indentation is. Nothing else moves, so that lines in messages are right.
func (m *mutation) apply(source string) (string, error) {
	var old, changed []string
	for _, l := range m.hunk {
		if l[0] != '+' {
			old = append(old, strings.TrimSpace(l[1:]))
		}
		if l[0] != '-' {
			changed = append(changed, l[1:])
		}
	}
	lines := strings.Split(source, "\n")
	at, count := 0, 0
	for i := range lines {
		if startsWith(lines[i:], old) {
			at, count = i, count+1
		}
	}
	if count != 1 {
		return "", fmt.Errorf("%s: the old lines of %s occur %d times in %s", m.at, m.name, count, m.file)
	}
	if sameTokens(old, changed) {
		return "", fmt.Errorf("%s: %s changes nothing", m.at, m.name)
	}
	return strings.Join(lines[:at], "\n") + "\n" + strings.Join(changed, "\n") + "\n" + strings.Join(lines[at+len(old):], "\n"), nil
}

// startsWith says whether lines begin with some, indentation aside.
func startsWith(lines, some []string) bool {
	if len(lines) < len(some) || len(some) == 0 {
		return false
	}
	for i, s := range some {
		if strings.TrimSpace(lines[i]) != s {
			return false
		}
	}
	return true
}

// sameTokens says whether two pieces of Go are the same but for comments and spaces.
func sameTokens(a, b []string) bool {
	return tokens(strings.Join(a, "\n")) == tokens(strings.Join(b, "\n"))
}

func tokens(text string) string {
	var s scanner.Scanner
	fset := token.NewFileSet()
	s.Init(fset.AddFile("", fset.Base(), len(text)), []byte(text), nil, 0)
	var sb strings.Builder
	for {
		_, tok, lit := s.Scan()
		if tok == token.EOF {
			return sb.String()
		}
		fmt.Fprintf(&sb, "%s %s\n", tok, lit)
	}
}
