package outlet

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

// Sort is an order of a list.
type Sort string

// The orders of a list.
const (
	SortNewest Sort = "newest"
	SortName   Sort = "name"
	SortCity   Sort = "city"
)

// PageSize is how many outlets a page has.
const PageSize = 25

const maxSearch = 60

// Query selects outlets. Values that mean nothing are ignored, because they come from an address that people edit.
type Query struct {
	Search string
	State  State
	City   string
	// PartnerID leaves only the outlets of a partner, empty for all.
	PartnerID string
	Sort      Sort
	// After is the cursor of an earlier page, empty for the first.
	After string
	Limit int
}

// Normalise returns the query with all that means nothing taken away.
func (q Query) Normalise() Query {
	q.Search, q.City = text.Line(q.Search), text.Line(q.City)
	if !text.Storable(q.Search) || utf8.RuneCountInString(q.Search) > maxSearch {
		q.Search = ""
	}
	if !text.Storable(q.City) || utf8.RuneCountInString(q.City) > maxCity {
		q.City = ""
	}
	if _, known := states()[q.State]; !known {
		q.State = ""
	}
	if q.Sort != SortName && q.Sort != SortCity {
		q.Sort = SortNewest
	}
	if q.Limit < 1 {
		q.Limit = PageSize
	}
	return q
}

// Filtered reports whether the query leaves anything out.
func (q Query) Filtered() bool { return q.Search != "" || q.State != "" || q.City != "" }

// Page is a page of a list; Next is the cursor of the next one, empty at the end.
type Page struct {
	Outlets []Outlet
	Next    string
	// Total counts all that the query selects.
	Total int
}

// cursor is the place of the last outlet of a page in the order of its list.
type cursor struct {
	Sort Sort      `json:"s"`
	At   time.Time `json:"t"`
	City string    `json:"c"`
	Name string    `json:"n"`
	ID   string    `json:"i"`
}

func cursorOf(s Sort, o Outlet) string {
	raw, err := json.Marshal(cursor{Sort: s, At: o.CreatedAt, City: strings.ToLower(o.City), Name: strings.ToLower(o.Name), ID: o.ID})
	if err != nil {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(raw)
}

// readCursor returns nil if the text is not a cursor of the order: the list then starts at its first row.
func readCursor(s Sort, given string) *cursor {
	raw, err := base64.RawURLEncoding.DecodeString(given)
	if err != nil || given == "" || len(raw) > 1024 {
		return nil
	}
	var c cursor
	if json.Unmarshal(raw, &c) != nil || c.Sort != s || !id.Valid(c.ID) || !text.Storable(c.City) || !text.Storable(c.Name) ||
		c.At.Year() < 2000 || c.At.Year() > 9999 {
		return nil
	}
	return &c
}

// pattern returns the search as a pattern of LIKE.
func pattern(search string) string {
	if search == "" {
		return ""
	}
	return "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(strings.ToLower(search)) + "%"
}
