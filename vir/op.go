package vir

// Op is an operation. The table below is the single description of all of them:
// the parser, the verifier, the interpreter and README.md read it.
type Op uint8

const (
	OpInvalid Op = iota

	// Values without computation.
	OpParam
	OpConst
	OpPoison
	OpPhi

	// Integer arithmetic; wraps.
	OpAdd
	OpSub
	OpMul
	OpUmulh
	OpNeg
	OpAnd
	OpOr
	OpXor
	OpNot
	OpShl
	OpLshr
	OpAshr
	OpRotl
	OpSdiv
	OpUdiv
	OpSrem
	OpUrem
	OpSmin
	OpSmax
	OpUmin
	OpUmax
	OpClz
	OpCtz
	OpPopcnt
	OpBitrev
	OpBswap

	// Floating-point arithmetic; IEEE 754, round to nearest even, never fused.
	OpFadd
	OpFsub
	OpFmul
	OpFdiv
	OpFneg
	OpFabs
	OpFsqrt
	OpFfloor
	OpFceil
	OpFtrunc
	OpFrint
	OpFma
	OpFcopysign
	OpFmin
	OpFmax
	OpFminNnan
	OpFmaxNnan

	// Comparisons and choice.
	OpIcmpEq
	OpIcmpNe
	OpIcmpSlt
	OpIcmpSle
	OpIcmpUlt
	OpIcmpUle
	OpFcmpEq
	OpFcmpNe
	OpFcmpLt
	OpFcmpLe
	OpSelect
	OpBlend

	// Conversions.
	OpTrunc
	OpZext
	OpSext
	OpSitof
	OpUitof
	OpFtosi
	OpFtoui
	OpFpext
	OpFptrunc
	OpBitcast
	OpPtradd

	// Memory.
	OpLoad
	OpStore
	OpLoadUnit
	OpStoreUnit
	OpLoadReverse
	OpStoreReverse
	OpGather
	OpScatter
	OpLoadExpand
	OpStoreCompress

	// Between scalars and lanes, and between lanes.
	OpBroadcast
	OpExtract
	OpLane
	OpInsert
	OpSubvec
	OpConcat
	OpShuffle
	OpPermute
	OpPrefix
	OpAny
	OpAll
	OpCount
	OpFirst
	OpBits
	OpCompress

	// Go's panics, ways out of the loop, and the iteration boundary.
	OpCheckIndex
	OpCheckDiv
	OpCheckNil
	OpCheckShift
	OpCheckRare
	OpExit
	OpIter
	OpLeast

	// Calls of local routines.
	OpCall
	OpResult

	// Terminators.
	OpJmp
	OpBr
	OpRet

	numOps
)

// Rule says how the types of operands and result of an operation relate. The
// verifier enforces it.
type Rule uint8

const (
	RuleNone       Rule = iota
	RuleConst           // no operand; any type
	RulePhi             // operands and result all of one type
	RuleInt             // operands and result of one integer type, scalar or vector
	RuleLogic           // as RuleInt, or bool, or mask
	RuleFloat           // operands and result of one float type
	RuleIntCmp          // two operands of one integer type (or ptr, bool, mask for eq and ne); bool or mask
	RuleFloatCmp        // two operands of one float type; bool or mask
	RuleSelect          // bool, then two of the result type
	RuleBlend           // mask, then two of the result type, lanes equal
	RuleTrunc           // integer to a narrower integer
	RuleExt             // integer, bool or mask to a wider integer
	RuleIntToF          // integer to float
	RuleFToInt          // float to integer
	RuleFpext           // f32 to f64
	RuleFptrunc         // f64 to f32
	RuleBitcast         // same total size; lanes of another size are fewer or more, the first in the low bytes
	RulePtradd          // ptr, i64 to ptr
	RuleMemory          // see Value.Base, Index, Stored, Mask
	RuleBroadcast       // scalar to vector of it (bool to mask)
	RuleExtract         // vector to its lane Imm
	RuleLane            // vector, i64; the vector's lane
	RuleSubvec          // vector to Lanes lanes from lane Imm
	RulePrefix          // i64 n to the mask of lanes k < n (signed)
	RuleMaskToB         // mask to bool
	RuleMaskToI         // mask to i64
	RuleCheckIndex      // two i64, or i64 vectors, optionally a mask
	RuleCheck1          // one operand, optionally a mask
	RuleTerm            // terminators
	RuleCompress        // vector (no mask), then a mask of its lanes as Mask; the vector's type
	RuleInsert          // vector and its lane type; that vector, with lane Imm replaced
	RuleConcat          // vectors of one type to one of as many lanes as all together
	RuleShuffle         // one or two vectors of one type to a vector of len(Value.Lanes) lanes
	RuleLeast           // i64 to i64
	RuleCall            // the parameters of Callee
	RuleResult          // a call; the type of result Imm of its Callee
	RulePermute         // vector of T's element, integer vector of T's lanes and element size; T
)

// OpInfo is a row of the operation table.
type OpInfo struct {
	Name        string
	Args        int // number of operands; -1 when it varies
	Rule        Rule
	Commutative bool
	Effect      bool // writes memory, may panic, or transfers control: never removed or moved freely
	Reads       bool // reads memory
	Term        bool
	Doc         string
}

var opTable = [numOps]OpInfo{
	OpInvalid: {Name: "invalid"},

	OpParam:  {Name: "param", Rule: RuleConst, Doc: "parameter of the function"},
	OpConst:  {Name: "const", Rule: RuleConst, Doc: "constant; one number is a splat, a list in braces names each lane"},
	OpPoison: {Name: "poison", Rule: RuleConst, Doc: "no defined value; may only reach inactive lanes"},
	OpPhi:    {Name: "phi", Args: -1, Rule: RulePhi, Doc: "value by predecessor: [%v, block], ..."},

	OpAdd:    {Name: "add", Args: 2, Rule: RuleInt, Commutative: true, Doc: "sum, wrapping"},
	OpSub:    {Name: "sub", Args: 2, Rule: RuleInt, Doc: "difference, wrapping"},
	OpMul:    {Name: "mul", Args: 2, Rule: RuleInt, Commutative: true, Doc: "low half of the product"},
	OpUmulh:  {Name: "umulh", Args: 2, Rule: RuleInt, Commutative: true, Doc: "high half of the unsigned product of twice the width"},
	OpNeg:    {Name: "neg", Args: 1, Rule: RuleInt, Doc: "0 - x, wrapping"},
	OpAnd:    {Name: "and", Args: 2, Rule: RuleLogic, Commutative: true, Doc: "bitwise and; on bool and masks logical and (both sides are evaluated)"},
	OpOr:     {Name: "or", Args: 2, Rule: RuleLogic, Commutative: true, Doc: "bitwise or"},
	OpXor:    {Name: "xor", Args: 2, Rule: RuleLogic, Commutative: true, Doc: "bitwise exclusive or"},
	OpNot:    {Name: "not", Args: 1, Rule: RuleLogic, Doc: "complement of every bit"},
	OpShl:    {Name: "shl", Args: 2, Rule: RuleInt, Doc: "x << c with c unsigned; 0 when c >= width, as in Go"},
	OpLshr:   {Name: "lshr", Args: 2, Rule: RuleInt, Doc: "unsigned x >> c with c unsigned; 0 when c >= width"},
	OpAshr:   {Name: "ashr", Args: 2, Rule: RuleInt, Doc: "signed x >> c with c unsigned; the sign when c >= width"},
	OpRotl:   {Name: "rotl", Args: 2, Rule: RuleInt, Doc: "rotate left by c modulo width"},
	OpSdiv:   {Name: "sdiv", Args: 2, Rule: RuleInt, Doc: "signed quotient, truncated; smallest / -1 wraps; poison when the divisor is 0 (see check.div)"},
	OpUdiv:   {Name: "udiv", Args: 2, Rule: RuleInt, Doc: "unsigned quotient; poison when the divisor is 0"},
	OpSrem:   {Name: "srem", Args: 2, Rule: RuleInt, Doc: "signed remainder, sign of the dividend; poison when the divisor is 0"},
	OpUrem:   {Name: "urem", Args: 2, Rule: RuleInt, Doc: "unsigned remainder; poison when the divisor is 0"},
	OpSmin:   {Name: "smin", Args: 2, Rule: RuleInt, Commutative: true, Doc: "signed minimum"},
	OpSmax:   {Name: "smax", Args: 2, Rule: RuleInt, Commutative: true, Doc: "signed maximum"},
	OpUmin:   {Name: "umin", Args: 2, Rule: RuleInt, Commutative: true, Doc: "unsigned minimum"},
	OpUmax:   {Name: "umax", Args: 2, Rule: RuleInt, Commutative: true, Doc: "unsigned maximum"},
	OpClz:    {Name: "clz", Args: 1, Rule: RuleInt, Doc: "leading zero bits; width when x is 0"},
	OpCtz:    {Name: "ctz", Args: 1, Rule: RuleInt, Doc: "trailing zero bits; width when x is 0"},
	OpPopcnt: {Name: "popcnt", Args: 1, Rule: RuleInt, Doc: "number of one bits"},
	OpBitrev: {Name: "bitrev", Args: 1, Rule: RuleInt, Doc: "bits in reverse order"},
	OpBswap:  {Name: "bswap", Args: 1, Rule: RuleInt, Doc: "bytes in reverse order"},

	OpFadd:      {Name: "fadd", Args: 2, Rule: RuleFloat, Commutative: true, Doc: "sum, rounded once"},
	OpFsub:      {Name: "fsub", Args: 2, Rule: RuleFloat, Doc: "difference, rounded once"},
	OpFmul:      {Name: "fmul", Args: 2, Rule: RuleFloat, Commutative: true, Doc: "product, rounded once"},
	OpFdiv:      {Name: "fdiv", Args: 2, Rule: RuleFloat, Doc: "quotient, rounded once"},
	OpFneg:      {Name: "fneg", Args: 1, Rule: RuleFloat, Doc: "sign bit flipped"},
	OpFabs:      {Name: "fabs", Args: 1, Rule: RuleFloat, Doc: "sign bit cleared"},
	OpFsqrt:     {Name: "fsqrt", Args: 1, Rule: RuleFloat, Doc: "square root, rounded once"},
	OpFfloor:    {Name: "ffloor", Args: 1, Rule: RuleFloat, Doc: "round to integer towards minus infinity"},
	OpFceil:     {Name: "fceil", Args: 1, Rule: RuleFloat, Doc: "round to integer towards plus infinity"},
	OpFtrunc:    {Name: "ftrunc", Args: 1, Rule: RuleFloat, Doc: "round to integer towards zero"},
	OpFrint:     {Name: "frint", Args: 1, Rule: RuleFloat, Doc: "round to nearest integer, ties to even"},
	OpFma:       {Name: "fma", Args: 3, Rule: RuleFloat, Doc: "x*y + z, rounded once"},
	OpFcopysign: {Name: "fcopysign", Args: 2, Rule: RuleFloat, Doc: "magnitude of x, sign of y"},
	OpFmin:      {Name: "fmin", Args: 2, Rule: RuleFloat, Commutative: true, Doc: "Go's min: NaN when either is NaN, -0 below +0"},
	OpFmax:      {Name: "fmax", Args: 2, Rule: RuleFloat, Commutative: true, Doc: "Go's max: NaN when either is NaN, -0 below +0"},
	OpFminNnan:  {Name: "fmin.nnan", Args: 2, Rule: RuleFloat, Commutative: true, Doc: "the smaller number, -0 below +0; poison when either is NaN"},
	OpFmaxNnan:  {Name: "fmax.nnan", Args: 2, Rule: RuleFloat, Commutative: true, Doc: "the larger number, -0 below +0; poison when either is NaN"},

	OpIcmpEq:  {Name: "icmp.eq", Args: 2, Rule: RuleIntCmp, Commutative: true, Doc: "equal"},
	OpIcmpNe:  {Name: "icmp.ne", Args: 2, Rule: RuleIntCmp, Commutative: true, Doc: "not equal"},
	OpIcmpSlt: {Name: "icmp.slt", Args: 2, Rule: RuleIntCmp, Doc: "signed less"},
	OpIcmpSle: {Name: "icmp.sle", Args: 2, Rule: RuleIntCmp, Doc: "signed less or equal"},
	OpIcmpUlt: {Name: "icmp.ult", Args: 2, Rule: RuleIntCmp, Doc: "unsigned less"},
	OpIcmpUle: {Name: "icmp.ule", Args: 2, Rule: RuleIntCmp, Doc: "unsigned less or equal"},
	OpFcmpEq:  {Name: "fcmp.eq", Args: 2, Rule: RuleFloatCmp, Commutative: true, Doc: "equal; false on NaN"},
	OpFcmpNe:  {Name: "fcmp.ne", Args: 2, Rule: RuleFloatCmp, Commutative: true, Doc: "not equal; true on NaN"},
	OpFcmpLt:  {Name: "fcmp.lt", Args: 2, Rule: RuleFloatCmp, Doc: "less; false on NaN"},
	OpFcmpLe:  {Name: "fcmp.le", Args: 2, Rule: RuleFloatCmp, Doc: "less or equal; false on NaN"},
	OpSelect:  {Name: "select", Args: 3, Rule: RuleSelect, Doc: "second operand if the bool holds, else the third"},
	OpBlend:   {Name: "blend", Args: 3, Rule: RuleBlend, Doc: "lane by lane: second operand where the mask holds, else the third"},

	OpTrunc:   {Name: "trunc", Args: 1, Rule: RuleTrunc, Doc: "low bits"},
	OpZext:    {Name: "zext", Args: 1, Rule: RuleExt, Doc: "zero extension; of a bool or mask 0 and 1"},
	OpSext:    {Name: "sext", Args: 1, Rule: RuleExt, Doc: "sign extension; of a bool or mask 0 and -1"},
	OpSitof:   {Name: "sitof", Args: 1, Rule: RuleIntToF, Doc: "signed integer to float, rounded to nearest even"},
	OpUitof:   {Name: "uitof", Args: 1, Rule: RuleIntToF, Doc: "unsigned integer to float, rounded to nearest even"},
	OpFtosi:   {Name: "ftosi", Args: 1, Rule: RuleFToInt, Doc: "float to signed integer, truncated; out of range as gc does on amd64 (see README)"},
	OpFtoui:   {Name: "ftoui", Args: 1, Rule: RuleFToInt, Doc: "float to unsigned integer, truncated; out of range as gc does on amd64 (see README)"},
	OpFpext:   {Name: "fpext", Args: 1, Rule: RuleFpext, Doc: "f32 to f64, exact"},
	OpFptrunc: {Name: "fptrunc", Args: 1, Rule: RuleFptrunc, Doc: "f64 to f32, rounded to nearest even"},
	OpBitcast: {Name: "bitcast", Args: 1, Rule: RuleBitcast, Doc: "same bits, other type; of a vector also other lanes in as many bytes, as if stored and loaded"},
	OpPtradd:  {Name: "ptradd", Args: 2, Rule: RulePtradd, Doc: "address plus bytes"},

	OpLoad:          {Name: "load", Args: -1, Rule: RuleMemory, Reads: true, Doc: "scalar load"},
	OpStore:         {Name: "store", Args: -1, Rule: RuleMemory, Effect: true, Doc: "scalar store"},
	OpLoadUnit:      {Name: "load.unit", Args: -1, Rule: RuleMemory, Reads: true, Doc: "lane k from address + k*size; inactive lanes are poison and not read"},
	OpStoreUnit:     {Name: "store.unit", Args: -1, Rule: RuleMemory, Effect: true, Doc: "lane k to address + k*size; inactive lanes are not written"},
	OpLoadReverse:   {Name: "load.reverse", Args: -1, Rule: RuleMemory, Reads: true, Doc: "lane k from address - k*size"},
	OpStoreReverse:  {Name: "store.reverse", Args: -1, Rule: RuleMemory, Effect: true, Doc: "lane k to address - k*size"},
	OpGather:        {Name: "gather", Args: -1, Rule: RuleMemory, Reads: true, Doc: "lane k from base + index lane k*scale + disp, the index sign-extended; inactive lanes are poison and not read"},
	OpScatter:       {Name: "scatter", Args: -1, Rule: RuleMemory, Effect: true, Doc: "lane k to base + index lane k*scale + disp, in ascending order: of equal addresses the last lane wins; inactive lanes are not written"},
	OpLoadExpand:    {Name: "load.expand", Args: -1, Rule: RuleMemory, Reads: true, Doc: "lane k from address + r*size, where r is the number of active lanes before it, if r is below room, an i64; else poison. The first room elements may be read, as many as there are lanes"},
	OpStoreCompress: {Name: "store.compress", Args: -1, Rule: RuleMemory, Effect: true, Doc: "active lanes side by side in order: lane k to address + r*size, where r is the number of active lanes before it; nothing else is written"},

	OpBroadcast: {Name: "broadcast", Args: 1, Rule: RuleBroadcast, Doc: "the scalar in every lane"},
	OpExtract:   {Name: "extract", Args: 1, Rule: RuleExtract, Doc: "one lane, by constant"},
	OpLane:      {Name: "lane", Args: 2, Rule: RuleLane, Doc: "the lane that the i64 names, which must be one of them"},
	OpInsert:    {Name: "insert", Args: 2, Rule: RuleInsert, Doc: "the vector with one lane, by constant, replaced by the scalar"},
	OpSubvec:    {Name: "subvec", Args: 1, Rule: RuleSubvec, Doc: "consecutive lanes from a constant lane, a multiple of the result's lanes"},
	OpConcat:    {Name: "concat", Args: -1, Rule: RuleConcat, Doc: "lanes of all operands one behind the other"},
	OpShuffle:   {Name: "shuffle", Args: -1, Rule: RuleShuffle, Doc: "lane k is lane i_k of both operands one behind the other; poison where i_k is -1"},
	OpPermute:   {Name: "permute", Args: 2, Rule: RulePermute, Doc: "lane k is the lane of the first operand that lane k of the second names, unsigned; poison when there is no such lane"},
	OpPrefix:    {Name: "prefix", Args: 1, Rule: RulePrefix, Doc: "mask of the lanes k < n, n signed"},
	OpAny:       {Name: "any", Args: 1, Rule: RuleMaskToB, Doc: "some lane is active"},
	OpAll:       {Name: "all", Args: 1, Rule: RuleMaskToB, Doc: "every lane is active"},
	OpCount:     {Name: "count", Args: 1, Rule: RuleMaskToI, Doc: "number of active lanes"},
	OpFirst:     {Name: "first", Args: 1, Rule: RuleMaskToI, Doc: "number of lanes before the first active one, of all lanes when none is"},
	OpBits:      {Name: "bits", Args: 1, Rule: RuleMaskToI, Doc: "bit k says whether lane k is active; lanes from the 64th on have none"},
	OpCompress:  {Name: "compress", Args: 2, Rule: RuleCompress, Doc: "active lanes moved to the front in order; the rest is poison"},

	OpCheckIndex: {Name: "check.index", Args: -1, Rule: RuleCheckIndex, Effect: true, Doc: "panics unless 0 <= index < length"},
	OpCheckDiv:   {Name: "check.div", Args: -1, Rule: RuleCheck1, Effect: true, Doc: "panics when the divisor is 0"},
	OpCheckNil:   {Name: "check.nil", Args: -1, Rule: RuleCheck1, Effect: true, Doc: "panics when the pointer is nil"},
	OpCheckShift: {Name: "check.shift", Args: -1, Rule: RuleCheck1, Effect: true, Doc: "panics when the signed shift count is negative"},
	OpCheckRare:  {Name: "check.rare", Args: -1, Rule: RuleCheck1, Effect: true, Doc: "stops where the bool holds, at an iteration that only the scalar code does exactly"},
	OpExit:       {Name: "exit", Args: -1, Rule: RuleCheck1, Effect: true, Doc: "leaves the loop from inside of its body when the bool holds"},
	OpIter:       {Name: "iter", Args: 0, Rule: RuleNone, Effect: true, Doc: "iteration boundary: what was stored before belongs to earlier iterations"},
	OpLeast:      {Name: "least", Args: 1, Rule: RuleLeast, Doc: "of the numbers that iterations of a block have, the least, for all of them; the operand itself as long as iterations go one by one"},

	OpCall:   {Name: "call", Args: -1, Rule: RuleCall, Effect: true, Doc: "runs a local routine; the name on the left is for its results"},
	OpResult: {Name: "result", Args: 1, Rule: RuleResult, Doc: "result of a call, by number"},

	OpJmp: {Name: "jmp", Args: 0, Rule: RuleTerm, Effect: true, Term: true, Doc: "go to the block"},
	OpBr:  {Name: "br", Args: 1, Rule: RuleTerm, Effect: true, Term: true, Doc: "first block if the bool holds, else the second"},
	OpRet: {Name: "ret", Args: -1, Rule: RuleTerm, Effect: true, Term: true, Doc: "return the values"},
}

// Info is the table row of the operation.
func (o Op) Info() *OpInfo { return &opTable[o] }

func (o Op) String() string { return opTable[o].Name }

// Ops lists all operations in table order.
func Ops() []Op {
	ops := make([]Op, 0, numOps)
	for o := OpParam; o < numOps; o++ {
		ops = append(ops, o)
	}
	return ops
}

var opByName = func() map[string]Op {
	m := make(map[string]Op, numOps)
	for _, o := range Ops() {
		m[opTable[o].Name] = o
	}
	return m
}()

// OpByName finds an operation by its text form.
func OpByName(name string) (Op, bool) {
	o, ok := opByName[name]
	return o, ok
}

// IsLoad reports whether o reads memory into its result.
func (o Op) IsLoad() bool { return opTable[o].Reads }

// IsStore reports whether o writes memory.
func (o Op) IsStore() bool { return opTable[o].Rule == RuleMemory && opTable[o].Effect }

// IsIndexed reports whether o accesses memory by a vector of indices.
func (o Op) IsIndexed() bool { return o == OpGather || o == OpScatter }

// Unrounded reports whether o of floats rounds nothing: with operands that are values of a
// shorter type, the result is one too.
func (o Op) Unrounded() bool {
	switch o {
	case OpFabs, OpFneg, OpFfloor, OpFceil, OpFtrunc, OpFrint, OpFcopysign, OpFmin, OpFmax:
		return true
	}
	return false
}

// IsCheck reports whether o can end the run of the loop, by a panic or by leaving
// it, and does nothing else.
func (o Op) IsCheck() bool { return OpCheckIndex <= o && o <= OpExit }

// Holds reports whether the comparison o of integers holds for x and y, of which narrow
// ones are sign-extended. It panics on other operations.
func (o Op) Holds(x, y int64) bool {
	switch o {
	case OpIcmpEq:
		return x == y
	case OpIcmpNe:
		return x != y
	case OpIcmpSlt:
		return x < y
	case OpIcmpSle:
		return x <= y
	case OpIcmpUlt:
		return uint64(x) < uint64(y)
	case OpIcmpUle:
		return uint64(x) <= uint64(y)
	}
	panic(o.String() + " compares no integers")
}
