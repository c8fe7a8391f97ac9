package main

// A row is one line of a table.
type row struct {
	name       string
	contenders func(n int) []contender
}

// A named function is a contender before it gets data.
type named[F any] struct {
	name  string
	f     F
	rough bool // see approximation
}

// versions lists the two functions every row has.
func versions[F any](original, twin F, libraries ...named[F]) []named[F] {
	return append([]named[F]{library("original", original), library("twin", twin)}, libraries...)
}

// library is a function of a library with the signature of the row.
func library[F any](name string, f F) named[F] { return named[F]{name: name, f: f} }

// approximation is a library whose results are not as exact as those of the original: quotients as products with a reciprocal,
// roots from an estimate.
func approximation[F any](name string, f F) named[F] { return named[F]{name: name, f: f, rough: true} }

// repeatable builds contenders for work that may be repeated on its data: data makes
// size elements of what is needed, and returns the call of a function for n of them
// from an offset on.
func repeatable[F any](name string, size int, data func(size int) func(f F, at, n int), fs []named[F]) row {
	return row{name, func(n int) []contender {
		cs := []contender{}
		size := elements(n, size)
		call := data(size)
		for _, v := range fs {
			w := &window{n: n, size: size}
			cs = append(cs, contender{name: v.name, call: func() { call(v.f, w.next(), n) }})
		}
		return cs
	}}
}

// reduce1 is a row of functions that read one slice.
func reduce1[T number, R any](name string, size, lo, hi int, fs []named[func([]T) R]) row {
	return repeatable(name, size, func(size int) func(f func([]T) R, at, n int) {
		x := fill[T](size, 1, lo, hi)
		return func(f func([]T) R, at, n int) { f(x[at : at+n]) }
	}, fs)
}

// reduce2 is a row of functions that read two slices.
func reduce2[T number, R any](name string, size, lo, hi int, fs []named[func(x, y []T) R]) row {
	return repeatable(name, size, func(size int) func(f func(x, y []T) R, at, n int) {
		x, y := fill[T](size, 1, lo, hi), fill[T](size, 2, lo, hi)
		return func(f func(x, y []T) R, at, n int) { f(x[at:at+n], y[at:at+n]) }
	}, fs)
}

// map1 is a row of functions that store one slice from another.
func map1[D, T number](name string, size, lo, hi int, fs []named[func(dst []D, x []T)]) row {
	return repeatable(name, size, func(size int) func(f func(dst []D, x []T), at, n int) {
		dst, x := written[D](size), fill[T](size, 1, lo, hi)
		return func(f func(dst []D, x []T), at, n int) { f(dst[at:at+n], x[at:at+n]) }
	}, fs)
}

// map2 is a row of functions that store one slice from two others.
func map2[T number](name string, size, lo, hi int, fs []named[func(dst, x, y []T)]) row {
	return repeatable(name, size, func(size int) func(f func(dst, x, y []T), at, n int) {
		dst, x, y := written[T](size), fill[T](size, 1, lo, hi), fill[T](size, 2, lo, hi)
		return func(f func(dst, x, y []T), at, n int) { f(dst[at:at+n], x[at:at+n], y[at:at+n]) }
	}, fs)
}

// inPlace is a row of functions that may be repeated on the slice they change.
func inPlace[T number](name string, fs []named[func(x []T)]) row {
	return repeatable(name, predictable, func(size int) func(f func(x []T), at, n int) {
		x := fill[T](size, 1, -100, 100)
		return func(f func(x []T), at, n int) { f(x[at : at+n]) }
	}, fs)
}

// destructive is a row of functions that find nothing to do the second time:
// the data is restored before each sample.
func destructive[T number](name string, lo, hi int, fs []named[func(x []T)]) row {
	return row{name, func(n int) []contender {
		size := max(n, endless)
		cs := []contender{}
		for _, v := range fs {
			cs = append(cs, once(v, fill[T](size, 1, lo, hi), n))
		}
		return cs
	}}
}

// once is a contender that uses each window of data one time per sample. The next
// sample goes on where the last one stopped: starting over would show the branch
// predictor the same elements again and again.
func once[T any](v named[func(x []T)], data []T, n int) contender {
	x := make([]T, len(data))
	w := &window{n: n, size: len(data)}
	return contender{
		name:  v.name,
		call:  func() { at := w.next(); v.f(x[at : at+n]) },
		reset: func() { copy(x, data) },
		calls: max(len(data)/max(n, 1), 1),
	}
}
