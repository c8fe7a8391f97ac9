package mandelbrot

import (
	"os"
	"os/exec"
	"runtime"
	"runtime/metrics"
	"slices"
	"testing"
	"time"
)

// inChild is set in the environment of a process that draws without an end.
const inChild = "MANDELBROT_WITHOUT_END"

// TestWorldStopsInTime draws a point that never gets away, with a limit of 1<<30 steps,
// and stops the world meanwhile, which has to wait until the kernel returns. That is
// done in a process of its own, which need not wait for the end of the picture.
func TestWorldStopsInTime(t *testing.T) {
	if os.Getenv(inChild) != "" {
		drawWithoutEnd(t)
		return
	}
	if runtime.GOMAXPROCS(0) < 2 {
		t.Skip("nothing can happen meanwhile")
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

// drawWithoutEnd stops the world while a goroutine draws. On a machine that others use
// a few stops may take any time: those do not count. If the kernel did not return, or
// nobody saw that it does, some would take seconds.
func drawWithoutEnd(t *testing.T) {
	const stops, strange, allowed = 41, 2, 20 * time.Millisecond
	started := make(chan struct{})
	go func() {
		steps, re := make([]int32, 64), make([]float32, 64)
		close(started)
		Row32(steps, re, 0, 1<<30)
		panic("the picture is complete")
	}()
	<-started
	time.Sleep(5 * time.Millisecond)
	var took []time.Duration
	for range stops {
		before := stopping()
		var m runtime.MemStats
		runtime.ReadMemStats(&m) // which stops the world and does little else
		took = append(took, stoppedFor(before, stopping()))
	}
	slices.Sort(took)
	t.Logf("stopping the world took up to %v, %v on the median, %v at best", took[stops-1], took[stops/2], took[0])
	if took[stops-1-strange] > allowed {
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
