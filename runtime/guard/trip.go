package guard

import "math"

// The Trip functions count the iterations of
//
//	for i := start; i < limit; i += step
//
// and its relatives before the first wrap-around of i. A count that does not
// fit an int is given as the largest int; a step of the wrong sign gives 0.
//
// Distances are taken as unsigned differences: when start lies on the running
// side of limit these are exact, however far apart the two are.

// TripLess counts for i < limit; step is positive.
func TripLess(start, limit, step int) int {
	if start >= limit || step <= 0 {
		return 0
	}
	return int(min((uint(limit)-uint(start)-1)/uint(step), math.MaxInt-1) + 1)
}

// TripLessEq counts for i <= limit; step is positive.
func TripLessEq(start, limit, step int) int {
	if start > limit || step <= 0 {
		return 0
	}
	return int(min((uint(limit)-uint(start))/uint(step), math.MaxInt-1) + 1)
}

// TripGreater counts for i > limit; step is negative.
func TripGreater(start, limit, step int) int {
	if start <= limit || step >= 0 {
		return 0
	}
	return int(min((uint(start)-uint(limit)-1)/-uint(step), math.MaxInt-1) + 1)
}

// TripGreaterEq counts for i >= limit; step is negative.
func TripGreaterEq(start, limit, step int) int {
	if start < limit || step >= 0 {
		return 0
	}
	return int(min((uint(start)-uint(limit))/-uint(step), math.MaxInt-1) + 1)
}

// TripNotEq counts for i != limit, step of either sign: the iterations that
// have not reached limit, as integers without wrap-around. When i starts
// beyond limit the loop runs through the wrap-around, and the count is 0.
func TripNotEq(start, limit, step int) int {
	if step > 0 {
		return TripLess(start, limit, step)
	}
	return TripGreater(start, limit, step)
}

// TripLessU counts for i < limit on unsigned integers; step is positive.
func TripLessU(start, limit uint, step int) int {
	if start >= limit || step <= 0 {
		return 0
	}
	return int(min((limit-start-1)/uint(step), math.MaxInt-1) + 1)
}

// TripLessEqU counts for i <= limit on unsigned integers; step is positive.
func TripLessEqU(start, limit uint, step int) int {
	if start > limit || step <= 0 {
		return 0
	}
	return int(min((limit-start)/uint(step), math.MaxInt-1) + 1)
}

// TripGreaterU counts for i > limit on unsigned integers; step is negative.
func TripGreaterU(start, limit uint, step int) int {
	if start <= limit || step >= 0 {
		return 0
	}
	return int(min((start-limit-1)/-uint(step), math.MaxInt-1) + 1)
}

// TripGreaterEqU counts for i >= limit on unsigned integers; step is negative.
// With a limit of 0 the loop never ends by itself; the count ends where i
// would wrap.
func TripGreaterEqU(start, limit uint, step int) int {
	if start < limit || step >= 0 {
		return 0
	}
	return int(min((start-limit)/-uint(step), math.MaxInt-1) + 1)
}

// Within counts the leading iterations t < n with lo <= start + t*step < hi, in
// exact arithmetic. A step of 0 asks about start alone.
func Within(n, start, step, lo, hi int) int {
	if n <= 0 || start < lo || start >= hi {
		return 0
	}
	if step > 0 {
		return int(min(uint(n)-1, (uint(hi)-uint(start)-1)/uint(step)) + 1)
	}
	if step < 0 {
		return int(min(uint(n)-1, (uint(start)-uint(lo))/-uint(step)) + 1)
	}
	return n
}

// Quo is x divided by y, rounded towards 0, or x if y is not positive.
func Quo(x, y int) int { return x / max(y, 1) }

// Rem is the remainder of x by y, with the sign of x, or 0 if y is not positive.
func Rem(x, y int) int { return x % max(y, 1) }

// Less is 1 if x < y, else 0.
func Less(x, y int) int {
	if x < y {
		return 1
	}
	return 0
}
