//go:build !amd64

package cpu

func supported(string) bool { return false }
