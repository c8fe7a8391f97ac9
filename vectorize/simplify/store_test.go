package simplify_test

import (
	"strings"
	"testing"

	"github.com/lanewise/lanewise/vectorize/simplify"
	"github.com/lanewise/lanewise/vir/parse"
)

// A store of what the address holds already goes, whatever stands between it
// and the load except another store.
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
