package i18n

import "reflect"

// Sentence is an English text in an answer: a text of the catalogue, or one made from it with values. Word translates it.
type Sentence string

// Word returns the value with say's result in place of each Sentence in it. The value itself stays unchanged.
func Word(value any, say func(english string) string) any {
	if value == nil {
		return nil
	}
	v := copyOf(reflect.ValueOf(value))
	word(v, say)
	return v.Interface()
}

// copyOf returns a value that can be set.
func copyOf(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}

// word changes the value, and replaces what it points to by changed copies.
func word(v reflect.Value, say func(string) string) {
	switch v.Kind() {
	case reflect.String:
		if v.Type() == reflect.TypeFor[Sentence]() {
			v.SetString(say(v.String()))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() || v.Type().Field(i).Anonymous && f.Kind() == reflect.Struct {
				word(f, say)
			}
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			wordTarget(v, say)
		}
	case reflect.Slice:
		if !v.IsNil() && v.Type().Elem().Kind() != reflect.Uint8 {
			v.Set(reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, v.Len()), v))
			for i := range v.Len() {
				word(v.Index(i), say)
			}
		}
	case reflect.Map:
		if !v.IsNil() {
			wordMap(v, say)
		}
	default: // numbers and the like have no text
	}
}

func wordTarget(v reflect.Value, say func(string) string) {
	c := copyOf(v.Elem())
	word(c, say)
	if v.Kind() == reflect.Pointer {
		c = c.Addr()
	}
	v.Set(c)
}

func wordMap(v reflect.Value, say func(string) string) {
	c := reflect.MakeMapWithSize(v.Type(), v.Len())
	for key, value := range v.Seq2() {
		value = copyOf(value)
		word(value, say)
		c.SetMapIndex(key, value)
	}
	v.Set(c)
}
