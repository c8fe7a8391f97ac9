package parse_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lanewise/lanewise/vir/parse"
)

const axpy = `func @axpy(%a f32, %x ptr {elem 4, len %x_len}, %x_len i64, %y ptr {elem 4, len 8, immutable}, %n i64) (i64) inorder {
entry:
	%0 = const i64 0
	%c = const f32x4 {1, -0, 0x7fc00000, 1e-45}
	jmp loop
loop:
	%i = phi i64 [%0, entry], [%i1, loop]
	check.index %i, %x_len
	%v = load f32 [%x + %i*4 - 8]
	%m = prefix maskx8 %n
	%w = load.unit f32x8 [%x + 16] mask %m
	store f32 %v, [%x + %i*4]
	%h = subvec f32x4 %w, 4
	%1 = const i64 -1
	%i1 = add i64 %i, %1
	%d = icmp.slt bool %i1, %n
	br %d, loop, exit
exit:
	ret %i1
}
`

func TestPrintOfParseIsFixpoint(t *testing.T) {
	f, err := parse.Func(axpy)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(axpy, f.String()); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func TestErrorsNameTheLine(t *testing.T) {
	for _, tt := range []struct{ old, new, want string }{
		{"check.index", "check.idx", `line 8: unknown operation "check.idx"`},
		{"f32x8 [", "f33x8 [", `line 11: unknown type "f33x8"`},
		{"br %d, loop, exit", "br %d, loop, out", `line 17: unknown block out`},
		{"%i1, %n", "%i2, %n", `line 16: undefined %i2`},
		{", [%i1, loop]", "", `line 7: phi has 1 operands, block loop has 2 predecessors`},
	} {
		_, err := parse.Func(strings.Replace(axpy, tt.old, tt.new, 1))
		if err == nil || err.Error() != tt.want {
			t.Errorf("%q for %q: got %v, want %s", tt.new, tt.old, err, tt.want)
		}
	}
}
