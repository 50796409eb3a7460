package handler

import (
	"encoding"
	"reflect"

	"github.com/franchise360/franchise360/pkg/platform/gstin"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

// The types below hold typed and pasted text. Decoding normalises it before any count, comparison or check: otherwise a limit by mobile
// would count each notation of a number separately.
type (
	typedMobile  string
	typedCode    string
	typedPincode string
	typedGSTIN   string
)

func (m *typedMobile) UnmarshalText(given []byte) error {
	*m = typedMobile(text.Mobile(string(given)))
	return nil
}

func (c *typedCode) UnmarshalText(given []byte) error {
	*c = typedCode(text.Code(string(given)))
	return nil
}

func (p *typedPincode) UnmarshalText(given []byte) error {
	*p = typedPincode(text.Pincode(string(given)))
	return nil
}

func (g *typedGSTIN) UnmarshalText(given []byte) error {
	*g = typedGSTIN(gstin.Normalise(string(given)))
	return nil
}

// asTyped returns the text as its type decodes it, and any other text as it is.
func asTyped(of reflect.Type, given string) string {
	for of != nil && of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	if of == nil || of.Kind() != reflect.String {
		return given
	}
	value := reflect.New(of)
	decoder, ok := reflect.TypeAssert[encoding.TextUnmarshaler](value)
	if !ok || decoder.UnmarshalText([]byte(given)) != nil {
		return given
	}
	return value.Elem().String()
}
