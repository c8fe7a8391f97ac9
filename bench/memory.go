package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// The table of memory forms is about loops that are no examples: a grid of element
// types, strides and members. They are written, vectorized and built in a temporary
// module each time, so that what is measured is what the tool makes today.

// A formRow is what one loop of a grid came to.
type formRow struct {
	Name  string
	Times []float64 // nanoseconds per iteration: of the original, and of its twins
	Cycle float64   // nanoseconds per cycle
	form  remark    // about the first twin
}

func (r *formRow) original() float64 { return r.Times[0] }
func (r *formRow) twin() float64     { return r.Times[1] }

// cycles of version k per iteration.
func (r *formRow) cycles(k int) float64 { return r.Times[k] / r.Cycle }

// A remark is a line of the tool's output.
type remark struct {
	ID   string
	Twin string
	Msg  string
	Args struct {
		Cost, Scalar float64
		Memory       string
		VF, UF       int
	}
}

// longestForms is the longest run of the table: at the larger strides, what is
// longer measures the memory.
const longestForms = 4096

// printMemory prints what the loops of the grid came to, and what was estimated.
func printMemory(w io.Writer, o options) {
	fmt.Fprintf(w, "Memory forms: ns per iteration; estimated and measured cycles per iteration\n\n")
	t := newTable("loop", "n", "original", "twin", "original/twin", "estimate", "cycles", "of original", "cycles", "form")
	for _, n := range o.lengths {
		if n > longestForms {
			continue
		}
		rows, err := o.forms(memoryGrid(), n)
		if err != nil {
			log.Fatal(err)
		}
		for _, r := range rows {
			t.add(r.Name, fmt.Sprint(n), fmt.Sprintf("%.2f", r.original()), fmt.Sprintf("%.2f", r.twin()), fmt.Sprintf("%.2f×", r.original()/r.twin()),
				estimated(r.form.Args.Cost), fmt.Sprintf("%.2f", r.cycles(1)), estimated(r.form.Args.Scalar), fmt.Sprintf("%.2f", r.cycles(0)), r.form.describe())
		}
	}
	t.print(w)
}

// estimated is empty where nothing was.
func estimated(cycles float64) string {
	if cycles == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", cycles)
}

func (r *remark) describe() string {
	if r.ID != "loopvec:Vectorized" {
		return "scalar (" + r.ID + ")"
	}
	return fmt.Sprintf("%d×%d: %s", r.Args.VF, r.Args.UF, r.Args.Memory)
}

// forms measures the loops of a grid at length n.
func (o options) forms(grid []loopRow, n int) ([]formRow, error) {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var chosen []loopRow
	for _, l := range grid {
		if o.wants(l.name) {
			chosen = append(chosen, l)
		}
	}
	if err := writeModule(dir, chosen, o.forced); err != nil {
		return nil, err
	}
	remarks, err := vectorize(dir)
	if err != nil {
		return nil, err
	}
	out, err := command(dir, "go", "run", "-mod=mod", ".", strconv.Itoa(n), strconv.Itoa(o.rounds))
	if err != nil {
		return nil, err
	}
	var rows []formRow
	if err := json.Unmarshal(out, &rows); err != nil {
		return nil, err
	}
	for i := range rows {
		rows[i].form = remarks[chosen[i].twin()]
	}
	return rows, nil
}

// vectorize writes the twins in dir and gives the last remark about each loop.
func vectorize(dir string) (map[string]remark, error) {
	tool, err := buildTool(dir)
	if err != nil {
		return nil, err
	}
	out, err := command(dir, tool, "-json", ".")
	if err != nil {
		return nil, err
	}
	remarks := make(map[string]remark)
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var r remark
		if err := d.Decode(&r); err == io.EOF {
			return remarks, nil
		} else if err != nil {
			return nil, err
		}
		switch {
		case r.ID == "loopvec:Unprofitable":
			estimates(&r)
			remarks[r.Twin] = r
		case r.ID == "loopvec:Vectorized", !strings.HasPrefix(r.ID, "optvls:") && !strings.HasSuffix(r.ID, ":Candidates") && remarks[r.Twin].ID == "":
			remarks[r.Twin] = r
		}
	}
}

var refused = regexp.MustCompile(`estimated at ([\d.]+) cycles per iteration, the scalar loop at ([\d.]+)`)

// estimates takes figures out of the text of a refusal.
func estimates(r *remark) {
	if m := refused.FindStringSubmatch(r.Msg); m != nil {
		r.Args.Cost, _ = strconv.ParseFloat(m[1], 64)
		r.Args.Scalar, _ = strconv.ParseFloat(m[2], 64)
	}
}

func command(dir, name string, args ...string) ([]byte, error) {
	c := exec.Command(name, args...)
	c.Dir, c.Stderr = dir, os.Stderr
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("%s (in folder bench?): %w", filepath.Base(name), err)
	}
	return out, nil
}

//go:embed measure.go
var measureSource []byte

// writeModule writes a program that measures the loops.
func writeModule(dir string, loops []loopRow, forced bool) error {
	root, err := filepath.Abs("..")
	if err != nil {
		return err
	}
	sums, err := os.ReadFile("go.sum")
	if err != nil {
		return err
	}
	mod := "module grid\n\ngo 1.26.0\n\nrequire github.com/lanewise/lanewise v0.0.0\n\nreplace github.com/lanewise/lanewise => " + root + "\n"
	for _, f := range []struct {
		name string
		text []byte
	}{
		{"go.mod", []byte(mod)},
		{"go.sum", sums},
		{"measure.go", measureSource},
		{"main.go", []byte(gridMain)},
		{"loops.go", gridSource(loops, forced)},
	} {
		if err := os.WriteFile(filepath.Join(dir, f.name), f.text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// gridMain is the program around the loops.
const gridMain = `package main

import (
	"encoding/json"
	"os"
	"strconv"
)

type number interface {
	~int8 | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~int16 | ~int32 | ~int64 | ~float32 | ~float64 | ~complex64 | ~complex128
}

// data is n small numbers.
func data[T number](n int) []T {
	x := make([]T, n)
	var v T
	for i := range x {
		if x[i] = v; i%7 == 0 {
			v = 0
		}
		v++
	}
	return x
}

// shifted is x moved by 3 elements.
func shifted[T any](x []T) []T { return append(x[min(3, len(x)):], x[:min(3, len(x))]...) }

// below is n indices below m in no order.
func below[T uint8 | uint16 | int32 | int64](n, m int) []T {
	x := make([]T, n)
	r := uint32(1)
	for i := range x {
		r = r*1664525 + 1013904223
		x[i] = T(int(r>>8) % m)
	}
	return x
}

// cycle takes 3000 cycles: multiplications that wait for each other.
var cycle = contender{call: func() {
	x := power
	for range 1000 {
		x *= x
	}
	power = x
}}

var power = uint64(3)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	rounds, _ := strconv.Atoi(os.Args[2])
	type row struct {
		Name  string
		Times []float64
		Cycle float64
	}
	var rows []row
	for _, l := range loops {
		cs := []contender{cycle}
		for _, v := range l.versions {
			cs = append(cs, contender{call: v(n)})
		}
		ns := measure(cs, rounds)
		r := row{Name: l.name, Cycle: ns[0] / 3000}
		for _, t := range ns[1:] {
			r.Times = append(r.Times, t/float64(n))
		}
		rows = append(rows, r)
	}
	json.NewEncoder(os.Stdout).Encode(rows)
}
`
