package support

import (
	"context"
	"encoding/json"
	"sort"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/staff"
)

// TimelineLimit is how many events of each type a customer's timeline holds, the newest ones.
const TimelineLimit = 100

// Recorder notes what staff do; staff.Service is the one that does.
type Recorder interface {
	RecordTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, a staff.Action) error
}

// Desk is what staff work at: it finds customers, shows why things are as they are, and mends jobs.
type Desk struct {
	db       *sqlx.DB
	jobs     *queue.Inserter
	clock    clock.Clock
	recorder Recorder
	inbox    *Inbox
}

// NewDesk returns a desk over the pool; every change it makes is noted by the recorder in the same transaction.
func NewDesk(db *sqlx.DB, jobs *queue.Inserter, clk clock.Clock, recorder Recorder, inbox *Inbox) *Desk {
	return &Desk{db: db, jobs: jobs, clock: clk, recorder: recorder, inbox: inbox}
}

// Hit is a customer that a search may mean, what matched, and whether it matched whole.
type Hit struct {
	FranchiserID string `db:"franchiser_id"`
	Kind         string `db:"kind"`
	Label        string `db:"label"`
	Exact        bool   `db:"exact"`
}

const (
	minQuery = 3
	maxQuery = 100
	maxHits  = 20
)

// Search finds customers by mobile, e-mail, name, store, domain, transaction id, gateway payment id, invoice number or job
// number; a text of fewer than three characters finds only a job.
func (d *Desk) Search(ctx context.Context, q string) ([]Hit, error) {
	q = strings.ToLower(strings.Join(strings.Fields(q), " "))
	q = strings.TrimPrefix(strings.TrimPrefix(q, "+91"), " ")
	if !utf8.ValidString(q) || len(q) > maxQuery || strings.ContainsRune(q, 0) {
		return nil, errs.Invalid("Search for up to 100 characters of text.").Field("q", "Search for up to 100 characters of text.")
	}
	isNumber := q != "" && strings.Trim(q, "0123456789") == ""
	if utf8.RuneCountInString(q) < minQuery && !isNumber {
		return []Hit{}, nil
	}
	hits, err := search(ctx, d.db, q)
	if err != nil {
		return nil, err
	}
	if len(q) < minQuery { // too little to look for a person by
		hits = onlyJobs(hits)
	}
	sort.SliceStable(hits, func(i, j int) bool { return hits[i].Exact && !hits[j].Exact })
	return hits[:min(len(hits), maxHits)], nil
}

func onlyJobs(hits []Hit) []Hit {
	found := []Hit{}
	for _, h := range hits {
		if h.Kind == "job" {
			found = append(found, h)
		}
	}
	return found
}

// Event is one entry of a customer's timeline; Details are shown as they are and hold no code or secret.
type Event struct {
	At        time.Time      `json:"at"`
	Type      string         `json:"type"`
	Title     string         `json:"title"`
	Status    string         `json:"status"`
	Reference string         `json:"reference"`
	Details   map[string]any `json:"details"`
}

// Customer is everything that staff see of one customer.
type Customer struct {
	ID           string     `json:"id"             db:"id"`
	Name         string     `json:"name"           db:"name"`
	Mobile       string     `json:"mobile"         db:"mobile"`
	Email        string     `json:"email"          db:"email"`
	CreatedAt    time.Time  `json:"created_at"     db:"created_at"`
	Erased       bool       `json:"erased"         db:"erased"`
	TOTPEnabled  bool       `json:"totp_enabled"   db:"totp_enabled"`
	State        string     `json:"state"          db:"state"`
	Plan         string     `json:"plan"           db:"plan"`
	PlanType     string     `json:"plan_type"      db:"plan_type"`
	NextBillOn   *string    `json:"next_bill_on"   db:"next_bill_on"`
	StoreName    string     `json:"store_name"     db:"store_name"`
	StoreSlug    string     `json:"store_slug"     db:"store_slug"`
	Domain       string     `json:"domain"         db:"domain"`
	DomainState  string     `json:"domain_state"   db:"domain_state"`
	Address      string     `json:"address"        db:"address"`
	PaymentState string     `json:"payment_state"  db:"payment_state"`
	FailedJobs   int        `json:"failed_jobs"    db:"failed_jobs"`
	LastSeenAt   *time.Time `json:"last_seen_at"   db:"last_seen_at"`
	Timeline     []Event    `json:"timeline"       db:"-"`
}

// Sorted returns the customer with its timeline newest first and all times in UTC.
func (c Customer) Sorted() Customer {
	c.CreatedAt = c.CreatedAt.UTC()
	if c.LastSeenAt != nil {
		seen := c.LastSeenAt.UTC()
		c.LastSeenAt = &seen
	}
	sort.SliceStable(c.Timeline, func(i, j int) bool { return c.Timeline[i].At.After(c.Timeline[j].At) })
	for i := range c.Timeline {
		c.Timeline[i].At = c.Timeline[i].At.UTC()
	}
	return c
}

// Customer reads one customer and its timeline under that customer's row-level security; KindNotFound where there is none.
func (d *Desk) Customer(ctx context.Context, franchiserID string) (Customer, error) {
	var c Customer
	err := postgres.InTenantTx(ctx, d.db, franchiserID, func(tx *sqlx.Tx) error {
		var err error
		if c, err = customerTx(ctx, tx, franchiserID); err != nil {
			return err
		}
		c.Timeline, err = timelineTx(ctx, tx, franchiserID, c.Mobile)
		return err
	})
	return c, err
}

// SetContactStatus moves a contact request and notes who did it and why.
func (d *Desk) SetContactStatus(ctx context.Context, p staff.Principal, contactID string, status ContactStatus, reason string) error {
	if _, err := staff.CleanReason(reason); err != nil {
		return err
	}
	return postgres.InTx(ctx, d.db, func(tx *sqlx.Tx) error {
		before, err := d.inbox.SetContactStatusTx(ctx, tx, contactID, status)
		if err != nil {
			return err
		}
		return d.recorder.RecordTx(ctx, tx, p, staff.Action{
			Action: "move_contact", Target: "contact:" + contactID, Reason: reason, Before: text(before), After: text(status),
		})
	})
}

// text is the JSON of a value that always has one.
func text(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}
