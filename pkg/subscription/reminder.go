package subscription

import (
	"context"
	"strings"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// ended says that the reminder belongs to a paid plan whose term is over: it is in grace, or has expired.
func (r reminder) ended() bool { return !r.Trial && (r.Days < 0 || r.State == StateGrace) }

// Reminders sends the reminders that Remind has written; it lives in the worker, the only process that knows the provider.
type Reminders struct {
	service *Service
	outbox  *message.Outbox
}

// NewReminders returns them over a service whose pool sees every franchiser.
func NewReminders(s *Service, outbox *message.Outbox) *Reminders {
	return wiring.Complete(&Reminders{service: s, outbox: outbox})
}

// Send sends one reminder by SMS with the link to pay. What was renewed or ended meanwhile, or reminded of already, is
// left alone. At night it returns errs.RateLimited with the time until morning; otherwise it fails as message.Outbox.Send does.
func (m *Reminders) Send(ctx context.Context, reminderID string) error {
	if wait := untilDaytime(m.service.clock.Now()); wait > 0 {
		night := errs.New(errs.KindRateLimited, "night", "Reminders go out from nine in the morning to nine in the evening, by Indian time.")
		night.RetryAfter = wait
		return night
	}
	return m.outbox.Send(ctx, m, reminderID)
}

// Waiting fills message.Source.
func (m *Reminders) Waiting(ctx context.Context, reminderID string) (*message.Message, error) {
	s := m.service
	var r *reminder
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		var err error
		r, err = s.store.reminder(ctx, tx, reminderID, DayOf(s.clock.Now()))
		return err
	})
	if err != nil || r == nil {
		return nil, err
	}
	return s.textOf(ctx, *r)
}

// MarkSent fills message.Source.
func (m *Reminders) MarkSent(ctx context.Context, reminderID string) error {
	s := m.service
	return postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		return s.store.reminderSent(ctx, tx, reminderID, s.clock.Now())
	})
}

// MarkFailed fills message.Source; why a reminder did not go out stands with its job and its tries.
func (*Reminders) MarkFailed(context.Context, string, string) error { return nil }

// textOf says what the reminder tells; nil where nothing can be renewed any more.
func (s *Service) textOf(ctx context.Context, r reminder) (*message.Message, error) {
	if !r.ended() {
		m := s.reminderText(r)
		return &m, nil
	}
	bill, err := s.NextBill(ctx, r.FranchiserID)
	if err != nil || bill == nil {
		return nil, err
	}
	m := s.endedText(r, bill.Totals.Total.Display())
	return &m, nil
}

func (s *Service) reminderText(r reminder) message.Message {
	m := message.Message{
		ID: r.ID, Mobile: r.Mobile, Template: message.TemplateRenewalReminder,
		Values:    []string{message.Fit(r.PlanName), r.lastDay()},
		ExpiresAt: DayOf(s.clock.Now()).Start().Add(dayEnds), // it would wake people later
	}
	if r.Trial {
		m.Template, m.Values = message.TemplateTrialReminder, []string{r.lastDay()}
	}
	return m
}

// endedText says what is due until when, or that the plan is over; its dates are the last days included. The amount is
// written with Rs, because ₹ would make the message one of another alphabet, which costs twice as much.
func (s *Service) endedText(r reminder, due string) message.Message {
	due = "Rs " + strings.TrimPrefix(due, "₹")
	paid, last := r.lastDay(), (r.RenewOn + GraceDays + Day(r.GraceExtra) - 1).Human() //nolint:gosec // 20 at most
	m := message.Message{
		ID: r.ID, Mobile: r.Mobile, Template: message.TemplateGraceReminder,
		Values:    []string{message.Fit(r.PlanName), paid, due, last},
		ExpiresAt: DayOf(s.clock.Now()).Start().Add(dayEnds), // it would wake people later
	}
	if r.State == StateExpired {
		m.Template, m.Values = message.TemplatePlanExpired, []string{message.Fit(r.PlanName), last, due}
	}
	return m
}
