package outline

import (
	"testing"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/gen"
	"github.com/lanewise/lanewise/vir/parse"
)

func all(*vir.Block) bool { return true }

// TestRandomPieces cuts random functions of long vectors and compares what they do.
func TestRandomPieces(t *testing.T) {
	cut := 0
	for seed := range uint64(400) {
		k := gen.Line(gen.Seed(seed), gen.Options{Lanes: []int{16, 32, 64}, Allow: gen.Compiled})
		with := *k
		with.Fn = inPieces(k.Fn, all)
		valid(t, with.Fn)
		if with.Fn.String() != k.Fn.String() {
			cut++
		}
		mem, result, err := with.Run()
		if err == nil {
			err = k.Compare(mem, result)
		}
		if err != nil {
			t.Fatalf("seed %d: %v\n%s\n%s", seed, err, k.Fn, with.Fn)
		}
	}
	if cut < 200 {
		t.Errorf("only %d functions have long vectors", cut)
	}
}

// TestPieces cuts a step of a loop: each register is loaded, worked on and stored before
// the next; the sum, which is needed as a whole, is put together again.
func TestPieces(t *testing.T) {
	f, err := parse.Func(`func @f(%x ptr, %i i64, %s f32x16, %a f32) (f32x16) {
entry:
	%b = broadcast f32x16 %a
	%v = load.unit f32x16 [%x + %i*4]
	%w = fmul f32x16 %v, %b
	store.unit f32x16 %w, [%x + %i*4]
	%t = fadd f32x16 %s, %w
	ret %t
}
`)
	if err != nil {
		t.Fatal(err)
	}
	const want = `func @f(%x ptr, %i i64, %s f32x16, %a f32) (f32x16) {
entry:
	%b = broadcast f32x16 %a
	%0 = load.unit f32x8 [%x + %i*4]
	%1 = subvec f32x8 %b, 0
	%2 = fmul f32x8 %0, %1
	store.unit f32x8 %2, [%x + %i*4]
	%3 = subvec f32x8 %s, 0
	%4 = fadd f32x8 %3, %2
	%5 = load.unit f32x8 [%x + %i*4 + 32]
	%6 = fmul f32x8 %5, %1
	store.unit f32x8 %6, [%x + %i*4 + 32]
	%7 = subvec f32x8 %s, 8
	%8 = fadd f32x8 %7, %6
	%t = concat f32x16 %4, %8
	ret %t
}
`
	if got := inPieces(f, all).String(); got != want {
		t.Error(got)
	}
	f.InOrder = true
	if inPieces(f, all) != f {
		t.Error("operations in order have changed places")
	}
}
