package subscription

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

// due_reminders decides which reminders are due, both here and in the preview of the job.
const insertRemindersSQL = `
	INSERT INTO renewal_reminders (franchiser_id, subscription_id, renew_on, days, created_at)
	SELECT franchiser_id, subscription_id, renew_on, days_before, $2 FROM due_reminders($1, $4, $5, $6) LIMIT $3
	ON CONFLICT DO NOTHING
	RETURNING id, franchiser_id`

const notePayLinkSQL = `
	INSERT INTO renewal_reminders (franchiser_id, subscription_id, renew_on, days, created_at) VALUES ($1, $2, $3, $4, $5)
	ON CONFLICT DO NOTHING`

// NotePayLinkTx records that another domain's message asks for a renewal's payment today, in place of the day's reminder. That message
// uses the link of PayLinkTx.
func NotePayLinkTx(ctx context.Context, tx *sqlx.Tx, franchiserID, subscriptionID string, renewOn Day, now time.Time) error {
	if _, err := tx.ExecContext(ctx, notePayLinkSQL, franchiserID, subscriptionID, renewOn, int(renewOn-1-DayOf(now)), now); err != nil {
		return fmt.Errorf("note a pay-link: %w", err)
	}
	return nil
}

// NotedLink is the code of a message's link, and the last day on which it works.
type NotedLink struct {
	Code  string
	Until Day
}

const notedLinkSQL = `
	SELECT r.id, r.created_at FROM renewal_reminders r JOIN subscriptions s ON s.id = r.subscription_id
	WHERE r.franchiser_id = $1 AND r.subscription_id = $2 AND r.renew_on = $3 AND r.days = $4 AND s.renew_on = r.renew_on AND s.paid_until = s.renew_on`

// PayLinkTx returns the link recorded on a day. It is nil without one, and after the renewal was paid or replaced.
func PayLinkTx(ctx context.Context, tx *sqlx.Tx, keys secret.Keyring, franchiserID, subscriptionID string, renewOn, on Day) (*NotedLink, error) {
	var r struct {
		ID        string    `db:"id"`
		CreatedAt time.Time `db:"created_at"`
	}
	err := tx.GetContext(ctx, &r, notedLinkSQL, franchiserID, subscriptionID, renewOn, int(renewOn-1-on))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read a pay-link: %w", err)
	}
	code, err := payLinkCode(keys, r.ID)
	return &NotedLink{Code: code, Until: DayOf(PayLink{CreatedAt: r.CreatedAt}.Until())}, err
}

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

// A later reminder of the same term makes an earlier one unnecessary. Later reminders have greater ids. The number of days is no proof,
// because a wrong clock may have created a reminder early.
const reminderSQL = `
	SELECT r.id, r.franchiser_id, f.mobile, p.name AS plan_name, r.renew_on, r.days, r.created_at, s.trial, s.state, s.grace_extra
	FROM renewal_reminders r
	JOIN subscriptions s ON s.id = r.subscription_id
	JOIN plan_overview p ON p.id = s.plan_id
	JOIN person_overview f ON f.franchiser_id = r.franchiser_id
	WHERE r.id = $1 AND s.renew_on = r.renew_on AND s.paid_until = s.renew_on
		AND f.erased_at IS NULL AND f.erasure_requested_at IS NULL AND CASE
			WHEN s.state = 'expired' THEN r.days = CASE WHEN s.trial THEN 0 ELSE -$3::int - s.grace_extra END - 1
			WHEN s.trial THEN s.state = 'trialing'
			ELSE s.state IN ('active', 'grace') AND r.days >= -$3::int - s.grace_extra AND s.renew_on + $3::int + s.grace_extra > $2::date END
		AND NOT EXISTS (SELECT FROM renewal_reminders later WHERE later.subscription_id = r.subscription_id
			AND later.renew_on = r.renew_on AND later.days < r.days AND later.id > r.id)
		AND (s.state = 'expired' OR NOT renews_by_debit(r.subscription_id, r.renew_on, $2::date))`

// reminder is a pending reminder; RenewOn is the first day after the term.
type reminder struct {
	ID           string `db:"id"`
	FranchiserID string `db:"franchiser_id"`
	Mobile       string `db:"mobile"`
	PlanName     string `db:"plan_name"`
	RenewOn      Day    `db:"renew_on"`
	// Days is the number of days before the last day of the term, negative for days of grace and for the expiry.
	Days       int       `db:"days"`
	Trial      bool      `db:"trial"`
	State      State     `db:"state"`
	GraceExtra int       `db:"grace_extra"`
	CreatedAt  time.Time `db:"created_at"`
}

func (r reminder) lastDay(l i18n.Language) string { return (r.RenewOn - 1).In(l) }

// reminder returns the reminder to send today, or nil if it is no longer needed.
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
