package simplify

import (
	"strings"
	"testing"

	"github.com/lanewise/lanewise/vir/parse"
)

func TestShiftsBothWaysAreARotation(t *testing.T) {
	for _, c := range []struct {
		join, left, right, elem string
		rotates                 bool
	}{
		{"or", "12", "20", "i32", true},
		{"xor", "1", "31", "i32", true},
		{"add", "63", "1", "i64", true},
		{"or", "12", "21", "i32", false},
		{"or", "0", "32", "i32", false},
		{"and", "12", "20", "i32", false},
		{"or", "4", "4", "i8", false},
	} {
		text := strings.NewReplacer("JOIN", c.join, "LEFT", c.left, "RIGHT", c.right, "ELEM", c.elem).Replace(`func @f(%x ELEM) (ELEM) {
entry:
	%l = const ELEM LEFT
	%r = const ELEM RIGHT
	%a = shl ELEM %x, %l
	%b = lshr ELEM %x, %r
	%c = JOIN ELEM %b, %a
	ret %c
}
`)
		f, err := parse.Func(text)
		if err != nil {
			t.Fatal(err)
		}
		Func(f, func() bool { return true })
		if got := strings.Contains(f.String(), "rotl"); got != c.rotates {
			t.Errorf("%+v:\n%s", c, f)
		}
	}
}
