package twintest

import (
	"fmt"
	"os"
	"reflect"
	"strconv"
	"testing"
	"time"
)

// smallRounds is how often TWINTEST_SMALL asks for every small length to be measured;
// 0 when it is not set, and benchmarks are ordinary ones.
func smallRounds() int {
	n, err := strconv.Atoi(os.Getenv("TWINTEST_SMALL"))
	if err != nil {
		return 0
	}
	return n
}

// smallest are the lengths of slices where a twin has the least to win.
const smallest = 64

// benchSmall measures every length from 0 to 64, or those that are asked for, and prints a line for each: the name,
// the length, and nanoseconds of the original and of the twin. These are minima over
// rounds in which both are measured in turns, so that both meet the same disturbances.
func benchSmall(b *testing.B, mem *arena, typ reflect.Type, prepare func([]reflect.Value) (scalar, vec func()), opts []Option, rounds int, endless *bool) {
	var all []int
	for n := range smallest + 1 {
		all = append(all, n)
	}
	for _, n := range lengths(all) {
		in := newInput(mem, typ, n, opts)
		scalar, vec := in.calls(prepare)
		if *endless = in.endless; *endless {
			break
		}
		if scalar == nil {
			continue
		}
		s, v := interleaved(scalar, vec, rounds)
		fmt.Printf("small %s %d %.2f %.2f\n", b.Name(), n, s, v)
	}
	b.SkipNow()
}

// smallSample is the aim for one sample: long against the clock's resolution, short
// against a time slice.
const smallSample = 4 * time.Microsecond

// interleaved is the shortest time per call of each function, in ns.
func interleaved(f, g func(), rounds int) (first, second float64) {
	calls := 1
	for sampleOf(f, calls) < float64(smallSample)/float64(calls) && calls < 1<<12 {
		calls *= 2
	}
	first, second = sampleOf(f, calls), sampleOf(g, calls)
	for range rounds {
		first, second = min(first, sampleOf(f, calls)), min(second, sampleOf(g, calls))
	}
	return first, second
}

func sampleOf(f func(), calls int) float64 {
	start := time.Now()
	for range calls {
		f()
	}
	return float64(time.Since(start)) / float64(calls)
}
