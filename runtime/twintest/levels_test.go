package twintest

import (
	"strings"
	"testing"

	"github.com/lanewise/lanewise/runtime/cpu"
)

// TestLevels: twins are compared at all levels, there with what the original does at the same one, and
// wherever they store.
func TestLevels(t *testing.T) {
	if cpu.Level() != cpu.LevelAVX512 || testing.Short() {
		t.Skip("one level alone, or few cases")
	}
	byLevel := func(x []int32) int { return len(x) + len(cpu.Level()) }
	if msg := verdict(t, byLevel, func(x []int32) int { return len(x) + len(cpu.Level()) }); msg != "" {
		t.Errorf("an original that calls twins: %s", msg)
	}
	clear := func(x []int32) {
		for i := range x {
			x[i] = 0
		}
	}
	atAVX2 := func(wrong func(x []int32)) func(x []int32) {
		return func(x []int32) {
			clear(x)
			if cpu.Level() == cpu.LevelAVX2 && len(x) > 8 {
				wrong(x)
			}
		}
	}
	if msg := verdict(t, clear, atAVX2(func(x []int32) { x[len(x)-1] = 1 })); !strings.Contains(msg, "memory differs") {
		t.Errorf("an element that is wrong with AVX2: %q", msg)
	}
	if msg := verdict(t, clear, atAVX2(func(x []int32) { *at(x, -3*pageSize/4) = 1 })); !strings.Contains(msg, "memory differs") {
		t.Errorf("a store far away with AVX2: %q", msg)
	}
}
