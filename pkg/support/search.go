package support

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

// Hit is a possible search result, the matching text, and whether it matched exactly. Name and Mobile identify the customer.
// FranchiserID is nil, and they are empty, for a job without a customer and for the mobile of an unfinished sign-up.
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
)

// searchSize bounds a search: how many rows of a kind are read, and how many hits are returned.
type searchSize struct{ perKind, hits int }

// The search box lists few hits, the page of all results the most that a person reads through.
func sizeOf(all bool) searchSize {
	if all {
		return searchSize{perKind: 200, hits: 200}
	}
	return searchSize{perKind: 8, hits: 20}
}

const searchLimitSQL = `SELECT set_config('app.search_limit', $1, true)`

const findSQL = `SELECT franchiser_id, kind, label, exact, name, mobile FROM support_find($1, $2)`

// kindSounds is the kind of a name that sounds like the search, or differs from it by a letter.
const kindSounds = "sounds_like"

const soundingSQL = `SELECT franchiser_id, kind, label, exact, name, mobile FROM support_find_sounding($1, $2)`

// Search finds customers by mobile, e-mail, name, store, domain, every id and number that a screen shows, or job number. Exact matches
// come first. …3210 finds mobiles by their last digits, and six
// characters also a payment by the end of its transaction id, and an address by the end of its GSTIN. A label before a number, as in
// "invoice FP/26-27/000123", is ignored if nothing contains it. tag:vip finds customers with that tag, and tag:vip asha the customers among
// them with that name. A text of fewer than three characters finds only a job. A list with room ends with names that sound like q or
// differ from it by a letter. Each customer is listed once. More reports that the list is cut off; all requests a longer list. Text
// that no person types returns KindInvalid.
func (d *Customers) Search(ctx context.Context, q string, all bool) (hits []Hit, more bool, err error) {
	if len(q) > maxQuery || !text.Storable(q) {
		return nil, false, errs.Invalid("Search for up to 100 characters of text.").Field("q", "Search for up to 100 characters of text.")
	}
	q = strings.ToLower(text.Line(text.Digits(withoutPictures(shortened.ReplaceAllString(q, "$1.$2"))))) // names are stored in the same form
	q = strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(q, "https://"), "http://"), "#")
	hits, more, err = d.search(ctx, q, "", all)
	if rest, kind, ok := withoutLabel(q); ok && err == nil && len(hits) == 0 {
		return d.search(ctx, rest, kind, all)
	}
	return hits, more, err
}

// search searches for q, which Search has cleaned. Hits of the kind, if one is named, come before all others.
func (d *Customers) search(ctx context.Context, q, kind string, all bool) (hits []Hit, more bool, err error) {
	q = documentNumber(taxNumber(q))
	digits := mobileDigits(q)
	beginning, ending, masked := maskedMobile(q)
	if masked {
		digits = ending
	}
	if utf8.RuneCountInString(q) < minQuery && strings.Trim(q, "0123456789") != "" || q == "" {
		return []Hit{}, false, nil
	}
	if tag, rest, tagged := cutTag(q); tagged {
		return d.searchTagged(ctx, tag, rest)
	}
	size := sizeOf(all)
	err = postgres.InRead(ctx, d.db, func(tx *sqlx.Tx) error {
		if all {
			if _, err := tx.ExecContext(ctx, searchLimitSQL, strconv.Itoa(size.perKind)); err != nil {
				return err
			}
		}
		hits, err = find(ctx, tx, q, digits, size)
		return err
	})
	if err != nil {
		return nil, false, fmt.Errorf("search customers: %w", err)
	}
	more = isCutOff(hits, size)
	if masked {
		hits = slices.DeleteFunc(hits, func(h Hit) bool {
			return h.Kind != "mobile" || !strings.HasPrefix(h.Label, beginning) || !strings.HasSuffix(h.Label, ending)
		})
	}
	if len(q) < minQuery { // too short to search for people
		hits = slices.DeleteFunc(hits, func(h Hit) bool { return h.Kind != "job" })
	}
	hits = ranked(hits, kind)
	return hits[:min(len(hits), size.hits)], more || len(hits) > size.hits, nil
}

// find searches for q. It looks for names that sound similar, and then for names that differ by a letter, only while the list is not
// full.
func find(ctx context.Context, tx *sqlx.Tx, q, digits string, size searchSize) ([]Hit, error) {
	hits := []Hit{}
	if err := tx.SelectContext(ctx, &hits, findSQL, q, digits); err != nil {
		return nil, err
	}
	if utf8.RuneCountInString(q) < minQuery || strings.ContainsFunc(q, noName) {
		return hits, nil
	}
	for _, near := range []bool{false, true} {
		if isCutOff(hits, size) || len(ranked(slices.Clone(hits), "")) >= size.hits {
			break
		}
		var sounding []Hit
		if err := tx.SelectContext(ctx, &sounding, soundingSQL, q, near); err != nil {
			return nil, err
		}
		hits = append(hits, sounding...)
	}
	return hits, nil
}

// isCutOff reports whether a kind has as many hits as are read of it. A customer whose name matches in several ways counts once.
func isCutOff(hits []Hit, size searchSize) bool {
	ofKind, seen := map[string]int{}, map[string]bool{}
	for _, h := range hits {
		key := h.Kind + "\x00" + h.Label
		if h.FranchiserID != nil {
			key += "\x00" + *h.FranchiserID
			if h.Kind == kindSounds {
				key = h.Kind + "\x00" + *h.FranchiserID // by person, store or company
			}
		}
		if !seen[key] {
			ofKind[h.Kind]++
		}
		seen[key] = true
	}
	for _, n := range ofKind {
		if n >= size.perKind {
			return true
		}
	}
	return false
}

// noName reports whether no name has the character: ids, numbers, addresses and masked mobiles have it.
func noName(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsMark(r) && !strings.ContainsRune(" '’.&-\u200c\u200d", r)
}

const taggedSQL = `SELECT franchiser_id, kind, label, exact, name, mobile FROM support_tagged($1, $2, $3)`

// maxTagged is how many customers support_tagged returns at most.
const maxTagged = 50

func (d *Customers) searchTagged(ctx context.Context, tag, rest string) (hits []Hit, more bool, err error) {
	hits = []Hit{}
	if tag == "" {
		return hits, false, nil
	}
	err = postgres.InRead(ctx, d.db, func(tx *sqlx.Tx) error {
		hits = []Hit{}
		return tx.SelectContext(ctx, &hits, taggedSQL, tag, rest, mobileDigits(rest))
	})
	if err != nil {
		return nil, false, fmt.Errorf("search tagged customers: %w", err)
	}
	return hits, len(hits) == maxTagged, nil
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

// shortened matches a word that a Devanagari abbreviation sign ends, as in डॉ॰ for Doctor. Many people type the digit zero instead.
var shortened = regexp.MustCompile(`([\p{L}\p{M}])[०॰](\s|$)`)

// withoutPictures drops emoji and other pictures, which address books put before a name or number.
func withoutPictures(q string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.So, r) || r >= 0x1F000 && unicode.Is(unicode.Sk, r) || r == '\uFE0F' || r == '\u20E3' {
			return ' '
		}
		return r
	}, q)
}

var (
	taxLabel      = regexp.MustCompile(`^(?:gstin(?: ?/ ?uin)?|gst|pan)(?: ?(?:no\.?|number))?(?: ?[:.=#-])? ?(.+)$`)
	wholeTaxForm  = regexp.MustCompile(`^(?:[0-9]{2}[a-z]{5}[0-9]{4}[a-z][0-9a-z]{3}|[a-z]{5}[0-9]{4}[a-z])$`)
	taxBeginning  = regexp.MustCompile(`^(?:[0-9]{2}[a-z]{3,5}[0-9]{0,4}[a-z]?[0-9a-z]{0,3}|[a-z]{5}[0-9]{1,4}[a-z]?)$`)
	taxEnd        = regexp.MustCompile(`^[0-9]{2}[a-z][0-9a-z][a-z][0-9a-z]$`)
	taxSeparators = regexp.MustCompile(`[-./…, ]+`)
	cutTax        = regexp.MustCompile(`^(?:…|\.{2,4}) ?([0-9a-z]{6})$`)
)

// taxNumber returns a whole GSTIN or PAN without its separators, and a labelled one, or its beginning, also without the label. Any other
// text stays as it is.
func taxNumber(q string) string {
	if compact := taxSeparators.ReplaceAllString(q, ""); wholeTaxForm.MatchString(compact) {
		return compact
	}
	if m := taxLabel.FindStringSubmatch(q); m != nil {
		if compact := taxSeparators.ReplaceAllString(m[1], ""); taxBeginning.MatchString(compact) || taxEnd.MatchString(compact) {
			return compact
		}
	}
	if m := cutTax.FindStringSubmatch(q); m != nil && taxEnd.MatchString(m[1]) {
		return m[1]
	}
	return q
}

var (
	// numberLabel is a word that screens, documents and callers put before a number or id.
	numberLabel = regexp.MustCompile(`^((?:tax )?inv(?:oice)?|bill|order|payment|receipt|refund|credit note|refund voucher|receipt voucher|voucher|proforma(?: invoice)?|` +
		`transaction|txn|utr|irn|mandate|dispute|customer|job|request|mobile|phone)s?(?: ?[.])?(?: ?(?:no\.?|number|id))?(?: ?[:.=#-])? ?(\S.*)$`)
	// yearInNumber is a financial year with centuries after the series of a document's number, as in fp/2026-27.
	yearInNumber = regexp.MustCompile(`^((?:[a-z]{1,6}[ /.-]*)?)20([0-9]{2}) ?[-/ ] ?(?:20)?([0-9]{2})\b`)
	// seriesOfYear is a document's number without its end.
	seriesOfYear = regexp.MustCompile(`^([a-z]{1,6})[ /.-]*([0-9]{2}) ?[-/ ]? ?([0-9]{2})[ /-]*(?:…|\.{2,4}|[•*x]+)?$`)
)

// withoutLabel returns a number or id without the label before it, and the kind of hit that the label of a document names.
func withoutLabel(q string) (rest, kind string, ok bool) {
	m := numberLabel.FindStringSubmatch(q)
	if m == nil || !strings.ContainsAny(m[2], "0123456789") {
		return "", "", false
	}
	switch label := strings.TrimPrefix(m[1], "tax "); label {
	case "inv", "invoice", "bill":
		kind = "invoice"
	case "credit note":
		kind = "credit_note"
	}
	return m[2], kind, true
}

// documentNumber writes the financial year of a document's number as the product does, 26-27 for 2026-27. It writes a number without
// its end, as in "FP 2026-27/…", as the beginning that all numbers of the series and year share.
func documentNumber(q string) string {
	if m := yearInNumber.FindStringSubmatch(q); m != nil && followsYear(m[2], m[3]) {
		q = m[1] + m[2] + "-" + m[3] + q[len(m[0]):]
	}
	if m := seriesOfYear.FindStringSubmatch(q); m != nil && followsYear(m[2], m[3]) {
		return m[1] + "/" + m[2] + "-" + m[3] + "/"
	}
	return q
}

// followsYear reports whether two years of two digits follow one another.
func followsYear(year, next string) bool {
	from, _ := strconv.Atoi(year)
	to, _ := strconv.Atoi(next)
	return to == (from+1)%100
}

var wholeMobile = regexp.MustCompile(`^[6-9][0-9]{9}$`)

var phoneForm = regexp.MustCompile(`^[+0-9][0-9 ()./-]*$`)

var maskedForm = regexp.MustCompile(`^(?:\+91)? ?([0-9]{0,4})(?:…|\.{2,6}|[•*x]{2,6})[ -]?([0-9]{4,9})$`)

// maskedMobile returns the visible digits of a masked mobile, as in …3210, ...3210, or in the trail's form, 98••••3210.
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

// ranked puts hits of the kind first, if one is named, and then exact matches. It keeps the best line of each customer, and one line per kind and label of hits without a customer.
func ranked(hits []Hit, kind string) []Hit {
	slices.SortStableFunc(hits, func(a, b Hit) int {
		switch {
		case kind != "" && (a.Kind == kind) != (b.Kind == kind):
			return first(a.Kind == kind)
		case a.Exact == b.Exact:
			return 0
		case a.Exact:
			return -1
		default:
			return 1
		}
	})
	seen := map[string]bool{}
	return slices.DeleteFunc(hits, func(h Hit) bool {
		key := h.Kind + "\x00" + h.Label
		if h.FranchiserID != nil {
			key = *h.FranchiserID
		}
		double := seen[key]
		seen[key] = true
		return double
	})
}

// first returns the order of two hits of which one comes first.
func first(yes bool) int {
	if yes {
		return -1
	}
	return 1
}
