package toolchain

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Twins called from many goroutines give what their originals do, while the collector
// runs all the time, stacks grow, move and shrink below arrays that kernels work on, the
// profiler interrupts kernels and their routines, and all goroutines are traced. A longer run:
//
//	go test ./internal/toolchain -run Stress -v -long
func TestTwinsUnderStress(t *testing.T) {
	if testing.Short() {
		t.Skip("works for seconds")
	}
	const moving = "-d=maymorestack=runtime.mayMoreStackMove"
	for _, b := range []way{
		{name: "as usual"},
		{name: "moving stacks", flags: []string{"-gcflags=example.com/m/...=" + moving, "-gcflags=github.com/lanewise/lanewise/runtime/...=" + moving}, long: true},
		{name: "race detector", flags: []string{"-race"}, tool: "gcc", long: true},
	} {
		t.Run(b.name, func(t *testing.T) {
			b.check(t)
			dir := common(t)
			mustRun(t, dir, nil, append([]string{"go", "build", "-o", "stress.exe"}, append(b.flags, "./stress")...)...)
			during := 500 * time.Millisecond
			if *long {
				during = 20 * time.Second
			}
			out := mustRun(t, dir, []string{"GOGC=1"}, "./stress.exe", fmt.Sprint("-for=", during))
			m := regexp.MustCompile(`(\d+) calls, (\d+) on growing stacks, (\d+) arrays moved, (\d+) collections, (\d+) traces\n$`).FindStringSubmatch(out)
			if m == nil {
				t.Fatalf("the program says\n%s", out)
			}
			t.Log(m[0])
			for i, least := range []int{200, 200, 1000, 10, 10} {
				if n, _ := strconv.Atoi(m[i+1]); n < least {
					t.Errorf("too few: want %d of number %d in %s", least, i, m[0])
				}
			}
			if *long && b.flags == nil { // the tool is built first
				callers(t, mustRun(t, dir, nil, "go", "tool", "pprof", "-traces", "stress.exe", "cpu.profile"))
			}
		})
	}
}

var (
	routineFrame = regexp.MustCompile(`^\w+KernelPart[0-9]+$`)
	kernelFrame  = regexp.MustCompile(`^example\.com/m/\w+\.\w+Kernel[0-9]*$`)
	twinFrame    = regexp.MustCompile(`^example\.com/m/\w+\.[A-Z]\w*$`)
)

// callers looks at the stacks of a profile: above a routine there is a kernel, and above
// that a twin.
func callers(t *testing.T, traces string) {
	t.Helper()
	kernels := 0
	for stack := range strings.SplitSeq(traces, "-----------+") {
		var frames []string
		for line := range strings.Lines(stack) {
			if words := strings.Fields(line); len(words) > 0 {
				frames = append(frames, words[len(words)-1])
			}
		}
		for i, f := range frames {
			above := ""
			if i+1 < len(frames) {
				above = frames[i+1]
			}
			switch {
			case routineFrame.MatchString(f) && !kernelFrame.MatchString(above):
				t.Errorf("routine %s was called by %q, says the profile", f, above)
			case kernelFrame.MatchString(f):
				if kernels++; !twinFrame.MatchString(above) {
					t.Errorf("kernel %s was called by %q, says the profile", f, above)
				}
			}
		}
	}
	if kernels == 0 {
		t.Errorf("no kernel in the profile:\n%s", traces)
	}
}
