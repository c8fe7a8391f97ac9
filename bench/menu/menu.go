// Package menu holds, as plain loops with twins, what hand-written libraries offer as
// functions, so that each function can be measured against a twin. They are not inlined:
// of what nobody reads the result of nothing would be left to measure.
package menu

//go:generate go tool lanewise .

type float interface{ float32 | float64 }

type integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

type number interface{ float | integer }
