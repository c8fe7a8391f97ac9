// Command pauses prints how long the Go runtime waits for a goroutine that runs twins when
// it wants to stop all of them. A line for each kind of kernel has, with tabs between
// them: name, time of a call, number of stops, and of the time that goes by until the
// goroutine stops the median, what nine of ten stay below, and the longest. Times are in
// microseconds, of the processor as far as it can be known: see [stopOnce].
package main

import (
	"flag"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"sync/atomic"
	"time"

	"example.com/m/kinds"
	whole "example.com/m/whole"
)

func main() {
	bytes := flag.Int("bytes", 256<<20, "size of the memory that calls work on")
	during := flag.Duration("for", 40*time.Millisecond, "time for each kind, at least that of one call")
	flag.Parse()
	runtime.GOMAXPROCS(max(2, runtime.GOMAXPROCS(0)))
	debug.SetGCPercent(-1) // only between measurements
	mem := make([]uint64, *bytes/8)
	filled := kinds.Memory(-1)
	for _, k := range kinds.Kinds {
		if filled != k.Memory {
			k.Memory.Fill(mem)
			filled = k.Memory
		}
		best(k.Name, *during, func() { k.Run(mem, true) })
	}
	for _, k := range whole.Kinds {
		if k.Name == "axpy" {
			k.Memory.Fill(mem)
			best("axpy in one kernel call", *during, func() { k.Run(mem, true) })
		}
	}
}

// best measures until the median is short, since other programs may have used the memory
// that calls work on.
func best(name string, during time.Duration, call func()) {
	var b *waits
	for range 5 {
		w := measure(during, call)
		if b == nil || w.quantile(.5) < b.quantile(.5) {
			b = w
		}
		if b.quantile(.5) < 500*time.Microsecond {
			break
		}
	}
	us := func(d time.Duration) float64 { return float64(d) / 1e3 }
	fmt.Printf("%s\t%.0f\t%d\t%.0f\t%.0f\t%.0f\n", name, us(b.call), len(b.stops), us(b.quantile(.5)), us(b.quantile(.9)), us(b.quantile(1)))
}

// waits are how long a goroutine ran on before it stopped.
type waits struct {
	call  time.Duration   // of the fastest call
	stops []time.Duration // in ascending order
}

// quantile is what a share of the waits stay within.
func (w *waits) quantile(share float64) time.Duration {
	return w.stops[int(math.Ceil(share*float64(len(w.stops))))-1]
}

// measure makes calls in one goroutine and stops it from another.
func measure(during time.Duration, call func()) *waits {
	runtime.GC()
	var stop atomic.Bool
	var calls atomic.Int32
	clocks, done := make(chan clock), make(chan time.Duration)
	go func() {
		runtime.LockOSThread() // and never unlock it: the thread ends with the goroutine
		used := newClock()
		clocks <- used
		fastest := time.Hour
		for !stop.Load() {
			start := used()
			call()
			fastest = min(fastest, used()-start)
			calls.Add(1)
		}
		done <- fastest
	}()
	used := <-clocks
	w := &waits{}
	for start := time.Now(); time.Since(start) < during || calls.Load() == 0 || len(w.stops) < 10; {
		w.stops = append(w.stops, stopOnce(used))
	}
	stop.Store(true)
	w.call = <-done
	slices.Sort(w.stops)
	return w
}

// stopOnce stops the world while the goroutine with the clock is in a call, and returns
// how long that went on working.
//
// That is no more than the wait that the runtime observes, and no more than what the clock
// says: between the two times that it is read lies the wait, and when all have stopped it
// stands still. When other programs get the processor, the wait grows if they take it from
// the goroutine that is waited for, and what the clock says if they take it from this one
// just before or after. They cannot make the time that a kernel needs to its end shorter.
func stopOnce(used clock) time.Duration {
	for start := used(); used()-start < 300*time.Microsecond; {
		time.Sleep(100 * time.Microsecond) // it may not have been started again since the last stop
	}
	var stats runtime.MemStats
	before := histogram()
	start := used()
	runtime.ReadMemStats(&stats)
	worked := used() - start
	return min(worked, histogram().longestSince(before))
}

// A stopping is how often the runtime has waited how long for all goroutines to stop.
type stopping struct {
	counts []uint64
	bounds []float64 // in seconds, one more than counts
}

func histogram() stopping {
	s := []metrics.Sample{{Name: "/sched/pauses/stopping/other:seconds"}}
	metrics.Read(s)
	h := s[0].Value.Float64Histogram()
	return stopping{slices.Clone(h.Counts), h.Buckets}
}

// longestSince is a bound of the waits since an earlier moment.
func (s stopping) longestSince(before stopping) time.Duration {
	for i := len(s.counts) - 1; i >= 0; i-- {
		if s.counts[i] > before.counts[i] {
			return time.Duration(min(s.bounds[i+1], 3600) * 1e9)
		}
	}
	return 0
}
