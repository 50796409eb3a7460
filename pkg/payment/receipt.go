package payment

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/text"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// receiptTx tells the customer, by SMS and e-mail, that the payment arrived and what it bought.
func (s *Service) receiptTx(ctx context.Context, tx *sqlx.Tx, p Payment, now time.Time) error {
	for _, template := range []string{message.TemplatePaymentReceived, message.TemplatePaymentEmail} {
		m := message.CustomerMessage{FranchiserID: p.FranchiserID, Template: template, About: p.ID, CreatedAt: now}
		if err := s.messages.OnceTx(ctx, tx, m); err != nil {
			return err
		}
	}
	return nil
}

// Letters returns the contents of the messages about payments.
func Letters() map[string]message.Letter {
	all := refundLetters()
	maps.Copy(all, map[string]message.Letter{
		message.TemplatePaymentReceived: {Write: func(ctx context.Context, tx *sqlx.Tx, m message.CustomerMessage) (*message.Message, error) {
			r, err := receipt(ctx, tx, m.About)
			if err != nil || r == nil {
				return nil, err
			}
			told := &message.Message{Values: []string{m.Rupees(r.Amount), message.Fit(r.short(m.Language))}}
			if r.ByMandate {
				told.Template = message.TemplateDebitPaid
			}
			return told, nil
		}},
		message.TemplatePaymentEmail: {Write: func(ctx context.Context, tx *sqlx.Tx, m message.CustomerMessage) (*message.Message, error) {
			r, err := receipt(ctx, tx, m.About)
			if err != nil || r == nil {
				return nil, err
			}
			return &message.Message{Values: []string{
				r.what(m.Language), r.Amount.Display(), m.Language.Moment(r.DecidedAt), r.TransactionID,
			}}, nil
		}},
	})
	return all
}

// received is what a receipt tells.
type received struct {
	TransactionID string            `db:"transaction_id"`
	Amount        money.Paise       `db:"captured_paise"`
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

func receipt(ctx context.Context, tx *sqlx.Tx, paymentID string) (*received, error) {
	var r received
	err := tx.GetContext(ctx, &r, receivedSQL, paymentID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil // nothing to tell
	}
	if err != nil {
		return nil, fmt.Errorf("read receipt: %w", err)
	}
	return &r, nil
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
