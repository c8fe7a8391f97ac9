package shuffle

import (
	enc "encoding/binary"
	"flag"
	"math/rand/v2"
	"testing"
)

// A model of the instructions on numbers, after the manual and without the table: bytes have
// values that name them, and what an instruction does to words and halves is computed.

// name is the value of byte k of source n. It is never 0, and never what saturation gives.
func name(n, k int) byte { return byte(n*Size + k + 1) }

const unknown = 0xfe // of bytes behind the low half

type values [Size]byte

func (x *values) word(n, i int) uint64 {
	var w uint64
	for k := n - 1; k >= 0; k-- {
		w = w<<8 | uint64(x[i*n+k])
	}
	return w
}

func (x *values) set(n, i int, w uint64) {
	for k := range n {
		x[i*n+k] = byte(w >> (8 * k))
	}
}

// modelled is what instruction s leaves, with operands a (the first source of the manual) and b.
func modelled(s *Step, a, b *values) (r values) {
	imm := uint64(s.Imm)
	// each sets word i of all words of n bytes.
	each := func(n int, f func(i int) uint64) {
		for i := range Size / n {
			r.set(n, i, f(i))
		}
	}
	unpack := func(n int, high bool) {
		per := Half / n
		each(n, func(i int) uint64 {
			at := i/per*per + i%per/2
			if high {
				at += per / 2
			}
			return [2]*values{a, b}[i%2].word(n, at)
		})
	}
	shift := func(n int, left bool) {
		each(n, func(i int) uint64 {
			if left {
				return a.word(n, i) << imm
			}
			return a.word(n, i) >> imm
		})
	}
	extend := func(from, to int) { each(to, func(i int) uint64 { return a.word(from, i) }) }
	bytes := func(f func(half, k int) byte) {
		for i := range r {
			r[i] = f(i/Half*Half, i%Half)
		}
	}
	switch s.Op {
	case Pshufd:
		each(4, func(i int) uint64 { return a.word(4, i/4*4+int(imm>>(2*(i%4))&3)) })
	case Permilpd:
		each(8, func(i int) uint64 { return a.word(8, i/2*2+int(imm>>i&1)) })
	case Pshuflw, Pshufhw:
		first := 0
		if s.Op == Pshufhw {
			first = 4
		}
		each(2, func(i int) uint64 {
			if k := i%8 - first; 0 <= k && k < 4 {
				return a.word(2, i/8*8+first+int(imm>>(2*k)&3))
			}
			return a.word(2, i)
		})
	case Pshufb, Sort2, Sort4, Sort8:
		bytes(func(h, k int) byte {
			if c := s.Const[h+k]; c&0x80 == 0 {
				return a[h+int(c&15)]
			}
			return 0
		})
	case Permq:
		each(8, func(i int) uint64 { return a.word(8, int(imm>>(2*i)&3)) })
	case Permd:
		each(4, func(i int) uint64 { return a.word(4, int(enc.LittleEndian.Uint32(s.Const[4*i:])&7)) })
	case Broadcastb:
		each(1, func(int) uint64 { return a.word(1, 0) })
	case Broadcastw:
		each(2, func(int) uint64 { return a.word(2, 0) })
	case Broadcastd:
		each(4, func(int) uint64 { return a.word(4, 0) })
	case Broadcastq:
		each(8, func(int) uint64 { return a.word(8, 0) })
	case Extract128:
		copy(r[:], a[int(imm&1)*Half:][:Half])
	case Psrldq, Pslldq:
		by := int(imm)
		if s.Op == Pslldq {
			by = -by
		}
		bytes(func(h, k int) byte {
			if k += by; k < 0 || k >= Half {
				return 0
			}
			return a[h+k]
		})
	case Psrlw:
		shift(2, false)
	case Psrld:
		shift(4, false)
	case Psrlq:
		shift(8, false)
	case Psllw:
		shift(2, true)
	case Pslld:
		shift(4, true)
	case Psllq:
		shift(8, true)
	case And:
		bytes(func(h, k int) byte { return a[h+k] & s.Const[h+k] })
	case Pmovzxbw:
		extend(1, 2)
	case Pmovzxbd:
		extend(1, 4)
	case Pmovzxbq:
		extend(1, 8)
	case Pmovzxwd:
		extend(2, 4)
	case Pmovzxwq:
		extend(2, 8)
	case Pmovzxdq:
		extend(4, 8)
	case Punpcklbw, Punpcklwd, Punpckldq, Punpcklqdq:
		unpack(1<<(s.Op-Punpcklbw), false)
	case Punpckhbw, Punpckhwd, Punpckhdq, Punpckhqdq:
		unpack(1<<(s.Op-Punpckhbw), true)
	case Shufps:
		each(4, func(i int) uint64 {
			return [4]*values{a, a, b, b}[i%4].word(4, i/4*4+int(imm>>(2*(i%4))&3))
		})
	case Shufpd:
		each(8, func(i int) uint64 { return [2]*values{a, b}[i%2].word(8, i/2*2+int(imm>>i&1)) })
	case Blendd:
		each(4, func(i int) uint64 { return [2]*values{a, b}[imm>>i&1].word(4, i) })
	case Blendw:
		each(2, func(i int) uint64 { return [2]*values{a, b}[imm>>(i%8)&1].word(2, i) })
	case Blendvb:
		bytes(func(h, k int) byte { return [2]*values{a, b}[s.Const[h+k]>>7][h+k] })
	case Perm2i128:
		for h := range 2 {
			if x := imm >> (4 * h); x&8 == 0 {
				copy(r[h*Half:], [2]*values{a, b}[x>>1&1][x&1*Half:][:Half])
			}
		}
	case Insert128:
		r = *a
		copy(r[int(imm&1)*Half:], b[:Half])
	case Palignr:
		bytes(func(h, k int) byte {
			both := append(append(append([]byte{}, b[h:h+Half]...), a[h:h+Half]...), make([]byte, Size)...)
			return both[k+int(imm)]
		})
	case Or:
		bytes(func(h, k int) byte { return a[h+k] | b[h+k] })
	case Packuswb:
		bytes(func(h, k int) byte {
			x := int16([2]*values{a, b}[k/8].word(2, h/2+k%8))
			return byte(min(max(x, 0), 255))
		})
	case Packusdw:
		each(2, func(i int) uint64 {
			x := int32([2]*values{a, b}[i%8/4].word(4, i/8*4+i%4))
			return uint64(min(max(x, 0), 65535))
		})
	case Insertps:
		r = *a
		r.set(4, int(imm>>4&3), b.word(4, int(imm>>6&3)))
		for i := range 4 {
			if imm>>i&1 != 0 {
				r.set(4, i, 0)
			}
		}
	default:
		panic("no model of " + s.Op.Info().Name)
	}
	return r
}

// computed is what plan p comes to. ops are the instructions it has.
func computed(p *Plan, ops map[Op]int) values {
	from := func(n int) (x values) {
		for k := range x {
			x[k] = name(n, k)
		}
		return x
	}
	regs := make([]values, len(p.Steps))
	get := func(i int) values {
		if i < 0 {
			return from(^i)
		}
		return regs[i]
	}
	for i := range p.Steps {
		s := &p.Steps[i]
		a, b := get(s.A), values{}
		if s.Op.binary() {
			b = get(s.B)
		}
		regs[i] = modelled(s, &a, &b)
		if s.Size == Half {
			for k := Half; k < Size; k++ {
				regs[i][k] = unknown
			}
		}
		ops[s.Op]++
	}
	if len(regs) == 0 {
		return from(p.Source)
	}
	return regs[len(regs)-1]
}

var lists = flag.Int("lists", 120, "lists of lanes to compute on numbers, of each size of elements")

// shapes are the lists of lanes that groups, transpositions, reversals and conversions ask for.
func shapes(n int) (all [][]int) {
	for _, count := range []int{Size / n, Half / n} {
		for by := -8; by <= 8; by++ {
			for first := range Size / n {
				var list []int
				for i := range count {
					if l := first + i*by; 0 <= l && l < 6*Size/n {
						list = append(list, l)
					} else {
						list = append(list, -1)
					}
				}
				all = append(all, list)
			}
		}
		// Lanes of several vectors in turn, from each lane on, in blocks.
		for sources := 2; sources <= 4; sources++ {
			for first := 0; first < Size/n; first++ {
				for block := 1; block <= count/2; block *= 2 {
					var list []int
					for i := range count {
						lane := (first + i/(block*sources)*block + i%block) % (Size / n)
						list = append(list, i/block%sources*(Size/n)+lane)
					}
					all = append(all, list)
				}
			}
		}
	}
	return all
}

// TestPlansOnNumbers computes plans with the model of the instructions. All of the shapes:
// go test ./backend/target/shuffle -run OnNumbers -v -lists 1000000 -timeout 0
func TestPlansOnNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	ops := make(map[Op]int)
	plans, all := 0, 0
	for _, n := range []int{1, 2, 4, 8} {
		shapes := shapes(n)
		all += len(shapes)
		rng.Shuffle(len(shapes), func(i, j int) { shapes[i], shapes[j] = shapes[j], shapes[i] })
		most := *lists
		if n == 1 {
			most /= 4 // these take longest
		}
		for _, list := range shapes[:min(len(shapes), most)] {
			if rng.IntN(4) == 0 { // some that nobody needs
				for range 3 {
					list[rng.IntN(len(list))] = -1
				}
			}
			want := lanes(n, Size, list...)
			if rng.IntN(8) == 0 {
				for i := range want {
					if i%(2*n) >= n {
						want[i] = Zero
					}
				}
			}
			p := For(want)
			plans++
			got := computed(p, ops)
			for i, w := range want {
				switch {
				case w == Any:
				case w == Zero && got[i] != 0, w >= 0 && got[i] != name(w.source(), w.offset()):
					t.Fatalf("%d bytes, lanes %v: byte %d is %d: %s", n, list, i, got[i], text(p))
				}
			}
		}
	}
	t.Logf("%d plans of %d shapes, %d different instructions", plans, all, len(ops))
	if len(ops) < 20 {
		t.Errorf("plans have %d different instructions only", len(ops))
	}
}

// TestTableOnNumbers compares what the table says of every instruction with the model, with
// random immediates and constants of the kind that plans have.
func TestTableOnNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for op := leaf + 1; op < numOps; op++ {
		known := 0
		for range 200 {
			s := Step{Op: op, Size: Size, Imm: immediate(rng, op)}
			for i := range s.Const {
				s.Const[i] = constant(rng, op, i)
			}
			a, b := source(0), source(1)
			zeros := rng.IntN(3)
			for i := range Size { // packing wants zeros
				if p := max(op.Info().param, 1); zeros > 0 && i%(2*p) >= p {
					a[i], b[i] = Zero, Zero
				}
				if op == Or && rng.IntN(2) == 0 {
					a[i] = Zero
				} else if op == Or {
					b[i] = Zero
				}
			}
			c := call{op: op, imm: s.Imm, ctl: s.Const}
			want := c.apply(&a, &b)
			got := modelled(&s, valued(a), valued(b))
			for i, w := range want {
				switch {
				case w == Any:
					continue
				case w == Zero && got[i] != 0, w >= 0 && got[i] != name(w.source(), w.offset()):
					t.Fatalf("%s %#x %x: byte %d is %d, the table says %d", op.Info().Name, s.Imm, s.Const, i, got[i], w)
				}
				known++
			}
		}
		if known < 200*Half/4 {
			t.Errorf("%s: the table says nothing", op.Info().Name)
		}
	}
}

func valued(r Reg) *values {
	var x values
	for i, w := range r {
		if w >= 0 {
			x[i] = name(w.source(), w.offset())
		}
	}
	return &x
}

// immediate is one that plans have.
func immediate(rng *rand.Rand, op Op) int {
	switch p := op.Info().param; {
	case op == Insert128, op == Extract128:
		return 1
	case op == Psrldq, op == Pslldq, op == Palignr:
		return rng.IntN(Half)
	case Psrlw <= op && op <= Psllq:
		return 8 * rng.IntN(max(p, -p))
	case op == Perm2i128:
		return rng.IntN(256) & 0xbb
	}
	return rng.IntN(256)
}

func constant(rng *rand.Rand, op Op, i int) byte {
	switch op {
	case Permd:
		if i%4 > 0 {
			return 0
		}
		return byte(rng.IntN(8))
	case And, Blendvb:
		return byte(rng.IntN(2) * 0xff)
	}
	return byte(rng.IntN(16) | rng.IntN(2)<<7)
}
