package twintest

import "reflect"

// opaque finds, in what arguments of type t lead to, a type whose values cannot
// be made up: calls of it may block or panic for lack of a sensible value. Nil
// when there is none.
func opaque(t reflect.Type, seen map[reflect.Type]bool) reflect.Type {
	if seen[t] {
		return nil
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Chan, reflect.Func, reflect.Map, reflect.Interface, reflect.UnsafePointer:
		return t
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return opaque(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			if o := opaque(t.Field(i).Type, seen); o != nil {
				return o
			}
		}
	}
	return nil
}

// opaqueArgument is opaque for the parameters of a function.
func opaqueArgument(f reflect.Type) reflect.Type {
	seen := make(map[reflect.Type]bool)
	for i := range f.NumIn() {
		if o := opaque(f.In(i), seen); o != nil {
			return o
		}
	}
	return nil
}

// repeats reports whether the original does the same whenever it is called
// on the same arguments, with calls on others in between. One that reads what it
// left in a package variable, or the time, cannot be compared by calls.
func (c *checker) repeats(tc testCase) bool {
	const times = 8 // chance gives some results again
	mem := c.arenas(tc)
	a := c.build(mem[0], tc)
	ao := c.original(a.args)
	other := tc
	for range times {
		other.seed++
		c.original(c.build(mem[1], other).args)
		b := c.build(mem[1], tc)
		if c.differ(a, b, ao, c.original(b.args)) != "" {
			return false
		}
	}
	return true
}
