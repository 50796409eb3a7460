package subscription

import (
	"context"
	"strings"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// ended says that the reminder belongs to a paid plan whose term is over: it is in grace, or has expired.
func (r reminder) ended() bool { return !r.Trial && (r.Days < 0 || r.State == StateGrace) }

// Reminders sends the reminders that Remind has written; it lives in the worker, the only process that knows the provider.
type Reminders struct {
	service *Service
	sms     message.SMS
}

// NewReminders returns them over a service whose pool sees every franchiser.
func NewReminders(s *Service, sms message.SMS) *Reminders {
	return wiring.Complete(&Reminders{service: s, sms: sms})
}

// textOf words the reminder; nil where nothing can be renewed any more.
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
	return message.Site{URL: s.config.PublicURL}.Compose(m)
}
