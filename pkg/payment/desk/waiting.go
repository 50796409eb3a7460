package desk

import (
	"time"

	"github.com/franchise360/franchise360/pkg/payment/reversal"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/staff/approval"
)

// MoneyKind is why money awaits staff.
type MoneyKind string

// The kinds: a held payment, a dispute that the gateway confirmed or that only an unsigned notice reports, and a
// failed refund.
const (
	MoneyHeld        MoneyKind = "held"
	MoneyDispute     MoneyKind = "dispute"
	MoneyUnconfirmed MoneyKind = "unconfirmed"
	MoneyRefund      MoneyKind = "refund"
)

// Valid reports whether the kind is one of these.
func (k MoneyKind) Valid() bool {
	switch k {
	case MoneyHeld, MoneyDispute, MoneyUnconfirmed, MoneyRefund:
		return true
	default:
		return false
	}
}

// WaitingMoney is one customer's money that awaits staff.
type WaitingMoney struct {
	Kind          MoneyKind   `db:"kind"`
	FranchiserID  string      `db:"franchiser_id"`
	PaymentID     string      `db:"payment_id"`
	TransactionID string      `db:"transaction_id"`
	Gateway       string      `db:"gateway"`
	Name          string      `db:"name"`
	Mobile        string      `db:"mobile"`
	Bought        string      `db:"bought"`
	Reference     string      `db:"reference"` // the gateway's id of the dispute, or the refund's id
	Amount        money.Paise `db:"amount_paise"`
	// Due is the amount that was due for a held payment.
	Due   money.Paise `db:"due_paise"`
	Since time.Time   `db:"since"`
	// AnswerBy is the gateway's deadline for answering the dispute, in its own format; may be empty.
	AnswerBy string `db:"answer_by"`
	Failure  string `db:"failure"`
	// Owed reports that a failed refund's money was never invoiced, so that only a bank transfer can return it.
	Owed bool `db:"-"`
	// ByHand reports that no gateway has failed: staff transfer the money, as StaffTransfer says.
	ByHand bool `db:"-"`
	// Requested reports whether a staff request to refund or book this payment is unfinished.
	Requested bool `db:"requested"`
}

// MoneyCounts counts the money that awaits staff, by kind.
type MoneyCounts struct {
	Held        int `db:"held"        json:"held"`
	Disputes    int `db:"disputes"    json:"disputes"`
	Unconfirmed int `db:"unconfirmed" json:"unconfirmed_disputes"`
	Refunds     int `db:"refunds"     json:"failed_refunds"`
}

// maxWaiting limits the rows in a list of waiting money.
const maxWaiting = 200

// OpenRequest is an unfinished request to return money of a payment.
type OpenRequest struct {
	ID          string         `db:"id"`
	PaymentID   string         `db:"payment_id"`
	Kind        reversal.Kind  `db:"kind"`
	State       approval.State `db:"state"`
	Amount      money.Paise    `db:"amount_paise"`
	RequestedBy string         `db:"requested_by"`
}

// Issue is something wrong with a customer's money, or pending.
type Issue struct {
	Kind          IssueKind   `db:"kind"`
	TransactionID string      `db:"transaction_id"`
	Gateway       string      `db:"gateway"`
	Reference     string      `db:"reference"`
	Amount        money.Paise `db:"amount_paise"`
	Other         money.Paise `db:"other_paise"`
	Since         time.Time   `db:"since"`
	Text          string      `db:"text"`
}

// IssueKind is the subject of an issue.
type IssueKind string

// The kinds of issues: a payment that is held, or being returned; a dispute that the gateway confirmed, or that only an
// unsigned notice reports; a failed refund, including one of money never invoiced; and a request that awaits
// a second admin.
const (
	IssueHeld        IssueKind = "held"
	IssueReleased    IssueKind = "released"
	IssueDispute     IssueKind = "dispute"
	IssueUnconfirmed IssueKind = "unconfirmed"
	IssueRefund      IssueKind = "refund"
	IssueOwed        IssueKind = "owed"
	IssueRequest     IssueKind = "request"
)
