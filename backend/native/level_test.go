package native_test

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/runtime/cpu"
)

var levelName = flag.String("level", cpu.LevelAVX2, "the `level` whose kernels are tested: avx2 or avx512")

// level is the target of the tests.
func level() *target.Target {
	if *levelName == cpu.LevelAVX512 {
		return target.AVX512()
	}
	return target.AVX2()
}

// inFewRegisters runs a test on the level with so few registers that everything spills, and
// where there are high ones also with some of them.
func inFewRegisters(t *testing.T, vec, scalar int, f func(*testing.T, *target.Target)) {
	high := []int{0}
	if level().HighRegs > 0 {
		high = append(high, 3, 16)
	}
	for _, n := range high {
		t.Run(fmt.Sprintf("high=%d", n), func(t *testing.T) {
			tgt := level()
			tgt.VectorRegs, tgt.ScalarRegs, tgt.HighRegs = vec, scalar, n
			f(t, tgt)
		})
	}
}

func TestMain(m *testing.M) {
	flag.Parse()
	switch *levelName {
	case cpu.LevelAVX2, cpu.LevelAVX512:
	default:
		fmt.Fprintf(os.Stderr, "no level %s\n", *levelName)
		os.Exit(2)
	}
	if *levelName == cpu.LevelAVX512 && cpu.Level() != cpu.LevelAVX512 {
		fmt.Println("this machine has no AVX-512: nothing was tested")
		os.Exit(0)
	}
	os.Exit(m.Run())
}
