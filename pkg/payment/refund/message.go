package refund

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// refundStage is a step of a refund that customers receive messages about, by SMS and e-mail.
type refundStage struct {
	state      payment.RefundState
	sms, email string
}

// refundStages returns the steps in order.
func refundStages() []refundStage {
	return []refundStage{
		{payment.RefundRequested, message.TemplateRefundDecided, message.TemplateRefundDecidedEmail},
		{payment.RefundSent, message.TemplateRefundSent, message.TemplateRefundSentEmail},
		{payment.RefundDone, message.TemplateRefundDone, message.TemplateRefundDoneEmail},
		{payment.RefundFailed, message.TemplateRefundFailed, message.TemplateRefundFailedEmail},
	}
}

// decidedPause delays the message about the decision. At most gateways the next step follows within seconds and replaces it.
const decidedPause = 2 * time.Minute

// tellRefundTx sends the customer the refund's state, once. The bank itself reports a chargeback.
func (s *Service) tellRefundTx(ctx context.Context, tx *sqlx.Tx, r Refund, now time.Time) error {
	if r.Reason == payment.RefundDispute {
		return nil
	}
	for _, stage := range refundStages() {
		if stage.state != r.State {
			continue
		}
		for _, template := range []string{stage.sms, stage.email} {
			m := message.CustomerMessage{FranchiserID: r.FranchiserID, Template: template, About: r.ID, CreatedAt: now}
			if r.State == payment.RefundRequested {
				m.Delay = decidedPause
			}
			if err := s.messages.OnceTx(ctx, tx, m); err != nil {
				return err
			}
		}
	}
	return nil
}

// Letters returns the contents of the messages about refunds. Each is needed only while the refund is in the state that
// it tells of.
func Letters(providers payment.Providers) map[string]message.Letter {
	all := map[string]message.Letter{}
	for _, stage := range refundStages() {
		write := func(values func(r toldRefund, m message.CustomerMessage, arrival string) []string) message.Letter {
			return message.Letter{Write: func(ctx context.Context, tx *sqlx.Tx, m message.CustomerMessage) (*message.Message, error) {
				r, err := readToldRefund(ctx, tx, m.FranchiserID, m.About)
				if err != nil || r == nil || r.told() != stage.state {
					return nil, err
				}
				arrival, err := r.arrival(providers)
				if err != nil {
					return nil, err
				}
				return &message.Message{Values: values(*r, m, m.Language.Say(arrival))}, nil
			}}
		}
		all[stage.sms], all[stage.email] = write(toldRefund.sms), write(toldRefund.email)
	}
	return all
}

// toldRefund is the data of a refund for customers' messages.
type toldRefund struct {
	ID            string                `db:"id"`
	State         payment.RefundState   `db:"state"`
	Amount        money.Paise           `db:"amount_paise"`
	Reason        payment.RefundReason  `db:"reason"`
	PrintedReason string                `db:"printed_reason"`
	Channel       payment.RefundChannel `db:"channel"`
	Second        bool                  `db:"second"`
	Why           string                `db:"why"`
	Surplus       bool                  `db:"surplus"`
	OrderPaid     bool                  `db:"order_paid"`
	Gateway       string                `db:"gateway"`
	PaidWith      string                `db:"slug"`
	TransactionID string                `db:"transaction_id"`
	PlanName      string                `db:"plan_name"`
	ServiceName   string                `db:"service_name"`
	Failure       string                `db:"failure"`
	// EndedTo is the day after the plan's last one, if the refund ended the plan.
	EndedTo *subscription.Day `db:"ended_to"`
}

// byHand reports whether staff transfer the money themselves: no gateway has failed.
func (r toldRefund) byHand() bool {
	return r.State == payment.RefundFailed && StaffTransfer(r.Gateway, r.Failure)
}

// told returns the state that the message reports. A refund by hand stays "decided" until staff book the transfer as a separate refund.
func (r toldRefund) told() payment.RefundState {
	if r.byHand() {
		return payment.RefundRequested
	}
	return r.State
}

// arrival says when the customer's bank shows the refund.
func (r toldRefund) arrival(providers payment.Providers) (string, error) {
	if r.byHand() {
		return providers.Arrival(r.Gateway, r.PaidWith, payment.ChannelBank)
	}
	return providers.Arrival(r.Gateway, r.PaidWith, r.Channel)
}

const toldRefundSQL = `
	SELECT r.id, r.state, r.amount_paise - r.withheld_paise AS amount_paise, r.reason, r.printed_reason, r.channel, p.gateway, p.slug, p.reason AS why, p.surplus, o.state = 'paid' AS order_paid, p.transaction_id,
		coalesce(p.gateway_payment_id, '') <> r.gateway_payment_id AS second, o.plan_name, o.service_name, r.failure,
		CASE WHEN NOT r.keep_plan AND r.printed_reason = '` + PrintedCancelled + `'
			OR o.revoked_at IS NOT NULL AND o.kind <> 'add_on' AND (NOT r.keep_plan OR r.done_at = o.revoked_at) THEN (
			SELECT max(e.term_to) FROM order_overview e
			WHERE e.franchiser_id = r.franchiser_id AND e.subscription_id = o.subscription_id AND e.term = 'ended'
				AND e.term_to - (coalesce(o.revoked_at, r.created_at) AT TIME ZONE 'Asia/Kolkata')::date BETWEEN 0 AND 1) END AS ended_to
	FROM refunds r JOIN payments p ON p.id = r.payment_id JOIN order_overview o ON o.id = p.order_id
	WHERE r.franchiser_id = $1 AND r.id = ANY($2)`

func readToldRefund(ctx context.Context, tx *sqlx.Tx, franchiserID, refundID string) (*toldRefund, error) {
	var r toldRefund
	err := tx.GetContext(ctx, &r, toldRefundSQL, franchiserID, pq.StringArray{refundID})
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil // nothing to tell
	}
	if err != nil {
		return nil, fmt.Errorf("read refund to tell of: %w", err)
	}
	return &r, nil
}

// why returns the reason of the refund, short enough for an SMS. Staff's own reason is not translated.
func (r toldRefund) why(l i18n.Language) string {
	switch {
	case r.Reason == payment.RefundGateway:
		return l.Say("returned by the payment provider")
	case r.Reason == payment.RefundSurplus && (r.Second || r.Surplus && r.Why == "" && r.OrderPaid):
		return l.Say("it was paid twice")
	case r.Reason == payment.RefundSurplus && r.Surplus && r.Why == "":
		return l.Say("your plan had changed by then")
	case r.Reason == payment.RefundSurplus:
		return l.Say("it was not the amount that was due")
	case r.PrintedReason == PrintedCancelled:
		return l.Say("Plan cancelled: the unused part")
	case r.PrintedReason != "" && !strings.Contains(r.PrintedReason, "://"):
		return r.PrintedReason
	default:
		return l.Say("as decided by our team")
	}
}

// whyAndEnd returns the reason, and the plan's last day if the refund ended the plan.
func (r toldRefund) whyAndEnd(l i18n.Language) string {
	if r.EndedTo == nil {
		return r.why(l)
	}
	return l.Say("{1}; your plan ended on {2}", r.why(l), (*r.EndedTo - 1).In(l))
}

// shortWhy returns the end of the plan if the refund caused it, otherwise the reason: an SMS has room for only one of them.
func (r toldRefund) shortWhy(l i18n.Language) string {
	if r.EndedTo == nil {
		return message.Fit(r.why(l))
	}
	return message.Fit(l.Say("your plan ended on {1}", (*r.EndedTo - 1).In(l)))
}

func (r toldRefund) sms(m message.CustomerMessage, arrival string) []string {
	values := []string{m.Rupees(r.Amount), r.shortWhy(m.Language)}
	if r.told() == payment.RefundFailed {
		return values
	}
	return append(values, arrival)
}

func (r toldRefund) email(m message.CustomerMessage, arrival string) []string {
	values := []string{r.Amount.Display(), r.whyAndEnd(m.Language), r.PlanName + " · " + r.ServiceName, r.TransactionID}
	if r.told() == payment.RefundFailed {
		return values
	}
	return append(values, arrival)
}

// Notes returns the dashboard's texts about refunds.
func Notes(providers payment.Providers) map[string]message.Notes {
	all := map[string]message.Notes{}
	titles := map[payment.RefundState]string{
		payment.RefundRequested: i18n.Mark("{1} is paid back to you"), payment.RefundSent: i18n.Mark("Your refund of {1} is on its way"),
		payment.RefundDone: i18n.Mark("Your refund of {1} was paid out"), payment.RefundFailed: i18n.Mark("Your refund of {1} did not go through"),
	}
	for _, stage := range refundStages() {
		all[stage.sms] = func(ctx context.Context, tx *sqlx.Tx, franchiserID string, about []string, l i18n.Language) (map[string]message.Note, error) {
			notes := refundNotes{providers: providers, title: titles[stage.state], state: stage.state}
			return notes.read(ctx, tx, franchiserID, about, l)
		}
	}
	return all
}

// refundNotes are those of refunds in one state.
type refundNotes struct {
	providers payment.Providers
	title     string
	state     payment.RefundState
}

func (n refundNotes) read(ctx context.Context, tx *sqlx.Tx, franchiserID string, about []string, l i18n.Language) (map[string]message.Note, error) {
	var rows []toldRefund
	if err := tx.SelectContext(ctx, &rows, toldRefundSQL, franchiserID, pq.StringArray(about)); err != nil {
		return nil, fmt.Errorf("read refunds of notifications: %w", err)
	}
	notes := map[string]message.Note{}
	for _, r := range rows {
		if r.byHand() && n.state != payment.RefundRequested {
			continue
		}
		arrival, err := r.arrival(n.providers)
		if err != nil {
			return nil, err
		}
		text := l.Say("Reason: {1}. Your bank shows it {2}.", r.whyAndEnd(l), l.Say(arrival))
		if n.state == payment.RefundFailed {
			text = l.Say("The money is still yours. Our team will pay it another way and tell you.")
		}
		notes[r.ID] = message.Note{Title: l.Say(n.title, r.Amount.Display()), Text: text, Link: "/subscription_list/" + r.TransactionID}
	}
	return notes, nil
}
