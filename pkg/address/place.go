package address

import (
	"context"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// Suggestion is one place that fits what was typed.
type Suggestion struct{ Description, PlaceID string }

// Place is a suggested place in full. Names are the provider's; a part that it does not know is empty.
type Place struct {
	Formatted                      string
	PostalCode, Locality, District string
	State, Country                 string
	Latitude, Longitude            float64
}

// Places finds places in India by text. Implementations bound their own time and return errs.NotFound for a place
// id they do not know and errs.Unavailable while they cannot answer.
type Places interface {
	// Suggest returns at most limit places, best first. The session is the same from the first key of a search to the choice
	// of a place, for providers that bill by it; empty where the client names none.
	Suggest(ctx context.Context, text, session string, limit int) ([]Suggestion, error)
	// Attribution says whose data it is, as its licence wants it shown.
	Attribution() string
	// Place returns the place of an id that Suggest gave, and ends the session.
	Place(ctx context.Context, placeID, session string) (Place, error)
}

// FoundPlace is a place with the ids of our lists; an id is empty where no entry fits.
type FoundPlace struct {
	Place
	CountryID, StateID, CityID string
}

const (
	maxSuggestions = 8
	maxSearch      = 200
	maxPlaceID     = 512
)

// A session is a UUID of version 4, as browsers make them: random, and what Google recommends.
var session4 = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

func checkSession(session string) error {
	var v errs.Validation
	v.Check(session == "" || session4.MatchString(session), "session", "This is no UUID of version 4.")
	return v.Err()
}

func checkSearch(text string) (string, error) {
	text = strings.TrimSpace(text)
	var v errs.Validation
	if v.Check(text != "", "address", msgEmpty) {
		v.Check(utf8.RuneCountInString(text) <= maxSearch, "address", msgLocation)
	}
	return text, v.Err()
}
