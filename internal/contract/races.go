//go:build amd64 && unix

package contract

import (
	"bytes"
	"fmt"
	"reflect"
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// NoLostWrites is rule 3 for what other goroutines write: while the twin runs, one of
// them changes all bytes in and around the slices that the original leaves alone, all
// the time, and looks whether a change of its own is gone. In Go this is no data race.
func NoLostWrites(t *testing.T, all []Function) {
	if runtime.GOMAXPROCS(0) < 2 {
		t.Skip("needs two processors")
	}
	eachPair(t, all, func(t *testing.T, p *pair) {
		if p.Exclusive {
			t.Skip("may store what is there")
		}
		for i, n := range []int{37, 150, 333} {
			if n != p.longest(n) {
				break
			}
			l := p.usual(n, series{style: benign, stride: 1, start: i})
			if i == 2 {
				l.series.style = constant // conditions fail everywhere
			}
			l.shift = i
			if i > 0 && p.fit == 0 {
				l.number = func(int) int { return 2 }
			}
			if f := p.findForeign(l); f != nil {
				if text := p.race(p.got, f, l, raceTime); text != "" {
					if p.race(p.want, f, l, 500*raceTime) != "" {
						continue // it stores there what it has loaded, as x[i] = x[i] does
					}
					t.Fatalf("%s\n%s", text, l.describe(p.arrange(memories[1], l)))
				}
				Count(t, "races", 1)
				Count(t, "bytes", len(f.bytes))
				if f.inside {
					Count(t, "races in "+p.Name, 1)
				}
			}
		}
	})
}

// foreign are the bytes of a layout that the original leaves alone whatever they hold.
type foreign struct {
	bytes  []int     // their offsets
	stored []segment // other bytes of the memories
	inside bool      // some lie between bytes that are stored
}

type segment struct{ from, to int }

// findForeign tries the original with several values in the bytes that it has left alone
// so far. Nil when it stores nothing, or other bytes with each of them.
func (p *pair) findForeign(l layout) *foreign {
	state := p.storedBytes(l)
	if state == nil {
		return nil
	}
	var text string
	for round := range 12 {
		w, g := p.arrange(memories[0], l), p.arrange(memories[1], l)
		for off, st := range state {
			if st == leftAlone {
				b := foreignByte(off, round)
				w.mem.mem[off], g.mem.mem[off] = b, b
			}
		}
		o := call(p.want, w.args)
		if round == 0 {
			text = o.text
		}
		if o.faulted || o.text != text {
			return nil
		}
		if state.stores(w, g) && round > 5 {
			return nil // what it stores depends on these bytes
		}
	}
	return state.sorted(p.arrange(memories[0], l))
}

// foreignByte is what a byte holds while it is tried: anything, positive numbers, and
// the same in all of them, as when another goroutine writes them.
func foreignByte(off, round int) byte {
	b := byte(mixed(uint64(off*16 + round)))
	switch round % 3 {
	case 0:
		return [...]byte{1, 0xff, 0x7f, 0x80}[round/3]
	case 1:
		return b & 0x3f
	}
	return b
}

// A byteState says what the original does to bytes by their offset.
type byteState map[int]byte

const (
	leftAlone byte = iota + 1
	written
)

// storedBytes finds the memories that the original stores to for some values, and what
// it stores for those of the layout.
func (p *pair) storedBytes(l layout) byteState {
	usual := l
	usual.series.style = benign
	w, g := p.arrange(memories[0], usual), p.arrange(memories[1], usual)
	if o := call(p.want, w.args); o.faulted {
		return nil
	}
	state := byteState{}
	for _, r := range w.regions {
		if bytes.Equal(w.mem.mem[r.off:][:r.size()], g.mem.mem[r.off:][:r.size()]) || holdsBool(r.elem) {
			continue
		}
		from, to := around(r.off, r.size())
		for off := from; off < to; off++ {
			state[off] = leftAlone
		}
	}
	w, g = p.arrange(memories[0], l), p.arrange(memories[1], l)
	if o := call(p.want, w.args); o.faulted || len(state) == 0 {
		return nil
	}
	state.stores(w, g)
	return state
}

// stores marks what a call on w has changed, g being as it was before: all bytes of each
// number that is not the same. It reports whether there is anything new.
func (s byteState) stores(w, g arguments) (more bool) {
	mark := func(off, size int) {
		if !bytes.Equal(w.mem.mem[off:][:size], g.mem.mem[off:][:size]) {
			for i := off; i < off+size; i++ {
				more = more || s[i] == leftAlone
				s[i] = written
			}
		}
	}
	for _, r := range w.regions {
		if s[r.off] == 0 {
			continue
		}
		from, to := around(r.off, r.size())
		for off := from; off < to; off++ {
			if off < r.off || off >= r.off+r.size() {
				mark(off, 1)
			}
		}
		for i := range r.count {
			eachNumber(r.elem, r.off+i*int(r.elem.Size()), mark)
		}
	}
	return more
}

// eachNumber calls f with the place and the size of all numbers of an element.
func eachNumber(t reflect.Type, off int, f func(off, size int)) {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			eachNumber(t.Field(i).Type, off+int(t.Field(i).Offset), f)
		}
	case reflect.Array:
		for i := range t.Len() {
			eachNumber(t.Elem(), off+i*int(t.Elem().Size()), f)
		}
	default:
		f(off, int(t.Size()))
	}
}

func (s byteState) sorted(a arguments) *foreign {
	f := &foreign{}
	for _, r := range a.regions {
		from, to := around(r.off, r.size())
		for off := from; off < to; off++ {
			switch s[off] {
			case leftAlone:
				f.bytes = append(f.bytes, off)
				f.inside = f.inside || r.off <= off && off < r.off+r.size()
			case written:
				if k := len(f.stored) - 1; k >= 0 && f.stored[k].to == off {
					f.stored[k].to++
				} else {
					f.stored = append(f.stored, segment{off, off + 1})
				}
			}
		}
	}
	return f
}

// raceTime is how long twin and writer run beside each other. A store of what was loaded
// a moment ago is found within a tenth of it.
const raceTime = 6 * time.Millisecond

// race runs one side beside the writer, until something got lost, and says what.
func (p *pair) race(side reflect.Value, f *foreign, l layout, d time.Duration) string {
	a := p.arrange(memories[1], l)
	mem := a.mem.mem
	var stop, found atomic.Bool
	started, lost := make(chan bool), make(chan string)
	go func() {
		started <- true
		text := ""
		for v := byte(1); !stop.Load(); v++ {
			for _, off := range f.bytes {
				mem[off] = v
			}
			for _, off := range f.bytes {
				if mem[off] != v {
					text = fmt.Sprintf("%s: a store replaced %#02x by %#02x", a.locateOffset(off), v, mem[off])
					found.Store(true)
				}
			}
		}
		lost <- text
	}()
	<-started
	var before [][]byte
	for _, s := range f.stored {
		before = append(before, append([]byte(nil), mem[s.from:s.to]...))
	}
	for end := time.Now().Add(d); !found.Load() && time.Now().Before(end); {
		for range 8 {
			call(side, a.args)
			for i, s := range f.stored {
				copy(mem[s.from:s.to], before[i])
			}
		}
	}
	stop.Store(true)
	return <-lost
}

func holdsBool(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Bool:
		return true
	case reflect.Array:
		return holdsBool(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if holdsBool(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}
