package vectorize

import (
	"errors"
	"fmt"
	"maps"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/simplify"
	"github.com/lanewise/lanewise/vectorize/unswitch"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
	"github.com/lanewise/lanewise/vir/verify"
)

// What versions may cost and must save.
const (
	mostVersions = 8    // leaves of the tree of conditions
	versionCode  = 1500 // instructions of all versions together, in registers
	versionSaves = 0.97 // of the time of the loop with masks
)

// versions are kernels for the outcomes of conditions that are known before the loop,
// made one, if that is better than u, the loop with masks for them. With few leaves
// when more make too much code. The kernel is nil when there is nothing to gain.
func versions(r *plan.Region, u *pass.Unit, err error, opt Options) (*plan.Kernel, []diag.Remark) {
	var refusal *pass.Refusal
	if err != nil && (!errors.As(err, &refusal) || refusal.Args["error"] == true) {
		return nil, nil
	}
	for leaves := mostVersions; leaves > 1; leaves /= 2 {
		tree, regions := unswitch.Split(r, leaves)
		if tree.IsLeaf() {
			return nil, nil
		}
		v := &versioned{u: u, masked: err == nil && u.Summary["partial"] == nil, opt: opt}
		for _, x := range regions {
			v.add(x)
		}
		if k := v.join(r, tree); k != nil {
			return k, v.remarks(r, k)
		}
	}
	return nil, nil
}

type versioned struct {
	u       *pass.Unit // with masks
	masked  bool       // that is a kernel
	opt     Options
	units   []*pass.Unit
	kernels []*plan.Kernel // nil where a version stays scalar
	why     diag.Remark    // of such a version
}

func (v *versioned) add(r *plan.Region) {
	u, err := once(r, v.u.Target, v.opt)
	if err != nil {
		u.Kernel, v.why = nil, missed(u, err)
	}
	v.units, v.kernels = append(v.units, u), append(v.kernels, u.Kernel)
}

// join is the kernel of all versions, if that is worth it.
func (v *versioned) join(r *plan.Region, tree *unswitch.Tree) *plan.Kernel {
	code, cost := 0, 0.0
	for i, k := range v.kernels {
		if k == nil {
			if v.masked {
				return nil // which does it in lanes
			}
			continue
		}
		code += size(v.u.Target, k)
		cost += number(v.units[i], "cost")
	}
	if code > versionCode || tree.Seldom(r, func(i int) bool { return v.kernels[i] != nil }) {
		return nil
	}
	if v.masked && cost/float64(len(v.kernels)) > versionSaves*number(v.u, "cost") {
		return nil
	}
	k := unswitch.Join(r, tree, v.kernels)
	if k == nil {
		return nil
	}
	v.opt.tidy("versions", k)
	v.opt.made("unswitch", r, v.u.Target, k)
	return k
}

// tidy simplifies a kernel made of several, which what is named made.
func (opt Options) tidy(name string, k *plan.Kernel) {
	simplify.Func(k.Fn, func() bool { return true })
	if opt.Dump != nil {
		opt.Dump("tidy", k.Fn)
	}
	if opt.Verify {
		if err := verify.Func(k.Fn); err != nil {
			panic(fmt.Sprintf("%s: %v\n%s", name, err, k.Fn))
		}
	}
}

// size is the instructions of k, each as often as it has registers to work on.
func size(t *target.Target, k *plan.Kernel) int {
	n := 0
	for v := range k.Fn.Values {
		if v.Op != vir.OpConst && v.Op != vir.OpParam && v.Op != vir.OpPhi {
			n += max(1, t.Parts(v.Type))
		}
	}
	return n
}

func number(u *pass.Unit, key string) float64 {
	x, _ := u.Summary[key].(float64)
	return x
}

// remarks are those of the version that takes longest.
func (v *versioned) remarks(r *plan.Region, k *plan.Kernel) []diag.Remark {
	var slow *pass.Unit
	kernels := 0
	for _, u := range v.units {
		if u.Kernel == nil {
			continue
		}
		kernels++
		if slow == nil || number(u, "cost") > number(slow, "cost") {
			slow = u
		}
	}
	slow.Summary = maps.Clone(slow.Summary)
	slow.Summary["versions"], slow.Summary["min"] = len(v.units), k.Min
	slow.Note("unswitch:Versions", r.Pos, map[string]any{"versions": len(v.units), "kernels": kernels},
		"%d versions by conditions that are known before the loop, %d of them in lanes; that of %v cycles per iteration takes longest", len(v.units), kernels, number(slow, "cost"))
	if kernels < len(v.units) {
		slow.Note("unswitch:Scalar", v.why.Pos, v.why.Args, "a version stays scalar: %s [%s]", v.why.Msg, v.why.ID)
	}
	return append(slow.Remarks(), passed(slow))
}
