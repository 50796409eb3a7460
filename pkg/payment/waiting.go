package payment

import (
	"time"

	"github.com/franchise360/franchise360/pkg/platform/money"
)

// MoneyKind is why money waits for staff.
type MoneyKind string

// The kinds: a payment that is held, a dispute that the gateway confirmed or that only an unsigned notice tells of, and a
// refund that failed.
const (
	MoneyHeld        MoneyKind = "held"
	MoneyDispute     MoneyKind = "dispute"
	MoneyUnconfirmed MoneyKind = "unconfirmed"
	MoneyRefund      MoneyKind = "refund"
)

// Valid says whether the kind is one of them.
func (k MoneyKind) Valid() bool {
	switch k {
	case MoneyHeld, MoneyDispute, MoneyUnconfirmed, MoneyRefund:
		return true
	default:
		return false
	}
}

// WaitingMoney is money of one customer that waits for staff.
type WaitingMoney struct {
	Kind          MoneyKind   `db:"kind"`
	FranchiserID  string      `db:"franchiser_id"`
	PaymentID     string      `db:"payment_id"`
	TransactionID string      `db:"transaction_id"`
	Gateway       string      `db:"gateway"`
	Name          string      `db:"name"`
	Mobile        string      `db:"mobile"`
	Bought        string      `db:"bought"`
	Reference     string      `db:"reference"` // the gateway's name for the dispute, the id of the refund
	Amount        money.Paise `db:"amount_paise"`
	// Due is what was to be paid of a held payment.
	Due   money.Paise `db:"due_paise"`
	Since time.Time   `db:"since"`
	// AnswerBy is the day by which the gateway wants an answer to the dispute, as it wrote it; empty where it told none.
	AnswerBy string `db:"answer_by"`
	Failure  string `db:"failure"`
	// Owed says of a failed refund that the money was never invoiced, so that only a bank transfer can give it back.
	Owed bool `db:"-"`
	// Requested says that staff asked for money of the payment to go back, or for that to be booked, and it is not finished.
	Requested bool `db:"requested"`
}

// MoneyCounts say how much of what kind waits for staff.
type MoneyCounts struct {
	Held        int `db:"held"        json:"held"`
	Disputes    int `db:"disputes"    json:"disputes"`
	Unconfirmed int `db:"unconfirmed" json:"unconfirmed_disputes"`
	Refunds     int `db:"refunds"     json:"failed_refunds"`
}

// maxWaiting is how many rows a list of waiting money has.
const maxWaiting = 200

// OpenRequest is a request to give money of a payment back that is not finished.
type OpenRequest struct {
	ID          string        `db:"id"`
	PaymentID   string        `db:"payment_id"`
	Kind        ReversalKind  `db:"kind"`
	State       ReversalState `db:"state"`
	Amount      money.Paise   `db:"amount_paise"`
	RequestedBy string        `db:"requested_by"`
}

// Issue is what is wrong with a customer's money, or waits.
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

// IssueKind is what an issue is about.
type IssueKind string

// The kinds of issues: a payment that is held, or that is on its way back; a dispute that the gateway confirmed, or that only an
// unsigned notice tells of; a refund that failed, also of what was never invoiced; and a request that waits
// for a second admin.
const (
	IssueHeld        IssueKind = "held"
	IssueReleased    IssueKind = "released"
	IssueDispute     IssueKind = "dispute"
	IssueUnconfirmed IssueKind = "unconfirmed"
	IssueRefund      IssueKind = "refund"
	IssueOwed        IssueKind = "owed"
	IssueRequest     IssueKind = "request"
)
