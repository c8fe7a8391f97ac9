// Command table measures the loops of TSVC, original against twin, and sets the
// result beside what gcc and clang make of the same loops in C (anchors.csv):
//
//	go run ./examples/tsvc/table            # one line per loop
//	go run ./examples/tsvc/table -reassoc   # with the clause reassoc at every loop
//
// Run it at the root of the module.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
)

// home is the folder of the loops.
const home = "examples/tsvc"

func main() {
	log.SetFlags(0)
	log.SetPrefix("table: ")
	reassoc := flag.Bool("reassoc", false, "with the clause reassoc at every loop")
	require := flag.Bool("require", false, "with the clause require at every loop: vectors whatever they cost")
	rounds := flag.Int("rounds", 5, "runs, of which the fastest of each contender counts")
	benchtime := flag.String("benchtime", "10ms", "time for each measurement")
	loops := flag.String("loops", "", "regular expression: only these loops")
	readme := flag.String("readme", "", "put the summary by class into this `file`")
	flag.Parse()

	var clauses []string
	if *reassoc {
		clauses = append(clauses, "reassoc")
	}
	if *require {
		clauses = append(clauses, "require")
	}
	if err := run(clauses, *rounds, *benchtime, *loops, *readme); err != nil {
		log.Fatal(err)
	}
}

func run(clauses []string, rounds int, benchtime, only, readme string) error {
	dir := home
	if len(clauses) > 0 {
		var err error
		if dir, err = variant(clauses); err != nil {
			return err
		}
		defer os.RemoveAll(dir)
	}
	verdicts, err := generate(dir)
	if err != nil {
		return err
	}
	times, err := measure(dir, rounds, benchtime, only)
	if err != nil {
		return err
	}
	all, err := readAnchors(filepath.Join(home, "anchors.csv"))
	if err != nil {
		return err
	}
	results := join(all, verdicts, times, len(clauses) > 0 && clauses[0] == "reassoc")
	printLoops(os.Stdout, results)
	printSummary(os.Stdout, results)
	if readme == "" {
		return nil
	}
	return update(readme, results)
}

// variant copies the loops to a folder of its own, with more clauses.
func variant(clauses []string) (string, error) {
	dir, err := os.MkdirTemp(home, "_variant")
	if err != nil {
		return "", err
	}
	files, err := filepath.Glob(filepath.Join(home, "*.go"))
	if err != nil {
		return dir, err
	}
	for _, f := range files {
		name := filepath.Base(f)
		if strings.HasPrefix(name, "vec_") {
			continue
		}
		text, err := os.ReadFile(f)
		if err != nil {
			return dir, err
		}
		if err := os.WriteFile(filepath.Join(dir, name), withClauses(text, clauses), 0o644); err != nil {
			return dir, err
		}
	}
	return dir, nil
}

// withClauses appends to every directive.
func withClauses(text []byte, clauses []string) []byte {
	lines := bytes.Split(text, []byte("\n"))
	for i, l := range lines {
		if bytes.HasPrefix(l, []byte("//vec:func ")) {
			lines[i] = fmt.Appendf(nil, "%s %s", l, strings.Join(clauses, " "))
		}
	}
	return bytes.Join(lines, []byte("\n"))
}
