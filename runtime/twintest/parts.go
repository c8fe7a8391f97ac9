package twintest

import (
	"reflect"
	"sync"
)

// A part of a type without pointers is a bool, an integer or a float, or an array.
type part struct {
	kind   reflect.Kind // Bool, Float32, Float64, Array; anything else is an integer
	offset int
	size   int // of an integer, or of an element of the array
	signed bool
	times  int    // elements of the array
	elem   []part // of each
}

// parts keeps what is known of types.
var parts sync.Map // from reflect.Type to []part

// partsOf lists the parts of a type, by offset. Parts that are of no such type are left out.
func partsOf(t reflect.Type) []part {
	if known, ok := parts.Load(t); ok {
		return known.([]part)
	}
	list := appendParts(nil, t, 0)
	parts.Store(t, list)
	return list
}

func appendParts(list []part, t reflect.Type, offset int) []part {
	size := int(t.Size())
	switch k := t.Kind(); k {
	case reflect.Bool, reflect.Float32, reflect.Float64:
		return append(list, part{kind: k, offset: offset})
	case reflect.Complex64:
		return append(list, part{kind: reflect.Float32, offset: offset}, part{kind: reflect.Float32, offset: offset + size/2})
	case reflect.Complex128:
		return append(list, part{kind: reflect.Float64, offset: offset}, part{kind: reflect.Float64, offset: offset + size/2})
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			list = appendParts(list, f.Type, offset+int(f.Offset))
		}
		return list
	case reflect.Array:
		return append(list, part{kind: k, offset: offset, size: int(t.Elem().Size()), times: t.Len(), elem: partsOf(t.Elem())})
	default:
		if signed, ok := integerKind(k); ok {
			list = append(list, part{kind: k, offset: offset, size: size, signed: signed})
		}
		return list
	}
}
