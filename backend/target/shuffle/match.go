package shuffle

// Matching finds the immediate or constant with which an instruction makes what
// is wanted out of given registers.

// unary calls yield for every way to make want of x with one instruction that
// costs less than room. grain is that of want.
func unary(want, x *Reg, grain int, room float64, yield func(*call)) {
	may := func(op Op) bool { return infos[op].Cost.Throughput < room }
	try := func(op Op, imm int, ok bool) {
		if ok {
			yield(&call{op: op, imm: imm})
		}
	}
	if may(Pshufd) {
		shuffles(want, x, grain, try)
	}
	if may(Sort8) {
		pshufb(want, x, yield)
	}
	if may(Permq) && grain >= 8 {
		imm, ok := permq(want, x)
		try(Permq, imm, ok)
	}
	if may(Permd) && grain >= 4 {
		permd(want, x, yield)
	}
	if may(Extract128) {
		for op := Broadcastb; op <= Broadcastq; op++ {
			try(op, 0, spread(want, x, infos[op].param))
		}
		try(Extract128, 1, want.low() && x.unit(Half, want, 0, Half))
		for op := Pmovzxbw; op <= Pmovzxdq; op++ {
			try(op, 0, extended(want, x, infos[op].param>>8, infos[op].param&0xff))
		}
	}
	for op := Psrldq; op <= Psllq; op++ {
		if may(op) {
			imm, ok := shifted(want, x, infos[op].param)
			try(op, imm, ok)
		}
	}
	and(want, x, yield)
}

// shuffles are those with an immediate.
func shuffles(want, x *Reg, grain int, try func(op Op, imm int, ok bool)) {
	switch {
	case grain >= 4:
		imm, ok := same(want, x, 4, 0, 4)
		try(Pshufd, imm, ok)
		if grain >= 8 && !ok {
			imm, ok := permilpd(want, x)
			try(Permilpd, imm, ok)
		}
	case grain == 2:
		imm, ok := same(want, x, 2, 0, 4)
		try(Pshuflw, imm, ok && keeps(want, x, 8))
		imm, ok = same(want, x, 2, 8, 4)
		try(Pshufhw, imm, ok && keeps(want, x, 0))
	}
}

// same finds for each of count units of n bytes from byte off of a half on which
// one of x it is, equally in both halves; two bits each.
func same(want, x *Reg, n, off, count int) (imm int, ok bool) {
	for j := range count {
		to, k := off+j*n, 0
		for ; k < count; k++ {
			from := off + k*n
			if x.unit(from, want, to, n) && x.unit(Half+from, want, Half+to, n) {
				break
			}
		}
		if k == count {
			return 0, false
		}
		imm |= k << (2 * j)
	}
	return imm, true
}

// keeps reports whether the 8 bytes from off on of both halves stay.
func keeps(want, x *Reg, off int) bool {
	return x.unit(off, want, off, 8) && x.unit(Half+off, want, Half+off, 8)
}

func permilpd(want, x *Reg) (imm int, ok bool) {
	for j := range 4 {
		h := j / 2 * Half
		switch {
		case x.unit(h, want, j*8, 8):
		case x.unit(h+8, want, j*8, 8):
			imm |= 1 << j
		default:
			return 0, false
		}
	}
	return imm, true
}

func pshufb(want, x *Reg, yield func(*call)) {
	c := call{op: Pshufb}
	for i, w := range want {
		c.ctl[i] = 0x80
		if w < 0 {
			continue
		}
		h, k := i&^15, 0
		for k < Half && x[h+k] != w {
			k++
		}
		if k == Half {
			return
		}
		c.ctl[i] = byte(k)
	}
	sortb(want, &c, yield)
	yield(&c)
}

// sorts are the controls that put every n-th unit of each half together, by
// the streams that start at units 0, 1, ... n-1.
var sorts = func() (all []call) {
	for i, n := range []int{2, 4, 8} {
		op := Sort2 + Op(i)
		for unit := 1; unit*n <= Half/2; unit *= 2 {
			var ctl [Size]byte
			per := Half / unit / n
			for i := range ctl {
				k := i % Half / unit
				ctl[i] = byte((k%per*n+k/per)*unit + i%unit)
			}
			all = append(all, call{op: op, ctl: ctl})
		}
	}
	return all
}()

// sortb fills the gaps of a control so that it can be shared: the parts of an
// interleaved group want different streams of the same registers.
func sortb(want *Reg, c *call, yield func(*call)) {
	for n := range sorts {
		ok := true
		for i, w := range want {
			if w == Zero || w != Any && sorts[n].ctl[i] != c.ctl[i] {
				ok = false
				break
			}
		}
		if ok {
			yield(&sorts[n])
			return
		}
	}
}

func permq(want, x *Reg) (imm int, ok bool) {
	for j := range 4 {
		k := locate(x, want, j*8, 8)
		if k < 0 {
			return 0, false
		}
		imm |= k << (2 * j)
	}
	return imm, true
}

func permd(want, x *Reg, yield func(*call)) {
	c := call{op: Permd}
	for j := range 8 {
		k := locate(x, want, j*4, 4)
		if k < 0 {
			return
		}
		c.ctl[j*4] = byte(k)
	}
	yield(&c)
}

// locate is the number of the unit of n bytes of x that serves for bytes j on of
// want, -1 if there is none; that which is there already, if possible.
func locate(x, want *Reg, j, n int) int {
	if x.unit(j, want, j, n) {
		return j / n
	}
	for k := range Size / n {
		if x.unit(k*n, want, j, n) {
			return k
		}
	}
	return -1
}

// spread reports whether all units of n bytes are the first of x.
func spread(want, x *Reg, n int) bool {
	for i, w := range want {
		if w != Any && x[i%n] != w {
			return false
		}
	}
	return true
}

// shifted finds the distance of a shift within units of n bytes, up if n is
// negative; the immediate counts bits for units below 16 bytes.
func shifted(want, x *Reg, n int) (imm int, ok bool) {
	unit, bits := n, 8
	if n < 0 {
		unit = -n
	}
	if unit == Half {
		bits = 1
	}
	for by := 1; by < unit; by++ {
		if isShifted(want, x, unit, by, n < 0) {
			return by * bits, true
		}
	}
	return 0, false
}

func isShifted(want, x *Reg, n, by int, up bool) bool {
	if up {
		by = -by
	}
	for i, w := range want {
		if w == Any {
			continue
		}
		have := Zero
		if k := i%n + by; 0 <= k && k < n {
			have = x[i/n*n+k]
		}
		if have != w {
			return false
		}
	}
	return true
}

// and clears bytes.
func and(want, x *Reg, yield func(*call)) {
	c := call{op: And}
	for i, w := range want {
		switch {
		case w == Zero:
		case x[i].fits(w):
			c.ctl[i] = 0xff
		default:
			return
		}
	}
	yield(&c)
}

// extended reports whether want is the low units of from bytes of x, each in a
// unit of to bytes filled up with zeros.
func extended(want, x *Reg, from, to int) bool {
	for i, w := range want {
		have := Zero
		if i%to < from {
			have = x[i/to*from+i%to]
		}
		if !have.fits(w) {
			return false
		}
	}
	return true
}

// binary calls yield for every way to make want of a and b, in this order, with
// one instruction that costs less than room.
func binary(want, a, b *Reg, grain int, room float64, yield func(*call)) {
	may := func(op Op) bool { return infos[op].Cost.Throughput < room }
	try := func(op Op, imm int, ok bool) {
		if ok {
			yield(&call{op: op, imm: imm})
		}
	}
	blends(want, a, b, yield)
	try(Or, 0, united(want, a, b))
	if may(Shufps) {
		inHalves(want, a, b, grain, try, yield)
	}
	if may(Insert128) && !want.low() {
		try(Insert128, 1, a.unit(0, want, 0, Half) && b.unit(0, want, Half, Half))
	}
	if may(Perm2i128) && !want.low() {
		imm, ok := perm2i128(want, a, b)
		try(Perm2i128, imm, ok)
	}
}

// inHalves are the instructions that move bytes within halves.
func inHalves(want, a, b *Reg, grain int, try func(op Op, imm int, ok bool), yield func(*call)) {
	for op := Punpcklbw; op <= Punpckhqdq; op++ {
		if n := infos[op].param; n <= grain {
			try(op, 0, unpacked(want, a, b, n, op >= Punpckhbw))
		}
	}
	if grain >= 4 {
		imm, ok := shufps(want, a, b)
		try(Shufps, imm, ok)
		if want.low() {
			insertps(want, a, b, yield)
		}
	}
	if grain >= 8 {
		imm, ok := shufpd(want, a, b)
		try(Shufpd, imm, ok)
	}
	imm, ok := aligned(want, a, b, grain)
	try(Palignr, imm, ok)
	for op := Packuswb; op <= Packusdw; op++ {
		try(op, 0, packed(want, a, b, infos[op].param))
	}
}

// packed reports whether the low n bytes of units of 2n bytes, zero above, are
// wanted.
func packed(want, a, b *Reg, n int) bool {
	two := [2]*Reg{a, b}
	for i, w := range want {
		if w == Any {
			continue
		}
		k := i % 16
		x, from := two[k/8], i&^15+k%8/n*2*n
		if x[from+k%n] != w || !x.allZero(from+n, n) {
			return false
		}
	}
	return true
}

func unpacked(want, a, b *Reg, n int, high bool) bool {
	two := [2]*Reg{a, b}
	first := 0
	if high {
		first = 8
	}
	for i, w := range want {
		if k := i % 16; w != Any && two[k/n%2][i&^15+first+k/(2*n)*n+k%n] != w {
			return false
		}
	}
	return true
}

func shufps(want, a, b *Reg) (imm int, ok bool) {
	for j := range 4 {
		x := a
		if j >= 2 {
			x = b
		}
		k := 0
		for ; k < 4; k++ {
			if x.unit(4*k, want, 4*j, 4) && x.unit(Half+4*k, want, Half+4*j, 4) {
				break
			}
		}
		if k == 4 {
			return 0, false
		}
		imm |= k << (2 * j)
	}
	return imm, true
}

func shufpd(want, a, b *Reg) (imm int, ok bool) {
	for j := range 4 {
		x, h := a, j/2*Half
		if j%2 == 1 {
			x = b
		}
		switch {
		case x.unit(h, want, j*8, 8):
		case x.unit(h+8, want, j*8, 8):
			imm |= 1 << j
		default:
			return 0, false
		}
	}
	return imm, true
}

// insertps replaces one element of a by one of b and clears others.
func insertps(want, a, b *Reg, yield func(*call)) {
	imm, at := 0, -1
	for j := range 4 {
		switch {
		case a.unit(4*j, want, 4*j, 4):
		case zeros(want, 4*j, 4):
			imm |= 1 << j
		case at < 0:
			at = j
		default:
			return
		}
	}
	if at < 0 {
		return
	}
	for k := range 4 {
		if b.unit(4*k, want, 4*at, 4) {
			yield(&call{op: Insertps, imm: k<<6 | at<<4 | imm})
			return
		}
	}
}

// zeros reports whether n bytes from i on may be zero.
func zeros(want *Reg, i, n int) bool {
	for _, w := range want[i : i+n] {
		if w != Any && w != Zero {
			return false
		}
	}
	return true
}

// blends takes each byte in its place from a or from b, by the largest units possible.
func blends(want, a, b *Reg, yield func(*call)) {
	var fromB, fromA [Size]bool
	for i, w := range want {
		switch {
		case w == Any:
		case a[i] == w && b[i] == w:
		case a[i] == w:
			fromA[i] = true
		case b[i] == w:
			fromB[i] = true
		default:
			return
		}
	}
	units := func(n int) (bits int, ok bool) {
		for i := range Size {
			if fromB[i] {
				bits |= 1 << (i / n)
			}
		}
		for i := range Size {
			if fromA[i] && bits>>(i/n)&1 != 0 {
				return 0, false
			}
		}
		return bits, true
	}
	if bits, ok := units(4); ok {
		yield(&call{op: Blendd, imm: bits})
		return
	}
	if bits, ok := units(2); ok && (bits>>8 == bits&0xff || want.low()) {
		yield(&call{op: Blendw, imm: bits & 0xff})
		return
	}
	c := call{op: Blendvb}
	for i := range Size {
		if fromB[i] {
			c.ctl[i] = 0xff
		}
	}
	yield(&c)
}

func perm2i128(want, a, b *Reg) (imm int, ok bool) {
	for h := range 2 {
		k := 0
		for ; k < 4; k++ {
			x := a
			if k >= 2 {
				x = b
			}
			if x.unit(k%2*Half, want, h*Half, Half) {
				break
			}
		}
		switch {
		case k < 4:
			imm |= k << (4 * h)
		case zeros(want, h*Half, Half):
			imm |= 8 << (4 * h)
		default:
			return 0, false
		}
	}
	return imm, true
}

func aligned(want, a, b *Reg, grain int) (imm int, ok bool) {
	for n := grain; n < Half; n += grain {
		ok := true
		for i, w := range want {
			if w == Any {
				continue
			}
			h, k := i&^15, i%16+n
			if k < Half && b[h+k] != w || k >= Half && a[h+k-Half] != w {
				ok = false
				break
			}
		}
		if ok {
			return n, true
		}
	}
	return 0, false
}

// united reports whether want is the union of bits, one side of each being zero.
func united(want, a, b *Reg) bool {
	for i, w := range want {
		switch {
		case w == Any, a[i] == Zero && b[i] == w, b[i] == Zero && a[i] == w:
		default:
			return false
		}
	}
	return true
}
