// Package tsvc has loops of TSVC, the Test Suite for Vectorizing Compilers
// (D. Callahan, J. Dongarra, D. Levine, 1988; TSVC_2 by S. Maleki and others, 2011), in Go.
package tsvc

//go:generate go tool lanewise -tests .

// s000: linear dependence testing; elementwise add with no dependence at all.
//
//vec:func S000
func s000(a, b []float32) {
	for i := range a {
		a[i] = b[i] + 1
	}
}

// s1111: linear dependence testing; independent iterations with stride-two stores and repeated products.
//
//vec:func S1111
func s1111(a, b, c, d []float32) {
	for i := 0; i < len(a)/2; i++ {
		a[2*i] = c[i]*b[i] + d[i]*b[i] + c[i]*c[i] + d[i]*b[i] + d[i]*c[i]
	}
}

// s1112: linear dependence testing; elementwise add walked from the end to the start.
//
//vec:func S1112
func s1112(a, b []float32) {
	for i := len(a) - 1; i >= 0; i-- {
		a[i] = b[i] + 1
	}
}

// s1113: linear dependence testing; every iteration reads the middle element, which one iteration overwrites.
//
//vec:func S1113
func s1113(a, b []float32) {
	for i := range a {
		a[i] = a[len(a)/2] + b[i]
	}
}

// s115: linear dependence testing; triangular saxpy, the inner loop never writes the pivot it reads.
//
//vec:func S115
func s115(a []float32, aa *[256][256]float32) {
	for j := range aa {
		for i := j + 1; i < len(aa); i++ {
			a[i] -= aa[j][i] * a[j]
		}
	}
}

// s116: linear dependence testing; five hand-unrolled statements, each reading the next element before it changes.
//
//vec:func S116
func s116(a []float32) {
	for i := 0; i < len(a)-5; i += 5 {
		a[i] = a[i+1] * a[i]
		a[i+1] = a[i+2] * a[i+1]
		a[i+2] = a[i+3] * a[i+2]
		a[i+3] = a[i+4] * a[i+3]
		a[i+4] = a[i+5] * a[i+4]
	}
}

// s119: linear dependence testing; diagonal distance, the inner loop carries nothing.
//
//vec:func S119
func s119(aa, bb *[256][256]float32) {
	for i := 1; i < len(aa); i++ {
		for j := 1; j < len(aa[i]); j++ {
			aa[i][j] = aa[i-1][j-1] + bb[i][j]
		}
	}
}

// s121: induction variable recognition; the subscript is a scalar stored in the loop and always one ahead.
//
//vec:func S121
func s121(a, b []float32) {
	var j int
	for i := 0; i < len(a)-1; i++ {
		j = i + 1
		a[i] = a[j] + b[i]
	}
}

// s123: induction variable recognition; a store position that advances a second time only under a condition.
//
//vec:func S123
func s123(a, b, c, d, e []float32) {
	j := -1
	for i := 0; i < len(a)/2; i++ {
		j++
		a[j] = b[i] + d[i]*e[i]
		if c[i] > 0 {
			j++
			a[j] = c[i] + d[i]*e[i]
		}
	}
}

// s125: induction variable recognition; one counter runs through both loops of a collapsible nest.
//
//vec:func S125
func s125(flat []float32, aa, bb, cc *[256][256]float32) {
	k := -1
	for i := range aa {
		for j := range aa[i] {
			k++
			flat[k] = aa[i][j] + bb[i][j]*cc[i][j]
		}
	}
}

// s127: induction variable recognition; the counter advances twice in each iteration.
//
//vec:func S127
func s127(a, b, c, d, e []float32) {
	j := -1
	for i := 0; i < len(a)/2; i++ {
		j++
		a[j] = b[i] + c[i]*d[i]
		j++
		a[j] = b[i] + d[i]*e[i]
	}
}

// s132: global data flow analysis; two row subscripts that differ only through known locals.
//
//vec:func S132
func s132(b, c []float32, aa *[256][256]float32) {
	m := 0
	j := m
	k := m + 1
	for i := 1; i < len(aa); i++ {
		aa[j][i] = aa[k][i-1] + b[i]*c[1]
	}
}

// s151s: interprocedural data flow analysis; the callee of s151, its offset unknown on its own.
func s151s(a, b []float32, m int) {
	for i := 0; i < len(a)-1; i++ {
		a[i] = a[i+m] + b[i]
	}
}

// s151: interprocedural data flow analysis; the loop sits in a callee whose offset is a constant at the call.
//
//vec:func S151
func s151(a, b []float32) {
	s151s(a, b, 1)
}

// s161: control flow; two exclusive branches, one writing the element the next iteration's other branch reads.
//
//vec:func S161
func s161(a, b, c, d, e []float32) {
	for i := 0; i < len(a)-1; i++ {
		if b[i] < 0 {
			c[i+1] = a[i] + d[i]*d[i]
			continue
		}
		a[i] = c[i] + d[i]*e[i]
	}
}

// s162: control flow; the guard around the loop proves the read offset positive.
//
//vec:func S162
func s162(a, b, c []float32, k int) {
	if k > 0 {
		for i := 0; i < len(b)-1; i++ {
			a[i] = a[i+k] + b[i]*c[i]
		}
	}
}

// s172: symbolics; symbolic start and step, safe whenever the step is not zero.
//
//vec:func S172
func s172(a, b []float32, n1, n3 int) {
	for i := n1 - 1; i < len(a); i += n3 {
		a[i] += b[i]
	}
}

// s174: symbolics; the store offset equals the trip count, both one parameter.
//
//vec:func S174
func s174(a, b []float32, m int) {
	for i := 0; i < m; i++ {
		a[i+m] = a[i] + b[i]
	}
}

// s176: symbolics; convolution with a reversed window.
//
//vec:func S176
func s176(a, b, c []float32) {
	m := len(a) / 2
	for j := 0; j < len(a)/2; j++ {
		for i := 0; i < m; i++ {
			a[i] += b[i+m-j-1] * c[j]
		}
	}
}

// s212: statement reordering; the next element must be saved before the first statement changes it.
//
//vec:func S212
func s212(a, b, c, d []float32) {
	for i := 0; i < len(a)-1; i++ {
		a[i] *= c[i]
		b[i] += a[i+1] * d[i]
	}
}

// s221: loop distribution; one independent statement next to one running sum.
//
//vec:func S221
func s221(a, b, c, d []float32) {
	for i := 1; i < len(a); i++ {
		a[i] += c[i] * d[i]
		b[i] = b[i-1] + a[i] + d[i]
	}
}

// s222: loop distribution; a squaring recurrence sits between two independent statements.
//
//vec:func S222
func s222(a, b, c, e []float32) {
	for i := 1; i < len(a); i++ {
		a[i] += b[i] * c[i]
		e[i] = e[i-1] * e[i-1]
		a[i] -= b[i] * c[i]
	}
}

// s232: loop interchange; triangular nest with a quadratic recurrence along each row.
//
//vec:func S232 require
func s232(aa, bb *[256][256]float32) {
	for j := 1; j < len(aa); j++ {
		for i := 1; i <= j; i++ {
			aa[j][i] = aa[j][i-1]*aa[j][i-1] + bb[j][i]
		}
	}
}

// s233: loop interchange; two inner loops, recurrences in different directions.
//
//vec:func S233
func s233(aa, bb, cc *[256][256]float32) {
	for i := 1; i < len(aa); i++ {
		for j := 1; j < len(aa); j++ {
			aa[j][i] = aa[j-1][i] + cc[j][i]
		}
		for j := 1; j < len(bb); j++ {
			bb[j][i] = bb[j][i-1] + cc[j][i]
		}
	}
}

// s235: loop interchange; a statement before the inner loop makes the nest imperfect.
//
//vec:func S235
func s235(a, b, c []float32, aa, bb *[256][256]float32) {
	for i := range aa {
		a[i] += b[i] * c[i]
		for j := 1; j < len(aa); j++ {
			aa[j][i] = aa[j-1][i] + bb[j][i]*a[i]
		}
	}
}

// s242: node splitting; a running sum around a sum of independent terms.
//
//vec:func S242
func s242(a, b, c, d []float32, s1, s2 float32) {
	for i := 1; i < len(a); i++ {
		a[i] = a[i-1] + s1 + s2 + b[i] + c[i] + d[i]
	}
}

// s244: node splitting; the next element is updated here and overwritten by the following iteration.
//
//vec:func S244
func s244(a, b, c, d []float32) {
	for i := 0; i < len(a)-1; i++ {
		a[i] = b[i] + c[i]*d[i]
		b[i] = c[i] + b[i]
		a[i+1] = b[i] + a[i+1]*d[i]
	}
}

// s2244: node splitting; two stores to neighbouring elements, the later iteration's store wins.
//
//vec:func S2244
func s2244(a, b, c, e []float32) {
	for i := 0; i < len(a)-1; i++ {
		a[i+1] = b[i] + e[i]
		a[i] = b[i] + c[i]
	}
}

// s1251: scalar and array expansion; the temporary is live across a store to one of its sources.
//
//vec:func S1251
func s1251(a, b, c, d, e []float32) {
	var s float32
	for i := range a {
		s = b[i] + c[i]
		b[i] = a[i] + d[i]
		a[i] = s * e[i]
	}
}

// s3251: scalar and array expansion; the value stored one ahead is read back in the next iteration.
//
//vec:func S3251
func s3251(a, b, c, d, e []float32) {
	for i := 0; i < len(a)-1; i++ {
		a[i+1] = b[i] + c[i]
		b[i] = c[i] * e[i]
		d[i] = a[i] * e[i]
	}
}

// s253: scalar and array expansion; the scalar is assigned and used only under a condition.
//
//vec:func S253
func s253(a, b, c, d []float32) {
	var s float32
	for i := range a {
		if a[i] > b[i] {
			s = a[i] - b[i]*d[i]
			c[i] += s
			a[i] = s
		}
	}
}

// s255: scalar and array expansion; two carried scalars replace the two previous elements.
//
//vec:func S255
func s255(a, b []float32) {
	x := b[len(b)-1]
	y := b[len(b)-2]
	for i := range a {
		a[i] = (b[i] + x + y) * .333
		y = x
		x = b[i]
	}
}

// s257: scalar and array expansion; one vector element acts as the scalar temporary of the inner loop.
//
//vec:func S257 require
func s257(a []float32, aa, bb *[256][256]float32) {
	for i := 1; i < len(aa); i++ {
		for j := range aa {
			a[i] = aa[j][i] - a[i-1]
			aa[j][i] = a[i] + bb[j][i]
		}
	}
}

// s261: scalar and array expansion; one scalar serves two unrelated values and must be renamed.
//
//vec:func S261
func s261(a, b, c, d []float32) {
	var t float32
	for i := 1; i < len(a); i++ {
		t = a[i] + b[i]
		a[i] = t + c[i-1]
		t = c[i] * d[i]
		c[i] = t
	}
}

// s272: control flow; two updates under a threshold that the loop does not change.
//
//vec:func S272
func s272(a, b, c, d, e []float32, t float32) {
	for i := range a {
		if e[i] >= t {
			a[i] += c[i] * d[i]
			b[i] += c[i] * c[i]
		}
	}
}

// s274: control flow; a freshly computed value chooses between two stores, one of them to itself.
//
//vec:func S274
func s274(a, b, c, d, e []float32) {
	for i := range a {
		a[i] = c[i] + e[i]*d[i]
		if a[i] > 0 {
			b[i] = a[i] + b[i]
		} else {
			a[i] = d[i] * e[i]
		}
	}
}

// s2275: control flow; a trailing statement must be split off before the nest can be interchanged.
//
//vec:func S2275
func s2275(a, b, c, d []float32, aa, bb, cc *[256][256]float32) {
	for i := range aa {
		for j := range aa {
			aa[j][i] = aa[j][i] + bb[j][i]*cc[j][i]
		}
		a[i] = b[i] + c[i]*d[i]
	}
}

// s277: control flow; a guard reads the element that the previous iteration may have written.
//
//vec:func S277
func s277(a, b, c, d, e []float32) {
	for i := 0; i < len(a)-1; i++ {
		if a[i] >= 0 {
			continue
		}
		if !(b[i] >= 0) {
			a[i] += c[i] * d[i]
		}
		b[i+1] = c[i] + d[i]*e[i]
	}
}

// s279: control flow; a nested test on a value computed inside the else arm, then a common join.
//
//vec:func S279
func s279(a, b, c, d, e []float32) {
	for i := range a {
		if a[i] > 0 {
			c[i] = -c[i] + e[i]*e[i]
		} else {
			b[i] = -b[i] + d[i]*d[i]
			if !(b[i] <= a[i]) {
				c[i] += d[i] * e[i]
			}
		}
		a[i] = b[i] + c[i]*d[i]
	}
}

// s2710: control flow; per-element conditions mixed with two loop-invariant ones.
//
//vec:func S2710
func s2710(a, b, c, d, e []float32, x float32) {
	for i := range a {
		if a[i] > b[i] {
			a[i] += b[i] * d[i]
			if len(a) > 10 {
				c[i] += d[i] * d[i]
			} else {
				c[i] = d[i]*e[i] + 1
			}
		} else {
			b[i] = a[i] + e[i]*e[i]
			if x > 0 {
				c[i] = a[i] + d[i]*d[i]
			} else {
				c[i] += e[i] * e[i]
			}
		}
	}
}

// s2712: control flow; update under a comparison of two arrays, one of them the destination.
//
//vec:func S2712
func s2712(a, b, c []float32) {
	for i := range a {
		if a[i] > b[i] {
			a[i] += b[i] * c[i]
		}
	}
}

// s1281: crossing thresholds; the same two stores with all reads at the current position.
//
//vec:func S1281
func s1281(a, b, c, d, e []float32) {
	for i := range a {
		x := b[i]*c[i] + a[i]*d[i] + e[i]
		a[i] = x - 1
		b[i] = x
	}
}

// s292: loop peeling; two previous indices are carried and wrap around from the end.
//
//vec:func S292
func s292(a, b []float32) {
	im1 := len(a) - 1
	im2 := len(a) - 2
	for i := range a {
		a[i] = (b[i] + b[im1] + b[im2]) * .333
		im2 = im1
		im1 = i
	}
}

// s2101: diagonals; multiply-add along the main diagonal.
//
//vec:func S2101 require
func s2101(aa, bb, cc *[256][256]float32) {
	for i := range aa {
		aa[i][i] += bb[i][i] * cc[i][i]
	}
}

// s2111: wavefronts; each element needs its left and upper neighbours, divided in double precision.
//
//vec:func S2111
func s2111(aa *[256][256]float32) {
	for j := 1; j < len(aa); j++ {
		for i := 1; i < len(aa[j]); i++ {
			aa[j][i] = float32(float64(aa[j][i-1]+aa[j-1][i]) / 1.9)
		}
	}
}

// s31111s: reductions; the callee of s31111, sum of the first four elements.
func s31111s(a []float32) float32 {
	var s float32
	for i := 0; i < 4; i++ {
		s += a[i]
	}
	return s
}

// s31111: reductions; eight calls that each sum four consecutive elements.
//
//vec:func S31111
func s31111(a []float32) float32 {
	var sum float32
	sum += s31111s(a)
	sum += s31111s(a[4:])
	sum += s31111s(a[8:])
	sum += s31111s(a[12:])
	sum += s31111s(a[16:])
	sum += s31111s(a[20:])
	sum += s31111s(a[24:])
	sum += s31111s(a[28:])
	return sum
}

// s313: reductions; dot product.
//
//vec:func S313
func s313(a, b []float32) float32 {
	var dot float32
	for i := range a {
		dot += a[i] * b[i]
	}
	return dot
}

// s315: reductions; maximum and the index of its first occurrence.
//
//vec:func S315
func s315(a []float32) (float32, int) {
	x := a[0]
	index := 0
	for i := range a {
		if a[i] > x {
			x = a[i]
			index = i
		}
	}
	return x, index
}

// s317: reductions; repeated product of a constant, with a closed form.
//
//vec:func S317
func s317(n int) float32 {
	q := float32(1)
	for i := 0; i < n/2; i++ {
		q *= .99
	}
	return q
}

// s319: reductions; one sum over two arrays that the loop also stores.
//
//vec:func S319
func s319(a, b, c, d, e []float32) float32 {
	var sum float32
	for i := range a {
		a[i] = c[i] + d[i]
		sum += a[i]
		b[i] = c[i] + e[i]
		sum += b[i]
	}
	return sum
}

// s13110: reductions; maximum of a matrix with both of its indices, the suite's second copy.
//
//vec:func S13110
func s13110(aa *[256][256]float32) (float32, int, int) {
	top := aa[0][0]
	xindex := 0
	yindex := 0
	for i := range aa {
		for j := range aa[i] {
			if aa[i][j] > top {
				top = aa[i][j]
				xindex = i
				yindex = j
			}
		}
	}
	return top, xindex, yindex
}

// s3112: reductions; running sum with every partial sum stored.
//
//vec:func S3112
func s3112(a, b []float32) float32 {
	var sum float32
	for i := range a {
		sum += a[i]
		b[i] = sum
	}
	return sum
}

// s321: recurrences; first-order linear recurrence.
//
//vec:func S321
func s321(a, b []float32) {
	for i := 1; i < len(a); i++ {
		a[i] += a[i-1] * b[i]
	}
}

// s323: recurrences; two arrays that feed each other across iterations.
//
//vec:func S323
func s323(a, b, c, d, e []float32) {
	for i := 1; i < len(a); i++ {
		a[i] = b[i-1] + c[i]*d[i]
		b[i] = a[i] + c[i]*e[i]
	}
}

// s332: search loops; first element above a threshold, leaving the loop at once.
//
//vec:func S332
func s332(a []float32, t float32) (int, float32) {
	index := -2
	value := float32(-1)
	for i := range a {
		if a[i] > t {
			index = i
			value = a[i]
			break
		}
	}
	return index, value
}

// s342: packing; consecutive source elements spread over the positive positions.
//
//vec:func S342
func s342(a, b []float32) {
	j := -1
	for i := range a {
		if a[i] > 0 {
			j++
			a[i] = b[j]
		}
	}
}

// s351: loop rerolling; saxpy unrolled by five by hand.
//
//vec:func S351
func s351(a, b, c []float32) {
	alpha := c[0]
	for i := 0; i < len(a); i += 5 {
		a[i] += alpha * b[i]
		a[i+1] += alpha * b[i+1]
		a[i+2] += alpha * b[i+2]
		a[i+3] += alpha * b[i+3]
		a[i+4] += alpha * b[i+4]
	}
}

// s352: loop rerolling; dot product unrolled by five by hand.
//
//vec:func S352
func s352(a, b []float32) float32 {
	var dot float32
	for i := 0; i < len(a); i += 5 {
		dot = dot + a[i]*b[i] + a[i+1]*b[i+1] + a[i+2]*b[i+2] + a[i+3]*b[i+3] + a[i+4]*b[i+4]
	}
	return dot
}

// s421: storage classes and equivalencing; two names for one array, reading one ahead of the store.
//
//vec:func S421
func s421(a, flat []float32) {
	xx := flat
	yy := xx
	for i := 0; i < len(a)-1; i++ {
		xx[i] = yy[i+1] + a[i]
	}
}

// s422: storage classes and equivalencing; a view shifted by four gives an anti-dependence at distance four.
//
//vec:func S422
func s422(a, flat []float32) {
	xx := flat[4:]
	for i := range a {
		xx[i] = flat[i+8] + a[i]
	}
}

// s424: storage classes and equivalencing; stores through a view come back as reads 64 iterations later.
//
//vec:func S424
func s424(a, flat []float32) {
	vl := 63
	xx := flat[vl:]
	for i := 0; i < len(a)-1; i++ {
		xx[i+1] = flat[i] + a[i]
	}
}

// s441: non-logical ifs; three-way branch on negative, zero and positive.
//
//vec:func S441
func s441(a, b, c, d []float32) {
	for i := range a {
		if d[i] < 0 {
			a[i] += b[i] * c[i]
		} else if d[i] == 0 {
			a[i] += b[i] * b[i]
		} else {
			a[i] += c[i] * c[i]
		}
	}
}

// s443: non-logical ifs; two-way branch with one update in each arm.
//
//vec:func S443
func s443(a, b, c, d []float32) {
	for i := range a {
		if d[i] <= 0 {
			a[i] += b[i] * c[i]
		} else {
			a[i] += b[i] * b[i]
		}
	}
}

// s452: intrinsic functions; the loop index as a floating-point factor.
//
//vec:func S452
func s452(a, b, c []float32) {
	for i := range a {
		a[i] = b[i] + c[i]*float32(i+1)
	}
}

// s453: induction variable recognition; a floating-point induction variable with step two.
//
//vec:func S453
func s453(a, b []float32) {
	var s float32
	for i := range a {
		s += 2
		a[i] = s * b[i]
	}
}

// s481: non-local gotos; leaves everything at the first negative element, before that element's update.
//
//vec:func S481
func s481(a, b, c, d []float32) {
	for i := range a {
		if d[i] < 0 {
			return
		}
		a[i] += b[i] * c[i]
	}
}

// s491: vector semantics; stores scattered through an index array must land in order.
//
//vec:func S491
func s491(a, b, c, d []float32, ip []int32) {
	for i := range ip {
		a[ip[i]] = b[i] + c[i]*d[i]
	}
}

// s4113: indirect addressing; gather and scatter through the same index.
//
//vec:func S4113
func s4113(a, b, c []float32, ip []int32) {
	for i := range ip {
		a[ip[i]] = b[ip[i]] + c[i]
	}
}

// s4115: indirect addressing; sparse dot product.
//
//vec:func S4115
func s4115(a, b []float32, ip []int32) float32 {
	var sum float32
	for i := range a {
		sum += a[i] * b[ip[i]]
	}
	return sum
}

// s4117: indirect addressing; one operand advances every other iteration.
//
//vec:func S4117
func s4117(a, b, c, d []float32) {
	for i := range a {
		a[i] = b[i] + c[i/2]*d[i]
	}
}

// va: control loops; copy.
//
//vec:func Va
func va(a, b []float32) {
	for i := range a {
		a[i] = b[i]
	}
}

// vas: control loops; scatter.
//
//vec:func Vas
func vas(a, b []float32, ip []int32) {
	for i := range ip {
		a[ip[i]] = b[i]
	}
}

// vpv: control loops; vector plus vector.
//
//vec:func Vpv
func vpv(a, b []float32) {
	for i := range a {
		a[i] += b[i]
	}
}

// vpvtv: control loops; vector plus vector times vector.
//
//vec:func Vpvtv
func vpvtv(a, b, c []float32) {
	for i := range a {
		a[i] += b[i] * c[i]
	}
}

// vpvpv: control loops; vector plus vector plus vector.
//
//vec:func Vpvpv
func vpvpv(a, b, c []float32) {
	for i := range a {
		a[i] += b[i] + c[i]
	}
}

// vsumr: control loops; sum reduction.
//
//vec:func Vsumr
func vsumr(a []float32) float32 {
	var sum float32
	for i := range a {
		sum += a[i]
	}
	return sum
}

// vbor: control loops; all three-way products of six operands, much arithmetic for little memory traffic.
//
//vec:func Vbor
func vbor(a, b, c, d, e, x []float32, aa *[256][256]float32) {
	for i := range aa[0] {
		a1 := a[i]
		b1 := b[i]
		c1 := c[i]
		d1 := d[i]
		e1 := e[i]
		f1 := aa[0][i]
		a1 = a1*b1*c1 + a1*b1*d1 + a1*b1*e1 + a1*b1*f1 +
			a1*c1*d1 + a1*c1*e1 + a1*c1*f1 + a1*d1*e1 +
			a1*d1*f1 + a1*e1*f1
		b1 = b1*c1*d1 + b1*c1*e1 + b1*c1*f1 + b1*d1*e1 +
			b1*d1*f1 + b1*e1*f1
		c1 = c1*d1*e1 + c1*d1*f1 + c1*e1*f1
		d1 = d1 * e1 * f1
		x[i] = a1 * b1 * c1 * d1
	}
}
