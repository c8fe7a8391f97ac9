// Plugin2 is built as a plugin that has one package in common with another one.
package main

import (
	"example.com/m/kinds"
	small "example.com/m/small"
)

// Same is the same function of two packages.
func Same(bytes int) (different string) { return kinds.Same(bytes) + small.Same(bytes) }

func main() {}
