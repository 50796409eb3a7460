package mandate

import (
	"context"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Letters returns the contents of the messages about debits; site is the site's URL without a trailing slash. An announcement is not sent
// after its debit was called off.
func Letters(keys secret.Keyring, site string) map[string]message.Letter {
	l := letters{keys: keys, site: site}
	announced := message.Letter{Write: func(ctx context.Context, tx *sqlx.Tx, c message.CustomerMessage) (*message.Message, error) {
		d, m, err := told(ctx, tx, c)
		if err != nil || d == nil || d.State != DebitPlanned && d.State != DebitNoticed {
			return nil, err
		}
		return &message.Message{Values: []string{c.Rupees(d.Amount), subscription.DayOf(d.DebitAt).In(c.Language), m.instrument(c.Language)}}, nil
	}}
	return map[string]message.Letter{
		message.TemplateDebitAnnounced: announced, message.TemplateDebitAnnouncedEmail: announced,
		message.TemplateDebitRetried: l.failed(), message.TemplateDebitRetriedEmail: l.failed(),
		message.TemplateDebitFailed: l.failed(), message.TemplateDebitFailedEmail: l.failed(),
		message.TemplateMandateActive: changed(confirmed), message.TemplateMandateActiveEmail: changed(confirmed),
		message.TemplateMandatePaused: changed(paused), message.TemplateMandatePausedEmail: changed(paused),
		message.TemplateMandateEnded: changed(ended), message.TemplateMandateEndedEmail: changed(ended),
		message.TemplateMandateRefused: changed(refused), message.TemplateMandateRefusedEmail: changed(refused),
	}
}

// changed is a message about an event of a mandate. It is not sent if values returns false.
func changed(values func(message.CustomerMessage, Event, Mandate) ([]string, bool)) message.Letter {
	return message.Letter{Write: func(ctx context.Context, tx *sqlx.Tx, c message.CustomerMessage) (*message.Message, error) {
		e, err := one[Event](ctx, tx, "event of a mandate", mandateEventSQL, c.FranchiserID, c.About)
		if err != nil || e == nil {
			return nil, err
		}
		m, err := store{}.mandate(ctx, tx, e.FranchiserID, e.MandateID)
		if err != nil {
			return nil, err
		}
		list, tell := values(c, *e, m)
		if !tell {
			return nil, nil
		}
		return &message.Message{Values: list}, nil
	}}
}

// confirmed says that automatic renewal is on, with the limit of a debit and the instrument.
func confirmed(c message.CustomerMessage, _ Event, m Mandate) ([]string, bool) {
	return []string{c.Rupees(m.Cap), m.instrument(c.Language)}, m.State == StateActive && m.StopAskedAt == nil
}

func paused(c message.CustomerMessage, _ Event, m Mandate) ([]string, bool) {
	return []string{m.instrument(c.Language)}, m.State == StatePaused && m.StopAskedAt == nil
}

func ended(c message.CustomerMessage, e Event, m Mandate) ([]string, bool) {
	return []string{subscription.DayOf(e.At).In(c.Language), m.instrument(c.Language)}, true
}

// refused says that the next bill is not debited, and why. It is not sent after another mandate replaced this one.
func refused(c message.CustomerMessage, e Event, m Mandate) ([]string, bool) {
	if e.Amount == nil || e.RenewOn == nil {
		return nil, false
	}
	return []string{c.Rupees(*e.Amount), (*e.RenewOn - 1).In(c.Language), c.Language.Say(e.Cause.Text())}, m.CanStop()
}

type letters struct {
	keys secret.Keyring
	site string
}

// failed says why a debit failed, what to do, the day of the next attempt if there is one, and where to pay without a log-in. It is not
// sent after the renewal was paid.
func (l letters) failed() message.Letter {
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
		return l.compose(c, *d, *link, next, retried), nil
	}}
}

func (l letters) compose(c message.CustomerMessage, d DebitRow, link subscription.NotedLink, next *DebitRow, retried bool) *message.Message {
	in, email := c.Language, message.IsEmail(c.Template)
	r, payBy := remedyOf(d.Cause), (d.RenewOn + subscription.GraceDays - 1).In(in)
	out := &message.Message{Template: message.TemplateDebitFailed, Values: []string{c.Rupees(d.Amount), in.Say(r.text)}}
	switch {
	case retried && email:
		out.Template = message.TemplateDebitRetriedEmail
		out.Values = append(out.Values, subscription.DayOf(next.DebitAt).In(in), in.Say(d.Cause.Advice(true)), payBy, link.Until.In(in))
	case retried:
		out.Template = message.TemplateDebitRetried
		out.Values = append(out.Values, subscription.DayOf(next.DebitAt).In(in), link.Code)
	case email:
		out.Template = message.TemplateDebitFailedEmail
		out.Values = append(out.Values, payBy, in.Say(d.Cause.Advice(false)), link.Until.In(in))
	default:
		out.Values = append(out.Values, payBy, link.Code)
	}
	if email {
		out.Link = l.site + in.Base() + "/p/" + link.Code
	}
	return out
}

func told(ctx context.Context, tx *sqlx.Tx, c message.CustomerMessage) (*DebitRow, *Mandate, error) {
	d, err := one[DebitRow](ctx, tx, "debit", debitSQL, c.FranchiserID, c.About)
	if err != nil || d == nil {
		return nil, nil, err
	}
	m, err := store{}.mandate(ctx, tx, d.FranchiserID, d.MandateID)
	return d, &m, err
}

// instrument names the debited instrument.
func (m Mandate) instrument(l i18n.Language) string {
	name := l.Say(m.Method.words())
	if m.Masked != "" {
		name += " " + m.Masked
	}
	return message.Fit(name)
}

func (m Method) words() string {
	return map[Method]string{MethodUPI: i18n.Mark("UPI"), MethodCard: i18n.Mark("card"), MethodENACH: i18n.Mark("bank account")}[m]
}
