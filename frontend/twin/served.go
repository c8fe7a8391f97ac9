package twin

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lanewise/lanewise/frontend"
	"github.com/lanewise/lanewise/vir"
)

// Several regions may have the same kernel. Then its stub has types that serve all of
// them, which convert what they pass and get.

// findSharers notes which regions have one kernel, in the order of the package.
func (f *file) findSharers() {
	f.sharers = make(map[*vir.Func][]*frontend.Region)
	for _, t := range twins(f.pkg) {
		for _, r := range f.vectorized(t) {
			fn := f.kernels[r].Fn
			f.sharers[fn] = append(f.sharers[fn], r)
		}
	}
}

// Served says what code of the user a kernel stands for that regions share, one or
// several of which are called as given:
//
//	a loop of add
//	a loop of AddInt8 and AddUint8
//	2 loops of add
//
// It names the functions that the regions are of, or the twins where all are of one function.
func Served(rs []*frontend.Region, one, several string) string {
	var funcs, twins []string
	for _, r := range rs {
		funcs, twins = with(funcs, r.Func), with(twins, r.Twin)
	}
	if len(funcs) < len(twins) {
		funcs = twins
	}
	names := funcs[0]
	if n := len(funcs) - 1; n > 0 {
		names = strings.Join(funcs[:n], ", ") + " and " + funcs[n]
	}
	if len(rs) > len(funcs) {
		return fmt.Sprintf("%d %s of %s", len(rs), several, names)
	}
	return fmt.Sprintf("%s of %s", one, names)
}

// with is the list with s at the end, unless s is in it.
func with(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// wrappedComment is text as a comment, in lines that are not too long.
func wrappedComment(text string) string {
	return "// " + strings.ReplaceAll(fill(strings.Fields(text), "", 97), "\n", "\n// ") + "\n"
}
