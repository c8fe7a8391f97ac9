package avx2

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// Intel's processors fetch the next line of the cache early when they see a line that was loaded
// just before touched again. Loads of 64 bytes touch each line once: loops of them wait longer for what is not in
// the second cache than loops of twice as many loads. Those that read one stream and have time to load
// more ask for it early enough; more streams keep enough lines on their way.

// How far ahead, in bytes, and for each how many bytes a line is asked for: its neighbours follow.
const (
	prefetchAhead = 1024
	prefetchEvery = 256
)

// prefetch asks for what the loop that is block b alone reads some turns later.
func (s *selector) prefetch(b *vir.Block) {
	load := s.onlyStream(b)
	if load == nil {
		return
	}
	m := s.address(load)
	for at := 0; at < load.Type.Size(); at += prefetchEvery {
		s.op("PREFETCHT0", m.Offset(at+prefetchAhead))
	}
}

// onlyStream is the only access to memory of a loop of one block, if it is a load in parts of
// 64 bytes and there is time for more; else nil.
func (s *selector) onlyStream(b *vir.Block) (load *vir.Value) {
	if s.a.inner[b] != b || len(b.Preds) != 2 || !slices.Contains(b.Succs, b) {
		return nil
	}
	computed := 0
	for _, v := range b.Insts {
		switch {
		case v.Op.IsLoad() || v.Op.IsStore() || v.Op == vir.OpCall:
			if load != nil || v.Op != vir.OpLoadUnit || v.Masked || !s.zmm[v] {
				return nil
			}
			load = v
		case s.zmm[v] && v.Op != vir.OpPhi && v.Op != vir.OpBitcast && !v.Type.IsMask():
			computed += v.Type.Size()
		}
	}
	if load == nil {
		return nil
	}
	waits := load.Type.Elem.IsFloat() && load.Type.Size() <= 4*zmmBytes // for operations of the turn before, 4 cycles each
	switch {
	case computed < 2*load.Type.Size() && !waits:
		return nil
	case 2*load.Type.Size() < prefetchEvery || load.Scale <= 0: // for a few iterations, or downwards
		return nil
	}
	return load
}
