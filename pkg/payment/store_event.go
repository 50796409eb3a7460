package payment

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// A payment keeps so many events of callbacks and webhooks, signed ones and each kind of unsigned ones apart, and as many of our
// own questions.
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

// makeRoomSQL forgets the oldest hint that had its effect where there are as many as are kept: who fills them up must not keep a
// true one from being heard.
const makeRoomSQL = `
	DELETE FROM payment_events WHERE id = (
			SELECT id FROM payment_events
			WHERE payment_id = $1 AND kind = $2 AND NOT signed AND source <> 'poll' AND applied_at IS NOT NULL
			ORDER BY received_at, id LIMIT 1)
		AND (SELECT count(*) FROM payment_events WHERE payment_id = $1 AND kind = $2 AND NOT signed AND source <> 'poll') >= $5
		AND NOT EXISTS (SELECT FROM payment_events WHERE payment_id = $1 AND source = $3 AND digest = $4)`

// insertEvent stores what was heard, unless the same was heard before. It is full where the limit was reached, also where an older
// hint made room.
func (store) insertEvent(ctx context.Context, tx *sqlx.Tx, e event, limit int) (stored, full bool, err error) {
	fields, err := json.Marshal(e.Fields)
	if err != nil {
		return false, false, fmt.Errorf("encode payment event: %w", err)
	}
	if e.Fields == nil {
		fields = []byte("{}")
	}
	var applied sql.NullTime // refunds and disputes wait until their payment is known as paid
	if e.Kind == NoticePayment {
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

type waitingEvent struct {
	ID         string      `db:"id"`
	Kind       NoticeKind  `db:"kind"`
	Signed     bool        `db:"signed"`
	Status     Status      `db:"status"`
	Amount     money.Paise `db:"amount_paise"`
	ExternalID string      `db:"external_id"`
}

func (store) waitingEvents(ctx context.Context, tx *sqlx.Tx, p Payment) ([]waitingEvent, error) {
	var events []waitingEvent
	if err := tx.SelectContext(ctx, &events, waitingSQL, p.ID); err != nil {
		return nil, fmt.Errorf("read waiting events: %w", err)
	}
	return events, nil
}

// Settlements first: they are the gateway's own word, while a payer can put any name into a form that was signed for him.
const heardCapturesSQL = `
	WITH heard AS (
		SELECT s."GatewayPaymentID" AS name, 1 AS rank, s."At" AS at
		FROM jsonb_to_recordset($2::jsonb) AS s ("GatewayPaymentID" text, "At" timestamptz)
		UNION ALL
		SELECT external_id, 2, received_at FROM payment_events WHERE payment_id = $1 AND kind = 'payment' AND signed
	)
	SELECT name FROM heard
	WHERE name NOT IN ('', $3) AND NOT EXISTS (SELECT FROM refunds r WHERE r.payment_id = $1 AND r.gateway_payment_id = name)
	GROUP BY name ORDER BY min(rank), max(at) DESC LIMIT $4`

// maxHeardCaptures is how many other payments of a transaction the gateway is asked about at once.
const maxHeardCaptures = 10

// noticedCaptures are the gateway's names of other payments of the transaction that were heard of, in notices or as the settled
// ones, and are not on their way back.
func (store) noticedCaptures(ctx context.Context, tx *sqlx.Tx, p Payment, settled []SettledCapture) ([]string, error) {
	if settled == nil {
		settled = []SettledCapture{}
	}
	text, err := json.Marshal(settled)
	if err != nil {
		return nil, fmt.Errorf("write captures of settlements: %w", err)
	}
	var names []string
	if err := tx.SelectContext(ctx, &names, heardCapturesSQL, p.ID, string(text), p.GatewayPaymentID, maxHeardCaptures); err != nil {
		return nil, fmt.Errorf("find captures that were heard of: %w", err)
	}
	return names, nil
}

const markAppliedSQL = `UPDATE payment_events SET applied_at = $2 WHERE id = $1`

func (store) markApplied(ctx context.Context, tx *sqlx.Tx, eventID string, now time.Time) error {
	if _, err := tx.ExecContext(ctx, markAppliedSQL, eventID, now); err != nil {
		return fmt.Errorf("mark event applied: %w", err)
	}
	return nil
}

const refundColumns = `id, franchiser_id, payment_id, gateway_payment_id, amount_paise, reason, note, state, token,
	coalesce(gateway_refund_id, '') AS gateway_refund_id, channel, bank_reference, keep_plan, printed_reason, failure, created_at`

// Refund is money that goes back.
type Refund struct {
	ID               string       `db:"id"`
	FranchiserID     string       `db:"franchiser_id"`
	PaymentID        string       `db:"payment_id"`
	GatewayPaymentID string       `db:"gateway_payment_id"`
	Amount           money.Paise  `db:"amount_paise"`
	Reason           RefundReason `db:"reason"`
	Note             string       `db:"note"`
	State            RefundState  `db:"state"`
	Token            string       `db:"token"`
	GatewayRefundID  string       `db:"gateway_refund_id"`
	// Channel is ChannelGateway unless set; BankReference is the transfer's UTR.
	Channel       RefundChannel `db:"channel"`
	BankReference string        `db:"bank_reference"`
	// KeepPlan leaves what was bought running where this refund makes it all of the payment.
	KeepPlan bool `db:"keep_plan"`
	// PrintedReason stands on its credit note; Note is for staff.
	PrintedReason string    `db:"printed_reason"`
	Failure       string    `db:"failure"`
	CreatedAt     time.Time `db:"created_at"`
}

// token is what makes a repeated request at the gateway the same refund: 23 characters of the id, because PayU's token is
// as short as a transaction id.
func (r Refund) token() string { return strings.ReplaceAll(r.ID, "-", "")[9:] }

const insertRefundSQL = `
	INSERT INTO refunds (id, franchiser_id, payment_id, gateway_payment_id, amount_paise, reason, note, state, token,
		gateway_refund_id, channel, bank_reference, keep_plan, created_at, printed_reason)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, nullif($10, ''), coalesce(nullif($11, ''), 'gateway'), $12, $13, $14, $15)`

func (store) insertRefund(ctx context.Context, tx *sqlx.Tx, r Refund) error {
	_, err := tx.ExecContext(ctx, insertRefundSQL, r.ID, r.FranchiserID, r.PaymentID, r.GatewayPaymentID, r.Amount, string(r.Reason),
		r.Note, string(r.State), r.token(), r.GatewayRefundID, string(r.Channel), r.BankReference, r.KeepPlan, r.CreatedAt,
		r.PrintedReason)
	if err != nil {
		return fmt.Errorf("insert refund: %w", err)
	}
	return nil
}

const (
	refundSQL      = `SELECT ` + refundColumns + ` FROM refunds WHERE id = $1`
	refundHeardSQL = `
		SELECT coalesce((SELECT id FROM refunds WHERE payment_id = $1 AND (gateway_refund_id = $2 OR token = $3)
				ORDER BY gateway_refund_id = $2 DESC NULLS LAST LIMIT 1)::text, '') AS id,
			EXISTS (SELECT FROM refunds WHERE payment_id <> $1 AND gateway_refund_id = $2) AS is_foreign,
			EXISTS (SELECT FROM refunds WHERE payment_id = $1 AND state = 'requested' AND amount_paise = $4) AS unanswered`
	surplusKnownSQL = `
		SELECT EXISTS (SELECT FROM refunds WHERE payment_id = $1 AND gateway_payment_id = $2 AND reason = 'surplus')`
	refundedSQL = `
		SELECT coalesce(sum(amount_paise), 0)::bigint FROM refunds
		WHERE payment_id = $1 AND gateway_payment_id = $2 AND state <> 'failed'`
	backSQL       = refundedSQL + ` AND state = 'done'`
	saveRefundSQL = `
		UPDATE refunds SET state = $2, gateway_refund_id = nullif($3, ''), failure = $4,
			sent_at = CASE WHEN $2 = 'sent' THEN coalesce(sent_at, $5) ELSE sent_at END,
			done_at = CASE WHEN $2 = 'done' THEN $5 END
		WHERE id = $1`
)

func (store) refund(ctx context.Context, tx *sqlx.Tx, refundID string, lock bool) (Refund, error) {
	query := refundSQL
	if lock {
		query += ` FOR NO KEY UPDATE`
	}
	var r Refund
	if err := tx.GetContext(ctx, &r, query, refundID); err != nil {
		return r, fmt.Errorf("read refund: %w", err)
	}
	r.CreatedAt = r.CreatedAt.UTC()
	return r, nil
}

// heardRefund is whose refund the gateway lists: ID is the payment's own, empty for none; Foreign says that it is known as
// another payment's, Unanswered that as much was asked for by a request whose refund has no name yet.
type heardRefund struct {
	ID         string `db:"id"`
	Foreign    bool   `db:"is_foreign"`
	Unanswered bool   `db:"unanswered"`
}

func (store) refundHeard(ctx context.Context, tx *sqlx.Tx, p Payment, r RefundRecord) (heardRefund, error) {
	var heard heardRefund
	if err := tx.GetContext(ctx, &heard, refundHeardSQL, p.ID, r.RefundID, r.Token, int64(r.Amount)); err != nil {
		return heard, fmt.Errorf("find refund: %w", err)
	}
	return heard, nil
}

func (store) surplusKnown(ctx context.Context, tx *sqlx.Tx, p Payment, gatewayPaymentID string) (bool, error) {
	var known bool
	if err := tx.GetContext(ctx, &known, surplusKnownSQL, p.ID, gatewayPaymentID); err != nil {
		return false, fmt.Errorf("look for refund: %w", err)
	}
	return known, nil
}

// refunded is what went back, or is on its way, of a capture.
func (s store) refunded(ctx context.Context, tx *sqlx.Tx, p Payment) (money.Paise, error) {
	return s.sumRefunds(ctx, tx, refundedSQL, p)
}

// back is what has come back of a capture.
func (s store) back(ctx context.Context, tx *sqlx.Tx, p Payment) (money.Paise, error) {
	return s.sumRefunds(ctx, tx, backSQL, p)
}

func (store) sumRefunds(ctx context.Context, tx *sqlx.Tx, query string, p Payment) (money.Paise, error) {
	var sum money.Paise
	if err := tx.GetContext(ctx, &sum, query, p.ID, p.GatewayPaymentID); err != nil {
		return 0, fmt.Errorf("sum refunds: %w", err)
	}
	return sum, nil
}

func (store) saveRefund(ctx context.Context, tx *sqlx.Tx, r Refund, now time.Time) error {
	if _, err := tx.ExecContext(ctx, saveRefundSQL, r.ID, string(r.State), r.GatewayRefundID, r.Failure, now); err != nil {
		return fmt.Errorf("save refund: %w", err)
	}
	return nil
}
