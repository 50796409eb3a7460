package support

import (
	"context"
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// Entry is one thing that happened. ID is stable and names it in addresses: its source, a dot, the source's own id.
// Actor is who did it: customer, visitor (somebody not signed in), gateway, system, or a member of staff by name, staff
// where the name was not kept. RequestID is that of the request in which it happened, of a job the one that asked for it;
// empty for what workers did and for what is older than the ids. Details hold no code and no secret.
type Entry struct {
	ID        string
	At        time.Time
	Kind      string
	Title     string
	Status    string
	Reference string
	Actor     string
	RequestID string
	Details   map[string]any
}

// TimelineQuery says which part of a timeline is asked for. Without a FranchiserID it is that of a mobile alone.
type TimelineQuery struct {
	FranchiserID string
	Mobile       string
	// Kinds narrow the timeline; none narrow nothing.
	Kinds []string
	// Before is the cursor of an earlier page, empty for the newest.
	Before string
	Limit  int
}

// Timeline is a page of it, newest first; Next is the cursor of the page behind it, empty at the end.
type Timeline struct {
	Entries []Entry
	Next    string
}

// The page size of a timeline.
const (
	DefaultEntries = 30
	MaxEntries     = 100
)

// Kinds are what a timeline can be narrowed to, in the order in which they are offered.
func Kinds() []string {
	kinds := []string{}
	for _, s := range sources() {
		if !slices.Contains(kinds, s.kind) {
			kinds = append(kinds, s.kind)
		}
	}
	return kinds
}

// Timeline reads everything that happened to a customer, newest first, a page at a time; KindInvalid for an unknown kind
// or a broken cursor, KindNotFound where there is no such customer.
func (d *Customers) Timeline(ctx context.Context, q TimelineQuery) (Timeline, error) {
	at, entryID, err := parseCursor(q.Before)
	if err != nil {
		return Timeline{}, err
	}
	chosen, err := chooseSources(q)
	if err != nil {
		return Timeline{}, err
	}
	if q.Limit < 1 || q.Limit > MaxEntries {
		q.Limit = DefaultEntries
	}
	var page Timeline
	read := func(tx *sqlx.Tx) error {
		if q.FranchiserID != "" {
			c, err := customerTx(ctx, tx, q.FranchiserID)
			if err != nil {
				return err
			}
			q.Mobile = c.Mobile
		}
		page.Entries, err = entriesTx(ctx, tx, chosen, q, at, entryID)
		return err
	}
	if q.FranchiserID != "" {
		err = postgres.InTenantTx(ctx, d.db, q.FranchiserID, read)
	} else {
		err = postgres.InTx(ctx, d.db, read)
	}
	if err != nil {
		return Timeline{}, err
	}
	if len(page.Entries) > q.Limit {
		page.Entries = page.Entries[:q.Limit]
		page.Next = cursorOf(page.Entries[q.Limit-1])
	}
	return page, nil
}

// Entry reads one entry of a customer's timeline, such as a permalink names; KindNotFound where it is not there.
func (d *Customers) Entry(ctx context.Context, franchiserID, entryID string) (Entry, error) {
	var found []Entry
	err := postgres.InTenantTx(ctx, d.db, franchiserID, func(tx *sqlx.Tx) error {
		c, err := customerTx(ctx, tx, franchiserID)
		if err != nil {
			return err
		}
		source, _, _ := strings.Cut(entryID, ".")
		for _, s := range sources() {
			if s.name == source {
				found, err = entryTx(ctx, tx, s, franchiserID, c.Mobile, entryID)
				return err
			}
		}
		return errs.NotFound()
	})
	if err == nil && len(found) == 0 {
		err = errs.NotFound()
	}
	if err != nil {
		return Entry{}, err
	}
	return found[0], nil
}

func chooseSources(q TimelineQuery) ([]source, error) {
	all := Kinds()
	for _, kind := range q.Kinds {
		if !slices.Contains(all, kind) {
			return nil, errs.Invalid("Please check the marked fields.").Field("kind", "There are no such entries.")
		}
	}
	var chosen []source
	for _, s := range sources() {
		if (len(q.Kinds) == 0 || slices.Contains(q.Kinds, s.kind)) && (q.FranchiserID != "" || s.byMobile) {
			chosen = append(chosen, s)
		}
	}
	return chosen, nil
}

// A cursor is the time in microseconds and the id of the last entry of a page, which nothing else can be between.
func cursorOf(e Entry) string {
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(e.At.UnixMicro(), 10) + "." + e.ID))
}

func parseCursor(cursor string) (*time.Time, string, error) {
	if cursor == "" {
		return nil, "", nil
	}
	broken := errs.Invalid("Please check the marked fields.").Field("before", "This is no place in a timeline.")
	b, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(b) > 200 {
		return nil, "", broken
	}
	micros, entryID, ok := strings.Cut(string(b), ".")
	n, err := strconv.ParseInt(micros, 10, 64)
	if !ok || err != nil || n < 0 || n > 1<<53 {
		return nil, "", broken
	}
	at := time.UnixMicro(n).UTC()
	return &at, entryID, nil
}
