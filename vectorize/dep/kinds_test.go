package dep

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/vectorize/internal/regiontest"
	"github.com/lanewise/lanewise/vectorize/scev"
)

// A subscript is one form of index, as text of a program and as a function of
// the iteration.
type subscript struct {
	name string
	at   func(s *setting, i int64) int64
}

// A setting is the arguments of one run.
type setting struct {
	w, k, i0 int64
	idx      []int64
}

const subscriptText = `	%s = load i64 [%idx + %i*8]
	%s2 = mul i64 %s, %c2
	%s3 = add i64 %s2, %c1
	%si = add i64 %s, %i
	%i2 = mul i64 %i, %c2
	%ik = add i64 %i, %k
	%ir = sub i64 %k, %i
	%iw0 = mul i64 %i, %w
	%iw = add i64 %iw0, %c12
	%iw1 = add i64 %iw, %c1
	%iwk = add i64 %iw, %k
	%a3 = and i64 %i, %c3
	%a3k = add i64 %a3, %k
	%a32 = mul i64 %a3, %c2
	%u3 = urem i64 %i2, %c3
	%r3 = srem i64 %ik, %c3
	%r3n = sub i64 %c3, %r3
`

var subscripts = []subscript{
	{"i", func(_ *setting, i int64) int64 { return i }},
	{"i2", func(_ *setting, i int64) int64 { return 2 * i }},
	{"ik", func(s *setting, i int64) int64 { return i + s.k }},
	{"ir", func(s *setting, i int64) int64 { return s.k - i }},
	{"iw", func(s *setting, i int64) int64 { return i*s.w + 12 }},
	{"iw1", func(s *setting, i int64) int64 { return i*s.w + 13 }},
	{"iwk", func(s *setting, i int64) int64 { return i*s.w + 12 + s.k }},
	{"s", func(s *setting, i int64) int64 { return s.idx[i] }},
	{"s3", func(s *setting, i int64) int64 { return 2*s.idx[i] + 1 }},
	{"si", func(s *setting, i int64) int64 { return s.idx[i] + i }},
	{"a3", func(_ *setting, i int64) int64 { return i & 3 }},
	{"a3k", func(s *setting, i int64) int64 { return i&3 + s.k }},
	{"a32", func(_ *setting, i int64) int64 { return i & 3 * 2 }},
	{"u3", func(_ *setting, i int64) int64 { return 2 * i % 3 }},
	{"r3n", func(s *setting, i int64) int64 { return 3 - (i+s.k)%3 }},
}

// A reference is an access of a random program.
type reference struct {
	id    int // position in the program
	base  int // 0 or 1
	sub   subscript
	field int64
	size  int64
	store bool
}

const elemSize, elems = 4, 40

func randomReferences(rng *rand.Rand) (refs []reference) {
	some := []subscript{subscripts[rng.IntN(len(subscripts))], subscripts[rng.IntN(len(subscripts))]}
	bases := 1 + rng.IntN(2)
	for range 2 + rng.IntN(3) {
		r := reference{base: rng.IntN(bases), sub: some[rng.IntN(2)], size: []int64{1, 2, 4}[rng.IntN(3)], store: rng.IntN(2) == 0}
		r.field = rng.Int64N(elemSize/r.size) * r.size
		r.id = len(refs)
		refs = append(refs, r)
	}
	return refs
}

func program(refs []reference) string {
	var sb strings.Builder
	sb.WriteString("func @f(%p ptr {elem 4, len %plen}, %q ptr {elem 4, len %plen}, %idx ptr {elem 8, len %n, immutable}, %plen i64, %w i64, %k i64, %i0 i64, %n i64) (i64) {\n" +
		"entry:\n\tjmp header\nheader:\n\t%i = phi i64 [%i0, entry], [%i1, latch]\n\t%c = icmp.slt bool %i, %n\n\tbr %c, body, exit\n" +
		"body:\n\titer\n\t%c1 = const i64 1\n\t%c2 = const i64 2\n\t%c3 = const i64 3\n\t%c12 = const i64 12\n" + subscriptText +
		"\t%v1 = const i8 0\n\t%v2 = const i16 0\n\t%v4 = const i32 0\n")
	for m, r := range refs {
		addr := fmt.Sprintf("[%%%c + %%%s*%d + %d]", "pq"[r.base], r.sub.name, elemSize, r.field)
		if r.store {
			fmt.Fprintf(&sb, "\tstore i%d %%v%d, %s\n", 8*r.size, r.size, addr)
		} else {
			fmt.Fprintf(&sb, "\t%%l%d = load i%d %s\n", m, 8*r.size, addr)
		}
	}
	sb.WriteString("\tjmp latch\nlatch:\n\t%i1 = add i64 %i, %c1\n\tjmp header\nexit:\n\tret %i\n}\n")
	return strings.Replace(sb.String(), "latch:\n\t%i1 = add i64 %i, %c1", "latch:\n\t%one = const i64 1\n\t%i1 = add i64 %i, %one", 1)
}

// run executes refs in scalar order, or in blocks of lanes; not ok when one
// leaves its memory. Stores carry a tag each, loads record what they see.
func (s *setting) run(refs []reference, bases [2]int64, n, lanes int) (mem map[int64]int, seen []int, ok bool) {
	mem, ok = make(map[int64]int), true
	do := func(r reference, i int64) {
		x := r.sub.at(s, i)
		ok = ok && 0 <= x && x < elems
		at := bases[r.base] + x*elemSize + r.field
		for b := at; b < at+r.size; b++ {
			if r.store {
				mem[b] = 1 + r.id + 10*int(i)
			} else {
				seen = append(seen, 1000*(r.id+10*int(i))+mem[b])
			}
		}
	}
	for t := 0; t < n; t += lanes {
		for _, r := range refs {
			for k := range lanes {
				do(r, s.i0+int64(t+k))
			}
		}
	}
	return mem, seen, ok
}

// TestRandomKindsAgainstSimulation does for all kinds of subscripts what
// TestRandomProgramsAgainstSimulation does for linear ones.
func TestRandomKindsAgainstSimulation(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const programs, runs = 1200, 40
	counts := make(map[string]int)
	for range programs {
		refs := randomReferences(rng)
		r := regiontest.Parse(t, program(refs))
		res := Analyze(r, scev.New(r), Options{})
		if res.Refusal != nil {
			counts["refused"]++
			continue
		}
		lanes := 2 << rng.IntN(2)
		if res.MaxLanes != 0 && lanes > res.MaxLanes {
			lanes = res.MaxLanes
			counts["limited"]++
		}
		kinds := ""
		for _, a := range res.Accesses[1:] { // behind the load of the index
			kinds = max(kinds, a.Kind.String())
		}
		for range runs {
			s := &setting{w: rng.Int64N(9) - 3, k: rng.Int64N(7), i0: rng.Int64N(4)}
			for range 32 {
				s.idx = append(s.idx, rng.Int64N(12))
			}
			bases := [2]int64{1000, 1000 + rng.Int64N(2*elems*elemSize) - elems*elemSize}
			n := 2 * lanes
			mem, seen, ok := s.run(refs, bases, n, 1)
			if !ok {
				counts["outside"]++
				continue
			}
			mem2, seen2, _ := s.run(inOrder(res, refs), bases, n, lanes)
			same := fmt.Sprint(mem) == fmt.Sprint(mem2) && sameSeen(seen, seen2)
			if !same {
				counts["differing"]++
			}
			args := []int64{bases[0], bases[1], 100000, elems, s.w, s.k, s.i0, s.i0 + int64(n)}
			if !testsHold(res, args, n, lanes) {
				counts["overlapping"]++
				continue
			}
			counts[kinds]++
			if !same {
				t.Fatalf("%d lanes, arguments %v, indexes %v: order shows in\n%s\n%s", lanes, args, s.idx, r.Fn, report(res))
			}
		}
	}
	for what, least := range map[string]int{"refused": 200, "limited": 8, "differing": 800, "linear": 400, "symbolic": 200, "periodic": 400, "indexed": 400} {
		if counts[what] < least {
			t.Errorf("poor sample: %d %s, want %d: %v", counts[what], what, least, counts)
		}
	}
}

// inOrder is refs in the order of the vector program.
func inOrder(res *Result, refs []reference) []reference {
	var out []reference
	for _, a := range res.Accesses {
		if a.Program > 0 { // behind the load of the index
			out = append(out, refs[a.Program-1])
		}
	}
	return out
}

// sameSeen compares what loads saw, whose tags say which load and iteration, in
// any order.
func sameSeen(a, b []int) bool {
	count := make(map[int]int)
	for _, x := range a {
		count[x]++
	}
	for _, x := range b {
		count[x]--
	}
	for _, c := range count {
		if c != 0 {
			return false
		}
	}
	return true
}
