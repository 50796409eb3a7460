package mandate

import (
	"context"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Letters returns the contents of the messages about debits; site is the site's URL without a trailing slash. What is announced is not
// told any more once it was called off.
func Letters(keys secret.Keyring, site string) map[string]message.Letter {
	l := letters{keys: keys, site: site}
	announced := func(email bool) message.Letter {
		return message.Letter{Write: func(ctx context.Context, tx *sqlx.Tx, c message.CustomerMessage) (*message.Message, error) {
			d, m, err := told(ctx, tx, c)
			if err != nil || d == nil || d.State != DebitPlanned && d.State != DebitNoticed {
				return nil, err
			}
			return &message.Message{Values: []string{amountFor(d.Amount, email), subscription.DayOf(d.DebitAt).Human(), m.instrument()}}, nil
		}}
	}
	return map[string]message.Letter{
		message.TemplateDebitAnnounced: announced(false), message.TemplateDebitAnnouncedEmail: announced(true),
		message.TemplateDebitRetried: l.failed(false), message.TemplateDebitRetriedEmail: l.failed(true),
		message.TemplateDebitFailed: l.failed(false), message.TemplateDebitFailedEmail: l.failed(true),
		message.TemplateMandateActive: changed(confirmed(false)), message.TemplateMandateActiveEmail: changed(confirmed(true)),
		message.TemplateMandatePaused: changed(paused), message.TemplateMandatePausedEmail: changed(paused),
		message.TemplateMandateEnded: changed(ended), message.TemplateMandateEndedEmail: changed(ended),
		message.TemplateMandateRefused: changed(refused(false)), message.TemplateMandateRefusedEmail: changed(refused(true)),
	}
}

// changed is a message about an event of a mandate; it is not told any more where values returns false.
func changed(values func(Event, Mandate) ([]string, bool)) message.Letter {
	return message.Letter{Write: func(ctx context.Context, tx *sqlx.Tx, c message.CustomerMessage) (*message.Message, error) {
		e, err := one[Event](ctx, tx, "event of a mandate", mandateEventSQL, c.FranchiserID, c.About)
		if err != nil || e == nil {
			return nil, err
		}
		m, err := store{}.mandate(ctx, tx, e.FranchiserID, e.MandateID)
		if err != nil {
			return nil, err
		}
		list, tell := values(*e, m)
		if !tell {
			return nil, nil
		}
		return &message.Message{Values: list}, nil
	}}
}

// confirmed says that automatic renewal is on, how much a debit may be, and from where.
func confirmed(email bool) func(Event, Mandate) ([]string, bool) {
	return func(_ Event, m Mandate) ([]string, bool) {
		return []string{amountFor(m.Cap, email), m.instrument()}, m.State == StateActive && m.StopAskedAt == nil
	}
}

func paused(_ Event, m Mandate) ([]string, bool) {
	return []string{m.instrument()}, m.State == StatePaused && m.StopAskedAt == nil
}

func ended(e Event, m Mandate) ([]string, bool) {
	return []string{subscription.DayOf(e.At).Human(), m.instrument()}, true
}

// refused says that the next bill is not debited, and why. It is not told once another mandate has taken the place.
func refused(email bool) func(Event, Mandate) ([]string, bool) {
	return func(e Event, m Mandate) ([]string, bool) {
		if e.Amount == nil || e.RenewOn == nil {
			return nil, false
		}
		return []string{amountFor(*e.Amount, email), (*e.RenewOn - 1).Human(), remedyOf(e.Cause).text}, m.CanStop()
	}
}

type letters struct {
	keys secret.Keyring
	site string
}

// failed says why a debit failed, what to do, when the next try is if there is one, and where to pay without a log-in. It is not told any
// more once the renewal was paid.
func (l letters) failed(email bool) message.Letter {
	return message.Letter{Write: func(ctx context.Context, tx *sqlx.Tx, c message.CustomerMessage) (*message.Message, error) {
		d, m, err := told(ctx, tx, c)
		if err != nil || d == nil || d.State != DebitFailed {
			return nil, err
		}
		link, err := subscription.PayLinkTx(ctx, tx, l.keys, d.FranchiserID, d.SubscriptionID, d.RenewOn, subscription.DayOf(*d.DecidedAt))
		if err != nil || link == nil {
			return nil, err
		}
		next, err := store{}.live(ctx, tx, *m)
		if err != nil {
			return nil, err
		}
		retried := next != nil && next.RenewOn == d.RenewOn
		return l.compose(*d, *link, next, retried, email), nil
	}}
}

func (l letters) compose(d DebitRow, link subscription.NotedLink, next *DebitRow, retried, email bool) *message.Message {
	r, payBy := remedyOf(d.Cause), (d.RenewOn + subscription.GraceDays - 1).Human()
	out := &message.Message{Template: message.TemplateDebitFailed, Values: []string{amountFor(d.Amount, email), r.text}}
	switch {
	case retried && email:
		out.Template = message.TemplateDebitRetriedEmail
		out.Values = append(out.Values, subscription.DayOf(next.DebitAt).Human(), d.Cause.advice(true), payBy, link.Until.Human())
	case retried:
		out.Template = message.TemplateDebitRetried
		out.Values = append(out.Values, subscription.DayOf(next.DebitAt).Human(), link.Code)
	case email:
		out.Template = message.TemplateDebitFailedEmail
		out.Values = append(out.Values, payBy, d.Cause.advice(false), link.Until.Human())
	default:
		out.Values = append(out.Values, payBy, link.Code)
	}
	if email {
		out.Link = l.site + "/p/" + link.Code
	}
	return out
}

func amountFor(amount money.Paise, email bool) string {
	if email {
		return amount.Display()
	}
	return message.Rupees(amount.Display())
}

func told(ctx context.Context, tx *sqlx.Tx, c message.CustomerMessage) (*DebitRow, *Mandate, error) {
	d, err := one[DebitRow](ctx, tx, "debit", debitSQL, c.FranchiserID, c.About)
	if err != nil || d == nil {
		return nil, nil, err
	}
	m, err := store{}.mandate(ctx, tx, d.FranchiserID, d.MandateID)
	return d, &m, err
}

// instrument is what is debited, in words.
func (m Mandate) instrument() string {
	name := m.Method.words()
	if m.Masked != "" {
		name += " " + m.Masked
	}
	return message.Fit(name)
}

func (m Method) words() string {
	return map[Method]string{MethodUPI: "UPI", MethodCard: "card", MethodENACH: "bank account"}[m]
}
