package loops

//vec:func MarkedBytes
func markedBytes(x, mark []uint8) {
	for i, m := range mark {
		if m > 1 {
			x[i] += 3
		}
	}
}

//vec:func MarkedShorts
func markedShorts(x, mark []int16) {
	for i, m := range mark {
		if m > 1 {
			x[i] += 3
		}
	}
}

//vec:func MarkedWords
func markedWords(x []float32, mark []int32) {
	for i, m := range mark {
		if m > 1 {
			x[i] += 3
		}
	}
}

//vec:func MarkedLongs
func markedLongs(x []int64, mark []uint8) {
	for i, m := range mark {
		if m > 1 {
			x[i] += 3
		}
	}
}

//vec:func CopyMarked
func copyMarked(dst, src []int32, limit int32) {
	for i, v := range src {
		if v > limit {
			dst[i] = v
		}
	}
}

//vec:func MarkedMember
func markedMember(ps []particle, mark []int32) {
	for i := range ps {
		if mark[i] > 1 {
			ps[i].y *= 2
		}
	}
}

//vec:func EitherSide
func eitherSide(x, y, mark []int32) {
	for i, m := range mark {
		if m > 1 {
			x[i]++
		} else {
			y[i]--
		}
	}
}

//vec:func MarkedScatter
func markedScatter(dst []int32, idx []int32, mark []uint8) {
	for i, j := range idx {
		if mark[i] > 1 {
			dst[j] = int32(i)
		}
	}
}

//vec:func MarkedGather
func markedGather(dst, src []int32, idx []int32) {
	for i, j := range idx {
		if j >= 0 && int(j) < len(src) {
			dst[i] = src[j]
		}
	}
}

//vec:func Filter
func filter(dst, src []float32, limit float32) int {
	k := 0
	for _, v := range src {
		if v > limit {
			dst[k] = v
			k++
		}
	}
	return k
}

//vec:func FilterBytes
func filterBytes(dst, src []uint8) int {
	k := 0
	for _, v := range src {
		if v > 2 {
			dst[k] = v
			k++
		}
	}
	return k
}

//vec:func FilterInPlace
func filterInPlace(x []int64) []int64 {
	k := 0
	for _, v := range x {
		if v > 2 {
			x[k] = v
			k++
		}
	}
	return x[:k]
}

//vec:func Append
func appendMarked(dst, src []int32) []int32 {
	out := dst[:len(dst)]
	for _, v := range src {
		if v > 1 {
			out = append(out, v)
		}
	}
	return out
}

//vec:func Expand
func expand(dst, src, mark []int32) int {
	k := 0
	for i, m := range mark {
		if m > 1 {
			dst[i] = src[k]
			k++
		}
	}
	return k
}

// total keeps *p in a register, which is stored only where something was added.
//
//vec:func Total
func total(p *int32, x []int32) {
	for _, v := range x {
		if v > 1 {
			*p += v
		}
	}
}

type account struct {
	count int32
	rest  [7]int32
	sum   int64
}

//vec:func Book
func book(a *account, x []int32) {
	for _, v := range x {
		if v > 1 {
			a.sum += int64(v)
			a.count++
		}
	}
}

//vec:func Sum
func sumInto(p *int32, x []int32) {
	for i := range x {
		*p += x[i]
	}
}

//vec:func Largest
func largest(p *float32, x []float32) {
	for _, v := range x {
		if v > *p {
			*p = v
		}
	}
}

//vec:func StoreUntil
func storeUntil(dst, src []int32) int {
	for i, v := range src {
		if v == 7 {
			return i
		}
		dst[i] = v + 1
	}
	return -1
}
