package loops

//vec:func Reverse
func reverse(dst, src []int32) {
	for i := range src {
		dst[i] = src[len(src)-1-i]
	}
}

//vec:func Evens
func evens(dst, src []int16) {
	for i := 0; 2*i+1 < len(src); i++ {
		dst[i] = src[2*i]
	}
}

//vec:func Deal
func deal(left, right, both []float32) {
	for i := 0; 2*i+1 < len(both); i++ {
		left[i] = both[2*i]
		right[i] = both[2*i+1]
	}
}

//vec:func Join
func join(both, left, right []uint8) {
	for i := 0; 2*i+1 < len(both); i++ {
		both[2*i] = left[i]
		both[2*i+1] = right[i]
	}
}

type rgb struct{ r, g, b uint8 }

//vec:func Gray
func gray(dst []uint8, src []rgb) {
	for i, p := range src {
		dst[i] = uint8((77*uint16(p.r) + 150*uint16(p.g) + 29*uint16(p.b)) >> 8)
	}
}

type particle struct {
	x, y, z float32
	id      int32
}

// move leaves the member id alone.
//
//vec:func Move
func move(ps []particle, dx, dy, dz float32) {
	for i := range ps {
		p := &ps[i]
		p.x += dx
		p.y += dy
		p.z += dz
	}
}

//vec:func Lift
func lift(ps []particle, dz float32) {
	for i := range ps {
		ps[i].z += dz
	}
}

type sample struct {
	key    uint16
	weight float32
	tag    uint8
}

// weigh reads and writes around the padding of its structs.
//
//vec:func Weigh
func weigh(ss []sample) {
	for i := range ss {
		ss[i].weight = ss[i].weight*0.7 + float32(ss[i].key)
	}
}

//vec:func Gather
func gather(dst, src []float32, idx []int32) {
	for i, j := range idx {
		dst[i] = src[j]
	}
}

//vec:func GatherBytes
func gatherBytes(dst, src []uint8, idx []uint16) {
	for i, j := range idx {
		dst[i] = src[j] + 1
	}
}

//vec:func Scatter
func scatter(dst, src []int32, idx []int32) {
	for i, j := range idx {
		dst[j] = src[i] * 3
	}
}

//vec:func Table
func table(dst, src []uint8, t *[256]uint8) {
	for i, v := range src {
		dst[i] = t[v]
	}
}

//vec:func Ahead
func ahead(x []int32) {
	for i := 0; i+1 < len(x); i++ {
		x[i] = x[i+1] + 1
	}
}

//vec:func Behind
func behind(x []uint16) {
	for i := 8; i < len(x); i++ {
		x[i] += x[i-8]
	}
}

//vec:func Stencil
func stencil(dst, src []float32) {
	for i := 1; i+1 < len(src); i++ {
		dst[i] = 0.25*src[i-1] + 0.5*src[i] + 0.25*src[i+1]
	}
}

//vec:func TwoOutputs
func twoOutputs(a []int32, b []int16, x []int16) {
	for i, v := range x {
		a[i] = int32(v) * 5
		b[i] = -v
	}
}

//vec:func Swap
func swap(x, y []int64) {
	for i := range x {
		x[i], y[i] = y[i], x[i]
	}
}

//vec:func FromPointer
func fromPointer(dst []int32, p *int32) {
	for i := range dst {
		dst[i] += *p
	}
}

//vec:func CopyDoubles
func copyDoubles(dst, src []float64) {
	for i := range src {
		dst[i] = src[i]
	}
}

// distributed carries one chain beside work that is independent.
//
//vec:func Distributed
func distributed(a, b, x []int32) {
	for i := 1; i < len(x); i++ {
		a[i] = (x[i]*x[i]+7)*x[i] - x[i]>>3
		b[i] = b[i-1] + x[i]
	}
}

//vec:func Unrolled
func unrolled(dst, src []uint32) {
	for i := 0; i+3 < len(src); i += 4 {
		dst[i] = src[i] ^ 0x55
		dst[i+1] = src[i+1] ^ 0x55
		dst[i+2] = src[i+2] ^ 0x55
		dst[i+3] = src[i+3] ^ 0x55
	}
}
