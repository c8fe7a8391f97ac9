package shuffle

import "slices"

// Going backward, an instruction is put last, and what it wants of its operands
// is made in turn.

func (g *goal) backward() {
	g.unpack()
	if !g.low {
		g.insert()
		g.permuteQuads()
	}
	g.align()
	g.partitions()
	g.pack()
	g.natural()
}

// sub makes an operand; other is a lower bound for what else has to be paid.
func (g *goal) sub(want *Reg, other float64) *node {
	return g.s.make(want, g.depth-1, g.bound-other)
}

// both makes two operands of op and offers the result.
func (g *goal) both(c call, a, b *Reg) {
	op := infos[c.op].Cost.Throughput
	if op+lower(a)+lower(b) >= g.bound {
		return
	}
	x := g.sub(a, op+lower(b))
	if x == nil {
		return
	}
	if *a == *b {
		g.offer(&c, x, x)
		return
	}
	if y := g.sub(b, op+x.cost); y != nil {
		g.offer(&c, x, y)
	}
}

func (g *goal) unpack() {
	for op := Punpcklbw; op <= Punpckhqdq; op++ {
		n := infos[op].param
		if n < g.grain && n < 8 {
			continue // it would split units
		}
		first := 0
		if op >= Punpckhbw {
			first = 8
		}
		two := [2]Reg{none, none}
		for i, w := range g.want {
			k := i % 16
			two[k/n%2][i&^15+first+k/(2*n)*n+k%n] = w
		}
		if two[0] != none && two[1] != none {
			g.both(call{op: op}, &two[0], &two[1])
		}
	}
}

// insert makes both halves apart: below, or above if that is where they come from.
func (g *goal) insert() {
	a, b := none, none
	copy(a[:Half], g.want[:Half])
	copy(b[:Half], g.want[Half:])
	g.both(call{op: Insert128, imm: 1}, &a, &b)
	if a.home() == 1 && b.home() == 1 {
		copy(a[Half:], a[:Half])
		copy(b[Half:], b[:Half])
		copy(a[:Half], none[:Half])
		copy(b[:Half], none[:Half])
		g.both(call{op: Perm2i128, imm: 0x31}, &a, &b)
	}
}

// home is the half of their sources that all bytes of r come from, -1 if they come
// from both.
func (r *Reg) home() int {
	home := -1
	for _, b := range r {
		switch {
		case b < 0:
		case home >= 0 && home != b.offset()/Half:
			return -1
		default:
			home = b.offset() / Half
		}
	}
	return home
}

// permuteQuads ends with VPERMQ: the distinct quarters are wanted in any order.
func (g *goal) permuteQuads() {
	cost := infos[Permq].Cost.Throughput
	if cost+lower(&g.want) >= g.bound {
		return
	}
	var distinct [][8]Byte
	var which [4]int
	for j := range 4 {
		q := [8]Byte(g.want[j*8:])
		which[j] = -1
		for k, d := range distinct {
			if d == q {
				which[j] = k
			}
		}
		if which[j] < 0 {
			which[j] = len(distinct)
			distinct = append(distinct, q)
		}
	}
	places(len(distinct), func(at []int) {
		x, imm := none, 0
		for k, d := range distinct {
			copy(x[at[k]*8:], d[:])
		}
		for j := range 4 {
			imm |= at[which[j]] << (2 * j)
		}
		if imm == 0xe4 {
			return
		}
		if n := g.sub(&x, cost); n != nil {
			g.offer(&call{op: Permq, imm: imm}, n, nil)
		}
	})
}

// places calls yield with all ways to place n things at 4 places.
func places(n int, yield func(at []int)) {
	at := make([]int, n)
	var used [4]bool
	var rec func(k int)
	rec = func(k int) {
		if k == n {
			yield(at)
			return
		}
		for p := range 4 {
			if !used[p] {
				used[p], at[k] = true, p
				rec(k + 1)
				used[p] = false
			}
		}
	}
	rec(0)
}

func (g *goal) align() {
	for n := g.grain; n < Half; n += g.grain {
		a, b := none, none
		for i, w := range g.want {
			if k := i%16 + n; k < Half {
				b[i&^15+k] = w
			} else {
				a[i&^15+k-Half] = w
			}
		}
		if a != none && b != none {
			g.both(call{op: Palignr, imm: n}, &a, &b)
		}
	}
}

// classes say in which of several operands of a blend each byte is; -1 for Any.
type classes [Size]int8

// partitions makes want of operands that hold its bytes in their place.
func (g *goal) partitions() {
	for _, c := range []classes{g.bySource(), g.byBlocks(), g.byHalf()} {
		if n := g.blendOf(&g.want, &c, g.bound, g.depth-1); n != nil && n.cost < g.bound && n.reg.fits(&g.want) {
			g.best, g.bound = n, n.cost
		}
		g.union(&c)
	}
}

// bySource puts each source into its own class.
func (g *goal) bySource() (c classes) { return sourceClasses(&g.want) }

func sourceClasses(want *Reg) (c classes) {
	number := make(map[int]int8)
	for i, w := range want {
		if c[i] = -1; w >= 0 {
			k, ok := number[w.source()]
			if !ok {
				k = int8(len(number))
				number[w.source()] = k
			}
			c[i] = k
		}
	}
	return c
}

// byBlocks pairs halves of sources wanted below with such wanted above, in
// ascending order.
func (g *goal) byBlocks() classes { return blockClasses(&g.want) }

func blockClasses(want *Reg) (c classes) {
	for h := range 2 {
		var blocks []int
		for _, w := range want[h*Half:][:Half] {
			if w >= 0 {
				blocks = insertSorted(blocks, int(w)/Half)
			}
		}
		for i, w := range want[h*Half:][:Half] {
			c[h*Half+i] = -1
			for k, b := range blocks {
				if w >= 0 && int(w)/Half == b {
					c[h*Half+i] = int8(k)
				}
			}
		}
	}
	return c
}

func insertSorted(xs []int, x int) []int {
	for i, y := range xs {
		if y == x {
			return xs
		}
		if y > x {
			return append(xs[:i:i], append([]int{x}, xs[i:]...)...)
		}
	}
	return append(xs, x)
}

// byHalf tells bytes that stay in their half from others.
func (g *goal) byHalf() (c classes) {
	for i, w := range g.want {
		switch {
		case w < 0:
			c[i] = -1
		case w.offset()/Half != i/Half:
			c[i] = 1
		}
	}
	return c
}

// split is what class k of want is, with rest elsewhere.
func split(want *Reg, c *classes, k int8, rest Byte) Reg {
	r := *want
	for i := range r {
		switch {
		case c[i] == k || want[i] == Any:
		default:
			r[i] = rest
		}
	}
	return r
}

// blendOf makes the classes of want within depth and blends them, nil if that
// costs budget or more.
func (g *goal) blendOf(want *Reg, c *classes, budget float64, depth int) *node {
	var all *node
	for k := int8(0); ; k++ {
		part := split(want, c, k, Any)
		if part == none {
			if k > 1 {
				return all
			}
			return nil
		}
		spent := 0.0
		if all != nil {
			spent = all.cost + infos[Blendd].Cost.Throughput
		}
		n := g.s.make(&part, depth, budget-spent)
		switch {
		case n == nil:
			return nil
		case all == nil:
			all = n
			continue
		}
		var next *node
		so := *want
		for i := range so {
			if c[i] > k {
				so[i] = Any
			}
		}
		blends(&so, &all.reg, &n.reg, func(bc *call) {
			next = instruction(*bc, all, n)
		})
		if next == nil || next.cost >= budget {
			return nil
		}
		all = next
	}
}

// union ors registers with zeros where the other has bytes.
func (g *goal) union(c *classes) {
	a := split(&g.want, c, 0, Zero)
	b := g.want
	for i := range b {
		if c[i] == 0 {
			b[i] = Zero
		}
	}
	if a.sources() != 0 && b.sources() != 0 {
		g.both(call{op: Or}, &a, &b)
	}
}

// pack makes elements of twice the size with zeros above.
func (g *goal) pack() {
	for op := Packuswb; op <= Packusdw; op++ {
		n := infos[op].param
		if n > g.grain || g.grain > n {
			continue
		}
		two := [2]Reg{none, none}
		for i, w := range g.want {
			k := i % 16
			if w == Any {
				continue
			}
			at := i&^15 + k%8/n*2*n
			two[k/8][at+k%n] = w
			for j := range n {
				two[k/8][at+n+j] = Zero
			}
		}
		if two[0] != none && two[1] != none {
			g.both(call{op: op}, &two[0], &two[1])
		}
	}
}

// natural ends with a full permutation of a blend in which bytes are where they
// are in their sources.
func (g *goal) natural() {
	if !g.low {
		g.quarterHalves()
		g.permuted(g.collect(Size), func(x *Reg, yield func(*call)) { permd(&g.want, x, yield) }, Permd, 4)
	}
	g.permuted(g.collect(Half), func(x *Reg, yield func(*call)) { pshufb(&g.want, x, yield) }, Pshufb, 1)
}

// collect wants each byte at its offset, modulo n, in whole registers or in the
// half where it is needed. Where two meet there is no such register.
func (g *goal) collect(n int) *Reg {
	r := none
	for i, w := range g.want {
		if w < 0 {
			continue
		}
		at := w.offset()
		if n == Half {
			at = i&^15 + w.offset()%Half
		}
		if r[at] != Any && r[at] != w {
			return nil
		}
		r[at] = w
	}
	return &r
}

func (g *goal) permuted(x *Reg, match func(*Reg, func(*call)), op Op, unit int) {
	cost := infos[op].Cost.Throughput
	if x == nil || *x == g.want || g.grain < unit {
		return
	}
	for _, c := range []classes{sourceClasses(x), blockClasses(x)} {
		n := g.blendOf(x, &c, g.bound-cost, g.depth-1)
		if n == nil || !n.reg.fits(x) {
			continue
		}
		match(&n.reg, func(c *call) { g.offer(c, n, nil) })
	}
}

// quarterHalves ends with VPERMD on chunks of 4 bytes that stayed in their half,
// sorted by source, when no half has more than four of them.
func (g *goal) quarterHalves() {
	cost := infos[Permd].Cost.Throughput
	if cost+lower(&g.want) >= g.bound {
		return
	}
	var chunks [2][][4]Byte
	for j := 0; j < Size; j += 4 {
		c := [4]Byte(g.want[j:])
		h := homeOf(c)
		switch {
		case h < 0:
		case h > 1:
			return
		case slices.Contains(chunks[h], c):
		case len(chunks[h]) == 4:
			return
		default:
			chunks[h] = append(chunks[h], c)
		}
	}
	x := none
	for h := range chunks {
		slices.SortStableFunc(chunks[h], func(a, b [4]Byte) int { return int(sourceOf(a) - sourceOf(b)) })
		for k, c := range chunks[h] {
			copy(x[h*Half+k*4:], c[:])
		}
	}
	if x == g.want {
		return
	}
	// Four kinds of instructions in a row sort bytes by streams.
	if n := g.s.make(&x, g.depth, g.bound-cost); n != nil {
		permd(&g.want, &n.reg, func(c *call) { g.offer(c, n, nil) })
	}
}

// homeOf is the half of its source that a chunk comes from: -1 if nothing is
// wanted, 2 if it has no single one.
func homeOf(c [4]Byte) int {
	home := -1
	for _, b := range c {
		switch {
		case b == Any:
		case b == Zero || home >= 0 && home != int(b)/Half:
			return 2
		default:
			home = int(b) / Half
		}
	}
	if home < 0 {
		return -1
	}
	return home % 2
}

func sourceOf(c [4]Byte) Byte {
	for _, b := range c {
		if b >= 0 {
			return b / Size
		}
	}
	return Any
}
