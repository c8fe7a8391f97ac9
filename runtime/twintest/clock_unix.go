//go:build unix

package twintest

import (
	"syscall"
	"time"
)

// spent is the processor time of the process: what other processes take does not shorten a test.
// To ask for one's own never fails.
func spent() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
