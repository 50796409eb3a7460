package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// MaxSigned limits the stored signed events of a payment, and our own questions about it, so that no sender can fill the disk.
const MaxSigned = 50

// Event is a notice or answer about a payment.
type Event struct {
	Payment    payment.Payment
	Source     string
	Kind       payment.NoticeKind
	Signed     bool
	Status     payment.Status
	Amount     money.Paise
	ExternalID string
	Key        string
	Fields     map[string]string
	At         time.Time
}

// digest identifies the content, so that duplicates have the same digest.
func (e Event) digest() []byte {
	sum := sha256.Sum256([]byte(string(e.Kind) + "\x00" + string(e.Status) + "\x00" + e.ExternalID + "\x00" + e.Key))
	return sum[:]
}

// Per payment there is a limit for events of callbacks and webhooks, separately for signed ones and each kind of unsigned ones, and
// the same limit for our own questions.
const insertEventSQL = `
	WITH room AS (
		SELECT count(*) < $14 AS there_is FROM payment_events
		WHERE payment_id = $3 AND (source = 'poll') = ($4 = 'poll') AND signed = $13 AND (signed OR kind = $5)
	), stored AS (
		INSERT INTO payment_events (id, franchiser_id, payment_id, source, kind, status, amount_paise, external_id, digest, fields,
			received_at, applied_at, signed)
		SELECT $1::uuid, $2::uuid, $3::uuid, $4, $5, $6, nullif($7::bigint, 0), $8, $9::bytea, $10::jsonb, $11::timestamptz,
			$12::timestamptz, $13
		FROM room WHERE there_is
		ON CONFLICT (payment_id, source, digest) DO NOTHING
		RETURNING id
	)
	SELECT EXISTS (SELECT FROM stored) AS stored, NOT there_is AS is_full FROM room`

// makeRoomSQL deletes the oldest applied hint once the limit is reached: flooding the limit must not
// suppress a genuine one.
const makeRoomSQL = `
	DELETE FROM payment_events WHERE id = (
			SELECT id FROM payment_events
			WHERE payment_id = $1 AND kind = $2 AND NOT signed AND source <> 'poll' AND applied_at IS NOT NULL
			ORDER BY received_at, id LIMIT 1)
		AND (SELECT count(*) FROM payment_events WHERE payment_id = $1 AND kind = $2 AND NOT signed AND source <> 'poll') >= $5
		AND NOT EXISTS (SELECT FROM payment_events WHERE payment_id = $1 AND source = $3 AND digest = $4)`

// InsertEvent stores an event unless it is a duplicate. full reports that the limit was reached, even if an older
// hint was deleted for it.
func InsertEvent(ctx context.Context, tx *sqlx.Tx, e Event, limit int) (stored, full bool, err error) {
	fields, err := json.Marshal(e.Fields)
	if err != nil {
		return false, false, fmt.Errorf("encode payment event: %w", err)
	}
	if e.Fields == nil {
		fields = []byte("{}")
	}
	var applied sql.NullTime // refunds and disputes wait until their payment is known to be paid
	if e.Kind == payment.NoticePayment {
		applied = sql.NullTime{Time: e.At, Valid: true}
	}
	made := false
	if !e.Signed {
		result, err := tx.ExecContext(ctx, makeRoomSQL, e.Payment.ID, string(e.Kind), e.Source, e.digest(), limit)
		if err != nil {
			return false, false, fmt.Errorf("make room for payment event: %w", err)
		}
		gone, err := result.RowsAffected()
		if err != nil {
			return false, false, fmt.Errorf("make room for payment event: %w", err)
		}
		made = gone > 0
	}
	err = tx.QueryRowxContext(ctx, insertEventSQL, id.New(), e.Payment.FranchiserID, e.Payment.ID, e.Source, string(e.Kind),
		string(e.Status), int64(e.Amount), e.ExternalID, e.digest(), string(fields), e.At, applied, e.Signed, limit).Scan(&stored, &full)
	if err != nil {
		return false, false, fmt.Errorf("insert payment event: %w", err)
	}
	return stored, full || made, nil
}

const waitingSQL = `
	SELECT id, kind, signed, status, coalesce(amount_paise, 0) AS amount_paise, external_id FROM payment_events
	WHERE payment_id = $1 AND kind <> 'payment' AND applied_at IS NULL ORDER BY received_at, id`

// WaitingEvent is a refund or dispute event that is not applied yet.
type WaitingEvent struct {
	ID         string             `db:"id"`
	Kind       payment.NoticeKind `db:"kind"`
	Signed     bool               `db:"signed"`
	Status     payment.Status     `db:"status"`
	Amount     money.Paise        `db:"amount_paise"`
	ExternalID string             `db:"external_id"`
}

// WaitingEvents returns the payment's events that are not applied yet, oldest first.
func WaitingEvents(ctx context.Context, tx *sqlx.Tx, p payment.Payment) ([]WaitingEvent, error) {
	var events []WaitingEvent
	if err := tx.SelectContext(ctx, &events, waitingSQL, p.ID); err != nil {
		return nil, fmt.Errorf("read waiting events: %w", err)
	}
	return events, nil
}

const markAppliedSQL = `UPDATE payment_events SET applied_at = $2 WHERE id = $1`

// MarkApplied marks an event as applied.
func MarkApplied(ctx context.Context, tx *sqlx.Tx, eventID string, now time.Time) error {
	if _, err := tx.ExecContext(ctx, markAppliedSQL, eventID, now); err != nil {
		return fmt.Errorf("mark event applied: %w", err)
	}
	return nil
}
