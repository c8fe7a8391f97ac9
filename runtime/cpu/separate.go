//go:build !amd64.v3

package cpu

// Fused says that the compiler makes one rounding of x*y + z where it sees it. It does so for
// GOAMD64=v3 and above.
const Fused = false
