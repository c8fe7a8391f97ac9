package guard

// Yield is called between two calls of a kernel that each take as long as one may. It
// lets the goroutine be stopped there.
//
// Kernels cannot be interrupted, and have no frame in which they would see that they
// are to stop; in the few instructions between two of them a signal arrives too rarely.
// A function that calls another one begins with a look at the stack, which is where the
// scheduler asks.
//
//go:noinline
func Yield() { nothing() }

//go:noinline
func nothing() {}
