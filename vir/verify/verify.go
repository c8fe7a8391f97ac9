// Package verify states and checks what a well-formed vir function is. It
// reports every problem it finds, not the first, and changes nothing. It must
// not know any pass, source language or machine.
//
// # Structure
//
//   - A function has a name and at least one block. Block names are unique and
//     not empty; blocks and values know the function and block they are in, and a
//     value stands in one place.
//   - A block ends with exactly one terminator: jmp with one target, br with
//     two, ret with none. Preds and Succs hold the same edges, each as often as
//     it exists. Every block can be reached from the entry.
//   - The entry has no predecessors and no phis. Phis come first in a block and
//     have one operand per predecessor.
//   - Parameters are of a type other than void, named uniquely, and param does
//     not occur in blocks. IDs are unique and below NumIDs.
//
// # SSA
//
//   - Every operand is a value of this function that has a result, or the call of a
//     result operation.
//   - A definition dominates its uses. An operand of a phi must be defined at
//     the end of the predecessor it belongs to.
//
// # Types
//
//   - Lanes of a vector are a power of two, at most MaxLanes.
//   - Operations with an effect only (stores, checks, iter, terminators) have
//     no result, all others have one. The number of operands is that of the
//     operation table, and types follow its vir.Rule.
//   - A constant has one entry or one per lane; entries fit the element; the only
//     constant pointer is nil.
//   - Imm of extract, insert, subvec and result, and the lanes of a shuffle, stay inside the
//     vector. Fields that an
//     operation does not use are zero: the text form would lose them.
//   - bitcast may read an address as i64, but makes no pointers.
//   - The operands of ret are the results of the function.
//
// # Memory
//
//   - Operands are [stored value], base, [index], [room], [mask]. The base is a ptr, the
//     index and the room of load.expand an i64, all scalar; Scale is 0 exactly when there is no index. The index
//     of gather and scatter is a vector of i32 or i64 with the lanes of what they move.
//   - load and store move a scalar, the other forms a vector. Bools and masks
//     have no memory form, and pointers are never stored.
//   - The mask of a memory operation or check has the lanes of what it moves or
//     checks; for a scalar it is a bool.
//
// # Routines
//
//   - A local routine has one block, and neither calls, checks nor iter. No parameter and
//     no result is a mask: how wide its lanes are in a register is each function's own affair.
//   - A call is of a local routine, with operands of the types of its parameters. A result
//     operation stands in the block of its call, whose routine has that result.
//
// # Parameter facts
//
//   - Only pointers have facts. The length is an i64 parameter of the function
//     or a constant, not both, and needs a known element size.
//   - The content of a parameter is that of all elements, and immutable.
//   - Copied memory is immutable.
//   - Nothing is stored through an immutable pointer (or ptradd of it).
//
// # Not checked
//
//   - That poison stays in inactive lanes; the interpreter shows it.
//   - That accesses stay inside the memory that facts describe.
//   - The shape of a plan.Region and the calling convention of a plan.Kernel.
//   - That names survive printing, source positions, and which values are
//     checked by check.* before their use.
package verify

import (
	"fmt"
	"strings"

	"github.com/lanewise/lanewise/vir"
)

// MaxLanes is the largest number of lanes of a vector.
const MaxLanes = 1024

// A Problem is one violation of the rules in the package documentation.
type Problem struct {
	Func  string  // without the @
	Block string  // empty for a problem of the whole function
	Inst  string  // text of the instruction; empty for a problem of the block
	Pos   vir.Pos // source position, if known
	Msg   string
}

// String is [file:line:col: ]@func: block: instruction: message.
func (p Problem) String() string {
	var sb strings.Builder
	if p.Pos.IsValid() {
		fmt.Fprintf(&sb, "%s: ", p.Pos)
	}
	fmt.Fprintf(&sb, "@%s: ", p.Func)
	if p.Block != "" {
		fmt.Fprintf(&sb, "%s: ", p.Block)
	}
	if p.Inst != "" {
		fmt.Fprintf(&sb, "%s: ", p.Inst)
	}
	sb.WriteString(p.Msg)
	return sb.String()
}

// Errors are all problems of a function, in program order per kind of check.
type Errors []Problem

// Error holds one line per problem.
func (es Errors) Error() string {
	s := make([]string, len(es))
	for i, p := range es {
		s[i] = p.String()
	}
	return strings.Join(s, "\n")
}

// Func checks f. The error is nil or of type Errors.
func Func(f *vir.Func) error {
	c := &checker{f: f, where: make(map[*vir.Value]place, f.NumIDs())}
	c.function()
	c.index()
	c.params()
	c.routine()
	for _, b := range f.Blocks {
		c.block(b)
	}
	c.ssa()
	for _, b := range f.Blocks {
		for _, v := range b.Insts {
			if v != nil {
				c.value(v)
			}
		}
	}
	if len(c.errs) == 0 {
		return nil
	}
	return c.errs
}

// place is where a value stands: its block (nil for parameters) and position.
type place struct {
	block *vir.Block
	index int
}

type checker struct {
	f     *vir.Func
	where map[*vir.Value]place
	errs  Errors
}

// trace, if set by a test, sees the format of every message reported.
var trace func(format string)

func (c *checker) add(p Problem, format string, args []any) {
	if trace != nil {
		trace(format)
	}
	p.Func, p.Msg = c.f.Name, fmt.Sprintf(format, args...)
	c.errs = append(c.errs, p)
}

// funcf reports a problem of the function.
func (c *checker) funcf(format string, args ...any) {
	c.add(Problem{Pos: c.f.Pos}, format, args)
}

// blockf reports a problem of a block.
func (c *checker) blockf(b *vir.Block, format string, args ...any) {
	p := Problem{Block: b.Name}
	if len(b.Insts) > 0 && b.Insts[0] != nil {
		p.Pos = b.Insts[0].Pos
	}
	c.add(p, format, args)
}

// valuef reports a problem of a value in a block.
func (c *checker) valuef(v *vir.Value, format string, args ...any) {
	p := Problem{Inst: v.Inst(), Pos: v.Pos}
	if b := c.where[v].block; b != nil {
		p.Block = b.Name
	}
	c.add(p, format, args)
}
