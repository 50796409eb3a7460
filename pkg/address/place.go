package address

import (
	"context"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// Suggestion is one place that matches the typed text.
type Suggestion struct{ Description, PlaceID string }

// Place is a suggested place in full. Names are the provider's; unknown parts are empty.
type Place struct {
	Formatted                      string
	PostalCode, Locality, District string
	State, Country                 string
	Latitude, Longitude            float64
}

// Places finds places in India by text. Implementations set their own timeouts and return errs.NotFound for an unknown
// place id and errs.Unavailable while they cannot answer.
type Places interface {
	// Suggest returns at most limit places, best first. The session is the same from the first keystroke of a search until a place is
	// chosen, for providers that bill by it. It can be empty.
	Suggest(ctx context.Context, text, session string, limit int) ([]Suggestion, error)
	// Attribution names the owner of the data, as its licence requires.
	Attribution() string
	// Place returns the place with an id from Suggest, and ends the session.
	Place(ctx context.Context, placeID, session string) (Place, error)
}

// FoundPlace is a place with the ids of our lists; an id is empty if no entry matches.
type FoundPlace struct {
	Place
	CountryID, StateID, CityID string
}

const (
	maxSuggestions = 8
	maxSearch      = 200
	maxPlaceID     = 512
)

// A session is a version 4 UUID, as browsers generate them: random, and what Google recommends.
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
