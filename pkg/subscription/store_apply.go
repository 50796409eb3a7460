package subscription

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// ownedUnit is an add-on to be written, ended if EndedOn is set.
type ownedUnit struct {
	AddOn
	EndedOn Day
}

const insertTermSQL = `
	WITH before AS (
		UPDATE terms SET status = $12
		WHERE franchiser_id = $2 AND subscription_id = $3 AND status IN ('current', 'scheduled') AND $12 <> ''
		RETURNING id
	)
	INSERT INTO terms (id, franchiser_id, subscription_id, order_id, catalogue_revision, plan_id, service_id, plan_type,
		starts_on, renew_on, status)
	SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11 FROM (SELECT count(*) FROM before) b`

func (store) insertTerm(ctx context.Context, tx *sqlx.Tx, o Order, subscriptionID string, t term) error {
	_, err := tx.ExecContext(ctx, insertTermSQL, id.New(), o.FranchiserID, subscriptionID, o.ID, o.CatalogueRevision, o.PlanID,
		o.ServiceID, o.Type, t.From, t.To, string(t.Status), string(t.Before))
	if err != nil {
		return fmt.Errorf("insert term: %w", err)
	}
	return nil
}

const saveAddOnsSQL = `
	INSERT INTO subscription_add_ons (id, franchiser_id, subscription_id, order_id, add_on_id, key, name, unit_limit,
		term_paise, starts_on, paid_until, next_billing_cycle_status, ended_on, once, created_at)
	SELECT a.id, $1, $2, $3, a.add_on_id, a.key, a.name, a.unit_limit, a.term, a.starts_on, a.paid_until,
		a.renews::int, a.ended_on, a.once, $4
	FROM jsonb_to_recordset($5::jsonb) AS a (id uuid, add_on_id uuid, key text, name text, unit_limit int, term bigint,
		starts_on date, paid_until date, renews boolean, ended_on date, once boolean)
	ON CONFLICT (id) DO UPDATE SET name = excluded.name, unit_limit = excluded.unit_limit, term_paise = excluded.term_paise,
		paid_until = excluded.paid_until, next_billing_cycle_status = excluded.next_billing_cycle_status,
		ended_on = excluded.ended_on`

type unitJSON struct {
	ID        string      `json:"id"`
	AddOnID   string      `json:"add_on_id"`
	Key       string      `json:"key"`
	Name      string      `json:"name"`
	Limit     int         `json:"unit_limit"`
	Term      money.Paise `json:"term"`
	StartsOn  Day         `json:"starts_on"`
	PaidUntil Day         `json:"paid_until"`
	Renews    bool        `json:"renews"`
	EndedOn   *Day        `json:"ended_on"`
	Once      bool        `json:"once"`
}

// saveAddOns inserts new units and updates known ones; new units get this order's id.
func (store) saveAddOns(ctx context.Context, tx *sqlx.Tx, o Order, subscriptionID string, units []ownedUnit, now time.Time) error {
	if len(units) == 0 {
		return nil
	}
	rows := make([]unitJSON, 0, len(units))
	for _, u := range units {
		row := unitJSON{
			ID: u.ID, AddOnID: u.AddOnID, Key: u.Key, Name: u.Name, Limit: u.Limit, Term: u.Term, StartsOn: u.StartsOn,
			PaidUntil: u.PaidUntil, Renews: u.Renews, Once: u.Once,
		}
		if u.EndedOn != 0 {
			row.EndedOn = &u.EndedOn
		}
		rows = append(rows, row)
	}
	text, _ := json.Marshal(rows) // strings and numbers always marshal
	if _, err := tx.ExecContext(ctx, saveAddOnsSQL, o.FranchiserID, subscriptionID, o.ID, now, string(text)); err != nil {
		return fmt.Errorf("save add-ons: %w", err)
	}
	return nil
}

// advanceSQL moves due subscriptions one step through their life cycle, a whole batch per statement: into the prepaid next term,
// otherwise as in afterTime. It skips locked rows for the next run. The statement locks its rows, so their ctid is stable: an update by
// ctid costs the same in a table of any size. $1 today, $2 now, $3 maximum number of rows.
func advanceSQL(filter string) string {
	return `
	WITH due AS (
		SELECT s.ctid AS place, s.state, t.id AS term_id, t.catalogue_revision, t.plan_id, t.service_id, t.plan_type,
			t.starts_on AS term_starts_on, t.renew_on AS term_renew_on
		FROM subscriptions s LEFT JOIN terms t ON t.subscription_id = s.id AND t.status = 'scheduled'
		WHERE subscription_is_due(s.due_on, $1::date) AND ` + filter + `
		ORDER BY s.due_on LIMIT $3
		FOR NO KEY UPDATE OF s SKIP LOCKED
	), step AS (
		SELECT d.place, d.state, d.term_id, d.catalogue_revision, d.plan_id, d.service_id, d.plan_type, d.term_starts_on,
			d.term_renew_on,
			CASE WHEN d.term_id IS NOT NULL THEN 'active' ELSE ` + afterTimeSQL("d.state") + ` END AS next_state
		FROM due d
	), moved AS (
		UPDATE subscriptions s SET
			state = d.next_state,
			revision = s.revision + CASE WHEN d.term_id IS NOT NULL THEN 1 ELSE 0 END,
			catalogue_revision = coalesce(d.catalogue_revision, s.catalogue_revision),
			plan_id = coalesce(d.plan_id, s.plan_id),
			service_id = coalesce(d.service_id, s.service_id),
			plan_type = coalesce(d.plan_type, s.plan_type),
			starts_on = coalesce(d.term_starts_on, s.starts_on),
			renew_on = coalesce(d.term_renew_on, s.renew_on),
			expired_on = CASE d.next_state WHEN 'expired' THEN s.due_on WHEN 'lapsed' THEN s.expired_on END,
			due_on = CASE d.next_state
				WHEN 'active' THEN d.term_renew_on
				WHEN 'grace' THEN s.renew_on + ` + fmt.Sprint(GraceDays) + ` + s.grace_extra
				WHEN 'expired' THEN s.due_on + ` + fmt.Sprint(LapseDays) + ` END,
			updated_at = $2
		FROM step d WHERE s.ctid = d.place
		RETURNING s.id, s.franchiser_id, d.state AS from_state, s.state AS to_state, d.term_id
	), over AS (
		UPDATE terms t SET status = 'ended'
		FROM moved m WHERE t.subscription_id = m.id AND t.status = 'current' AND (m.term_id IS NOT NULL OR m.to_state = 'expired')
	), begun AS (
		UPDATE terms t SET status = 'current' FROM moved m WHERE t.id = m.term_id
	), history AS (
		INSERT INTO subscription_events (franchiser_id, subscription_id, at, kind, from_state, to_state)
		SELECT m.franchiser_id, m.id, $2, CASE WHEN m.term_id IS NOT NULL THEN 'next_term' ELSE m.to_state END,
			m.from_state, m.to_state
		FROM moved m
	)
	SELECT count(*) FROM moved`
}

// advance moves a batch of due subscriptions one step and returns how many.
func (store) advance(ctx context.Context, tx *sqlx.Tx, today Day, now time.Time, batch int) (int, error) {
	var moved int
	if err := tx.GetContext(ctx, &moved, advanceSQL("true"), today, now, batch); err != nil {
		return 0, fmt.Errorf("advance subscriptions: %w", err)
	}
	return moved, nil
}

// advanceOne brings the franchiser's subscription up to today, in case no sweep has run yet.
func (store) advanceOne(ctx context.Context, tx *sqlx.Tx, franchiserID string, today Day, now time.Time) error {
	for moved := 1; moved > 0; {
		if err := tx.GetContext(ctx, &moved, advanceSQL("s.franchiser_id = $4::uuid"), today, now, 1, franchiserID); err != nil {
			return fmt.Errorf("advance subscription: %w", err)
		}
	}
	return nil
}

const setAddOnSQL = `
	UPDATE subscription_add_ons SET next_billing_cycle_status = $3::int
	WHERE franchiser_id = $1 AND id = $2 AND ended_on IS NULL`

func (store) setAddOn(ctx context.Context, tx *sqlx.Tx, franchiserID, ownedID string, renews bool) error {
	status := 0
	if renews {
		status = 1
	}
	done, err := tx.ExecContext(ctx, setAddOnSQL, franchiserID, ownedID, status)
	if err != nil {
		return fmt.Errorf("set add-on: %w", err)
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return errs.NotFound() // the sweep ended it first
	}
	return nil
}

const scheduledTermSQL = `
	SELECT catalogue_revision, service_id, plan_type FROM terms WHERE franchiser_id = $1 AND subscription_id = $2 AND status = 'scheduled'`

type scheduledTerm struct {
	CatalogueRevision int       `db:"catalogue_revision"`
	ServiceID         string    `db:"service_id"`
	Type              plan.Type `db:"plan_type"`
}

func (store) scheduledTerm(ctx context.Context, tx *sqlx.Tx, franchiserID, subscriptionID string) (scheduledTerm, error) {
	var t scheduledTerm
	if err := tx.GetContext(ctx, &t, scheduledTermSQL, franchiserID, subscriptionID); err != nil {
		return t, fmt.Errorf("read next term: %w", err)
	}
	return t, nil
}

// endAddOnsSQL ends cancelled add-ons after their paid time. $1 today, $2 maximum number of rows.
const endAddOnsSQL = `
	WITH due AS (
		SELECT id FROM subscription_add_ons
		WHERE add_on_is_over(ended_on, next_billing_cycle_status, paid_until, $1::date)
		ORDER BY paid_until LIMIT $2
		FOR NO KEY UPDATE SKIP LOCKED
	), over AS (
		UPDATE subscription_add_ons a SET ended_on = a.paid_until FROM due d WHERE a.id = d.id RETURNING a.id
	)
	SELECT count(*) FROM over`

func (store) endAddOns(ctx context.Context, tx *sqlx.Tx, today Day, batch int) (int, error) {
	var ended int
	if err := tx.GetContext(ctx, &ended, endAddOnsSQL, today, batch); err != nil {
		return 0, fmt.Errorf("end add-ons: %w", err)
	}
	return ended, nil
}

const resumeTermSQL = `
	UPDATE terms SET status = 'current'
	WHERE franchiser_id = $1 AND subscription_id = $2 AND status = 'ended' AND renew_on = $3`

// resumeTerm makes the term current again when its grace resumes.
func (store) resumeTerm(ctx context.Context, tx *sqlx.Tx, sub Subscription) error {
	if _, err := tx.ExecContext(ctx, resumeTermSQL, sub.FranchiserID, sub.ID, sub.RenewOn); err != nil {
		return fmt.Errorf("resume term: %w", err)
	}
	return nil
}

// An order for add-ons ends its own units. An order for a term ends all units that outlast the kept days, its one-time add-ons, and the
// term: a pending term is replaced, a running one is cut short. Revoked items are never credited to an upgrade.
const revokeSQL = `
	WITH add_on AS (
		UPDATE subscription_add_ons SET ended_on = $5, paid_until = greatest($5::date, starts_on)
		WHERE franchiser_id = $1 AND subscription_id = $2 AND order_id = $3 AND ended_on IS NULL AND $4 = 'add_on'
			AND paid_until <= $6::date
	), cut AS (
		UPDATE subscription_add_ons SET paid_until = $5, ended_on = CASE WHEN starts_on >= $5::date OR once AND order_id = $3 THEN $5::date END
		WHERE franchiser_id = $1 AND subscription_id = $2 AND ended_on IS NULL AND paid_until > $5::date AND $4 <> 'add_on'
	), waits AS (
		UPDATE terms SET status = 'replaced'
		WHERE franchiser_id = $1 AND subscription_id = $2 AND status = 'scheduled' AND $4 <> 'add_on' RETURNING id
	), runs AS (
		UPDATE terms SET status = 'ended', renew_on = $5
		WHERE franchiser_id = $1 AND subscription_id = $2 AND status = 'current' AND $4 <> 'add_on'
			AND NOT EXISTS (SELECT FROM waits)
	)
	UPDATE orders SET credited = true
	WHERE franchiser_id = $1 AND state = 'paid' AND NOT credited
		AND (id = $3 OR $4 <> 'add_on' AND NOT EXISTS (SELECT FROM waits))`

func (store) revoke(ctx context.Context, tx *sqlx.Tx, o Order, sub Subscription, keep Day) error {
	if _, err := tx.ExecContext(ctx, revokeSQL, o.FranchiserID, sub.ID, o.ID, string(o.Kind), keep, o.RenewOn); err != nil {
		return fmt.Errorf("end what was bought: %w", err)
	}
	return nil
}

// eventRevoked is the history event of an order whose money was refunded.
const eventRevoked = "revoked"

// An upgrade or a switch takes over the rest of the term that it replaces, and of the terms that this term replaced earlier. A normally
// ended term in between breaks the chain.
const placeSQL = `
	SELECT coalesce(own.status, '') AS term,
		coalesce(run.kind IN ('upgrade', 'switch') AND NOT EXISTS (SELECT FROM terms t WHERE t.subscription_id = own.subscription_id
			AND t.status = 'ended' AND t.starts_on >= own.starts_on), false) AS upgraded,
		o.kind = 'add_on' AND o.credited OR EXISTS (SELECT FROM subscription_events e
			WHERE e.franchiser_id = o.franchiser_id AND e.order_id = o.id AND e.kind = '` + eventRevoked + `') AS over,
		coalesce(CASE WHEN run.credited THEN run.id END::text, '') AS unpaid, now.starts_on AS since
	FROM orders o LEFT JOIN terms own ON own.order_id = o.id
		LEFT JOIN terms now ON now.subscription_id = own.subscription_id AND now.status = 'current'
		LEFT JOIN orders run ON run.id = now.order_id
	WHERE o.franchiser_id = $1 AND o.id = $2`

func (store) termPlan(ctx context.Context, tx *sqlx.Tx, o Order) (termPlace, error) {
	var p termPlace
	if err := tx.GetContext(ctx, &p, placeSQL, o.FranchiserID, o.ID); err != nil {
		return p, fmt.Errorf("read what an order holds: %w", err)
	}
	return p, nil
}

const creditOrderSQL = `UPDATE orders SET credited = true WHERE franchiser_id = $1 AND id = $2`

// creditOrder marks the order's rest as credited.
func (store) creditOrder(ctx context.Context, tx *sqlx.Tx, o Order) error {
	if _, err := tx.ExecContext(ctx, creditOrderSQL, o.FranchiserID, o.ID); err != nil {
		return fmt.Errorf("credit order: %w", err)
	}
	return nil
}
