// Command table measures the loops of TSVC, original against twin, and sets the
// result beside what gcc and clang make of the same loops in C (anchors.csv):
//
//	go run ./examples/tsvc/table            # one line per loop
//	go run ./examples/tsvc/table -reassoc   # with the clause reassoc at every loop
//	go run ./examples/tsvc/table -require   # loops that are left alone because of their cost, forced
//
// Run it at the root of the module.
package main

import (
	"bytes"
	"flag"
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
	require := flag.Bool("require", false, "with the clause require at the loops that are left alone because of their cost, and only those")
	rounds := flag.Int("rounds", 5, "runs, of which the fastest of each contender counts")
	benchtime := flag.String("benchtime", "10ms", "time for each measurement")
	loops := flag.String("loops", "", "regular expression: only these loops")
	readme := flag.String("readme", "", "put the summary by class into this `file`")
	flag.Parse()

	if err := run(*reassoc, *require, *rounds, *benchtime, *loops, *readme); err != nil {
		log.Fatal(err)
	}
}

func run(reassoc, require bool, rounds int, benchtime, only, readme string) error {
	dir := home
	verdicts, err := generate(dir)
	if err != nil {
		return err
	}
	if reassoc || require {
		if dir, err = os.MkdirTemp(home, "_variant"); err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		if err := again(dir, verdicts, reassoc, require); err != nil {
			return err
		}
	}
	times, err := measure(dir, rounds, benchtime, only)
	if err != nil {
		return err
	}
	all, err := readAnchors(filepath.Join(home, "anchors.csv"))
	if err != nil {
		return err
	}
	results := join(all, verdicts, times, reassoc)
	printLoops(os.Stdout, results)
	printSummary(os.Stdout, results)
	if readme == "" {
		return nil
	}
	return update(readme, results)
}

// again generates the twins with more clauses in dir and replaces the verdicts. With
// require only those remain that were a matter of cost.
func again(dir string, verdicts map[string]verdict, reassoc, require bool) error {
	clauses := make(map[string]string)
	for twin, v := range verdicts {
		if require && (v.vectorized || !v.cost) {
			delete(verdicts, twin)
			continue
		}
		if require {
			clauses[twin] += " require"
		}
		if reassoc {
			clauses[twin] += " reassoc"
		}
	}
	if err := variant(dir, clauses); err != nil {
		return err
	}
	forced, err := generate(dir)
	for twin := range verdicts {
		verdicts[twin] = forced[twin]
	}
	return err
}

// variant copies the loops to dir, with more clauses at some twins.
func variant(dir string, clauses map[string]string) error {
	files, err := filepath.Glob(filepath.Join(home, "*.go"))
	if err != nil {
		return err
	}
	for _, f := range files {
		name := filepath.Base(f)
		if strings.HasPrefix(name, "vec_") {
			continue
		}
		text, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), withClauses(text, clauses), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// withClauses appends to the directives of twins.
func withClauses(text []byte, clauses map[string]string) []byte {
	lines := bytes.Split(text, []byte("\n"))
	for i, l := range lines {
		if rest, ok := bytes.CutPrefix(l, []byte("//vec:func ")); ok {
			twin, _, _ := strings.Cut(string(rest), " ")
			lines[i] = append(bytes.Clone(l), clauses[twin]...)
		}
	}
	return bytes.Join(lines, []byte("\n"))
}
