package contract

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"pgregory.net/rapid"

	"github.com/franchise360/franchise360/pkg/platform/text"
)

// Maker generates values from schemas; the same seed generates the same ones. It knows the keywords that requests use.
type Maker struct {
	Random *rand.Rand
	// ID returns an id for a string of format uuid.
	ID func() string
	// Known are meaningful values, by the names of the fields in which they are mostly used.
	Known map[string][]any
}

// Unseen is the fault of a text with an invisible character that reverses the direction of what follows. Every call
// refuses it.
const Unseen = "turned around"

// Broken is a body with one fault, or at the limit of having one.
type Broken struct {
	// Fault describes the change, and Field the changed field, empty for the body as a whole.
	Fault, Field string
	Body         any
}

// Valid returns a value that matches the schema; optional fields may or may not be present.
func (m *Maker) Valid(s *openapi3.Schema) any {
	switch {
	case s.Const != nil:
		return s.Const
	case len(s.Enum) > 0:
		return s.Enum[m.Random.IntN(len(s.Enum))]
	case len(s.OneOf) > 0:
		return m.Valid(s.OneOf[m.Random.IntN(len(s.OneOf))].Value)
	case len(s.Examples) > 0 && m.Random.IntN(3) > 0:
		return s.Examples[m.Random.IntN(len(s.Examples))]
	case s.Type.Includes(openapi3.TypeNull) && m.Random.IntN(4) == 0:
		return nil
	case s.Type.Includes(openapi3.TypeObject):
		return m.object(s)
	case s.Type.Includes(openapi3.TypeArray):
		return m.list(s)
	case s.Type.Includes(openapi3.TypeString):
		return m.text(s)
	case s.Type.Includes(openapi3.TypeInteger):
		return m.whole(s)
	case s.Type.Includes(openapi3.TypeNumber):
		return float64(m.whole(s)) + 0.25*float64(m.Random.IntN(2))
	case s.Type.Includes(openapi3.TypeBoolean):
		return m.Random.IntN(2) == 0
	}
	return map[string]any{"any": "value"}
}

func (m *Maker) object(s *openapi3.Schema) any {
	made := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if !slices.Contains(s.Required, name) && m.Random.IntN(2) == 0 {
			continue
		}
		made[name] = m.Valid(s.Properties[name].Value)
		if known := m.Known[name]; len(known) > 0 && m.Random.IntN(4) > 0 {
			made[name] = known[m.Random.IntN(len(known))]
		}
	}
	return made
}

func (m *Maker) list(s *openapi3.Schema) any {
	least, most := small(s.MinItems), small(s.MinItems)+3
	if s.MaxItems != nil {
		most = min(most, small(*s.MaxItems))
	}
	made := []any{}
	for range least + m.Random.IntN(most-least+1) {
		made = append(made, m.Valid(s.Items.Value))
	}
	return made
}

// small converts a bound in a contract to an int.
func small(bound uint64) int {
	return int(bound) //nolint:gosec // no bound in a contract exceeds an int
}

func (m *Maker) whole(s *openapi3.Schema) int64 {
	low, high := int64(0), int64(1_000_000)
	if s.Min != nil {
		low = int64(*s.Min)
	}
	if s.Max != nil {
		high = int64(*s.Max)
	}
	return low + m.Random.Int64N(high-low+1)
}

func (m *Maker) text(s *openapi3.Schema) string {
	switch s.Format {
	case "uuid":
		return m.ID()
	case "email":
		return fmt.Sprintf("asha%d@example.in", m.Random.IntN(1000))
	case "date":
		return fmt.Sprintf("2026-11-%02d", 1+m.Random.IntN(28))
	case "date-time":
		return fmt.Sprintf("2026-11-%02dT05:30:00Z", 1+m.Random.IntN(28))
	}
	if s.Pattern != "" {
		for range 20 {
			if made := rapid.StringMatching(s.Pattern).Example(m.Random.IntN(1 << 30)); fitsLength(s, made) && text.Clean(made) {
				return made
			}
		}
	}
	least, most := small(s.MinLength), small(s.MinLength)+20
	if s.MaxLength != nil {
		most = min(most, small(*s.MaxLength))
	}
	letters := []rune("abcdefghijklmnopqrstuvwxyz ABCDEFGHIJ 0123456789 -_.' %☃é अशा 😀")
	made := []rune{}
	for range least + m.Random.IntN(most-least+1) {
		made = append(made, letters[m.Random.IntN(len(letters))])
	}
	return string(made)
}

func fitsLength(s *openapi3.Schema, text string) bool {
	n := uint64(len([]rune(text)))
	return n >= s.MinLength && (s.MaxLength == nil || n <= *s.MaxLength)
}

// OfLength returns a text of exactly n characters that matches the schema apart from its bounds; false if there is
// none.
func (m *Maker) OfLength(s *openapi3.Schema, n int) (string, bool) {
	if n < 0 || s.Format == "uuid" || strings.HasPrefix(s.Format, "date") {
		return "", false
	}
	var starts []string
	for _, example := range s.Examples {
		if text, ok := example.(string); ok {
			starts = append(starts, text)
		}
	}
	if s.Format == "email" {
		return emailOfLength(n)
	}
	form := regexp.MustCompile(s.Pattern)
	for _, start := range append(starts, "") {
		for _, filler := range []string{"a", "A", "1"} {
			for _, made := range []string{start, ""} {
				if missing := n - len([]rune(made)); missing >= 0 {
					if made = strings.Repeat(filler, missing) + made; form.MatchString(made) {
						return made, true
					}
				}
			}
		}
		if text := []rune(start); len(text) > n && form.MatchString(string(text[:n])) {
			return string(text[:n]), true
		}
	}
	return "", false
}

// emailOfLength returns an address of n characters whose local part (64) and labels (63) are within their limits; false below 6.
func emailOfLength(n int) (string, bool) {
	const shortest, longestLocal, longestLabel = len("a@b.in"), 64, 63
	if n < shortest {
		return "", false
	}
	local := min(longestLocal, n-len("@b.in"))
	host := []byte(strings.Repeat("b", n-local-len("@.in")))
	for dot := longestLabel; dot < len(host); dot += longestLabel + 1 {
		if dot == len(host)-1 {
			dot-- // no label may be empty
		}
		host[dot] = '.'
	}
	return strings.Repeat("a", local) + "@" + string(host) + ".in", true
}

// Limits returns bodies with one field at its minimum or maximum length or value, otherwise equal to the valid one.
func (m *Maker) Limits(s *openapi3.Schema, valid map[string]any) []Broken {
	var made []Broken
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		p := s.Properties[name].Value
		if p.MaxLength != nil {
			if text, ok := m.OfLength(p, small(*p.MaxLength)); ok {
				made = append(made, Broken{"longest", name, with(valid, name, text)})
			}
		}
		if text, ok := m.OfLength(p, small(p.MinLength)); ok && p.MinLength > 0 {
			made = append(made, Broken{"shortest", name, with(valid, name, text)})
		}
		if p.Min != nil {
			made = append(made, Broken{"least", name, with(valid, name, *p.Min)})
		}
		if p.Max != nil {
			made = append(made, Broken{"most", name, with(valid, name, *p.Max)})
		}
	}
	return made
}

// Broken returns bodies that each differ from a valid one in one respect. The contract decides which of them it
// refuses.
func (m *Maker) Broken(s *openapi3.Schema, valid map[string]any) []Broken {
	made := []Broken{
		{"a field too many", "", with(valid, "is_admin", true)},
		{"empty", "", map[string]any{}},
		{"a list", "", []any{valid}},
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		p := s.Properties[name].Value
		without := maps.Clone(valid)
		delete(without, name)
		renamed := maps.Clone(without)
		renamed[strings.ToUpper(name)] = valid[name]
		made = append(made,
			Broken{"missing", name, without}, Broken{"in capitals", name, renamed}, Broken{"null", name, with(valid, name, nil)},
			Broken{"an object", name, with(valid, name, map[string]any{"a": 1})}, Broken{"a list", name, with(valid, name, []any{1})},
			Broken{"a number", name, with(valid, name, -1.5)}, Broken{"true", name, with(valid, name, true)},
		)
		if text, ok := valid[name].(string); ok {
			made = append(made, m.brokenText(p, name, text, valid)...)
		}
		if p.Min != nil {
			made = append(made, Broken{"too little", name, with(valid, name, *p.Min-1)})
		}
		if p.Max != nil {
			made = append(made, Broken{"too much", name, with(valid, name, *p.Max+1)})
		}
		if list, ok := valid[name].([]any); ok && p.Items != nil {
			one := m.Valid(p.Items.Value)
			made = append(made, Broken{"doubled", name, with(valid, name, []any{one, one})},
				Broken{"null inside", name, with(valid, name, append(slices.Clone(list), nil))})
			if p.MaxItems != nil {
				var many []any
				for range *p.MaxItems + 1 {
					many = append(many, m.Valid(p.Items.Value))
				}
				made = append(made, Broken{"too many", name, with(valid, name, many)})
			}
		}
	}
	return made
}

func (m *Maker) brokenText(p *openapi3.Schema, name, text string, valid map[string]any) []Broken {
	indian := strings.NewReplacer("0", "०", "1", "१", "2", "२", "3", "३", "4", "४", "5", "५", "6", "६", "7", "७", "8", "८", "9", "९")
	made := []Broken{
		{"no text", name, with(valid, name, "")},
		{"spaces", name, with(valid, name, "   ")},
	}
	// x-typed marks values that the server also reads in other notations than the pattern's.
	if typed, _ := p.Extensions["x-typed"].(bool); !typed {
		made = append(made, Broken{Unseen, name, with(valid, name, text+"\u202e")}, Broken{"a sign", name, with(valid, name, "<"+text)})
		if digits := indian.Replace(text); digits != text {
			made = append(made, Broken{"Devanagari digits", name, with(valid, name, digits)})
		}
	}
	if p.MaxLength != nil {
		if long, ok := m.OfLength(p, small(*p.MaxLength)+1); ok {
			made = append(made, Broken{"too long", name, with(valid, name, long)})
		}
	}
	if short, ok := m.OfLength(p, small(p.MinLength)-1); ok {
		made = append(made, Broken{"too short", name, with(valid, name, short)})
	}
	return made
}

func with(body map[string]any, name string, value any) map[string]any {
	changed := maps.Clone(body)
	changed[name] = value
	return changed
}
