package main

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/lanewise/lanewise/runtime/cpu"
)

// The table of bounds sets what the loops of the examples take beside what they could take at
// least: llvm-mca says how many cycles the ports of the CPU need for a turn of a loop, and how
// many it takes with what its instructions wait for, when all data is in the cache of the first level.

// The loop is measured at these lengths, whose data fits into the cache of the first level; the
// difference has no calls and no rest.
const (
	boundShort, boundLong = 512, 1024
	boundRounds           = 100 // of short samples, of which the fastest counts
)

// mcaTurns is how many turns llvm-mca simulates.
const mcaTurns = 200

// A mainLoop is the loop of a kernel that does most of its iterations.
type mainLoop struct {
	lanes int    // iterations of a turn
	code  string // AT&T syntax
}

// A boundRow is a twin with the cycles of a turn of its main loop.
type boundRow struct {
	name, exe, twin            string
	lanes                      int
	times                      [2]float64 // of a call at both lengths, ns
	ports, simulated, measured float64
}

// near is how near the loop is to what can be: 1 is there.
func (r *boundRow) near() float64 { return max(r.ports, r.simulated) / r.measured }

// limit is what the simulated loop waits for.
func (r *boundRow) limit() string {
	if r.simulated > 1.15*r.ports {
		return "latency"
	}
	return "ports"
}

// printBounds prints the twins that have one loop, which is not inside of another.
func printBounds(w io.Writer, o options) {
	for _, tool := range []string{"llvm-mca", "objdump"} {
		if _, err := exec.LookPath(tool); err != nil {
			fmt.Fprintf(w, "Bounds: %s is not installed\n\n", tool)
			return
		}
	}
	fmt.Fprintf(w, "Bounds: cycles of a turn of the main loop, as llvm-mca has them (-mcpu=%s) and measured between n = %d and %d\n\n",
		mcaModel(), boundShort, boundLong)
	rows, err := o.bounds()
	if err != nil {
		log.Fatal(err)
	}
	t := newTable("twin", "iterations", "ports", "simulated", "measured", "limit", "of the limit")
	mean := 0.0
	for _, r := range rows {
		mean += math.Log(r.near()) / float64(len(rows))
		t.add(r.name, fmt.Sprint(r.lanes), fmt.Sprintf("%.1f", r.ports), fmt.Sprintf("%.1f", r.simulated),
			fmt.Sprintf("%.1f", r.measured), r.limit(), fmt.Sprintf("%.2f", r.near()))
	}
	t.print(w)
	fmt.Fprintf(w, "geometric mean of %d twins: %.2f of the limit\n\n", len(rows), math.Exp(mean))
}

// bounds measures the examples as they are. The clock is taken at its fastest, as the times are.
func (o options) bounds() ([]boundRow, error) {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	wanted, err := o.benchmarked()
	if err != nil {
		return nil, err
	}
	var rows []boundRow
	for _, b := range wanted {
		exe := filepath.Join(dir, b.name+".test")
		if _, err := command("..", "go", "test", "-c", "-o", exe, "./examples/"+b.name); err != nil {
			return nil, err
		}
		rs, err := boundsOf(exe, b)
		if err != nil {
			return nil, err
		}
		rows = append(rows, rs...)
	}
	clock := math.Inf(1)
	for range gainRuns { // one after the other, so that a disturbance meets few of a row
		for i := range rows {
			if err := rows[i].measure(); err != nil {
				return nil, err
			}
		}
		clock = min(clock, cycleTime())
	}
	for i, r := range rows {
		rows[i].measured = (r.times[1] - r.times[0]) / float64((boundLong-boundShort)/r.lanes) / clock
	}
	return slices.DeleteFunc(rows, func(r boundRow) bool { return r.times[0] == 0 || r.measured < leftEarly*r.ports }), nil
}

// leftEarly is the part of what a turn takes at least below which the loop cannot have been run: with
// the arguments of the benchmark it is left before.
const leftEarly = 0.2

// boundsOf are the rows of an example whose test binary is exe, without what is measured.
func boundsOf(exe string, b benchmarked) (rows []boundRow, err error) {
	for _, twin := range b.twins {
		code, err := command(".", "objdump", "-d", "--no-show-raw-insn",
			"--disassemble=github.com/lanewise/lanewise/examples/"+b.name+"."+strings.ToLower(twin[:1])+twin[1:]+"Kernel.abi0", exe)
		if err != nil {
			return nil, err
		}
		loop, ok := findMainLoop(string(code), cpu.AVX512, cpu.Fast512)
		if !ok || (boundLong-boundShort)%loop.lanes != 0 {
			continue
		}
		r := boundRow{name: b.name + "/" + twin, lanes: loop.lanes, exe: exe, twin: twin}
		if r.ports, r.simulated, err = simulate(loop.code); err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// measure runs the benchmark of the twin at both lengths once more; the fastest times count.
func (r *boundRow) measure() error {
	out, err := command(".", "env", fmt.Sprintf("TWINTEST_SIZES=%d,%d", boundShort, boundLong), fmt.Sprintf("TWINTEST_SMALL=%d", boundRounds),
		r.exe, "-test.run=^$", "-test.benchtime=1x", "-test.bench=^BenchmarkTwin"+r.twin+"$")
	if err != nil {
		return err
	}
	for _, m := range smallMeasured.FindAllSubmatch(out, -1) {
		ns, err := strconv.ParseFloat(string(m[4]), 64)
		i := 0
		if string(m[2]) == strconv.Itoa(boundLong) {
			i = 1
		}
		if err == nil && (r.times[i] == 0 || ns < r.times[i]) {
			r.times[i] = ns
		}
	}
	return nil
}

// cycleTime is the time of a cycle in ns, by multiplications that wait for each other, three
// cycles each.
func cycleTime() float64 {
	const chain = 1000
	ns := measure([]contender{{name: "chain", call: func() {
		x := power
		for range chain {
			x *= x
		}
		power = x
	}}}, 20)
	return ns[0] / (3 * chain)
}

var power = uint64(3)

var instruction = regexp.MustCompile(`(?m)^\s*([0-9a-f]+):\t(\S+)[ \t]*(.*)$`)

// A line is an instruction of a listing.
type line struct {
	at   int64
	text string
	op   string
	to   int64 // where it jumps
	step int   // what it adds to a register
}

var (
	added  = regexp.MustCompile(`^\$0x([0-9a-f]+),%r\w+$`)
	vector = regexp.MustCompile(`%[xyz]mm`)
)

func parseListing(code string) (lines []line) {
	for _, m := range instruction.FindAllStringSubmatch(code, -1) {
		at, _ := strconv.ParseInt(m[1], 16, 64)
		args, _, _ := strings.Cut(m[3], "#")
		l := line{at: at, op: m[2], text: m[2] + " " + args, to: -1}
		if strings.HasPrefix(l.op, "j") {
			to, _, _ := strings.Cut(m[3], " ")
			if a, err := strconv.ParseInt(to, 16, 64); err == nil {
				l.to, l.text = a, l.op+" .Lthere"
			}
		} else if m := added.FindStringSubmatch(strings.TrimSpace(args)); m != nil && strings.HasPrefix(l.op, "add") {
			n, _ := strconv.ParseInt(m[1], 16, 32)
			l.step = int(n)
		}
		lines = append(lines, l)
	}
	return lines
}

// findMainLoop finds the loop of a listing that does the most iterations at a time: the first one
// of several, or with wide the last one, which is for AVX-512; where one behind that is for
// processors that are fast with it, that only with fast. There is none in nests.
func findMainLoop(code string, wide, fast bool) (best mainLoop, ok bool) {
	lines := parseListing(code)
	var longest []mainLoop
	for end, l := range lines {
		start := slices.IndexFunc(lines[:end+1], func(x line) bool { return x.at == l.to })
		if start < 0 {
			continue
		}
		body := lines[start : end+1]
		loop := mainLoop{}
		vectors, inner := false, false
		for i, x := range body {
			loop.lanes = max(loop.lanes, x.step)
			loop.code += x.text + "\n"
			vectors = vectors || vector.MatchString(x.text)
			inner = inner || i < len(body)-1 && l.to <= x.to && x.to <= x.at
		}
		switch {
		case !vectors || loop.lanes == 0:
		case inner:
			return mainLoop{}, false
		case len(longest) == 0 || loop.lanes > longest[0].lanes:
			longest = []mainLoop{loop}
		case loop.lanes == longest[0].lanes:
			longest = append(longest, loop)
		}
	}
	switch n := len(longest); {
	case n == 0:
		return mainLoop{}, false
	case wide && (fast || !strings.Contains(code, "cpu.Fast512")):
		return longest[n-1], true
	case wide && n > 1:
		return longest[n-2], true
	}
	return longest[0], true
}

var (
	mcaPorts  = regexp.MustCompile(`Block RThroughput:\s+([0-9.]+)`)
	mcaCycles = regexp.MustCompile(`Total Cycles:\s+(\d+)`)
)

// mcaModel is the CPU that llvm-mca simulates: the one that it runs on, or a server of the same
// level where llvm-mca does not know all instructions of the former.
var mcaModel = sync.OnceValue(func() string {
	for _, model := range []string{"native", "skylake-avx512"} {
		if _, _, err := simulateOn(model, "vpaddb (%rsi), %zmm1, %zmm1\nvpaddb (%rsi), %ymm1, %ymm1\n"); err == nil {
			return model
		}
	}
	return "haswell"
})

// simulate asks llvm-mca for the cycles of a turn: those of the ports, and those that it takes.
func simulate(code string) (ports, simulated float64, err error) { return simulateOn(mcaModel(), code) }

func simulateOn(model, code string) (ports, simulated float64, err error) {
	c := exec.Command("llvm-mca", "-mcpu="+model, fmt.Sprintf("-iterations=%d", mcaTurns))
	c.Stdin = strings.NewReader(".Lthere:\n" + code)
	var errs bytes.Buffer
	c.Stderr = &errs
	out, err := c.Output()
	p, s := mcaPorts.FindSubmatch(out), mcaCycles.FindSubmatch(out)
	if err != nil || p == nil || s == nil {
		return 0, 0, fmt.Errorf("llvm-mca: %v\n%s\n%s", err, errs.String(), code)
	}
	ports, err1 := strconv.ParseFloat(string(p[1]), 64)
	total, err2 := strconv.ParseFloat(string(s[1]), 64)
	if err1 != nil || err2 != nil {
		return 0, 0, fmt.Errorf("llvm-mca says %s, %s", p[0], s[0])
	}
	return ports, total / mcaTurns, nil
}
