package life

import (
	"strings"
	"testing"
)

// A glider is where it was, a row further down and a column to the right, after four generations.
func TestGlider(t *testing.T) {
	const w, h = 50, 9
	glider := []string{".#.", "..#", "###"}
	world := func(y, x int) [][]bool {
		rows := make([][]bool, h)
		for i := range rows {
			rows[i] = make([]bool, w)
		}
		for dy, line := range glider {
			for dx, c := range line {
				rows[(y+dy)%h][(x+dx)%w] = c == '#'
			}
		}
		return rows
	}
	for _, step := range []func(next, cur [][]bool){step, Step} {
		cur, next := world(h-2, w-2), world(0, 0)
		for k := range 4 * h * w {
			if k%4 == 0 {
				if got, want := text(cur), text(world(h-2+k/4, w-2+k/4)); got != want {
					t.Fatalf("generation %d:\n%swant\n%s", k, got, want)
				}
			}
			step(next, cur)
			cur, next = next, cur
		}
	}
}

func text(rows [][]bool) string {
	var sb strings.Builder
	for _, row := range rows {
		for _, alive := range row {
			sb.WriteByte(".#"[map[bool]int{true: 1}[alive]])
		}
		sb.WriteByte('\n')
	}
	return sb.String()
}
