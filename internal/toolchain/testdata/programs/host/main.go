// Command host loads plugins and has them compare twins with their originals. It has one
// package in common with them.
package main

import (
	"fmt"
	"os"
	"plugin"

	"example.com/m/kinds"
)

func main() {
	compare := []func(int) string{kinds.Same}
	for _, name := range os.Args[1:] {
		p, err := plugin.Open(name)
		if err != nil {
			fail(err)
		}
		same, err := p.Lookup("Same")
		if err != nil {
			fail(err)
		}
		compare = append(compare, same.(func(int) string))
	}
	for i, c := range compare {
		if different := c(1 << 16); different != "" {
			fail(fmt.Errorf("%s differs in module %d", different, i))
		}
	}
	fmt.Println("same")
}

func fail(err error) {
	fmt.Println(err)
	os.Exit(1)
}
