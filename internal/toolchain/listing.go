// Package toolchain tests what generated code meets outside of itself: the assembler,
// the linker in all its modes, vet, the race detector and sanitizers, and the parts of
// the Go runtime that look at running code: scheduler, collector, profiler.
//
// What is not a test here reads the assembler's own listing of a file with kernels,
// instruction by instruction with its bytes, and holds it against the rules for a kernel.
// It knows nothing of how kernels are made.
package toolchain

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A Function is a kernel or a routine, as the assembler has it.
type Function struct {
	Name   string // of a kernel without its package
	Local  bool   // a routine that only functions of its file know
	Wide   bool   // for CPUs with AVX-512 alone
	Instrs []Instr
	Code   []byte
	at     map[int]int // index of the first instruction at an offset
}

// An Instr is a line of the listing. Some have no bytes, such as TEXT.
type Instr struct {
	At   int // offset in the code
	Op   string
	Args []string
	Code []byte
}

func (i Instr) String() string {
	return fmt.Sprintf("%#x %s %s (% x)", i.At, i.Op, strings.Join(i.Args, ", "), i.Code)
}

// Assemble assembles a file with kernels, with more flags for the assembler, and lists
// its functions in order.
func Assemble(file, scratch string, flags ...string) ([]*Function, error) {
	asm, err := assembler()
	if err != nil {
		return nil, err
	}
	args := slices.Concat(asm[1:], []string{"-p", "kernels", "-S", "-o", filepath.Join(scratch, "kernels.o")}, flags, []string{file})
	cmd := exec.Command(asm[0], args...)
	cmd.Env = append(os.Environ(), "GOARCH=amd64", "GOOS=linux")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", file, err, &stderr)
	}
	return parseListing(string(out))
}

// assembler is the command with what it needs to find its header files.
var assembler = sync.OnceValues(func() (asm []string, err error) {
	for _, args := range [][]string{{"tool", "-n", "asm"}, {"env", "GOROOT"}} {
		out, err := exec.Command("go", args...).Output()
		if err != nil {
			return nil, fmt.Errorf("go %s: %w", strings.Join(args, " "), err)
		}
		asm = append(asm, strings.TrimSpace(string(out)))
	}
	return []string{asm[0], "-I", filepath.Join(asm[1], "pkg", "include")}, nil
})

var (
	symbolLine = regexp.MustCompile(`^(\S+) S([A-Z]+) `)
	instrLine  = regexp.MustCompile(`^\t0x[0-9a-f]+ ([0-9]+) \(.*?\)\t(\S+)(?:\t(.*))?$`)
	bytesLine  = regexp.MustCompile(`^\t0x([0-9a-f]+) ((?:[0-9a-f]{2} )+)`)
)

// parseListing reads what the assembler prints with -S.
func parseListing(text string) (all []*Function, err error) {
	var f *Function
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if m := symbolLine.FindStringSubmatch(line); m != nil {
			if f = nil; m[2] == "TEXT" {
				name, kernel := strings.CutPrefix(m[1], "kernels.")
				f = &Function{Name: name, Local: !kernel}
				all = append(all, f)
			}
			continue
		}
		if f == nil {
			continue
		}
		if m := instrLine.FindStringSubmatch(line); m != nil {
			at, _ := strconv.Atoi(m[1])
			f.Instrs = append(f.Instrs, Instr{At: at, Op: m[2], Args: arguments(m[3])})
		} else if m := bytesLine.FindStringSubmatch(line); m != nil {
			for _, b := range strings.Fields(m[2]) {
				x, _ := strconv.ParseUint(b, 16, 8)
				f.Code = append(f.Code, byte(x))
			}
		}
	}
	for _, f := range all {
		if err := f.cut(); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// arguments splits at commas outside of parentheses.
func arguments(s string) (args []string) {
	depth, start := 0, 0
	for i, c := range s {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth == 0:
			args = append(args, strings.TrimSpace(s[start:i]))
			start = i + 1
		}
	}
	if rest := strings.TrimSpace(s[start:]); rest != "" {
		args = append(args, rest)
	}
	return args
}

// cut gives each instruction its bytes.
func (f *Function) cut() error {
	f.at = make(map[int]int)
	for n := range f.Instrs {
		i := &f.Instrs[n]
		end := len(f.Code)
		if n+1 < len(f.Instrs) {
			end = f.Instrs[n+1].At
		}
		if i.At > end || end > len(f.Code) {
			return fmt.Errorf("%s: %d bytes, and an instruction from %d to %d", f.Name, len(f.Code), i.At, end)
		}
		i.Code = f.Code[i.At:end]
		if _, ok := f.at[i.At]; !ok {
			f.at[i.At] = n
		}
	}
	return nil
}

// code says that an instruction is one of the function: not padding, nor for the linker.
func (i Instr) code() bool {
	switch i.Op {
	case "TEXT", "FUNCDATA", "PCDATA", "PCALIGN", "NOP":
		return false
	}
	return true
}
