package alert

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/text"
	"github.com/franchise360/franchise360/pkg/staff"
)

const lockAlertsSQL = `SELECT pg_advisory_xact_lock(hashtextextended('alerts', 0))`

// A new alert takes over the silence of the one before it of the same subject, while that lasts.
const openSQL = `
INSERT INTO alerts (id, rule, subject, severity, message, opened_at, seen_at, size, parts, silenced_until, silenced_by, silence_reason)
SELECT $1, $2, $3, $4, $5, $6, $6, $7, $8, s.silenced_until, s.silenced_by, coalesce(s.silence_reason, '')
FROM (SELECT) one LEFT JOIN LATERAL (SELECT silenced_until, silenced_by, silence_reason FROM (
    SELECT silenced_until, silenced_by, silence_reason FROM alerts WHERE rule = $2 AND subject = $3 ORDER BY opened_at DESC, id DESC LIMIT 1) last WHERE silenced_until > $6) s ON true
ON CONFLICT (rule, subject) WHERE resolved_at IS NULL DO NOTHING`

const seenSQL = `UPDATE alerts SET seen_at = $4, message = $3, severity = $5, size = $6, parts = $7 WHERE rule = $1 AND subject = $2 AND resolved_at IS NULL`

// openTx opens the alert of a finding and returns its id, empty if it is open already; then it notes that it lasts.
func openTx(ctx context.Context, tx *sqlx.Tx, alertID string, f Finding, now time.Time) (string, error) {
	f.Subject, f.Message = text.First(f.Subject, 200), text.First(f.Message, 600)
	done, err := tx.ExecContext(ctx, openSQL, alertID, f.Rule, f.Subject, f.Severity, f.Message, now, f.Size, partsOf(f))
	if err != nil {
		return "", fmt.Errorf("open alert: %w", err)
	}
	if n, err := done.RowsAffected(); err != nil || n == 1 {
		return alertID, err
	}
	if _, err := tx.ExecContext(ctx, seenSQL, f.Rule, f.Subject, f.Message, now, f.Severity, f.Size, partsOf(f)); err != nil {
		return "", fmt.Errorf("note that an alert lasts: %w", err)
	}
	return "", nil
}

// partsOf returns the parts as an array of the database, never NULL.
func partsOf(f Finding) pq.StringArray { return append(pq.StringArray{}, f.Parts...) }

const joinSQL = `UPDATE alerts SET resolved_at = $3 WHERE rule = $1 AND subject = $2 AND resolved_at IS NULL RETURNING id`

// joinTx ends the alert of a finding that became a part of another one, without a message: the cause has a separate alert.
func joinTx(ctx context.Context, tx *sqlx.Tx, f Finding, now time.Time) error {
	var ids []string
	if err := tx.SelectContext(ctx, &ids, joinSQL, f.Rule, text.First(f.Subject, 200), now); err != nil {
		return fmt.Errorf("end an alert that is part of another one: %w", err)
	}
	for _, alertID := range ids {
		if err := noteTx(ctx, tx, alertID, eventResolved, "", "Part of "+f.PartOf+".", now); err != nil {
			return err
		}
	}
	return nil
}

const insertPastSQL = `
INSERT INTO alerts (id, rule, subject, severity, message, opened_at, seen_at, resolved_at, told) VALUES ($1, $2, $3, $4, $5, $6, $7, $7, true)`

// insertPastTx adds a resolved alert, marked as sent.
func insertPastTx(ctx context.Context, tx *sqlx.Tx, alertID string, f Finding, opened, resolved time.Time) error {
	_, err := tx.ExecContext(ctx, insertPastSQL, alertID, f.Rule, f.Subject, f.Severity, text.First(f.Message, 600), opened, resolved)
	if err != nil {
		return fmt.Errorf("insert an alert that is over: %w", err)
	}
	return nil
}

const columns = `a.id, a.rule, a.subject, a.severity, a.message, a.opened_at, a.seen_at, a.resolved_at, a.told, a.acknowledged_at, a.silenced_until, a.silence_reason`

const resolveSQL = `
UPDATE alerts a SET resolved_at = $2 WHERE a.resolved_at IS NULL AND a.rule = ANY ($1) AND a.seen_at <= $3 RETURNING ` + columns

// resolveTx resolves the alerts that these rules have not found for a while.
func resolveTx(ctx context.Context, tx *sqlx.Tx, rules []string, now time.Time) ([]Alert, error) {
	var gone []Alert
	if err := tx.SelectContext(ctx, &gone, resolveSQL, pq.Array(rules), now, now.Add(-resolveAfter)); err != nil {
		return nil, fmt.Errorf("resolve alerts: %w", err)
	}
	return gone, nil
}

const untoldSQL = `
UPDATE alerts SET told = true, told_severity = severity, told_size = size, told_parts = parts
WHERE resolved_at IS NULL AND NOT told AND (silenced_until IS NULL OR silenced_until <= $1) RETURNING id`

// untoldTx returns the open alerts that were not sent yet, and marks them as sent.
func untoldTx(ctx context.Context, tx *sqlx.Tx, now time.Time) (ids []string, err error) {
	if err := tx.SelectContext(ctx, &ids, untoldSQL, now); err != nil {
		return nil, fmt.Errorf("find alerts to tell: %w", err)
	}
	return ids, nil
}

// A part that was sent once is not sent again when it returns, so that flapping causes one message.
const grownSQL = `
UPDATE alerts a SET told_severity = severity, told_size = greatest(size, told_size), told_parts = ARRAY(SELECT unnest(told_parts) UNION SELECT unnest(parts))
WHERE resolved_at IS NULL AND told AND (silenced_until IS NULL OR silenced_until <= $1)
    AND (severity = 'critical' AND told_severity = 'warning' OR told_size > 0 AND size >= told_size * 10 OR NOT parts <@ told_parts)
RETURNING ` + columns

// grownTx returns the open alerts that are worse than their last message, and marks them as sent.
func grownTx(ctx context.Context, tx *sqlx.Tx, now time.Time) (list []Alert, err error) {
	if err := tx.SelectContext(ctx, &list, grownSQL, now); err != nil {
		return nil, fmt.Errorf("find alerts that grew: %w", err)
	}
	return list, nil
}

const noteSQL = `INSERT INTO alert_events (id, alert_id, kind, at, by_staff, detail) VALUES ($1, $2, $3, $4, nullif($5, '')::uuid, $6)`

func noteTx(ctx context.Context, tx *sqlx.Tx, alertID, kind, staffID, detail string, now time.Time) error {
	if _, err := tx.ExecContext(ctx, noteSQL, id.New(), alertID, kind, now, staffID, text.First(detail, 600)); err != nil {
		return fmt.Errorf("note event of alert: %w", err)
	}
	return nil
}

const insertDeliverySQL = `
INSERT INTO alert_deliveries (id, alert_id, what, channel, created_at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (alert_id, what, channel) WHERE what <> 'grown' DO NOTHING`

func insertDeliveryTx(ctx context.Context, tx *sqlx.Tx, deliveryID, alertID, what, channel string, now time.Time) (bool, error) {
	done, err := tx.ExecContext(ctx, insertDeliverySQL, deliveryID, alertID, what, channel, now)
	if err != nil {
		return false, fmt.Errorf("insert delivery of alert: %w", err)
	}
	n, err := done.RowsAffected()
	return n == 1, err
}

func named() string {
	return columns + `, coalesce(` + staff.NameSQL("a.acknowledged_by") + `, '') AS acknowledged_by, coalesce(` + staff.NameSQL("a.silenced_by") + `, '') AS silenced_by`
}

func openAlertsTx(ctx context.Context, tx *sqlx.Tx) ([]Alert, error) {
	list := []Alert{}
	err := tx.SelectContext(ctx, &list, `SELECT `+named()+` FROM alerts a WHERE a.resolved_at IS NULL
		ORDER BY a.severity = 'warning', a.opened_at, a.id LIMIT 200`)
	if err != nil {
		return nil, fmt.Errorf("list open alerts: %w", err)
	}
	return inUTC(list), nil
}

func inUTC(list []Alert) []Alert {
	for i := range list {
		a := &list[i]
		a.OpenedAt, a.SeenAt = a.OpenedAt.UTC(), a.SeenAt.UTC()
		for _, at := range []*time.Time{a.ResolvedAt, a.AcknowledgedAt, a.SilencedUntil} {
			if at != nil {
				*at = at.UTC()
			}
		}
	}
	return list
}

const maxPast = 100

func pastTx(ctx context.Context, tx *sqlx.Tx) ([]Past, error) {
	var list []Alert
	if err := tx.SelectContext(ctx, &list, `SELECT `+named()+` FROM alerts a ORDER BY a.opened_at DESC, a.id DESC LIMIT $1`, maxPast); err != nil {
		return nil, fmt.Errorf("list alerts: %w", err)
	}
	ids, at := make([]string, 0, len(list)), map[string]int{}
	past := make([]Past, 0, len(list))
	for i, a := range inUTC(list) {
		ids, at[a.ID] = append(ids, a.ID), i
		past = append(past, Past{Alert: a, Events: []Event{}})
	}
	var events []Event
	err := tx.SelectContext(ctx, &events, `SELECT e.alert_id, e.kind, e.at, e.detail, coalesce(`+staff.NameSQL("e.by_staff")+`, '') AS by_name
		FROM alert_events e WHERE e.alert_id = ANY ($1) ORDER BY e.at, e.id`, pq.Array(ids))
	if err != nil {
		return nil, fmt.Errorf("list events of alerts: %w", err)
	}
	for _, e := range events {
		e.At = e.At.UTC()
		past[at[e.AlertID]].Events = append(past[at[e.AlertID]].Events, e)
	}
	return past, nil
}

func lockAlertTx(ctx context.Context, tx *sqlx.Tx, alertID string) (Alert, error) {
	var a Alert
	err := tx.GetContext(ctx, &a, `SELECT `+named()+` FROM alerts a WHERE a.id = $1 FOR UPDATE OF a`, alertID)
	if errors.Is(err, sql.ErrNoRows) {
		return a, errs.NotFound()
	}
	if err != nil {
		return a, fmt.Errorf("read alert: %w", err)
	}
	return a, nil
}

func acknowledgeTx(ctx context.Context, tx *sqlx.Tx, alertID, staffID string, now time.Time) error {
	if _, err := tx.ExecContext(ctx, `UPDATE alerts SET acknowledged_at = $3, acknowledged_by = $2 WHERE id = $1`, alertID, staffID, now); err != nil {
		return fmt.Errorf("acknowledge alert: %w", err)
	}
	return nil
}

// silenceTx silences an alert until that time, or ends its silence.
func silenceTx(ctx context.Context, tx *sqlx.Tx, alertID, staffID, reason string, until *time.Time) error {
	_, err := tx.ExecContext(ctx, `UPDATE alerts SET silenced_until = $3, silenced_by = CASE WHEN $3::timestamptz IS NULL THEN NULL ELSE $2::uuid END,
		silence_reason = $4 WHERE id = $1`, alertID, staffID, until, reason)
	if err != nil {
		return fmt.Errorf("silence alert: %w", err)
	}
	return nil
}

func pruneTx(ctx context.Context, tx *sqlx.Tx, before time.Time) error {
	if _, err := tx.ExecContext(ctx, `DELETE FROM alerts WHERE resolved_at < $1`, before); err != nil {
		return fmt.Errorf("prune alerts: %w", err)
	}
	return nil
}
