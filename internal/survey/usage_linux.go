package survey

import (
	"syscall"
	"time"
)

// Usage is the processor time of this process and the most memory it had, in bytes.
func Usage() (cpu time.Duration, peak int64, ok bool) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, 0, false
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), u.Maxrss << 10, true
}
