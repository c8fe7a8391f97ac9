package toolchain

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Unlawful reports what breaks a rule in one function alone: see [Encoding], [Flags] and [Short].
func Unlawful(all []*Function) (wrong []string) {
	for _, f := range all {
		wrong = slices.Concat(wrong, Encoding(f), Flags(f), Short(f))
	}
	return wrong
}

// UnlawfulIn assembles a file with kernels, as [Assemble] does, and reports what is
// [Unlawful] in it. With wide all of it is for AVX-512.
func UnlawfulIn(file, scratch string, wide bool) (wrong []string, err error) {
	all, err := Assemble(file, scratch)
	if err != nil {
		return nil, err
	}
	for _, f := range all {
		f.Wide = wide
	}
	return Unlawful(all), nil
}

// Encoding holds the instructions of a function against what a processor with AVX2 has, or
// with AVX-512 where only such a processor gets to, and against what runtime/cpu asks the
// processor for.
func Encoding(f *Function) (wrong []string) {
	from, wrong := f.wide()
	for _, i := range f.Instrs {
		if !i.code() {
			continue
		}
		switch {
		case i.At >= from && i.knownToAVX512():
		case isEVEX(i.Code):
			wrong = append(wrong, fmt.Sprintf("%s: EVEX encoding: %s", f.Name, i))
		case tooHigh.MatchString(strings.Join(i.Args, " ")):
			wrong = append(wrong, fmt.Sprintf("%s: register that AVX2 does not have: %s", f.Name, i))
		case feature[i.Op] == "" && !branch.MatchString(i.Op):
			wrong = append(wrong, fmt.Sprintf("%s: not known to be in one of AVX2, FMA, BMI1, BMI2, POPCNT, LZCNT or every processor (see features): %s", f.Name, i))
		case feature[i.Op] == "any" && vector.MatchString(strings.Join(i.Args, " ")):
			wrong = append(wrong, fmt.Sprintf("%s: legacy SSE: %s", f.Name, i))
		}
	}
	return wrong
}

// knownToAVX512 holds for instructions of AVX-512, and for those of AVX2 that have EVEX encoding
// for the sake of what AVX2 does not have: masks, 64 bytes, registers above 15.
func (i Instr) knownToAVX512() bool {
	if withAVX512[i.Op] {
		return true
	}
	return (feature[i.Op] == "avx2" || feature[i.Op] == "fma") && (underMask(i) || wider.MatchString(strings.Join(i.Args, " ")))
}

// wide is the offset from which on f is for AVX-512: behind all of it if there is nothing. Kernels
// for nothing else say so in their names; in others tests of variables of runtime/cpu lead there,
// and no other branch.
//
//	CMPB  github.com/lanewise/lanewise/runtime/cpu.AVX512(SB), $0
//	JNE   from
//
// Linked dynamically, the address of the variable is loaded before.
func (f *Function) wide() (from int, wrong []string) {
	if f.Wide || strings.HasSuffix(f.Name, "AVX512") {
		return 0, nil
	}
	from = len(f.Code)
	var tests []int // offsets of their jumps; in front of the first one the stack may grow
	for k, i := range f.Instrs[:max(0, len(f.Instrs)-1)] {
		jump := f.Instrs[k+1]
		if jump.Op != "JNE" || !asksForAVX512(f.Instrs[max(0, k-1)], i) {
			continue
		}
		to, _ := strconv.Atoi(jump.Args[0])
		from, tests = min(from, to), append(tests, jump.At)
	}
	if tests == nil {
		return from, nil
	}
	for _, i := range f.Instrs {
		if to, err := strconv.Atoi(strings.Join(i.Args, "")); err == nil && i.At > tests[0] && !slices.Contains(tests, i.At) && i.At < from && to >= from && branch.MatchString(i.Op) {
			wrong = append(wrong, fmt.Sprintf("%s: to code for AVX-512 without a test: %s", f.Name, i))
		}
	}
	return from, wrong
}

// asksForAVX512 reports whether comparison i, behind another instruction, tests such a variable.
func asksForAVX512(before, i Instr) bool {
	if i.Op != "CMPB" || len(i.Args) == 0 {
		return false
	}
	return of512.MatchString(i.Args[0]) || i.Args[0] == "(R15)" && before.Op == "MOVQ" && of512.MatchString(before.Args[0])
}

var (
	of512   = regexp.MustCompile(`cpu\.(AVX512|Fast512)(@GOT)?\(SB\)$`)
	tooHigh = regexp.MustCompile(`\b(Z[0-9]+|K[0-7]|[XY](1[6-9]|2[0-9]|3[01]))\b`)
	whole   = regexp.MustCompile(`\bZ[0-9]+\b`)
	half    = regexp.MustCompile(`\bY[0-9]+\b`)
	wider   = regexp.MustCompile(`\b(Z[0-9]+|[XY](1[6-9]|2[0-9]|3[01]))\b`)
	vector  = regexp.MustCompile(`\b[XYZ][0-9]+\b`)
	branch  = regexp.MustCompile(`^(J[A-Z]{2,3}|CALL|RET)$`)
)

// isEVEX looks at the byte behind legacy and REX prefixes.
func isEVEX(code []byte) bool {
	for _, b := range code {
		switch {
		case b == 0x66, b == 0xf2, b == 0xf3, b == 0x2e, b == 0x3e, b == 0x64, b == 0x65, b == 0x67, b&0xf0 == 0x40:
		default:
			return b == 0x62
		}
	}
	return false
}

// features are the instructions that kernels may use, by the names of the assembler and
// by what runtime/cpu has to find before it lets kernels run. Those of AVX and AVX2 have
// no other encoding up to register 15 than VEX.
var features = map[string]string{
	"any": `ADDL ADDQ ANDL ANDQ BSWAPL BSWAPQ BTSQ BTQ BTL CMOVLCS CMOVLGT CMOVLHI CMOVLLT CMOVQCC CMOVQCS CMOVQEQ CMOVQGE CMOVQGT CMOVQHI CMOVQLE CMOVQLS CMOVQLT CMOVQNE
		CMPB CMPL CMPQ CMPW CQO DECQ DIVQ IDIVQ IMUL3L IMUL3Q IMULL IMULQ INCQ LEAL LEAQ MOVB MOVBLZX MOVBQSX MOVBQZX MOVL MOVLQSX MOVLQZX
		MOVQ MOVW MOVWLZX MOVWQSX MOVWQZX MULQ NEGL NEGQ NOTL NOTQ ORL ORQ POPQ PREFETCHT0 PUSHQ ROLB ROLL ROLQ ROLW SARL SARQ SETCC SETCS SETEQ SETGE SETGT
		SETHI SETLE SETLS SETLT SETNE SHLL SHLQ SHRL SHRQ SUBL SUBQ TESTB TESTL TESTQ XORL XORQ`,
	"popcnt": "POPCNTL POPCNTQ",
	"lzcnt":  "LZCNTL LZCNTQ",
	"bmi1":   "ANDNL ANDNQ BLSIL BLSIQ BLSMSKL BLSMSKQ BLSRL BLSRQ TZCNTL TZCNTQ",
	"bmi2":   "BZHIL BZHIQ MULXQ PDEPL PDEPQ PEXTL PEXTQ RORXL RORXQ SARXL SARXQ SHLXL SHLXQ SHRXL SHRXQ",
	"fma": `VFMADD132PD VFMADD132PS VFMADD132SD VFMADD132SS VFMADD213PD VFMADD213PS VFMADD213SD VFMADD213SS
		VFMADD231PD VFMADD231PS VFMADD231SD VFMADD231SS
		VFMSUB213PD VFMSUB213PS VFMSUB213SD VFMSUB213SS VFMSUB231PD VFMSUB231PS VFMSUB231SD VFMSUB231SS
		VFNMADD213PD VFNMADD213PS VFNMADD213SD VFNMADD213SS VFNMADD231PD VFNMADD231PS VFNMADD231SD VFNMADD231SS
		VFNMSUB213PD VFNMSUB213PS VFNMSUB213SD VFNMSUB213SS VFNMSUB231PD VFNMSUB231PS VFNMSUB231SD VFNMSUB231SS`,
	"avx2": `VADDPD VADDPS VADDSD VADDSS VADDSUBPD VADDSUBPS VANDNPD VANDNPS VANDPD VANDPS VBLENDPD VBLENDPS VBLENDVPD VBLENDVPS
		VBROADCASTF128 VBROADCASTI128 VBROADCASTSD VBROADCASTSS VCMPPD VCMPPS VCMPSD VCMPSS VCVTDQ2PD VCVTDQ2PS VCVTPD2DQX VCVTPD2DQY VCVTPD2PSX
		VCVTPD2PSY VCVTPS2DQ VCVTPS2PD VCVTSD2SS VCVTSI2SDL VCVTSI2SDQ VCVTSI2SSL VCVTSI2SSQ VCVTSS2SD VCVTTPD2DQX VCVTTPD2DQY VCVTTPS2DQ
		VCVTTSD2SI VCVTTSD2SIQ VCVTTSS2SI VCVTTSS2SIQ VDIVPD VDIVPS VDIVSD VDIVSS VEXTRACTF128 VEXTRACTI128 VEXTRACTPS VGATHERDPD
		VGATHERDPS VGATHERQPD VGATHERQPS VHADDPD VHADDPS VINSERTF128 VINSERTI128 VINSERTPS VMASKMOVPD VMASKMOVPS VMAXPD VMAXPS VMAXSD VMAXSS
		VMINPD VMINPS VMINSD VMINSS VMOVAPD VMOVAPS VMOVD VMOVDDUP VMOVDQA VMOVDQU VMOVHLPS VMOVHPD VMOVHPS VMOVLHPS VMOVLPD VMOVMSKPD VMOVMSKPS
		VMOVQ VMOVSD VMOVSHDUP VMOVSLDUP VMOVSS VMOVUPD VMOVUPS VMULPD VMULPS VMULSD VMULSS VORPD VORPS VPABSB VPABSD VPABSW VPACKSSDW VPACKSSWB
		VPACKUSDW VPACKUSWB VPADDB VPADDD VPADDQ VPADDSB VPADDSW VPADDUSB VPADDUSW VPADDW VPALIGNR VPAND VPANDN VPAVGB VPAVGW VPBLENDD
		VPBLENDVB VPBLENDW VPBROADCASTB VPBROADCASTD VPBROADCASTQ VPBROADCASTW VPCMPEQB VPCMPEQD VPCMPEQQ VPCMPEQW VPCMPGTB VPCMPGTD
		VPCMPGTQ VPCMPGTW VPERM2F128 VPERM2I128 VPERMD VPERMILPD VPERMILPS VPERMPD VPERMPS VPERMQ VPEXTRB VPEXTRD VPEXTRQ VPEXTRW
		VPGATHERDD VPGATHERDQ VPGATHERQD VPGATHERQQ VPHADDD VPINSRB VPINSRD VPINSRQ VPINSRW VPMADDUBSW VPMADDWD VPMASKMOVD VPMASKMOVQ
		VPMAXSB VPMAXSD VPMAXSW VPMAXUB VPMAXUD VPMAXUW VPMINSB VPMINSD VPMINSW VPMINUB VPMINUD VPMINUW VPMOVMSKB VPMOVSXBD VPMOVSXBQ
		VPMOVSXBW VPMOVSXDQ VPMOVSXWD VPMOVSXWQ VPMOVZXBD VPMOVZXBQ VPMOVZXBW VPMOVZXDQ VPMOVZXWD VPMOVZXWQ VPMULDQ VPMULHRSW VPMULHUW
		VPMULHW VPMULLD VPMULLW VPMULUDQ VPOR VPSADBW VPSHUFB VPSHUFD VPSHUFHW VPSHUFLW VPSIGNB VPSIGND VPSIGNW VPSLLD VPSLLDQ VPSLLQ
		VPSLLVD VPSLLVQ VPSLLW VPSRAD VPSRAVD VPSRAW VPSRLD VPSRLDQ VPSRLQ VPSRLVD VPSRLVQ VPSRLW VPSUBB VPSUBD VPSUBQ VPSUBSB VPSUBSW
		VPSUBUSB VPSUBUSW VPSUBW VPTEST VPUNPCKHBW VPUNPCKHDQ VPUNPCKHQDQ VPUNPCKHWD VPUNPCKLBW VPUNPCKLDQ VPUNPCKLQDQ VPUNPCKLWD VPXOR
		VROUNDPD VROUNDPS VROUNDSD VROUNDSS VSHUFPD VSHUFPS VSQRTPD VSQRTPS VSQRTSD VSQRTSS VSUBPD VSUBPS VSUBSD VSUBSS VTESTPD VTESTPS
		VUCOMISD VUCOMISS VUNPCKHPD VUNPCKHPS VUNPCKLPD VUNPCKLPS VXORPD VXORPS VZEROUPPER`,
}

// withAVX512 are the instructions that code for AVX-512 may use besides, with mask registers too.
var withAVX512 = func() map[string]bool {
	ops := make(map[string]bool)
	for _, op := range strings.Fields(`VPCOMPRESSD.Z VPCOMPRESSQ.Z KANDQ KMOVD KMOVQ KORQ KORTESTQ KXORQ VBLENDMPD VBLENDMPS VPBLENDMB VPBLENDMD VPBLENDMQ VPBLENDMW VBROADCASTF64X4 VBROADCASTI32X4 VEXTRACTF32X4 VEXTRACTF64X4 VEXTRACTI32X4 VINSERTF32X4 VINSERTF64X4 VINSERTI32X4 VMOVDQA32 VPANDND VRNDSCALEPD VRNDSCALEPS VCMPPD VCMPPS VFIXUPIMMPD VFIXUPIMMPS VCVTQQ2PD VCVTPD2PS VCVTQQ2PS VCVTUQQ2PS VPMOVDB VPMOVDW VPMOVQB VPMOVQD VPMOVQW VPMOVWB VPMOVSDB VPMOVSDW VPMOVSQB VPMOVSQD VPMOVSQW VPMOVSWB VPMOVUSDB VPMOVUSDW VPMOVUSQB VPMOVUSQD VPMOVUSQW VPMOVUSWB VCVTQQ2PSX VCVTQQ2PSY VCVTTPD2QQ VCVTTPS2QQ VCVTUDQ2PD VCVTUDQ2PS VCVTUQQ2PD
		VCVTUQQ2PSX VCVTUQQ2PSY VMOVDQU16 VMOVDQU16.Z VMOVDQU8 VMOVDQU8.Z VMOVUPD VMOVUPD.Z VMOVUPS VMOVUPS.Z 
		VPCMPB VPCMPD VPCMPQ VPCMPUB VPCMPUD VPCMPUQ VPCMPUW VPCMPW VPLZCNTD VPLZCNTQ VPANDD VPANDQ VPMAXSQ VPMAXUQ VPMINSQ VPMINUQ VPMOVB2M VPMOVD2M VPMOVM2B VPMOVM2D VPMOVM2Q VPMOVM2W VPORD VPORQ VPXORD VPXORQ
		VALIGND VPMOVQ2M VPMOVW2M VPMULLQ VPROLD VPROLQ VPROLVD VPROLVQ VPSLLVW VPSRAQ VPSRAVQ VPSRAVW VPSRLVW VPTERNLOGD VRANGEPD VRANGEPS`) {
		ops[op] = true
	}
	return ops
}()

// underMask reports whether i does its work in the lanes of a mask register alone.
func underMask(i Instr) bool { return slices.Contains(i.Args, "K1") || slices.Contains(i.Args, "K2") }

// feature is the key in features of an instruction.
var feature = func() map[string]string {
	of := make(map[string]string)
	for name, ops := range features {
		for _, op := range strings.Fields(ops) {
			of[op] = name
		}
	}
	return of
}()

// Flow follows the ways through each kernel, calls of routines included, and reports
//
//   - a return with the upper halves of vector registers in use, which makes legacy SSE
//     in compiled code slow;
//   - an address of an argument, or one computed from it, that is stored anywhere but in
//     the kernel's own frame, or returned: the collector would not know of it, and a stack
//     that moves would leave it behind. The difference of two addresses is none.
//   - register 14 or 15 where linking dynamically makes it the assembler's.
//
// pointers tells whether a parameter of a kernel is a pointer.
func Flow(all []*Function, pointers func(kernel, param string) bool) (wrong []string) {
	a := &addresses{walker: newWalker(all)}
	a.step = a.follow
	for _, f := range all {
		if f.Local {
			continue
		}
		a.pointer = func(param string) bool { return pointers(f.Name, param) }
		for _, s := range a.walk(f, state{}, f.Name) {
			if s.has(upper) {
				a.report("%s: returns with the upper halves of vector registers in use", f.Name)
			}
		}
	}
	return a.wrong
}

// addresses is where addresses and upper halves may be.
type addresses struct {
	*walker
	pointer func(param string) bool
}

// A state is what may hold at a place of a function: a set of registers and slots of the
// frame with addresses in them, and upper.
type state map[string]bool

const upper = "upper halves"

func (s state) has(place string) bool { return s[place] }

// join adds t to s and tells whether that made a difference.
func (s state) join(t state) (more bool) {
	for place := range t {
		if !s[place] {
			s[place], more = true, true
		}
	}
	return more
}

func (s state) clone() state {
	t := make(state)
	t.join(s)
	return t
}

func (s state) set(place string, on bool) {
	if on {
		s[place] = true
	} else {
		delete(s, place)
	}
}

// A walker finds what may hold in front of each instruction, in a kernel with the
// routines that it calls.
type walker struct {
	routines map[string]*Function
	// step makes of what may hold in front of an instruction what may hold behind it.
	step  func(i Instr, s state, kernel string)
	wrong []string
	seen  map[string]bool // what was reported
}

func newWalker(all []*Function) *walker {
	w := &walker{routines: make(map[string]*Function), seen: make(map[string]bool)}
	for _, f := range all {
		if f.Local {
			w.routines[f.Name] = f
		}
	}
	return w
}

func (w *walker) report(format string, args ...any) {
	if s := fmt.Sprintf(format, args...); !w.seen[s] {
		w.seen[s] = true
		w.wrong = append(w.wrong, s)
	}
}

// walk returns the states at the returns of f when it begins with in.
func (w *walker) walk(f *Function, in state, kernel string) (ends []state) {
	before := make([]state, len(f.Instrs))
	before[0] = in.clone()
	todo := []int{0}
	flow := func(to int, s state) {
		if to >= len(f.Instrs) {
			w.report("%s: %s ends without a return", kernel, f.Name)
			return
		}
		if before[to] == nil {
			before[to] = make(state)
		} else if !before[to].join(s) {
			return
		}
		before[to].join(s)
		todo = append(todo, to)
	}
	returns := make(map[int]state)
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		i, s := f.Instrs[n], before[n].clone()
		switch {
		case i.Op == "RET":
			returns[n] = s
			continue
		case i.Op == "CALL":
			s = w.call(i, s, kernel)
		case strings.HasPrefix(i.Op, "J"):
			target, ok := f.target(n)
			if !ok {
				w.report("%s: jump to nowhere: %s", kernel, i)
				continue
			}
			flow(target, s)
			if i.Op == "JMP" {
				continue
			}
		case i.code():
			w.step(i, s, kernel)
		}
		flow(n+1, s)
	}
	for n := range f.Instrs {
		if s := returns[n]; s != nil {
			ends = append(ends, s)
		}
	}
	return ends
}

// call is what holds behind a call.
func (w *walker) call(i Instr, s state, kernel string) state {
	name, _, _ := strings.Cut(i.Args[0], "(")
	r := w.routines[name]
	if r == nil {
		if !strings.HasPrefix(name, "runtime.morestack") {
			w.report("%s: call of what is no routine: %s", kernel, i)
		}
		return s
	}
	out := make(state)
	for _, end := range w.walk(r, s, kernel) {
		out.join(end)
	}
	return out
}

// follow is the step of addresses and upper halves.
func (w *addresses) follow(i Instr, s state, kernel string) {
	if i.Op == "VZEROUPPER" {
		delete(s, upper)
		return
	}
	for _, a := range i.Args {
		if ymm.MatchString(a) {
			s[upper] = true
		}
		if own.MatchString(a) && !readsLevel.MatchString(i.Op+" "+strings.Join(i.Args, " ")) {
			w.report("%s: register of the assembler or the runtime: %s", kernel, i)
		}
	}
	if len(i.Args) == 0 || readsOnly.MatchString(i.Op) {
		return
	}
	dst := i.Args[len(i.Args)-1]
	address := w.address(i, s)
	switch {
	case inAXandDX(i):
		s.set("AX", address)
		s.set("DX", address)
	case !strings.Contains(dst, "("):
		s.set(register(dst), address)
	case frame.MatchString(dst):
		s.set(dst, address)
	case address:
		w.report("%s: keeps an address: %s", kernel, i)
	}
}

var (
	ymm = regexp.MustCompile(`^[YZ][0-9]+$`)
	// Linked dynamically, a variable is found by way of register 15.
	readsLevel = regexp.MustCompile(`^(MOVQ \S*cpu\.(AVX512|Fast512)@GOT\(SB\) R15|CMPB \(R15\) \$0)$`)
	own        = regexp.MustCompile(`^R15$|\(R15[)*]`)
	readsOnly  = regexp.MustCompile(`^(CMP[BWLQ]|TEST[BWLQ]|BT[LQ]|VUCOMIS[SD]|VPTEST|VTESTP[SD]|PUSHQ|POPQ)$`)
	// Instructions whose result is no address whatever they read: comparisons, bits of lanes, and
	// what has fewer bits than an address.
	noAddress = regexp.MustCompile(`^(SET..|MOV[BWL]|MOV[BWL][LQ][SZ]X|[^V].*[BWL]|POPCNTQ|LZCNTQ|TZCNTQ|VCMP.*|VPCMP.*|V?P?MOVMSK.*)$`)
	moves     = regexp.MustCompile(`^(MOV|VMOV|LEA|V|SHLX|SHRX|SARX|RORX|PEXT|PDEP|ANDN|BLS|BZHI|IMUL3)`)
	frame     = regexp.MustCompile(`^-?[0-9]*\(SP\)$`)
	argument  = regexp.MustCompile(`^(\w+)(?:\+[0-9]+)?\(FP\)$`)
	inAddress = regexp.MustCompile(`\b[A-Z][A-Z0-9]+\b`)
)

// address reports whether i may write an address of an argument, or what is computed
// from one.
func (w *addresses) address(i Instr, s state) bool {
	if noAddress.MatchString(i.Op) && !strings.HasPrefix(i.Op, "CMOV") {
		return false
	}
	last := len(i.Args) - 1
	from := func(a string) bool { return w.holdsAddress(i.Op, a, s) }
	if i.Op == "SUBQ" && from(i.Args[0]) || strings.HasPrefix(i.Op, "XOR") && i.Args[0] == i.Args[last] {
		return false
	}
	for n, a := range i.Args {
		if n == last && moves.MatchString(i.Op) && !strings.HasPrefix(i.Op, "VFMA") {
			break // overwritten
		}
		if from(a) {
			return true
		}
	}
	return inAXandDX(i) && (s["AX"] || s["DX"] && strings.HasSuffix(i.Op, "DIVQ"))
}

// inAXandDX reports whether i leaves its result there, and reads some of it from there.
func inAXandDX(i Instr) bool {
	return i.Op == "CQO" || len(i.Args) == 1 && products.MatchString(i.Op)
}

// holdsAddress reports whether an operand is an address or holds one.
func (w *addresses) holdsAddress(op, a string, s state) bool {
	switch m := argument.FindStringSubmatch(a); {
	case m != nil:
		return w.pointer(m[1])
	case frame.MatchString(a):
		return s[a]
	case op == "LEAQ":
		for _, r := range inAddress.FindAllString(a, -1) {
			if s[register(r)] {
				return true
			}
		}
		return false
	case strings.Contains(a, "("):
		return false // what is loaded from memory
	}
	return s[register(a)]
}

// register is the whole register of a part.
func register(r string) string {
	switch r {
	case "AL", "BL", "CL", "DL":
		return r[:1] + "X"
	case "SIB", "DIB":
		return r[:2]
	}
	switch {
	case r[0] == 'Y', r[0] == 'Z':
		return "X" + r[1:]
	case r[0] == 'R':
		return strings.TrimRight(r, "BWL")
	}
	return r
}
