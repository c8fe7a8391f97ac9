package vectorize

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanewise/lanewise/backend/target"
	looptree "github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/vectest"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/parse"
)

// TestUniformValuesAreBroadcastOnce looks at the kernels of random loops, as TestCorpus does
// at its own: what stays the same in a loop is spread over lanes before it, once, and
// what is uniform is computed as a scalar up to there.
func TestUniformValuesAreBroadcastOnce(t *testing.T) {
	seen := 0
	for i := range 100 {
		r, _ := vectest.RandomRegion(rand.New(rand.NewPCG(6, uint64(i))))
		if k, _ := Run(r, target.AVX2(), Options{}); k != nil {
			seen += broadcastOnce(t, k.Fn)
		}
	}
	if seen < 100 {
		t.Errorf("only %d broadcasts", seen)
	}
}

// broadcastOnce checks a kernel and returns how many broadcasts it has.
func broadcastOnce(t *testing.T, f *vir.Func) (seen int) {
	for v := range f.Values {
		if v.Op == vir.OpBroadcast {
			seen++
		}
	}
	for _, p := range slices.Concat(broadcastsInLoops(f), repeatedBroadcasts(f), uniformVectors(f)) {
		t.Errorf("%s in\n%s", p, f)
	}
	return seen
}

// broadcastsInLoops are broadcasts of something that the loop around them does not
// change.
func broadcastsInLoops(f *vir.Func) []string {
	var all []string
	forest := looptree.Find(f)
	for _, b := range f.Blocks {
		l := forest.Of(b)
		for _, v := range b.Insts {
			if l != nil && v.Op == vir.OpBroadcast && !l.Contains(v.Args[0].Block) {
				all = append(all, fmt.Sprintf("%q inside of loop %s", v.Inst(), l.Header.Name))
			}
		}
	}
	return all
}

// repeatedBroadcasts are broadcasts of one value that is broadcast already on each way
// there: fewer lanes are a part of more.
func repeatedBroadcasts(f *vir.Func) []string {
	var all []string
	dom := looptree.DomTree(f)
	before := make(map[*vir.Value][]*vir.Value) // by what is broadcast
	for _, b := range looptree.RPO(f) {
		for _, v := range b.Insts {
			if v.Op != vir.OpBroadcast {
				continue
			}
			for _, w := range before[v.Args[0]] {
				if dom.Dominates(w.Block, b) {
					all = append(all, fmt.Sprintf("%q repeats %q", v.Inst(), w.Inst()))
				}
			}
			before[v.Args[0]] = append(before[v.Args[0]], v)
		}
	}
	return all
}

// uniformVectors are operations on lanes that are all the same, which one scalar
// operation and a broadcast would do. Those on what is read in the loop under a mask are
// left out, as that has no value where no lane is active; masks, which counting takes as
// numbers; and shuffles, for these make what a group stores.
func uniformVectors(f *vir.Func) []string {
	var all []string
	for v := range f.Values {
		spread := 0
		for _, x := range v.Args {
			switch {
			case x.Op == vir.OpBroadcast && x.Block == f.Entry() && x.Type.Elem != vir.Bool:
				spread++
			case x.Op == vir.OpConst && !slices.ContainsFunc(x.Bits, func(b uint64) bool { return b != x.Bits[0] }):
			default:
				spread -= len(v.Args)
			}
		}
		if spread > 0 && v.Type.Lanes > 1 && v.Op != vir.OpPhi && v.Op != vir.OpSubvec && v.Op != vir.OpShuffle && !v.Op.Info().Effect {
			all = append(all, fmt.Sprintf("%q is the same in all lanes", v.Inst()))
		}
	}
	return all
}

// TestBroadcastsAreSeen seeds what the test of kernels looks for.
func TestBroadcastsAreSeen(t *testing.T) {
	f, err := parse.Func(`func @f(%p ptr, %a f32, %n i64) {
entry:
	%x = broadcast f32x8 %a
	%k = const f32x8 2
	%y = fmul f32x8 %x, %k
	%z = const i64 0
	jmp loop
loop:
	%i = phi i64 [%z, entry], [%i1, loop]
	%v = broadcast f32x8 %a
	%w = broadcast i64x4 %i
	%s = fadd f32x8 %v, %y
	store.unit f32x8 %s, [%p + %i*4]
	%u = add i64x4 %w, %w
	store.unit i64x4 %u, [%p + %i*4 + 64]
	%one = const i64 8
	%i1 = add i64 %i, %one
	%c = icmp.slt bool %i1, %n
	br %c, loop, exit
exit:
	ret
}
`)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(broadcastsInLoops(f)); n != 1 {
		t.Errorf("%d broadcasts in the loop", n)
	}
	if n := len(repeatedBroadcasts(f)); n != 1 {
		t.Errorf("%d repeated broadcasts", n)
	}
	if n := len(uniformVectors(f)); n != 1 {
		t.Errorf("%d operations on equal lanes", n)
	}
}
