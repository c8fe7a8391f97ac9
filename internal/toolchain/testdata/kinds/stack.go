package kinds

import "unsafe"

// OnStack calls twins and originals with arrays that lie on the stack, and itself with
// one level less; stacks grow meanwhile, and so move. It names a twin that does something
// else than its original, and tells how often arrays moved.
func OnStack(levels int) (different string, moved int) {
	var a, b, c [256]uint32
	here := uintptr(unsafe.Pointer(&a))
	for i := range a {
		a[i] = uint32(levels*7919 + i*i)
	}
	differs := onStack(&a, &b, &c, levels)
	if levels > 0 {
		different, moved = OnStack(levels - 1)
	}
	if b != c || differs {
		different = onStackNames[levels%len(onStackNames)]
	}
	if uintptr(unsafe.Pointer(&a)) != here {
		moved++
	}
	return different, moved
}

// onStackNames are what onStack calls, by level.
var onStackNames = [...]string{"HashAll", "Spin", "VecMat", "Steps", "Filter", "Translate", "KeyStream", "MatVec", "Chained", "Sum", "Rotate", "Smooth"}

// onStack runs the twin that a level has from a to b, and the original from a to c.
func onStack(a, b, c *[256]uint32, level int) (differs bool) {
	var state, state2 [4]uint32
	switch level % len(onStackNames) {
	case 0:
		HashAll(b[:], a[:], 9)
		hashAll(c[:], a[:], 9)
	case 1: // one to three calls of the kernel for the same lanes, which go on where they were
		rounds := 9000 + 500*level
		Spin(b[:19], a[:19], rounds)
		spin(c[:19], a[:19], rounds)
	case 2:
		VecMat(ints(b[:32]), ints(a[:7]), ints(a[:224]))
		vecMat(ints(c[:32]), ints(a[:7]), ints(a[:224]))
	case 3:
		for i := range a {
			a[i] = a[i]%999 + 1
		}
		Steps(b[:], a[:])
		steps(c[:], a[:])
	case 4:
		differs = Filter(ints(b[:]), ints(a[:]), 4000) != filter(ints(c[:]), ints(a[:]), 4000)
	case 5:
		Translate(bytes(b[:]), bytes(a[:]))
		translate(bytes(c[:]), bytes(a[:]))
	case 6: // a frame that has to be looked for room for
		KeyStream(blocks(b[:]), (*[8]uint32)(a[:]), 3)
		keyStream(blocks(c[:]), (*[8]uint32)(a[:]), 3)
	case 7:
		MatVec(ints(b[:3]), ints(a[:]), ints(a[:64]))
		matVec(ints(c[:3]), ints(a[:]), ints(a[:64]))
	case 8:
		Chained(&state, a[:], 50)
		chained(&state2, a[:], 50)
		differs = state != state2
	case 9:
		differs = Sum(ints(a[:])) != sum(ints(a[:]))
	case 10:
		for i := range a {
			a[i] = 0x40000000 // 2 and a little
		}
		Rotate(quads(b[:]), quads(a[:]), [4]float32{1, 2, 3, 4})
		rotate(quads(c[:]), quads(a[:]), [4]float32{1, 2, 3, 4})
	case 11:
		Smooth(ints(b[:]), ints(a[:]), 32, 8)
		smooth(ints(c[:]), ints(a[:]), 32, 8)
	}
	return differs
}

func ints(x []uint32) []int32 {
	return unsafe.Slice((*int32)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}

func bytes(x []uint32) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), 4*len(x))
}

func quads(x []uint32) [][4]float32 {
	return unsafe.Slice((*[4]float32)(unsafe.Pointer(unsafe.SliceData(x))), len(x)/4)
}

func blocks(x []uint32) [][16]uint32 {
	return unsafe.Slice((*[16]uint32)(unsafe.Pointer(unsafe.SliceData(x))), len(x)/16)
}
