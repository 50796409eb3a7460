package address

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/platform/text"
)

// Directory finds the States and cities of many addresses by the names that people write.
type Directory struct {
	states map[string]Item
	cities map[string][]listed
}

// listed is a city of the list.
type listed struct{ stateID, name string }

const directorySQL = `SELECT id, id AS state_id, name, keys, true AS is_state FROM states WHERE country_id = $1
UNION ALL SELECT c.id, c.state_id, c.name, c.keys, false FROM cities c`

// DirectoryTx reads the lists of States and cities.
func DirectoryTx(ctx context.Context, tx *sqlx.Tx) (Directory, error) {
	var rows []struct {
		ID      string         `db:"id"`
		StateID string         `db:"state_id"`
		Name    string         `db:"name"`
		Keys    pq.StringArray `db:"keys"`
		IsState bool           `db:"is_state"`
	}
	if err := tx.SelectContext(ctx, &rows, directorySQL, Country); err != nil {
		return Directory{}, fmt.Errorf("read the lists of places: %w", err)
	}
	d := Directory{states: map[string]Item{}, cities: map[string][]listed{}}
	for _, r := range rows {
		if r.IsState {
			d.states[r.ID] = Item{r.ID, r.Name}
		}
		for _, key := range r.Keys {
			if r.IsState {
				d.states[key] = Item{r.ID, r.Name}
			} else {
				d.cities[key] = append(d.cities[key], listed{r.StateID, r.Name})
			}
		}
	}
	return d, nil
}

// State finds a State by its name, short name or GST code, also with both, such as "27-Maharashtra". It returns false for two States.
func (d Directory) State(given string) (found Item, ok bool) {
	given = text.Digits(given)
	for _, key := range []string{Key(given), strings.TrimSuffix(Key(given), "state")} {
		if item, ok := d.states[key]; ok {
			return item, true
		}
	}
	parts := append(strings.FieldsFunc(given, func(r rune) bool { return r == '-' || r == '(' || r == ')' || r == '/' || r == ':' }), splitNumber(given)...)
	for _, part := range parts {
		key := Key(part)
		if len(key) == 1 && key[0] >= '0' && key[0] <= '9' {
			key = "0" + key
		}
		item, known := d.states[key]
		switch {
		case !known:
		case ok && item != found:
			return Item{}, false
		default:
			found, ok = item, true
		}
	}
	return found, ok
}

// splitNumber returns the number that a text begins with, and the rest.
func splitNumber(given string) []string {
	given = strings.TrimSpace(given)
	rest := strings.TrimLeft(given, "0123456789")
	return []string{given[:len(given)-len(rest)], rest}
}

// listed returns the cities of a name. It also finds a name in a script of India.
func (d Directory) listed(given string) []listed {
	if found, ok := d.cities[Key(given)]; ok || !text.Indic(given) {
		return found
	}
	words := strings.Fields(given)
	for i := range words {
		words[i] = text.Latin(words[i])
	}
	return d.cities[Key(strings.Join(words, " "))]
}

// City returns the name in the list of a city of the State, or of all India without one. It returns false if the list has none, or
// cities with different names.
func (d Directory) City(stateID, given string) (name string, ok bool) {
	for _, c := range d.listed(given) {
		if stateID != "" && c.stateID != stateID {
			continue
		}
		if ok && c.name != name {
			return "", false
		}
		name, ok = c.name, true
	}
	return name, ok
}

// HasCity reports whether any State has a city of this name in the list.
func (d Directory) HasCity(given string) bool { return len(d.listed(given)) > 0 }

// StatesOf returns the States in which the list has a city of this name.
func (d Directory) StatesOf(given string) []Item {
	var states []Item
	for _, c := range d.listed(given) {
		if state := d.states[c.stateID]; !slices.Contains(states, state) {
			states = append(states, state)
		}
	}
	return states
}
