package vectorize

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/vectorize/promote"
	"github.com/lanewise/lanewise/vectorize/simplify"
	"github.com/lanewise/lanewise/vir/plan"
	"github.com/lanewise/lanewise/vir/verify"
)

// inMemory reports whether a loop was refused for what its iterations store.
func inMemory(id string) bool { return strings.HasPrefix(id, "dep:") || id == "loopvec:UniformStore" }

// promoted tries a refused loop again with the elements in registers that its iterations
// store one after the other: *p += x[i]. The kernel is nil when there are none, or the
// loop is refused still; the remark, if any, says why.
func promoted(r *plan.Region, t *target.Target, opt Options) (*plan.Kernel, []diag.Remark) {
	l := promote.Split(r)
	if l == nil {
		return nil, nil
	}
	opt.bounds = slices.Concat(opt.bounds, l.Bounds)
	k, remarks := run(l.Region, t, opt)
	if between, more := jumping(l.Region, t, opt); better(between, more, k, remarks) {
		k, remarks = between, more
	}
	if k == nil {
		return nil, remarks
	}
	if k = l.Restore(k); k == nil {
		return nil, nil
	}
	simplify.Func(k.Fn, func() bool { return true })
	if opt.Verify {
		if err := verify.Func(k.Fn); err != nil {
			panic(fmt.Sprintf("promote: %v\n%s", err, k.Fn))
		}
	}
	opt.made("promote", r, t, k)
	return k, noted(remarks, r, "promote:Register", r.Pos, kept(l)+" in a register")
}

// kept says what is in registers.
func kept(l *promote.Loop) string {
	var all []string
	if len(l.Names) > 0 {
		all = append(all, fmt.Sprintf("what all iterations load and store in %s", distinct(l.Names)))
	}
	if len(l.Along) > 0 {
		all = append(all, fmt.Sprintf("what iterations load that the one before has stored in %s", distinct(l.Along)))
	}
	return strings.Join(all, ", and ") + " is kept"
}

// distinct lists names, each once.
func distinct(names []string) string {
	var out []string
	for _, n := range names {
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return strings.Join(out, ", ")
}
