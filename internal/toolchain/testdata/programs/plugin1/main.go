// Plugin1 is built as a plugin that compares twins with their originals.
package main

import "example.com/m/kinds"

// Same is kinds.Same.
func Same(bytes int) (different string) { return kinds.Same(bytes) }

func main() {}
