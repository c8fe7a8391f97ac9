//go:build !unix

package twintest

import "time"

// spent stands for processor time, which is asked for differently here.
func spent() time.Duration { return time.Since(began) }

var began = time.Now()
