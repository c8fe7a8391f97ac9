package generate

import (
	"context"

	"github.com/lanewise/lanewise/backend"
	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/frontend"
	"github.com/lanewise/lanewise/frontend/twin"
	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/vectorize"
	"github.com/lanewise/lanewise/vectorize/outline"
	"github.com/lanewise/lanewise/vectorize/rows"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// realStages are the stages for AVX2, and for AVX-512 where that has more to offer.
func realStages() stages {
	t, wide := target.AVX2(), target.AVX512()
	return stages{
		load: func(_ context.Context, c Config) ([]*frontend.Package, error) {
			return frontend.Load(c.frontend(), c.Patterns...)
		},
		each: func(_ context.Context, c Config, do func(*frontend.Package) error) error {
			return frontend.Each(c.frontend(), do, c.Patterns...)
		},
		vectorize: func(r *plan.Region, o PassOptions) (*plan.Kernel, []diag.Remark) {
			k, remarks := runPasses(r, t, o)
			if k != nil && o.Spoil != nil {
				o.Spoil(k)
			}
			return k, remarks
		},
		widen: func(k *plan.Kernel, r *plan.Region, along *plan.Clauses, o PassOptions) {
			vectorize.Widen(k, r, along, wide, passOptions(r, o))
		},
		wideOnly: func(r *plan.Region, o PassOptions) (*plan.Kernel, []diag.Remark) {
			return vectorize.WideOnly(r, wide, passOptions(r, o))
		},
		straight: func(r *plan.Region, o PassOptions) (*plan.Kernel, []diag.Remark) {
			return vectorize.Straight(r, t, passOptions(r, o))
		},
		rows: func(r *plan.Region, inner plan.Clauses, o PassOptions) (*plan.Kernel, diag.Remark) {
			return vectorize.Rows(r, inner, t, passOptions(r, o))
		},
		handed: rows.Handed,
		byLength: func(r *plan.Region, outer *plan.Kernel, short int64, o PassOptions) *plan.Kernel {
			return vectorize.ByLength(r, outer, short, t, passOptions(r, o))
		},
		outline: func(ks []*plan.Kernel, l outline.Level, o PassOptions) (*outline.Shared, error) {
			m := measure(t)
			if o.Guess {
				m = guess(m)
			}
			return outline.Share(ks, outline.Options{Level: l, Measure: m})
		},
		emit:  func(f backend.File) ([]byte, error) { return backend.Emit(f, t) },
		twins: twin.File,
		tests: twin.Tests,
	}
}

func (c Config) frontend() frontend.Options {
	return frontend.Options{Dir: c.Dir, Every: c.Every, Clauses: c.Clauses}
}

// measure lets the outliner ask the backend.
func measure(t *target.Target) func(fs []*vir.Func) ([]outline.Code, error) {
	return func(fs []*vir.Func) (codes []outline.Code, err error) {
		made, err := backend.Measure(fs, t)
		for _, c := range made {
			codes = append(codes, outline.Code(c))
		}
		return codes, err
	}
}

// guess guesses what kernels take. Routines are made: not all of them can be.
func guess(measure func([]*vir.Func) ([]outline.Code, error)) func([]*vir.Func) ([]outline.Code, error) {
	return func(fs []*vir.Func) ([]outline.Code, error) {
		codes, err := outline.Rough(fs)
		if err != nil {
			return nil, err
		}
		for i, f := range fs {
			if !f.Local {
				continue
			}
			made, err := measure(fs[i : i+1])
			if err != nil {
				return nil, err
			}
			codes[i] = made[0]
		}
		return codes, nil
	}
}

// runPasses vectorizes one region and shows what was asked for.
func runPasses(r *plan.Region, t *target.Target, o PassOptions) (*plan.Kernel, []diag.Remark) {
	if o.Dump == Lowered {
		o.Show(r, r.Fn)
	}
	opt := passOptions(r, o)
	if r.Once {
		return vectorize.Straight(r, t, opt)
	}
	if opt.Generous {
		if k, remarks := vectorize.Straight(r, t, opt); k != nil {
			return k, remarks
		}
	}
	return vectorize.Run(r, t, opt)
}

// passOptions are those for region r. Every pass is verified: a kernel from a broken
// function would be worse than none.
func passOptions(r *plan.Region, o PassOptions) vectorize.Options {
	opt := vectorize.Options{Verify: true, Limit: o.Limit, Generous: o.Generous != nil && o.Generous(r), Brief: o.Brief != nil && o.Brief(r)}
	if o.Dump != Lowered && o.Dump != "" {
		opt.Dump = func(pass string, f *vir.Func) {
			if pass == o.Dump {
				o.Show(r, f)
			}
		}
	}
	return opt
}
