package machine

import "slices"

// rotateLoops moves the test of a loop from its top to its bottom, so that an
// iteration takes one jump:
//
//	head: test; Jcc exit          JMP head
//	body                   ->     body
//	JMP head                      head: test; Jcc body
//	exit                          exit
//
// The head may be several blocks, each of which leaves the loop or goes on to the
// next. Loops lie one behind the other in the layout with all their blocks, or stay
// as they are. Only innermost loops are rotated.
func (f *Func) rotateLoops() {
	for at := 0; at < len(f.Blocks); at++ {
		if end := f.loopAt(at); end > at {
			f.rotate(at, end)
			at = end
		}
	}
}

// loopAt is the last block of the innermost loop that starts at block at: the only
// one that jumps back there, without a condition. It is -1 if there is none.
func (f *Func) loopAt(at int) int {
	head, end := f.Blocks[at], -1
	for n, b := range f.Blocks {
		if !slices.Contains(b.Succs(), head) {
			continue
		}
		if n < at {
			continue
		}
		if end >= 0 || b.Jump != "" || n == at {
			return -1
		}
		end = n
	}
	for n := at; n < end; n++ { // jumps back to other blocks are loops inside
		for _, s := range f.Blocks[n].Succs() {
			if k := slices.Index(f.Blocks, s); at <= k && k <= n {
				return -1
			}
		}
	}
	return end
}

// rotate moves the blocks that make up the test behind end.
func (f *Func) rotate(at, end int) {
	inside := func(b *Block) bool {
		k := slices.Index(f.Blocks, b)
		return at <= k && k <= end
	}
	split := at
	for split < end {
		b := f.Blocks[split]
		if b.Jump == "" || inside(b.Then) == inside(b.Else) {
			break
		}
		if stay := f.Blocks[split+1]; b.Then != stay && b.Else != stay {
			break
		}
		split++
	}
	if split == at {
		return
	}
	// Others may only come to the first block of the test and of the body.
	for n, b := range f.Blocks {
		for _, s := range b.Succs() {
			if k := slices.Index(f.Blocks, s); at < k && k <= split && n != k-1 {
				return
			}
		}
	}
	head, body := slices.Clone(f.Blocks[at:split]), slices.Clone(f.Blocks[split:end+1])
	body[0].Align, head[0].Align = head[0].Align, 0
	copy(f.Blocks[at:], append(body, head...))
}
