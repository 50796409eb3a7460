package delivery

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
)

type store struct{}

func columns() string {
	return `d.id, d.franchiser_id, d.order_id, d.item, d.name, d.add_on, d.how, d.state, d.promised_on, d.needs, d.proof, d.staff_id,
		coalesce(` + staff.NameSQL("d.staff_id") + `, '') AS staff, d.system, d.revision, d.waiting_since, d.updated_at, d.delivered_at,
		d.ended_at, d.end_reason`
}

// Open rows come first, then delivered ones; no customer buys more than a few dozen items.
const ofCustomerSQL = ` FROM deliveries d WHERE d.franchiser_id = $1 AND d.state <> 'ended'
	ORDER BY d.state IN ('delivered', 'not_applicable'), d.state <> 'waiting_for_customer', d.promised_on, d.name LIMIT 200`

func (store) ofCustomer(ctx context.Context, tx *sqlx.Tx, franchiserID string) ([]Delivery, error) {
	list := []Delivery{}
	if err := tx.SelectContext(ctx, &list, `SELECT `+columns()+ofCustomerSQL, franchiserID); err != nil {
		return nil, fmt.Errorf("list deliveries: %w", err)
	}
	return list, nil
}

const oneSQL = ` FROM deliveries d WHERE d.franchiser_id = $1 AND d.id = $2`

// one returns the customer's delivery, or errs.NotFound.
func (store) one(ctx context.Context, tx *sqlx.Tx, franchiserID, deliveryID string) (Delivery, error) {
	return read(ctx, tx, `SELECT `+columns()+oneSQL, franchiserID, deliveryID)
}

// lock returns the customer's delivery, locked, or errs.NotFound.
func (store) lock(ctx context.Context, tx *sqlx.Tx, franchiserID, deliveryID string) (Delivery, error) {
	return read(ctx, tx, `SELECT `+columns()+oneSQL+` FOR NO KEY UPDATE OF d`, franchiserID, deliveryID)
}

func read(ctx context.Context, tx *sqlx.Tx, query, franchiserID, deliveryID string) (Delivery, error) {
	var d Delivery
	err := tx.GetContext(ctx, &d, query, franchiserID, deliveryID)
	if errors.Is(err, sql.ErrNoRows) {
		return d, errs.NotFound()
	}
	if err != nil {
		return d, fmt.Errorf("read delivery: %w", err)
	}
	return d, nil
}

// listSQL is the staff list; the function refuses everybody else.
const listSQL = ` , d.customer, d.total FROM deliveries_for_staff($1, $2, $3, $4, $5, $6, $7, $8, $9) d`

func (store) list(ctx context.Context, tx *sqlx.Tx, me string, f Filter, today subscription.Day, limit, offset int) (rows []Row, total int, err error) {
	var owner, customer *string
	if f.Owner == "me" {
		owner = &me
	}
	if f.CustomerID != "" {
		customer = &f.CustomerID
	}
	rows = []Row{}
	if err := tx.SelectContext(ctx, &rows, `SELECT `+columns()+listSQL, f.State, f.How, owner, f.Owner == "nobody", customer, f.Search, today, limit,
		offset); err != nil {
		return nil, 0, fmt.Errorf("list deliveries for staff: %w", err)
	}
	if len(rows) > 0 {
		total = rows[0].Total
	}
	return rows, total, nil
}

func (store) events(ctx context.Context, tx *sqlx.Tx, franchiserID, deliveryID string) ([]Event, error) {
	list := []Event{}
	err := tx.SelectContext(ctx, &list, `SELECT e.kind, e.from_state, e.to_state, e.note, e.actor, coalesce(`+staff.NameSQL("e.staff_id")+`, '') AS staff, e.at
		FROM delivery_events e WHERE e.franchiser_id = $1 AND e.delivery_id = $2 ORDER BY e.at DESC, e.id DESC LIMIT 200`, franchiserID, deliveryID)
	if err != nil {
		return nil, fmt.Errorf("list delivery events: %w", err)
	}
	return list, nil
}

func (store) colleagues(ctx context.Context, tx *sqlx.Tx) ([]Colleague, error) {
	list := []Colleague{}
	if err := tx.SelectContext(ctx, &list, `SELECT id, name FROM staff_who_answer()`); err != nil {
		return nil, fmt.Errorf("list colleagues: %w", err)
	}
	return list, nil
}

const saveSQL = `
	UPDATE deliveries SET state = $3, promised_on = $4, needs = $5, proof = $6, staff_id = $7, system = $8, revision = $9, waiting_since = $10,
		updated_at = $11, delivered_at = $12
	WHERE franchiser_id = $1 AND id = $2`

func (store) save(ctx context.Context, tx *sqlx.Tx, d Delivery) error {
	_, err := tx.ExecContext(ctx, saveSQL, d.FranchiserID, d.ID, d.State, d.PromisedOn, d.Needs, d.Proof, d.StaffID, d.System, d.Revision,
		d.WaitingSince, d.UpdatedAt, d.DeliveredAt)
	if err != nil {
		return fmt.Errorf("save delivery: %w", err)
	}
	return nil
}

// The kinds of events that the product, staff and systems write. The database writes begun and ended.
const (
	eventMoved    = "moved"
	eventAssigned = "assigned"
	eventNoted    = "noted"
)

// event is one row of a delivery's history.
type event struct {
	id      string
	kind    string
	from    State
	note    string
	actor   string
	staffID *string
}

const insertEventSQL = `
	INSERT INTO delivery_events (id, franchiser_id, delivery_id, kind, from_state, to_state, note, actor, staff_id, at)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`

func (store) insertEvent(ctx context.Context, tx *sqlx.Tx, d Delivery, e event) error {
	_, err := tx.ExecContext(ctx, insertEventSQL, e.id, d.FranchiserID, d.ID, e.kind, e.from, d.State, e.note, e.actor, e.staffID, d.UpdatedAt)
	if err != nil {
		return fmt.Errorf("insert delivery event: %w", err)
	}
	return nil
}

// settleSQL settles customers who hold something and have no row at all. Their promised days count from $2.
const settleSQL = `
	WITH missing AS (
		SELECT DISTINCT h.franchiser_id FROM held_overview h
		WHERE NOT EXISTS (SELECT FROM deliveries d WHERE d.franchiser_id = h.franchiser_id) LIMIT $1
	), done AS MATERIALIZED (
		SELECT settle_deliveries(array_agg(m.franchiser_id), $2) FROM missing m HAVING count(*) > 0
	)
	SELECT (SELECT count(*) FROM missing) + 0 * (SELECT count(*) FROM done)`

func (store) settle(ctx context.Context, tx *sqlx.Tx, today subscription.Day, limit int) (int, error) {
	var n int
	if err := tx.GetContext(ctx, &n, settleSQL, limit, today); err != nil {
		return 0, fmt.Errorf("settle deliveries: %w", err)
	}
	return n, nil
}

// proveSQL finds proofs. $1 is now, $2 the number of rows.
const proveSQL = `
	WITH found AS (
		SELECT d.id, d.franchiser_id, d.state, CASE d.proof_by WHEN 'domain' THEN 'https://' || (SELECT min(o.domain) FROM domain_overview o
				WHERE o.franchiser_id = d.franchiser_id AND o.state = 'active')
			ELSE 'Your first partner joined.' END AS proof
		FROM deliveries d
		WHERE d.how = 'product' AND d.state IN ('planned', 'waiting_for_customer', 'in_progress') AND CASE d.proof_by
			WHEN 'domain' THEN EXISTS (SELECT FROM domain_overview o WHERE o.franchiser_id = d.franchiser_id AND o.state = 'active')
			WHEN 'partner' THEN EXISTS (SELECT FROM partner_overview p WHERE p.franchiser_id = d.franchiser_id) END
		ORDER BY d.promised_on, d.id LIMIT $2
		FOR NO KEY UPDATE OF d SKIP LOCKED
	), proved AS (
		UPDATE deliveries d SET state = 'delivered', proof = f.proof, delivered_at = $1, waiting_since = NULL, updated_at = $1, revision = d.revision + 1
		FROM found f WHERE d.id = f.id RETURNING d.id, d.franchiser_id, f.state
	), history AS (
		INSERT INTO delivery_events (franchiser_id, delivery_id, kind, from_state, to_state, actor, at)
		SELECT p.franchiser_id, p.id, 'moved', p.state, 'delivered', 'product', $1 FROM proved p
	)
	SELECT count(*) FROM proved`

func (store) prove(ctx context.Context, tx *sqlx.Tx, now time.Time, limit int) (int, error) {
	var n int
	if err := tx.GetContext(ctx, &n, proveSQL, now, limit); err != nil {
		return 0, fmt.Errorf("prove deliveries: %w", err)
	}
	return n, nil
}

func (store) exported(ctx context.Context, tx *sqlx.Tx, franchiserID string) ([]Export, error) {
	list := []Export{}
	err := tx.SelectContext(ctx, &list, `SELECT d.name, d.state, d.promised_on::text AS promised_on, d.needs, d.proof, d.delivered_at
		FROM deliveries d WHERE d.franchiser_id = $1 ORDER BY d.created_at, d.name`, franchiserID)
	if err != nil {
		return nil, fmt.Errorf("export deliveries: %w", err)
	}
	return list, nil
}

const (
	endAllSQL = `UPDATE deliveries SET state = 'ended', end_reason = 'erased', ended_at = coalesce(ended_at, $2), needs = '', proof = '', waiting_since = NULL,
		revision = revision + 1, updated_at = $2 WHERE franchiser_id = $1`
	blankNotesSQL = `UPDATE delivery_events SET note = '' WHERE franchiser_id = $1 AND note <> ''`
)

func (store) erase(ctx context.Context, tx *sqlx.Tx, franchiserID string, now time.Time) error {
	if _, err := tx.ExecContext(ctx, endAllSQL, franchiserID, now); err != nil {
		return fmt.Errorf("end deliveries: %w", err)
	}
	if _, err := tx.ExecContext(ctx, blankNotesSQL, franchiserID); err != nil {
		return fmt.Errorf("blank notes of deliveries: %w", err)
	}
	return nil
}

const countLateSQL = `SELECT count(*) FROM deliveries WHERE state IN ('planned', 'in_progress') AND promised_on < $1`

// CountLateTx returns the number of late deliveries. It needs the worker's role.
func CountLateTx(ctx context.Context, tx *sqlx.Tx, now time.Time) (n int, err error) {
	if err := tx.GetContext(ctx, &n, countLateSQL, subscription.DayOf(now)); err != nil {
		return 0, fmt.Errorf("count late deliveries: %w", err)
	}
	return n, nil
}

// lateSQL marks late deliveries whose lateness was not announced. $1 is today, $2 now, $3 the number of rows.
const lateSQL = `
	WITH due AS (
		SELECT d.id FROM deliveries d
		WHERE d.state IN ('planned', 'in_progress') AND d.promised_on < $1 AND d.late_on IS DISTINCT FROM d.promised_on
		ORDER BY d.promised_on, d.id LIMIT $3
		FOR NO KEY UPDATE OF d SKIP LOCKED
	), marked AS (
		UPDATE deliveries d SET late_on = d.promised_on FROM due WHERE d.id = due.id RETURNING d.id, d.franchiser_id, d.state, d.promised_on
	)
	INSERT INTO delivery_events (franchiser_id, delivery_id, kind, from_state, to_state, actor, at)
	SELECT m.franchiser_id, m.id, 'late', m.state, m.state, 'product', $2 FROM marked m RETURNING id, franchiser_id`

// lateEvent is the event of a delivery that became late.
type lateEvent struct {
	ID           string `db:"id"`
	FranchiserID string `db:"franchiser_id"`
}

func (store) markLate(ctx context.Context, tx *sqlx.Tx, now time.Time, limit int) ([]lateEvent, error) {
	var list []lateEvent
	if err := tx.SelectContext(ctx, &list, lateSQL, subscription.DayOf(now), now, limit); err != nil {
		return nil, fmt.Errorf("mark late deliveries: %w", err)
	}
	return list, nil
}
