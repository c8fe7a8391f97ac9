// Package cpu decides which kernels generated code may run on this machine.
//
// The level is found once, at program start: the best one that processor and
// operating system support, capped by two environment variables.
//
//	LANEWISE=scalar|avx2|avx512   at most this level
//	GODEBUG=cpu.avx2=off          as in the Go runtime; also cpu.all, cpu.fma, ...
//
// The package knows nothing of kernels, and imports the standard library and
// klauspost/cpuid alone.
package cpu

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// Levels, from low to high.
const (
	LevelScalar = "scalar"
	LevelAVX2   = "avx2"
	LevelAVX512 = "avx512"
)

// levels orders the names.
var levels = []string{LevelScalar, LevelAVX2, LevelAVX512}

// AVX2 says that kernels of level avx2 may run: AVX2, FMA, BMI1, BMI2, POPCNT
// and LZCNT are there, with the operating system saving the registers.
// Generated code reads it; change it with Set only.
var AVX2 bool

// AVX512 says that AVX512F, BW, CD, DQ and VL are there, too. Kernels read it where they have
// code for both levels.
var AVX512 bool

// Fast512 says that the level is avx512 and that the processor takes an operation on 64 bytes as a
// whole, which Zen 4 does not. Kernels read it where they have code for both; change it with
// SetFast512 only.
var Fast512 bool

var (
	fast512 = !splits512() // what Fast512 is at level avx512
	machine string         // the best level of the machine, environment included
	current string         // the level that runs
)

func init() {
	var unknown string
	machine, unknown = choose(supported, os.Getenv("LANEWISE"), os.Getenv("GODEBUG"))
	if unknown != "" {
		fmt.Fprintf(os.Stderr, "lanewise: unknown level LANEWISE=%q (want %s); ignored\n", unknown, strings.Join(levels, ", "))
	}
	apply(machine)
}

// Level is the name of the level that runs: "scalar", "avx2" or "avx512".
func Level() string { return current }

// Set switches to the given level, or to the best one below it that this
// process may use, and returns a function that switches back. It is for tests:
// no twin may run meanwhile in another goroutine. Set panics on an unknown name.
func Set(level string) (restore func()) {
	if !slices.Contains(levels, level) {
		panic(fmt.Sprintf("cpu: unknown level %q", level))
	}
	old := current
	apply(lower(level, machine))
	return func() { apply(old) }
}

// SetFast512 has kernels treat the processor as fast or slow with 64 bytes at level avx512, and
// returns a function that switches back. It is for tests, as Set is.
func SetFast512(fast bool) (restore func()) {
	old := fast512
	fast512 = fast
	apply(current)
	return func() { fast512 = old; apply(current) }
}

func apply(level string) {
	current = level
	AVX2 = level != LevelScalar
	AVX512 = level == LevelAVX512
	Fast512 = AVX512 && fast512
}

// lower is the lower of two levels.
func lower(a, b string) string {
	return levels[min(slices.Index(levels, a), slices.Index(levels, b))]
}

// choose finds the level from what the machine has and the two variables. It
// returns the value of LANEWISE when it is no level.
func choose(has func(feature string) bool, lanewise, godebug string) (level, unknown string) {
	off := disabled(godebug)
	lacks := func(f string) bool { return !has(f) || slices.Contains(off, f) }
	switch {
	case slices.ContainsFunc(avx2Features, lacks):
		level = LevelScalar
	case slices.ContainsFunc(avx512Features, lacks):
		level = LevelAVX2
	default:
		level = LevelAVX512
	}
	name := strings.ToLower(strings.TrimSpace(lanewise))
	switch {
	case name == "":
	case slices.Contains(levels, name):
		level = lower(level, name)
	default:
		unknown = lanewise
	}
	return level, unknown
}

// avx2Features is what kernels of level avx2 may use, by the names of GODEBUG.
var avx2Features = []string{"avx", "avx2", "fma", "bmi1", "bmi2", "popcnt", "lzcnt"}

// avx512Features is what kernels of level avx512 may use besides.
var avx512Features = []string{"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}

// disabled lists the features of both levels that a GODEBUG value turns off.
// Settings are read in order, and "all" stands for every feature.
func disabled(godebug string) []string {
	var off []string
	for setting := range strings.SplitSeq(godebug, ",") {
		name, value, _ := strings.Cut(setting, "=")
		feature, ok := strings.CutPrefix(name, "cpu.")
		if !ok || (value != "on" && value != "off") {
			continue
		}
		for _, f := range slices.Concat(avx2Features, avx512Features) {
			if f != feature && feature != "all" {
				continue
			}
			off = slices.DeleteFunc(off, func(x string) bool { return x == f })
			if value == "off" {
				off = append(off, f)
			}
		}
	}
	return off
}
