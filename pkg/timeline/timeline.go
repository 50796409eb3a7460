// Package timeline tells everything that happened to a customer, newest first: the union of sources that the domains export. It knows
// no table.
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

// Entry is one thing that happened. ID is stable and names it in addresses: its source, a dot, the source's own id.
// Actor is who did it: customer, visitor (somebody not signed in), gateway, system, or a member of staff by name, staff
// where the name was not kept. RequestID is that of the request in which it happened, of a job the one that asked for it;
// empty for what workers did and for what is older than the ids. Details hold no code and no secret.
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

// Kind is what an entry is about, by which a timeline can be narrowed.
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
)

// Kinds are what a timeline can be narrowed to, in the order in which they are offered.
func Kinds() []Kind {
	return []Kind{
		KindAccount, KindCode, KindMessage, KindSession, KindOrder, KindPayment, KindGateway, KindRefund, KindDocument, KindLedger,
		KindSubscription, KindDomain, KindJob, KindStaff,
	}
}

// Source is one part of which a timeline is made, exported by the domain that owns its rows. Its statement yields, in this order, at,
// id (text), title, status, reference, actor, request (text, or NULL) and details (jsonb) of the franchiser $1, whose mobile is $2;
// ByMobile says that the mobile is enough. Where the actor is 'staff', entries name who of them acted in the same request. The
// name stands in the ids of entries, which people keep as links: it never changes.
type Source struct {
	Name     string
	Kind     Kind
	ByMobile bool
	SQL      string
}

// Query says which part of a timeline is asked for. Without a FranchiserID it is that of a mobile alone.
type Query struct {
	FranchiserID string
	Mobile       string
	// Kinds narrow the timeline; none narrow nothing.
	Kinds []Kind
	// Before is the cursor of an earlier page, empty for the newest.
	Before string
	Limit  int
}

// Page is a page of a timeline, newest first; Next is the cursor of the page behind it, empty at the end.
type Page struct {
	Entries []Entry
	Next    string
}

// The page size of a timeline.
const (
	DefaultEntries = 30
	MaxEntries     = 100
)

// Deps are what a timeline is made of.
type Deps struct {
	DB      *sqlx.DB
	Sources []Source
	// Mobile returns the mobile of a franchiser, empty for one who was erased; KindNotFound where there is none.
	Mobile func(ctx context.Context, tx *sqlx.Tx, franchiserID string) (string, error)
	// StaffName is the expression for who of the staff acted on the franchiser in the request.
	StaffName func(franchiser, request string) string
	// FailureText says in words why a message was not sent.
	FailureText func(code string) string
}

// Service reads timelines.
type Service struct {
	db          *sqlx.DB
	sources     []Source
	mobile      func(ctx context.Context, tx *sqlx.Tx, franchiserID string) (string, error)
	staffName   func(franchiser, request string) string
	failureText func(code string) string
}

// NewService returns the timeline of its sources.
func NewService(d Deps) *Service {
	return wiring.Complete(&Service{db: d.DB, sources: d.Sources, mobile: d.Mobile, staffName: d.StaffName, failureText: d.FailureText})
}

// Read reads everything that happened to a customer, newest first, a page at a time; KindInvalid for an unknown kind
// or a broken cursor, KindNotFound where there is no such customer.
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
		err = postgres.InTenantTx(ctx, s.db, q.FranchiserID, read)
	} else {
		err = postgres.InTx(ctx, s.db, read)
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

// Entry reads one entry of a customer's timeline, such as a permalink names; KindNotFound where it is not there.
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

// choose returns the sources that the query asks for; KindInvalid for a kind that is not offered.
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
	if !ok || err != nil || n < 0 || n > 1<<53 || !text.Clean(entryID) {
		return nil, "", broken
	}
	at := time.UnixMicro(n).UTC()
	return &at, entryID, nil
}
