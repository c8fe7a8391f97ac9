//go:build unix

package toolchain

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Behind a fault in a kernel, which its caller may turn into a panic, the stack below may
// grow as behind any other panic.
func TestFaultsInKernels(t *testing.T) {
	dir := common(t)
	mustRun(t, dir, nil, "go", "build", "-o", "faults.exe", "./faults")
	out, err := run(dir, nil, "./faults.exe")
	if err != nil || !strings.HasSuffix(out, "done\n") || strings.Contains(out, "no fault") || strings.Count(out, " true") != 3 {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestFramesWithoutPointers: the Go runtime is told that there are none in a frame, which it would
// otherwise have to know about wherever it looks at one.
func TestFramesWithoutPointers(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(common(t), "kinds", "vec_amd64.s"))
	if err != nil {
		t.Fatal(err)
	}
	frames := 0
	for _, fn := range strings.Split(string(text), "\nTEXT ")[1:] {
		header, body, _ := strings.Cut(fn, "\n")
		frame := !strings.Contains(header, " $0-")
		if frame {
			frames++
		}
		if told := strings.Contains(body, "NO_LOCAL_POINTERS"); told != frame {
			t.Errorf("%s: NO_LOCAL_POINTERS: %v", header, told)
		}
	}
	if frames < 3 {
		t.Errorf("%d kernels have a frame: too few to tell", frames)
	}
}
