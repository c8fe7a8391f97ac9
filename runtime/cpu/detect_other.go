//go:build !amd64

package cpu

func splits512() bool { return false }

func supported(string) bool { return false }
