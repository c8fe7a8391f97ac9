package textlib

// constant says that the text has to be one, whose runes become constants: the functions of package strings are faster in others.
// The frontend refuses these.
func constant(text string) {}

func IndexByte(s string, c byte) int {
	constant(s)
	for i, b := range []byte(s) {
		if b == c {
			return i
		}
	}
	return -1
}

// IndexRune finds utf8.RuneError where something is no UTF-8, as the original does, and nothing for what is no rune.
func IndexRune(s string, r rune) int {
	constant(s)
	for i, c := range s {
		if c == r {
			return i
		}
	}
	return -1
}

func ContainsRune(s string, r rune) bool {
	constant(s)
	for _, c := range s {
		if c == r {
			return true
		}
	}
	return false
}
