package revenue

import (
	"context"
	"fmt"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Reports shows staff the deferred revenue. It runs with the API's role and a staff session's proof.
type Reports struct{ db *sqlx.DB }

// NewReports returns the reports on the API's pool.
func NewReports(db *sqlx.DB) *Reports { return wiring.Complete(&Reports{db: db}) }

// Month is the roll-forward of one month, which begins on the day Month: opening + billed − recognised − credited = closing. Ledger is
// the ledger's balance at its end.
type Month struct {
	Month      subscription.Day `db:"month"`
	Opening    money.Paise      `db:"opening_paise"`
	Billed     money.Paise      `db:"billed_paise"`
	Recognised money.Paise      `db:"recognised_paise"`
	Credited   money.Paise      `db:"credited_paise"`
	Closing    money.Paise      `db:"closing_paise"`
	Ledger     money.Paise      `db:"-"`
}

// Differs reports whether the month does not end as the books do.
func (m Month) Differs() bool { return m.Closing != m.Ledger }

// Ahead is the part of today's deferred revenue that a coming month will earn.
type Ahead struct {
	Month  subscription.Day `db:"month"`
	Amount money.Paise      `db:"paise"`
}

// Deferred is the deferred revenue by month. Through is the last booked day, 0 before the first.
type Deferred struct {
	Through subscription.Day
	// Months are newest first.
	Months []Month
	// Waterfall lists when the revenue deferred after Through will be earned; Later is the rest after its last month.
	Waterfall []Ahead
	Later     money.Paise
}

const (
	monthsSQL = `SELECT date_trunc('month', day::timestamp)::date AS month, (array_agg(opening_paise ORDER BY day))[1] AS opening_paise,
			sum(billed_paise)::bigint AS billed_paise, sum(recognised_paise)::bigint AS recognised_paise,
			sum(credited_paise)::bigint AS credited_paise, (array_agg(closing_paise ORDER BY day DESC))[1] AS closing_paise
		FROM revenue_days GROUP BY 1 ORDER BY 1 DESC`
	throughSQL = `SELECT max(day) FROM revenue_days`
	// The balance at the end of each coming month, from the documents known today.
	aheadSQL = `WITH months AS (SELECT generate_series(date_trunc('month', ($1::date + 1)::timestamp),
				date_trunc('month', ($1::date + 1)::timestamp) + make_interval(months => $2 - 1), '1 month')::date AS month),
			ends AS (SELECT month, (month + interval '1 month - 1 day')::date AS day FROM months),
			rests AS (SELECT e.month, coalesce((SELECT sum(revenue_unearned(l.amount_paise, l.from_on, l.to_on, e.day)) FROM revenue_lines l
				WHERE l.to_on > e.day + 1 AND l.ended_on IS NULL), 0) AS paise FROM ends e)
		SELECT month, (coalesce(lag(paise) OVER (ORDER BY month), revenue_left($1)) - paise)::bigint AS paise FROM rests ORDER BY month`
)

// monthsAhead is how many months the waterfall has.
const monthsAhead = 14

// Deferred returns the roll-forward of every month and the waterfall, all of one moment.
func (r *Reports) Deferred(ctx context.Context) (d Deferred, err error) {
	err = postgres.InSnapshot(ctx, r.db, func(tx *sqlx.Tx) error {
		if err := tx.GetContext(ctx, &d.Through, throughSQL); err != nil {
			return fmt.Errorf("read through which day revenue is booked: %w", err)
		}
		if d.Through == 0 {
			return nil
		}
		if err := tx.SelectContext(ctx, &d.Months, monthsSQL); err != nil {
			return fmt.Errorf("read months of revenue: %w", err)
		}
		books, err := ledger.DeferredTx(ctx, tx)
		if err != nil {
			return err
		}
		d.Months = withBooks(d.Months, books)
		if err := tx.SelectContext(ctx, &d.Waterfall, aheadSQL, d.Through, monthsAhead); err != nil {
			return fmt.Errorf("read revenue ahead: %w", err)
		}
		d.Later = d.Months[0].Closing
		for _, a := range d.Waterfall {
			d.Later -= a.Amount
		}
		return nil
	})
	return d, err
}

// withBooks gives each month, newest first, the balance of the books at its end; a month without entries ends as the one before.
func withBooks(months []Month, books []ledger.MonthEnd) []Month {
	for i := range months {
		for _, b := range books {
			if b.Month <= months[i].Month {
				months[i].Ledger = b.Balance
			}
		}
	}
	return months
}

// Scheduled is an invoice line with its earned amount, its amount credited before it was earned, and its unearned rest at the end of a
// day.
type Scheduled struct {
	InvoiceID   string           `db:"invoice_id"`
	Number      string           `db:"number"`
	Position    int              `db:"position"`
	Description string           `db:"description"`
	From        subscription.Day `db:"from_on"`
	To          subscription.Day `db:"to_on"`
	Amount      money.Paise      `db:"amount_paise"`
	Credited    money.Paise      `db:"credited_paise"`
	Unearned    money.Paise      `db:"unearned_paise"`
}

// Earned returns the earned part of the line.
func (s Scheduled) Earned() money.Paise { return s.Amount - s.Credited - s.Unearned }

const scheduledSQL = `
	SELECT l.invoice_id, i.number, l.position, i.description, l.from_on, l.to_on, l.amount_paise, coalesce(n.credited, 0)::bigint AS credited_paise,
		coalesce(n.unearned, 0)::bigint AS unearned_paise
	FROM revenue_lines l JOIN invoice_line_overview i ON i.franchiser_id = l.franchiser_id AND i.invoice_id = l.invoice_id AND i.position = l.position
		CROSS JOIN LATERAL (SELECT sum(c.credited_paise) AS credited,
			sum(revenue_unearned(c.amount_paise, c.from_on, c.to_on, $2)) FILTER (WHERE c.ended_on IS NULL) AS unearned
			FROM revenue_lines c WHERE c.invoice_id = l.invoice_id AND c.position = l.position) n
	WHERE l.franchiser_id = $1 AND l.sequence = 0
	ORDER BY i.issued_at DESC, i.number, l.position LIMIT $3`

// maxScheduled limits how many lines of a customer are shown.
const maxScheduled = 200

// OfCustomer returns the schedule of the customer's newest invoice lines, and through which day it is booked.
func (r *Reports) OfCustomer(ctx context.Context, franchiserID string) (lines []Scheduled, through subscription.Day, err error) {
	err = postgres.InTenantTx(ctx, r.db, franchiserID, func(tx *sqlx.Tx) error {
		if err := tx.GetContext(ctx, &through, throughSQL); err != nil {
			return fmt.Errorf("read through which day revenue is booked: %w", err)
		}
		if through == 0 {
			return nil
		}
		if err := tx.SelectContext(ctx, &lines, scheduledSQL, franchiserID, through, maxScheduled); err != nil {
			return fmt.Errorf("read the customer's schedule: %w", err)
		}
		return nil
	})
	return lines, through, err
}
