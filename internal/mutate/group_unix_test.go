//go:build unix

package main

import (
	"context"
	"errors"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestGroup ends a command, and with it what it has started.
func TestGroup(t *testing.T) {
	for _, c := range []struct{ name, script string }{
		{"waits", "sleep 100 & echo $!; wait"},
		{"leaves", "sleep 100 >/dev/null 2>&1 & echo $!"},
	} {
		ctx, stop := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer stop()
		cmd := exec.CommandContext(ctx, "sh", "-c", c.script)
		together(cmd)
		cmd.WaitDelay = time.Second
		out, _ := cmd.CombinedOutput()
		end(cmd)
		pid, err := strconv.Atoi(strings.TrimSpace(string(out)))
		if err != nil {
			t.Fatal(err)
		}
		if !gone(pid) {
			syscall.Kill(pid, syscall.SIGKILL)
			t.Errorf("%s: the process in the background runs on", c.name)
		}
	}
}

// gone waits for the end of a process, which may be that of a zombie nobody waits for.
func gone(pid int) bool {
	for range 100 {
		if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
			return true
		}
		state, err := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(pid)).Output()
		if err != nil || strings.HasPrefix(string(state), "Z") {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}
