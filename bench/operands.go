package main

import "math/rand/v2"

// Operands are what the functions of a menu work on, all of one length. Functions take
// what they need of them.
type operands[T number] struct {
	dst, other []T // stored to
	marks      []bool
	x, y, z    []T    // between -9 and 9 (floats -11 and 11), without zero
	keep       []bool // every second one, at random
	index      []int  // all indices in random order
	wide, pair []T    // stored to and read, of twice the length
	a          T
}

// windows is how many operands contenders take in turns when they are short: at
// different places of the memory, as in most programs.
const windows = 64

// makeOperands gives windows of n elements that stay in the first-level cache, or one.
func makeOperands[T number](n int) []operands[T] {
	count := max(1, min(windows, predictable/max(n, 1)/4))
	all := operands[T]{
		dst: make([]T, n*count), other: make([]T, n*count), marks: make([]bool, n*count),
		x: withoutZero[T](n*count, 1), y: withoutZero[T](n*count, 2), z: withoutZero[T](n*count, 3),
		wide: make([]T, 2*n*count), pair: withoutZero[T](2*n*count, 4),
	}
	r := rand.New(rand.NewPCG(5, 1))
	os := make([]operands[T], count)
	for w := range os {
		lo, hi := w*n, (w+1)*n
		os[w] = operands[T]{
			dst: all.dst[lo:hi], other: all.other[lo:hi], marks: all.marks[lo:hi],
			x: all.x[lo:hi], y: all.y[lo:hi], z: all.z[lo:hi],
			keep: make([]bool, n), index: r.Perm(n),
			wide: all.wide[2*lo : 2*hi], pair: all.pair[2*lo : 2*hi], a: 3,
		}
		for i := range os[w].keep {
			os[w].keep[i] = r.IntN(2) == 0
		}
	}
	return os
}

func withoutZero[T number](n int, seed uint64) []T {
	x := fill[T](n, seed, 1, 9)
	r := rand.New(rand.NewPCG(seed, 2))
	for i := range x {
		if r.IntN(2) == 0 {
			x[i] = -x[i]
		}
	}
	if T(1)/2 != 0 { // floats of many bits
		for i := range x {
			x[i] += x[i] / 7
		}
	}
	return x
}

// An original, a twin and a library are contenders; those that there are not are nil.
func original[T number](f func(o *operands[T])) named[func(o *operands[T])] {
	return library("original", f)
}

func twin[T number](f func(o *operands[T])) named[func(o *operands[T])] {
	return library("twin", f)
}

// course is a row of functions that may be repeated on their operands.
func course[T number](name string, fs ...named[func(o *operands[T])]) row {
	return row{name, func(n int) []contender {
		var cs []contender
		os := makeOperands[T](n)
		for _, v := range fs {
			if v.f == nil {
				continue
			}
			at := 0
			repeat := func(n int) {
				for range n {
					v.f(&os[at])
					if at++; at == len(os) {
						at = 0
					}
				}
			}
			stored := func() any { return []any{os[0].dst, os[0].other, os[0].marks, os[0].wide} }
			cs = append(cs, contender{name: v.name, call: func() { repeat(1) }, repeat: repeat, rough: v.rough, stored: stored})
		}
		return cs
	}}
}
