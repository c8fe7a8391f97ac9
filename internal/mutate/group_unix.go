//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// together makes cmd and everything that it starts a group, which ends as one: the go
// command does not end a test that it waits for, and a test not the program that it runs,
// which may be a kernel that never returns.
func together(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// end ends what is left of the group of a command that has ended.
func end(cmd *exec.Cmd) {
	if cmd.Process != nil {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}
