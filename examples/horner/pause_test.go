package horner

import (
	"os"
	"os/exec"
	"runtime"
	"runtime/metrics"
	"slices"
	"testing"
	"time"
)

// inChild is set in the environment of a process that evaluates without an end.
const inChild = "HORNER_WITHOUT_END"

// TestWorldStopsInTime stops the world while Exp5 works on 256 MiB, which takes
// thousands of kernel calls. They have to wait for one of them. That is done in a
// process of its own, which gives the memory back.
func TestWorldStopsInTime(t *testing.T) {
	if os.Getenv(inChild) != "" {
		stopOften(t)
		return
	}
	if runtime.GOMAXPROCS(0) < 2 || testing.Short() {
		t.Skip("nothing can happen meanwhile, or it takes too long")
	}
	exe, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	cmd := exec.Command(exe, "-test.run=^TestWorldStopsInTime$", "-test.v")
	cmd.Env = append(os.Environ(), inChild+"=1")
	out, err := cmd.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Error(err)
	}
}

// stopOften stops the world while another goroutine evaluates. Others use the machine as
// well, which makes many stops long; so the fastest quarter must be fast. If nobody
// saw between calls that the goroutine is to stop, three of four would wait for
// a quarter of the slice or more, 5 ms.
func stopOften(t *testing.T) {
	const stops, allowed = 41, 1 * time.Millisecond
	started := make(chan struct{})
	go func() {
		x := make([]float32, 256<<20/4)
		Exp5(x, x) // the pages are there from here on
		close(started)
		for {
			Exp5(x, x)
		}
	}()
	<-started
	var took []time.Duration
	for range stops {
		before := stopping()
		var m runtime.MemStats
		runtime.ReadMemStats(&m) // which stops the world and does little else
		took = append(took, stoppedFor(before, stopping()))
		time.Sleep(time.Millisecond)
	}
	slices.Sort(took)
	t.Logf("stopping the world took up to %v, %v on the median, %v at best", took[stops-1], took[stops/2], took[0])
	if took[stops/4] > allowed {
		t.Errorf("stopping the world took %v", took)
	}
}

// stopping is how often stopping the world took how long, since the process started.
func stopping() *metrics.Float64Histogram {
	s := []metrics.Sample{{Name: "/sched/pauses/stopping/other:seconds"}}
	metrics.Read(s)
	h := s[0].Value.Float64Histogram()
	return &metrics.Float64Histogram{Counts: slices.Clone(h.Counts), Buckets: h.Buckets}
}

// stoppedFor is the lower end of the last bucket that grew.
func stoppedFor(before, after *metrics.Float64Histogram) time.Duration {
	for i := len(after.Counts) - 1; i >= 0; i-- {
		if after.Counts[i] > before.Counts[i] {
			return time.Duration(after.Buckets[i] * 1e9)
		}
	}
	return 0
}
