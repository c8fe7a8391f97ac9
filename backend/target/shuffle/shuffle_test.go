package shuffle

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
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

// step makes a list of count lanes from first on.
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

func TestKnown(t *testing.T) {
	for _, c := range []struct {
		name string
		want Reg
	}{
		{"even f32x8", lanes(4, 32, every(0, 2, 8)...)},
		{"odd f32x8", lanes(4, 32, every(1, 2, 8)...)},
		{"zip lo f32x8", lanes(4, 32, 0, 8, 1, 9, 2, 10, 3, 11)},
		{"zip hi f32x8", lanes(4, 32, 4, 12, 5, 13, 6, 14, 7, 15)},
		{"third f32x8", lanes(4, 32, every(0, 3, 8)...)},
		{"third1 f32x8", lanes(4, 32, every(1, 3, 8)...)},
		{"fourth f32x8", lanes(4, 32, every(0, 4, 8)...)},
		{"reverse f32x8", lanes(4, 32, every(7, -1, 8)...)},
		{"reverse i8", lanes(1, 32, every(31, -1, 32)...)},
		{"even i8", lanes(1, 32, every(0, 2, 32)...)},
		{"odd i8", lanes(1, 32, every(1, 2, 32)...)},
		{"third i8", lanes(1, 32, every(0, 3, 32)...)},
		{"third1 i8", lanes(1, 32, every(1, 3, 32)...)},
		{"third2 i8", lanes(1, 32, every(2, 3, 32)...)},
		{"fourth i8", lanes(1, 32, every(0, 4, 32)...)},
		{"fourth3 i8", lanes(1, 32, every(3, 4, 32)...)},
		{"even i16", lanes(2, 32, every(0, 2, 16)...)},
		{"odd i16", lanes(2, 32, every(1, 2, 16)...)},
		{"third i16", lanes(2, 32, every(0, 3, 16)...)},
		{"rot f32", lanes(4, 32, every(3, 1, 8)...)},
		{"even f64x4", lanes(8, 32, 0, 2, 4, 6)},
		{"third f64x4", lanes(8, 32, 0, 3, 6, 9)},
		{"zip i8x16", lanes(1, 16, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)},
		{"zip i8x32", lanes(1, 16, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)},
	} {
		start := time.Now()
		p := For(c.want)
		t.Logf("%-14s %d steps, cost %v, %v: %s", c.name, len(p.Steps), p.Cost, time.Since(start), text(p))
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

func TestRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{8, 4, 2, 1} {
		for _, sources := range []int{1, 2, 3, 4, 6} {
			var worst, total time.Duration
			steps := 0
			const rounds = 60
			for range rounds {
				count := Size / n
				if rng.IntN(3) == 0 {
					count /= 2
				}
				list := make([]int, count)
				for i := range list {
					list[i] = rng.IntN(sources*Size/n+1) - 1
				}
				want := lanes(n, Size, list...)
				start := time.Now()
				p := For(want)
				d := time.Since(start)
				worst, total = max(worst, d), total+d
				steps += len(p.Steps)
				if got := run(p); !got.fits(&want) {
					t.Errorf("%d bytes, lanes %v: %s", n, list, text(p))
				}
			}
			t.Logf("%d bytes, %d sources: %.1f steps, mean %v, worst %v", n, sources, float64(steps)/rounds, total/rounds, worst)
		}
	}
}
