//go:build !linux

package main

func threadClock() clock { return nil }
