package handler

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/platform/card"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

// Limits for a JSON body.
const (
	maxBody  = 64 << 10
	maxDepth = 16
)

// Bind decodes the JSON body into v, a pointer to a struct. It refuses bodies that are too large (413), malformed or too
// deep, with unknown, duplicate or null fields, or with text that is not clean UTF-8 or contains a card number (400).
//
// The invisible marks that come with pasted text are dropped from every text before anything checks it.
//
// Struct tags refine this per field: null:"allowed" permits null; null:"stated" does too, but requires the field (422);
// empty:"refused" permits omitting the field, but not an empty value (422).
func Bind(c *gin.Context, v any) error {
	if ct := c.ContentType(); ct != "application/json" {
		return errs.Malformed("Send the request as application/json.")
	}
	body, err := readBody(c)
	if err != nil {
		return err
	}
	body = withoutMarks(body)
	if err := checkJSON(body, reflect.TypeOf(v).Elem()); err != nil {
		return err
	}
	if err := json.Unmarshal(body, v); err != nil {
		return explain(err, reflect.TypeOf(v).Elem())
	}
	return nil
}

// NoBody refuses (400) a request that carries anything, for calls that take nothing.
func NoBody(c *gin.Context) error {
	body, err := readBody(c)
	if err != nil {
		return err
	}
	if len(body) > 0 {
		return errs.Malformed("Send the request without a body.")
	}
	return nil
}

// readBody reads a body of any kind, up to the global size limit.
func readBody(c *gin.Context) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(c.Writer, c.Request.Body, maxBody))
	if err == nil {
		return body, nil
	}
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return nil, errs.New(errs.KindTooLarge, "body_too_large", "This is too much data. Please send at most 64 KB.")
	}
	return nil, errs.Malformed("The request could not be read.").Because(err)
}

// ParamID returns the path parameter if it is a valid id, and KindNotFound otherwise.
func ParamID(c *gin.Context, name string) (string, error) {
	v := c.Param(name)
	if !id.Valid(v) {
		return "", errs.NotFound()
	}
	return strings.ToLower(v), nil
}

func explain(err error, t reflect.Type) error {
	var typ *json.UnmarshalTypeError
	if errors.As(err, &typ) && typ.Field != "" {
		return wrongType(fieldOf(t, typ.Field)).Because(err)
	}
	return errs.Malformed("The request is not valid JSON.").Because(err)
}

// fieldOf returns the path without the names of embedded Go types, which encoding/json puts into it.
func fieldOf(t reflect.Type, path string) string {
	at := member{of: t}
	var named []string
	for part := range strings.SplitSeq(path, ".") {
		for at.of != nil && (at.of.Kind() == reflect.Pointer || at.of.Kind() == reflect.Slice) {
			at.of = at.of.Elem()
		}
		known, isStruct := at.members()
		next, ok := known[part]
		if isStruct && !ok {
			continue
		}
		named, at = append(named, part), next
	}
	return strings.Join(named, ".")
}

func wrongType(field string) *errs.Error {
	return errs.Malformed(fmt.Sprintf("The field %s has the wrong type.", field)).Field(field, "This has the wrong type.")
}

// checkJSON scans the tokens once: one object with only the struct's fields, no duplicates, no deep nesting, only clean
// text. It compares field names exactly, since encoding/json would ignore case.
func checkJSON(body []byte, t reflect.Type) error {
	if !utf8.Valid(body) || loneSurrogate(body) {
		return errs.Malformed("The request holds text that is not valid.")
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	w := walker{dec: dec}
	if err := w.value(0, member{of: t}); err != nil {
		return err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errs.Malformed("The request holds more than one JSON value.")
	}
	return nil
}

type walker struct{ dec *json.Decoder }

// member describes the field that a value belongs to: type, name and tags.
type member struct {
	of                       reflect.Type
	field                    string
	nullable, stated, filled bool
}

// members returns the fields that an object may have, or false if the type does not define them.
func (m member) members() (map[string]member, bool) {
	t := m.of
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil || t.Kind() != reflect.Struct {
		return nil, false
	}
	known := map[string]member{}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.IsExported() && name != "" && name != "-" {
			null := f.Tag.Get("null")
			known[name] = member{f.Type, name, null != "", null == "stated", f.Tag.Get("empty") == "refused"}
		}
	}
	return known, true
}

// item returns the element of a list; for any other type the elements are unchecked.
func (m member) item() member {
	t := m.of
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil || t.Kind() != reflect.Slice {
		return member{field: m.field}
	}
	return member{of: t.Elem(), field: m.field}
}

func (w walker) value(depth int, m member) error {
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
	case tok == nil && !m.nullable:
		return wrongType(m.field)
	case m.filled && blank(tok):
		return errs.Invalid("Please leave this out or fill it in.").Field(m.field, "Please leave this out or fill it in.")
	case !ok:
		if s, isText := tok.(string); isText {
			return checkText(s, asTyped(m.of, s))
		}
		return nil
	case delim == '{':
		return w.object(depth, m)
	default:
		return w.array(depth, m)
	}
}

func blank(tok json.Token) bool {
	s, ok := tok.(string)
	return ok && strings.TrimSpace(s) == ""
}

func (w walker) object(depth int, m member) error {
	seen := map[string]bool{}
	known, closed := m.members()
	for w.dec.More() {
		tok, err := w.dec.Token()
		if err != nil {
			return errs.Malformed("The request is not valid JSON.").Because(err)
		}
		key := fmt.Sprint(tok)
		if seen[key] {
			return errs.Malformed("The request holds a field twice.")
		}
		seen[key] = true
		to, ok := known[key]
		if closed && !ok {
			return errs.New(errs.KindMalformed, "unknown_field", "The request has a field that this call does not accept.").
				Field(key, "This call does not accept this field.")
		}
		if err := w.value(depth+1, to); err != nil {
			return err
		}
	}
	for name, m := range known {
		if m.stated && !seen[name] {
			return errs.Invalid("Please send this field, even if it is null.").Field(name, "Please send this field, even if it is null.")
		}
	}
	return w.end()
}

func (w walker) array(depth int, m member) error {
	for w.dec.More() {
		if err := w.value(depth+1, m.item()); err != nil {
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

// checkText refuses text with unseen characters, and a card number however the field's type would rewrite it.
func checkText(given, typed string) error {
	switch {
	case !text.Clean(typed):
		return errs.Malformed("The text holds characters that cannot be seen. Please type it anew.")
	case card.In(text.Digits(given)), card.In(typed):
		return errs.CardData()
	}
	return nil
}

// withoutMarks drops the invisible marks of pasted text from a JSON body, as they are and escaped.
func withoutMarks(body []byte) []byte {
	if !bytes.Contains(body, []byte(`\u`)) {
		return []byte(text.WithoutMarks(string(body)))
	}
	plain := make([]byte, 0, len(body))
	for i := 0; i < len(body); {
		size := 1
		if body[i] == '\\' && i+1 < len(body) {
			size = 2
			if body[i+1] == 'u' && i+5 < len(body) {
				size = 6
			}
		}
		if size < 6 || text.WithoutMarks(string(hex4(body[i+2:]))) != "" {
			plain = append(plain, body[i:i+size]...)
		}
		i += size
	}
	return []byte(text.WithoutMarks(string(plain)))
}

// loneSurrogate finds a \uD800–\uDFFF escape without its partner, which encoding/json would silently replace.
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

func hex4(b []byte) rune {
	n := rune(0)
	for _, c := range b[:4] {
		switch {
		case c >= '0' && c <= '9':
			n = n<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			n = n<<4 | rune(c|0x20-'a'+10)
		default:
			return 0
		}
	}
	return n
}
