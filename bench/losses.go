package main

import (
	"fmt"
	"io"
	"log"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A loss is what a twin costs beyond its original at small lengths.
type loss struct {
	name  string
	from  int                  // the length at which vectors start, at the earliest; larger than all when unknown
	extra [longest + 1]float64 // by length: ns below the threshold, a ratio from there on; NaN where not measured
}

// worst is the largest extra cost below the threshold, or from there on.
func (l *loss) worst(below bool) (extra float64, at int) {
	extra = math.Inf(-1)
	for n, x := range l.extra {
		if (n < l.from) == below && x > extra {
			extra, at = x, n
		}
	}
	return extra, at
}

// loses reports whether the twin costs more than it may.
func (l *loss) loses() bool {
	below, _ := l.worst(true)
	above, _ := l.worst(false)
	return below > mayLose || above > mayBeSlow
}

// both keeps at each length the smaller loss of two builds: what the place of code costs
// is not there in all of them.
func (l *loss) both(m *loss) {
	for n := range l.extra {
		l.extra[n] = min(l.extra[n], m.extra[n])
	}
}

// What a twin may cost: in ns below its threshold, and as a ratio above, where noise is
// all that may show.
const (
	mayLose   = 1.0
	mayBeSlow = 1.1
)

// againIn is in how many builds, with functions in another order each, twins that lose
// are measured again.
const againIn = 4

// printLosses measures every twin of the examples at all lengths from 0 to 64, with the
// arguments of its generated benchmark, and prints what each loses at worst; those that
// lose more than they may in all of several builds come at the end.
func printLosses(w io.Writer, o options) {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	wanted, err := o.benchmarked()
	if err != nil {
		log.Fatal(err)
	}
	all := newTable(lossHeader...)
	losers := newTable(lossHeader...)
	for _, b := range wanted {
		found, err := o.losses(dir, b, 0)
		if err != nil {
			log.Fatal(err)
		}
		before := len(all.rows)
		for _, l := range found {
			all.add(l.line()...)
		}
		again, err := o.lossesAgain(dir, b, found)
		if err != nil {
			log.Fatal(err)
		}
		log.Printf("%s: %d twins, %d of them lose", b.name, len(all.rows)-before, len(again))
		for _, l := range again {
			losers.add(l.line()...)
			log.Print("    ", strings.Join(l.line(), " | "))
		}
	}
	fmt.Fprintf(w, "Twins of all examples at n from 0 to %d: ns more than the original below the length\n", longest)
	fmt.Fprintf(w, "where vectors start, and time of the twin / time of the original above, at worst.\n\n")
	all.print(w)
	fmt.Fprintf(w, "\nMore than %.0f ns, or slower than %.1f times, in each of %d builds:\n\n", mayLose, mayBeSlow, 1+againIn)
	losers.print(w)
}

// lossesAgain measures those that lose in other builds, and returns those that still do.
func (o options) lossesAgain(dir string, b benchmarked, found []*loss) ([]*loss, error) {
	for seed := 1; seed <= againIn; seed++ {
		found = slices.DeleteFunc(found, func(l *loss) bool { return !l.loses() })
		if len(found) == 0 {
			break
		}
		b.twins = nil
		for _, l := range found {
			_, twin, _ := strings.Cut(l.name, "/")
			b.twins = append(b.twins, twin)
		}
		more, err := o.losses(dir, b, seed)
		if err != nil {
			return nil, err
		}
		for i, l := range found {
			if i < len(more) && more[i].name == l.name {
				l.both(more[i])
			}
		}
	}
	return slices.DeleteFunc(found, func(l *loss) bool { return !l.loses() }), nil
}

var lossHeader = []string{"twin", "vectors from", "ns more below", "ratio above"}

func (l *loss) line() []string {
	from := "?"
	if l.from <= longest {
		from = strconv.Itoa(l.from)
	} else if l.from < math.MaxInt {
		from = fmt.Sprintf("> %d", longest)
	}
	below, above := "", ""
	if x, n := l.worst(true); !math.IsInf(x, 0) {
		below = fmt.Sprintf("%+.1f at %d", x, n)
	}
	if x, n := l.worst(false); !math.IsInf(x, 0) {
		above = fmt.Sprintf("%.2f at %d", x, n)
	}
	return []string{l.name, from, below, above}
}

var smallMeasured = regexp.MustCompile(`(?m)^small BenchmarkTwin(\S+) (\d+) ([0-9.]+) ([0-9.]+)$`)

// losses builds the benchmarks of an example, with functions in an order that depends
// on seed, and runs them.
func (o options) losses(dir string, b benchmarked, seed int) ([]*loss, error) {
	exe, flags := filepath.Join(dir, b.name+".test"), "-s -w"
	if seed > 0 {
		flags += " -randlayout=" + strconv.Itoa(seed)
	}
	if _, err := command("..", "go", "test", "-c", "-ldflags="+flags, "-o", exe, "./examples/"+b.name); err != nil {
		return nil, err
	}
	defer os.Remove(exe)
	folder := filepath.Join("..", "examples", b.name)
	out, err := command(folder, "env", "TWINTEST_SMALL="+strconv.Itoa(o.rounds), exe,
		"-test.run=^$", "-test.benchtime=1x", "-test.bench=^BenchmarkTwin("+strings.Join(b.twins, "|")+")$")
	if err != nil {
		return nil, err
	}
	code, err := os.ReadFile(filepath.Join(folder, "vec_amd64.go"))
	if err != nil {
		return nil, err
	}
	var all []*loss
	for _, m := range smallMeasured.FindAllStringSubmatch(string(out), -1) {
		name := b.name + "/" + m[1]
		if len(all) == 0 || all[len(all)-1].name != name {
			all = append(all, newLoss(name, vectorsFrom(string(code), m[1])))
		}
		all[len(all)-1].see(m[2], m[3], m[4])
	}
	return all, nil
}

func newLoss(name string, from int) *loss {
	l := &loss{name: name, from: from}
	for n := range l.extra {
		l.extra[n] = math.NaN()
	}
	return l
}

// see takes a line of what was measured.
func (l *loss) see(length, original, twin string) {
	n, _ := strconv.Atoi(length)
	o, _ := strconv.ParseFloat(original, 64)
	t, _ := strconv.ParseFloat(twin, 64)
	if n >= len(l.extra) || o <= 0 {
		return
	}
	l.extra[n] = t - o
	if n >= l.from {
		l.extra[n] = t / o
	}
}

var (
	topLevel  = regexp.MustCompile(`(?m)^}\n`)
	vectorsAt = regexp.MustCompile(`>= (\d+) && cpu\.`)
)

// vectorsFrom reads the smallest length with vectors in the code of a twin.
func vectorsFrom(code, twin string) int {
	_, body, ok := strings.Cut(code, "\nfunc "+twin+"(")
	if !ok {
		return math.MaxInt
	}
	if end := topLevel.FindStringIndex(body); end != nil {
		body = body[:end[0]]
	}
	least := math.MaxInt
	for _, m := range vectorsAt.FindAllStringSubmatch(body, -1) {
		if n, err := strconv.Atoi(m[1]); err == nil {
			least = min(least, n)
		}
	}
	return least
}
