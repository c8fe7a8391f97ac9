package vectest

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/interp"
)

// A header is a pointer that the region loads from an element of a parameter, with the
// length of the slice that it belongs to, as in x[i][j].
type header struct {
	disp   int64
	length bool     // an int64 behind the pointer
	elem   vir.Elem // of what it points to
}

// headersOf are the pointers in the elements of p.
func (g *generator) headersOf(p *vir.Value) (hs []header) {
	for v := range g.r.Fn.Values {
		if v.Op != vir.OpLoad || v.Type.Elem != vir.Ptr || v.Base() != p {
			continue
		}
		if !slices.ContainsFunc(hs, func(h header) bool { return h.disp == v.Disp }) {
			hs = append(hs, header{v.Disp, false, vir.I8})
		}
	}
	for i, h := range hs {
		for v := range g.r.Fn.Values {
			if v.Op == vir.OpLoad && v.Base() == p && v.Type.Elem == vir.I64 && v.Disp == h.disp+8 {
				hs[i].length = true
			}
			if !v.Op.IsLoad() && !v.Op.IsStore() {
				continue
			}
			if b := v.Base(); b.Op == vir.OpLoad && b.Base() == p && b.Disp == h.disp {
				hs[i].elem = v.Access().Elem
			}
		}
	}
	return hs
}

// rows is memory of so many bytes with headers in each of its elements. Some rows lie in the memory of
// others, some are short.
func (g *generator) rows(mem *interp.Memory, name string, size, elem int, hs []header) *interp.Object {
	o := mem.Alloc(name, make([]byte, size))
	share := g.IntN(3) == 0
	for _, h := range hs {
		var last *interp.Object
		for at := int(h.disp); at+8 <= size; at += max(elem, 8) {
			n := g.length(g.size)
			row := last
			off := 0
			if row == nil || !share || g.IntN(2) == 0 {
				row = mem.Alloc(fmt.Sprintf("%s.%s.%d", name, h.elem, at), fill(h.elem, max(n*h.elem.Size(), 8), g.drawer(h.elem)))
			} else {
				off = g.IntN(len(row.Data)/h.elem.Size()) * h.elem.Size()
				n = (len(row.Data) - off) / h.elem.Size()
			}
			last = row
			binary.LittleEndian.PutUint64(o.Data[at:], row.Addr+uint64(off))
			if h.length && at+16 <= size {
				binary.LittleEndian.PutUint64(o.Data[at+8:], uint64(n))
			}
		}
	}
	return o
}

// fill draws elements for so many bytes.
func fill(e vir.Elem, size int, draw func() uint64) []byte {
	b := make([]byte, 0, size+8)
	for len(b) < size {
		b = binary.LittleEndian.AppendUint64(b, draw())[:len(b)+e.Size()]
	}
	return b[:size]
}
