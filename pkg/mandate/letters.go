package mandate

import (
	"context"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Letters returns the contents of the messages about debits. What is announced is not told any more once it was called off.
func Letters() map[string]message.Letter {
	announced := func(email bool) message.Letter {
		return message.Letter{Write: func(ctx context.Context, tx *sqlx.Tx, c message.CustomerMessage) (*message.Message, error) {
			d, m, err := told(ctx, tx, c)
			if err != nil || d == nil || d.State != DebitPlanned && d.State != DebitNoticed {
				return nil, err
			}
			return &message.Message{Values: []string{amountFor(*d, email), subscription.DayOf(d.DebitAt).Human(), m.instrument()}}, nil
		}}
	}
	failed := func(email bool) message.Letter {
		return message.Letter{Write: func(ctx context.Context, tx *sqlx.Tx, c message.CustomerMessage) (*message.Message, error) {
			d, m, err := told(ctx, tx, c)
			if err != nil || d == nil || d.State != DebitFailed {
				return nil, err
			}
			next, err := store{}.live(ctx, tx, *m)
			if err != nil {
				return nil, err
			}
			values := []string{amountFor(*d, email), remedyOf(d.Cause).text, "none"}
			if next != nil && next.RenewOn == d.RenewOn {
				values[2] = subscription.DayOf(next.DebitAt).Human()
			}
			if email {
				values = append(values, remedyOf(d.Cause).advice)
			}
			return &message.Message{Values: values}, nil
		}}
	}
	return map[string]message.Letter{
		message.TemplateDebitAnnounced: announced(false), message.TemplateDebitAnnouncedEmail: announced(true),
		message.TemplateDebitFailed: failed(false), message.TemplateDebitFailedEmail: failed(true),
	}
}

func amountFor(d DebitRow, email bool) string {
	if email {
		return d.Amount.Display()
	}
	return message.Rupees(d.Amount.Display())
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
	name := map[Method]string{MethodUPI: "UPI", MethodCard: "card", MethodENACH: "bank account"}[m.Method]
	if m.Masked != "" {
		name += " " + m.Masked
	}
	return message.Fit(name)
}
