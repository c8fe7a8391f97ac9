package simplify_test

import (
	"strings"
	"testing"

	"github.com/lanewise/lanewise/vectorize/simplify"
	"github.com/lanewise/lanewise/vir/parse"
)

// A store of what the address holds already goes, whatever stands between it
// and the load except another store. It stays where other fields of the element are stored.
func TestStoreOfLoadedValueGoes(t *testing.T) {
	for _, tt := range []struct {
		name, body string
		stores     int
	}{
		{"same", "%v = load i32 [%x + %i*4]\nstore i32 %v, [%x + %i*4]", 0},
		{"folded", "%v = load i32 [%x + %i*4]\n%w = and i32 %v, %v\nstore i32 %w, [%x + %i*4]", 0},
		{"conditional", "%v = load i32 [%x + %i*4]\nstore i32 %v, [%x + %i*4] mask %c", 0},
		{"twice", "%v = load i32 [%x + %i*4]\nstore i32 %v, [%y + %i*4]\nstore i32 %v, [%y + %i*4]", 1},
		{"other address", "%v = load i32 [%x + %i*4]\nstore i32 %v, [%x + %i*4 + 4]", 1},
		{"other store between", "%v = load i32 [%x + %i*4]\nstore i32 %k, [%y + %i*4]\nstore i32 %v, [%x + %i*4]", 2},
		{"known under a mask only", "%v = load i32 [%x + %i*4] mask %c\nstore i32 %v, [%x + %i*4]", 1},
		{"one field of two", "%v = load i32 [%x + %i*8 + 4]\nstore i32 %k, [%x + %i*8]\nstore i32 %v, [%x + %i*8 + 4]", 2},
		{"the other one under a mask", "%v = load i32 [%x + %i*8 + 4]\nstore i32 %k, [%x + %i*8] mask %c\nstore i32 %v, [%x + %i*8 + 4]", 1},
		{"both under a mask", "%v = load i32 [%x + %i*8 + 4] mask %c\nstore i32 %k, [%x + %i*8] mask %c\nstore i32 %v, [%x + %i*8 + 4] mask %c", 2},
		{"the next element", "%v = load i32 [%x + %i*8]\nstore i32 %k, [%x + %i*8 + 8]\nstore i32 %v, [%x + %i*8]", 1},
	} {
		f, err := parse.Func("func @f(%x ptr, %y ptr, %i i64, %k i32, %c bool) () {\nentry:\n" + tt.body + "\nret\n}")
		if err != nil {
			t.Fatal(err)
		}
		simplify.Func(f, func() bool { return true })
		if n := strings.Count(f.String(), "store "); n != tt.stores {
			t.Errorf("%s: %d stores, want %d\n%s", tt.name, n, tt.stores, f)
		}
	}
}

// A load takes what was stored, also behind stores that are known to be to other bytes.
func TestLoadOfStoredValueGoes(t *testing.T) {
	for _, tt := range []struct {
		name, body string
		loads      int
	}{
		{"at once", "store i32 %k, [%x + %i*4]\n%v = load i32 [%x + %i*4]\nstore i32 %v, [%y + %i*4]", 0},
		{"behind a neighbour", "store i32 %k, [%x + %i*4]\nstore i32 %l, [%x + %i*4 + 4]\n%v = load i32 [%x + %i*4]\nstore i32 %v, [%y + %i*4]", 0},
		{"of both", "store i32 %k, [%x + %i*4]\nstore i32 %l, [%x + %i*4 + 4]\n%v = load i32 [%x + %i*4]\n%w = load i32 [%x + %i*4 + 4]\n%s = add i32 %v, %w\nstore i32 %s, [%y + %i*4]", 0},
		{"loaded before", "%v = load i32 [%x + %i*4]\nstore i32 %l, [%x + %i*4 + 4]\n%w = load i32 [%x + %i*4]\n%s = add i32 %v, %w\nstore i32 %s, [%y + %i*4]", 1},
		{"under a mask", "store i32 %k, [%x + %i*4] mask %c\nstore i32 %l, [%x + %i*4 + 4] mask %c\n%v = load i32 [%x + %i*4] mask %c\nstore i32 %v, [%y + %i*4] mask %c", 0},
		{"under a mask only", "store i32 %k, [%x + %i*4] mask %c\nstore i32 %l, [%x + %i*4 + 4]\n%v = load i32 [%x + %i*4]\nstore i32 %v, [%y + %i*4]", 1},
		{"behind the same bytes", "store i32 %k, [%x + %i*4]\nstore i32 %l, [%x + %i*4]\n%v = load i32 [%x + %i*4]\nstore i32 %v, [%y + %i*4]", 0},
		{"behind a part", "store i32 %k, [%x + %i*4]\nstore i16 %h, [%x + %i*4 + 2]\n%v = load i32 [%x + %i*4]\nstore i32 %v, [%y + %i*4]", 1},
		{"behind another slice", "store i32 %k, [%x + %i*4]\nstore i32 %l, [%y + %i*4 + 4]\n%v = load i32 [%x + %i*4]\nstore i32 %v, [%y + %i*4]", 1},
		{"behind another subscript", "store i32 %k, [%x + %i*4]\nstore i32 %l, [%x + %j*4]\n%v = load i32 [%x + %i*4]\nstore i32 %v, [%y + %i*4]", 1},
		{"behind lanes", "store i32 %k, [%x + %i*4]\n%z = broadcast i32x4 %l\nstore.unit i32x4 %z, [%x + %i*4 + 4]\n%v = load i32 [%x + %i*4]\nstore i32 %v, [%y + %i*4]", 1},
	} {
		f, err := parse.Func("func @f(%x ptr, %y ptr, %i i64, %j i64, %k i32, %l i32, %h i16, %c bool) () {\nentry:\n" + tt.body + "\nret\n}")
		if err != nil {
			t.Fatal(err)
		}
		simplify.Func(f, func() bool { return true })
		if n := strings.Count(f.String(), "load "); n != tt.loads {
			t.Errorf("%s: %d loads, want %d\n%s", tt.name, n, tt.loads, f)
		}
	}
}
