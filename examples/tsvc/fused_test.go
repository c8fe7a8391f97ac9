package tsvc

// fuses reports whether the compiler fuses products with sums in this build, as it does
// from GOAMD64=v3 on. Twins never do: vec_test.go compares them with copies of the loops
// that do not fuse either.
func fuses() bool {
	x := float32(1 + 1.0/4096)
	return mulAdd(x, x, -1) != float32(x*x)-1
}

//go:noinline
func mulAdd(x, y, z float32) float32 { return x*y + z }
