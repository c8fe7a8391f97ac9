package twintest

import (
	"strings"
	"testing"
)

// What ends the process in the original is left out; in the twin alone it is an error.
func TestApart(t *testing.T) {
	if testing.Short() {
		t.Skip("short tests try few cases")
	}
	sum := func(x []int32) (s int32) {
		for _, v := range x {
			s += v
		}
		return s
	}
	endless := func(n int) func(x []int32) int32 {
		return func(x []int32) int32 {
			var all [][]int32
			for len(x) == n {
				all = append(all, make([]int32, 1<<20))
			}
			return sum(x) + int32(len(all))
		}
	}
	var deeper func(x []int32) int32
	deeper = func(x []int32) int32 {
		if len(x) == 9 {
			return deeper(x) + 1
		}
		return sum(x)
	}
	wrong := func(x []int32) int32 { return int32(len(x) / 40) }
	tests := []struct {
		name      string
		want, got any
		say       string // part of the report
	}{
		{"ends well", sum, sum, ""},
		{"original takes all memory", endless(17), sum, ""},
		{"original calls itself without end", deeper, sum, ""},
		{"differs behind a case that ended the process", endless(17), func(x []int32) int32 { return sum(x) + wrong(x) }, "result 0 differs"},
		{"twin calls itself without end", sum, deeper, "the twin ends the process"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			say := verdict(t, test.want, test.got, Apart())
			if (say == "") != (test.say == "") || !strings.Contains(say, test.say) {
				t.Errorf("got report %q, want one with %q", say, test.say)
			}
		})
	}
}
