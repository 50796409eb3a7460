package subscription

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

type store struct{ db *sqlx.DB }

// The lock is per franchiser; the statement after it sees what the previous holder committed.
// lockNumber is the number of the lock in lockSQL.
const lockNumber = 360

const lockSQL = `SELECT set_config('app.franchiser_id', $1, true), pg_advisory_xact_lock(hashtextextended($1, 360))`

const erasingSQL = `SELECT EXISTS (SELECT FROM person_overview WHERE franchiser_id = $1 AND erasure_requested_at IS NOT NULL)`

func (store) stays(ctx context.Context, tx *sqlx.Tx, franchiserID string) error {
	var erasing bool
	if err := tx.GetContext(ctx, &erasing, erasingSQL, franchiserID); err != nil {
		return fmt.Errorf("look for an erasure: %w", err)
	}
	if erasing {
		return ErrErasureScheduled
	}
	return nil
}

const subscriptionColumns = `id, franchiser_id, state, revision, catalogue_revision, plan_id, service_id, plan_type,
	anchor_day, starts_on, renew_on, paid_until, trial, grace_extra, expired_on, revoked, next_service_id, next_plan_type,
	next_add_on_ids, next_order_id`

// subscriptionRow is a row of the table, from a query or from JSON.
type subscriptionRow struct {
	ID                string         `db:"id"                 json:"id"`
	FranchiserID      string         `db:"franchiser_id"      json:"franchiser_id"`
	State             State          `db:"state"              json:"state"`
	Revision          int            `db:"revision"           json:"revision"`
	CatalogueRevision int            `db:"catalogue_revision" json:"catalogue_revision"`
	PlanID            string         `db:"plan_id"            json:"plan_id"`
	ServiceID         string         `db:"service_id"         json:"service_id"`
	Type              plan.Type      `db:"plan_type"          json:"plan_type"`
	AnchorDay         int            `db:"anchor_day"         json:"anchor_day"`
	StartsOn          Day            `db:"starts_on"          json:"starts_on"`
	RenewOn           Day            `db:"renew_on"           json:"renew_on"`
	PaidUntil         Day            `db:"paid_until"         json:"paid_until"`
	Trial             bool           `db:"trial"              json:"trial"`
	GraceExtra        int            `db:"grace_extra"        json:"grace_extra"`
	ExpiredOn         Day            `db:"expired_on"         json:"expired_on"`
	Revoked           bool           `db:"revoked"            json:"revoked"`
	NextServiceID     *string        `db:"next_service_id"    json:"next_service_id"`
	NextType          *plan.Type     `db:"next_plan_type"     json:"next_plan_type"`
	NextAddOnIDs      pq.StringArray `db:"next_add_on_ids"    json:"next_add_on_ids"`
	NextOrderID       *string        `db:"next_order_id"      json:"next_order_id"`
}

// subscription returns nil for no row. The four columns of a pending change are set together.
func (r *subscriptionRow) subscription() *Subscription {
	if r == nil {
		return nil
	}
	s := &Subscription{
		ID: r.ID, FranchiserID: r.FranchiserID, State: r.State, Revision: r.Revision, CatalogueRevision: r.CatalogueRevision,
		PlanID: r.PlanID, ServiceID: r.ServiceID, Type: r.Type, AnchorDay: r.AnchorDay, StartsOn: r.StartsOn,
		RenewOn: r.RenewOn, PaidUntil: r.PaidUntil, Trial: r.Trial, GraceExtra: r.GraceExtra, ExpiredOn: r.ExpiredOn, Revoked: r.Revoked,
	}
	if r.NextServiceID != nil && r.NextType != nil && r.NextOrderID != nil {
		s.Next = &Change{ServiceID: *r.NextServiceID, Type: *r.NextType, AddOnIDs: r.NextAddOnIDs, OrderID: *r.NextOrderID}
	}
	return s
}

const subscriptionSQL = `SELECT ` + subscriptionColumns + ` FROM subscriptions WHERE franchiser_id = $1`

// subscription returns the franchiser's subscription, nil before the first plan.
func (store) subscription(ctx context.Context, tx *sqlx.Tx, franchiserID string) (*Subscription, error) {
	return getSubscription(ctx, tx, subscriptionSQL, franchiserID)
}

// lockedSubscription is subscription with the row locked against the sweeps until the transaction ends.
func (store) lockedSubscription(ctx context.Context, tx *sqlx.Tx, franchiserID string) (*Subscription, error) {
	return getSubscription(ctx, tx, subscriptionSQL+` FOR NO KEY UPDATE`, franchiserID)
}

func getSubscription(ctx context.Context, tx *sqlx.Tx, query, franchiserID string) (*Subscription, error) {
	var r subscriptionRow
	err := tx.GetContext(ctx, &r, query, franchiserID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil // having no plan yet is not an error
	}
	if err != nil {
		return nil, fmt.Errorf("read subscription: %w", err)
	}
	return r.subscription(), nil
}

const addOnsSQL = `
	SELECT id, add_on_id, key, name, unit_limit, term_paise, starts_on, paid_until, next_billing_cycle_status, once
	FROM subscription_add_ons
	WHERE franchiser_id = $1 AND subscription_id = $2 AND ended_on IS NULL
	ORDER BY created_at, id`

// addOnRow is a row of the table, from a query or from JSON.
type addOnRow struct {
	ID        string      `db:"id"                        json:"id"`
	AddOnID   string      `db:"add_on_id"                 json:"add_on_id"`
	Key       string      `db:"key"                       json:"key"`
	Name      string      `db:"name"                      json:"name"`
	Limit     int         `db:"unit_limit"                json:"unit_limit"`
	Term      money.Paise `db:"term_paise"                json:"term_paise"`
	StartsOn  Day         `db:"starts_on"                 json:"starts_on"`
	PaidUntil Day         `db:"paid_until"                json:"paid_until"`
	Renews    int         `db:"next_billing_cycle_status" json:"next_billing_cycle_status"`
	Once      bool        `db:"once"                      json:"once"`
}

func addOnsOf(rows []addOnRow) []AddOn {
	list := make([]AddOn, 0, len(rows))
	for _, r := range rows {
		list = append(list, AddOn{
			ID: r.ID, AddOnID: r.AddOnID, Key: r.Key, Name: r.Name, Limit: r.Limit, Term: r.Term, StartsOn: r.StartsOn,
			PaidUntil: r.PaidUntil, Renews: r.Renews == 1, Once: r.Once,
		})
	}
	return list
}

// addOns lists the subscription's add-ons, including those that begin with the prepaid next term.
func (store) addOns(ctx context.Context, tx *sqlx.Tx, franchiserID, subscriptionID string) ([]AddOn, error) {
	var rows []addOnRow
	if err := tx.SelectContext(ctx, &rows, addOnsSQL, franchiserID, subscriptionID); err != nil {
		return nil, fmt.Errorf("read add-ons: %w", err)
	}
	return addOnsOf(rows), nil
}

const saveSubscriptionSQL = `
	INSERT INTO subscriptions (id, franchiser_id, state, revision, catalogue_revision, plan_id, service_id, plan_type,
		anchor_day, starts_on, renew_on, paid_until, trial, expired_on, due_on, next_service_id, next_plan_type,
		next_add_on_ids, next_order_id, created_at, updated_at, grace_extra, revoked)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $20, $21, $22)
	ON CONFLICT (franchiser_id) DO UPDATE SET state = excluded.state, revision = excluded.revision,
		catalogue_revision = excluded.catalogue_revision, plan_id = excluded.plan_id, service_id = excluded.service_id,
		plan_type = excluded.plan_type, anchor_day = excluded.anchor_day, starts_on = excluded.starts_on,
		renew_on = excluded.renew_on, paid_until = excluded.paid_until, trial = excluded.trial,
		expired_on = excluded.expired_on, due_on = excluded.due_on, next_service_id = excluded.next_service_id,
		next_plan_type = excluded.next_plan_type, next_add_on_ids = excluded.next_add_on_ids,
		next_order_id = excluded.next_order_id, updated_at = excluded.updated_at, grace_extra = excluded.grace_extra,
		revoked = excluded.revoked`

// saveSubscription writes the whole row. It saves running subscriptions only; the sweeps update the others.
func (store) saveSubscription(ctx context.Context, tx *sqlx.Tx, s Subscription, now time.Time) error {
	next := struct {
		service, typ, order any
		addOns              any
	}{}
	if s.Next != nil {
		next.service, next.typ, next.order, next.addOns = s.Next.ServiceID, string(s.Next.Type), s.Next.OrderID, pq.Array(s.Next.AddOnIDs)
	}
	_, err := tx.ExecContext(ctx, saveSubscriptionSQL, s.ID, s.FranchiserID, s.State, s.Revision, s.CatalogueRevision, s.PlanID,
		s.ServiceID, s.Type, s.AnchorDay, s.StartsOn, s.RenewOn, s.PaidUntil, s.Trial, s.ExpiredOn, s.dueOn(),
		next.service, next.typ, next.addOns, next.order, now, s.GraceExtra, s.Revoked)
	if err != nil {
		return fmt.Errorf("save subscription: %w", err)
	}
	return nil
}

// event is one line of a subscription's history.
type event struct {
	sub     Subscription
	kind    string
	from    State
	orderID string
	at      time.Time
}

const insertEventSQL = `
	INSERT INTO subscription_events (id, franchiser_id, subscription_id, at, kind, from_state, to_state, order_id)
	VALUES ($1, $2, $3, $4, $5, nullif($6, ''), $7, nullif($8, '')::uuid)`

func (store) insertEvent(ctx context.Context, tx *sqlx.Tx, e event) error {
	_, err := tx.ExecContext(ctx, insertEventSQL, id.New(), e.sub.FranchiserID, e.sub.ID, e.at, e.kind, e.from, e.sub.State, e.orderID)
	if err != nil {
		return fmt.Errorf("insert subscription event: %w", err)
	}
	return nil
}
