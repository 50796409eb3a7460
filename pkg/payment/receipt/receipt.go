package receipt

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/text"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// IssueTx issues the documents of a capture, of the given day, for money that came when the receipt says: an upgrade's credit notes first,
// because its invoice, for the full amount, names them.
func (s *Documents) IssueTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment, order subscription.Order, at, paid time.Time) error {
	for _, c := range order.Credits {
		note, err := s.invoices.IssueCreditNoteTx(ctx, tx, invoice.CreditNoteInput{
			FranchiserID: p.FranchiserID, InvoiceID: c.Invoice.ID, AppliedPaymentID: p.ID, Parts: c.Parts,
			Reason: "Unused part of " + c.Title + ", set off against the upgrade to " + order.Title(), IssuedAt: at,
		})
		if err != nil {
			return errs.Internal(fmt.Errorf("issue credit note of upgrade: %w", err))
		}
		if err := s.ledger.PostTx(ctx, tx, ledger.CreditNote(note)); err != nil {
			return err
		}
		if err := s.ledger.PostTx(ctx, tx, ledger.CreditApplied(ledger.Movement{
			FranchiserID: p.FranchiserID, PaymentID: p.ID, Reference: note.ID, Amount: note.Totals.Total, At: at,
		})); err != nil {
			return err
		}
	}
	issued, err := s.invoices.IssueTx(ctx, tx, invoice.IssueInput{
		FranchiserID: p.FranchiserID, PaymentID: p.ID, Recipient: order.Recipient, Lines: order.InvoiceLines(), Paid: order.Payable(),
		Credited: order.Credited(),
		Receipt: invoice.Receipt{
			TransactionID: p.TransactionID, GatewayID: cmp.Or(p.Transfers, p.GatewayPaymentID), Method: strings.ReplaceAll(p.Slug, "_", " "), PaidAt: paid,
			Withheld: p.Withheld, PONumber: p.PONumber,
		},
		IssuedAt: at,
	})
	if err != nil {
		return errs.Internal(fmt.Errorf("issue invoice: %w", err))
	}
	return s.ledger.PostTx(ctx, tx, ledger.Sale(issued))
}

// TellTx sends the customer a receipt for the payment and its purchase, by SMS and e-mail.
func (s *Documents) TellTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment, now time.Time) error {
	for _, template := range []string{message.TemplatePaymentReceived, message.TemplatePaymentEmail} {
		m := message.CustomerMessage{FranchiserID: p.FranchiserID, Template: template, About: p.ID, CreatedAt: now}
		if err := s.messages.OnceTx(ctx, tx, m); err != nil {
			return err
		}
	}
	return nil
}

// Letters returns the contents of the messages about payments; w returns the tax deducted from them.
func Letters(w payment.Withheld) map[string]message.Letter {
	return map[string]message.Letter{
		message.TemplatePaymentReceived: {Write: func(ctx context.Context, tx *sqlx.Tx, m message.CustomerMessage) (*message.Message, error) {
			r, err := receipt(ctx, tx, w, m.About)
			if err != nil || r == nil {
				return nil, err
			}
			told := &message.Message{Values: []string{r.paid(m), message.Fit(r.short(m.Language))}}
			if r.ByMandate {
				told.Template = message.TemplateDebitPaid
			}
			return told, nil
		}},
		message.TemplatePaymentEmail: {Write: func(ctx context.Context, tx *sqlx.Tx, m message.CustomerMessage) (*message.Message, error) {
			r, err := receipt(ctx, tx, w, m.About)
			if err != nil || r == nil {
				return nil, err
			}
			deducted, bill := "", ""
			if r.Deducted > 0 {
				deducted, bill = r.Deducted.Display(), r.Amount.Display()
			}
			return &message.Message{Values: []string{
				r.what(m.Language), r.came().Display(), m.Language.Moment(r.DecidedAt), r.TransactionID, deducted, bill,
			}}, nil
		}},
	}
}

// received is the content of a receipt. Deducted is the part of Amount that the customer deducted as tax and did not pay.
type received struct {
	TransactionID string            `db:"transaction_id"`
	Amount        money.Paise       `db:"captured_paise"`
	Deducted      money.Paise       `db:"-"`
	DecidedAt     time.Time         `db:"decided_at"`
	Kind          subscription.Kind `db:"kind"`
	PlanName      string            `db:"plan_name"`
	ServiceName   string            `db:"service_name"`
	Type          string            `db:"plan_type"`
	AddOns        pq.StringArray    `db:"add_on_names"`
	ByMandate     bool              `db:"by_mandate"`
}

// What was given back whole has no receipt any more.
const receivedSQL = `
	SELECT p.transaction_id, p.captured_paise, p.decided_at, o.kind, o.plan_name, o.service_name, o.plan_type, o.add_on_names, p.by_mandate
	FROM payments p JOIN order_overview o ON o.id = p.order_id
	WHERE p.id = $1 AND p.state = 'paid' AND NOT p.surplus`

func receipt(ctx context.Context, tx *sqlx.Tx, w payment.Withheld, paymentID string) (*received, error) {
	var r received
	err := tx.GetContext(ctx, &r, receivedSQL, paymentID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil // nothing to tell
	}
	if err != nil {
		return nil, fmt.Errorf("read receipt: %w", err)
	}
	deducted, err := w.DeductedTx(ctx, tx, []string{paymentID})
	r.Deducted = deducted[paymentID]
	return &r, err
}

// came is what arrived as money.
func (r received) came() money.Paise { return r.Amount - r.Deducted }

// paid is the text of an SMS for the received and the deducted amount. If both are too long for an SMS, it has the received amount
// only.
func (r received) paid(m message.CustomerMessage) string {
	came := m.Rupees(r.came())
	if r.Deducted == 0 {
		return came
	}
	both := m.Language.Say("{1} and {2} as TDS", came, m.Rupees(r.Deducted))
	if utf8.RuneCountInString(both) > message.MaxValue {
		return came
	}
	return both
}

// maxBought leaves room for the names of many add-ons.
const maxBought = 200

func (r received) what(l i18n.Language) string {
	title := r.PlanName + " · " + r.ServiceName + ", " + l.Say("monthly")
	if r.Type == string(plan.TypeYearly) {
		title = r.PlanName + " · " + r.ServiceName + ", " + l.Say("yearly")
	}
	switch r.Kind {
	case subscription.KindAddOn:
		return text.First(strings.Join(r.AddOns, ", "), maxBought)
	case subscription.KindRenewal:
		return l.Say("Renewal of {1}", title)
	case subscription.KindUpgrade:
		return l.Say("Upgrade to {1}", title)
	default:
		return title
	}
}

// short is what fits into an SMS, in letters that do not double its price.
func (r received) short(l i18n.Language) string {
	if r.Kind == subscription.KindAddOn {
		return l.Say("add-ons of {1}", r.PlanName)
	}
	return r.PlanName + " - " + r.ServiceName
}

const paymentNotesSQL = `
	SELECT p.id, p.transaction_id, coalesce(p.captured_paise, 0) AS captured_paise, coalesce(p.decided_at, p.created_at) AS decided_at, o.kind,
		o.plan_name, o.service_name, o.plan_type, o.add_on_names
	FROM payments p JOIN order_overview o ON o.id = p.order_id WHERE p.franchiser_id = $1 AND p.id = ANY($2)`

// Notes returns the dashboard's texts about payments; w returns the tax deducted from them.
func Notes(w payment.Withheld) map[string]message.Notes {
	return map[string]message.Notes{message.TemplatePaymentReceived: func(ctx context.Context, tx *sqlx.Tx, franchiserID string, about []string, l i18n.Language) (map[string]message.Note, error) {
		deducted, err := w.DeductedTx(ctx, tx, about)
		if err != nil {
			return nil, err
		}
		return notesOfPayments(ctx, tx, franchiserID, about, deducted, l)
	}}
}

func notesOfPayments(ctx context.Context, tx *sqlx.Tx, franchiserID string, about []string, deducted map[string]money.Paise, l i18n.Language,
) (map[string]message.Note, error) {
	var rows []struct {
		received

		ID string `db:"id"`
	}
	if err := tx.SelectContext(ctx, &rows, paymentNotesSQL, franchiserID, pq.StringArray(about)); err != nil {
		return nil, fmt.Errorf("read payments of notifications: %w", err)
	}
	notes := map[string]message.Note{}
	for _, r := range rows {
		r.Deducted = deducted[r.ID]
		text := l.Say("{1}.", r.what(l))
		if r.Deducted > 0 {
			text = l.Say("{1}. You deducted {2} as TDS: together the bill of {3}.", r.what(l), r.Deducted.Display(), r.Amount.Display())
		}
		notes[r.ID] = message.Note{
			Title: l.Say("We received your payment of {1}", r.came().Display()), Text: text, Link: "/subscription_list/" + r.TransactionID,
		}
	}
	return notes, nil
}
