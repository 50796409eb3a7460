// Package settlement compares the gateways' payouts with the books, line by line, books what agrees, and reports differences to
// staff. Its rules (judge.go, workday.go) do no I/O.
package settlement

import (
	"time"

	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// ComparedDay is the comparison of one day's settlement with the books. Its sums cover the lines that were paid out.
type ComparedDay struct {
	Gateway    string           `db:"gateway"`
	Day        subscription.Day `db:"day"`
	Lines      int              `db:"lines"`
	Captured   money.Paise      `db:"captured_paise"`
	Refunded   money.Paise      `db:"refunded_paise"`
	Fee        money.Paise      `db:"fee_paise"`
	Tax        money.Paise      `db:"tax_paise"`
	Net        money.Paise      `db:"net_paise"`
	ComparedAt time.Time        `db:"compared_at"`
	// Differences are the day's differences, open and cleared.
	Differences []Difference `db:"-"`
	// All are the lines themselves, in the gateway's order; read for one day only.
	All []StoredLine `db:"-"`
}

func (d *ComparedDay) add(line Line) {
	if line.Pending {
		return
	}
	switch line.Kind {
	case KindCapture:
		d.Captured += line.Amount
	case KindRefund, KindChargeback:
		d.Refunded += line.Amount
	case KindRefundReversal, KindChargebackReversal:
		d.Refunded -= line.Amount
	case KindAdjustment: // only the fee and net amount count
	}
	d.Fee += line.Fee
	d.Tax += line.FeeTax
	d.Net += line.Net
}

// Report has the comparisons of some days, newest first, and everything open on any day.
type Report struct {
	Days []ComparedDay
	// Open has the unbooked lines, and OpenDifferences the current differences, oldest first, at most maxOpen each.
	Open            []StoredLine
	OpenDifferences []Difference
	// Acknowledged has the permanent differences that an admin acknowledged, newest first.
	Acknowledged []Difference
}
