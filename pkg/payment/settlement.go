package payment

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// DifferenceKind says how a settlement and the books disagree.
type DifferenceKind string

// The ways to disagree. Not settled is a capture of which no settlement speaks once its working days have passed.
const (
	DifferenceUnknown         DifferenceKind = "unknown_to_us"
	DifferenceNotPaid         DifferenceKind = "not_paid_here"
	DifferenceNotSettled      DifferenceKind = "not_settled"
	DifferenceAmount          DifferenceKind = "capture_amount"
	DifferenceTwice           DifferenceKind = "settled_twice"
	DifferenceUnknownRefund   DifferenceKind = "unknown_refund"
	DifferenceRefundAmount    DifferenceKind = "refund_amount"
	DifferenceRefundReturned  DifferenceKind = "refund_returned"
	DifferenceUnknownDispute  DifferenceKind = "unknown_dispute"
	DifferenceDisputeTaken    DifferenceKind = "dispute_taken"
	DifferenceDisputeNotTaken DifferenceKind = "dispute_not_taken"
	DifferenceDisputeReturned DifferenceKind = "dispute_returned"
	DifferenceNet             DifferenceKind = "net_amount"
	DifferenceChanged         DifferenceKind = "changed"
	DifferenceWithdrawn       DifferenceKind = "withdrawn"
)

// DifferenceKinds are all kinds, in the order in which reports name them.
func DifferenceKinds() []DifferenceKind {
	return []DifferenceKind{
		DifferenceUnknown, DifferenceNotPaid, DifferenceNotSettled, DifferenceAmount, DifferenceTwice, DifferenceUnknownRefund,
		DifferenceRefundAmount, DifferenceRefundReturned, DifferenceUnknownDispute, DifferenceDisputeTaken,
		DifferenceDisputeNotTaken, DifferenceDisputeReturned, DifferenceNet,
		DifferenceChanged, DifferenceWithdrawn,
	}
}

// Meaning says in a sentence for staff what the difference is.
func (k DifferenceKind) Meaning() string {
	return map[DifferenceKind]string{
		DifferenceUnknown:         "The gateway settled a transaction that we do not know.",
		DifferenceNotPaid:         "The gateway settled a capture that is not in the books. The gateway is asked about it; a second capture goes back by itself.",
		DifferenceNotSettled:      "We know of a capture that the gateway has not settled two working days later.",
		DifferenceAmount:          "The gateway settled another amount than was captured.",
		DifferenceTwice:           "The gateway settled the same capture in another line before.",
		DifferenceUnknownRefund:   "The gateway kept back a refund that we do not know, or know as failed.",
		DifferenceRefundAmount:    "The gateway kept back another amount than was refunded, or than the lost dispute says.",
		DifferenceRefundReturned:  "The gateway paid us a refund back that we know as done: the customer did not get it.",
		DifferenceUnknownDispute:  "The gateway kept back a chargeback, and we know of no dispute of this payment.",
		DifferenceDisputeTaken:    "The gateway kept back a chargeback whose dispute is not lost here. Book the loss, or wait for it to be paid back.",
		DifferenceDisputeNotTaken: "A dispute stands as lost here, and the gateway has taken no money for it in ten days. Ask the gateway how it ended.",
		DifferenceDisputeReturned: "The gateway paid us a chargeback back whose dispute stands as lost here.",
		DifferenceNet:             "What was paid out is not the amount less fee and tax.",
		DifferenceChanged:         "The gateway changed what it paid out for a line that is in the books already.",
		DifferenceWithdrawn:       "The gateway no longer lists a line that it listed before.",
	}[k]
}

// WaitsForRefund and WaitsForPayout are what an open line may wait for without a difference.
const (
	WaitsForRefund = "refund_not_done"
	WaitsForPayout = "not_paid_out"
)

// WaitMeaning says in a sentence for staff what an open line waits for, and is empty for a line that waits for nothing.
func WaitMeaning(blockedBy string) string {
	switch blockedBy {
	case WaitsForRefund:
		return "The refund is on its way. It is booked once the gateway has done it."
	case WaitsForPayout:
		return "The gateway announced it and has not paid it out yet."
	default:
		return DifferenceKind(blockedBy).Meaning()
	}
}

// Difference is one disagreement; an amount is 0 where that side knows none. It is open until a comparison no longer finds it.
type Difference struct {
	ID            string           `db:"id" json:"-"`
	Gateway       string           `db:"gateway"`
	Day           subscription.Day `db:"day"`
	LineID        string           `db:"line_id"`
	TransactionID string           `db:"transaction_id"`
	Kind          DifferenceKind   `db:"kind"`
	Ours          money.Paise      `db:"ours_paise"`
	Theirs        money.Paise      `db:"theirs_paise"`
	OpenedAt      time.Time        `db:"opened_at"`
	ClearedAt     *time.Time       `db:"cleared_at"`
	Acknowledged  Acknowledgement  `db:"" json:"-"`
}

// StoredLine is a line as it is kept: once, however often the gateway lists it.
type StoredLine struct {
	SettlementLine
	Gateway string           `db:"gateway"`
	Day     subscription.Day `db:"day"`
	// BookedAt is empty while the line is open; BlockedBy is then the difference, or what else it waits for.
	BookedAt  *time.Time `db:"booked_at"`
	BlockedBy string     `db:"blocked_by"`
	// Listed is false once the gateway no longer lists the line. BookedNet is what was booked of it.
	Listed    bool        `db:"listed"`
	BookedNet money.Paise `db:"booked_net_paise"`
}

// SettlementDay is the comparison of one day's settlement with the books. Its sums are of the lines that were paid out.
type SettlementDay struct {
	Gateway    string           `db:"gateway"`
	Day        subscription.Day `db:"day"`
	Lines      int              `db:"lines"`
	Captured   money.Paise      `db:"captured_paise"`
	Refunded   money.Paise      `db:"refunded_paise"`
	Fee        money.Paise      `db:"fee_paise"`
	Tax        money.Paise      `db:"tax_paise"`
	Net        money.Paise      `db:"net_paise"`
	ComparedAt time.Time        `db:"compared_at"`
	// Differences are those of the day, open and cleared ones.
	Differences []Difference `db:"-"`
	// All are the lines themselves, in the gateway's order; read for one day only.
	All []StoredLine `db:"-"`
}

func (d *SettlementDay) add(line SettlementLine) {
	if line.Pending {
		return
	}
	switch line.Kind {
	case SettledCapture:
		d.Captured += line.Amount
	case SettledRefund, SettledChargeback:
		d.Refunded += line.Amount
	case SettledRefundReversal, SettledChargebackReversal:
		d.Refunded -= line.Amount
	case SettledAdjustment: // only its fee and what it brings count
	}
	d.Fee += line.Fee
	d.Tax += line.FeeTax
	d.Net += line.Net
}

// SettlementReport are the comparisons of some days, newest first, and whatever is open of any day.
type SettlementReport struct {
	Days []SettlementDay
	// Open are the lines that are not booked yet, and OpenDifferences what disagrees now, oldest first, at most maxOpen each.
	Open            []StoredLine
	OpenDifferences []Difference
	// Acknowledged are the differences that stay and of which an admin took note, newest first.
	Acknowledged []Difference
}

// maxOpen bounds what one report shows of open lines and differences.
const maxOpen = 200

// Settlements lists the comparisons of the days from first to last, and everything that is open. For staff.
func (s *Service) Settlements(ctx context.Context, first, last subscription.Day) (SettlementReport, error) {
	var r SettlementReport
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		var err error
		if r.Days, err = s.store.settlements(ctx, tx, first, last); err != nil {
			return err
		}
		if r.Open, err = s.store.openLines(ctx, tx, "", maxOpen); err != nil {
			return err
		}
		if r.OpenDifferences, err = s.store.differences(ctx, tx, openDifferencesSQL, maxOpen); err != nil {
			return err
		}
		r.Acknowledged, err = s.store.differences(ctx, tx, acknowledgedSQL, maxOpen)
		return err
	})
	return r, err
}

// Settlement is one day's comparison with every line and difference, or errs.NotFound. For staff.
func (s *Service) Settlement(ctx context.Context, gateway string, day subscription.Day) (SettlementDay, error) {
	var found SettlementDay
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		days, err := s.store.settlements(ctx, tx, day, day)
		if err != nil {
			return err
		}
		for _, d := range days {
			if d.Gateway == gateway {
				found = d
				found.All, err = s.store.settlementLines(ctx, tx, gateway, day)
				return err
			}
		}
		return errs.NotFound()
	})
	return found, err
}
