package edit

import "github.com/lanewise/lanewise/vir"

// A Verdict says what to make of one value of a computation.
type Verdict int

// The verdicts.
const (
	Unknown  Verdict = iota // whatever its operands are
	Given                   // whatever its operands are
	Computed                // if its operands are given or computed
)

// Known reports whether v is given, or computed from what is, as look says of each value, which it
// is asked about once. Values may be computed from each other in cycles.
func Known(v *vir.Value, look func(*vir.Value) Verdict) bool {
	seen := make(map[*vir.Value]bool)
	var walk func(v *vir.Value) bool
	walk = func(v *vir.Value) bool {
		if seen[v] {
			return true // unless the walk ends in a moment
		}
		seen[v] = true
		switch look(v) {
		case Unknown:
			return false
		case Given:
			return true
		}
		for _, a := range v.Args {
			if !walk(a) {
				return false
			}
		}
		return true
	}
	return walk(v)
}

// KnownIf is Computed where what is asked holds, and Unknown elsewhere.
func KnownIf(computes bool) Verdict {
	if computes {
		return Computed
	}
	return Unknown
}
