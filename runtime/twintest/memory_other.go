//go:build !linux

package twintest

func limitMemory(uint64) {}
