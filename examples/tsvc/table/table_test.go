package main

import (
	"strings"
	"testing"
)

func TestWithClauses(t *testing.T) {
	got := string(withClauses([]byte("// vec:func A\n//vec:func B\nfunc b() {}\n"), map[string]string{"A": " require", "B": " reassoc"}))
	if want := "// vec:func A\n//vec:func B reassoc\nfunc b() {}\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestLine(t *testing.T) {
	m := line.FindStringSubmatch("BenchmarkTSVC/s31111/vector-2         \t     100\t      123.5 ns/op")
	if m == nil || m[1] != "s31111" || m[2] != "vector" || m[3] != "123.5" {
		t.Errorf("got %q", m)
	}
}

// TestClassTable: means are over all loops of a class, counts over the vectorized.
func TestClassTable(t *testing.T) {
	anchors := []anchor{
		{loop: "s1", class: "some", gcc: outcome{true, 2}, clang: outcome{true, 1}, gccF: outcome{true, 8}, clangF: outcome{true, 1}},
		{loop: "s2", class: "some", gcc: outcome{false, 0.5}, clang: outcome{true, 1}, gccF: outcome{true, 2}, clangF: outcome{true, 1}},
		{loop: "s3", class: "not measured"},
	}
	verdicts := map[string]verdict{"S1": {vectorized: true, partial: true}, "S2": {why: "dep:Order"}}
	measured := map[string]times{"s1": {scalar: 90, twin: 10}, "s2": {scalar: 10, twin: 10}}
	for fast, want := range map[bool]string{false: "| all | 2 | 1, 1.00× | 2, 1.00× | 1, 3.00× |", true: "| all | 2 | 2, 4.00× | 2, 1.00× | 1, 3.00× |"} {
		var b strings.Builder
		classTable(&b, join(anchors, verdicts, measured, fast))
		lines := strings.Split(strings.TrimSpace(b.String()), "\n")
		if got := strings.Join(strings.Fields(lines[len(lines)-1]), " "); got != want {
			t.Errorf("fast %v: got %s, want %s", fast, got, want)
		}
	}
}
