package support

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/staff/approval"
	"github.com/franchise360/franchise360/pkg/subscription"
)

const (
	actSQL = `
	SELECT ` + approval.ColumnsSQL + `, r.kind, coalesce(r.franchiser_ref::text, '') AS franchiser_ref, r.subject, r.content, r.facts,
		r.progress, r.handled, r.outcome
	FROM staff_acts r` + approval.NamesSQL
	actsSQL = actSQL + `
	WHERE ($1 = '' OR r.state = $1) AND ($2 = '' OR r.franchiser_ref = nullif($2, '')::uuid)
	ORDER BY r.requested_at DESC, r.id DESC LIMIT $3 OFFSET $4`
	countActsSQL = `
	SELECT count(*) FROM (SELECT FROM staff_acts a
		WHERE ($1 = '' OR a.state = $1) AND ($2 = '' OR a.franchiser_ref = nullif($2, '')::uuid) LIMIT 1000) capped`
	openActsSQL = `
	SELECT a.id, a.kind, a.state, a.amount_paise, r.name AS requested_by,
		coalesce(a.content ->> 'payment_id', '') AS payment_id, coalesce(a.content ->> 'invoice_id', '') AS invoice_id,
		CASE WHEN a.content ?| ARRAY['payment_id', 'invoice_id'] THEN coalesce(a.facts -> 0 ->> 'value', '') ELSE '' END AS about
	FROM staff_acts a JOIN staff_overview r ON r.id = a.requested_by
	WHERE a.franchiser_ref = $1 AND a.state IN ('waiting', 'approved') ORDER BY a.requested_at, a.id`
	lockActKeySQL = `SELECT pg_advisory_xact_lock(hashtextextended('act ' || $1 || ' ' || $2, 0))`
	insertActSQL  = `
	INSERT INTO staff_acts (id, kind, franchiser_ref, subject, content, facts, amount_paise, reason, state, needs_approval, key,
		requested_by, requested_at)
	VALUES ($1, $2, nullif($3, '')::uuid, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`
	decideActSQL = `
	UPDATE staff_acts SET state = $2, decided_by = nullif($3, '')::uuid, decided_at = $4, decision_reason = $5 WHERE id = $1`
	scheduleActSQL = `UPDATE staff_acts SET state = $2, outcome = $3 WHERE id = $1`
	stopActSQL     = `UPDATE staff_acts SET state = $2, outcome = $3, finished_at = $4 WHERE id = $1`
	progressActSQL = `UPDATE staff_acts SET progress = $2, handled = $3 WHERE id = $1`
	finishActSQL   = `
	UPDATE staff_acts SET state = $2, outcome = $3, finished_at = $4, progress = $5, handled = $6 WHERE id = $1`
)

func lockActKeyTx(ctx context.Context, tx *sqlx.Tx, staffID, key string) error {
	if _, err := tx.ExecContext(ctx, lockActKeySQL, staffID, key); err != nil {
		return fmt.Errorf("lock the key of an act: %w", err)
	}
	return nil
}

// actByKeyTx returns the staff member's act with the key, or nil.
func actByKeyTx(ctx context.Context, tx *sqlx.Tx, staffID, key string) (*Act, error) {
	var a Act
	err := tx.GetContext(ctx, &a, actSQL+` WHERE r.requested_by = $1 AND r.key = $2`, staffID, key)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil //nolint:nilnil // no earlier request
	}
	if err != nil {
		return nil, fmt.Errorf("find act: %w", err)
	}
	return &a, nil
}

// lockedActTx returns and locks an act, or returns errs.NotFound.
func lockedActTx(ctx context.Context, tx *sqlx.Tx, actID string) (Act, error) {
	return oneActTx(ctx, tx, actSQL+` WHERE r.id = $1 FOR NO KEY UPDATE OF r`, actID)
}

func readActTx(ctx context.Context, tx *sqlx.Tx, actID string) (Act, error) {
	return oneActTx(ctx, tx, actSQL+` WHERE r.id = $1`, actID)
}

func oneActTx(ctx context.Context, tx *sqlx.Tx, query, actID string) (Act, error) {
	var a Act
	err := tx.GetContext(ctx, &a, query, actID)
	if errors.Is(err, sql.ErrNoRows) {
		return Act{}, errs.NotFound()
	}
	if err != nil {
		return Act{}, fmt.Errorf("read act: %w", err)
	}
	return a, nil
}

func actsTx(ctx context.Context, tx *sqlx.Tx, state approval.State, franchiserID string, limit, offset int) ([]Act, int, error) {
	var total int
	if err := tx.GetContext(ctx, &total, countActsSQL, string(state), franchiserID); err != nil {
		return nil, 0, fmt.Errorf("count acts: %w", err)
	}
	list := []Act{}
	if err := tx.SelectContext(ctx, &list, actsSQL, string(state), franchiserID, limit, offset); err != nil {
		return nil, 0, fmt.Errorf("list acts: %w", err)
	}
	return list, total, nil
}

// openActsTx lists the unfinished acts on the customer, oldest first, without scheduled ones.
func openActsTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) ([]OpenAct, error) {
	list := []OpenAct{}
	if err := tx.SelectContext(ctx, &list, openActsSQL, franchiserID); err != nil {
		return nil, fmt.Errorf("list open acts: %w", err)
	}
	return list, nil
}

// insertActTx stores an act; ErrActOpen while another one on the same subject is unfinished.
func insertActTx(ctx context.Context, tx *sqlx.Tx, a Act) error {
	content, err := json.Marshal(a.Content)
	if err != nil {
		return fmt.Errorf("write act: %w", err)
	}
	facts, err := json.Marshal(a.Facts)
	if err != nil {
		return fmt.Errorf("write facts of act: %w", err)
	}
	_, err = tx.ExecContext(ctx, insertActSQL, a.ID, string(a.Kind), a.FranchiserID, a.Subject, string(content), string(facts), a.Amount,
		a.Reason, string(a.State), a.NeedsApproval, a.Key, a.RequestedBy, a.RequestedAt)
	if postgres.Violates(err, postgres.UniqueViolation, "staff_acts_one_open") {
		return ErrActOpen.Because(err)
	}
	if err != nil {
		return fmt.Errorf("insert act: %w", err)
	}
	return nil
}

func progressActTx(ctx context.Context, tx *sqlx.Tx, actID, progress string, handled int) error {
	if _, err := tx.ExecContext(ctx, progressActSQL, actID, progress, handled); err != nil {
		return fmt.Errorf("note the progress of an act: %w", err)
	}
	return nil
}

func scheduleActTx(ctx context.Context, tx *sqlx.Tx, a Act, outcome string) error {
	if _, err := tx.ExecContext(ctx, scheduleActSQL, a.ID, string(a.State), outcome); err != nil {
		return fmt.Errorf("schedule act: %w", err)
	}
	return nil
}

func stopActTx(ctx context.Context, tx *sqlx.Tx, a Act) error {
	if _, err := tx.ExecContext(ctx, stopActSQL, a.ID, string(a.State), a.Outcome, a.FinishedAt); err != nil {
		return fmt.Errorf("stop act: %w", err)
	}
	return nil
}

func finishActTx(ctx context.Context, tx *sqlx.Tx, a Act, s step, now time.Time) error {
	_, err := tx.ExecContext(ctx, finishActSQL, a.ID, string(a.State), s.Outcome, now, s.Progress, s.Handled)
	if err != nil {
		return fmt.Errorf("finish act: %w", err)
	}
	return nil
}

func savepointTx(ctx context.Context, tx *sqlx.Tx, statement string) error {
	if _, err := tx.ExecContext(ctx, statement); err != nil {
		return fmt.Errorf("set a savepoint: %w", err)
	}
	return nil
}

// AloneTx returns what acts of the member of staff have moved on the day in India without a second person, in paise. Both processes may
// call it.
func AloneTx(ctx context.Context, tx *sqlx.Tx, staffID string, day subscription.Day) (money.Paise, error) {
	var sum money.Paise
	if err := tx.GetContext(ctx, &sum, `SELECT alone_in_acts($1, $2, $3)`, staffID, day.Start(), (day + 1).Start()); err != nil {
		return 0, fmt.Errorf("sum what was done alone: %w", err)
	}
	return sum, nil
}
