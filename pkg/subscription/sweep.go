package subscription

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// batch is how many rows one transaction of a sweep takes.
const batch = 5000

// Advance brings every subscription up to today, even after days without a sweep. It returns the number of steps.
func (s *Service) Advance(ctx context.Context) (int, error) {
	return s.sweep(ctx, func(tx *sqlx.Tx) (int, error) {
		now := s.clock.Now()
		return s.store.advance(ctx, tx, DayOf(now), now, batch)
	})
}

// EndAddOns ends every cancelled add-on after its paid time, and returns their number.
func (s *Service) EndAddOns(ctx context.Context) (int, error) {
	return s.sweep(ctx, func(tx *sqlx.Tx) (int, error) {
		return s.store.endAddOns(ctx, tx, DayOf(s.clock.Now()), batch)
	})
}

// sweep repeats step, one transaction per batch, until only rows locked by others remain.
func (s *Service) sweep(ctx context.Context, step func(tx *sqlx.Tx) (int, error)) (int, error) {
	total := 0
	for {
		var n int
		err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
			var err error
			n, err = step(tx)
			return err
		})
		if err != nil || n == 0 {
			return total, err
		}
		total += n
	}
}

// remindBatch is the number of reminders per transaction; each has a message by SMS and one by e-mail, with their jobs.
const remindBatch = 1000

// Remind creates every reminder due today, once, with its messages, and returns their number.
func (s *Service) Remind(ctx context.Context) (int, error) {
	return s.sweep(ctx, func(tx *sqlx.Tx) (int, error) {
		now := s.clock.Now()
		due, err := s.store.insertReminders(ctx, tx, DayOf(now), now, remindBatch)
		if err != nil {
			return 0, err
		}
		for _, r := range due {
			if err := s.announceTx(ctx, tx, r, message.TemplateRenewalReminder, message.TemplateRenewalEmail); err != nil {
				return 0, err
			}
		}
		return len(due), nil
	})
}

// announceTx enqueues the reminder's message for each template, once each.
func (s *Service) announceTx(ctx context.Context, tx *sqlx.Tx, r dueReminder, templates ...string) error {
	now := s.clock.Now()
	for _, template := range templates {
		m := message.CustomerMessage{
			FranchiserID: r.FranchiserID, Template: template, About: r.ID, CreatedAt: now, Delay: untilDaytime(now),
		}
		if err := s.messages.OnceTx(ctx, tx, m); err != nil {
			return err
		}
	}
	return nil
}

// Messages that are not urgent are sent from 09:00 to 21:00 Indian time: outside these hours TRAI allows no commercial communication
// (Telecom Commercial Communications Customer Preference Regulations). A reminder with a pay link counts as commercial here, whatever its
// template is registered as.
const (
	dayBegins = 9 * time.Hour
	dayEnds   = 21 * time.Hour
)

// untilDaytime returns how long to wait from now before a message may be sent, 0 for immediately.
func untilDaytime(now time.Time) time.Duration {
	begin := DayOf(now).Start()
	switch since := now.Sub(begin); {
	case since < dayBegins:
		return dayBegins - since
	case since >= dayEnds:
		return (DayOf(now) + 1).Start().Add(dayBegins).Sub(now)
	default:
		return 0
	}
}
