package dep

// window gives the address differences that a vector block of the given number
// of lanes must avoid: with access A done before B, both moving by step bytes per
// iteration, and d the address of B minus that of A in one iteration, the block is
// right when d <= lo or d >= hi. It is for A before B in the program with from = 1,
// else with from = 0.
//
// Proof. Let A touch [a + t*step, a + t*step + sizeA) in iteration t and B
// [b + t*step, b + t*step + sizeB), and d = b - a. The block runs all lanes of A
// and then all lanes of B. For A in iteration t and B in iteration u >= t that
// is the order of the scalar program. For A in iteration u and B in iteration
// t < u it is the opposite one, which shows only if they touch a common byte:
//
//	a + u*step < b + t*step + sizeB  and  b + t*step < a + u*step + sizeA
//
// With j = u - t, which runs from 1 to lanes-1 inside a block (from 0 where B comes
// before A in the program: then iteration t = u has the opposite order, too), that is
//
//	-sizeB < d - j*step < sizeA
//
// so d must lie in none of the intervals (j*step - sizeB, j*step + sizeA). Their
// hull, from the lowest j*step to the highest, is the window. Where the step is
// no larger than the two sizes together less one, the intervals leave no gap and
// the window is exact: every d inside is wrong. Two accesses of one instruction
// and accesses in different blocks never change order. QED
//
// The window does not depend on the number of iterations, and a smaller block
// has a window inside that of a larger one.
func window(step, sizeA, sizeB int64, lanes int, from int64) (lo, hi int64) {
	near, away := from*step, int64(lanes-1)*step
	return min(near, away) - sizeB, max(near, away) + sizeA
}
