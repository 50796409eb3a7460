package support

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/text"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// States returns the states of a customer's plan by which the list is filtered.
func States() []string {
	return []string{"no plan", "trialing", "active", "grace", "expired", "ended_by_refund", "lapsed"}
}

// The orders of the list of customers.
const (
	SortNewest  = "newest"
	SortRenewal = "renewal"
)

// maxWithin is the longest period of a filter, in days.
const maxWithin = 366

// CustomerFilter selects customers. Empty fields select everybody.
type CustomerFilter struct {
	// State is one of States, Plan the name of a plan, Tag a whole tag.
	State, Plan, Tag string
	// RenewsWithin and SignedUpWithin are numbers of days, or 0.
	RenewsWithin, SignedUpWithin int
	// Owes selects customers whose renewal is unpaid, or whose payment is on hold because too little came.
	Owes bool
	// Sort is SortNewest, SortRenewal, or empty for SortNewest.
	Sort string
	// After is the Place of the row before the page; without it Offset counts the rows before the page.
	After  string
	Offset int
	Limit  int
}

// CustomerRow is a customer in the list. PaymentAt is nil without a payment.
type CustomerRow struct {
	ID                 string      `db:"franchiser_id"`
	Name               string      `db:"name"`
	Person             string      `db:"person"`
	Mobile             string      `db:"mobile"`
	CreatedAt          time.Time   `db:"created_at"`
	State              string      `db:"state"`
	Plan               string      `db:"plan"`
	PlanType           string      `db:"plan_type"`
	RenewOn            *string     `db:"renew_on"`
	PaymentState       string      `db:"payment_state"`
	PaymentAmount      money.Paise `db:"payment_paise"`
	PaymentAt          *time.Time  `db:"payment_at"`
	PaymentTransaction string      `db:"payment_transaction"`
	Total              int         `db:"total"`
}

// Place returns the position of the row in the list.
func (r CustomerRow) Place() string {
	if r.RenewOn == nil {
		return "." + r.ID
	}
	return *r.RenewOn + "." + r.ID
}

// parsePlace parses the output of Place. on is nil for the order SortNewest.
func parsePlace(place, sort string) (on, franchiserID *string, ok bool) {
	if place == "" {
		return nil, nil, true
	}
	day, row, _ := strings.Cut(place, ".")
	if !id.Valid(row) {
		return nil, nil, false
	}
	if sort != SortRenewal {
		return nil, &row, true
	}
	_, err := time.Parse(time.DateOnly, day)
	return &day, &row, err == nil
}

func (f CustomerFilter) check() error {
	var v errs.Validation
	v.Check(f.State == "" || slices.Contains(States(), f.State), "state", "Kindly choose one")
	v.Check(len(f.Plan) <= maxQuery && text.Storable(f.Plan), "plan", "Kindly choose one")
	v.Check(len(f.Tag) <= maxQuery && text.Storable(f.Tag), "tag", "Kindly choose one")
	v.Check(f.RenewsWithin >= 0 && f.RenewsWithin <= maxWithin, "renews_within", "Choose 1 to "+strconv.Itoa(maxWithin)+" days.")
	v.Check(f.SignedUpWithin >= 0 && f.SignedUpWithin <= maxWithin, "signed_up_within", "Choose 1 to "+strconv.Itoa(maxWithin)+" days.")
	v.Check(slices.Contains([]string{"", SortNewest, SortRenewal}, f.Sort), "sort", "Kindly choose one")
	_, _, ok := parsePlace(f.After, f.Sort)
	v.Check(ok, "after", "The list has no such position. Open its first page.")
	return v.Err()
}

const customersSQL = `
SELECT franchiser_id, name, person, mobile, created_at, state, plan, plan_type, to_char(renew_on, 'YYYY-MM-DD') AS renew_on,
    payment_state, payment_paise, payment_at, payment_transaction, total
FROM customers_for_staff($1, $2, $3::date, $4::date, $5, $6, $7, $8, $9::date, $10::uuid, $11, $12)`

// List returns a page of the customers that the filter selects, and how many there are, up to 10,001. A filter that is not valid returns
// KindInvalid.
func (d *Customers) List(ctx context.Context, f CustomerFilter) (rows []CustomerRow, total int, err error) {
	if err := f.check(); err != nil {
		return nil, 0, err
	}
	today := subscription.DayOf(d.clock.Now())
	var renewsBy *string
	if f.RenewsWithin > 0 {
		day := subscription.DayOf(d.clock.Now().AddDate(0, 0, f.RenewsWithin)).String()
		renewsBy = &day
	}
	var since *time.Time
	if f.SignedUpWithin > 0 {
		at := d.clock.Now().In(clock.IST)
		at = time.Date(at.Year(), at.Month(), at.Day()-f.SignedUpWithin+1, 0, 0, 0, 0, clock.IST)
		since = &at
	}
	on, after, _ := parsePlace(f.After, f.Sort)
	if after != nil {
		f.Offset = 0
	}
	err = postgres.InRead(ctx, d.db, func(tx *sqlx.Tx) error {
		rows = []CustomerRow{}
		return tx.SelectContext(ctx, &rows, customersSQL, f.State, f.Plan, today.String(), renewsBy, f.Owes, since, f.Tag, f.Sort == SortRenewal, on, after,
			f.Limit, f.Offset)
	})
	if err != nil {
		return nil, 0, fmt.Errorf("list customers: %w", err)
	}
	if len(rows) > 0 {
		total = rows[0].Total
	}
	return rows, total, nil
}
