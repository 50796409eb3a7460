// Package revenue assigns revenue to days: it spreads invoice lines over their terms, books each day's earned revenue, and reports
// deferred revenue. All amounts are in paise before tax, all days in Asia/Kolkata.
package revenue

import (
	"time"

	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Line is the value of an invoice line, spread evenly over the days from From to before To; without a term both are the same day. A
// credit note ends the line and begins another one with the rest.
type Line struct {
	InvoiceID    string           `db:"invoice_id"`
	Position     int              `db:"position"`
	Sequence     int              `db:"sequence"`
	FranchiserID string           `db:"franchiser_id"`
	From         subscription.Day `db:"from_on"`
	To           subscription.Day `db:"to_on"`
	Amount       money.Paise      `db:"amount_paise"`
}

// Unearned returns the unearned amount at the end of the day: the share of the remaining days. It is rounded half up, as the credit for
// unused days is, so that the last day absorbs the rounding. The database has the same rule in revenue_unearned.
func (l Line) Unearned(day subscription.Day) money.Paise {
	switch {
	case l.To <= day+1:
		return 0
	case day+1 <= l.From:
		return l.Amount
	default:
		return l.Amount.Prorate(int64(l.To-day-1), int64(l.To-l.From))
	}
}

// credited returns the line that a credit note of value leaves from the day on, and how much of the value was not earned before that day.
// What a note returns counts as taken from the days to come first.
func (l Line) credited(day subscription.Day, value money.Paise) (Line, money.Paise) {
	unearned := l.Unearned(day - 1)
	taken := min(value, unearned)
	l.Sequence++
	l.From, l.Amount = min(max(l.From, day), l.To), unearned-taken
	return l, taken
}

// Day is the change of deferred revenue on one day.
type Day struct {
	Day        subscription.Day `db:"day"`
	Opening    money.Paise      `db:"opening_paise"`
	Billed     money.Paise      `db:"billed_paise"`
	Recognised money.Paise      `db:"recognised_paise"`
	Credited   money.Paise      `db:"credited_paise"`
	Closing    money.Paise      `db:"closing_paise"`
	BookedAt   time.Time        `db:"booked_at"`
}

// margin is how long after its end a day is booked: a transaction that issued a document before midnight is over by then.
const margin = time.Hour

// lastDay returns the last day that can be booked now.
func lastDay(now time.Time) subscription.Day { return subscription.DayOf(now.Add(-margin)) - 1 }
