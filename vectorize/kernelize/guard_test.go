package kernelize

import (
	"slices"
	"testing"

	"github.com/lanewise/lanewise/vectorize/alias"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/parse"
)

// A test is left out just where one that is made says as much.
func TestCovers(t *testing.T) {
	x, y, i := new(vir.Value), new(vir.Value), new(vir.Value)
	d := alias.Distance{From: x, To: y, Terms: []alias.Term{{Value: i, Factor: 4}}, Lo: -15, Hi: 15}
	for _, tt := range []struct {
		name   string
		change func(o *alias.Distance)
		want   bool
	}{
		{"the same", func(*alias.Distance) {}, true},
		{"more", func(o *alias.Distance) { o.Lo, o.Hi = -16, 16 }, true},
		{"less above", func(o *alias.Distance) { o.Hi = 14 }, false},
		{"less below", func(o *alias.Distance) { o.Lo = -14 }, false},
		{"another pointer", func(o *alias.Distance) { o.To = x }, false},
		{"another base", func(o *alias.Distance) { o.From = y }, false},
		{"another index", func(o *alias.Distance) { o.Terms = []alias.Term{{Value: i, Factor: 8}} }, false},
	} {
		o := d
		tt.change(&o)
		if got := covers(o, d); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

// Intervals are joined where they touch, and else kept apart while they are few.
func TestIntervals(t *testing.T) {
	g := new(group)
	for _, x := range []interval{{-3, 3}, {100, 110}, {4, 6}, {40, 50}, {8, 9}} {
		g.insert(x)
	}
	if want := []interval{{-3, 6}, {8, 9}, {40, 50}, {100, 110}}; !slices.Equal(g.ends, want) {
		t.Errorf("%v, want %v", g.ends, want)
	}
	g.insert(interval{200, 300})
	g.join()
	if want := []interval{{-3, 9}, {40, 50}, {100, 110}, {200, 300}}; !slices.Equal(g.ends, want) {
		t.Errorf("%v, want %v", g.ends, want)
	}
}

// What a test in front of an iteration is computed from must not have to be loaded, nor come
// from the iteration in other ways.
func TestTestable(t *testing.T) {
	f, err := parse.Func(`func @code(%x ptr {elem 8, len %n}, %n i64, %k i64, %i0 i64) (i64) {
entry:
	%two = const i64 2
	%before = load i64 [%x]
	jmp header
header:
	%i = phi i64 [%i0, entry], [%i1, join]
	%c = icmp.slt bool %i, %n
	br %c, body, exit
body:
	%sum = add i64 %i, %k
	%twice = mul i64 %sum, %two
	%part = sdiv i64 %k, %i
	%loaded = load i64 [%x + %i*8]
	%more = add i64 %loaded, %two
	br %c, then, join
then:
	%late = sub i64 %k, %two
	jmp join
join:
	%chosen = phi i64 [%sum, body], [%late, then]
	%i1 = add i64 %i, %two
	jmp header
exit:
	ret %i
}
`)
	if err != nil {
		t.Fatal(err)
	}
	known := Testable(f, false)
	want := map[string]bool{"two": true, "before": true, "n": true, "i": true, "sum": true, "twice": true, "late": true, "i1": true,
		"part": false, "loaded": false, "more": false, "chosen": false}
	for v := range f.Values {
		if w, ok := want[v.Name]; ok && known(v) != w {
			t.Errorf("%s: %v", v.Name, !w)
		}
	}
}
