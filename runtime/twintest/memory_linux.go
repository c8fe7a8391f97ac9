package twintest

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// limitMemory lets the process have so many more bytes of addresses than it has.
func limitMemory(more uint64) {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return
	}
	pages, err := strconv.ParseUint(strings.Fields(string(text))[0], 10, 64)
	if err != nil {
		return
	}
	limit := pages*uint64(os.Getpagesize()) + more
	var l syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_AS, &l) == nil && limit < l.Cur {
		l.Cur = limit
		_ = syscall.Setrlimit(syscall.RLIMIT_AS, &l) // without it other processes have less memory
	}
}
