package shuffle

// Op is an instruction; the same in Intel's manual with V in front.
type Op uint8

const (
	leaf Op = iota
	Pshufd
	Permilpd
	Pshuflw
	Pshufhw
	Pshufb
	// PSHUFB that brings every n-th unit together, for n streams.
	Sort2
	Sort4
	Sort8
	Permq
	Permd
	Broadcastb
	Broadcastw
	Broadcastd
	Broadcastq
	Extract128
	Psrldq
	Pslldq
	Psrlw
	Psrld
	Psrlq
	Psllw
	Pslld
	Psllq
	And
	Pmovzxbw
	Pmovzxbd
	Pmovzxbq
	Pmovzxwd
	Pmovzxwq
	Pmovzxdq

	Punpcklbw
	Punpcklwd
	Punpckldq
	Punpcklqdq
	Punpckhbw
	Punpckhwd
	Punpckhdq
	Punpckhqdq
	Shufps
	Shufpd
	Blendd
	Blendw
	Blendvb
	Perm2i128
	Insert128
	Palignr
	Or
	Packuswb
	Packusdw
	Insertps

	numOps
)

// A Kind says how an instruction is written.
type Kind uint8

const (
	Unary      Kind = iota // src
	UnaryImm               // imm, src
	UnaryConst             // constant, src
	IndexConst             // src, constant (PERMD)
	Binary                 // b, a
	BinaryImm              // imm, b, a
	BinaryMask             // constant, b, a (variable blend)
)

// Info is a row of the instruction table.
type Info struct {
	Name  string // for integers
	Float string // for floats, "" for the same
	Kind  Kind
	Cost  Cost
	// Cross says that bytes move between halves, so that the instruction exists on
	// whole registers only.
	Cross bool
	// Memory is the operand that may be in memory, of as many bytes as the
	// instruction works on (MemoryBytes if not 0): 'a', 'b' or 0 for none.
	Memory      byte
	MemoryBytes int

	param int // bytes of the unit, shift or element, by which an op differs from its like
}

// Costs lie between what was measured on Zen 5 (two shuffles per cycle, four of the
// simple ones with an immediate) and what is published for Skylake, which has one
// unit for most shuffles but blends on any.
var (
	inHalf   = Cost{0.65, 1}
	byBytes  = Cost{0.75, 1}
	across   = Cost{0.85, 3}
	blendImm = Cost{0.35, 1}
	logic    = Cost{0.33, 1}
)

// A constant is an operand in memory or takes a register.
const (
	constInMemory = 0.15
	constInReg    = 0.25
)

var infos = [numOps]Info{
	Pshufd:     {Name: "VPSHUFD", Float: "VPERMILPS", Kind: UnaryImm, Cost: inHalf, Memory: 'a'},
	Permilpd:   {Name: "VPERMILPD", Kind: UnaryImm, Cost: inHalf, Memory: 'a'},
	Pshuflw:    {Name: "VPSHUFLW", Kind: UnaryImm, Cost: inHalf, Memory: 'a'},
	Pshufhw:    {Name: "VPSHUFHW", Kind: UnaryImm, Cost: inHalf, Memory: 'a'},
	Pshufb:     {Name: "VPSHUFB", Kind: UnaryConst, Cost: Cost{byBytes.Throughput + constInMemory, 1}},
	Sort2:      {Name: "VPSHUFB", Kind: UnaryConst, Cost: Cost{0.45, 1}}, // shared by the streams
	Sort4:      {Name: "VPSHUFB", Kind: UnaryConst, Cost: Cost{0.25, 1}},
	Sort8:      {Name: "VPSHUFB", Kind: UnaryConst, Cost: Cost{0.15, 1}},
	Permq:      {Name: "VPERMQ", Float: "VPERMPD", Kind: UnaryImm, Cost: across, Cross: true, Memory: 'a'},
	Permd:      {Name: "VPERMD", Float: "VPERMPS", Kind: IndexConst, Cost: Cost{across.Throughput + constInReg, 4}, Cross: true, Memory: 'a'},
	Broadcastb: {Name: "VPBROADCASTB", Kind: Unary, Cost: across, Memory: 'a', MemoryBytes: 1, param: 1},
	Broadcastw: {Name: "VPBROADCASTW", Kind: Unary, Cost: across, Memory: 'a', MemoryBytes: 2, param: 2},
	Broadcastd: {Name: "VPBROADCASTD", Float: "VBROADCASTSS", Kind: Unary, Cost: across, Memory: 'a', MemoryBytes: 4, param: 4},
	Broadcastq: {Name: "VPBROADCASTQ", Kind: Unary, Cost: across, Memory: 'a', MemoryBytes: 8, param: 8},
	Extract128: {Name: "VEXTRACTI128", Float: "VEXTRACTF128", Kind: UnaryImm, Cost: across},
	Psrldq:     {Name: "VPSRLDQ", Kind: UnaryImm, Cost: byBytes, param: 16},
	Pslldq:     {Name: "VPSLLDQ", Kind: UnaryImm, Cost: byBytes, param: -16},
	Psrlw:      {Name: "VPSRLW", Kind: UnaryImm, Cost: Cost{0.6, 1}, param: 2},
	Psrld:      {Name: "VPSRLD", Kind: UnaryImm, Cost: Cost{0.6, 1}, param: 4},
	Psrlq:      {Name: "VPSRLQ", Kind: UnaryImm, Cost: Cost{0.6, 1}, param: 8},
	Psllw:      {Name: "VPSLLW", Kind: UnaryImm, Cost: Cost{0.6, 1}, param: -2},
	Pslld:      {Name: "VPSLLD", Kind: UnaryImm, Cost: Cost{0.6, 1}, param: -4},
	Psllq:      {Name: "VPSLLQ", Kind: UnaryImm, Cost: Cost{0.6, 1}, param: -8},
	And:        {Name: "VPAND", Kind: UnaryConst, Cost: Cost{logic.Throughput + constInMemory, 1}},
	Pmovzxbw:   {Name: "VPMOVZXBW", Kind: Unary, Cost: across, param: 1<<8 | 2},
	Pmovzxbd:   {Name: "VPMOVZXBD", Kind: Unary, Cost: across, param: 1<<8 | 4},
	Pmovzxbq:   {Name: "VPMOVZXBQ", Kind: Unary, Cost: across, param: 1<<8 | 8},
	Pmovzxwd:   {Name: "VPMOVZXWD", Kind: Unary, Cost: across, param: 2<<8 | 4},
	Pmovzxwq:   {Name: "VPMOVZXWQ", Kind: Unary, Cost: across, param: 2<<8 | 8},
	Pmovzxdq:   {Name: "VPMOVZXDQ", Kind: Unary, Cost: across, param: 4<<8 | 8},

	Punpcklbw:  {Name: "VPUNPCKLBW", Kind: Binary, Cost: inHalf, Memory: 'b', param: 1},
	Punpcklwd:  {Name: "VPUNPCKLWD", Kind: Binary, Cost: inHalf, Memory: 'b', param: 2},
	Punpckldq:  {Name: "VPUNPCKLDQ", Float: "VUNPCKLPS", Kind: Binary, Cost: inHalf, Memory: 'b', param: 4},
	Punpcklqdq: {Name: "VPUNPCKLQDQ", Float: "VUNPCKLPD", Kind: Binary, Cost: inHalf, Memory: 'b', param: 8},
	Punpckhbw:  {Name: "VPUNPCKHBW", Kind: Binary, Cost: inHalf, Memory: 'b', param: 1},
	Punpckhwd:  {Name: "VPUNPCKHWD", Kind: Binary, Cost: inHalf, Memory: 'b', param: 2},
	Punpckhdq:  {Name: "VPUNPCKHDQ", Float: "VUNPCKHPS", Kind: Binary, Cost: inHalf, Memory: 'b', param: 4},
	Punpckhqdq: {Name: "VPUNPCKHQDQ", Float: "VUNPCKHPD", Kind: Binary, Cost: inHalf, Memory: 'b', param: 8},
	Shufps:     {Name: "VSHUFPS", Kind: BinaryImm, Cost: inHalf, Memory: 'b'},
	Shufpd:     {Name: "VSHUFPD", Kind: BinaryImm, Cost: inHalf, Memory: 'b'},
	Blendd:     {Name: "VPBLENDD", Float: "VBLENDPS", Kind: BinaryImm, Cost: blendImm, Memory: 'b'},
	Blendw:     {Name: "VPBLENDW", Kind: BinaryImm, Cost: Cost{0.6, 1}, Memory: 'b'},
	Blendvb:    {Name: "VPBLENDVB", Kind: BinaryMask, Cost: Cost{0.75 + constInReg, 2}, Memory: 'b'},
	Perm2i128:  {Name: "VPERM2I128", Float: "VPERM2F128", Kind: BinaryImm, Cost: across, Cross: true, Memory: 'b'},
	Insert128:  {Name: "VINSERTI128", Float: "VINSERTF128", Kind: BinaryImm, Cost: Cost{0.75, 3}, Cross: true, Memory: 'b', MemoryBytes: 16},
	Palignr:    {Name: "VPALIGNR", Kind: BinaryImm, Cost: byBytes, Memory: 'b'},
	Or:         {Name: "VPOR", Float: "VORPS", Kind: Binary, Cost: logic, Memory: 'b'},
	Packuswb:   {Name: "VPACKUSWB", Kind: Binary, Cost: byBytes, Memory: 'b', param: 1},
	Packusdw:   {Name: "VPACKUSDW", Kind: Binary, Cost: byBytes, Memory: 'b', param: 2},
	Insertps:   {Name: "VINSERTPS", Kind: BinaryImm, Cost: inHalf},
}

// Info is the table row of o.
func (o Op) Info() *Info { return &infos[o] }

func (o Op) binary() bool { return infos[o].Kind >= Binary }

// A call is an instruction with its immediate or constant.
type call struct {
	op  Op
	imm int
	ctl [Size]byte
}

// apply is what the instruction leaves in its destination; b is read by binary
// ones only. Where it would not be a rearrangement, nothing is known.
func (c *call) apply(a, b *Reg) Reg {
	r := None()
	p := infos[c.op].param
	switch c.op {
	case Pshufd, Permilpd, Pshuflw, Pshufhw, Pshufb, Sort2, Sort4, Sort8, Permq, Permd, And:
		c.pick(&r, a)
	case Broadcastb, Broadcastw, Broadcastd, Broadcastq:
		for i := range r {
			r[i] = a[i%p]
		}
	case Extract128:
		copy(r[:Half], a[Half:])
	case Psrldq, Pslldq, Psrlw, Psrld, Psrlq, Psllw, Pslld, Psllq:
		c.shift(&r, a, p)
	case Pmovzxbw, Pmovzxbd, Pmovzxbq, Pmovzxwd, Pmovzxwq, Pmovzxdq:
		from, to := p>>8, p&0xff
		for i := range r {
			if r[i] = Zero; i%to < from {
				r[i] = a[i/to*from+i%to]
			}
		}
	default:
		c.combine(&r, a, b, p)
	}
	return r
}

// pick is apply for instructions that choose every unit by itself.
func (c *call) pick(r, a *Reg) {
	for i := range r {
		h := i &^ 15
		switch c.op {
		case Pshufd:
			r[i] = a[h+c.imm>>(i%16/4*2)&3*4+i%4]
		case Permilpd:
			r[i] = a[h+c.imm>>(i/8)&1*8+i%8]
		case Pshuflw:
			if r[i] = a[i]; i%16 < 8 {
				r[i] = a[h+c.imm>>(i%8/2*2)&3*2+i%2]
			}
		case Pshufhw:
			if r[i] = a[i]; i%16 >= 8 {
				r[i] = a[h+8+c.imm>>(i%8/2*2)&3*2+i%2]
			}
		case Pshufb, Sort2, Sort4, Sort8:
			if r[i] = Zero; c.ctl[i] < 0x80 {
				r[i] = a[h+int(c.ctl[i]&15)]
			}
		case Permq:
			r[i] = a[c.imm>>(i/8*2)&3*8+i%8]
		case Permd:
			r[i] = a[c.ctl[i&^3]&7*4+byte(i%4)]
		case And:
			if r[i] = Zero; c.ctl[i] != 0 {
				r[i] = a[i]
			}
		}
	}
}

// shift moves bytes down within units of n bytes, or up if n is negative. The
// immediate of shifts of elements counts bits.
func (c *call) shift(r, a *Reg, n int) {
	by, up := c.imm, n < 0
	if up {
		n = -n
	}
	if n < Half {
		by /= 8
	}
	for i := range r {
		k := i%n + by
		if up {
			k = i%n - by
		}
		if r[i] = Zero; 0 <= k && k < n {
			r[i] = a[i/n*n+k]
		}
	}
}

// combine is apply for two operands.
func (c *call) combine(r, a, b *Reg, p int) {
	two := [2]*Reg{a, b}
	for i := range r {
		h, k := i&^15, i%16
		switch c.op {
		case Punpcklbw, Punpcklwd, Punpckldq, Punpcklqdq:
			r[i] = two[k/p%2][h+k/(2*p)*p+k%p]
		case Punpckhbw, Punpckhwd, Punpckhdq, Punpckhqdq:
			r[i] = two[k/p%2][h+8+k/(2*p)*p+k%p]
		case Shufps:
			r[i] = two[k/8][h+c.imm>>(k/4*2)&3*4+k%4]
		case Shufpd:
			r[i] = two[k/8][h+c.imm>>(i/8)&1*8+k%8]
		case Blendd:
			r[i] = two[c.imm>>(i/4)&1][i]
		case Blendw:
			r[i] = two[c.imm>>(k/2)&1][i]
		case Blendvb:
			r[i] = two[c.ctl[i]>>7][i]
		case Perm2i128:
			if x := c.imm >> (i / Half * 4); x&8 != 0 {
				r[i] = Zero
			} else {
				r[i] = two[x>>1&1][x&1*Half+k]
			}
		case Insert128:
			r[i] = two[i/Half][k]
		case Palignr:
			if n := k + c.imm; n < Half {
				r[i] = b[h+n]
			} else {
				r[i] = a[h+n-Half]
			}
		case Or:
			switch {
			case a[i] == Zero:
				r[i] = b[i]
			case b[i] == Zero || a[i] == b[i]:
				r[i] = a[i]
			}
		case Packuswb, Packusdw:
			from := h + k%8/p*2*p
			if x := two[k/8]; x.allZero(from+p, p) {
				r[i] = x[from+k%p]
			}
		case Insertps:
			r[i] = a[i]
			if k/4 == c.imm>>4&3 {
				r[i] = b[c.imm>>6*4+k%4]
			}
			if c.imm>>(k/4)&1 != 0 {
				r[i] = Zero
			}
		}
	}
	if c.op == Insertps {
		copy(r[Half:], none[Half:])
	}
}

var none = None()

func (r *Reg) allZero(i, n int) bool {
	for _, b := range r[i : i+n] {
		if b != Zero {
			return false
		}
	}
	return true
}
