// Package survey considers code that was not written for lanewise: every function of some
// packages is treated as if it were annotated, nothing is written, and what comes out is
// checked. Every loop has one verdict with a reason, generated Go code type-checks, assembly
// assembles and fits its declarations, and nothing takes long.
//
// The package counts and checks. It must not know how anything is vectorized.
package survey

import (
	"context"
	"fmt"
	"go/types"
	"time"

	"github.com/lanewise/lanewise/frontend"
	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/internal/generate"
)

// A Config says what to consider, and how.
type Config struct {
	generate.Config
	// Limit is the time from which on a function is a complaint.
	Limit time.Duration
	// Clock measures functions; nil is for the time of the processor where it is known, else for
	// time as it passes.
	Clock func() time.Duration
	// Assemble runs the assembler and compares assembly with declarations.
	Assemble bool
	// Remarks gets those of each package.
	Remarks func([]diag.Remark) error
	// Warn is told of what may be waited for in vain.
	Warn func(msg string)
}

// Run considers all packages that match.
func Run(ctx context.Context, c Config) (*Summary, error) {
	start := time.Now()
	s, err := newSurveyor(c)
	if err != nil {
		return nil, err
	}
	if err := generate.Each(ctx, s.Config.Config, s.consider); err != nil {
		return nil, err
	}
	s.sum.finish()
	s.sum.Time = time.Since(start)
	return s.sum, nil
}

type surveyor struct {
	Config
	sum     *Summary
	support map[string]*types.Package
	now     string // function that is being vectorized
	began   time.Duration
	timer   *time.Timer
}

func newSurveyor(c Config) (*surveyor, error) {
	s := &surveyor{Config: c, sum: &Summary{}}
	if s.Clock == nil {
		s.Clock = clock()
	}
	s.Config.Config.Watch = s.watch
	s.Config.Config.Fault = func(what any, stack []byte) { s.complain("panic: %v\n%s", what, stack) }
	support, err := frontend.Support(c.Dir, supporting...)
	if err != nil {
		return nil, fmt.Errorf("generated files cannot be type-checked: %w", err)
	}
	s.support = support
	return s, nil
}

func clock() func() time.Duration {
	if _, _, ok := Usage(); ok {
		return func() time.Duration { cpu, _, _ := Usage(); return cpu }
	}
	start := time.Now()
	return func() time.Duration { return time.Since(start) }
}

// complain notes what must not be.
func (s *surveyor) complain(format string, args ...any) {
	msg := fmt.Sprintf(format, args...)
	if s.now != "" {
		msg = s.now + ": " + msg
	}
	s.sum.Complaints = append(s.sum.Complaints, msg)
}

// watch measures how long functions take.
func (s *surveyor) watch(t *frontend.Twin, done bool) {
	if !done {
		s.began = s.Clock() - t.Time
		s.now = t.Func.Obj.FullName()
		if s.Limit > 0 && s.Warn != nil {
			name := s.now
			s.timer = time.AfterFunc(s.Limit, func() { s.Warn(fmt.Sprintf("%s: still going on after %v", name, s.Limit)) })
		}
		return
	}
	if s.timer != nil {
		s.timer.Stop()
	}
	took := s.Clock() - s.began
	if s.Limit > 0 && took > s.Limit {
		s.complain("took %v", took)
	}
	s.sum.slow(s.now, took)
	s.now = ""
}

// consider counts and checks one package.
func (s *surveyor) consider(o *generate.Outcome) error {
	s.now = o.Pkg.PkgPath
	defer func() { s.now = "" }()
	s.sum.Packages++
	s.sum.Errors = append(s.sum.Errors, o.Errors...)
	if o.Fault != nil {
		s.complain("%v", o.Fault)
	}
	s.verdicts(o)
	s.count(o)
	s.checkGo(o)
	if s.Assemble {
		if err := s.checkAssembly(o); err != nil {
			return err
		}
	}
	if s.Remarks != nil {
		return s.Remarks(o.Remarks)
	}
	return nil
}
