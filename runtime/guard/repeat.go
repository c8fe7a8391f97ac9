package guard

import "unsafe"

// Repeat copies a table of n elements into room as often as it fits there, twice at least and a power of two times, or until
// there are most elements, and returns the copy and the number of its elements. It returns table and n if room is too
// small.
func Repeat(room []byte, table unsafe.Pointer, n, elem, most int) (unsafe.Pointer, int) {
	if n <= 0 || n > len(room)/2/elem || n >= most {
		return table, n
	}
	all := n * elem
	copy(room, unsafe.Slice((*byte)(table), all))
	for all <= len(room)/2 && all < most*elem {
		copy(room[all:], room[:all])
		all *= 2
	}
	return unsafe.Pointer(unsafe.SliceData(room)), all / elem
}
