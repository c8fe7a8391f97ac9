package textlib

// A Rare rune is one that a vector does not do: the kernel stops before its iteration.
type Rare struct{}

// rare hands a rune of which is holds over to the function that is called. The frontend makes of it what leaves a kernel.
func rare(is bool) {
	if is {
		panic(Rare{})
	}
}

// within reports whether lo <= r && r <= hi.
func within(r, lo, hi rune) bool { return lo <= r && r <= hi }

// ascii hands other runes over.
func ascii(r rune) { rare(uint32(r) > 0x7f) }

func letter(r rune) bool { return within(r|0x20, 'a', 'z') }

func IsControl(r rune) bool { ascii(r); return r < ' ' || r == 0x7f }
func IsDigit(r rune) bool   { ascii(r); return within(r, '0', '9') }
func IsGraphic(r rune) bool { ascii(r); return within(r, ' ', '~') }
func IsLetter(r rune) bool  { ascii(r); return letter(r) }
func IsLower(r rune) bool   { ascii(r); return within(r, 'a', 'z') }
func IsNumber(r rune) bool  { ascii(r); return within(r, '0', '9') }
func IsPrint(r rune) bool   { ascii(r); return within(r, ' ', '~') }
func IsSpace(r rune) bool   { ascii(r); return r == ' ' || within(r, '\t', '\r') }
func IsUpper(r rune) bool   { ascii(r); return within(r, 'A', 'Z') }

// IsSymbol takes $ + < = > ^ ` | ~.
func IsSymbol(r rune) bool {
	ascii(r)
	return r == '$' || r == '+' || within(r, '<', '>') || r == '^' || r == '`' || r == '|' || r == '~'
}

// IsPunct takes what is printed and neither a letter, a digit, a space nor a symbol.
func IsPunct(r rune) bool {
	ascii(r)
	return within(r, '!', '~') && !letter(r) && !within(r, '0', '9') && !IsSymbol(r)
}

func ToLower(r rune) rune {
	ascii(r)
	if within(r, 'A', 'Z') {
		r += 'a' - 'A'
	}
	return r
}

func ToTitle(r rune) rune { return ToUpper(r) }

func ToUpper(r rune) rune {
	ascii(r)
	if within(r, 'a', 'z') {
		r -= 'a' - 'A'
	}
	return r
}

// RuneLen takes all runes: where others were handed over, what adds it would seem to go on by ones, and would not.
func RuneLen(r rune) int {
	n := 1
	if r > 0x7f {
		n++
	}
	if r > 0x7ff {
		n++
	}
	if r > 0xffff {
		n++
	}
	if !ValidRune(r) {
		n = -1
	}
	return n
}

func RuneStart(b byte) bool { return b&0xc0 != 0x80 }

func ValidRune(r rune) bool { return within(r, 0, 0xd800-1) || within(r, 0xdfff+1, 0x10ffff) }
