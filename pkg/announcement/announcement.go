// Package announcement is the one line that the operator tells everybody above the pages.
package announcement

import (
	"database/sql/driver"
	"encoding/json"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

// Level is how an announcement looks.
type Level string

// The levels.
const (
	LevelInfo    Level = "info"
	LevelWarning Level = "warning"
)

// Audience is who reads an announcement.
type Audience string

// The audiences: visitors who are not signed in, customers who are, or both.
const (
	AudiencePublic    Audience = "public"
	AudienceCustomers Audience = "customers"
	AudienceBoth      Audience = "both"
)

// Texts is a text by language. It has every language that the product had when it was saved.
type Texts map[i18n.Language]string

// Value implements driver.Valuer.
func (t Texts) Value() (driver.Value, error) {
	text, err := json.Marshal(t)
	return string(text), err
}

// Scan implements sql.Scanner.
func (t *Texts) Scan(value any) error {
	text, _ := value.([]byte)
	*t = nil
	return json.Unmarshal(text, t)
}

// Announcement is one announcement. Revision counts its versions.
type Announcement struct {
	ID          string    `db:"id"`
	Texts       Texts     `db:"texts"`
	Link        string    `db:"link"` // a page of our own, or empty
	Level       Level     `db:"level"`
	Audience    Audience  `db:"audience"`
	StartsAt    time.Time `db:"starts_at"`
	EndsAt      time.Time `db:"ends_at"`
	Revision    int       `db:"revision"`
	SavedBy     string    `db:"saved_by"`
	SavedByName string    `db:"saved_by_name"`
	SavedAt     time.Time `db:"saved_at"`
}

// Shown reports whether the announcement is shown at a time to who is signed in, or to who is not.
func (a Announcement) Shown(at time.Time, signedIn bool) bool {
	if at.Before(a.StartsAt) || !at.Before(a.EndsAt) {
		return false
	}
	return a.Audience == AudienceBoth || (a.Audience == AudienceCustomers) == signedIn
}

// before reports whether a is shown rather than b: a warning, or else what began later.
func (a Announcement) before(b Announcement) bool {
	if a.Level != b.Level {
		return a.Level == LevelWarning
	}
	if !a.StartsAt.Equal(b.StartsAt) {
		return a.StartsAt.After(b.StartsAt)
	}
	return a.ID > b.ID
}

const maxText = 200

// ownPage is a path of our own site; //host and /\host would lead to another site.
var ownPage = regexp.MustCompile(`^/([^/\\\s][^\s\\]*)?$`)

// clean returns the announcement with its texts trimmed, or a validation error.
func (a Announcement) clean(now time.Time) (Announcement, error) {
	var v errs.Validation
	texts := Texts{}
	for _, l := range i18n.Languages() {
		s := strings.Join(strings.Fields(a.Texts[l]), " ")
		n := utf8.RuneCountInString(s)
		v.Check(n > 0, "texts."+string(l), "Write a text.")
		v.Check(n <= maxText && text.Storable(s), "texts."+string(l), "Write up to 200 characters.")
		texts[l] = s
	}
	a.Texts, a.Link = texts, strings.TrimSpace(a.Link)
	v.Check(a.Link == "" || ownPage.MatchString(a.Link) && len(a.Link) <= maxText, "link", "Write a page of this site, such as /pricing, or nothing.")
	v.Check(a.Level == LevelInfo || a.Level == LevelWarning, "level", "Choose one.")
	v.Check(a.Audience == AudiencePublic || a.Audience == AudienceCustomers || a.Audience == AudienceBoth, "audience", "Choose one.")
	v.Check(!a.StartsAt.IsZero(), "starts_at", "Choose when it begins.")
	v.Check(a.EndsAt.After(a.StartsAt), "ends_at", "The end is after the beginning.")
	v.Check(a.EndsAt.After(now), "ends_at", "The end is after now.")
	v.Check(a.EndsAt.Before(now.AddDate(2, 0, 0)), "ends_at", "The end is within two years.")
	return a, v.Err()
}
