package toolchain

import (
	"flag"
	"fmt"
	"strconv"
	"strings"
	"testing"
)

var megabytes = flag.Int("megabytes", 256, "memory that a call works on where pauses are measured")

// While a twin works on 256 MiB in one call, the runtime can stop all goroutines within
// much less than the time of the call: rule 6 of the contract. The last line is of a twin
// that hands all of its work to a kernel at once, and shows that waits are seen.
//
// Times are those that the thread with the twin has worked, between the wish to stop it
// and its stop, and in a call. A kernel that cannot be stopped must work until it ends,
// whoever else wants the processor; a thread that waits for the processor does not work.
// So other programs make no kernel look bad that is cut into pieces, nor one look good
// that is not. What they can do is make memory slower, hence the median of many stops, the
// best of five tries, and a limit of ten times what a call of a kernel should take.
//
// The table: go test ./internal/toolchain -run Pauses -v
func TestPausesAreShort(t *testing.T) {
	if testing.Short() {
		t.Skip("works on much memory")
	}
	dir := common(t)
	mustRun(t, dir, nil, "go", "build", "-o", "pauses.exe", "./pauses")
	out := mustRun(t, dir, nil, "./pauses.exe", fmt.Sprintf("-bytes=%d", *megabytes<<20))
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) < 20 {
		t.Fatalf("%d kinds of kernels:\n%s", len(lines), out)
	}
	t.Logf("%-24s %9s %6s %9s %9s %9s", "all times in µs", "call", "stops", "median", "90 %", "longest")
	for n, line := range lines {
		words := strings.Split(line, "\t")
		var x [5]float64
		for i := range x {
			var err error
			if x[i], err = strconv.ParseFloat(words[i+1], 64); err != nil {
				t.Fatal(err)
			}
		}
		t.Logf("%-24s %9.0f %6.0f %9.0f %9.0f %9.0f", words[0], x[0], x[1], x[2], x[3], x[4])
		call, median := x[0], x[2]
		switch short := median < 500 && median < call/4; {
		case call < 2000:
			if *megabytes >= 256 {
				t.Errorf("%s: a call takes %.0f µs, too short to see whether it can be stopped", words[0], call)
			}
		case n == len(lines)-1 && short:
			t.Errorf("the median wait for a call of %.0f µs without pieces is %.0f µs, so that this test would see nothing", call, median)
		case n < len(lines)-1 && !short:
			t.Errorf("%s: the median wait is %.0f µs while a call takes %.0f µs", words[0], median, call)
		}
	}
}
