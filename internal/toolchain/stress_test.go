package toolchain

import (
	"fmt"
	"regexp"
	"strconv"
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
			m := regexp.MustCompile(`(\d+) calls, (\d+) on growing stacks, (\d+) arrays moved, (\d+) collections, (\d+) traces, (\d+) kernels in profile\n$`).FindStringSubmatch(out)
			if m == nil {
				t.Fatalf("the program says\n%s", out)
			}
			t.Log(m[0])
			for i, least := range []int{200, 200, 1000, 10, 10, 1} {
				if n, _ := strconv.Atoi(m[i+1]); n < least && !(i == 5 && b.flags != nil) {
					t.Errorf("too few: want %d of number %d in %s", least, i, m[0])
				}
			}
		})
	}
}
