package subscription

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
)

// A reminder belongs to the nearest of its days that has come, so that one that no sweep saw is not sent on top of the
// next: yearly plans 30, 15, 7, 3 and 1 days before the last day and on it, monthly ones from 7 days on, trials 3 and 1.
// Below 0 a paid plan is in grace: it is reminded on the first day, the fourth and the last one, which staff may have put
// off, and once more when it expires. What expired the day before yesterday or earlier, or by a refund, is left alone.
const insertRemindersSQL = `
	WITH soon AS (
		SELECT s.id, s.franchiser_id, s.renew_on, min(coalesce(d.days, -7 - s.grace_extra)) AS days
		FROM subscriptions s
		JOIN (VALUES (30, 'yearly', false), (15, 'yearly', false), (7, 'yearly', false), (3, 'yearly', false),
			(1, 'yearly', false), (0, 'yearly', false), (7, 'monthly', false), (3, 'monthly', false), (1, 'monthly', false),
			(0, 'monthly', false), (3, 'monthly', true), (1, 'monthly', true), (-1, 'yearly', false), (-1, 'monthly', false),
			(-4, 'yearly', false), (-4, 'monthly', false), (NULL, 'yearly', false), (NULL, 'monthly', false)) d (days, plan_type, trial)
			ON d.plan_type = s.plan_type AND d.trial = s.trial
				AND s.renew_on - 1 - $1::date <= coalesce(d.days, -7 - s.grace_extra)
		WHERE s.renew_on BETWEEN $1::date - 26 AND $1::date + 31 AND s.paid_until = s.renew_on
			AND s.state IN ('trialing', 'active', 'grace')
			AND CASE WHEN s.trial THEN s.renew_on > $1::date ELSE s.renew_on + 7 + s.grace_extra > $1::date END
		GROUP BY s.id
		UNION ALL
		SELECT s.id, s.franchiser_id, s.renew_on, -8 - s.grace_extra
		FROM subscriptions s
		WHERE s.state = 'expired' AND s.expired_on BETWEEN $1::date - 1 AND $1::date AND NOT s.trial
			AND s.paid_until = s.renew_on AND s.expired_on = s.renew_on + 7 + s.grace_extra
	), missing AS (
		SELECT soon.id, soon.franchiser_id, soon.renew_on, soon.days FROM soon
		WHERE NOT EXISTS (SELECT FROM renewal_reminders r
			WHERE r.subscription_id = soon.id AND r.renew_on = soon.renew_on AND r.days = soon.days)
		LIMIT $3
	)
	INSERT INTO renewal_reminders (franchiser_id, subscription_id, renew_on, days, created_at)
	SELECT franchiser_id, id, renew_on, days, $2 FROM missing
	ON CONFLICT DO NOTHING
	RETURNING id, franchiser_id`

type dueReminder struct {
	ID           string `db:"id"`
	FranchiserID string `db:"franchiser_id"`
}

func (store) insertReminders(ctx context.Context, tx *sqlx.Tx, today Day, now time.Time, batch int) ([]dueReminder, error) {
	var due []dueReminder
	if err := tx.SelectContext(ctx, &due, insertRemindersSQL, today, now, batch); err != nil {
		return nil, fmt.Errorf("note reminders: %w", err)
	}
	return due, nil
}

const reminderSQL = `
	SELECT r.id, r.franchiser_id, f.mobile, p.name AS plan_name, r.renew_on, r.days, s.trial, s.state, s.grace_extra
	FROM renewal_reminders r
	JOIN subscriptions s ON s.id = r.subscription_id
	JOIN plans p ON p.id = s.plan_id
	JOIN franchisers f ON f.id = r.franchiser_id
	WHERE r.id = $1 AND r.sent_at IS NULL AND s.renew_on = r.renew_on AND s.paid_until = s.renew_on
		AND f.erased_at IS NULL AND CASE
			WHEN s.state = 'expired' THEN r.days = -8 - s.grace_extra AND NOT s.trial
			WHEN s.trial THEN s.state = 'trialing'
			ELSE s.state IN ('active', 'grace') AND r.days > -8 - s.grace_extra AND s.renew_on + 7 + s.grace_extra > $2::date END`

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
	err := tx.GetContext(ctx, &r, reminderSQL, reminderID, today)
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
