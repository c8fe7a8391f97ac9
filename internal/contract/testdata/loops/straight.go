package loops

type vector struct{ x, y, z, w float64 }

//vec:func AddVectors require
func addVectors(a, b, c *vector) {
	a.x = b.x + c.x
	a.y = b.y + c.y
	a.z = b.z + c.z
	a.w = b.w + c.w
}

// scaleVector leaves w alone.
//
//vec:func ScaleVector require
func scaleVector(a *vector, k float64) {
	a.x *= k
	a.y *= k
	a.z *= k
}

//vec:func MulMatrix require
func mulMatrix(c, a, b *[16]float32) {
	for i := range 4 {
		for j := range 4 {
			c[4*i+j] = a[4*i]*b[j] + a[4*i+1]*b[4+j] + a[4*i+2]*b[8+j] + a[4*i+3]*b[12+j]
		}
	}
}

//vec:func Mix require
func mix(s *[8]uint32, k *[8]uint32) {
	s[0] += k[0] << 3
	s[1] += k[1] << 3
	s[2] += k[2] << 3
	s[3] += k[3] << 3
	s[4] += k[4] << 3
	s[5] += k[5] << 3
	s[6] += k[6] << 3
	s[7] += k[7] << 3
}

// firstBytes has room for less than a register of 16 bytes on both sides.
//
//vec:func FirstBytes require
func firstBytes(dst, src []uint8) {
	dst[0] = src[0] ^ 0x3c
	dst[1] = src[1] ^ 0x3c
	dst[2] = src[2] ^ 0x3c
	dst[3] = src[3] ^ 0x3c
	dst[4] = src[4] ^ 0x3c
	dst[5] = src[5] ^ 0x3c
	dst[6] = src[6] ^ 0x3c
	dst[7] = src[7] ^ 0x3c
}
