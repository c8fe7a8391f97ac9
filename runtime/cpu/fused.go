//go:build amd64.v3

package cpu

// Fused says that the compiler makes one rounding of x*y + z where it sees it, as it does for
// GOAMD64=v3 and above: what it makes of package math has other bits then.
const Fused = true
