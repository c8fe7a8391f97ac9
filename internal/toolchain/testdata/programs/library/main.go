// Library is built as a library for C.
package main

import "C"

import (
	"fmt"

	"example.com/m/kinds"
)

// Different tells how many kinds of twins differ from their originals, up to one.
//
//export Different
func Different(bytes int) int {
	if different := kinds.Same(bytes); different != "" {
		fmt.Printf("%s differs\n", different)
		return 1
	}
	fmt.Println("same")
	return 0
}

func main() {}
