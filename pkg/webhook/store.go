package webhook

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

func get(ctx context.Context, tx *sqlx.Tx, into any, doing, statement string, args ...any) error {
	err := tx.GetContext(ctx, into, statement, args...)
	if errors.Is(err, sql.ErrNoRows) {
		return errs.NotFound()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	return nil
}

func execute(ctx context.Context, tx *sqlx.Tx, doing, statement string, args ...any) (int64, error) {
	done, err := tx.ExecContext(ctx, statement, args...)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", doing, err)
	}
	n, err := done.RowsAffected()
	return n, err
}

// changeOne is execute for the row of one endpoint. Only an admin may change it.
func changeOne(ctx context.Context, tx *sqlx.Tx, doing, statement string, args ...any) error {
	n, err := execute(ctx, tx, doing, statement, args...)
	if err == nil && n == 0 {
		return errs.Forbidden()
	}
	return err
}

const pendingSQL = `
	SELECT d.id, d.event_id, d.endpoint_id, d.state, e.kind, e.data, e.at, p.url, p.state AS endpoint_state, p.secret, p.old_secret,
		p.old_secret_until
	FROM webhook_deliveries d JOIN webhook_events e ON e.id = d.event_id JOIN webhook_endpoints p ON p.id = d.endpoint_id
	WHERE d.id = $1`

// deliveryByID returns the data for sending the delivery, or errs.NotFound.
func deliveryByID(ctx context.Context, tx *sqlx.Tx, deliveryID string, lock bool) (d pending, err error) {
	if !id.Valid(deliveryID) {
		return d, errs.NotFound()
	}
	statement := pendingSQL
	if lock {
		statement += ` FOR UPDATE OF d`
	}
	err = get(ctx, tx, &d, "read delivery", statement, deliveryID)
	return d, err
}

func setDeliveryState(ctx context.Context, tx *sqlx.Tx, deliveryID string, state DeliveryState) error {
	return changeOne(ctx, tx, "set delivery", `UPDATE webhook_deliveries SET state = $2 WHERE id = $1`, deliveryID, state)
}

const (
	noteDeliverySQL = `
	UPDATE webhook_deliveries SET attempts = attempts + 1, last_at = $2, status = $3, state = CASE state WHEN 'delivered' THEN state ELSE $4 END
	WHERE id = $1 RETURNING attempts`
	insertAttemptSQL = `
	INSERT INTO webhook_attempts (delivery_id, number, at, took_ms, status, failure, answer) VALUES ($1, $2, $3, $4, $5, $6, $7)`
)

func noteAttempt(ctx context.Context, tx *sqlx.Tx, deliveryID string, a Attempt, state DeliveryState) error {
	if err := get(ctx, tx, &a.Number, "note delivery", noteDeliverySQL, deliveryID, a.At, a.Status, state); err != nil {
		return err
	}
	_, err := execute(ctx, tx, "insert attempt", insertAttemptSQL, deliveryID, a.Number, a.At, a.TookMS, a.Status, a.Failure, a.Answer)
	return err
}

// noteFailing returns since when the endpoint fails.
func noteFailing(ctx context.Context, tx *sqlx.Tx, endpointID string, now time.Time) (since time.Time, err error) {
	err = get(ctx, tx, &since, "note failing endpoint",
		`UPDATE webhook_endpoints SET failing_since = coalesce(failing_since, $2) WHERE id = $1 RETURNING failing_since`, endpointID, now)
	return since, err
}

func noteWorking(ctx context.Context, tx *sqlx.Tx, endpointID string) error {
	_, err := execute(ctx, tx, "note working endpoint",
		`UPDATE webhook_endpoints SET failing_since = NULL WHERE id = $1 AND failing_since IS NOT NULL`, endpointID)
	return err
}

func disableEndpoint(ctx context.Context, tx *sqlx.Tx, endpointID string, reason DisabledFor, now time.Time) error {
	_, err := execute(ctx, tx, "disable endpoint",
		`UPDATE webhook_endpoints SET state = 'disabled', disabled_for = $2, updated_at = $3 WHERE id = $1 AND state = 'enabled'`,
		endpointID, reason, now)
	return err
}

// A delivery and its job are stored together, and an attempt's result is stored before its job ends. So a waiting delivery without a job
// has lost its job.
const failLostSQL = `
	UPDATE webhook_deliveries d SET state = 'failed' WHERE d.state = 'waiting' AND NOT EXISTS (SELECT FROM job_overview j
		WHERE j.kind = $1 AND jsonb_hash_extended(j.args, 0) = jsonb_hash_extended(jsonb_build_object('delivery_id', d.id), 0)
			AND j.args = jsonb_build_object('delivery_id', d.id)
			AND j.state IN ('available', 'pending', 'retryable', 'running', 'scheduled'))`

func failLost(ctx context.Context, tx *sqlx.Tx) error {
	_, err := execute(ctx, tx, "fail lost deliveries", failLostSQL, DeliverArgs{}.Kind())
	return err
}

const pruneEventsSQL = `DELETE FROM webhook_events WHERE id IN (SELECT id FROM webhook_events WHERE at < $1 ORDER BY at LIMIT 1000)`

func pruneEvents(ctx context.Context, tx *sqlx.Tx, before time.Time) (int64, error) {
	return execute(ctx, tx, "prune events", pruneEventsSQL, before)
}

const endpointSQL = `
	SELECT p.id, p.url, p.description, p.kinds, p.state, p.disabled_for, p.failing_since, p.old_secret_until, p.created_at,
		(SELECT count(*) FROM webhook_deliveries d WHERE d.endpoint_id = p.id AND d.state = 'waiting') AS waiting,
		(SELECT count(*) FROM webhook_deliveries d WHERE d.endpoint_id = p.id AND d.state IN ('failed', 'held')) AS undelivered
	FROM webhook_endpoints p WHERE p.state <> 'removed'`

type endpointRow struct {
	Endpoint

	Names pq.StringArray `db:"kinds"`
}

func (r endpointRow) endpoint() Endpoint {
	e := r.Endpoint
	for _, name := range r.Names {
		e.Kinds = append(e.Kinds, Kind(name))
	}
	return e
}

func endpoints(ctx context.Context, tx *sqlx.Tx) ([]Endpoint, error) {
	var rows []endpointRow
	if err := tx.SelectContext(ctx, &rows, endpointSQL+` ORDER BY p.id`); err != nil {
		return nil, fmt.Errorf("read endpoints: %w", err)
	}
	list := make([]Endpoint, 0, len(rows))
	for _, r := range rows {
		list = append(list, r.endpoint())
	}
	return list, nil
}

// StoppedTx returns the endpoints that the worker disabled, to staff who may see them.
func StoppedTx(ctx context.Context, tx *sqlx.Tx) ([]Endpoint, error) {
	all, err := endpoints(ctx, tx)
	return slices.DeleteFunc(all, func(e Endpoint) bool { return e.DisabledFor != DisabledForGone && e.DisabledFor != DisabledForFailing }), err
}

func endpointByID(ctx context.Context, tx *sqlx.Tx, endpointID string) (Endpoint, error) {
	if !id.Valid(endpointID) {
		return Endpoint{}, errs.NotFound()
	}
	var r endpointRow
	err := get(ctx, tx, &r, "read endpoint", endpointSQL+` AND p.id = $1`, endpointID)
	return r.endpoint(), err
}

const insertEndpointSQL = `
	INSERT INTO webhook_endpoints (id, url, description, kinds, state, secret, created_at, updated_at)
	VALUES ($1, $2, $3, $4, 'enabled', $5, $6, $6)`

func insertEndpoint(ctx context.Context, tx *sqlx.Tx, endpointID string, in EndpointInput, sealed []byte, now time.Time) error {
	_, err := execute(ctx, tx, "insert endpoint", insertEndpointSQL, endpointID, in.URL, in.Description, pq.Array(in.Kinds), sealed, now)
	return err
}

func updateEndpoint(ctx context.Context, tx *sqlx.Tx, endpointID string, in EndpointInput, now time.Time) error {
	return changeOne(ctx, tx, "update endpoint",
		`UPDATE webhook_endpoints SET failing_since = CASE url WHEN $2 THEN failing_since END, url = $2, description = $3, kinds = $4,
			updated_at = $5 WHERE id = $1`,
		endpointID, in.URL, in.Description, pq.Array(in.Kinds), now)
}

func setEndpointState(ctx context.Context, tx *sqlx.Tx, endpointID string, state State, reason DisabledFor, now time.Time) error {
	return changeOne(ctx, tx, "set endpoint",
		`UPDATE webhook_endpoints SET state = $2, disabled_for = $3, failing_since = NULL, updated_at = $4 WHERE id = $1`,
		endpointID, state, reason, now)
}

// lockEndpoint keeps the endpoint as it is until the transaction ends; only who may change it can.
func lockEndpoint(ctx context.Context, tx *sqlx.Tx, endpointID string) error {
	return changeOne(ctx, tx, "lock endpoint", `SELECT FROM webhook_endpoints WHERE id = $1 FOR NO KEY UPDATE`, endpointID)
}

const rotateSQL = `
	UPDATE webhook_endpoints SET old_secret = secret, old_secret_until = $3, secret = $2, updated_at = $4 WHERE id = $1`

func rotateSecret(ctx context.Context, tx *sqlx.Tx, endpointID string, sealed []byte, oldUntil, now time.Time) error {
	return changeOne(ctx, tx, "rotate secret", rotateSQL, endpointID, sealed, oldUntil, now)
}

func insertEvent(ctx context.Context, tx *sqlx.Tx, e Event) error {
	_, err := execute(ctx, tx, "insert event", `INSERT INTO webhook_events (id, kind, data, at) VALUES ($1, $2, $3, $4)`,
		e.ID, e.Kind, string(e.Data), e.At)
	return err
}

func insertDelivery(ctx context.Context, tx *sqlx.Tx, deliveryID, eventID, endpointID string) error {
	_, err := execute(ctx, tx, "insert delivery",
		`INSERT INTO webhook_deliveries (id, event_id, endpoint_id, state) VALUES ($1, $2, $3, 'waiting')`, deliveryID, eventID, endpointID)
	return err
}

const deliverySQL = `
	SELECT d.id, d.endpoint_id, d.event_id, e.kind, coalesce(e.franchiser_ref::text, '') AS franchiser_ref, d.state, d.attempts, e.at,
		d.last_at, d.status
	FROM webhook_deliveries d JOIN webhook_events e ON e.id = d.event_id
	WHERE `

func deliveries(ctx context.Context, tx *sqlx.Tx, q DeliveryQuery, limit int) ([]Delivery, error) {
	list := []Delivery{}
	err := tx.SelectContext(ctx, &list, deliverySQL+`($1 = '' OR d.endpoint_id = nullif($1, '')::uuid) AND ($2 = '' OR d.state = $2)
		AND ($3 = '' OR d.id < nullif($3, '')::uuid) ORDER BY d.id DESC LIMIT $4`, q.EndpointID, q.State, q.Before, limit)
	if err != nil {
		return nil, fmt.Errorf("read deliveries: %w", err)
	}
	return list, nil
}

func oneDelivery(ctx context.Context, tx *sqlx.Tx, deliveryID string) (d Delivery, err error) {
	if !id.Valid(deliveryID) {
		return d, errs.NotFound()
	}
	err = get(ctx, tx, &d, "read delivery", deliverySQL+`d.id = $1`, deliveryID)
	return d, err
}

func attempts(ctx context.Context, tx *sqlx.Tx, deliveryID string) ([]Attempt, error) {
	list := []Attempt{}
	err := tx.SelectContext(ctx, &list, `
		SELECT number, at, took_ms, status, failure, answer FROM webhook_attempts WHERE delivery_id = $1 ORDER BY number DESC LIMIT 50`, deliveryID)
	if err != nil {
		return nil, fmt.Errorf("read attempts: %w", err)
	}
	return list, nil
}

// undelivered locks the deliveries to send again to an endpoint, oldest first.
const undeliveredSQL = `
	SELECT d.id FROM webhook_deliveries d JOIN webhook_events e ON e.id = d.event_id
	WHERE d.endpoint_id = $1 AND d.state IN ('failed', 'held') AND e.at >= $2
	ORDER BY d.id LIMIT $3 FOR UPDATE OF d SKIP LOCKED`

func undelivered(ctx context.Context, tx *sqlx.Tx, endpointID string, since time.Time, limit int) (ids []string, err error) {
	if err = tx.SelectContext(ctx, &ids, undeliveredSQL, endpointID, since, limit); err != nil {
		return nil, fmt.Errorf("read undelivered: %w", err)
	}
	return ids, nil
}

func binding(endpointID string) string { return endpointID }

const (
	pageSealedSQL = `
	SELECT id, secret AS sealed FROM webhook_endpoints
	WHERE id > $1::uuid AND substring(secret FOR octet_length($2::bytea)) <> $2
	ORDER BY id LIMIT 500 FOR UPDATE`
	updateSealedSQL  = `UPDATE webhook_endpoints SET secret = $3 WHERE id = $1 AND secret = $2`
	pageOldSealedSQL = `
	SELECT id, old_secret AS sealed FROM webhook_endpoints
	WHERE id > $1::uuid AND substring(old_secret FOR octet_length($2::bytea)) <> $2
	ORDER BY id LIMIT 500 FOR UPDATE`
	updateOldSealedSQL = `UPDATE webhook_endpoints SET old_secret = $3 WHERE id = $1 AND old_secret = $2`
)

// ResealSecrets encrypts the secrets of the endpoints again under the current master key; it needs the owner's connection. It returns
// how many it resealed and how many no key of the ring opens.
func ResealSecrets(ctx context.Context, owner *sqlx.DB, k secret.Keyring) (done, left int, err error) {
	return secret.SealedColumn{Page: pageSealedSQL, Update: updateSealedSQL, Purpose: secret.PurposeWebhook, Binding: binding}.Reseal(ctx, owner, k)
}

// ResealOldSecrets is ResealSecrets for those before a rotation.
func ResealOldSecrets(ctx context.Context, owner *sqlx.DB, k secret.Keyring) (done, left int, err error) {
	return secret.SealedColumn{
		Page: pageOldSealedSQL, Update: updateOldSealedSQL, Purpose: secret.PurposeWebhook, Binding: binding,
	}.Reseal(ctx, owner, k)
}
