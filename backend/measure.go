package backend

import (
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/lanewise/lanewise/backend/avx2"
	"github.com/lanewise/lanewise/backend/machine"
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
	if err := finishAll(kernels, t, callers, made); err != nil {
		return nil, err
	}
	var out []Code
	for _, f := range fs {
		m := made[f]
		out = append(out, Code{Bytes: m.Bytes(m.Frame > maxNosplit), Loops: m.InLoops()})
	}
	return out, nil
}

// finishAll makes the code of kernels, as many at a time as there are processors. Each has
// constants of its own: how long code is does not depend on where they lie.
func finishAll(kernels []*vir.Func, t *target.Target, callers *avx2.Callers, made map[*vir.Func]*machine.Func) error {
	ms, errs, panics := make([]*machine.Func, len(kernels)), make([]error, len(kernels)), make([]any, len(kernels))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(len(kernels), runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(kernels)); i = next.Add(1) - 1 {
				func() {
					defer func() { panics[i] = recover() }()
					ms[i], errs[i] = finished(kernels[i], t, avx2.NewPool(poolPrefix), callers)
				}()
			}
		})
	}
	wg.Wait()
	for i, k := range kernels {
		if panics[i] != nil {
			panic(panics[i])
		}
		made[k] = ms[i]
	}
	return errors.Join(errs...)
}
