// Package gazetteer suggests Indian places and PIN codes from an embedded list, without asking anybody.
// The list is GeoNames' (CC BY 4.0, see NOTICE.md).
package gazetteer

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/franchise360/franchise360/pkg/address"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// Gazetteer answers from memory; it loads its list of some 155,000 places on first use.
type Gazetteer struct {
	load func() (*index, error)
}

// New returns a gazetteer over the embedded list.
func New() *Gazetteer {
	return &Gazetteer{load: sync.OnceValues(func() (*index, error) { return read(embedded) })}
}

// Warm loads the list ahead of the first search, which would else wait for it for about half a second.
func (g *Gazetteer) Warm() error {
	_, err := g.load()
	return err
}

// Suggest returns at most limit places that fit every word typed, the last of which may be unfinished. Words of four
// letters and more may have a wrong letter, long ones two, and one word may fit nothing, where too little fits exactly.
// Digits are the start of a PIN.
func (g *Gazetteer) Suggest(_ context.Context, text, _ string, limit int) ([]address.Suggestion, error) {
	x, err := g.load()
	if err != nil {
		return nil, errs.Unavailable(err)
	}
	words := split(text)
	if len(words) == 0 || limit <= 0 {
		return []address.Suggestion{}, nil
	}
	if len(words) > maxWords {
		words = words[:maxWords]
	}
	if len(words) == 1 && isPINPrefix(words[0]) {
		return x.suggestPIN(words[0], limit), nil
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
	return x.describe(best), nil
}

// Attribution names GeoNames, as the CC BY 4.0 licence asks.
func (*Gazetteer) Attribution() string { return "Places: GeoNames, CC BY 4.0" }

const maxWords = 8

func isPINPrefix(word string) bool {
	if len(word) > 6 || word[0] == '0' {
		return false
	}
	_, err := strconv.ParseUint(word, 10, 32)
	return err == nil
}

// Place returns the place of an id given by Suggest, or errs.NotFound.
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

// idPrefix begins every place id of this list; after it comes a city's id, a PIN, or a PIN and the place's key.
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

// suggestPIN lists the places of a whole PIN, or the PINs that begin so, in order.
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
