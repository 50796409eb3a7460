package subscription

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
)

// Which reminders are due is said by due_reminders, for this and for the preview of the job alike.
const insertRemindersSQL = `
	INSERT INTO renewal_reminders (franchiser_id, subscription_id, renew_on, days, created_at)
	SELECT franchiser_id, subscription_id, renew_on, days_before, $2 FROM due_reminders($1, $4, $5, $6) LIMIT $3
	ON CONFLICT DO NOTHING
	RETURNING id, franchiser_id`

type dueReminder struct {
	ID           string `db:"id"`
	FranchiserID string `db:"franchiser_id"`
}

func (store) insertReminders(ctx context.Context, tx *sqlx.Tx, today Day, now time.Time, batch int) ([]dueReminder, error) {
	var due []dueReminder
	if err := tx.SelectContext(ctx, &due, insertRemindersSQL, append([]any{today, now, batch}, reminderArgs()...)...); err != nil {
		return nil, fmt.Errorf("note reminders: %w", err)
	}
	return due, nil
}

const reminderSQL = `
	SELECT r.id, r.franchiser_id, f.mobile, p.name AS plan_name, r.renew_on, r.days, s.trial, s.state, s.grace_extra
	FROM renewal_reminders r
	JOIN subscriptions s ON s.id = r.subscription_id
	JOIN plan_overview p ON p.id = s.plan_id
	JOIN person_overview f ON f.franchiser_id = r.franchiser_id
	WHERE r.id = $1 AND r.sent_at IS NULL AND s.renew_on = r.renew_on AND s.paid_until = s.renew_on
		AND f.erased_at IS NULL AND CASE
			WHEN s.state = 'expired' THEN r.days = -$3::int - s.grace_extra - 1 AND NOT s.trial
			WHEN s.trial THEN s.state = 'trialing'
			ELSE s.state IN ('active', 'grace') AND r.days >= -$3::int - s.grace_extra AND s.renew_on + $3::int + s.grace_extra > $2::date END`

// reminder is one that waits; RenewOn is the first day after the term.
type reminder struct {
	ID           string `db:"id"`
	FranchiserID string `db:"franchiser_id"`
	Mobile       string `db:"mobile"`
	PlanName     string `db:"plan_name"`
	RenewOn      Day    `db:"renew_on"`
	// Days is how many before the last day of the term it belongs to, below 0 for days of grace and for the expiry.
	Days       int   `db:"days"`
	Trial      bool  `db:"trial"`
	State      State `db:"state"`
	GraceExtra int   `db:"grace_extra"`
}

func (r reminder) lastDay() string { return (r.RenewOn - 1).Human() }

// reminder reads what is still to be sent today, nil where there is no need any more.
func (store) reminder(ctx context.Context, tx *sqlx.Tx, reminderID string, today Day) (*reminder, error) {
	var r reminder
	err := tx.GetContext(ctx, &r, reminderSQL, reminderID, today, GraceDays)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil // nothing to send
	}
	if err != nil {
		return nil, fmt.Errorf("read reminder: %w", err)
	}
	return &r, nil
}

const reminderSentSQL = `UPDATE renewal_reminders SET sent_at = $2 WHERE id = $1`

func (store) reminderSent(ctx context.Context, tx *sqlx.Tx, reminderID string, now time.Time) error {
	if _, err := tx.ExecContext(ctx, reminderSentSQL, reminderID, now); err != nil {
		return fmt.Errorf("mark reminder sent: %w", err)
	}
	return nil
}
