package settlement

import (
	"time"

	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// DifferenceKind is how a settlement and the books disagree.
type DifferenceKind string

// The kinds of difference. NotSettled is a capture that no settlement mentions although its working days have passed.
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
	DifferenceDisputeAmount   DifferenceKind = "dispute_amount"
	DifferenceDisputeNotTaken DifferenceKind = "dispute_not_taken"
	DifferenceDisputeReturned DifferenceKind = "dispute_returned"
	DifferenceNet             DifferenceKind = "net_amount"
	DifferenceChanged         DifferenceKind = "changed"
	DifferenceWithdrawn       DifferenceKind = "withdrawn"
	// DifferenceAdjustment is a credit or deduction by the gateway without a payment. It is booked, and stays open until an admin
	// acknowledges it.
	DifferenceAdjustment DifferenceKind = "adjustment"
)

// DifferenceKinds returns all kinds, in the order of reports.
func DifferenceKinds() []DifferenceKind {
	return []DifferenceKind{
		DifferenceUnknown, DifferenceNotPaid, DifferenceNotSettled, DifferenceAmount, DifferenceTwice, DifferenceUnknownRefund,
		DifferenceRefundAmount, DifferenceRefundReturned, DifferenceUnknownDispute, DifferenceDisputeTaken,
		DifferenceDisputeAmount, DifferenceDisputeNotTaken, DifferenceDisputeReturned, DifferenceNet,
		DifferenceChanged, DifferenceWithdrawn, DifferenceAdjustment,
	}
}

// Meaning explains the difference to staff in one sentence.
func (k DifferenceKind) Meaning() string {
	return map[DifferenceKind]string{
		DifferenceUnknown:         "The gateway settled a transaction that we do not know.",
		DifferenceNotPaid:         "The gateway settled a capture that is not in the books. The gateway is asked about it; a second capture goes back by itself.",
		DifferenceNotSettled:      "We know of a capture that the gateway has not settled two working days later.",
		DifferenceAmount:          "The gateway settled another amount than was captured.",
		DifferenceTwice:           "The gateway settled the same capture in another line before.",
		DifferenceUnknownRefund:   "The gateway kept back a refund that we do not know, or know as failed.",
		DifferenceRefundAmount:    "The gateway kept back another amount than was refunded.",
		DifferenceRefundReturned:  "The gateway paid us a refund back that we know as done: the customer did not get it.",
		DifferenceUnknownDispute:  "The gateway kept back a chargeback, and we know of no dispute of this payment.",
		DifferenceDisputeTaken:    "The gateway kept back a chargeback whose dispute is not lost here. Book the loss, or wait for it to be paid back.",
		DifferenceDisputeAmount:   "The gateway kept back another amount for a chargeback than was booked as lost. Ask it which of the two the bank took.",
		DifferenceDisputeNotTaken: "A dispute stands as lost here, and the gateway has taken no money for it in ten days. Ask the gateway how it ended.",
		DifferenceDisputeReturned: "The gateway paid us a chargeback back whose dispute stands as lost here.",
		DifferenceNet:             "What was paid out is not the amount less fee and tax.",
		DifferenceChanged:         "The gateway changed what it paid out for a line that is in the books already.",
		DifferenceWithdrawn:       "The gateway no longer lists a line that it listed before.",
		DifferenceAdjustment:      "The gateway added or took this by itself. It is in the books. Ask the gateway what it is for.",
	}[k]
}

// Clears reports whether a later event can clear a difference of the kind: a notice, a payout, a staff decision.
// Any other kind stays until an admin acknowledges it.
func (k DifferenceKind) Clears() bool {
	switch k {
	case DifferenceNotPaid, DifferenceNotSettled, DifferenceUnknownRefund, DifferenceUnknownDispute, DifferenceDisputeTaken:
		return true
	default:
		return false
	}
}

// WaitsForRefund and WaitsForPayout are reasons to wait that are not differences.
const (
	WaitsForRefund = "refund_not_done"
	WaitsForPayout = "not_paid_out"
)

// WaitMeaning explains to staff why a line is open; it is empty for a line without a reason.
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

// Difference is one disagreement; an amount is 0 if that side has no record. It is open until a comparison no longer finds it.
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

// Acknowledgement records which staff member acknowledged a difference, when, and why it stays.
type Acknowledgement struct {
	At     *time.Time `db:"acknowledged_at"`
	By     string     `db:"acknowledged_name"`
	Reason string     `db:"acknowledgement"`
}

// Open reports whether the difference is neither cleared nor acknowledged.
func (d Difference) Open() bool { return d.ClearedAt == nil && d.Acknowledged.At == nil }
