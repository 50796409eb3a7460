package support

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

// Hit is a possible search result, what matched, and whether it matched exactly; Name and Mobile identify the customer.
// FranchiserID is nil, and they are empty, for a job that concerns nobody and for the mobile of an unfinished sign-up.
type Hit struct {
	FranchiserID *string `db:"franchiser_id"`
	Kind         string  `db:"kind"`
	Label        string  `db:"label"`
	Exact        bool    `db:"exact"`
	Name         string  `db:"name"`
	Mobile       string  `db:"mobile"`
}

const (
	minQuery = 3
	maxQuery = 100
	maxHits  = 20
)

const findSQL = `SELECT franchiser_id, kind, label, exact, name, mobile FROM support_find($1, $2)`

// Search finds customers by mobile, e-mail, name, store, domain, every id and number that a screen shows, or job number, exact matches
// first; …3210 finds mobiles by how they end; tag:vip finds customers with that tag, and tag:vip asha those of them named so; a text of
// fewer than three characters finds only a job. It fails with KindInvalid for text that no person types.
func (d *Customers) Search(ctx context.Context, q string) ([]Hit, error) {
	if len(q) > maxQuery || !text.Storable(q) {
		return nil, errs.Invalid("Search for up to 100 characters of text.").Field("q", "Search for up to 100 characters of text.")
	}
	q = strings.ToLower(text.Line(text.Digits(q))) // names are stored in the same form
	q = strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(q, "https://"), "http://"), "#")
	digits := mobileDigits(q)
	beginning, ending, masked := maskedMobile(q)
	if masked {
		digits = ending
	}
	if utf8.RuneCountInString(q) < minQuery && strings.Trim(q, "0123456789") != "" || q == "" {
		return []Hit{}, nil
	}
	if tag, rest, tagged := cutTag(q); tagged {
		return d.searchTagged(ctx, tag, rest)
	}
	var hits []Hit
	err := postgres.InRead(ctx, d.db, func(tx *sqlx.Tx) error {
		hits = []Hit{}
		return tx.SelectContext(ctx, &hits, findSQL, q, digits)
	})
	if err != nil {
		return nil, fmt.Errorf("search customers: %w", err)
	}
	if masked {
		hits = slices.DeleteFunc(hits, func(h Hit) bool {
			return h.Kind != "mobile" || !strings.HasPrefix(h.Label, beginning) || !strings.HasSuffix(h.Label, ending)
		})
	}
	if len(q) < minQuery { // too short to search for people
		hits = slices.DeleteFunc(hits, func(h Hit) bool { return h.Kind != "job" })
	}
	return ranked(hits), nil
}

const taggedSQL = `SELECT franchiser_id, kind, label, exact, name, mobile FROM support_tagged($1, $2, $3)`

func (d *Customers) searchTagged(ctx context.Context, tag, rest string) ([]Hit, error) {
	hits := []Hit{}
	if tag == "" {
		return hits, nil
	}
	err := postgres.InRead(ctx, d.db, func(tx *sqlx.Tx) error {
		hits = []Hit{}
		return tx.SelectContext(ctx, &hits, taggedSQL, tag, rest, mobileDigits(rest))
	})
	if err != nil {
		return nil, fmt.Errorf("search tagged customers: %w", err)
	}
	return hits, nil
}

// cutTag cuts the first word that names a tag out of a search.
func cutTag(q string) (tag, rest string, tagged bool) {
	words := strings.Fields(q)
	at := slices.IndexFunc(words, func(word string) bool { return strings.HasPrefix(word, tagPrefix) })
	if at < 0 {
		return "", q, false
	}
	return strings.TrimPrefix(words[at], tagPrefix), strings.Join(slices.Delete(words, at, at+1), " "), true
}

const tagPrefix = "tag:"

var wholeMobile = regexp.MustCompile(`^[6-9][0-9]{9}$`)

var phoneForm = regexp.MustCompile(`^[+0-9][0-9 ()./-]*$`)

var maskedForm = regexp.MustCompile(`^(?:\+91)? ?([0-9]{0,4})(?:…|\.{2,6}|[•*x]{2,6})[ -]?([0-9]{4,9})$`)

// maskedMobile returns what is left of a mobile that is typed by its last digits, as in …3210, ...3210, or as the trail shows it, 98••••3210.
func maskedMobile(q string) (beginning, ending string, ok bool) {
	m := maskedForm.FindStringSubmatch(q)
	if m == nil {
		return "", "", false
	}
	return m[1], m[2], true
}

// mobileDigits returns the digits of a possible mobile or its beginning, without +91 or a leading 0; empty otherwise.
func mobileDigits(q string) string {
	if mobile := text.Mobile(q); wholeMobile.MatchString(mobile) {
		return mobile
	}
	if !phoneForm.MatchString(q) {
		return ""
	}
	digits := strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, q)
	switch {
	case strings.HasPrefix(q, "+91"), len(digits) == 12 && strings.HasPrefix(digits, "91"):
		digits = digits[2:]
	case strings.HasPrefix(digits, "0") && len(digits) != 4: // four are the last ones
		digits = digits[1:]
	}
	if len(digits) > 10 {
		return ""
	}
	return digits
}

// ranked puts exact matches first and keeps one line per customer, kind and label.
func ranked(hits []Hit) []Hit {
	slices.SortStableFunc(hits, func(a, b Hit) int {
		switch {
		case a.Exact == b.Exact:
			return 0
		case a.Exact:
			return -1
		default:
			return 1
		}
	})
	seen := map[string]bool{}
	hits = slices.DeleteFunc(hits, func(h Hit) bool {
		key := h.Kind + "\x00" + h.Label
		if h.FranchiserID != nil {
			key += *h.FranchiserID
		}
		double := seen[key]
		seen[key] = true
		return double
	})
	return hits[:min(len(hits), maxHits)]
}
