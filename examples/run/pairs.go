package main

import (
	"bufio"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// result matches one line of a benchmark: name, processors, nanoseconds.
var result = regexp.MustCompile(`^Benchmark(\S+?)(?:-\d+)?\s+\d+\s+([0-9.]+) ns/op`)

// printPairs reads the output of go test -bench and prints a line for each pair
// of benchmarks that differ in an element scalar or vec of their names. It
// returns the number of pairs and the lines that are no results.
func printPairs(w io.Writer, r io.Reader) (pairs int, others string) {
	var (
		seen = map[string]float64{} // by full name
		pkg  string
		rest strings.Builder
	)
	for lines := bufio.NewScanner(r); lines.Scan(); {
		line := lines.Text()
		if p, ok := strings.CutPrefix(line, "pkg: "); ok {
			pkg = path.Base(p)
			continue
		}
		m := result.FindStringSubmatch(line)
		if m == nil {
			fmt.Fprintln(&rest, line)
			continue
		}
		ns, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			fmt.Fprintln(&rest, line)
			continue
		}
		name := pkg + "." + m[1]
		seen[name] = ns
		if scalar, vec, base, ok := partners(name); ok {
			s, haveScalar := seen[scalar]
			v, haveVec := seen[vec]
			if haveScalar && haveVec {
				pairs++
				fmt.Fprintf(w, "%-44s %12.1f ns %12.1f ns %8.1fx\n", base, s, v, s/v)
			}
		}
	}
	return pairs, rest.String()
}

// partners splits the name of a benchmark of a pair into the names of both and
// what they have in common.
func partners(name string) (scalar, vec, base string, ok bool) {
	parts := strings.Split(name, "/")
	i := slices.IndexFunc(parts, func(p string) bool { return p == "scalar" || p == "vec" })
	if i < 0 {
		return "", "", "", false
	}
	with := func(p string) string {
		return strings.Join(slices.Replace(slices.Clone(parts), i, i+1, p), "/")
	}
	return with("scalar"), with("vec"), strings.Join(slices.Delete(slices.Clone(parts), i, i+1), "/"), true
}
