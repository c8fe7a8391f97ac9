// Command bench measures twins against their originals and against hand-written
// libraries, all in one process, on the same data, in turns. See README.md.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/lanewise/lanewise/runtime/cpu"
)

// options choose what to measure.
type options struct {
	lengths    []int
	rounds     int
	rows       *regexp.Regexp
	placements int    // of the code, for the table of small lengths
	json       bool   // that table for programs
	levels     string // of -outline, two with a comma
	forced     bool   // in the table of memory forms, vectors whatever they cost
}

func (o options) wants(name string) bool { return o.rows.MatchString(name) }

// tables in the order in which they are printed.
var tables = []struct {
	name  string
	print func(io.Writer, options)
}{
	{"libraries", printLibraries},
	{"menus", printMenus},
	{"examples", printExamples},
	{"straight", printStraight},
	{"small", printSmall},
	{"losses", printLosses},
	{"density", printDensities},
	{"found", printFound},
	{"memory", printMemory},
	{"model", printModel},
	{"gains", printGains},
	{"bounds", printBounds},
	{"compilers", printCompilers},
	{"outline", printOutline},
	{"size", printSize},
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("bench: ")
	wanted := flag.String("table", "libraries", "tables to print: libraries, menus, examples, straight, small, losses, density, found, memory, model, gains, bounds, compilers, outline, size, or all; several with commas")
	lengths := flag.String("n", "31,256,4096,1048576", "lengths for the tables of libraries and examples; for the table of outlining those of 31, 256, 4096 and 65536 among them")
	rows := flag.String("rows", "", "regular expression: only these rows")
	rounds := flag.Int("rounds", 200, "samples of each contender, of which the fastest counts; a tenth of them for the table of outlining")
	placements := flag.Int("placements", 1, "for the tables of small lengths and of outlining: builds with functions in another order, over which it is averaged, or of which the fastest counts")
	asJSON := flag.Bool("json", false, "print the table of small lengths as JSON, every length of it")
	forced := flag.Bool("forced", false, "for the table of memory forms: vectors also where they are not thought to pay")
	levels := flag.String("levels", chosenLevels, "for the table of outlining: the two levels to compare; the same one twice shows what the place of code does")
	readme := flag.String("readme", "", "measure the tables of this `file` and replace them there, instead of printing")
	plotFile := flag.String("plot", "", "draw the first row of the menus that -rows matches at lengths from 1 to 1<<22 into this `file`, an SVG or a PNG, instead of printing")
	flag.Parse()

	chosen, err := choose(*wanted)
	if err != nil {
		log.Fatal(err)
	}
	o := options{rounds: *rounds, placements: *placements, json: *asJSON, levels: *levels, forced: *forced}
	if o.lengths, err = parseLengths(*lengths); err != nil {
		log.Fatal(err)
	}
	if o.rows, err = regexp.Compile(*rows); err != nil {
		log.Fatal(err)
	}
	if *plotFile != "" {
		if err := writePlot(*plotFile, o); err != nil {
			log.Fatal(err)
		}
		return
	}
	if *readme != "" {
		if err := updateReadme(*readme, o); err != nil {
			log.Fatal(err)
		}
		return
	}
	if !o.json {
		fmt.Printf("twins run at level %s\n\n", cpu.Level())
	}
	for _, print := range chosen {
		print(os.Stdout, o)
	}
}

// choose looks up tables by name.
func choose(names string) ([]func(io.Writer, options), error) {
	var prints []func(io.Writer, options)
	for name := range strings.SplitSeq(names, ",") {
		found := false
		for _, t := range tables {
			if name == t.name || name == "all" {
				prints, found = append(prints, t.print), true
			}
		}
		if !found {
			return nil, fmt.Errorf("no table %q", name)
		}
	}
	return prints, nil
}

func parseLengths(list string) ([]int, error) {
	var ns []int
	for s := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("bad length %q", s)
		}
		ns = append(ns, n)
	}
	return ns, nil
}
