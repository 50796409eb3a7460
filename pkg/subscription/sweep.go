package subscription

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// batch is how many rows one transaction of a sweep takes.
const batch = 5000

// Advance moves every subscription to where it belongs today, however many days no sweep has run. It returns how many
// steps that took.
func (s *Service) Advance(ctx context.Context) (int, error) {
	return s.sweep(ctx, func(tx *sqlx.Tx) (int, error) {
		now := s.clock.Now()
		return s.store.advance(ctx, tx, DayOf(now), now, batch)
	})
}

// EndAddOns ends every cancelled add-on whose paid time is over, and returns how many.
func (s *Service) EndAddOns(ctx context.Context) (int, error) {
	return s.sweep(ctx, func(tx *sqlx.Tx) (int, error) {
		return s.store.endAddOns(ctx, tx, DayOf(s.clock.Now()), batch)
	})
}

// sweep repeats a batch, a transaction each, until nothing is left that nobody else holds.
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

// Remind notes every reminder that is due today, once, with the job that sends it, and returns how many.
func (s *Service) Remind(ctx context.Context) (int, error) {
	return s.sweep(ctx, func(tx *sqlx.Tx) (int, error) {
		now := s.clock.Now()
		due, err := s.store.insertReminders(ctx, tx, DayOf(now), now, batch)
		if err != nil {
			return 0, err
		}
		for _, r := range due {
			_, err := s.jobs.InsertTx(ctx, tx, SendReminderArgs{ReminderID: r.ID}, queue.Options{
				Subject: queue.Subject{FranchiserID: r.FranchiserID}, MaxAttempts: 8, Delay: untilDaytime(now),
			})
			if err != nil {
				return 0, err
			}
		}
		return len(due), nil
	})
}

// Messages that nobody waits for are sent from nine in the morning to nine in the evening, by Indian time: outside that
// band TRAI allows no commercial communication (Telecom Commercial Communications Customer Preference Regulations). A
// reminder with a link to pay is read as one here, whatever its template is registered as.
const (
	dayBegins = 9 * time.Hour
	dayEnds   = 21 * time.Hour
)

// untilDaytime is how long after now a message may be sent, 0 for at once.
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
