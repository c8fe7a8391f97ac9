package twintest

import (
	"reflect"
	"runtime/debug"
	"time"

	"github.com/lanewise/lanewise/runtime/cpu"
)

// An ending is what a test comes to; the zero value is that all is well.
type ending struct{ Fails, Skips string }

// abandoned is the step of a checker whose original does not return.
const abandoned = -1

// watched does the work in a goroutine of its own, and does not wait for it forever. An
// original that does not return, which is none of the twin's business, ends the test; a twin
// that does not ends the process. On a busy machine that takes more than hangs.
func (c *checker) watched(work func() ending) ending {
	level := cpu.Level()
	done := make(chan ending, 1)
	go func() {
		defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
		done <- work()
	}()
	last, since := int64(abandoned), spent()
	for {
		select {
		case v := <-done:
			return v
		case <-time.After(c.hangs / 2):
		}
		step, took := c.step.Load(), spent()-since
		inOriginal := step%2 == 1
		switch {
		case step != last:
			last, since = step, spent()
		case inOriginal && took > c.hangs/4 && c.step.CompareAndSwap(step, abandoned):
			cpu.Set(level) // in which the work may have been
			return c.givenUp()
		case !inOriginal && took > c.hangs/2:
			panic("twintest: a function does not return (see twintest.Ints)\n" + c.describe(*c.trying.Load()))
		}
	}
}

// givenUp ends a test whose original does not return with some arguments.
func (c *checker) givenUp() ending {
	tc := c.trying.Load()
	if tc == nil {
		return ending{Skips: "twintest: the original does not return with the first arguments (see twintest.Ints)"}
	}
	c.logf("twintest: stopped: the original does not return (see twintest.Ints)\ncase %d, n %d", tc.id, tc.n)
	return ending{}
}

// original calls the original. The steps are odd meanwhile.
func (c *checker) original(args []reflect.Value) outcome {
	c.next()
	defer c.next()
	c.reporter.calls(true)
	defer c.reporter.calls(false)
	return call(c.want, args)
}

// next tells that there is progress. Nobody waits for work that has been abandoned: it stops here.
func (c *checker) next() {
	if step := c.step.Load(); step == abandoned || !c.step.CompareAndSwap(step, step+1) {
		select {}
	}
}

func (c *checker) isAbandoned() bool { return c.step.Load() == abandoned }
