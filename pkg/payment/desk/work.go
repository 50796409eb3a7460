package desk

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/dispute"
	"github.com/franchise360/franchise360/pkg/payment/refund"
	"github.com/franchise360/franchise360/pkg/payment/reversal"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/worklist"
)

// WorkSources returns the payments that wait for staff, for the work list. Support can accept a short payment and check a payment at
// the gateway; only an admin approves requests.
func WorkSources() []worklist.Source {
	finance := []staff.Role{staff.RoleFinance}
	both := []staff.Role{staff.RoleSupport, staff.RoleFinance}
	return []worklist.Source{
		{Kind: "held_payment", Title: "Held payments", Link: "/support/money?kind=held", Roles: both, Read: moneyWork(MoneyHeld)},
		{Kind: "undecided_payment", Title: "Payments undecided for an hour", Roles: both, Read: undecidedWork},
		{Kind: "refund_approval", Title: "Refunds that wait for a second person", Link: "/support/approvals?state=waiting", Read: approvalWork},
		{Kind: "failed_refund", Title: "Failed refunds", Link: "/support/money?kind=refund", Roles: finance, Read: moneyWork(MoneyRefund)},
		{Kind: "dispute", Title: "Open disputes", Link: "/support/money?kind=dispute", Roles: finance, Read: moneyWork(MoneyDispute)},
		{Kind: "unconfirmed_dispute", Title: "Unconfirmed disputes", Link: "/support/money?kind=unconfirmed", Roles: finance, Read: moneyWork(MoneyUnconfirmed)},
	}
}

func moneyWork(kind MoneyKind) func(ctx context.Context, tx *sqlx.Tx, now time.Time, limit int) ([]worklist.Item, int, error) {
	return func(ctx context.Context, tx *sqlx.Tx, _ time.Time, limit int) ([]worklist.Item, int, error) {
		list, total, err := WaitingMoneyTx(ctx, tx, kind)
		if err != nil {
			return nil, 0, err
		}
		items := make([]worklist.Item, 0, len(list))
		for _, w := range list[:min(len(list), limit)] {
			items = append(items, w.Work())
		}
		return items, total, nil
	}
}

// Work describes the problem and the possible action.
func (w WaitingMoney) Work() worklist.Item {
	item := worklist.Item{
		Key: w.Reference, Title: w.TransactionID + " · " + w.Bought, Since: w.Since, Amount: w.Amount,
		CustomerID: w.FranchiserID, Link: "/support/customers/" + w.FranchiserID + "?entry=payment." + w.PaymentID,
	}
	switch w.Kind {
	case MoneyHeld:
		item.Wrong = HeldWrong(w.Amount, w.Due)
		item.ToDo = HeldAdvice(staff.RoleAdmin, w.Amount, w.Due)
		item.ToDoOf = map[staff.Role]string{
			staff.RoleSupport: HeldAdvice(staff.RoleSupport, w.Amount, w.Due), staff.RoleFinance: HeldAdvice(staff.RoleFinance, w.Amount, w.Due),
		}
		if w.Requested {
			item.ToDoOf = nil
			item.ToDo = "Its release was asked for: look at the approvals."
		}
	case MoneyRefund:
		item.Wrong, item.ToDo = w.refundWork()
		if w.Requested {
			item.ToDo = "Staff see to it: look at the approvals before anything else is paid."
		}
	case MoneyDispute:
		item.Wrong = "The bank disputes it."
		if w.AnswerBy != "" {
			item.Wrong = "The bank disputes it; the gateway wants an answer by " + w.AnswerBy + "."
		}
		item.ToDo = "Answer it at " + w.Gateway + ", where it is " + w.Reference + "."
	case MoneyUnconfirmed:
		item.Wrong = "Only an unsigned notice tells of a dispute."
		item.ToDo = "Check it at " + w.Gateway + ", where it would be " + w.Reference + "."
	}
	return item
}

// refundWork describes why a refund waits for staff, and what they do. Only a bank transfer returns a payment that came by bank transfer or
// that earlier invoices paid by set-off.
func (w WaitingMoney) refundWork() (wrong, toDo string) {
	const again = "Ask for it again, or pay it by bank transfer and book that, on the customer's page."
	switch {
	case w.Failure == dispute.ReasonOtherTaken:
		wrong, toDo = "The plan ended because a bank took back another payment.", "Refund the unused part, or pay it by bank transfer and book that, on the customer's page."
	case w.Failure == refund.ReasonSetOff:
		wrong = "Earlier invoices paid it by set-off, so no gateway can refund it."
	case w.ByHand:
		wrong = "The customer paid it by bank transfer, so no gateway can refund it."
	case w.Failure == "":
		wrong, toDo = "The refund failed.", again
	default:
		wrong, toDo = "The refund failed: "+w.Failure, again
	}
	if w.ByHand {
		toDo = "Transfer it, and book the transfer with its UTR on the customer's page."
	}
	return wrong, toDo
}

// HeldWrong describes why a payment is held: its amount differs from the amount due or, if that is right, its currency.
func HeldWrong(came, due money.Paise) string {
	switch {
	case came < due:
		return fmt.Sprintf("%s came, %s was due: %s is missing.", came.Display(), due.Display(), (due - came).Display())
	case came > due:
		return fmt.Sprintf("%s came, %s was due: %s too much.", came.Display(), due.Display(), (came - due).Display())
	default:
		return "It came in another currency."
	}
}

// HeldAdvice returns a role's action for a held payment: support accepts a short one, finance refunds it, admins do both.
func HeldAdvice(role staff.Role, came, due money.Paise) string {
	short := came < due
	advice := "Give it back"
	switch {
	case short && role == staff.RoleSupport:
		advice = "Accept it with a discount, or ask finance to give it back"
	case short && role == staff.RoleFinance:
		advice = "Give it back, or ask support to accept it with a discount"
	case short:
		advice = "Accept it with a discount, or give it back"
	case role == staff.RoleSupport:
		advice = "Ask finance to give it back"
	}
	return advice + "; the customer can pay anew then."
}

// MoneyAdvice returns a role's action about money: support delegates to finance. The action begins with a verb.
func MoneyAdvice(role staff.Role, act string) string {
	if role == staff.RoleSupport {
		return "Ask finance to " + strings.ToLower(act[:1]) + act[1:]
	}
	return act
}

const undecidedSQL = `
SELECT u.franchiser_id, u.payment_id, u.transaction_id, u.gateway, u.amount_paise, u.since, count(*) OVER () AS total
FROM undecided_payments($1, $2) u ORDER BY u.since, u.payment_id LIMIT $3`

func undecidedWork(ctx context.Context, tx *sqlx.Tx, now time.Time, limit int) ([]worklist.Item, int, error) {
	var rows []struct {
		FranchiserID  string      `db:"franchiser_id"`
		PaymentID     string      `db:"payment_id"`
		TransactionID string      `db:"transaction_id"`
		Gateway       string      `db:"gateway"`
		Amount        money.Paise `db:"amount_paise"`
		Since         time.Time   `db:"since"`
		Total         int         `db:"total"`
	}
	if err := tx.SelectContext(ctx, &rows, undecidedSQL, now.Add(-payment.UndecidedAfter), now.Add(-payment.OverdueAfter), limit); err != nil {
		return nil, 0, fmt.Errorf("list undecided payments: %w", err)
	}
	items, total := make([]worklist.Item, 0, len(rows)), 0
	for _, r := range rows {
		total = r.Total
		items = append(items, worklist.Item{
			Key: r.PaymentID, Title: r.TransactionID, Since: r.Since, Amount: r.Amount, CustomerID: r.FranchiserID,
			Wrong: "The gateway " + r.Gateway + " has not decided it, or could not be asked.", ToDo: "Ask the gateway on the customer's page. A debit by mandate can be ended there.",
			ToDoOf: map[staff.Role]string{staff.RoleFinance: "Ask the gateway on the customer's page. Support can end a debit by mandate there."},
			Link:   "/support/customers/" + r.FranchiserID + "?entry=payment." + r.PaymentID,
		})
	}
	return items, total, nil
}

func approvalSQL() string {
	return `
SELECT v.id, v.franchiser_ref, v.payment_id, v.kind, v.amount_paise, v.requested_at, ` + staff.NameSQL("v.requested_by") + ` AS requested_by, count(*) OVER () AS total
FROM reversals v WHERE v.state = 'waiting' ORDER BY v.requested_at, v.id LIMIT $1`
}

func approvalWork(ctx context.Context, tx *sqlx.Tx, _ time.Time, limit int) ([]worklist.Item, int, error) {
	var rows []struct {
		ID          string        `db:"id"`
		Franchiser  string        `db:"franchiser_ref"`
		PaymentID   string        `db:"payment_id"`
		Kind        reversal.Kind `db:"kind"`
		Amount      money.Paise   `db:"amount_paise"`
		RequestedAt time.Time     `db:"requested_at"`
		RequestedBy string        `db:"requested_by"`
		Total       int           `db:"total"`
	}
	if err := tx.SelectContext(ctx, &rows, approvalSQL(), limit); err != nil {
		return nil, 0, fmt.Errorf("list requests that wait: %w", err)
	}
	items, total := make([]worklist.Item, 0, len(rows)), 0
	for _, r := range rows {
		total = r.Total
		items = append(items, worklist.Item{
			Key: r.ID, Title: reversalTitle(r.Kind), Since: r.RequestedAt, Amount: r.Amount, Wrong: r.RequestedBy + " asked for it; nobody has decided.",
			ToDo: "An admin other than " + r.RequestedBy + " approves or declines it.", Link: "/support/approvals?state=waiting", CustomerID: r.Franchiser,
		})
	}
	return items, total, nil
}

func reversalTitle(kind reversal.Kind) string {
	switch kind {
	case reversal.KindRefund:
		return "Refund"
	case reversal.KindRelease:
		return "Release of a held payment"
	default:
		return "Request of the kind " + string(kind)
	}
}
