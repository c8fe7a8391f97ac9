package avx2

import (
	"math/bits"

	"github.com/lanewise/lanewise/vir"
	"github.com/mmcloughlin/avo/operand"
)

// Of an accumulator that ends in one sum of all its lanes it does not matter
// which lane gets what: numbers may be added up before they reach it. Integers
// wrap, so the order does not matter either.
//
//	products of words      pairs of them by one instruction, into half the parts
//	counts of bits         of all parts together, into the first part
//	eight bytes            by one instruction, in place of three sums of halves
//
// The other parts of the accumulator stay as they are.

// A sumSet holds the integer vectors of which only the sum of the lanes counts.
type sumSet map[*vir.Value]bool

// sumsOf is the largest set of sums and phis in which every value is read by
// others of the set only: to be added, half to half, or as its only lane.
func sumsOf(f *vir.Func, uses map[*vir.Value][]*vir.Value) sumSet {
	set := make(sumSet)
	var all []*vir.Value
	for v := range f.Values {
		if (v.Op == vir.OpAdd || v.Op == vir.OpPhi) && v.Type.IsVector() && v.Type.Elem.IsInt() {
			set[v] = true
			all = append(all, v)
		}
	}
	for changed := true; changed; {
		changed = false
		for _, v := range all {
			if set[v] && !set.onlySum(v, uses) {
				delete(set, v)
				changed = true
			}
		}
	}
	return set
}

// onlySum holds if all readers of v want its sum.
func (set sumSet) onlySum(v *vir.Value, uses map[*vir.Value][]*vir.Value) bool {
	for _, u := range uses[v] {
		switch {
		case set[u]:
		case u.Op == vir.OpExtract && v.Type.Lanes == 1:
		case isHalf(u, v) && set.joined(v, uses[u]):
		default:
			return false
		}
	}
	return true
}

// joined holds if all readers of a half of v add both halves.
func (set sumSet) joined(v *vir.Value, readers []*vir.Value) bool {
	for _, u := range readers {
		if !set[u] || addsHalves(u) != v {
			return false
		}
	}
	return true
}

func isHalf(u, v *vir.Value) bool {
	return u.Op == vir.OpSubvec && u.Args[0] == v && 2*u.Type.Lanes == v.Type.Lanes
}

// A gathered sum is one of which only the sum counts, that adds something up
// before it reaches the lanes of rest.
type gathered struct {
	rest *vir.Value
	bits *vir.Value // of which to count the bits
	x, y *vir.Value // products of words; without y, words
	// bytes to add up, with a sign or without.
	bytes  *vir.Value
	signed bool
}

// gather recognizes such a sum. What it adds must not be needed elsewhere.
func (a *analysis) gather(v *vir.Value) (g gathered, ok bool) {
	if v.Op != vir.OpAdd || !a.sums[v] {
		return g, false
	}
	for i, t := range v.Args {
		g = gathered{rest: v.Args[1-i]}
		switch {
		case t.Block != v.Block || len(a.uses[t]) != 1:
			continue
		case t.Op == vir.OpPopcnt && numParts(v.Type) >= 3 && v.Type.Elem != vir.I8 && !hasStores(v.Block):
			g.bits = t.Args[0]
			return g, true
		case isExtension(t) && t.Args[0].Type.Elem == vir.I8 && addsBytes(v.Type, t.Op):
			g.bytes, g.signed = t.Args[0], t.Op == vir.OpSext
			return g, true
		case v.Type.Elem != vir.I32 || v.Type.Lanes < 8:
		case t.Op == vir.OpMul && a.isWords(t.Args[0], t) && a.isWords(t.Args[1], t):
			g.x, g.y = t.Args[0], t.Args[1]
			return g, true
		case isExtension(t) && a.isWords(t, v):
			g.x = t
			return g, true
		}
	}
	return gathered{}, false
}

// addsBytes reports whether there are instructions that add up bytes of such an extension to
// lanes of t.
func addsBytes(t vir.Type, ext vir.Op) bool {
	return t.Lanes >= 16 && (t.Elem == vir.I32 || t.Elem == vir.I64 && ext == vir.OpZext)
}

// eightBytes is the register of eight bytes that v adds up, half to half, if nothing else
// needs the sums on the way.
func (a *analysis) eightBytes(v *vir.Value) *vir.Value {
	if v.Type != vir.Vec(vir.I8, 1) {
		return nil
	}
	for {
		x := addsHalves(v)
		if x == nil || x.Type.Lanes == 8 {
			return x
		}
		if len(a.uses[x]) != 2 {
			return nil
		}
		v = x
	}
}

// addsHalves is the vector of which v is one half added to the other one.
func addsHalves(v *vir.Value) *vir.Value {
	if v.Op != vir.OpAdd || v.Args[0].Op != vir.OpSubvec {
		return nil
	}
	x := v.Args[0].Args[0]
	if !isHalf(v.Args[0], x) || !isHalf(v.Args[1], x) || v.Args[0].Imm == v.Args[1].Imm {
		return nil
	}
	return x
}

func isExtension(v *vir.Value) bool { return v.Op == vir.OpSext || v.Op == vir.OpZext }

// isWords holds for 32-bit numbers that are words with a sign and that nobody but
// t needs.
func (a *analysis) isWords(v, t *vir.Value) bool {
	if k, ok := constLane(v); ok {
		return k == int64(int16(k))
	}
	if !isExtension(v) || v.Block != t.Block {
		return false
	}
	for _, u := range a.uses[v] {
		if u != t {
			return false
		}
	}
	from := v.Args[0].Type.Elem
	return from == vir.I8 || from == vir.I16 && v.Op == vir.OpSext
}

// untouched reports whether part p gets nothing.
func (g gathered) untouched(p int) bool {
	return g.bits != nil && p > 0 || g.x != nil && p%2 == 1 || g.bytes != nil && p%g.partsOfBytes() > 0
}

// partsOfBytes is how many parts of the sum a register of bytes has the numbers of.
func (g gathered) partsOfBytes() int { return g.rest.Type.Elem.Size() }

// summed emits a part of a gathered sum.
func summed(c partOf) (vec, bool) {
	g, ok := c.s.a.gather(c.v)
	eight := c.s.a.eightBytes(c.v)
	switch {
	case eight != nil:
		return c.s.bin("VPSADBW", c.size, c.s.part(eight, 0), c.s.zero()), true
	case !ok && c.s.a.sums[c.v]:
		return c.withoutZero()
	case !ok:
		return nil, false
	case g.untouched(c.p):
		return c.s.part(g.rest, c.p), true
	case g.bits != nil:
		return c.summedBits(g), true
	case g.bytes != nil:
		return c.summedBytes(g), true
	}
	return c.summedProducts(g), true
}

// withoutZero is one operand of a sum if the other one is zero.
func (c partOf) withoutZero() (vec, bool) {
	for i, x := range c.v.Args {
		if c.s.a.stillZero(x, c.p) {
			return c.reg(1 - i), true
		}
	}
	return nil, false
}

// summedProducts adds products of words, or words, in pairs: those of two parts
// to the first of them.
func (c partOf) summedProducts(g gathered) vec {
	size := registerSize(2 * c.v.Type.Lanes)
	a := c.words(g.x, size)
	b := a
	switch g.y {
	case nil:
		b = c.s.splat(2, 1)
	case g.x:
		a = c.s.inReg(a, size)
		b = a
	default:
		b = c.words(g.y, size)
	}
	if _, ok := a.(vec); !ok {
		a, b = b, a
	}
	pairs := c.s.bin("VPMADDWD", size, c.s.inReg(a, size), b)
	return c.s.bin("VPADDD", c.size, c.s.part(g.rest, c.p), pairs)
}

// words are the numbers of two parts of v as one register of words.
func (c partOf) words(v *vir.Value, size int) operand.Op {
	s := c.s
	if k, ok := constLane(v); ok {
		return s.splat(2, uint64(k)&0xffff)
	}
	from := v.Args[0]
	if from.Type.Elem == vir.I16 {
		return s.partOrMem(from, c.p/2)
	}
	n := size / 2
	return s.extendOp(s.lanesOrMem(from, c.p/2*n, n), size, 1, 2, v.Op == vir.OpSext)
}

// summedBits counts the bits of all parts at once.
func (c partOf) summedBits(g gathered) vec {
	s := c.s
	var cols columns
	for p := range numParts(c.v.Type) {
		cols.add(s, 0, s.part(g.bits, p))
	}
	sums := s.bin("VPSADBW", c.size, cols.count(s), s.zero())
	return s.bin("VPADD"+letter(c.elem()), c.size, s.part(g.rest, 0), sums)
}

// summedBytes adds up a register of bytes, of which each instruction leaves a half or an
// eighth as many numbers.
func (c partOf) summedBytes(g gathered) vec {
	s, size, p := c.s, registerSize(g.bytes.Type.Lanes), c.p/g.partsOfBytes()
	var sums vec
	if a, b, signed := s.distance(g.bytes, p); a != nil && !g.signed {
		x, y := s.part(a, p), s.part(b, p)
		if signed {
			x, y = s.bin("VPXOR", size, x, s.splat(1, 0x80)), s.bin("VPXOR", size, y, s.splat(1, 0x80))
		}
		sums = s.bin("VPSADBW", size, x, y)
	} else if x := s.partOrMem(g.bytes, p); g.signed {
		words := s.bin("VPMADDUBSW", size, s.inReg(s.splat(1, 1), size), x)
		sums = s.bin("VPMADDWD", size, words, s.splat(2, 1))
	} else {
		sums = s.bin("VPSADBW", size, s.zero(), x)
	}
	return s.bin("VPADD"+letter(c.elem()), c.size, s.part(g.rest, c.p), sums)
}

// distance recognizes the larger one of two numbers less the smaller one, of which part p can
// be read.
func (s *selector) distance(v *vir.Value, p int) (a, b *vir.Value, signed bool) {
	if v.Op != vir.OpSub {
		return nil, nil, false
	}
	large, small := v.Args[0], v.Args[1]
	signed = large.Op == vir.OpSmax && small.Op == vir.OpSmin
	if !signed && (large.Op != vir.OpUmax || small.Op != vir.OpUmin) {
		return nil, nil, false
	}
	a, b = large.Args[0], large.Args[1]
	if !(small.Args[0] == a && small.Args[1] == b || small.Args[0] == b && small.Args[1] == a) || !s.direct(a, p) || !s.direct(b, p) {
		return nil, nil, false
	}
	return a, b, signed
}

// A sumPart is a part of a value of which only the sum counts.
type sumPart struct {
	v *vir.Value
	p int
}

// stillZero reports whether part p of v, of which only the sum counts, is zero
// because it was at the start and got nothing since.
func (a *analysis) stillZero(v *vir.Value, p int) bool {
	k := sumPart{v, p}
	zero, known := a.zeros[k]
	if !known {
		zero = a.zeroPart(k, make(map[sumPart]bool))
		a.zeros[k] = zero
	}
	return zero
}

// zeroPart takes the parts of phis that it is in the middle of for zero.
func (a *analysis) zeroPart(k sumPart, open map[sumPart]bool) bool {
	v, p := k.v, k.p
	switch {
	case v.Op == vir.OpConst:
		return isZero(v)
	case v.Op == vir.OpSubvec:
		n, from := partLanes(v.Type), v.Args[0]
		return n == partLanes(from.Type) && a.zeroPart(sumPart{from, int(v.Imm)/n + p}, open)
	case !a.sums[v], v.Op == vir.OpPhi && open[k]:
		return a.sums[v]
	case v.Op == vir.OpPhi:
		open[k] = true
	default:
		if g, ok := a.gather(v); ok {
			return g.untouched(p) && a.zeroPart(sumPart{g.rest, p}, open)
		}
	}
	for _, x := range v.Args {
		if !a.zeroPart(sumPart{x, p}, open) {
			return false
		}
	}
	return true
}

// Columns hold registers of bits by weight: those of columns[k] count 2^k each.
// There are never more than two of a weight.
type columns [][]vec

// add adds a register to column k. Three of a weight become one of it and one of
// twice the weight, as in a full adder.
func (cs *columns) add(s *selector, k int, x vec) {
	for len(*cs) <= k {
		*cs = append(*cs, nil)
	}
	col := (*cs)[k]
	if len(col) < 2 {
		(*cs)[k] = append(col, x)
		return
	}
	a, b := col[0], col[1]
	odd := s.bin("VPXOR", regBytes, a, b)
	sum := s.bin("VPXOR", regBytes, odd, x)
	carry := s.bin("VPOR", regBytes, s.bin("VPAND", regBytes, a, b), s.bin("VPAND", regBytes, odd, x))
	(*cs)[k] = []vec{sum}
	cs.add(s, k+1, carry)
}

// count is the number of bits of each byte, which has to stay below 256.
func (cs columns) count(s *selector) (sum vec) {
	for k, col := range cs {
		weighted := table16(func(n uint8) uint64 { return uint64(bits.OnesCount8(n)) << k })
		for _, x := range col {
			low, high := s.nibbles(regBytes, x)
			for _, half := range []vec{low, high} {
				n := s.lookup(regBytes, half, weighted...)
				if sum != nil {
					n = s.bin("VPADDB", regBytes, sum, n)
				}
				sum = n
			}
		}
	}
	return sum
}
