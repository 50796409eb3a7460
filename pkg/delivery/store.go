package delivery

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
)

type store struct{}

func columns() string {
	return `d.id, d.franchiser_id, d.order_id, d.item, d.name, d.add_on, d.how, d.state, d.promised_on, d.needs, d.proof, d.staff_id,
		coalesce(` + staff.NameSQL("d.staff_id") + `, '') AS staff, d.system, d.revision, d.waiting_since, d.updated_at, d.delivered_at,
		d.ended_at, d.end_reason, d.proof_by, d.done_steps`
}

// Open rows come first, then delivered ones; no customer buys more than a few dozen items.
const ofCustomerSQL = `, p.at AS provided_at, coalesce(p.note, '') AS provided_note
	FROM deliveries d LEFT JOIN LATERAL (
		SELECT e.at, e.note FROM delivery_events e WHERE e.franchiser_id = d.franchiser_id AND e.delivery_id = d.id AND e.kind = 'provided'
		ORDER BY e.at DESC, e.id DESC LIMIT 1
	) p ON true
	WHERE d.franchiser_id = $1 AND d.state <> 'ended'
	ORDER BY d.state IN ('delivered', 'not_applicable'), d.state <> 'waiting_for_customer', d.promised_on, d.name LIMIT 200`

func (store) ofCustomer(ctx context.Context, tx *sqlx.Tx, franchiserID string) ([]Delivery, error) {
	list := []Delivery{}
	if err := tx.SelectContext(ctx, &list, `SELECT `+columns()+ofCustomerSQL, franchiserID); err != nil {
		return nil, fmt.Errorf("list deliveries: %w", err)
	}
	return list, store{}.addFiles(ctx, tx, franchiserID, list)
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

// resumed returns the promised day of a delivery that waits for the customer, if it goes on today. The working days that
// remained when the wait began remain after it. A promised day before the wait moves by the length of the wait.
func (store) resumed(ctx context.Context, tx *sqlx.Tx, d Delivery, today subscription.Day) (day subscription.Day, err error) {
	err = tx.GetContext(ctx, &day, `SELECT CASE WHEN $1::date > $2::date THEN working_day_after(greatest($3::date, $2), working_days_until($2, $1))
		ELSE $1::date + greatest($3::date - $2::date, 0) END`, d.PromisedOn, *d.WaitingSince, today)
	if err != nil {
		return 0, fmt.Errorf("compute promised day: %w", err)
	}
	return day, nil
}

// with returns the delivery after the change, with its new promised day.
func (s store) with(ctx context.Context, tx *sqlx.Tx, d Delivery, c Change, now time.Time) (Delivery, error) {
	resumed := d.PromisedOn
	if d.WaitingSince != nil && c.State != StateWaiting {
		var err error
		if resumed, err = s.resumed(ctx, tx, d, subscription.DayOf(now)); err != nil {
			return d, err
		}
	}
	return d.with(c, resumed, now)
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

// wasProvided reports whether the customer answered the needs of the delivery before.
func (store) wasProvided(ctx context.Context, tx *sqlx.Tx, d Delivery) (was bool, err error) {
	err = tx.GetContext(ctx, &was, `SELECT EXISTS (SELECT FROM delivery_events WHERE franchiser_id = $1 AND delivery_id = $2 AND kind = 'provided')`, d.FranchiserID, d.ID)
	if err != nil {
		return false, fmt.Errorf("find answer to the needs of a delivery: %w", err)
	}
	return was, nil
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
		updated_at = $11, delivered_at = $12, done_steps = $13, reminders = CASE WHEN waiting_since = $10 THEN reminders ELSE 0 END
	WHERE franchiser_id = $1 AND id = $2`

func (store) save(ctx context.Context, tx *sqlx.Tx, d Delivery) error {
	_, err := tx.ExecContext(ctx, saveSQL, d.FranchiserID, d.ID, d.State, d.PromisedOn, d.Needs, d.Proof, d.StaffID, d.System, d.Revision,
		d.WaitingSince, d.UpdatedAt, d.DeliveredAt, d.DoneSteps)
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
	eventChecked  = "checked"
	eventProvided = "provided"
)

const (
	actorStaff    = "staff"
	actorSystem   = "system"
	actorCustomer = "customer"
)

// event is one row of a delivery's history.
type event struct {
	id      string
	kind    string
	from    State
	note    string
	actor   string
	staffID *string
	report  *Report
}

const insertEventSQL = `
	INSERT INTO delivery_events (id, franchiser_id, delivery_id, kind, from_state, to_state, note, actor, staff_id, at, api_key_id, report_key, report_hash)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`

func (store) insertEvent(ctx context.Context, tx *sqlx.Tx, d Delivery, e event) error {
	var apiKey, key *string
	var hash []byte
	if r := e.report; r != nil {
		apiKey, key, hash = &r.APIKeyID, &r.Key, r.Content[:]
	}
	_, err := tx.ExecContext(ctx, insertEventSQL, e.id, d.FranchiserID, d.ID, e.kind, e.from, d.State, e.note, e.actor, e.staffID, d.UpdatedAt,
		apiKey, key, hash)
	if err != nil {
		return fmt.Errorf("insert delivery event: %w", err)
	}
	return nil
}

// reportOf returns the hash of an earlier report with the same key, and whether there was one.
func (store) reportOf(ctx context.Context, tx *sqlx.Tx, franchiserID string, r Report) (hash []byte, found bool, err error) {
	err = tx.GetContext(ctx, &hash, `SELECT report_hash FROM delivery_events WHERE franchiser_id = $1 AND api_key_id = $2 AND report_key = $3`,
		franchiserID, r.APIKeyID, r.Key)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("find report: %w", err)
	}
	return hash, true, nil
}

const insertFileSQL = `
	INSERT INTO delivery_files (id, franchiser_id, delivery_id, staff_id, name, content_type, content, created_at)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`

func (store) insertFile(ctx context.Context, tx *sqlx.Tx, franchiserID string, f File) error {
	_, err := tx.ExecContext(ctx, insertFileSQL, f.ID, franchiserID, f.DeliveryID, f.StaffID, f.Name, f.ContentType, f.Content, f.CreatedAt)
	if err != nil {
		return fmt.Errorf("insert file of a delivery: %w", err)
	}
	return nil
}

func (store) countFiles(ctx context.Context, tx *sqlx.Tx, d Delivery, ofStaff bool) (n int, err error) {
	err = tx.GetContext(ctx, &n, `SELECT count(*) FROM delivery_files WHERE franchiser_id = $1 AND delivery_id = $2 AND (staff_id IS NOT NULL) = $3`,
		d.FranchiserID, d.ID, ofStaff)
	if err != nil {
		return 0, fmt.Errorf("count files of a delivery: %w", err)
	}
	return n, nil
}

// addFiles sets the files of the customer's deliveries, without their content.
func (store) addFiles(ctx context.Context, tx *sqlx.Tx, franchiserID string, to []Delivery) error {
	var files []File
	err := tx.SelectContext(ctx, &files, `SELECT id, delivery_id, staff_id, name, content_type, created_at FROM delivery_files
		WHERE franchiser_id = $1 ORDER BY created_at, id LIMIT 2000`, franchiserID)
	if err != nil {
		return fmt.Errorf("list files of deliveries: %w", err)
	}
	of := map[string][]File{}
	for _, f := range files {
		of[f.DeliveryID] = append(of[f.DeliveryID], f)
	}
	for i, d := range to {
		to[i].Files = of[d.ID]
	}
	return nil
}

func (store) file(ctx context.Context, tx *sqlx.Tx, franchiserID, deliveryID, fileID string) (f File, err error) {
	err = tx.GetContext(ctx, &f, `SELECT id, delivery_id, staff_id, name, content_type, created_at, content FROM delivery_files
		WHERE franchiser_id = $1 AND delivery_id = $2 AND id = $3`, franchiserID, deliveryID, fileID)
	if errors.Is(err, sql.ErrNoRows) {
		return f, errs.NotFound()
	}
	if err != nil {
		return f, fmt.Errorf("read file of a delivery: %w", err)
	}
	return f, nil
}

// creditSQL finds the invoice line of a delivery, and the payments from which its credit can be taken: that of the invoice, then those of
// upgrades that the unused part of the invoice paid. It sums what was given of them for the delivery and for all deliveries of the line: by
// credit notes, and by refunds that are requested or on their way. $4 is how its reason begins.
const creditSQL = `
	WITH RECURSIVE line AS (
		SELECT p.id AS payment_id, l.total_paise
		FROM order_line_overview l JOIN payment_overview p ON p.franchiser_id = l.franchiser_id AND p.order_id = l.order_id AND p.state = 'paid' AND NOT p.surplus
		WHERE l.franchiser_id = $1 AND l.order_id = $2 AND CASE WHEN $3 = '' THEN l.kind = 'plan' ELSE l.kind = 'add_on' AND l.label = $3 END
		ORDER BY l.position LIMIT 1
	), paid AS (
		SELECT line.payment_id, 0 AS step FROM line
		UNION
		SELECT n.applied_payment_id, paid.step + 1 FROM paid JOIN document_overview n ON n.franchiser_id = $1 AND n.payment_id = paid.payment_id
			AND n.applied_payment_id IS NOT NULL
	)
	SELECT paid.payment_id, line.total_paise, n.given, n.given_of_line
	FROM line CROSS JOIN paid JOIN payment_overview p ON p.franchiser_id = $1 AND p.id = paid.payment_id AND p.state = 'paid' AND NOT p.surplus
	CROSS JOIN (
		SELECT coalesce(sum(g.paise) FILTER (WHERE starts_with(g.reason, $4)), 0)::bigint AS given,
			coalesce(sum(g.paise) FILTER (WHERE EXISTS (SELECT FROM deliveries o
				WHERE o.franchiser_id = $1 AND CASE WHEN $3 = '' THEN NOT o.add_on ELSE o.add_on AND o.name = $3 END
					AND starts_with(g.reason, 'Late delivery: ' || left(o.name, 60)))), 0)::bigint AS given_of_line
		FROM (SELECT d.payment_id, d.reason, d.total_paise AS paise FROM document_overview d WHERE d.franchiser_id = $1 AND d.kind = 'credit_note'
			UNION ALL SELECT w.payment_id, w.printed_reason, w.amount_paise FROM returning_overview w WHERE w.franchiser_id = $1) g
		WHERE g.payment_id IN (SELECT payment_id FROM paid)) n
	ORDER BY paid.step`

// creditLine is a payment from which a credit can be taken, with the invoice line of the delivery.
type creditLine struct {
	PaymentID   string      `db:"payment_id"`
	Total       money.Paise `db:"total_paise"`
	Given       money.Paise `db:"given"`
	GivenOfLine money.Paise `db:"given_of_line"`
}

// creditLines returns nothing if the delivery's order has no such line or no payment.
func (store) creditLines(ctx context.Context, tx *sqlx.Tx, d Delivery, printed string) ([]creditLine, error) {
	addOn := ""
	if d.AddOn {
		addOn = d.Name
	}
	var lines []creditLine
	if err := tx.SelectContext(ctx, &lines, creditSQL, d.FranchiserID, d.OrderID, addOn, printed); err != nil {
		return nil, fmt.Errorf("find invoice line of a delivery: %w", err)
	}
	return lines, nil
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
	dropFilesSQL  = `DELETE FROM delivery_files WHERE franchiser_id = $1`
)

func (store) erase(ctx context.Context, tx *sqlx.Tx, franchiserID string, now time.Time) error {
	if _, err := tx.ExecContext(ctx, endAllSQL, franchiserID, now); err != nil {
		return fmt.Errorf("end deliveries: %w", err)
	}
	if _, err := tx.ExecContext(ctx, blankNotesSQL, franchiserID); err != nil {
		return fmt.Errorf("blank notes of deliveries: %w", err)
	}
	if _, err := tx.ExecContext(ctx, dropFilesSQL, franchiserID); err != nil {
		return fmt.Errorf("delete files of deliveries: %w", err)
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

// lateSQL marks late deliveries whose lateness was not recorded. $1 is today, $2 now, $3 the number of rows.
const lateSQL = `
	WITH due AS (
		SELECT d.id FROM deliveries d
		WHERE d.state IN ('planned', 'in_progress') AND d.promised_on < $1 AND d.late_on IS DISTINCT FROM d.promised_on
		ORDER BY d.promised_on, d.id LIMIT $3
		FOR NO KEY UPDATE OF d SKIP LOCKED
	), marked AS (
		UPDATE deliveries d SET late_on = d.promised_on FROM due WHERE d.id = due.id RETURNING d.id, d.franchiser_id, d.state, d.promised_on
	), history AS (
		INSERT INTO delivery_events (franchiser_id, delivery_id, kind, from_state, to_state, actor, at)
		SELECT m.franchiser_id, m.id, 'late', m.state, m.state, 'product', $2 FROM marked m
	)
	SELECT count(*) FROM marked`

func (store) markLate(ctx context.Context, tx *sqlx.Tx, now time.Time, limit int) (int, error) {
	var n int
	if err := tx.GetContext(ctx, &n, lateSQL, subscription.DayOf(now), now, limit); err != nil {
		return 0, fmt.Errorf("mark late deliveries: %w", err)
	}
	return n, nil
}

// remindSQL counts the reminders of deliveries that wait for their customer, at most two each. $1 is today, $2 now, $3 the number of rows, and
// $4 and $5 the working days of waiting before each reminder.
const remindSQL = `
	WITH due AS (
		SELECT d.id FROM deliveries d
		WHERE d.state = 'waiting_for_customer' AND d.reminders < 2 AND d.waiting_since <= $1::date - $4::int
			AND working_days_until(d.waiting_since, $1) >= CASE d.reminders WHEN 0 THEN $4::int ELSE $5::int END
		ORDER BY d.promised_on, d.id LIMIT $3
		FOR NO KEY UPDATE OF d SKIP LOCKED
	), counted AS (
		UPDATE deliveries d SET reminders = d.reminders + 1 FROM due WHERE d.id = due.id RETURNING d.id, d.franchiser_id, d.state
	), history AS (
		INSERT INTO delivery_events (franchiser_id, delivery_id, kind, from_state, to_state, actor, at)
		SELECT c.franchiser_id, c.id, 'reminded', c.state, c.state, 'product', $2 FROM counted c
	)
	SELECT count(*) FROM counted`

func (store) remind(ctx context.Context, tx *sqlx.Tx, now time.Time, limit int) (int, error) {
	var n int
	if err := tx.GetContext(ctx, &n, remindSQL, subscription.DayOf(now), now, limit, firstReminder, secondReminder); err != nil {
		return 0, fmt.Errorf("remind customers of deliveries: %w", err)
	}
	return n, nil
}

// digestSQL collects the events of which customers were not told, in one digest for each customer and topic. Events after the digest of a
// day wait for the next day. $1 is today, $2 the number of digests.
const digestSQL = `
	WITH due AS MATERIALIZED (
		SELECT n.franchiser_id, n.topic, uuidv7() AS digest FROM (
			SELECT DISTINCT e.franchiser_id, e.topic FROM delivery_events e
			WHERE e.topic IS NOT NULL AND e.digest IS NULL AND NOT EXISTS (SELECT FROM delivery_events t
				WHERE t.franchiser_id = e.franchiser_id AND t.topic = e.topic AND t.digest_on = $1)
			LIMIT $2) n
	), told AS (
		UPDATE delivery_events e SET digest = d.digest, digest_on = $1 FROM due d
		WHERE e.franchiser_id = d.franchiser_id AND e.topic = d.topic AND e.digest IS NULL
		RETURNING e.franchiser_id, e.topic, e.digest
	)
	SELECT DISTINCT franchiser_id, topic, digest FROM told`

// digest is one message to a customer: the news of one topic on one day.
type digest struct {
	FranchiserID string `db:"franchiser_id"`
	Topic        topic  `db:"topic"`
	ID           string `db:"digest"`
}

func (store) digests(ctx context.Context, tx *sqlx.Tx, today subscription.Day, limit int) ([]digest, error) {
	var list []digest
	if err := tx.SelectContext(ctx, &list, digestSQL, today, limit); err != nil {
		return nil, fmt.Errorf("collect news of deliveries: %w", err)
	}
	return list, nil
}
