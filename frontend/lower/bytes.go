package lower

import (
	"go/ast"
	"go/types"

	"github.com/lanewise/lanewise/vir"
)

// maxCopy is the largest number of values that a copy of known length moves.
const maxCopy = 16

// copySmall is copy(dst, src) of slices whose lengths are known: all is read
// before anything is written.
func (l *lowerer) copySmall(e *ast.CallExpr) *vir.Value {
	dst, ok := l.viewOf(e.Args[0])
	src, ok2 := view{}, false
	if ok {
		src, ok2 = l.viewOf(e.Args[1])
	}
	if !ok || !ok2 {
		l.refuse(e, "Call", "call of copy")
	}
	d, s := l.closed(dst), l.closed(src)
	n, ok := d.len.ConstInt()
	k, ok2 := s.len.ConstInt()
	n = min(n, k)
	ls, ok3 := leaves(d.elem)
	if !ok || !ok2 || !ok3 || n*int64(len(ls)) > maxCopy {
		l.refuse(e, "Call", "call of copy")
	}
	var vals [][]*vir.Value
	for i := range n {
		p := l.viewElement(s, l.int64(i))
		vals = append(vals, l.load(e, p))
	}
	for i, v := range vals {
		p := l.viewElement(d, l.int64(int64(i)))
		p.typ = d.elem
		l.store(e, p, v)
	}
	return l.int64(n)
}

// byteOrder is a method of binary.LittleEndian or BigEndian that reads or writes
// a number of so many bytes, which gc does with one access, too.
func byteOrder(fn *types.Func) (size int64, big, put, ok bool) {
	if big, ok = endian(fn); !ok {
		return 0, false, false, false
	}
	switch fn.Name() {
	case "Uint16", "PutUint16":
		size = 2
	case "Uint32", "PutUint32":
		size = 4
	case "Uint64", "PutUint64":
		size = 8
	}
	return size, big, fn.Name()[0] == 'P', size > 0
}

// endian reports whether fn is a method of binary.LittleEndian or BigEndian, and of which.
func endian(fn *types.Func) (big, ok bool) {
	recv := fn.Signature().Recv()
	if recv == nil || fn.Pkg() == nil || fn.Pkg().Path() != "encoding/binary" {
		return false, false
	}
	named, isNamed := types.Unalias(recv.Type()).(*types.Named)
	if !isNamed {
		return false, false
	}
	name := named.Obj().Name()
	return name == "bigEndian", name == "bigEndian" || name == "littleEndian"
}

// byteOrderCall reads or writes a number at the start of a slice of bytes, after
// one check of its last byte.
func (l *lowerer) byteOrderCall(e *ast.CallExpr, size int64, big, put bool) [][]*vir.Value {
	v, ok := l.viewOf(e.Args[0])
	if !ok {
		l.refuseVarying(e.Args[0])
		l.refuse(e, "Slice", "the bytes are not the same slice in every iteration")
	}
	t := vir.Scalar(vir.IntElem(int(size)))
	var x *vir.Value
	if put {
		x = l.scalarAs(e.Args[1], l.typeOf(e.Fun).(*types.Signature).Params().At(1).Type())
	}
	l.mark(e)
	last := l.viewElement(v, l.int64(size-1))
	l.check(&last)
	at := l.viewElement(v, l.int64(0)).at(0)
	if put {
		if big {
			x = l.b.Same(vir.OpBswap, x)
		}
		l.storeScalar(x, at)
		return nil
	}
	x = l.loadScalar(at, t)
	if big {
		x = l.b.Same(vir.OpBswap, x)
	}
	return [][]*vir.Value{{x}}
}
