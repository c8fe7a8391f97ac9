// Command same compares twins with their originals, in packages that share as much code
// as they can and as usual; their routines and constants have the same names.
package main

import (
	"fmt"
	"os"

	"example.com/m/kinds"
	small "example.com/m/small"
)

func main() {
	for _, bytes := range []int{4096, 1 << 16} {
		for _, different := range []string{kinds.Same(bytes), small.Same(bytes)} {
			if different != "" {
				fmt.Printf("%s differs on %d bytes\n", different, bytes)
				os.Exit(1)
			}
		}
	}
	different, moved := kinds.OnStack(48)
	if different != "" {
		fmt.Printf("%s differs on the stack\n", different)
		os.Exit(1)
	}
	fmt.Printf("%d arrays moved, the results are the same\n", moved)
}
