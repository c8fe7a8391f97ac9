package main

import "time"

// A clock tells how much processor time a thread has used since some moment. All threads
// may read it.
type clock func() time.Duration

// newClock returns the clock of the thread that it runs in, or what comes closest where
// there is none: how much time has gone by.
func newClock() clock {
	if c := threadClock(); c != nil {
		return c
	}
	start := time.Now()
	return func() time.Duration { return time.Since(start) }
}
