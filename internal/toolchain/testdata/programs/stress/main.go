// Command stress runs twins in many goroutines while the Go runtime does all that it can
// to the threads and stacks that they run on: collections one after the other, stacks that
// grow and shrink, traces of all goroutines, signals of the profiler. It compares with the
// originals. Its last line tells what happened, the profile is in the file cpu.profile.
package main

import (
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"sync"
	"sync/atomic"
	"time"

	"example.com/m/kinds"
	small "example.com/m/small"
)

// A side is a package of kinds.
type side struct {
	kinds   int
	same    func(kind int, a, b []uint64) bool
	onStack func(levels int) (different string, moved int)
}

var sides = []side{
	{len(kinds.Kinds), func(n int, a, b []uint64) bool { return kinds.Kinds[n].Same(a, b) }, kinds.OnStack},
	{len(small.Kinds), func(n int, a, b []uint64) bool { return small.Kinds[n].Same(a, b) }, small.OnStack},
}

var calls, stacks, moves, traces, collections atomic.Int64

func main() {
	during := flag.Duration("for", time.Second, "how long")
	goroutines := flag.Int("goroutines", 8, "how many")
	rate := flag.Int("rate", 1000, "signals of the profiler a second for each thread that works")
	flag.Parse()
	runtime.GOMAXPROCS(max(4, runtime.GOMAXPROCS(0)))
	profile, err := os.Create("cpu.profile")
	must(err)
	runtime.SetCPUProfileRate(*rate) // the next call would like another one, says so, and goes on
	must(pprof.StartCPUProfile(profile))
	must(trace.Start(io.Discard))
	end := time.Now().Add(*during)
	var all sync.WaitGroup
	for g := range *goroutines {
		r := rand.New(rand.NewPCG(uint64(g), 1))
		all.Go(func() { work(end, r, sides[g%len(sides)]) })
	}
	all.Go(func() { disturb(end) })
	all.Wait()
	trace.Stop()
	pprof.StopCPUProfile()
	must(profile.Close())
	fmt.Printf("%d calls, %d on growing stacks, %d arrays moved, %d collections, %d traces\n",
		calls.Load(), stacks.Load(), moves.Load(), collections.Load(), traces.Load())
}

// work compares twins and originals on memory of its own, and on stacks of new goroutines.
func work(end time.Time, r *rand.Rand, s side) {
	for n := 0; time.Now().Before(end) || n < s.kinds; n++ {
		words := 512 << r.IntN(4)
		kind := n % s.kinds
		if !s.same(kind, make([]uint64, words), make([]uint64, words)) {
			fail("%s differs on %d bytes", kinds.Kinds[kind].Name, words*8)
		}
		calls.Add(1)
		done := make(chan bool)
		go func() {
			different, moved := s.onStack(r.IntN(40))
			if different != "" {
				fail("%s differs on the stack", different)
			}
			moves.Add(int64(moved))
			stacks.Add(1)
			close(done)
		}()
		<-done
	}
}

// disturb collects garbage and looks at all stacks.
func disturb(end time.Time) {
	text := make([]byte, 1<<20)
	var garbage [][]*int
	for n := 0; time.Now().Before(end) || n < 30; n++ {
		garbage = append(garbage, make([]*int, 100))
		if n%100 == 99 {
			garbage = nil
		}
		switch n % 3 {
		case 0:
			runtime.GC()
			collections.Add(1)
		case 1:
			n := runtime.Stack(text, true)
			traces.Add(int64(min(n, 1)))
		case 2:
			runtime.Gosched()
		}
	}
}

func must(err error) {
	if err != nil {
		fail("%v", err)
	}
}

func fail(format string, args ...any) {
	fmt.Printf(format+"\n", args...)
	os.Exit(1)
}
