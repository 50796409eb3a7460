// Package gazetteer suggests Indian places and PIN codes from an embedded list, without any network access.
// The list is from GeoNames (CC BY 4.0, see NOTICE.md).
package gazetteer

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/franchise360/franchise360/pkg/address"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

// Gazetteer answers from memory; it loads its list of some 155,000 places on first use.
type Gazetteer struct {
	load func() (*index, error)
}

// New returns a gazetteer of the embedded list.
func New() *Gazetteer {
	return &Gazetteer{load: sync.OnceValues(func() (*index, error) { return read(embedded) })}
}

// Warm loads the list ahead of the first search, which would otherwise wait about half a second for it.
func (g *Gazetteer) Warm() error {
	_, err := g.load()
	return err
}

// Suggest returns at most limit places that match every typed word, the last of which may be unfinished. If there are too few
// exact matches, words of four or more letters may have one wrong letter, long ones two, and one word may match nothing.
// Digits are the start of a PIN.
func (g *Gazetteer) Suggest(_ context.Context, search, _ string, limit int) ([]address.Suggestion, error) {
	x, err := g.load()
	if err != nil {
		return nil, errs.Unavailable(err)
	}
	words := typed(search)
	if len(words) == 0 || limit <= 0 {
		return []address.Suggestion{}, nil
	}
	if len(words) > maxWords {
		words = words[:maxWords]
	}
	if len(words) == 1 && isPINPrefix(words[0]) {
		return x.suggestPIN(words[0], limit), nil
	}
	if found := x.suggestInPIN(words, limit); len(found) > 0 {
		return found, nil
	}
	best := newTop(limit)
	exact := x.exact(words)
	x.search(best, exact, pass{})
	if len(best.hits) < limit/2 && len(words) > 1 {
		x.search(best, exact, pass{penalty: relaxPenalty, missing: 1})
	}
	if len(best.hits) < limit/2 {
		x.search(best, x.tolerant(words), pass{penalty: typoPenalty})
	}
	// People write from small to large: "ring road surat" is in Surat, whatever else is unknown.
	for from := 1; len(best.hits) == 0 && from < len(words); from++ {
		x.search(best, x.exact(words[from:]), pass{penalty: relaxPenalty})
	}
	return x.describe(best), nil
}

// Attribution names GeoNames, as the CC BY 4.0 licence requires.
func (*Gazetteer) Attribution() string { return i18n.Mark("Places: GeoNames, CC BY 4.0") }

const maxWords = 8

// typed returns the words of a search, those in scripts of India in Latin letters. A PIN in two parts is one word, and the country says nothing.
func typed(search string) []string {
	words := split(text.Digits(text.Visible(search)))
	for i, w := range words {
		words[i] = text.Latin(w)
	}
	out := words[:0]
	for _, w := range words {
		last := len(out) - 1
		switch {
		case w == "india" && len(words) > 1:
		case last >= 0 && len(out[last]) == 3 && len(w) == 3 && isPINPrefix(out[last]) && isPINPrefix("1"+w):
			out[last] += w
		default:
			out = append(out, w)
		}
	}
	return out
}

func isPINPrefix(word string) bool {
	if len(word) > 6 || word[0] == '0' {
		return false
	}
	_, err := strconv.ParseUint(word, 10, 32)
	return err == nil
}

// Place returns the place with an id from Suggest, or errs.NotFound.
func (g *Gazetteer) Place(_ context.Context, placeID, _ string) (address.Place, error) {
	x, err := g.load()
	if err != nil {
		return address.Place{}, errs.Unavailable(err)
	}
	rest, ok := strings.CutPrefix(placeID, idPrefix)
	if !ok {
		return address.Place{}, errs.NotFound()
	}
	pin, key, named := strings.Cut(rest, ":")
	if !isPINPrefix(pin+" ") && strings.Contains(pin, "-") {
		return x.cityPlace(pin)
	}
	n, err := strconv.ParseUint(pin, 10, 32)
	if err != nil || len(pin) != 6 {
		return address.Place{}, errs.NotFound()
	}
	for _, e := range x.ofPIN(uint32(n)) {
		if !named || address.Key(x.entries[e].name) == key {
			return x.officePlace(e, named), nil
		}
	}
	return address.Place{}, errs.NotFound()
}

// idPrefix begins every place id of this list, followed by a city's id, a PIN, or a PIN and the place's key.
const idPrefix = "in:"

func (x *index) placeID(e *entry) string {
	if e.kind == kindCity {
		return fmt.Sprintf("%s%02d-%s", idPrefix, x.cities[e.city].state, address.Key(e.name))
	}
	return fmt.Sprintf("%s%06d:%s", idPrefix, x.groups[e.group].pin, address.Key(e.name))
}

func (x *index) description(e *entry) string {
	c := &x.cities[e.city]
	if e.kind == kindCity {
		return e.name + ", " + x.states[c.state]
	}
	g := &x.groups[e.group]
	city := ""
	if address.Key(c.name) != address.Key(e.name) {
		city = c.name + ", "
	}
	return fmt.Sprintf("%s, %s%s %06d", e.name, city, x.states[g.state], g.pin)
}

func (x *index) describe(t *top) []address.Suggestion {
	out := make([]address.Suggestion, 0, len(t.hits))
	seen := make(map[string]bool, len(t.hits))
	for _, h := range t.hits {
		e := &x.entries[h.entry]
		if d := x.description(e); !seen[d] {
			seen[d] = true
			out = append(out, address.Suggestion{Description: d, PlaceID: x.placeID(e)})
		}
	}
	return out
}

// suggestPIN lists the places of a complete PIN, or the PINs with that prefix, in order.
func (x *index) suggestPIN(prefix string, limit int) []address.Suggestion {
	out := make([]address.Suggestion, 0, limit)
	from, to := pinBounds(prefix)
	for p := x.pinFrom(from); p < len(x.pins) && x.pins[p].pin < to && len(out) < limit; p++ {
		first := x.pins[p].from
		e := &x.entries[first]
		g := &x.groups[e.group]
		out = append(out, address.Suggestion{
			Description: fmt.Sprintf("%06d, %s, %s", g.pin, x.cities[e.city].name, x.states[g.state]),
			PlaceID:     fmt.Sprintf("%s%06d", idPrefix, g.pin),
		})
		if len(prefix) < 6 {
			continue
		}
		for i := first; i < x.pins[p].to && len(out) < limit; i++ {
			e := &x.entries[i]
			out = append(out, address.Suggestion{Description: x.description(e), PlaceID: x.placeID(e)})
		}
	}
	return out
}

// suggestInPIN lists the places of a whole PIN among the words that match most of the others; the PIN itself comes first unless a place's
// own name is meant. It returns nothing for an unknown PIN.
func (x *index) suggestInPIN(texts []string, limit int) []address.Suggestion {
	at := slices.IndexFunc(texts, func(w string) bool { return len(w) == 6 && isPINPrefix(w) })
	if at < 0 {
		return nil
	}
	whole := x.suggestPIN(texts[at], 1)
	if len(whole) == 0 {
		return nil
	}
	pin, _ := strconv.ParseUint(texts[at], 10, 32) // isPINPrefix has already parsed it
	words := x.exact(slices.Delete(slices.Clone(texts), at, at+1))
	best := newTop(limit)
	for _, e := range x.ofPIN(u32(int(pin))) {
		if score, ok := x.score(e, words, len(words)-1); ok {
			best.add(hit{entry: e, score: score})
		}
	}
	named := x.describe(best)
	return append(named, whole...)[:min(len(named)+1, limit)]
}

func (x *index) cityPlace(id string) (address.Place, error) {
	c, ok := x.cityByID[id]
	if !ok {
		return address.Place{}, errs.NotFound()
	}
	city := &x.cities[c]
	return address.Place{
		Formatted: city.name + ", " + x.states[city.state] + ", India", Locality: city.name, State: x.states[city.state],
		Country: country, Latitude: city.lat, Longitude: city.lon,
	}, nil
}

const country = "India"

func (x *index) officePlace(i uint32, named bool) address.Place {
	e := &x.entries[i]
	g, c := &x.groups[e.group], &x.cities[e.city]
	formatted := x.description(e)
	if !named {
		formatted = fmt.Sprintf("%s, %s %06d", c.name, x.states[g.state], g.pin)
	}
	return address.Place{
		Formatted: formatted + ", India", PostalCode: fmt.Sprintf("%06d", g.pin), Locality: c.name, District: g.district,
		State: x.states[g.state], Country: country, Latitude: g.lat, Longitude: g.lon,
	}
}
