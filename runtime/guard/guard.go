// Package guard holds the tests that generated code makes before it calls a
// kernel: how many iterations the loop certainly has, how many of them stay
// inside a slice, whether two streams of memory touch.
//
// Everything here may say less than the truth (fewer iterations, "may overlap")
// and never more: what is left over runs in the user's own scalar loop. The
// package knows nothing of kernels and imports only the standard library.
package guard

import "cmp"

// Len is len(s) where the name len means something else.
func Len[S ~[]E, E any](s S) int { return len(s) }

// Cap is cap(s) where the name cap means something else.
func Cap[S ~[]E, E any](s S) int { return cap(s) }

// LenString is len(s) of a string where the name len means something else.
func LenString[S ~string](s S) int { return len(s) }

// Min is min(x, y) where the name min means something else.
func Min[T cmp.Ordered](x, y T) T { return min(x, y) }

// Max is max(x, y) where the name max means something else.
func Max[T cmp.Ordered](x, y T) T { return max(x, y) }
