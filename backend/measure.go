package backend

import (
	"errors"
	"slices"

	"github.com/lanewise/lanewise/backend/avx2"
	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vir"
)

// A Code describes the machine code of a function.
type Code struct {
	Bytes int // without padding for alignment
	Loops int // instructions inside of loops, each counted once
}

// Measure describes the code that Emit makes of functions in one file: of kernels, and
// of local routines, which may be without a caller among them. The functions are not
// changed. The error is one that Emit gives.
func Measure(fs []*vir.Func, t *target.Target) ([]Code, error) {
	if err := supported(t); err != nil {
		return nil, err
	}
	pool := avx2.NewPool(poolPrefix)
	var kernels, local []*vir.Func
	for _, f := range fs {
		if f.Local {
			local = append(local, f)
		} else {
			kernels = append(kernels, f)
		}
	}
	callers := avx2.NewCallers(kernels)
	made, err := routines(slices.Concat(callers.Routines(), local), t, pool, callers)
	if err != nil {
		return nil, err
	}
	var errs []error
	for _, k := range kernels {
		m, err := finished(k, t, pool, callers)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		made[k] = m
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	var out []Code
	for _, f := range fs {
		m := made[f]
		out = append(out, Code{Bytes: m.Bytes(m.Frame > maxNosplit), Loops: m.InLoops()})
	}
	return out, nil
}
