//go:build amd64 && unix

package contract

import "math"

// Lengths that a function wants are found by trying: those with which the original
// returns. Fit 0 gives all slices length n and all integers the value n, fit 1 makes
// the integers the root of n, for rows and columns, and fit 2+k all slices but that of
// leaf k too.

func root(n int) int { return int(math.Sqrt(float64(n))) }

// usual is the layout of a call that is meant to return.
func (p *pair) usual(n int, s series) layout {
	l := layout{n: n, series: s}
	if p.fit == 0 {
		return l
	}
	l.number = func(int) int { return root(n) }
	if long := p.fit - 2; long >= 0 {
		l.length = func(leaf int) int {
			if leaf == long {
				return n
			}
			return root(n)
		}
	}
	return l
}

// findFit sets the fit. Nests are tried with short sides first: with all lengths alike
// they may return at once.
func (p *pair) findFit() {
	order := []int{0, 1, 2, 3, 4}
	if p.Depth > 1 {
		order = []int{3, 4, 2, 1, 0}
	}
	for _, p.fit = range order {
		if call(p.want, p.arrange(memories[0], p.usual(83, series{style: benign, stride: 1})).args).text == "" {
			return
		}
	}
	p.fit = 0
}

// longest is the greatest length up to n that a nest handles in passable time.
func (p *pair) longest(n int) int {
	if p.Depth > 1 && p.fit == 0 {
		return min(n, 120)
	}
	if p.Depth > 1 {
		return min(n, 4100)
	}
	return n
}

// blocks are lengths around those of blocks and strips.
var blocks = []int{255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 2049, 4095, 4096, 4097, 8191, 8192, 8193, 16385, 32769}
