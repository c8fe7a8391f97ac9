package native

import (
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
)

// ErrNoDisassembler says that objdump is not installed.
var ErrNoDisassembler = errors.New("no objdump")

var (
	symbol   = regexp.MustCompile(`^[0-9a-f]+ <kernels/k\.(.*)>:$`)
	code     = regexp.MustCompile(`^\s*[0-9a-f]+:\t((?:[0-9a-f]{2} )+)\s*(.*)$`)
	evexOnly = regexp.MustCompile(`zmm|%k[0-7]|[xy]mm(1[6-9]|2[0-9]|3[01])\b`)
)

// CheckEncoding disassembles all kernels and reports instructions that an AVX2
// processor does not have: EVEX encodings and registers above 15, and
// instructions that mix legacy SSE with AVX.
func (p *Program) CheckEncoding() error {
	path, err := exec.LookPath("objdump")
	if err != nil {
		return ErrNoDisassembler
	}
	out, err := exec.Command(path, "-d", "--section=.text", p.Binary).Output()
	if err != nil {
		return err
	}
	seen, in := 0, ""
	for line := range strings.Lines(string(out)) {
		line = strings.TrimRight(line, "\n")
		if m := symbol.FindStringSubmatch(line); m != nil {
			in = m[1]
			seen++
			continue
		}
		if line == "" {
			in = ""
		}
		m := code.FindStringSubmatch(line)
		if in == "" || m == nil || m[2] == "" { // rest of a long instruction
			continue
		}
		text := m[2]
		switch {
		case strings.HasPrefix(m[1], "62 "), evexOnly.MatchString(text):
			return fmt.Errorf("%s: EVEX: %s", in, line)
		case strings.Contains(text, "mm") && !strings.HasPrefix(text, "v") && !strings.HasPrefix(text, "{vex}") && !wrapper(in):
			return fmt.Errorf("%s: legacy SSE: %s", in, line)
		case strings.Contains(text, "(bad)"):
			return fmt.Errorf("%s: %s", in, line)
		}
	}
	if seen < len(p.funcs) {
		return fmt.Errorf("found %d of %d kernels", seen, len(p.funcs))
	}
	return nil
}

// wrapper holds for the compiler's own functions in the package.
func wrapper(name string) bool { return !strings.HasSuffix(name, ".abi0") }
