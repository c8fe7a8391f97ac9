package toolchain

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Flags reports instructions of a function that read flags of nothing that is meant to set
// them: another instruction came between, or there are several ways to get there. Jumps alone may
// follow a jump by the same flags.
func Flags(f *Function) (wrong []string) {
	targets := make(map[int]bool)
	for _, i := range f.Instrs {
		if at, err := strconv.Atoi(strings.Join(i.Args, " ")); err == nil && strings.HasPrefix(i.Op, "J") {
			targets[at] = true
		}
	}
	meant, jumped := false, false // the flags as they are, and that a jump has read them
	for _, i := range f.Instrs {
		if !i.code() {
			continue
		}
		if targets[i.At] {
			meant = false
		}
		jump := strings.HasPrefix(i.Op, "J") && i.Op != "JMP"
		if !meant && jump || (!meant || jumped) && readsFlags.MatchString(i.Op) {
			wrong = append(wrong, fmt.Sprintf("%s: flags of no comparison: %s", f.Name, i))
		}
		if jump {
			jumped = true
		} else if !keepsFlags(i) {
			meant, jumped = setsFlags.MatchString(i.Op), false
		}
	}
	return wrong
}

var (
	readsFlags = regexp.MustCompile(`^(SET|CMOV)`)
	setsFlags  = regexp.MustCompile(`^(CMP|TEST|BT[LQ]$|VUCOMIS|VPTEST|VTEST|ADD|SUB|NEG|INC|DEC|AND[LQ]$|OR[LQ]$|BLSR|[LT]ZCNT|KORTEST)`)
	noFlags    = regexp.MustCompile(`^(SET|CMOV|MOV|LEA|NOT|BSWAP|CQO$|MULX|PDEP|PEXT|RORX|SARX|SHLX|SHRX|PUSHQ$|POPQ$|V|K)`)
)

// keepsFlags reports whether i leaves the flags alone.
func keepsFlags(i Instr) bool { return noFlags.MatchString(i.Op) && !setsFlags.MatchString(i.Op) }
