// Package wiring refuses services that lack a part. A bad setting is an error that the operator reads; a missing part is a
// mistake in the program, so it panics at construction, where every test that starts a process meets it.
package wiring

import (
	"fmt"
	"reflect"
)

// Complete returns the service. It panics, naming the field, where a pointer, interface, function or channel of it is nil,
// also inside its slices and inside structs of its own package. A field with the tag `wiring:"later"` is left out.
func Complete[T any](service *T) *T {
	v := reflect.ValueOf(service).Elem()
	if path := missing(v, v.Type().PkgPath()); path != "" {
		panic(fmt.Sprintf("%s has no %s", v.Type(), path))
	}
	return service
}

// missing is the path of the first field that is nil, empty where there is none.
func missing(v reflect.Value, pkg string) string {
	for field, part := range v.Fields() {
		if field.Tag.Get("wiring") == "later" {
			continue
		}
		if within, isNil := lacks(part, pkg); isNil {
			return field.Name + within
		}
	}
	return ""
}

// lacks says whether the part is nil or holds something nil, and where in it.
func lacks(part reflect.Value, pkg string) (within string, isNil bool) {
	switch part.Kind() {
	case reflect.Pointer, reflect.Func, reflect.Chan:
		return "", part.IsNil()
	case reflect.Interface:
		return "", part.IsNil() || part.Elem().Kind() == reflect.Pointer && part.Elem().IsNil()
	case reflect.Slice:
		for i := range part.Len() {
			if within, isNil := lacks(part.Index(i), pkg); isNil {
				return fmt.Sprintf("[%d]%s", i, within), true
			}
		}
	case reflect.Struct:
		if part.Type().PkgPath() == pkg {
			path := missing(part, pkg)
			return "." + path, path != ""
		}
	default:
	}
	return "", false
}
