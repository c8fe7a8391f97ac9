package textlib

import (
	"go/ast"
	"go/token"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

var predicates = map[string][2]func(rune) bool{
	"IsControl": {IsControl, unicode.IsControl}, "IsDigit": {IsDigit, unicode.IsDigit}, "IsGraphic": {IsGraphic, unicode.IsGraphic},
	"IsLetter": {IsLetter, unicode.IsLetter}, "IsLower": {IsLower, unicode.IsLower}, "IsNumber": {IsNumber, unicode.IsNumber},
	"IsPrint": {IsPrint, unicode.IsPrint}, "IsPunct": {IsPunct, unicode.IsPunct}, "IsSpace": {IsSpace, unicode.IsSpace},
	"IsSymbol": {IsSymbol, unicode.IsSymbol}, "IsUpper": {IsUpper, unicode.IsUpper}, "ValidRune": {ValidRune, utf8.ValidRune},
	"RuneStart": {func(r rune) bool { return RuneStart(byte(r)) }, func(r rune) bool { return utf8.RuneStart(byte(r)) }},
}

var conversions = map[string][2]func(rune) rune{
	"RuneLen": {func(r rune) rune { return rune(RuneLen(r)) }, func(r rune) rune { return rune(utf8.RuneLen(r)) }},
	"ToLower": {ToLower, unicode.ToLower}, "ToTitle": {ToTitle, unicode.ToTitle}, "ToUpper": {ToUpper, unicode.ToUpper},
}

// TestLikeOriginals compares runes, all of ASCII among them, and numbers that are none with what the functions are copies of, or
// finds them handed over.
func TestLikeOriginals(t *testing.T) {
	for r := rune(-3); r <= utf8.MaxRune+3; r++ {
		if r > 0x400 {
			r += 60
		}
		compareAt(t, r)
	}
	for _, r := range []rune{math.MinInt32, math.MaxInt32, math.MinInt32 + ' ', 0xd7ff, 0xd800, 0xdfff, 0xe000, utf8.MaxRune, utf8.MaxRune + 1} {
		compareAt(t, r)
	}
}

func compareAt(t *testing.T, r rune) {
	t.Helper()
	for name, f := range predicates {
		compare(t, name, r, f)
	}
	for name, f := range conversions {
		compare(t, name, r, f)
	}
}

func compare[T comparable](t *testing.T, name string, r rune, f [2]func(rune) T) {
	t.Helper()
	defer func() {
		if x := recover(); x != nil && (x != Rare{} || 0 <= r && r < utf8.RuneSelf) {
			t.Fatalf("%s(%#x): panic %v", name, r, x)
		}
	}()
	if have, want := f[0](r), f[1](r); have != want {
		t.Fatalf("%s(%#x) = %v, want %v", name, r, have, want)
	}
}

// TestSearches looks for bytes and runes, also such that are none, in texts, also such that are no UTF-8.
func TestSearches(t *testing.T) {
	for _, text := range []string{"", "a", "aeiou", " \t\r\n", "aebae", "äöü€😀ä", "a\xffb\xe2", "\xe2é\xc3", "\ufffd", "x\ufffdy\xff", "\xed\xa0\x80"} {
		for b := range 256 {
			if have, want := IndexByte(text, byte(b)), strings.IndexByte(text, byte(b)); have != want {
				t.Fatalf("IndexByte(%q, %#x) = %d, want %d", text, b, have, want)
			}
		}
		for _, r := range append([]rune(text), -1, 'b', 0, 0x80, 0xff, 0xe9, utf8.RuneError, 0xd800, 0xdfff, utf8.MaxRune, utf8.MaxRune+1, math.MinInt32, math.MinInt32+'a') {
			if have, want := IndexRune(text, r), strings.IndexRune(text, r); have != want {
				t.Fatalf("IndexRune(%q, %#x) = %d, want %d", text, r, have, want)
			}
			if have, want := ContainsRune(text, r), strings.ContainsRune(text, r); have != want {
				t.Fatalf("ContainsRune(%q, %#x) = %v, want %v", text, r, have, want)
			}
		}
	}
}

// searches are the functions that TestSearches compares.
var searches = []string{"IndexByte", "IndexRune", "ContainsRune"}

// TestAllCompared checks that every function of the package is, and that it covers those of package strings and no others.
func TestAllCompared(t *testing.T) {
	files, err := Parse(token.NewFileSet())
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		for _, d := range file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || !fn.Name.IsExported() {
				continue
			}
			name := fn.Name.Name
			if _, ok := conversions[name]; !ok && predicates[name][0] == nil && !slices.Contains(searches, name) {
				t.Errorf("%s is not compared", name)
			}
			if Covers("strings", name) != slices.Contains(searches, name) {
				t.Errorf("%s is not to be taken for a function of the other package", name)
			}
		}
	}
}
