package interp

import (
	"fmt"
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// Addresses are made up: the first object starts at firstAddr, and between two
// objects lies at least gap, which belongs to nobody.
const (
	firstAddr = 1 << 20
	gap       = 1 << 16
)

// A Memory is a set of objects at flat addresses. An access must lie inside one
// object. Slices that overlap are pointers into the same object.
type Memory struct {
	objects []*Object // by address
	next    uint64
}

// An Object is a piece of memory.
type Object struct {
	Name     string
	Addr     uint64 // of the first byte
	Data     []byte
	ReadOnly bool // stores are faults
}

// Alloc adds an object that holds data; the interpreter writes to it in place.
// The address is a multiple of 64.
func (m *Memory) Alloc(name string, data []byte) *Object {
	o := &Object{Name: name, Addr: max(m.next, firstAddr), Data: data}
	end := o.Addr + uint64(len(data))
	m.next = (end + gap + 63) &^ 63
	m.objects = append(m.objects, o)
	return o
}

// AllocReadOnly adds an object that may not be stored to.
func (m *Memory) AllocReadOnly(name string, data []byte) *Object {
	o := m.Alloc(name, data)
	o.ReadOnly = true
	return o
}

// Objects are the objects in order of allocation.
func (m *Memory) Objects() []*Object { return slices.Clone(m.objects) }

// Object finds an object by name; nil when there is none.
func (m *Memory) Object(name string) *Object {
	for _, o := range m.objects {
		if o.Name == name {
			return o
		}
	}
	return nil
}

// Clone is a copy with the same addresses and copied contents.
func (m *Memory) Clone() *Memory {
	c := &Memory{next: m.next}
	for _, o := range m.objects {
		p := *o
		p.Data = slices.Clone(o.Data)
		c.objects = append(c.objects, &p)
	}
	return c
}

// Ptr is a pointer to byte off of the object.
func (o *Object) Ptr(off int64) Value { return Ptr(o.Addr + uint64(off)) }

// A Fault is an access outside of all objects, or a store to read-only memory.
type Fault struct {
	Addr   uint64
	Size   int
	Write  bool
	Lane   int    // of a vector access
	Reason string // such as "3 bytes past x"
	Inst   string
	Pos    vir.Pos
}

func (f Fault) Error() string {
	verb := "load"
	if f.Write {
		verb = "store"
	}
	return fmt.Sprintf("memory fault: %s of %d bytes at %#x (%s), lane %d: %s", verb, f.Size, f.Addr, f.Reason, f.Lane, f.Inst)
}

// bytes finds the n bytes at addr, or says why they may not be accessed.
func (m *Memory) bytes(addr uint64, n int, write bool) (data []byte, reason string) {
	reason = "no object near"
	if addr < gap {
		reason = "nil"
	}
	for _, o := range m.objects {
		size := uint64(len(o.Data))
		off := addr - o.Addr
		switch {
		case off <= size && size-off >= uint64(n):
			if write && o.ReadOnly {
				return nil, o.Name + " is read-only"
			}
			return o.Data[off : off+uint64(n)], ""
		case off < size+gap/2:
			reason = fmt.Sprintf("%d bytes past %s", off+uint64(n)-size, o.Name)
		case -off < gap/2:
			reason = fmt.Sprintf("%d bytes before %s", -off, o.Name)
		}
	}
	return nil, reason
}
