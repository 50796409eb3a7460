package handler

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/platform/card"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

// Limits of a JSON body.
const (
	maxBody  = 64 << 10
	maxDepth = 16
)

// Bind reads the JSON body into v, a pointer to a struct. It refuses bodies that are too large (413), broken, too
// deep, or with unknown or doubled fields, text that is not clean UTF-8 or a card number (400).
func Bind(c *gin.Context, v any) error {
	if ct := c.ContentType(); ct != "application/json" {
		return errs.Malformed("Send the request as application/json.")
	}
	body, err := io.ReadAll(http.MaxBytesReader(c.Writer, c.Request.Body, maxBody))
	if err != nil {
		if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
			return errs.New(errs.KindTooLarge, "body_too_large", "The request is too large.")
		}
		return errs.Malformed("The request could not be read.").Because(err)
	}
	if err := checkJSON(body); err != nil {
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return explain(err)
	}
	return nil
}

// ParamID returns the path parameter where it is an identifier; anything else does not exist.
func ParamID(c *gin.Context, name string) (string, error) {
	v := c.Param(name)
	if !id.Valid(v) {
		return "", errs.NotFound()
	}
	return strings.ToLower(v), nil
}

func explain(err error) error {
	var typ *json.UnmarshalTypeError
	if errors.As(err, &typ) && typ.Field != "" {
		return errs.Malformed(fmt.Sprintf("The field %s has the wrong type.", typ.Field)).
			Field(typ.Field, "This has the wrong type.").Because(err)
	}
	if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		name = strings.Trim(name, `"`)
		return errs.New(errs.KindMalformed, "unknown_field", "The request holds a field that this call does not take.").
			Field(name, "This call does not take this field.")
	}
	return errs.Malformed("The request is not valid JSON.").Because(err)
}

// checkJSON walks the tokens once: one object, no doubled keys, no deep nesting, only clean text.
func checkJSON(body []byte) error {
	if !utf8.Valid(body) || loneSurrogate(body) {
		return errs.Malformed("The request holds text that is not valid.")
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	w := walker{dec: dec}
	if err := w.value(0); err != nil {
		return err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errs.Malformed("The request holds more than one JSON value.")
	}
	return nil
}

type walker struct{ dec *json.Decoder }

func (w walker) value(depth int) error {
	tok, err := w.dec.Token()
	if err != nil {
		return errs.Malformed("The request is not valid JSON.").Because(err)
	}
	delim, ok := tok.(json.Delim)
	switch {
	case depth == 0 && (!ok || delim != '{'):
		return errs.Malformed("The request must be a JSON object.")
	case depth > maxDepth:
		return errs.Malformed("The request is nested too deeply.")
	case !ok:
		if s, isText := tok.(string); isText {
			return checkText(s)
		}
		return nil
	case delim == '{':
		return w.object(depth)
	default:
		return w.array(depth)
	}
}

func (w walker) object(depth int) error {
	seen := map[string]bool{}
	for w.dec.More() {
		tok, err := w.dec.Token()
		if err != nil {
			return errs.Malformed("The request is not valid JSON.").Because(err)
		}
		// encoding/json matches field names without regard to case, so a double differs in nothing else
		key := strings.ToLower(fmt.Sprint(tok))
		if seen[key] {
			return errs.Malformed("The request holds a field twice.")
		}
		seen[key] = true
		if err := w.value(depth + 1); err != nil {
			return err
		}
	}
	return w.end()
}

func (w walker) array(depth int) error {
	for w.dec.More() {
		if err := w.value(depth + 1); err != nil {
			return err
		}
	}
	return w.end()
}

func (w walker) end() error {
	if _, err := w.dec.Token(); err != nil {
		return errs.Malformed("The request is not valid JSON.").Because(err)
	}
	return nil
}

func checkText(s string) error {
	switch {
	case !text.Clean(s):
		return errs.Malformed("The text holds characters that cannot be seen. Please type it anew.")
	case card.In(s):
		return errs.CardData()
	}
	return nil
}

// loneSurrogate finds a \uD800–\uDFFF escape without its partner, which encoding/json would replace in silence.
func loneSurrogate(body []byte) bool {
	for i := 0; i+5 < len(body); i++ {
		if body[i] != '\\' {
			continue
		}
		if body[i+1] != 'u' {
			i++
			continue
		}
		switch hex4(body[i+2:]) & 0xFC00 {
		case 0xD800:
			if i+11 >= len(body) || body[i+6] != '\\' || body[i+7] != 'u' || hex4(body[i+8:])&0xFC00 != 0xDC00 {
				return true
			}
			i += 11
		case 0xDC00:
			return true
		}
	}
	return false
}

func hex4(b []byte) int {
	n := 0
	for _, c := range b[:4] {
		switch {
		case c >= '0' && c <= '9':
			n = n<<4 | int(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			n = n<<4 | int(c|0x20-'a'+10)
		default:
			return 0
		}
	}
	return n
}
