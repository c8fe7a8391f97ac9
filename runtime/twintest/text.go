package twintest

import "unicode/utf8"

// Strings. Most of the strings in programs are text; bytes of all kinds are hardly ever part of a rune.

// text makes text of half of what holds all kinds of bytes, and of all that is measured, and goes on with after.
func (s *source) text(mem []byte, after uint64) {
	switch {
	case s.style == timing:
		for i := range mem {
			mem[i] = " etaoinshrdlucmfwypvbgkjqxz"[s.rng.IntN(27)]
		}
	case s.style == wide && s.chance(50):
		s.runes(mem, pick(s, []int{0, 1, 5, 60}))
	}
	s.restart(after)
}

// runes fills mem with runes, of which so many percent have several bytes, and now and then a byte that is part of none.
func (s *source) runes(mem []byte, percent int) {
	for len(mem) > 0 {
		r := rune(s.rng.IntN(utf8.RuneSelf))
		if s.chance(percent) {
			r = rune(s.rng.IntN(pick(s, []int{0x800, 0x10000, utf8.MaxRune})))
		}
		n := utf8.RuneLen(r)
		if n < 0 || n > len(mem) { // a surrogate, or no room
			mem[0], n = byte(r), 1
		} else {
			utf8.EncodeRune(mem, r)
		}
		mem = mem[n:]
	}
}
