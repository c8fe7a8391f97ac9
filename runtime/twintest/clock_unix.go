//go:build unix

package twintest

import (
	"syscall"
	"time"
)

// spent is the processor time of the process: what other processes take does not shorten a test.
func spent() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return time.Since(began)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

var began = time.Now()
