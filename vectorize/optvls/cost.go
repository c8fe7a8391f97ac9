package optvls

// A Client answers what the server cannot know: costs, in any unit, and what memory
// may be touched.
type Client interface {
	// Access is the cost of a load or store; false when there is no such access, as
	// when it is masked and the target has no masks for elements of its size. An
	// access of one lane that is not masked is always possible.
	Access(in *Inst) (cost int, ok bool)
	// Shuffle is the cost of a shuffle of one or two sources of the given type; see
	// KindOf. The result has len(lanes) lanes.
	Shuffle(from Type, lanes []int) int
	// MayRead says whether a load group may also read bytes from and to, relative to
	// the first member in lane 0; of an indexed group, in each lane. It is asked
	// about gaps, and in masked groups about everything.
	MayRead(g *Group, from, to int64) bool
}

// An asker asks its client for the cost of each shuffle once.
type asker struct {
	Client
	known map[string]int
	key   []byte
}

func (a *asker) Shuffle(from Type, lanes []int) int {
	a.key = appendKey(append(a.key[:0], byte(from.Bits), byte(from.Lanes)), lanes)
	cost, ok := a.known[string(a.key)]
	if !ok {
		cost = a.Client.Shuffle(from, lanes)
		a.known[string(a.key)] = cost
	}
	return cost
}

// A Kind names the masks that machines have instructions for. N is the number of
// lanes of a source; masks of one source use lanes below N.
type Kind int

const (
	Identity  Kind = iota // the first source
	Widen                 // the first source and lanes of any value behind it
	Extract               // successive lanes of one source, from a multiple of their number on
	Broadcast             // one lane everywhere
	Reverse               // one source from its end
	Concat                // both sources one behind the other
	Select                // each lane from the same lane of one of the sources
	Transpose             // 0 N 2 N+2 ..., or 1 N+1 3 N+3 ...
	Unpack                // 0 N 1 N+1 ..., or N/2 N+N/2 N/2+1 ...
	UnpackIn              // Unpack in each part of a power of two lanes
	Even                  // 0 2 4 ... of both sources, or 1 3 5 ...
	Align                 // successive lanes of both sources one behind the other
	Halves                // a half of each source, or of one
	Permute               // other lanes of one source
	Permute2              // other lanes of two sources
)

var kindNames = [...]string{"identity", "widen", "extract", "broadcast", "reverse", "concat", "select",
	"transpose", "unpack", "unpack-in", "even", "align", "halves", "permute", "permute2"}

func (k Kind) String() string { return kindNames[k] }

// KindOf is the first kind in the order of the constants that the lanes suit; lanes
// below zero suit everything.
func KindOf(n int, lanes []int) Kind {
	for k := Identity; k < Permute; k++ {
		if is(k, n, lanes) {
			return k
		}
	}
	for _, l := range lanes {
		if l >= n {
			return Permute2
		}
	}
	return Permute
}

func is(k Kind, n int, lanes []int) bool {
	m := len(lanes)
	same := m == n
	switch k {
	case Identity:
		return same && suit(lanes, func(i int) int { return i })
	case Widen:
		return m > n && suit(lanes[:n], func(i int) int { return i }) && suit(lanes[n:], func(int) int { return -1 })
	case Extract:
		return m < n && successive(n, lanes) && first(lanes)%m == 0
	case Broadcast:
		l := anyOf(lanes)
		return suit(lanes, func(int) int { return l })
	case Reverse:
		return same && suit(lanes, func(i int) int { return n - 1 - i })
	case Concat:
		return m == 2*n && suit(lanes, func(i int) int { return i })
	case Select:
		return same && suitAny(lanes, func(i int) []int { return []int{i, i + n} })
	case Transpose:
		return same && n > 1 && either(lanes, func(i, odd int) int { return i&^1 + odd + i&1*n })
	case Unpack:
		return same && n > 1 && either(lanes, func(i, high int) int { return i/2 + high*n/2 + i&1*n })
	case UnpackIn:
		for p := n / 2; same && p > 1; p /= 2 {
			if either(lanes, func(i, high int) int { return i/p*p + i%p/2 + high*p/2 + i&1*n }) {
				return true
			}
		}
		return false
	case Even:
		return m <= n && either(lanes, func(i, odd int) int { return 2*i + odd })
	case Align:
		return same && first(lanes) >= 0 && suit(lanes, func(i int) int { return first(lanes) + i })
	case Halves:
		return same && n > 1 && halves(n, lanes)
	}
	return false
}

func suit(lanes []int, f func(i int) int) bool {
	for i, l := range lanes {
		if l >= 0 && l != f(i) {
			return false
		}
	}
	return true
}

func suitAny(lanes []int, f func(i int) []int) bool {
	for i, l := range lanes {
		if w := f(i); l >= 0 && l != w[0] && l != w[1] {
			return false
		}
	}
	return true
}

func either(lanes []int, f func(i, which int) int) bool {
	return suit(lanes, func(i int) int { return f(i, 0) }) || suit(lanes, func(i int) int { return f(i, 1) })
}

// first is the source lane that lane 0 would have if the lanes were successive.
func first(lanes []int) int {
	for i, l := range lanes {
		if l >= 0 {
			return l - i
		}
	}
	return 0
}

func anyOf(lanes []int) int {
	for _, l := range lanes {
		if l >= 0 {
			return l
		}
	}
	return 0
}

// successive says whether the lanes follow each other inside one source.
func successive(n int, lanes []int) bool {
	f := first(lanes)
	return f >= 0 && f/n == (f+len(lanes)-1)/n && suit(lanes, func(i int) int { return f + i })
}

func halves(n int, lanes []int) bool {
	for _, h := range [][]int{lanes[:n/2], lanes[n/2:]} {
		if f := first(h); f < 0 || f%(n/2) != 0 || !successive(n, h) {
			return false
		}
	}
	return true
}
