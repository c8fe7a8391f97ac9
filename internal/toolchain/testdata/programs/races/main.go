// Command races calls a twin in one goroutine while another one accesses an element of
// the same slices, or of others.
package main

import (
	"fmt"
	"os"
	"sync"

	"example.com/m/kinds"
)

var sink float32

func main() {
	x, y := make([]float32, 4096), make([]float32, 4096)
	index := make([]uint32, 1000)
	numbers := make([]int32, 4096)
	other := map[string]func(){
		// the twin reads x and writes y
		"write to what is read":    func() { x[1234] = 1 },
		"write to what is written": func() { y[1234] = 1 },
		"read of what is written":  func() { sink = y[1234] },
		"read of what is read":     func() { sink = x[1234] },
		"behind it":                func() { y[2000], x[2000] = 1, 1 },
	}[os.Args[1]]
	call := func() { kinds.Axpy(2, x[:2000], y[:2000]) }
	switch os.Args[1] {
	case "write to an index": // of a gather
		other, call = func() { index[77] = 1 }, func() { kinds.Take(numbers[:1000], index, numbers[1000:]) }
	case "write to what is summed up":
		other, call = func() { numbers[500] = 1 }, func() { kinds.Sum(numbers) }
	case "halves":
		call = func() { kinds.Axpy(2, x[:2000], y[:2000]) }
		other = func() { kinds.Axpy(2, x[2000:], y[2000:]) }
	}
	var both sync.WaitGroup
	both.Go(call)
	both.Go(other)
	both.Wait()
	fmt.Println("done")
}
