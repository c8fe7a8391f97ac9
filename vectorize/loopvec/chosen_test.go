package loopvec

import (
	"testing"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/parse"
)

const indexes = `func @f(%p ptr {elem 1, len 16}, %n i64) {
entry:
	%a8 = load i8 [%p]
	%b8 = load i8 [%p + 1]
	%a = zext i64 %a8
	%b = zext i64 %b8
	%c15 = const i64 15
	%c4 = const i64 4
	%masked = and i64 %a, %c15
	%pair = and i64 %b, %c15
	%high = shl i64 %masked, %c4
	%nibbles = or i64 %high, %pair
	%sum = add i64 %a, %b
	%mixed = add i64 %masked, %b
	%shifted = lshr i64 %sum, %c4
	%cut = trunc i8 %n
	%crc8 = xor i8 %cut, %a8
	%crc = zext i64 %crc8
	%or8 = or i8 %a8, %b8
	%or = zext i64 %or8
	ret
}
`

// TestChosenIndexes tells indexes of which a slice is likely to have all from those that elements may be.
func TestChosenIndexes(t *testing.T) {
	f, err := parse.Func(indexes)
	if err != nil {
		t.Fatal(err)
	}
	at := make(map[string]*vir.Value)
	for v := range f.Values {
		at[v.Name] = v
	}
	for name, want := range map[string]int64{
		"a": 0, "masked": smallIndex, "nibbles": smallIndex, "sum": 0, "mixed": 0, "shifted": smallShifted, "crc": smallIndex, "or": 0,
	} {
		if got := mostCertain(at[name]); got != want {
			t.Errorf("of %s, slices have all up to %d, want %d", name, got, want)
		}
	}
}
