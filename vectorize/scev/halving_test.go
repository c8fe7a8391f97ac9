package scev_test

import (
	"fmt"
	"math/bits"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/vectorize/internal/regiontest"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir/plan"
)

// halvingText is a region with an inner loop that runs under a condition, and what it does to a byte.
func halvingText(condition, next string) string {
	return fmt.Sprintf(`func @f(%%x ptr {elem 1, len %%n}, %%n i64, %%i0 i64) (i64) {
entry:
	jmp header
header:
	%%i = phi i64 [%%i0, entry], [%%i1, latch]
	%%c = icmp.slt bool %%i, %%n
	br %%c, body, exit
body:
	iter
	%%v0 = load i8 [%%x + %%i*1]
	%%zero = const i8 0
	%%one = const i8 1
	%%three = const i8 3
	%%ten = const i8 10
	%%minus = const i8 -1
	jmp head
head:
	%%v = phi i8 [%%v0, body], [%%v1, turn]
	%%go = icmp.%s
	br %%go, turn, behind
turn:
	%%less = add i8 %%v, %%minus
	%%v1 = %s
	jmp head
behind:
	check.index %%i, %%n
	store i8 %%v, [%%x + %%i*1]
	jmp latch
latch:
	%%step = const i64 1
	%%i1 = add i64 %%i, %%step
	jmp header
exit:
	ret %%i
}
`, condition, next)
}

// TestChoicesOfHalvings: what counts is the choice of the turns, on whichever side of the branch they stand.
func TestChoicesOfHalvings(t *testing.T) {
	const half = "lshr i8 %v, %one\n\t%v1 = select i8 %go, "
	for _, c := range []struct {
		ways, from, to string
		bound          bool
	}{
		{"%h, %v", "turn, behind", "turn, behind", true},
		{"%v, %h", "turn, behind", "turn, behind", false},
		{"%h, %v", "turn, behind", "behind, turn", false},
		{"%v, %h", "turn, behind", "behind, turn", true},
	} {
		condition := "ne bool %v, %zero"
		if c.to != c.from {
			condition = "eq bool %v, %zero"
		}
		text := strings.Replace(halvingText(condition, half+c.ways), "%v1 = lshr", "%h = lshr", 1)
		sc := scev.New(regiontest.Parse(t, strings.Replace(text, "br %go, "+c.from, "br %go, "+c.to, 1)))
		if last := sc.Last(sc.Loops().All[1]); (last != nil) != c.bound {
			t.Errorf("br %%go, %s with select %%go, %s: bound %v", c.to, c.ways, last)
		}
	}
}

// TestHalvings counts the turns that loops need for all bytes: the bound is reached, or missed by one where
// quotients are cut off.
func TestHalvings(t *testing.T) {
	conditions := []struct {
		text   string
		holds  func(v uint8) bool
		signed bool
	}{
		{"ne bool %v, %zero", func(v uint8) bool { return v != 0 }, false},
		{"ult bool %zero, %v", func(v uint8) bool { return v > 0 }, false},
		{"ule bool %one, %v", func(v uint8) bool { return v >= 1 }, false},
		{"ule bool %zero, %v", nil, false}, // always
		{"slt bool %zero, %v", func(v uint8) bool { return int8(v) > 0 }, true},
		{"sle bool %one, %v", func(v uint8) bool { return int8(v) >= 1 }, true},
		{"sle bool %zero, %v", nil, true}, // 0 stays
		{"slt bool %minus, %v", nil, true},
		{"ne bool %v, %one", nil, false},
	}
	steps := []struct {
		text   string
		next   func(v uint8) uint8
		signed bool // only of positive signed numbers
	}{
		{"lshr i8 %v, %one", func(v uint8) uint8 { return v >> 1 }, false},
		{"lshr i8 %v, %three", func(v uint8) uint8 { return v >> 3 }, false},
		{"udiv i8 %v, %three", func(v uint8) uint8 { return v / 3 }, false},
		{"udiv i8 %v, %ten", func(v uint8) uint8 { return v / 10 }, false},
		{"ashr i8 %v, %one", func(v uint8) uint8 { return uint8(int8(v) >> 1) }, true},
		{"sdiv i8 %v, %three", func(v uint8) uint8 { return uint8(int8(v) / 3) }, true},
		{"and i8 %v, %less", func(v uint8) uint8 { return v & (v - 1) }, false},
		{"and i8 %less, %v", func(v uint8) uint8 { return v & (v - 1) }, false},
		{"udiv i8 %v, %one", nil, false},
		{"lshr i8 %v, %zero", nil, false},
		{"udiv i8 %ten, %v", nil, false},
		{"sub i8 %v, %three", nil, false},
		{"and i8 %v, %three", nil, false},
	}
	for _, c := range conditions {
		for _, s := range steps {
			sc := scev.New(regiontest.Parse(t, halvingText(c.text, s.text)))
			last := sc.Last(sc.Loops().All[1])
			if c.holds == nil || s.next == nil || s.signed && !c.signed {
				if last != nil {
					t.Errorf("while %s: %s: at most %v turns, it may be more", c.text, s.text, last)
				}
				continue
			}
			if last == nil || last.Op != plan.ExprConst {
				t.Errorf("while %s: %s: no bound", c.text, s.text)
				continue
			}
			most := 0
			for v := range 256 {
				n := 0
				for x := uint8(v); c.holds(x); x = s.next(x) {
					n++
				}
				most = max(most, n)
			}
			slack := 0
			if c.signed {
				slack = 1 // the sign is no bit to take off
			}
			if s.text[1:4] == "div" {
				slack += bits.Len8(3)
			}
			if bound := int(last.Const) + 1; bound < most || bound > most+slack {
				t.Errorf("while %s: %s: at most %d turns, it was %d", c.text, s.text, bound, most)
			}
		}
	}
}
