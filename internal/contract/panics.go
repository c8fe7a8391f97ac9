//go:build amd64 && unix

package contract

import (
	"encoding/binary"
	"math"
	"reflect"
	"strings"
	"testing"
)

// Kinds of panics, by a part of their text. What the user panics with is no
// runtime.Error.
var panicKinds = []struct{ name, text string }{
	{"index", "index out of range"},
	{"bounds", "slice bounds out of range"},
	{"nil", "nil pointer dereference"},
	{"divide", "integer divide by zero"},
	{"shift", "negative shift amount"},
	{"array", "cannot convert slice with length"},
	{"runtime", "runtime."},
}

func kindOf(text string) string {
	if text == "" {
		return ""
	}
	for _, k := range panicKinds {
		if strings.Contains(text, k.text) {
			return k.name
		}
	}
	return "explicit"
}

// iterations are how many places panics are tried at.
const iterations = 101

// A cause makes iteration k panic in some functions: one argument is shorter or nil,
// or an element of it is not what it should be.
type cause struct {
	leaf  int
	apply func(l *layout, leaf, k int)
}

// SamePanics is rule 2: whatever iteration panics, and however, the value is the same,
// and exactly what comes before it has been stored. Each function is called with a
// cause in every place; every kind of panic that there is must come up in all
// iterations from 0 to 100, in functions that have a kernel.
func SamePanics(t *testing.T, all []Function) {
	seen := map[string]*[iterations]bool{}
	eachPair(t, all, func(t *testing.T, p *pair) {
		mine := p.panics(t)
		for kind, at := range mine {
			if seen[kind] == nil {
				seen[kind] = new([iterations]bool)
			}
			for k, yes := range at {
				seen[kind][k] = seen[kind][k] || yes
			}
		}
	})
	for _, kind := range []string{"index", "bounds", "nil", "divide", "shift", "array", "explicit"} {
		at := seen[kind]
		if at == nil {
			t.Errorf("no panic of kind %s", kind)
			continue
		}
		for k, yes := range at {
			if !yes {
				t.Errorf("no panic of kind %s at %d", kind, k)
			}
		}
		Count(t, "kind "+kind+": iterations", iterations)
	}
}

// panics tries all causes in all places and says which kinds of panics came up where.
func (p *pair) panics(t *testing.T) map[string]*[iterations]bool {
	seen := map[string]*[iterations]bool{}
	var n tally
	for k := range iterations {
		for _, more := range []int{1, 9, 40} {
			for _, c := range p.causes() {
				l := layout{n: k + more, row: 37, series: series{style: benign, stride: 1, start: k % 7}}
				c.apply(&l, c.leaf, k)
				if p.Approx {
					l.slack = 0 // rows may reach into it, and sums of what is there round
				}
				o, ok := p.compare(t, l, &n)
				if kind := kindOf(o.text); ok && kind != "" {
					if seen[kind] == nil {
						seen[kind] = new([iterations]bool)
					}
					seen[kind][k] = true
					Count(t, kind, 1)
				}
			}
		}
	}
	Count(t, "calls", n.calls)
	return seen
}

func (p *pair) causes() (cs []cause) {
	for leaf := range min(p.shape.leaves, 5) {
		cs = append(cs, cause{leaf, shorter})
		for _, x := range []float64{0, -1, 1e6, 1 << 31} {
			cs = append(cs, cause{leaf, func(l *layout, leaf, k int) { odd(l, leaf, k, x) }})
		}
		cs = append(cs, cause{leaf, absent})
	}
	if p.shape.sites > 0 {
		cs = append(cs, cause{-1, func(l *layout, _, k int) { l.number = func(int) int { return k } }})
		cs = append(cs, cause{-1, func(l *layout, _, k int) { l.number = func(int) int { return -1 } }})
	}
	return cs
}

// shorter makes a slice end where iteration k wants an element.
func shorter(l *layout, leaf, k int) {
	n, usual := l.n, l.length
	l.length = func(i int) int {
		if i == leaf {
			return k
		}
		if usual != nil {
			return usual(i)
		}
		return n
	}
	l.slack = n - k // an element beyond the length, but not the capacity
	l.shift = k % 16
}

// odd makes element k of a slice one of a kind.
func odd(l *layout, leaf, k int, x float64) {
	l.change = func(i int, elem reflect.Type, mem []byte, n int) {
		if i == leaf && k < n {
			size := int(elem.Size())
			putNumber(elem, mem[k*size:][:size], x)
		}
	}
	l.number = func(int) int { return 100 }
}

// absent makes an argument nil, and element k of all others odd: loops reach for it
// only then.
func absent(l *layout, leaf, k int) {
	l.none = func(i int) bool { return i == leaf }
	l.change = func(i int, elem reflect.Type, mem []byte, n int) {
		if k < n {
			size := int(elem.Size())
			putNumber(elem, mem[k*size:][:size], 1e6)
		}
	}
}

// putNumber writes x into all numbers of an element.
func putNumber(t reflect.Type, p []byte, x float64) {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			putNumber(t.Field(i).Type, p[t.Field(i).Offset:], x)
		}
	case reflect.Array:
		for i := range t.Len() {
			putNumber(t.Elem(), p[i*int(t.Elem().Size()):], x)
		}
	case reflect.Float32:
		binary.LittleEndian.PutUint32(p, math.Float32bits(float32(x)))
	case reflect.Float64:
		binary.LittleEndian.PutUint64(p, math.Float64bits(x))
	case reflect.Complex64, reflect.Complex128, reflect.Bool:
	default:
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], uint64(int64(x)))
		copy(p[:t.Size()], b[:])
	}
}
