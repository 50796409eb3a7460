package testkit

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

// RequireRefusesNil calls a constructor with all its arguments, which must succeed, and then without each of them in
// turn, which must panic. An argument is a pointer, a function, or an interface, for which the first matching sample is
// used; the elements of a struct or slice count too. A struct is filled by the sample of its type, if there is one, and its fields tagged
// `wiring:"optional"` may stay nil.
func RequireRefusesNil(t *testing.T, constructor any, samples ...any) {
	t.Helper()
	fn := reflect.ValueOf(constructor)
	arguments := make([]reflect.Value, fn.Type().NumIn())
	for i := range arguments {
		arguments[i] = reflect.New(fn.Type().In(i)).Elem()
		fillPart(t, arguments[i], samples)
	}
	call := fn.Call
	if fn.Type().IsVariadic() {
		call = fn.CallSlice
	}
	require.NotPanics(t, func() { call(arguments) }, "with all its parts")
	removed := 0
	for i, a := range arguments {
		for _, part := range parts(a) {
			removed++
			kept := reflect.New(part.Type()).Elem()
			kept.Set(part)
			part.SetZero()
			require.Panics(t, func() { call(arguments) }, "argument %d, a %s, without its %s", i, a.Type(), part.Type())
			part.Set(kept)
		}
	}
	require.Positive(t, removed, "the constructor has no part that could be missing")
}

// fillPart sets the argument, or each part of it, to a value that is not nil.
func fillPart(t *testing.T, v reflect.Value, samples []any) {
	t.Helper()
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
	case reflect.Interface:
		for _, s := range samples {
			if reflect.TypeOf(s).Implements(v.Type()) {
				v.Set(reflect.ValueOf(s))
				return
			}
		}
		require.Fail(t, "no sample is a "+v.Type().String())
	case reflect.Slice:
		if k := v.Type().Elem().Kind(); k == reflect.Interface || k == reflect.Pointer {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			fillPart(t, v.Index(0), samples)
		}
	case reflect.Func:
		v.Set(reflect.MakeFunc(v.Type(), func([]reflect.Value) []reflect.Value { panic("a part that is only there") }))
	case reflect.Struct:
		for _, s := range samples {
			if reflect.TypeOf(s) == v.Type() {
				v.Set(reflect.ValueOf(s))
				return
			}
		}
		for field, part := range v.Fields() {
			if field.IsExported() && field.Tag.Get("wiring") != "optional" {
				fillPart(t, part, samples)
			}
		}
	default:
	}
}

// parts returns the parts of the argument that can be nil.
func parts(v reflect.Value) (all []reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Func:
		return []reflect.Value{v}
	case reflect.Slice:
		for i := range v.Len() {
			all = append(all, parts(v.Index(i))...)
		}
	case reflect.Struct:
		for field, part := range v.Fields() {
			if field.IsExported() && field.Tag.Get("wiring") != "optional" {
				all = append(all, parts(part)...)
			}
		}
	default:
	}
	return all
}
