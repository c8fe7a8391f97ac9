package target

import "github.com/lanewise/lanewise/vir"

// A Piece is a run of bytes of a register that one instruction stores.
type Piece struct {
	Offset, Bytes int // Bytes is a power of two that divides Offset
}

// Cycles of stores of a part of a register, measured on Zen 5 in loops over arrays
// of structs: 3 lanes of 4 take 1.4 cycles in pieces, 6 of 8 take 2.1. The instruction under a
// mask takes 1 there and on Intel's cores, but Zen 2 to 4 do it in microcode, 15 to 30
// cycles on Zen 4: pieces, of which there are four at most, do no harm anywhere.
const (
	pieceWhole = 1.0  // 16 or 32 bytes
	pieceLow   = 0.6  // 8 bytes, or the lowest 4 of a half
	pieceUp    = 0.75 // others
	pieceSmall = 1.25 // 2 or 1 bytes
	upperHalf  = 0.3  // to get at the upper half, once
)

// partialStore is the cost of storing the active lanes of one register, each of so many
// bytes.
func partialStore(active []bool, width int) Cost {
	c := Cost{Latency: 1}
	high := false
	for _, p := range Pieces(active, width) {
		switch {
		case p.Bytes >= 16:
			c.Throughput += pieceWhole
		case p.Bytes <= 2:
			c.Throughput += pieceSmall
		case p.Offset%16 == 0, p.Bytes == 8:
			c.Throughput += pieceLow
		default:
			c.Throughput += pieceUp
		}
		high = high || p.Offset >= 16 && p.Bytes < 16
	}
	if high {
		c.Throughput += upperHalf
	}
	return c
}

// Pieces cuts the active lanes, each of so many bytes, into pieces, each as large as
// its place allows.
func Pieces(active []bool, width int) []Piece {
	var all []Piece
	n := len(active) * width
	on := func(b int) bool { return active[b/width] }
	for at := 0; at < n; {
		if !on(at) {
			at += width
			continue
		}
		end := at
		for end < n && on(end) {
			end += width
		}
		for at < end {
			size := 32
			for at%size != 0 || at+size > end {
				size /= 2
			}
			all = append(all, Piece{at, size})
			at += size
		}
	}
	return all
}

// ConstMask gives the lanes of v's mask if they are known; v is a load or store of
// successive lanes.
func ConstMask(v *vir.Value) (active []bool, ok bool) {
	if v.Op != vir.OpStoreUnit && v.Op != vir.OpLoadUnit || !v.Masked || v.Mask().Op != vir.OpConst {
		return nil, false
	}
	bits := v.Mask().Bits
	active = make([]bool, v.Access().Lanes)
	for i := range active {
		active[i] = bits[min(i, len(bits)-1)]&1 != 0
	}
	return active, true
}

// partial is the cost of load or store v under a constant mask.
func (t *Target) partial(v *vir.Value) (c Cost, ok bool) {
	active, ok := ConstMask(v)
	if !ok {
		return Cost{}, false
	}
	width := v.Access().Elem.Size()
	if v.Op.IsLoad() {
		c = t.Cost(v.Op, v.Type)
		if width < 4 {
			c.Throughput = 0.65 * float64(len(Pieces(active, width)))
		}
		return Cost{c.Throughput, c.Latency + 1}, true
	}
	n := min(len(active), t.VectorBytes/width)
	for first := 0; first < len(active); first += n {
		part := partialStore(active[first:first+n], width)
		c.Throughput += part.Throughput
		c.Latency = max(c.Latency, part.Latency)
	}
	return c, true
}
