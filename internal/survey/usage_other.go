//go:build !linux

package survey

import "time"

// Usage is not known here.
func Usage() (cpu time.Duration, peak int64, ok bool) { return 0, 0, false }
