// Command run vectorizes the examples, says what was done to each loop, runs
// their benchmarks and prints how many times faster than its original each twin
// is:
//
//	go run ./examples/run
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"strings"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("run: ")
	packages := flag.String("packages", "./examples/...", "packages to vectorize and to benchmark")
	bench := flag.String("bench", ".", "regular expression: only these benchmarks")
	benchtime := flag.String("benchtime", "20ms", "time for each measurement")
	flag.Parse()

	fmt.Println("Vectorizing", *packages)
	if err := generate(os.Stdout, *packages); err != nil {
		log.Fatal(err)
	}
	fmt.Println("\nBenchmarking, original (/scalar) against twin (/vec)")
	if err := benchmark(os.Stdout, *packages, *bench, *benchtime); err != nil {
		log.Fatal(err)
	}
}

// A remark is what lanewise -json tells about a loop.
type remark struct {
	Kind string `json:"kind"`
	ID   string `json:"id"`
	File string `json:"file"`
	Line int    `json:"line"`
	Col  int    `json:"col"`
	Twin string `json:"twin"`
	Msg  string `json:"msg"`
}

// generate writes the twins and prints one line for each loop.
func generate(w io.Writer, packages string) error {
	cmd := exec.Command("go", "tool", "lanewise", "-tests", "-json", packages)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
	}
	return printRemarks(w, out)
}

// printRemarks prints the decisions among remarks, one JSON object per line.
func printRemarks(w io.Writer, lines []byte) error {
	verdicts := map[string]string{"passed": "vectorized", "missed": "not vectorized"}
	dec := json.NewDecoder(bytes.NewReader(lines))
	for dec.More() {
		var r remark
		if err := dec.Decode(&r); err != nil {
			return err
		}
		if verdict, ok := verdicts[r.Kind]; ok {
			fmt.Fprintf(w, "%s:%d:%d: %s: %s: %s [%s]\n", r.File, r.Line, r.Col, r.Twin, verdict, r.Msg, r.ID)
		}
	}
	return nil
}

// benchmark runs go test and prints its pairs as they come.
func benchmark(w io.Writer, packages, bench, benchtime string) error {
	cmd := exec.Command("go", "test", "-run", "^$", "-bench", bench, "-benchtime", benchtime, packages)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	pairs, others := printPairs(w, out)
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, others)
	}
	if pairs == 0 {
		return fmt.Errorf("no pair of benchmarks in %s", packages)
	}
	return nil
}
