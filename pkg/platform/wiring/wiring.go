// Package wiring rejects services with missing dependencies. A bad setting is an error for the operator to read; a missing
// dependency is a bug, so it panics at construction, where any test that starts a process will hit it.
package wiring

import (
	"fmt"
	"reflect"
)

// Complete returns the service. It panics, naming the field, if a pointer, interface, function or channel in it is nil,
// including inside its slices and inside structs of its own package. Fields tagged `wiring:"optional"`, which
// may stay nil, and `wiring:"later"`, which are set after the start, are skipped.
func Complete[T any](service *T) *T {
	v := reflect.ValueOf(service).Elem()
	if path := missing(v, v.Type().PkgPath()); path != "" {
		panic(fmt.Sprintf("%s has no %s", v.Type(), path))
	}
	return service
}

// missing returns the path of the first nil field, or "".
func missing(v reflect.Value, pkg string) string {
	for field, part := range v.Fields() {
		if tag := field.Tag.Get("wiring"); tag == "later" || tag == "optional" {
			continue
		}
		if within, isNil := lacks(part, pkg); isNil {
			return field.Name + within
		}
	}
	return ""
}

// lacks reports whether the part is nil or contains something nil, and where.
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
