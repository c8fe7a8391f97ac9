package differ

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/lanewise/lanewise/frontend"
	"github.com/lanewise/lanewise/internal/generate"
)

// late is how long the vectorizer may take for one function: a few seconds on a machine that
// has nothing else to do.
const late = 10 * time.Minute

// A lateError says that the vectorizer takes too long.
type lateError struct{ function string } // "" between functions and behind the last one

func (e lateError) Error() string {
	if e.function == "" {
		return fmt.Sprintf("the generator has been busy with no function for %v", late)
	}
	return fmt.Sprintf("the vectorizer has been busy with %s for %v", e.function, late)
}

// A watch sees which function the vectorizer is busy with.
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

// late reports whether what has begun takes too long. Before the first function nothing has.
func (w *watch) late() (function string, is bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.function, !w.since.IsZero() && time.Since(w.since) > late
}

// guarded runs the generator. It makes errors of a panic, and of a function that takes too
// long: the generator goes on then, and nobody waits for it.
func guarded(ctx context.Context, c generate.Config) (*generate.Result, error) {
	type outcome struct {
		res *generate.Result
		err error
	}
	w := new(watch)
	c.Watch = func(t *frontend.Twin, done bool) {
		if done {
			w.begin("")
		} else {
			w.begin(t.Func.Decl.Name.Name)
		}
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
