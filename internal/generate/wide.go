package generate

import (
	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vir/plan"
)

// Kernels do on CPUs with AVX-512 what suits these; loops that have none, and are in no nest
// that has, may have one there.

// wideSuffix ends the names of kernels that CPUs without AVX-512 cannot run.
const wideSuffix = "AVX512"

// widen adds what kernels do with AVX-512.
func (g *packager) widen(as []*attempt) {
	if g.stages.widen == nil {
		return
	}
	for _, a := range as {
		switch {
		case a.region.Once:
		case a.kernel != nil:
			g.try(func() { g.stages.widen(a.kernel, &a.region.Region, a.along, g.Passes) })
			if a.kernel.Wide != nil {
				a.kernel.WideMin += a.raised
			}
		case !a.taken && !a.waits && a.alone(as):
			g.try(func() {
				if k, remarks := g.stages.wideOnly(&a.region.Region, g.Passes); k != nil {
					a.kernel, a.remarks = k, remarks
					(&nest{attempt: a}).dropShort()
				}
			})
		}
	}
}

// isWideOnly reports whether a has a kernel for CPUs with AVX-512 alone.
func (a *attempt) isWideOnly() bool { return a.kernel != nil && a.kernel.Level == target.AVX512().Name }

// try runs a part of the generator without which the rest is as good.
func (g *packager) try(f func()) {
	defer func() {
		if x := recover(); x != nil {
			g.fault(x)
		}
	}()
	f()
}

// alone reports whether no loop around or inside that of a has a kernel.
func (a *attempt) alone(as []*attempt) bool {
	for _, b := range as {
		if b != a && b.kernel != nil && (contains(a.region.Loop, b.region.Loop) || contains(b.region.Loop, a.region.Loop)) {
			return false
		}
	}
	return true
}

// keepWide drops what kernels do with AVX-512 where their calls have become others.
func (g *packager) keepWide() {
	for _, a := range g.regions {
		if k := a.kernel; k != nil && k.Wide != nil && !plan.SameSignature(k.Fn, k.Wide) {
			narrow := *k
			narrow.Wide, narrow.WideMin = nil, 0
			a.kernel = &narrow
		}
	}
}
