package payment

import (
	"time"
)

// NextCheck returns the time of the next check at the gateway, for a payment begun at created: after 1, 2, 5, 10, 15 and 30 minutes, 1,
// 2, 6, 12, 24, 48 and 72 hours, then daily to day 5. ok is false if there is no further check: a payment still open then has expired.
func NextCheck(created, now time.Time) (at time.Time, ok bool) {
	for _, after := range checkTimes() {
		if at := created.Add(after); at.After(now) {
			return at, true
		}
	}
	return time.Time{}, false
}

func checkTimes() []time.Duration {
	const m, h = time.Minute, time.Hour
	return []time.Duration{
		m, 2 * m, 5 * m, 10 * m, 15 * m, 30 * m, h, 2 * h, 6 * h, 12 * h, 24 * h, 48 * h, 72 * h, 96 * h, 120 * h,
	}
}

const (
	// DebitDecidedBy is how long a bank may take to decide a debit by mandate. PayU, Recurring Payment API: UPI within about ten
	// minutes, netbanking by T+2. Afterwards the debit counts as failed for the customer, who pays manually.
	DebitDecidedBy = 5 * 24 * time.Hour
	// lateDebit is how long an expired debit is still checked at the gateway, lateDebitCheck how often.
	lateDebit, lateDebitCheck = 31 * 24 * time.Hour, 24 * time.Hour
)

// OverdueAfter is how late a check must be before the sweep considers its job lost.
const OverdueAfter = 5 * time.Minute

// UndecidedAfter is how long a gateway may take to decide a payment until staff look.
const UndecidedAfter = time.Hour
