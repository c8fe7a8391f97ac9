package dep

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/vectorize/internal/regiontest"
	"github.com/lanewise/lanewise/vectorize/scev"
)

// A place is a reference in a nest: i and j are counters, n a row.
type place struct {
	where                   int // 0 before the inner loop, 1 in it, 2 behind it, 3 in a second one, 4 in a third one inside of that
	c, i, j, k, ni, nj, row int64
	store                   bool
}

func (p *place) index(i, j, k, n int64) int64 {
	return p.c + p.i*i + p.j*j + p.k*k + n*(p.ni*i+p.nj*j+p.row)
}

// A nestProgram is references in a nest with two inner loops, the second of which has
// one inside.
type nestProgram struct {
	places []place
	starts [2]int64 // of the inner loops
	limits [3]int64 // of the inner loops; -1: as many as i, -2: as the parameter w
	steps  [2]int64
}

func (p *nestProgram) limit(l int, i, w int64) int64 {
	switch p.limits[l] {
	case -1:
		return i
	case -2:
		return w
	}
	return p.limits[l]
}

// A visit is an access: reference, iteration of the outer loop, address.
type visit struct {
	id, t int
	at    int64
}

// iteration lists the accesses of one iteration, with where they stand in the order
// that all lanes keep: part, iterations, reference.
func (p *nestProgram) iteration(t int, i, n, w int64, add func(key string, v visit)) {
	put := func(where int, j, k int64, u, v int) {
		for id := range p.places {
			if r := &p.places[id]; r.where == where {
				part := min(where, 3)
				key := fmt.Sprintf("%d %4d %4d %d %2d", part, u, v, where, id)
				if where == 4 { // behind what stands in the loop around it
					key = fmt.Sprintf("%d %4d 9999 %4d %2d", part, u, v, id)
				}
				add(key, visit{id, t, r.index(i, j, k, n)})
			}
		}
	}
	put(0, 0, 0, 0, 0)
	for u, j := 0, p.starts[0]; j < p.limit(0, i, w); u, j = u+1, j+p.steps[0] {
		put(1, j, 0, u, 0)
	}
	put(2, 0, 0, 0, 0)
	for u, j := 0, p.starts[1]; j < p.limit(1, i, w); u, j = u+1, j+p.steps[1] {
		put(3, j, 0, u, 0)
		for k := int64(0); k < p.limit(2, i, w); k++ {
			put(4, j, k, u, int(k))
		}
	}
}

// run does all iterations in blocks of so many lanes and tells what each access has
// found where it went.
func (p *nestProgram) run(i0, n, w int64, total, lanes int) (seen map[visit][]visit, memory map[int64]visit) {
	seen, memory = make(map[visit][]visit), make(map[int64]visit)
	for t0 := 0; t0 < total; t0 += lanes {
		byKey := make(map[string][]visit)
		for t := t0; t < t0+lanes; t++ {
			p.iteration(t, i0+int64(t), n, w, func(key string, v visit) { byKey[key] = append(byKey[key], v) })
		}
		for _, key := range slices.Sorted(maps.Keys(byKey)) {
			for _, v := range byKey[key] {
				if p.places[v.id].store {
					memory[v.at] = v
				} else {
					seen[v] = append(seen[v], memory[v.at])
				}
			}
		}
	}
	return seen, memory
}

func (p *nestProgram) text() string {
	var sb strings.Builder
	sb.WriteString("func @f(%p ptr {elem 4}, %n i64, %w i64, %i0 i64, %m i64) (i64) {\nentry:\n\tjmp header\n" +
		"header:\n\t%i = phi i64 [%i0, entry], [%i1, latch]\n\t%c = icmp.slt bool %i, %m\n\tbr %c, body, exit\nbody:\n\titer\n" +
		"\t%val = const f32 0\n\t%zero = const i64 0\n\t%one = const i64 1\n\t%ni = mul i64 %n, %i\n")
	for l := range 2 {
		fmt.Fprintf(&sb, "\t%%start%d = const i64 %d\n\t%%step%d = const i64 %d\n", l, p.starts[l], l, p.steps[l])
	}
	limit := make([]string, 3)
	for l := range limit {
		switch p.limits[l] {
		case -1:
			limit[l] = "%i"
		case -2:
			limit[l] = "%w"
		default:
			limit[l] = fmt.Sprintf("%%limit%d", l)
			fmt.Fprintf(&sb, "\t%s = const i64 %d\n", limit[l], p.limits[l])
		}
	}
	p.write(&sb, 0, "", "")
	sb.WriteString("\tjmp head\nhead:\n\t%j = phi i64 [%start0, body], [%j1, loop]\n\t%cj = icmp.slt bool %j, " + limit[0] + "\n\tbr %cj, loop, behind\nloop:\n")
	p.write(&sb, 1, "%j", "")
	sb.WriteString("\t%j1 = add i64 %j, %step0\n\tjmp head\nbehind:\n")
	p.write(&sb, 2, "", "")
	sb.WriteString("\tjmp head2\nhead2:\n\t%g = phi i64 [%start1, behind], [%g1, next2]\n\t%cg = icmp.slt bool %g, " + limit[1] + "\n\tbr %cg, loop2, done\nloop2:\n")
	p.write(&sb, 3, "%g", "")
	sb.WriteString("\tjmp head3\nhead3:\n\t%k = phi i64 [%zero, loop2], [%k1, loop3]\n\t%ck = icmp.slt bool %k, " + limit[2] + "\n\tbr %ck, loop3, next2\nloop3:\n")
	p.write(&sb, 4, "%g", "%k")
	sb.WriteString("\t%k1 = add i64 %k, %one\n\tjmp head3\nnext2:\n\t%g1 = add i64 %g, %step1\n\tjmp head2\ndone:\n\tjmp latch\n" +
		"latch:\n\t%i1 = add i64 %i, %one\n\tjmp header\nexit:\n\tret %i\n}\n")
	return sb.String()
}

// write writes the references of one place of the body.
func (p *nestProgram) write(sb *strings.Builder, where int, j, k string) {
	for id, r := range p.places {
		if r.where != where {
			continue
		}
		sum := fmt.Sprintf("%%x%d", id)
		fmt.Fprintf(sb, "\t%s = const i64 %d\n", sum, r.c)
		term := func(name string, coef int64, of string) {
			if coef == 0 || of == "" {
				return
			}
			fmt.Fprintf(sb, "\t%%%s%dc = const i64 %d\n\t%%%s%dp = mul i64 %s, %%%s%dc\n", name, id, coef, name, id, of, name, id)
			fmt.Fprintf(sb, "\t%s%s = add i64 %s, %%%s%dp\n", sum, name, sum, name, id)
			sum += name
		}
		term("i", r.i, "%i")
		term("j", r.j, j)
		term("k", r.k, k)
		term("ni", r.ni, "%ni")
		if j != "" && r.nj != 0 {
			fmt.Fprintf(sb, "\t%%nj%d = mul i64 %%n, %s\n", id, j)
			term("nj", r.nj, fmt.Sprintf("%%nj%d", id))
		}
		term("row", r.row, "%n")
		if r.store {
			fmt.Fprintf(sb, "\tstore f32 %%val, [%%p + %s*4]\n", sum)
		} else {
			fmt.Fprintf(sb, "\t%%l%d = load f32 [%%p + %s*4]\n", id, sum)
		}
	}
}

func randomNest(rng *rand.Rand) *nestProgram {
	p := &nestProgram{}
	for l := range 2 {
		p.starts[l] = rng.Int64N(3)
		p.steps[l] = 1 + rng.Int64N(2)*rng.Int64N(2)
	}
	for l := range p.limits {
		p.limits[l] = []int64{-1, -2, 2 + rng.Int64N(7)}[rng.IntN(3)]
	}
	p.limits[2] = min(p.limits[2], 4)
	byRows := rng.IntN(2) == 0
	var used [2]int64
	for n := 2 + rng.IntN(3); len(p.places) < n; {
		r := place{where: []int{0, 1, 1, 1, 1, 2, 3, 3, 4, 4}[rng.IntN(10)], store: rng.IntN(2) == 0, c: rng.Int64N(4) - 1}
		if len(p.places) == 0 || rng.IntN(4) == 0 {
			used = [2]int64{[]int64{1, 1, 1, 2, 16, 17, 0}[rng.IntN(7)], []int64{1, 16, 16, 20, 0, -16}[rng.IntN(6)]}
		}
		r.i, r.j = used[0], used[1]
		r.k = []int64{0, 0, 1, 4, 100}[rng.IntN(5)]
		if byRows {
			r.i, r.j = min(r.i, 2), 0
			r.nj = []int64{1, 1, 1, 2, 0}[rng.IntN(5)]
			r.row = []int64{0, 0, -1, 1}[rng.IntN(4)]
			if rng.IntN(4) == 0 {
				r.ni, r.nj, r.j = 1, 0, 1
			}
		} else {
			r.c += []int64{0, 0, -16, 16, 32}[rng.IntN(5)]
		}
		p.places = append(p.places, r)
	}
	return p
}

// TestNestsAgainstSimulation: when a nest is not refused and its tests hold, lanes side
// by side find in memory what they find one after the other.
func TestNestsAgainstSimulation(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	const programs, runs = 1000, 8
	counts := make(map[string]int)
	for range programs {
		p := randomNest(rng)
		r := regiontest.Parse(t, p.text())
		least := rng.Int64N(5) - 2 // of the outer counter
		if least >= 0 {
			r.State[0].Init = &least
		}
		res := Analyze(r, scev.New(r), Options{})
		if !res.Nest {
			counts["no nest"]++
			continue
		}
		if res.Refusal != nil {
			counts["refused"]++
			continue
		}
		lanes := 2 << rng.IntN(3)
		if res.MaxLanes != 0 && lanes > res.MaxLanes {
			lanes = res.MaxLanes
			counts["limited"]++
		}
		for range runs {
			n, w, i0 := 1+rng.Int64N(40), rng.Int64N(8), least+rng.Int64N(4)
			total := 2 * lanes
			seen, memory := p.run(i0, n, w, total, 1)
			seen2, memory2 := p.run(i0, n, w, total, lanes)
			same := maps.Equal(memory, memory2) && maps.EqualFunc(seen, seen2, slices.Equal)
			if !same {
				counts["differing"]++
			}
			args := []int64{0, n, w, i0, i0 + int64(total)}
			switch {
			case !testsHold(res, args, total, lanes):
				counts["tests fail"]++
			case !same:
				t.Fatalf("%d lanes, n %d, w %d, from %d: order shows in %+v\n%s\n%s", lanes, n, w, i0, *p, r.Fn, report(res))
			default:
				counts["legal"]++
			}
		}
	}
	for what, least := range map[string]int{"refused": 300, "differing": 20, "tests fail": 100, "legal": 1000, "limited": 20} {
		if counts[what] < least {
			t.Errorf("poor sample: %d %s, want %d: %v", counts[what], what, least, counts)
		}
	}
}
