package main

import (
	"os"
	"syscall"
)

// holdAtAVX2 sees to it that every contender has AVX2 and nothing above:
//
//   - vek has AVX2 kernels only,
//   - gonum's float32 kernels are SSE,
//   - tphakala's packages choose in their init functions and obey SIMD_DISABLE,
//   - twins obey LANEWISE.
//
// The variables must be there when the process starts; when they are not, it
// starts itself again. Values set by the user stay.
func holdAtAVX2() error {
	missing := false
	for _, v := range [][2]string{{"SIMD_DISABLE", "avx512,avxvnni"}, {"LANEWISE", "avx2"}} {
		if _, ok := os.LookupEnv(v[0]); !ok {
			missing = true
			if err := os.Setenv(v[0], v[1]); err != nil {
				return err
			}
		}
	}
	if !missing {
		return nil
	}
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	return syscall.Exec(exe, os.Args, os.Environ())
}
