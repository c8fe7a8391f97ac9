package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// The table of compilers sets twins beside what C compilers make of the same loops: those of the
// grid of operations that C can say with the same results. Code for the same CPU, no license to
// change floats; overflow wraps.

// cFlags are those of every compiler.
var cFlags = []string{"-O3", "-march=haswell", "-fwrapv", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math"}

// compilerRuns is how often the programs run in turns; the fastest time of a loop counts.
const compilerRuns = 3

// printCompilers prints the time of each compiler's loop over that of the twin.
func printCompilers(w io.Writer, o options) {
	var found []string
	for _, c := range []string{"gcc", "clang"} {
		if _, err := exec.LookPath(c); err == nil {
			found = append(found, c)
		}
	}
	if len(found) == 0 {
		fmt.Fprintf(w, "Compilers: neither gcc nor clang is installed\n\n")
		return
	}
	fmt.Fprintf(w, "Compilers: time of the loop in C (%s) / time of the twin (above 1 the twin is faster)\n\n", strings.Join(cFlags, " "))
	for _, n := range o.lengths {
		if n > longestForms {
			continue
		}
		rows, err := o.compilers(found, n)
		if err != nil {
			log.Fatal(err)
		}
		t := newTable(append([]string{"loop", "n", "ns"}, found...)...)
		means := make([]float64, len(found))
		for _, r := range rows {
			line := []string{r.name, fmt.Sprint(n), fmt.Sprintf("%.1f", r.twin)}
			for i, ns := range r.c {
				means[i] += math.Log(ns/r.twin) / float64(len(rows))
				line = append(line, fmt.Sprintf("%.2f", ns/r.twin))
			}
			t.add(line...)
		}
		line := []string{"**geometric mean**", fmt.Sprint(n), ""}
		for _, m := range means {
			line = append(line, fmt.Sprintf("%.2f", math.Exp(m)))
		}
		t.add(line...)
		t.print(w)
	}
}

// A compiled is a loop with nanoseconds of a run.
type compiled struct {
	name string
	twin float64
	c    []float64 // by compiler
}

// compilers measures twins and loops in C at length n.
func (o options) compilers(found []string, n int) ([]compiled, error) {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	loops, code := o.cLoops()
	if err := writeModule(dir, loops, false); err != nil {
		return nil, err
	}
	if _, err := vectorize(dir); err != nil {
		return nil, err
	}
	programs := [][]string{{filepath.Join(dir, "grid.exe"), strconv.Itoa(n), strconv.Itoa(o.rounds)}}
	if _, err := command(dir, "go", "build", "-mod=mod", "-o", programs[0][0], "."); err != nil {
		return nil, err
	}
	for _, c := range found {
		exe := filepath.Join(dir, c+".exe")
		if err := compileC(dir, c, exe, code); err != nil {
			return nil, err
		}
		programs = append(programs, []string{exe, strconv.Itoa(n), strconv.Itoa(o.rounds)})
	}
	rows := make([]compiled, len(loops))
	for range compilerRuns {
		for k, p := range programs {
			out, err := command(dir, p[0], p[1:]...)
			if err != nil {
				return nil, err
			}
			var times []formRow
			if err := json.Unmarshal(out, &times); err != nil {
				return nil, err
			}
			for i, t := range times {
				rows[i].name = t.Name
				rows[i].keep(k, t.Times[len(t.Times)-1]*float64(n))
			}
		}
	}
	return rows, nil
}

// keep notes a time of the twin, 0, or of a compiler, if it is the shortest so far.
func (c *compiled) keep(k int, ns float64) {
	if k > len(c.c) {
		c.c = append(c.c, ns)
	}
	at := &c.twin
	if k > 0 {
		at = &c.c[k-1]
	}
	if *at == 0 || ns < *at {
		*at = ns
	}
}

// compileC builds the program of loops in C. What measures does not see their code.
func compileC(dir, compiler, exe string, code []byte) error {
	for name, text := range map[string][]byte{"loops.c.txt": code, "main.c.txt": []byte(cMain)} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			return err
		}
	}
	args := append(append([]string{}, cFlags...), "-o", exe, "-x", "c", "loops.c.txt", "main.c.txt", "-lm")
	_, err := command(dir, compiler, args...)
	return err
}

// cLoops are the loops that C can say, with C source of them.
func (o options) cLoops() (loops []loopRow, code []byte) {
	var b, list bytes.Buffer
	b.WriteString("#include <math.h>\n#include <stdint.h>\n#include \"loops.h\"\n\n#define min(a, b) ((a) < (b) ? (a) : (b))\n#define max(a, b) ((a) > (b) ? (a) : (b))\n")
	for _, op := range operations {
		for _, name := range strings.Fields(op.on) {
			l := op.row(modelElements[name])
			l.clauses = nil
			if o.wants(l.name) && op.inC(modelElements[name]) {
				loops = append(loops, l)
				b.WriteString(op.c(modelElements[name], fmt.Sprintf("f%d", len(loops))))
				fmt.Fprintf(&list, "\t{%q, f%[2]d, f%[2]d_data},\n", l.name, len(loops))
			}
		}
	}
	fmt.Fprintf(&b, "\nstruct loop loops[] = {\n%s\t{0, 0, 0},\n};\n", &list)
	return loops, bytes.Replace(b.Bytes(), []byte("#include \"loops.h\"\n"), []byte(cDecl), 1)
}

// inC reports whether the loop means the same in C: package math/bits and functions of math
// have no counterparts, and min and max of floats are others.
func (op *operation) inC(e element) bool {
	lines := op.lines
	return !strings.Contains(lines, "bits.") && !strings.Contains(lines, "Exp") && !strings.Contains(lines, "Log") && !strings.Contains(op.to, "reassoc") &&
		!(strings.HasPrefix(e.name, "f") && (strings.Contains(lines, "min(") || strings.Contains(lines, "max(")))
}

var cRules = []struct {
	from *regexp.Regexp
	to   string
}{
	{regexp.MustCompile(`if (.*?) \{ (.*?) \}`), "if ($1) { $2; }"},
	{regexp.MustCompile(`v := uint8\(0\)`), "D v = 0"},
	{regexp.MustCompile(`v := `), "T v = "},
	{regexp.MustCompile(`\bD\(`), "(D)("},
	{regexp.MustCompile(`\buint\(`), "(unsigned)("},
	{regexp.MustCompile(`&\^`), "& ~"},
	{regexp.MustCompile(`math\.Sqrt`), "sqrt"},
	{regexp.MustCompile(`math\.Floor`), "floor"},
	{regexp.MustCompile(`math\.Abs`), "fabs"},
}

// c is the function of the loop for elements e.
func (op *operation) c(e element, name string) string {
	lines := op.lines
	for _, r := range cRules {
		lines = r.from.ReplaceAllString(lines, r.to)
	}
	d := e
	if other, ok := modelElements[op.to]; ok {
		d = other
	}
	return fmt.Sprintf("\n#define T %s\n#define D %s\nvoid %s(long n, void *dst0, void *x0, void *y0, void *z0, long a0, long b0) {\n"+
		"\tD *dst = dst0, s = 0;\n\tT *x = x0, *y = y0, *z = z0, a = a0, b = b0;\n\tfor (long i = 0; i < n; i++) {\n\t\t%s;\n\t}\n%s}\n"+
		cData+"#undef T\n#undef D\n",
		cType(e), cType(d), name, lines, map[bool]string{true: "\tdst[0] = s;\n"}[op.sums()], name)
}

// cType is the type of an element.
func cType(e element) string {
	switch e.name {
	case "f32":
		return "float"
	case "f64":
		return "double"
	}
	return e.goType + "_t"
}

// cData makes what the functions data and shifted of the other program make.
const cData = `void %s_data(long n, void *x0, void *y0, void *z0) {
	T *x = x0, *y = y0, *z = z0, v = 0;
	for (long i = 0; i < n; i++) {
		x[i] = z[i] = v;
		if (i %% 7 == 0)
			v = 0;
		v++;
	}
	for (long i = 0; i < n; i++)
		y[i] = x[(i + 3) %% n];
}
`

const cDecl = `
struct loop {
	const char *name;
	void (*run)(long n, void *dst, void *x, void *y, void *z, long a, long b);
	void (*data)(long n, void *x, void *y, void *z);
};
`

// cMain measures as measure does: minima over rounds of samples of 20 µs.
const cMain = `#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
` + cDecl + `
extern struct loop loops[];

static double now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

static void *memory(long bytes) {
	bytes = (bytes + 8191) / 4096 * 4096;
	return memset(aligned_alloc(4096, bytes), 0, bytes);
}

int main(int argc, char **argv) {
	long n = atol(argv[1]), rounds = atol(argv[2]);
	void *dst = memory(8 * n), *x = memory(8 * n), *y = memory(8 * n), *z = memory(8 * n);
	printf("[");
	for (struct loop *l = loops; l->name; l++) {
		long calls = 1;
		double best = 1e30;
		l->data(n, x, y, z);
		for (;;) {
			double t = now();
			for (long k = 0; k < calls; k++)
				l->run(n, dst, x, y, z, 3, 5);
			if (now() - t >= 20000)
				break;
			calls *= 2;
		}
		for (long r = 0; r < rounds; r++) {
			double t = now();
			for (long k = 0; k < calls; k++)
				l->run(n, dst, x, y, z, 3, 5);
			double ns = (now() - t) / calls;
			if (ns < best)
				best = ns;
		}
		printf("%s{\"Name\":\"%s\",\"Times\":[%g]}", l == loops ? "" : ",", l->name, best / n);
	}
	printf("]\n");
	return 0;
}
`
