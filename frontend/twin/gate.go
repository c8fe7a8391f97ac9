package twin

import "fmt"

// Loops that may end at any iteration, inside of other loops: the length of a name in a list of
// names, digits of numbers. How long they run shows when they have run. Where their kernel had next
// to nothing to do, the user's loop gets the next ones:
//
//	n := 0
//	if wait == 0 {
//		n = ...
//	}
//	if n >= 20 && ... {
//		wait = 32
//		...
//		d := kernel(...)
//		if d >= 16 {
//			wait = 0
//		}
//	} else {
//		if wait > 0 {
//			wait--
//		}
//		<the user's loop>
//	}
//
// The variable lives as long as a call of the twin.

// waiting is how often the user's loop is taken before a kernel is tried again: that costs as much as
// some ten iterations, and long loops among short ones should be met.
const waiting = 32

// A gate is the name of the variable of one loop, empty for a loop that has none.
type gate string

func (l *loop) newGate() gate {
	if !l.insideLoop() || !l.k.Partial || l.k.First == 0 {
		return ""
	}
	g := gate(l.local("wait"))
	s := l.startOf(l.home())
	s.gates = append(s.gates, g)
	return g
}

// open is the condition that the kernel is tried at all.
func (g gate) open() []string {
	if g == "" {
		return nil
	}
	return []string{string(g) + " == 0"}
}

// enter closes the gate behind the loop that is entered.
func (g gate) enter() string { return g.set(waiting) }

// progress opens it when a call did as many iterations, d, as are worth one.
func (g gate) progress(d string, worth int64) string {
	if g == "" {
		return ""
	}
	return fmt.Sprintf("if %s >= %d {\n%s}\n", d, worth, g.set(0))
}

func (g gate) set(n int) string {
	if g == "" {
		return ""
	}
	return fmt.Sprintf("%s = %d\n", g, n)
}

// passed counts a loop that is left to the user.
func (g gate) passed() string {
	if g == "" {
		return ""
	}
	return fmt.Sprintf("if %s > 0 {\n%[1]s--\n}\n", g)
}

// declaration stands at the start of the function.
func (g gate) declaration() string {
	return fmt.Sprintf("\n%s := 0 // how often a kernel is left alone\n", g)
}
