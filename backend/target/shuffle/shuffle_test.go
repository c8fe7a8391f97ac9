package shuffle

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// lanes is the register wanted for a list of lanes of n bytes from sources of
// size bytes each; -1 is not wanted.
func lanes(n, size int, list ...int) Reg {
	r := None()
	for i, k := range list {
		for j := range n {
			if at := k*n + j; k >= 0 {
				r[i*n+j] = Of(at/size, at%size)
			}
		}
	}
	return r
}

// every lists count lanes from first on, by apart.
func every(first, by, count int) (list []int) {
	for i := range count {
		list = append(list, first+i*by)
	}
	return list
}

func text(p *Plan) (s string) {
	for _, st := range p.Steps {
		s += fmt.Sprintf("%s/%d %#x (%d %d); ", st.Op.Info().Name, st.Size, st.Imm, st.A, st.B)
	}
	return s
}

// TestKnownShuffles has what people have found by hand, or better.
func TestKnownShuffles(t *testing.T) {
	for _, c := range []struct {
		name  string
		steps int
		want  Reg
	}{
		{"as it is", 0, lanes(4, 32, every(0, 1, 8)...)},
		{"low half of a register", 0, lanes(4, 32, every(0, 1, 4)...)},
		{"high half of a register", 1, lanes(4, 32, every(4, 1, 4)...)},
		{"broadcast of lane 0", 1, lanes(4, 32, every(0, 0, 8)...)},
		{"broadcast of lane 5", 1, lanes(4, 32, every(5, 0, 8)...)},
		{"halves joined", 1, lanes(4, 16, every(0, 1, 8)...)},
		{"even f32x8", 2, lanes(4, 32, every(0, 2, 8)...)},
		{"odd f32x8", 2, lanes(4, 32, every(1, 2, 8)...)},
		{"even f64x4", 2, lanes(8, 32, every(0, 2, 4)...)},
		{"even f32x4", 1, lanes(4, 16, every(0, 2, 4)...)},
		{"low zip f32x8", 2, lanes(4, 32, 0, 8, 1, 9, 2, 10, 3, 11)},
		{"high zip f32x8", 2, lanes(4, 32, 4, 12, 5, 13, 6, 14, 7, 15)},
		{"zip of halves", 1, lanes(4, 32, 0, 8, 1, 9, 4, 12, 5, 13)},
		{"every third f32x8", 3, lanes(4, 32, every(0, 3, 8)...)},
		{"every third f64x4", 3, lanes(8, 32, every(0, 3, 4)...)},
		{"every fourth f32x8", 4, lanes(4, 32, every(0, 4, 8)...)},
		{"every eighth f32x8", 7, lanes(4, 32, every(3, 8, 8)...)},
		{"every eighth f64x4", 3, lanes(8, 32, every(3, 8, 4)...)},
		{"reverse f32x8", 1, lanes(4, 32, every(7, -1, 8)...)},
		{"reverse i8x32", 2, lanes(1, 32, every(31, -1, 32)...)},
		{"reverse i8x16", 1, lanes(1, 16, every(15, -1, 16)...)},
		{"even i8x32", 4, lanes(1, 32, every(0, 2, 32)...)},
		{"odd i16x16", 4, lanes(2, 32, every(1, 2, 16)...)},
		{"every third i8x32", 6, lanes(1, 32, every(2, 3, 32)...)},
		{"every third i16x16", 6, lanes(2, 32, every(0, 3, 16)...)},
		{"every fourth i8x32", 8, lanes(1, 32, every(3, 4, 32)...)},
		{"zip i8x16", 1, lanes(1, 16, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)},
		{"next f32x8", 2, lanes(4, 32, every(1, 1, 8)...)},
		{"previous i8x32", 2, lanes(1, 32, every(31, 1, 32)...)},
		{"pairs swapped", 1, lanes(4, 32, 1, 0, 3, 2, 5, 4, 7, 6)},
		{"quarters swapped", 1, lanes(8, 32, 3, 1, 2, 0)},
		{"bytes of elements reversed", 1, lanes(1, 32, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12, 19, 18, 17, 16)},
	} {
		p := For(c.want)
		if len(p.Steps) != c.steps {
			t.Errorf("%s: %d steps, not %d: %s", c.name, len(p.Steps), c.steps, text(p))
		}
		if got := run(p); !got.fits(&c.want) {
			t.Errorf("%s: wrong bytes: %s", c.name, text(p))
		}
	}
}

// TestZeros wants bytes of no source.
func TestZeros(t *testing.T) {
	want := source(0)
	for i := 1; i < Size; i += 2 {
		want[i] = Zero
	}
	for _, w := range []Reg{want, func() (r Reg) {
		for i := range r {
			r[i] = Zero
		}
		return r
	}()} {
		p := For(w)
		if got := run(p); !got.fits(&w) || len(p.Steps) != 1 {
			t.Errorf("%s", text(p))
		}
	}
}

// TestGroupsShareSteps counts the different instructions of all streams of a group.
func TestGroupsShareSteps(t *testing.T) {
	for _, c := range []struct{ bytes, streams, steps int }{{4, 2, 4}, {4, 3, 9}, {4, 4, 12}, {1, 2, 6}, {1, 4, 19}, {8, 4, 8}} {
		seen := make(map[string]bool)
		for j := range c.streams {
			p := For(lanes(c.bytes, 32, every(j, c.streams, Size/c.bytes)...))
			keys := make([]string, len(p.Steps))
			for i, s := range p.Steps {
				key := func(k int) string {
					if k < 0 {
						return fmt.Sprint(k)
					}
					return keys[k]
				}
				keys[i] = fmt.Sprintf("%s %d %x (%s, %s)", s.Op.Info().Name, s.Imm, s.Const, key(s.A), key(s.B))
				seen[keys[i]] = true
			}
		}
		if len(seen) != c.steps {
			t.Errorf("%d streams of %d bytes: %d instructions, not %d", c.streams, c.bytes, len(seen), c.steps)
		}
	}
}

// run executes a plan on symbolic registers.
func run(p *Plan) Reg {
	regs := make([]Reg, len(p.Steps))
	get := func(i int) Reg {
		if i < 0 {
			return source(^i)
		}
		return regs[i]
	}
	for i, s := range p.Steps {
		c := call{op: s.Op, imm: s.Imm, ctl: s.Const}
		a, b := get(s.A), get(s.B)
		if s.Size == Half && s.Op != Extract128 {
			copy(a[Half:], none[Half:])
			copy(b[Half:], none[Half:])
		}
		regs[i] = c.apply(&a, &b)
		if s.Size == Half {
			copy(regs[i][Half:], none[Half:])
		}
	}
	if len(regs) == 0 {
		return source(p.Source)
	}
	return regs[len(regs)-1]
}

// TestRandomLists executes plans for any lanes on symbolic registers.
func TestRandomLists(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{8, 4, 2, 1} {
		for _, sources := range []int{1, 2, 3, 4, 6} {
			steps := 0
			const rounds = 30
			for range rounds {
				count := Size / n >> rng.IntN(2)
				list := make([]int, count)
				for i := range list {
					list[i] = rng.IntN(sources*Size/n+1) - 1
				}
				want := lanes(n, Size, list...)
				p := For(want)
				steps += len(p.Steps)
				if got := run(p); !got.fits(&want) {
					t.Errorf("%d bytes, lanes %v: %s", n, list, text(p))
				}
			}
			t.Logf("%d bytes, %d sources: %.1f steps", n, sources, float64(steps)/rounds)
		}
	}
}

// TestPlansAreTheSame searches again without what was kept.
func TestPlansAreTheSame(t *testing.T) {
	want := lanes(1, 32, every(1, 3, 32)...)
	first := text(For(want))
	plans.Lock()
	clear(plans.m)
	plans.Unlock()
	if again := text(For(want)); again != first {
		t.Errorf("%s\n%s", first, again)
	}
}

// TestRow has what is a row of two registers, and what is none.
func TestRow(t *testing.T) {
	zeros := func(r Reg, from, to int) Reg {
		for i := from; i < to; i++ {
			r[i] = Zero
		}
		return r
	}
	for _, c := range []struct {
		name string
		want Reg
		row  Row
		ok   bool
	}{
		{"up by one", lanes(4, 32, every(7, 1, 8)...), Row{0, 1, 28}, true},
		{"round by one", lanes(4, 32, 1, 2, 3, 4, 5, 6, 7, 0), Row{0, 0, 4}, true},
		{"up by one with something below", lanes(8, 32, -1, 0, 1, 2), Row{-1, 0, 24}, true},
		{"up by three with zeros below", zeros(lanes(4, 32, -1, -1, -1, 0, 1, 2, 3, 4), 0, 12), Row{-2, 0, 20}, true},
		{"down by one with a zero above", zeros(lanes(4, 32, 1, 2, 3, 4, 5, 6, 7, -1), 28, 32), Row{0, -2, 4}, true},
		{"a zero in between", zeros(lanes(4, 32, 7, 8, 9, 10, 11, 12, 13, 14), 8, 12), Row{}, false},
		{"as it is", lanes(4, 32, every(0, 1, 8)...), Row{}, false},
		{"halves of 4 bytes", lanes(2, 32, every(15, 1, 16)...), Row{}, false},
		{"three registers", lanes(4, 32, 7, 8, 9, 10, 11, 12, 13, 16), Row{}, false},
		{"backward", lanes(4, 32, every(8, -1, 8)...), Row{}, false},
		{"nothing but zeros", zeros(None(), 0, 32), Row{}, false},
	} {
		if row, ok := c.want.Row(); ok != c.ok || ok && row != c.row {
			t.Errorf("%s: %v, %v, want %v, %v", c.name, row, ok, c.row, c.ok)
		}
	}
}
