package outline

import "github.com/lanewise/lanewise/vir"

// saved is by how much code becomes smaller for every member that shares f, as estimated.
func (g *group) saved(f *vir.Func, opt Options) []int {
	bytes := make([]int, len(g.members))
	if opt.Measure == nil {
		return bytes
	}
	for i, m := range g.members {
		if code, err := opt.Measure([]*vir.Func{m.kernel.Fn}); err == nil && len(code) == 1 {
			bytes[i] = code[0].Bytes
		}
	}
	return bytes
}
