package support

import (
	"context"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
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
	Differences int `db:"differences" json:"settlement_differences"`
	// Acknowledged are differences that stay, and of which an admin took note; they wait for nobody.
	Acknowledged int `db:"acknowledged" json:"acknowledged_differences"`
}

// maxWaiting is how many rows a list of waiting money has.
const maxWaiting = 200

// Money counts the money of all customers that waits for staff, and lists it, oldest first, of one kind where one is given;
// KindInvalid for an unknown kind.
func (d *Customers) Money(ctx context.Context, kind MoneyKind) (MoneyCounts, []WaitingMoney, error) {
	var counts MoneyCounts
	switch kind {
	case "", MoneyHeld, MoneyDispute, MoneyUnconfirmed, MoneyRefund:
	default:
		return counts, nil, errs.Invalid("Please check the marked fields.").Field("kind", "Nothing waits under this name.")
	}
	list := []WaitingMoney{}
	err := postgres.InTx(ctx, d.db, func(tx *sqlx.Tx) error {
		var err error
		if counts, err = moneyCountsTx(ctx, tx); err != nil {
			return err
		}
		if list, err = waitingMoneyTx(ctx, tx, kind); err != nil {
			return err
		}
		return owedTx(ctx, tx, list)
	})
	return counts, list, err
}

// OpenRequest is a request to give money of a payment back that is not finished.
type OpenRequest struct {
	ID          string                `db:"id"`
	PaymentID   string                `db:"payment_id"`
	Kind        payment.ReversalKind  `db:"kind"`
	State       payment.ReversalState `db:"state"`
	Amount      money.Paise           `db:"amount_paise"`
	RequestedBy string                `db:"requested_by"`
}

// moneyIssue is what is wrong with a customer's money, or waits.
type moneyIssue struct {
	Kind          string      `db:"kind"`
	TransactionID string      `db:"transaction_id"`
	Gateway       string      `db:"gateway"`
	Reference     string      `db:"reference"`
	Amount        money.Paise `db:"amount_paise"`
	Other         money.Paise `db:"other_paise"`
	Since         time.Time   `db:"since"`
	Text          string      `db:"text"`
}

const (
	matterHeld       = "held"
	matterReleased   = "released"
	matterDispute    = "dispute"
	matterHint       = "unconfirmed"
	matterRefund     = "refund"
	matterOwed       = "owed" // a failed refund of what was never invoiced
	matterDifference = "difference"
	matterRequest    = "request"
)

// GatewayName is what people call a gateway.
func GatewayName(gateway string) string {
	switch gateway {
	case "payu":
		return "PayU"
	case "razorpay":
		return "Razorpay"
	default:
		return gateway
	}
}

// moneyHealth says what is wrong with the customer's money, and what to do about it.
func moneyHealth(matters []moneyIssue) []Health {
	found := []Health{}
	hints := map[string]int{}
	for _, m := range matters {
		h := m.health()
		if h.Text == "" {
			continue
		}
		found = append(found, h)
		if m.Kind != matterHint {
			continue
		}
		if hints[m.TransactionID]++; hints[m.TransactionID] == payment.MaxUnconfirmed {
			found = append(found, Health{
				Level: "bad", Kind: "refund", Payment: m.TransactionID,
				Text: "There may be more disputes of " + m.TransactionID + ": no more than 5 unconfirmed ones are kept. Look at " +
					GatewayName(m.Gateway) + "’s own list.",
			})
		}
	}
	return found
}

func (m moneyIssue) health() Health {
	h := Health{Level: "bad", Kind: "payment", Payment: m.TransactionID}
	at := GatewayName(m.Gateway)
	amount := m.Amount.Display()
	disputed := m.TransactionID
	if m.Amount > 0 { // not every notice tells how much
		disputed = amount + " of " + disputed
	}
	switch m.Kind {
	case matterHeld:
		h.Text = amount + " of " + m.TransactionID + " is held: " + heldWords(m.Amount, m.Other) + " Give it back; the customer can pay anew then."
	case matterReleased:
		h.Level, h.Text = "warn", amount+" of "+m.TransactionID+", which was held, is on its way back to the customer."
	case matterDispute:
		h.Kind = "refund"
		h.Text = "The customer’s bank disputes " + disputed + " since " + dayOf(m.Since) + ". Answer it at " + at +
			", where it is " + m.Reference + byWhen(m.Text) + "."
	case matterHint:
		h.Kind = "refund"
		h.Text = "An unsigned notice says that the customer’s bank disputes " + disputed +
			". Check it at " + at + ", where it would be " + m.Reference + byWhen(m.Text) + "."
	case matterRefund, matterOwed:
		h.Kind = "refund"
		h.Text = "A refund of " + amount + " of " + m.TransactionID + " failed at " + at + because(m.Text)
		if m.Kind == matterOwed {
			h.Text += " Pay it by bank transfer and book that."
		} else {
			h.Text += " Ask for it again, or pay it by bank transfer and book that."
		}
	case matterDifference:
		h.Kind = "settlement"
		h.Text = "The settlement of " + m.TransactionID + " differs: our books have " + m.Amount.Display() + ", " + at + " has " +
			m.Other.Display() + ". " + payment.DifferenceKind(m.Text).Meaning()
	case matterRequest:
		h.Level, h.Kind = "warn", "approval"
		h.Text = m.Text + " asked for " + m.asked() + ". A second admin has to approve it."
	}
	return h
}

// asked says what a request is for; its Reference is the kind.
func (m moneyIssue) asked() string {
	amount := m.Amount.Display()
	switch payment.ReversalKind(m.Reference) {
	case payment.ReversalBankTransfer:
		return "a bank transfer of " + amount + " for " + m.TransactionID + " to be booked"
	case payment.ReversalCreditNote:
		return amount + " of " + m.TransactionID + " to be booked as paid back by bank"
	case payment.ReversalChargeback:
		return "the loss of " + amount + " of " + m.TransactionID + " to be booked"
	case payment.ReversalRefund, payment.ReversalRelease:
	}
	return amount + " of " + m.TransactionID + " to go back"
}

// heldWords compare what came with what was due.
func heldWords(came, due money.Paise) string {
	switch {
	case came < due:
		return due.Display() + " was due, so " + (due - came).Display() + " is missing."
	case came > due:
		return due.Display() + " was due, so " + (came - due).Display() + " is too much."
	default:
		return "that is what was due, in another currency."
	}
}

func because(failure string) string {
	if failure == "" {
		return "."
	}
	return ": " + strings.TrimRight(failure, ".") + "."
}

// byWhen ends a sentence with the gateway's last day, which it may write as a day or as a day and a time.
func byWhen(answerBy string) string {
	if answerBy == "" {
		return ""
	}
	if day, err := time.Parse(time.DateOnly, answerBy[:min(len(answerBy), len(time.DateOnly))]); err == nil {
		return ", by " + day.Format("2 Jan 2006")
	}
	return ", by " + answerBy
}

func dayOf(at time.Time) string { return at.In(clock.IST).Format("2 Jan 2006") }
