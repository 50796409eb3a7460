// Package timeline shows everything that happened to a customer, newest first: the union of sources that the domains
// export. It names no tables.
package timeline

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
	"github.com/franchise360/franchise360/pkg/platform/text"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// Entry is one event. ID is stable and used in URLs: its source, a dot, the source's own id. Actor is customer, visitor (not signed in),
// gateway, system, a member of the customer's team by name and role, a member of staff by name, or staff if the name was not recorded.
// RequestID is the id of the request that caused the entry, or that enqueued its job; it is empty for periodic jobs and for entries older
// than request ids. Details contain no codes or secrets.
type Entry struct {
	ID        string
	At        time.Time
	Kind      Kind
	Title     string
	Status    string
	Reference string
	Actor     string
	RequestID string
	Details   map[string]any
}

// Kind is the subject of an entry; a timeline can be filtered by it.
type Kind string

// The kinds of entries.
const (
	KindAccount      Kind = "account"
	KindCode         Kind = "code"
	KindMessage      Kind = "message"
	KindSession      Kind = "session"
	KindOrder        Kind = "order"
	KindPayment      Kind = "payment"
	KindGateway      Kind = "gateway"
	KindRefund       Kind = "refund"
	KindDocument     Kind = "document"
	KindLedger       Kind = "ledger"
	KindSubscription Kind = "subscription"
	KindDomain       Kind = "domain"
	KindJob          Kind = "job"
	KindStaff        Kind = "staff"
	KindNote         Kind = "note"
)

// Kinds returns the kinds by which a timeline can be filtered, in display order.
func Kinds() []Kind {
	return []Kind{
		KindAccount, KindCode, KindMessage, KindSession, KindOrder, KindPayment, KindGateway, KindRefund, KindDocument, KindLedger,
		KindSubscription, KindDomain, KindJob, KindStaff, KindNote,
	}
}

// Source is one part of a timeline, exported by the domain that owns its rows. Its statement yields, in this order, at,
// id (text), title, status, reference, actor, request (text, or NULL) and details (jsonb) for franchiser $1, whose
// mobile is $2; ByMobile says that the mobile alone suffices. If the actor is 'staff', entries name the member of staff
// who acted in the same request. The name is part of the ids of entries, which people keep as links: it must never
// change.
type Source struct {
	Name     string
	Kind     Kind
	ByMobile bool
	SQL      string
}

// Query selects a part of a timeline. Without a FranchiserID the timeline is that of a mobile alone.
type Query struct {
	FranchiserID string
	Mobile       string
	// Kinds filter the timeline; empty means all.
	Kinds []Kind
	// Before is the cursor of an older page, empty for the newest.
	Before string
	Limit  int
}

// Page is a page of a timeline, newest first; Next is the cursor of the next page, empty at the end.
type Page struct {
	Entries []Entry
	Next    string
}

// The page size of a timeline.
const (
	DefaultEntries = 30
	MaxEntries     = 100
)

// Service reads timelines.
type Service struct {
	db      *sqlx.DB
	sources []Source
	// mobile returns the mobile of a franchiser, empty if it was erased; KindNotFound if there is none.
	mobile func(ctx context.Context, tx *sqlx.Tx, franchiserID string) (string, error)
	// staffName returns the expression for the member of staff who acted on the franchiser in the request.
	staffName func(franchiser, request string) string
	// memberName returns the expression for the member of the franchiser's team who acted in the request.
	memberName func(franchiser, request string) string
	// failureText explains in words why a message was not sent.
	failureText func(code string) string
}

// NewService returns a service over its sources: mobile returns that of a franchiser, staffName and memberName the expressions for
// who of the staff and of the franchiser's team acted in a request, failureText why a message was not sent.
func NewService(db *sqlx.DB, sources []Source, mobile func(ctx context.Context, tx *sqlx.Tx, franchiserID string) (string, error),
	staffName, memberName func(franchiser, request string) string, failureText func(code string) string,
) *Service {
	return wiring.Complete(&Service{db: db, sources: sources, mobile: mobile, staffName: staffName, memberName: memberName, failureText: failureText})
}

// Read returns a page of everything that happened to a customer, newest first; KindInvalid for an unknown kind or a
// broken cursor, KindNotFound if there is no such customer.
func (s *Service) Read(ctx context.Context, q Query) (Page, error) {
	at, entryID, err := parseCursor(q.Before)
	if err != nil {
		return Page{}, err
	}
	chosen, err := s.choose(q)
	if err != nil {
		return Page{}, err
	}
	if q.Limit < 1 || q.Limit > MaxEntries {
		q.Limit = DefaultEntries
	}
	var page Page
	read := func(tx *sqlx.Tx) error {
		if q.FranchiserID != "" {
			if q.Mobile, err = s.mobile(ctx, tx, q.FranchiserID); err != nil {
				return err
			}
		}
		page.Entries, err = s.entriesTx(ctx, tx, chosen, q, at, entryID)
		return err
	}
	if q.FranchiserID != "" {
		err = postgres.InTenantRead(ctx, s.db, q.FranchiserID, read)
	} else {
		err = postgres.InRead(ctx, s.db, read)
	}
	if err != nil {
		return Page{}, err
	}
	if len(page.Entries) > q.Limit {
		page.Entries = page.Entries[:q.Limit]
		page.Next = cursorOf(page.Entries[q.Limit-1])
	}
	return page, nil
}

// Entry returns one entry of a customer's timeline, as a permalink identifies it; KindNotFound if there is no such
// entry.
func (s *Service) Entry(ctx context.Context, franchiserID, entryID string) (Entry, error) {
	var found []Entry
	err := postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		mobile, err := s.mobile(ctx, tx, franchiserID)
		if err != nil {
			return err
		}
		source, _, _ := strings.Cut(entryID, ".")
		for _, one := range s.sources {
			if one.Name == source {
				found, err = s.entryTx(ctx, tx, one, franchiserID, mobile, entryID)
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

// choose returns the sources that the query selects; KindInvalid for an unknown kind.
func (s *Service) choose(q Query) ([]Source, error) {
	for _, kind := range q.Kinds {
		if !slices.Contains(Kinds(), kind) {
			return nil, errs.Invalid("Please check the marked fields.").Field("kind", "There are no such entries.")
		}
	}
	var chosen []Source
	for _, one := range s.sources {
		if (len(q.Kinds) == 0 || slices.Contains(q.Kinds, one.Kind)) && (q.FranchiserID != "" || one.ByMobile) {
			chosen = append(chosen, one)
		}
	}
	return chosen, nil
}

// A cursor is the time in microseconds and the id of the last entry of a page; together they are unique.
func cursorOf(e Entry) string {
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(e.At.UnixMicro(), 10) + "." + e.ID))
}

func parseCursor(cursor string) (*time.Time, string, error) {
	if cursor == "" {
		return nil, "", nil
	}
	broken := errs.Invalid("Please check the marked fields.").Field("before", "This position in the timeline is not valid.")
	b, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(b) > 200 {
		return nil, "", broken
	}
	micros, entryID, ok := strings.Cut(string(b), ".")
	n, err := strconv.ParseInt(micros, 10, 64)
	if !ok || err != nil || n < 0 || n > 1<<53 || !text.Clean(entryID) {
		return nil, "", broken
	}
	at := time.UnixMicro(n).UTC()
	return &at, entryID, nil
}
