// Command pauses prints how long the Go runtime waits for goroutines that run twins when
// it wants to stop all of them. A line for each kind of kernel has, with tabs between
// them: name, time of a call, number of stops, and of the time that they take to reach
// all goroutines the median, what nine of ten stay below, and the longest. Times are in
// microseconds.
package main

import (
	"flag"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
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
	debug.SetGCPercent(-1) // only when asked
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

// best measures until the median is short, since other programs may have delayed it.
func best(name string, during time.Duration, call func()) {
	var b *waits
	for range 5 {
		w := measure(during, call)
		if b == nil || w.quantile(.5) < b.quantile(.5) {
			b = w
		}
		if b.quantile(.5) < time.Millisecond {
			break
		}
	}
	us := func(d time.Duration) float64 { return float64(d) / 1e3 }
	fmt.Printf("%s\t%.0f\t%d\t%.0f\t%.0f\t%.0f\n", name, us(b.call), b.stops, us(b.quantile(.5)), us(b.quantile(.9)), us(b.quantile(1)))
}

// waits are how long stops took to reach all goroutines.
type waits struct {
	call   time.Duration // of the fastest call
	stops  uint64
	counts []uint64
	bounds []float64 // one more than counts
}

// quantile is the bound below which a share of the waits are.
func (w *waits) quantile(share float64) time.Duration {
	want := uint64(math.Ceil(share * float64(w.stops)))
	for i, n := range w.counts {
		if want <= n {
			if math.IsInf(w.bounds[i+1], 1) {
				return time.Hour
			}
			return time.Duration(w.bounds[i+1] * 1e9)
		}
		want -= n
	}
	return 0
}

// measure makes calls in one goroutine and stops all from another.
func measure(during time.Duration, call func()) *waits {
	var stop atomic.Bool
	var calls atomic.Int32
	done := make(chan time.Duration)
	go func() {
		fastest := time.Hour
		for !stop.Load() {
			start := time.Now()
			call()
			fastest = min(fastest, time.Since(start))
			calls.Add(1)
		}
		done <- fastest
	}()
	before := histogram()
	start := time.Now()
	var stats runtime.MemStats
	for n := 0; time.Since(start) < during || calls.Load() == 0 || n < 9; n++ {
		time.Sleep(300 * time.Microsecond)
		if n%8 == 7 {
			runtime.GC()
		} else {
			runtime.ReadMemStats(&stats)
		}
	}
	w := histogram()
	stop.Store(true)
	w.call = <-done
	for i, n := range before.counts {
		w.counts[i] -= n
		w.stops += w.counts[i]
	}
	return w
}

// histogram is of all stops up to now.
func histogram() *waits {
	w := &waits{}
	samples := []metrics.Sample{{Name: "/sched/pauses/stopping/gc:seconds"}, {Name: "/sched/pauses/stopping/other:seconds"}}
	metrics.Read(samples)
	for _, s := range samples {
		h := s.Value.Float64Histogram()
		if w.counts == nil {
			w.counts, w.bounds = make([]uint64, len(h.Counts)), h.Buckets
		}
		for i, n := range h.Counts {
			w.counts[i] += n
		}
	}
	return w
}
