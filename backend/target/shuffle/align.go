package shuffle

// A Row is Size bytes in a row of two registers, one behind the other, from byte From of the first one on:
// what VALIGND makes of whole 4 bytes. A register is a source, or Zero.
type Row struct {
	First, Second int
	From          int
}

// Row reports whether want is such a row, but no register as it is.
func (r *Reg) Row() (Row, bool) {
	for from := 4; from < Size; from += 4 {
		row := Row{From: from}
		first, ok := oneOf(r[:Size-from], from)
		second, alsoOk := oneOf(r[Size-from:], 0)
		if row.First, row.Second = first, second; ok && alsoOk && (first >= 0 || second >= 0) {
			return row, true
		}
	}
	return Row{}, false
}

// oneOf is what bytes are those of in a row, from byte at on; ok only where that is one register.
func oneOf(bytes []Byte, at int) (of int, ok bool) {
	of = int(Any)
	for i, b := range bytes {
		k := int(b)
		switch {
		case b == Any:
			continue
		case b >= 0 && b.offset() != at+i:
			return 0, false
		case b >= 0:
			k = b.source()
		}
		if of != int(Any) && of != k {
			return 0, false
		}
		of = k
	}
	return of, true
}
