package optvls

// avx2 is a client that counts about what AVX2 needs, in tenths of an instruction:
// shuffles of bytes stay inside halves of 16 bytes, those of 4 and 8 bytes may cross.
type avx2 struct {
	testClient
	cost map[string]int // of shuffles already asked for
}

func newAVX2(gaps int) *avx2 {
	return &avx2{testClient{gaps: gaps}, make(map[string]int)}
}

func (c *avx2) Access(in *Inst) (int, bool) {
	bytes := in.Type.Bytes()
	switch {
	case bytes > 32 || in.Masked && in.Type.Bits < 32 && in.Type.Lanes > 1:
		return 0, false
	case in.Masked && in.Op == Store:
		return 40, true
	case in.Masked:
		return 20, true
	}
	return 10, true
}

func (c *avx2) Shuffle(from Type, lanes []int) int {
	k := key([]int{from.Bits, from.Lanes}, lanes)
	cost, ok := c.cost[k]
	if !ok {
		cost = two(registers(from, lanes))
		c.cost[k] = cost
	}
	return cost
}

// registers spells lanes as bytes of registers of 16 or 32 bytes: of the first
// source from 0 on, of the second from 32 on.
func registers(from Type, lanes []int) []int {
	size := from.Bits / 8
	all := make([]int, 32)
	for i := range all {
		all[i] = -1
	}
	for i, l := range lanes {
		for b := range size {
			if l >= 0 {
				all[i*size+b] = l%from.Lanes*size + b + l/from.Lanes*32
			}
		}
	}
	if from.Bytes() <= 16 && len(lanes)*size <= 16 {
		return all[:16]
	}
	return all
}

const never = 1 << 20

// two is the cost of a shuffle of two sources.
func two(m []int) int {
	a, b := part(m, 0), part(m, 1)
	if !used(b) {
		return one(a)
	}
	if !used(a) {
		return one(b)
	}
	if single(m) {
		return 10
	}
	best := one(a) + one(b) + blend(m)
	for _, p := range [][4]int{{0, 2, 1, 3}, {2, 3, 0, 1}} { // VPERMQ behind it
		if before, ok := unpermute(m, p); ok && single(before) {
			best = min(best, 20)
		}
	}
	return best
}

// part is what one source has to give.
func part(m []int, source int) []int {
	p := make([]int, len(m))
	for i, l := range m {
		p[i] = -1
		if l >= 0 && l/32 == source {
			p[i] = l % 32
		}
	}
	return p
}

func used(m []int) bool {
	for _, l := range m {
		if l >= 0 {
			return true
		}
	}
	return false
}

// fits says whether each byte that matters is what f says.
func fits(m []int, f func(i int) int) bool { return suit(m, f) }

// units reads the mask as lanes of a greater size, if it moves whole ones.
func units(m []int, size int) ([]int, bool) {
	u := make([]int, len(m)/size)
	for i := range u {
		u[i] = -1
		for b, l := range m[i*size : (i+1)*size] {
			if l < 0 {
				continue
			}
			if l%size != b || u[i] >= 0 && u[i] != l/size {
				return nil, false
			}
			u[i] = l / size
		}
	}
	return u, true
}

// single says whether one instruction of two sources does it, either way round.
func single(m []int) bool {
	swapped := make([]int, len(m))
	for i, l := range m {
		swapped[i] = l
		if l >= 0 {
			swapped[i] = (l + 32) % 64
		}
	}
	return ordered(m) || ordered(swapped)
}

func ordered(m []int) bool {
	if blend(m) == 10 && fits(part(m, 0), func(i int) int { return i }) && fits(part(m, 1), func(i int) int { return i }) {
		return true
	}
	for size := 1; size <= 8; size *= 2 { // VPUNPCKL and VPUNPCKH
		u, ok := units(m, size)
		h := 16 / size
		for high := 0; ok && high < 2; high++ {
			if fits(u, func(i int) int { return i/h*h + i%h/2 + high*h/2 + i%2*32/size }) {
				return true
			}
		}
	}
	if u, ok := units(m, 16); ok && len(u) == 2 { // VPERM2I128
		return true
	}
	return shufps(m) || shufpd(m) || palignr(m)
}

func shufps(m []int) bool {
	u, ok := units(m, 4)
	if !ok {
		return false
	}
	imm := [4]int{-1, -1, -1, -1}
	for i, l := range u {
		if l < 0 {
			continue
		}
		if l/8 != i%4/2 || l%8/4 != i/4 || imm[i%4] >= 0 && imm[i%4] != l%4 {
			return false
		}
		imm[i%4] = l % 4
	}
	return true
}

func shufpd(m []int) bool {
	u, ok := units(m, 8)
	for i, l := range u {
		if ok && l >= 0 && (l/4 != i%2 || l%4/2 != i/2) {
			return false
		}
	}
	return ok
}

func palignr(m []int) bool {
	for s := range 16 {
		if fits(m, func(i int) int {
			k := i%16 + s
			return i/16*16 + k%16 + k/16*32
		}) {
			return true
		}
	}
	return false
}

// blend is the cost of a select, whatever the lanes: VPBLENDD, VPBLENDW, VPBLENDVB.
func blend(m []int) int {
	for _, size := range []int{4, 2} {
		ok := true
		for i, l := range m {
			for j, k := range m {
				same := i/size == j/size || size == 2 && i%16/size == j%16/size
				if same && l >= 0 && k >= 0 && l/32 != k/32 {
					ok = false
				}
			}
		}
		if ok {
			return 10
		}
	}
	return 20
}

// one is the cost of a shuffle of one source.
func one(m []int) int {
	stays, crosses, from := true, false, [2][2]bool{}
	for i, l := range m {
		if l < 0 {
			continue
		}
		stays = stays && l == i
		crosses = crosses || l/16 != i/16
		from[i/16][l/16] = true
	}
	u, wide := units(m, 4)
	switch {
	case stays:
		return 0
	case !crosses, wide && len(u) == 8:
		return 10
	case !(from[0][0] && from[0][1]) && !(from[1][0] && from[1][1]):
		return 20
	}
	return 40
}

// unpermute is the mask before a VPERMQ that gives m.
func unpermute(m []int, p [4]int) ([]int, bool) {
	if len(m) != 32 {
		return nil, false
	}
	before := make([]int, 32)
	for i := range before {
		before[p[i/8]*8+i%8] = m[i]
	}
	return before, true
}
