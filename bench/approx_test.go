package main

import (
	"fmt"
	"strings"
	"testing"
)

// TestApproximations compares what contenders store on equal data: an approximation differs from the original, and no other does.
func TestApproximations(t *testing.T) {
	free := func(row string) bool {
		return strings.HasPrefix(row, "cumulated sums") || // in any order
			strings.HasPrefix(row, "multiply and add") // rounded once, which is more exact
	}
	for _, r := range menus() {
		stored := func(i int) string {
			c := r.contenders(33)[i]
			c.call()
			return fmt.Sprint(c.stored())
		}
		for i, c := range r.contenders(33) {
			if c.stored == nil || free(r.name) {
				continue
			}
			if same := stored(i) == stored(0); same == c.rough {
				t.Errorf("%s, %s stores what the original does: %v", r.name, c.name, same)
			}
		}
	}
}
