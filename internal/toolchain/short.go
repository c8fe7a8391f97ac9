package toolchain

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Short reports registers of 64 bytes on a way through f that gets to no loop, nor to a first turn
// of one in front of it. Processors may lower their clock for a while when they meet one, which a
// short call would not be worth.
func Short(f *Function) (wrong []string) {
	inLoop := make([]bool, len(f.Instrs))
	for n := range f.Instrs {
		if to, ok := f.target(n); ok && to <= n {
			f.markFirst(to, n, inLoop)
			for k := to; k <= n; k++ {
				inLoop[k] = true
			}
		}
	}
	seen := make([]bool, len(f.Instrs))
	todo := []int{0}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if n >= len(f.Instrs) || seen[n] || inLoop[n] {
			continue
		}
		seen[n] = true
		i := f.Instrs[n]
		if slices.ContainsFunc(i.Args, whole.MatchString) && !f.entersLoop(n, inLoop) {
			wrong = append(wrong, fmt.Sprintf("%s: register of 64 bytes without a loop: %s", f.Name, i))
		}
		if to, ok := f.target(n); ok {
			todo = append(todo, to)
		}
		if i.Op != "RET" && i.Op != "JMP" {
			todo = append(todo, n+1)
		}
	}
	return wrong
}

// markFirst marks blocks in front of the loop from instruction head to last, and ahead of a branch around it, that
// access memory by 64 bytes as often as a turn of the loop does, or, where that does so by fewer bytes only, by those.
func (f *Function) markFirst(head, last int, inLoop []bool) {
	bytes := whole
	if f.accesses(head, last, bytes) == 0 {
		bytes = half
	}
	loads := f.accesses(head, last, bytes)
	for way := range f.Instrs {
		to, jumps := f.target(way)
		if loads == 0 || head <= way && way <= last || !(way+1 == head || jumps && head <= to && to <= last) {
			continue
		}
		branch := way
		if f.Instrs[way].Op == "JMP" {
			branch--
		}
		for branch >= 0 && !f.ends(branch) {
			branch-- // what the loop reads is prepared there
		}
		begin := branch
		for begin > 0 && !f.ends(begin-1) {
			begin--
		}
		if branch < 0 || f.Instrs[branch].Op == "JMP" || f.accesses(begin, branch, bytes) < loads {
			continue
		}
		for k := begin; k <= branch; k++ {
			inLoop[k] = true
		}
	}
}

// ends reports whether a block ends with instruction n.
func (f *Function) ends(n int) bool {
	_, jumps := f.target(n)
	return jumps || f.Instrs[n].Op == "RET"
}

// accesses is the number of instructions from first to last that read or write memory by a register of some kind.
func (f *Function) accesses(first, last int, kind *regexp.Regexp) (n int) {
	for _, i := range f.Instrs[first : last+1] {
		memory := slices.ContainsFunc(i.Args, func(a string) bool { return strings.Contains(a, "(") })
		if memory && slices.ContainsFunc(i.Args, kind.MatchString) {
			n++
		}
	}
	return n
}

// target is where instruction n of f may jump to.
func (f *Function) target(n int) (to int, ok bool) {
	i := f.Instrs[n]
	if !strings.HasPrefix(i.Op, "J") {
		return 0, false
	}
	at, err := strconv.Atoi(i.Args[len(i.Args)-1])
	to, ok = f.at[at]
	return to, ok && err == nil
}

// entersLoop reports whether the only way from instruction n leads into a loop.
func (f *Function) entersLoop(n int, inLoop []bool) bool {
	for range f.Instrs {
		if n >= len(f.Instrs) || f.Instrs[n].Op == "RET" {
			return false
		}
		switch to, jumps := f.target(n); {
		case inLoop[n]:
			return true
		case f.Instrs[n].Op == "JMP":
			n = to
		case jumps:
			return false
		default:
			n++
		}
	}
	return false
}
