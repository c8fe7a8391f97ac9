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

// sinkExits moves blocks that lie among those of a loop without belonging to it, ways
// out of its middle, to the end of the function, and those that return early: others
// need no jump over them.
func (f *Func) sinkExits() {
	preds := make(map[*Block][]*Block)
	for _, b := range f.Blocks {
		for _, s := range b.Succs() {
			preds[s] = append(preds[s], b)
		}
	}
	var sunk []*Block
	for at, head := range f.Blocks {
		body, last := loopOf(head, preds, f.Blocks[at:])
		for n := at; n < at+last; n++ {
			if b := f.Blocks[n]; !body[b] && !slices.Contains(sunk, b) {
				sunk = append(sunk, b)
			}
		}
	}
	for _, b := range f.Blocks {
		if b.Then == nil && len(preds[b]) == 1 && preds[b][0].Jump != "" && !slices.Contains(sunk, b) {
			sunk = append(sunk, b)
		}
	}
	f.Blocks = slices.DeleteFunc(f.Blocks, func(b *Block) bool { return slices.Contains(sunk, b) })
	f.Blocks = append(f.Blocks, sunk...)
}

// loopOf is the set of blocks on a way from head back to it by a jump backwards, and
// the place of the last one that jumps back among blocks, which start with head.
func loopOf(head *Block, preds map[*Block][]*Block, blocks []*Block) (body map[*Block]bool, last int) {
	body = map[*Block]bool{head: true}
	var work []*Block
	for n, b := range blocks {
		if slices.Contains(b.Succs(), head) {
			work, last = append(work, b), n
		}
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if !body[b] {
			body[b] = true
			work = append(work, preds[b]...)
		}
	}
	return body, last
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

// rotate moves the blocks that make up the test behind end: those up to the last one
// that leaves to what follows there, so that it needs one jump, otherwise the first.
func (f *Func) rotate(at, end int) {
	inside := func(b *Block) bool {
		k := slices.Index(f.Blocks, b)
		return at <= k && k <= end
	}
	split := at
	for n := at; n < end; n++ {
		b := f.Blocks[n]
		if b.Jump == "" || inside(b.Then) == inside(b.Else) {
			break
		}
		stay, exit := b.Then, b.Else
		if inside(exit) {
			stay, exit = exit, stay
		}
		if stay != f.Blocks[n+1] {
			break
		}
		if split == at || end+1 < len(f.Blocks) && exit == f.Blocks[end+1] {
			split = n + 1
		}
	}
	if split == at {
		return
	}
	// Others may only come to the first block of the test and of the body. What lies
	// behind the loop jumps in any case.
	for n, b := range f.Blocks[:end+1] {
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
