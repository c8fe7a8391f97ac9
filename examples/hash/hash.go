// Package hash mixes the bits of integers with the finalizers of MurmurHash3, and those of
// texts with a polynomial.
package hash

//go:generate go tool lanewise -tests .

// mix32 is a bijection in which each bit of h changes about half of the bits of
// the result.
func mix32(h uint32) uint32 {
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	h ^= h >> 16
	return h
}

// mix64 is mix32 for 64 bits. AVX2 has no 64-bit multiplication; it is composed
// of 32-bit ones.
func mix64(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	h ^= h >> 33
	return h
}

// hash32 replaces the keys by their hashes.
//
//vec:func Hash32
func hash32(keys []uint32, seed uint32) {
	for i, k := range keys {
		keys[i] = mix32(k ^ seed)
	}
}

// hash64 replaces the keys by their hashes.
//
//vec:func Hash64
func hash64(keys []uint64, seed uint64) {
	for i, k := range keys {
		keys[i] = mix64(k ^ seed)
	}
}

// polynomial is the hash that Java gives its strings, of bytes: one item after the
// other into one variable, and still a sum, in which each item has its weight.
//
//vec:func Polynomial
func polynomial(text []byte) uint32 {
	var h uint32
	for _, c := range text {
		h = h*31 + uint32(c)
	}
	return h
}

// buckets are the hashes modulo the number of buckets, m.
//
//vec:func Buckets
func buckets(dst, h []uint64, m uint64) {
	for i, v := range h {
		dst[i] = v % m
	}
}
