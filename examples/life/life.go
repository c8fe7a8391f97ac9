// Package life is Conway's game of life on a torus.
package life

//go:generate go tool lanewise -tests .

// step stores the next generation of cur. Cells at an edge have neighbours at the opposite one; all rows have
// the same length.
//
//vec:func Step
func step(next, cur [][]bool) {
	h := len(cur)
	for y := range cur {
		w := len(cur[y])
		for x := range cur[y] {
			n := 0
			for dy := -1; dy <= 1; dy++ {
				for dx := -1; dx <= 1; dx++ {
					if (dy != 0 || dx != 0) && cur[(y+dy+h)%h][(x+dx+w)%w] {
						n++
					}
				}
			}
			next[y][x] = n == 3 || n == 2 && cur[y][x]
		}
	}
}
