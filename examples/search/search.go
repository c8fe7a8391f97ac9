// Package search looks many keys up in one sorted table.
package search

//go:generate go tool lanewise -tests .

// lowerBounds stores for each key the number of elements of table that are less.
//
//vec:func LowerBounds
func lowerBounds(dst []int32, table, keys []int32) {
	for i, key := range keys {
		lo, hi := 0, len(table)
		for lo < hi {
			mid := int(uint(lo+hi) >> 1)
			if table[mid] < key {
				lo = mid + 1
			} else {
				hi = mid
			}
		}
		dst[i] = int32(lo)
	}
}

// lowerBounds32 is lowerBounds with indices of 32 bits: twice the lanes.
//
//vec:func LowerBounds32
func lowerBounds32(dst []int32, table, keys []int32) {
	for i, key := range keys {
		lo, hi := int32(0), int32(len(table))
		for lo < hi {
			mid := lo + (hi-lo)/2
			if table[mid] < key {
				lo = mid + 1
			} else {
				hi = mid
			}
		}
		dst[i] = lo
	}
}
