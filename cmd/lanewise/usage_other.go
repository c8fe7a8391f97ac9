//go:build !linux

package main

import "time"

// usage is not known here.
func usage() (cpu time.Duration, peak int64, ok bool) { return 0, 0, false }
