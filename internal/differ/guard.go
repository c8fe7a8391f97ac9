package differ

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/lanewise/lanewise/internal/generate"
	"github.com/lanewise/lanewise/vir/plan"
)

// late is how long the vectorizer may take for one region: a few seconds on a machine that
// has nothing else to do.
const late = 10 * time.Minute

// A lateError says that the vectorizer takes too long.
type lateError struct{ function string }

func (e lateError) Error() string {
	return fmt.Sprintf("the vectorizer has been busy with a region of %s for %v", e.function, late)
}

// A watch sees which region the vectorizer is busy with.
type watch struct {
	mu       sync.Mutex
	function string
	since    time.Time
}

func (w *watch) begin(function string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.function, w.since = function, time.Now()
}

func (w *watch) late() (function string, is bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.function, w.function != "" && time.Since(w.since) > late
}

// guarded runs the generator. It makes errors of a panic, and of a region that takes too
// long: the generator goes on then, and nobody waits for it.
func guarded(ctx context.Context, c generate.Config) (*generate.Result, error) {
	type outcome struct {
		res *generate.Result
		err error
	}
	w := new(watch)
	generous := c.Passes.Generous
	c.Passes.Generous = func(r *plan.Region) bool {
		w.begin(r.Func)
		return generous != nil && generous(r)
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			if x := recover(); x != nil {
				o.err = fmt.Errorf("panic: %v\n%s", x, debug.Stack())
			}
			done <- o
		}()
		o.res, o.err = generate.Run(ctx, c)
		w.begin("") // what comes behind regions is not watched
	}()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case o := <-done:
			return o.res, o.err
		case <-tick.C:
			if f, is := w.late(); is {
				return nil, lateError{f}
			}
		}
	}
}
