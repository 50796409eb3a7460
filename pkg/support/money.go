package support

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment/desk"
	"github.com/franchise360/franchise360/pkg/payment/dispute"
	"github.com/franchise360/franchise360/pkg/payment/refund"
	"github.com/franchise360/franchise360/pkg/payment/reversal"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/settlement"
	"github.com/franchise360/franchise360/pkg/staff"
)

// MoneyCounts counts the money matters that wait for staff.
type MoneyCounts struct {
	desk.MoneyCounts
	settlement.Counts
}

// Money counts the money of all customers that waits for staff, and lists it, oldest first, limited to one kind if
// given; KindInvalid for an unknown kind.
func (d *Customers) Money(ctx context.Context, kind desk.MoneyKind) (MoneyCounts, []desk.WaitingMoney, error) {
	var counts MoneyCounts
	if kind != "" && !kind.Valid() {
		return counts, nil, errs.Invalid("Please check the marked fields.").Field("kind", "Nothing waits under this name.")
	}
	list := []desk.WaitingMoney{}
	err := postgres.InTx(ctx, d.db, func(tx *sqlx.Tx) error {
		var err error
		if counts.MoneyCounts, err = desk.MoneyCountsTx(ctx, tx); err != nil {
			return err
		}
		if counts.Counts, err = (settlement.Lines{}).CountsTx(ctx, tx); err != nil {
			return err
		}
		list, _, err = desk.WaitingMoneyTx(ctx, tx, kind)
		return err
	})
	return counts, list, err
}

// gatewayTitle returns the gateway's display name, or else its name.
func (d *Customers) gatewayTitle(name string) string {
	if title, ok := d.titles[name]; ok {
		return title
	}
	return name
}

// moneyHealth describes the problems with the customer's money, and the role's possible actions.
func (d *Customers) moneyHealth(role staff.Role, issues []desk.Issue, differences []settlement.Difference) []Health {
	found := []Health{}
	hints := map[string]int{}
	requests := slices.IndexFunc(issues, func(m desk.Issue) bool { return m.Kind == desk.IssueRequest }) // these come last
	if requests < 0 {
		requests = len(issues)
	}
	for _, m := range issues[:requests] {
		h := d.issueHealth(role, m)
		if h.Text == "" {
			continue
		}
		found = append(found, h)
		if m.Kind != desk.IssueUnconfirmed {
			continue
		}
		if hints[m.TransactionID]++; hints[m.TransactionID] == dispute.MaxUnconfirmed {
			found = append(found, Health{
				Level: "bad", Kind: "refund", Payment: m.TransactionID,
				Text: "There may be more disputes of " + m.TransactionID + ": no more than 5 unconfirmed ones are kept. Look at " +
					d.gatewayTitle(m.Gateway) + "’s own list.",
			})
		}
	}
	for _, x := range differences {
		found = append(found, d.differenceHealth(x))
	}
	for _, m := range issues[requests:] {
		found = append(found, d.issueHealth(role, m))
	}
	return found
}

func (d *Customers) issueHealth(role staff.Role, m desk.Issue) Health {
	h := Health{Level: "bad", Kind: "payment", Payment: m.TransactionID}
	at := d.gatewayTitle(m.Gateway)
	amount := m.Amount.Display()
	disputed := m.TransactionID
	if m.Amount > 0 { // not every notice includes the amount
		disputed = amount + " of " + disputed
	}
	switch m.Kind {
	case desk.IssueHeld:
		h.Text = amount + " of " + m.TransactionID + " is held: " + heldWords(m.Amount, m.Other) + " " + desk.HeldAdvice(role, m.Amount, m.Other)
	case desk.IssueReleased:
		h.Level, h.Text = "warn", amount+" of "+m.TransactionID+", which was held, is on its way back to the customer."
	case desk.IssueDispute:
		h.Kind = "refund"
		h.Text = "The customer’s bank disputes " + disputed + " since " + dayOf(m.Since) + ". " + desk.MoneyAdvice(role, "Answer it at ") + at +
			", where it is " + m.Reference + byWhen(m.Text) + "."
	case desk.IssueUnconfirmed:
		h.Kind = "refund"
		h.Text = "An unsigned notice says that the customer’s bank disputes " + disputed +
			". " + desk.MoneyAdvice(role, "Check it at ") + at + ", where it would be " + m.Reference + byWhen(m.Text) + "."
	case desk.IssueRefund, desk.IssueOwed:
		h.Kind = "refund"
		h.Text = "A refund of " + amount + " of " + m.TransactionID + " failed at " + at + because(m.Text)
		switch {
		case refund.StaffTransfer(m.Gateway, m.Text):
			h.Text = amount + " of " + m.TransactionID + " goes back through no gateway. " + desk.MoneyAdvice(role, "Transfer it, and book that with its UTR.")
		case m.Kind == desk.IssueOwed:
			h.Text += " " + desk.MoneyAdvice(role, "Pay it by bank transfer and book that.")
		default:
			h.Text += " " + desk.MoneyAdvice(role, "Request it again, or pay it by bank transfer and book that.")
		}
	case desk.IssueRequest:
		h.Level, h.Kind = "warn", "approval"
		h.Text = m.Text + " asked for " + askedFor(m) + ". A second admin has to approve it."
	}
	return h
}

// differenceHealth describes a settlement difference.
func (d *Customers) differenceHealth(x settlement.Difference) Health {
	return Health{
		Level: "bad", Kind: "settlement", Payment: x.TransactionID,
		Text: "The settlement of " + x.TransactionID + " differs: our books have " + x.Ours.Display() + ", " + d.gatewayTitle(x.Gateway) + " has " +
			x.Theirs.Display() + ". " + x.Kind.Meaning(),
	}
}

// askedFor describes the purpose of a request; its Reference is the kind.
func askedFor(m desk.Issue) string {
	amount := m.Amount.Display()
	switch reversal.Kind(m.Reference) {
	case reversal.KindBankTransfer:
		return "a bank transfer of " + amount + " for " + m.TransactionID + " to be booked"
	case reversal.KindCreditNote:
		return amount + " of " + m.TransactionID + " to be booked as paid back by bank"
	case reversal.KindChargeback:
		return "the loss of " + amount + " of " + m.TransactionID + " to be booked"
	case reversal.KindRefund, reversal.KindRelease:
	}
	return amount + " of " + m.TransactionID + " to go back"
}

// heldWords compares the amount received with the amount due.
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

// byWhen ends a sentence with the gateway's deadline, which may be a day or a day and a time.
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
