package machine

import "github.com/mmcloughlin/avo/operand"

// Bytes is the length of the machine code of an allocated and finished function, the
// setup of its frame included, without padding for alignment. Functions with check
// look whether the stack has room for their frame, which must be one of more than 256
// bytes.
func (f *Func) Bytes(check bool) int {
	size, padding := place(f.items(check))
	return size - padding
}

// InLoops is the number of instructions inside of loops, each counted once.
func (f *Func) InLoops() (n int) {
	f.nameBlocks()
	for k, b := range f.Blocks {
		if b.Depth > 0 {
			n += b.Size() + len(b.jumps(f.after(k)))
		}
	}
	return n
}

// after is the block that follows number k in the layout, or nil.
func (f *Func) after(k int) *Block {
	if k+1 < len(f.Blocks) {
		return f.Blocks[k+1]
	}
	return nil
}

// An item is a part of a function as the assembler lays it out: first padding up to a
// multiple of align, then length bytes, then a jump to another item if far is not 0.
type item struct {
	align, length int

	to  int // number of the item
	far int // length of the jump if it does not reach in short form
}

const (
	short   = 2 // any jump with a displacement of a byte
	farJump = 5
	farCond = 6
)

// What the assembler adds to functions with a frame: they save and set the
// frame pointer, move the stack pointer, and take that back before each return.
const (
	saveBP    = 1 + 3 // PUSHQ BP; MOVQ SP, BP
	restoreBP = 1     // POPQ BP
)

// moveSP is the length of the instruction that makes room for a frame, or gives it back.
func moveSP(frame int) int {
	switch {
	case frame == 0:
		return 0
	case frame <= 128: // 128 is added as -128
		return 4
	}
	return 7
}

// items are the parts of f, one per line of its text, and those of the check before
// and behind them.
func (f *Func) items(check bool) []item {
	nodes := f.Linear()
	enter, leave, args := moveSP(f.Frame), moveSP(f.Frame), 8+f.Frame
	if f.Frame > 0 {
		enter, leave, args = enter+saveBP, leave+restoreBP, args+8
	}
	var its []item
	if check {
		its = checkStack(f.Frame + 8)
	}
	its = append(its, item{length: enter})
	labels := make(map[string]int)
	for k, n := range nodes {
		if n.Inst == nil {
			labels[n.Label] = len(its) + k
		}
	}
	for _, n := range nodes {
		it := item{align: n.Align}
		switch {
		case n.Inst == nil:
		case n.Inst.isJump():
			it.to, it.far = labels[string(n.Inst.Operands[0].(operand.LabelRef))], farCond
			if n.Inst.Opcode == "JMP" {
				it.far = farJump
			}
		default:
			it.length = n.Inst.length(args)
			if n.Inst.Opcode == "RET" {
				it.length += leave
			}
		}
		its = append(its, it)
	}
	if check {
		end := len(its)
		for k := range its {
			if its[k].to < 0 {
				its[k].to = end
			}
		}
		its = append(its, item{length: callLength}, item{far: farJump})
	}
	return its
}

// checkStack is the comparison of the stack pointer less the size of a frame with the
// goroutine's limit. Its jumps lead to item -1.
func checkStack(size int) []item {
	const (
		loadG     = 9       // MOVQ (TLS), R13
		subtract  = 8       // LEAQ -size(SP), R12
		unwrapped = 3 + 7   // MOVQ SP, R12; SUBQ $size, R12
		compare   = 4       // CMPQ R12, 16(R13)
		wraps     = 1 << 12 // sizes from which on the difference may be negative
	)
	if size <= wraps {
		return []item{{length: loadG + subtract + compare, to: -1, far: farCond}}
	}
	return []item{
		{length: loadG + unwrapped, to: -1, far: farCond},
		{length: compare, to: -1, far: farCond},
	}
}

// place lays items out and returns the number of bytes, and how many of them are
// padding. It goes over the items until all jumps reach, as the assembler does: a
// jump forward is short until it turns out not to reach, and far from then on.
func place(its []item) (size, padding int) {
	far := make([]bool, len(its))
	at := make([]int, len(its)) // behind the padding
	end := make([]int, len(its))
	for again := true; again; {
		size, padding, again = 0, 0, false
		for k, it := range its {
			if it.align > 0 {
				pad := -size & (it.align - 1)
				padding += pad
				size += pad
			}
			at[k] = size
			size += it.length
			switch {
			case it.far == 0:
			case it.to <= k && at[it.to]-(size+short) < -128, it.to > k && far[k]:
				size += it.far
			default:
				size += short
			}
			end[k] = size
		}
		for k, it := range its {
			if it.far > 0 && it.to > k && !far[k] && at[it.to]-end[k] > 127 {
				far[k], again = true, true
			}
		}
	}
	return size, padding
}
