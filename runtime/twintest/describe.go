package twintest

import (
	"fmt"
	"reflect"
	"strings"
)

// where names an offset by the region that holds it, or by the nearest one.
func where(regions []region, off int) string {
	best, near := -1, 0
	for i, r := range regions {
		d := 0
		switch {
		case off < r.off:
			d = r.off - off
		case off >= r.off+r.bytes():
			d = off - (r.off + r.bytes()) + 1
		}
		if best < 0 || d < near {
			best, near = i, d
		}
	}
	if best < 0 {
		return "outside of all arguments"
	}
	r := regions[best]
	name := fmt.Sprintf("argument %d (memory %d, %d elements of %v)", r.arg, best, r.count, r.elem)
	switch {
	case near == 0:
		return fmt.Sprintf("in %s at index %d", name, (off-r.off)/int(r.elem.Size()))
	case off < r.off:
		return fmt.Sprintf("%d bytes before %s", near, name)
	}
	return fmt.Sprintf("%d bytes behind %s", near-1, name)
}

// describe lists the arguments of a case, and how to run it again.
func (c *checker) describe(tc testCase) string {
	b := c.build(c.arenas(tc)[0], tc)
	var sb strings.Builder
	fmt.Fprintf(&sb, "  %v\n", tc)
	for i, a := range b.args {
		fmt.Fprintf(&sb, "  argument %d: %v = %s\n", i, a.Type(), text(a))
	}
	for i, r := range b.regions {
		fmt.Fprintf(&sb, "  memory %d, of argument %d: %d elements of %v at address %d mod 64\n",
			i, r.arg, r.count, r.elem, r.off%64)
	}
	fmt.Fprintf(&sb, "  run this case alone with TWINTEST_CASE=%d", tc.id)
	return sb.String()
}

// text prints a value, shortened.
func text(v reflect.Value) string {
	if k := v.Kind(); (k == reflect.Slice || k == reflect.String) && v.Len() > 16 {
		return fmt.Sprintf("%s... (length %d)", text(v.Slice(0, 16)), v.Len())
	}
	s := fmt.Sprintf("%v", v)
	if v.Kind() == reflect.String {
		s = fmt.Sprintf("%q", v)
	}
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		s = "&" + text(v.Elem())
	}
	if len(s) > 300 {
		s = s[:300] + "..."
	}
	return s
}
