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
