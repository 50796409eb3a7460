package subscription

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// An order and its lines are inserted in one statement. The previous open order is superseded first: an insert that selects
// from the update cannot run before it.
const insertOrderSQL = `
	WITH aside AS (
		UPDATE orders SET state = 'superseded' WHERE franchiser_id = $2 AND state = 'open' AND $4 = 'open' RETURNING id
	), placed AS (
		INSERT INTO orders (id, franchiser_id, kind, state, fingerprint, subscription_id, base_revision, catalogue_revision,
			plan_id, service_id, plan_name, service_name, plan_type, add_on_ids, add_on_names, effective_on, renew_on, recipient,
			taxable_paise, cgst_paise, sgst_paise, utgst_paise, igst_paise, total_paise, pg_charge_paise, search, created_at, paid_at, by_staff)
		SELECT $1, $2, $3, $4, $5, nullif($6, '')::uuid, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18::jsonb,
			$19, $20, $21, $22, $23, $24, $25, $26, $27::timestamptz, CASE WHEN $4 = 'paid' THEN $27::timestamptz END, $29
		FROM (SELECT count(*) FROM aside) a
	)
	INSERT INTO order_lines (order_id, franchiser_id, position, kind, add_on_id, label, sac, rate_bps, quantity, amount_paise,
		discount_paise, tax_paise, period_from, period_to, once)
	SELECT $1, $2, l.position, l.kind, l.add_on_id, l.label, l.sac, l.rate_bps, l.quantity, l.amount, l.discount,
		l.tax, l.period_from, l.period_to, l.once
	FROM jsonb_to_recordset($28::jsonb) AS l (position int, kind text, add_on_id uuid, label text, sac text, rate_bps int,
		quantity int, amount bigint, discount bigint, tax bigint, period_from date, period_to date, once boolean)`

type lineJSON struct {
	Position   int         `json:"position"`
	Kind       LineKind    `json:"kind"`
	AddOnID    *string     `json:"add_on_id"`
	Label      string      `json:"label"`
	SAC        string      `json:"sac"`
	RateBps    int64       `json:"rate_bps"`
	Quantity   int         `json:"quantity"`
	Amount     money.Paise `json:"amount"`
	Discount   money.Paise `json:"discount"`
	Tax        money.Paise `json:"tax"`
	PeriodFrom Day         `json:"period_from"`
	PeriodTo   Day         `json:"period_to"`
	Once       bool        `json:"once"`
}

func linesJSON(lines []Line) string {
	rows := make([]lineJSON, 0, len(lines))
	for i, l := range lines {
		row := lineJSON{
			Position: i + 1, Kind: l.Kind, Label: l.Label, SAC: l.SAC, RateBps: l.RateBps, Quantity: l.Quantity,
			Amount: l.Amount, Discount: l.Discount, Tax: l.Tax.Total(), PeriodFrom: l.From, PeriodTo: l.To, Once: l.Once,
		}
		if l.AddOnID != "" {
			row.AddOnID = &l.AddOnID
		}
		rows = append(rows, row)
	}
	text, _ := json.Marshal(rows) // strings and numbers always marshal
	return string(text)
}

func (s store) insertOrder(ctx context.Context, tx *sqlx.Tx, o Order, offer Offer) error {
	fingerprint := offer.fingerprint()
	names := make([]string, 0, len(offer.AddOns))
	for _, a := range offer.AddOns {
		names = append(names, a.Name)
	}
	var recipient any
	if offer.PlaceKnown() {
		recipient = string(offer.recipientJSON())
	}
	t := offer.Totals
	_, err := tx.ExecContext(ctx, insertOrderSQL, o.ID, o.FranchiserID, string(o.Kind), string(o.State), fingerprint[:],
		o.SubscriptionID, o.BaseRevision, o.CatalogueRevision, o.PlanID, o.ServiceID, o.PlanName, o.ServiceName, o.Type,
		pq.Array(o.AddOnIDs), pq.Array(names), o.EffectiveOn, o.RenewOn, recipient, t.Taxable, t.CGST, t.SGST, t.UTGST, t.IGST,
		t.Total, o.PGCharge, searchText(offer.Quote), o.CreatedAt, linesJSON(o.Lines), offer.byStaff)
	if err != nil {
		return fmt.Errorf("insert order: %w", err)
	}
	return s.insertCredits(ctx, tx, o)
}

const orderSQL = `
	SELECT id, franchiser_id, kind, state, coalesce(subscription_id::text, '') AS subscription_id, base_revision,
		catalogue_revision, plan_id, service_id, plan_name, service_name, plan_type, add_on_ids, effective_on, renew_on,
		coalesce(recipient, '{}') AS recipient, total_paise, pg_charge_paise, created_at,
		(SELECT jsonb_agg(jsonb_build_object('position', l.position, 'kind', l.kind, 'add_on_id', l.add_on_id, 'label', l.label,
			'sac', l.sac, 'rate_bps', l.rate_bps, 'quantity', l.quantity, 'amount', l.amount_paise,
			'discount', l.discount_paise, 'period_from', l.period_from, 'period_to', l.period_to, 'once', l.once)
			ORDER BY l.position)
		 FROM order_lines l WHERE l.franchiser_id = o.franchiser_id AND l.order_id = o.id) AS lines
	FROM orders o WHERE franchiser_id = $1 AND id = $2`

// order reads an order with its lines, or errs.NotFound.
func (s store) order(ctx context.Context, tx *sqlx.Tx, franchiserID, orderID string) (Order, error) {
	var r struct {
		ID                string         `db:"id"`
		FranchiserID      string         `db:"franchiser_id"`
		Kind              Kind           `db:"kind"`
		State             OrderState     `db:"state"`
		SubscriptionID    string         `db:"subscription_id"`
		BaseRevision      int            `db:"base_revision"`
		CatalogueRevision int            `db:"catalogue_revision"`
		PlanID            string         `db:"plan_id"`
		ServiceID         string         `db:"service_id"`
		PlanName          string         `db:"plan_name"`
		ServiceName       string         `db:"service_name"`
		Type              plan.Type      `db:"plan_type"`
		AddOnIDs          pq.StringArray `db:"add_on_ids"`
		EffectiveOn       Day            `db:"effective_on"`
		RenewOn           Day            `db:"renew_on"`
		Recipient         []byte         `db:"recipient"`
		Total             money.Paise    `db:"total_paise"`
		PGCharge          money.Paise    `db:"pg_charge_paise"`
		CreatedAt         time.Time      `db:"created_at"`
		Lines             []byte         `db:"lines"`
	}
	err := tx.GetContext(ctx, &r, orderSQL, franchiserID, orderID)
	if errors.Is(err, sql.ErrNoRows) {
		return Order{}, errs.NotFound()
	}
	if err != nil {
		return Order{}, fmt.Errorf("read order: %w", err)
	}
	o := Order{
		ID: r.ID, FranchiserID: r.FranchiserID, Kind: r.Kind, State: r.State, SubscriptionID: r.SubscriptionID,
		BaseRevision: r.BaseRevision, CatalogueRevision: r.CatalogueRevision, PlanID: r.PlanID, ServiceID: r.ServiceID,
		PlanName: r.PlanName, ServiceName: r.ServiceName, Type: r.Type, AddOnIDs: r.AddOnIDs, EffectiveOn: r.EffectiveOn,
		RenewOn: r.RenewOn, Total: r.Total, PGCharge: r.PGCharge, CreatedAt: r.CreatedAt.UTC(),
	}
	if err := json.Unmarshal(r.Recipient, &o.Recipient); err != nil {
		return Order{}, fmt.Errorf("decode recipient: %w", err)
	}
	var lines []lineJSON
	if r.Lines != nil {
		if err := json.Unmarshal(r.Lines, &lines); err != nil {
			return Order{}, fmt.Errorf("decode order lines: %w", err)
		}
	}
	for _, l := range lines {
		o.Lines = append(o.Lines, l.line())
	}
	if o.Kind == KindUpgrade {
		if o.Credits, err = s.credits(ctx, tx, franchiserID, orderID); err != nil {
			return Order{}, err
		}
	}
	return o, nil
}

func (l lineJSON) line() Line {
	out := Line{
		Kind: l.Kind, Label: l.Label, SAC: l.SAC, RateBps: l.RateBps, Quantity: l.Quantity, Amount: l.Amount,
		Discount: l.Discount, From: l.PeriodFrom, To: l.PeriodTo, Once: l.Once,
	}
	if l.AddOnID != nil {
		out.AddOnID = *l.AddOnID
	}
	return out
}

const endChangeSQL = `UPDATE orders SET state = $3 WHERE franchiser_id = $1 AND id = $2`

// endChange records the outcome of the order of a scheduled change.
func (store) endChange(ctx context.Context, tx *sqlx.Tx, franchiserID, orderID string, state OrderState) error {
	change := OrderScheduled
	if err := orderStates().Move(&change, state); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, endChangeSQL, franchiserID, orderID, string(change)); err != nil {
		return fmt.Errorf("end a change that waited: %w", err)
	}
	return nil
}

// While a change is scheduled, every renewal is priced with it.
const cancelRenewalsSQL = `
	UPDATE orders SET state = 'cancelled'
	WHERE franchiser_id = $1 AND kind = 'renewal' AND state IN ('open', 'superseded') AND created_at >= $2`

// cancelRenewals cancels the unpaid renewals requested after the order of a change.
func (store) cancelRenewals(ctx context.Context, tx *sqlx.Tx, change Order) error {
	if _, err := tx.ExecContext(ctx, cancelRenewalsSQL, change.FranchiserID, change.CreatedAt); err != nil {
		return fmt.Errorf("cancel renewals of a change: %w", err)
	}
	return nil
}

const eraseOrdersSQL = `
	UPDATE orders SET recipient = NULL, state = CASE WHEN state IN ('open', 'superseded') THEN 'cancelled' ELSE state END
	WHERE franchiser_id = $1 AND state <> 'paid'`

// EraseOrdersTx cancels unpaid orders and blanks the recipients of orders that were never paid.
func EraseOrdersTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) error {
	if _, err := tx.ExecContext(ctx, eraseOrdersSQL, franchiserID); err != nil {
		return fmt.Errorf("erase orders: %w", err)
	}
	return nil
}

// Each change of a subscription is a revision, and one purchase of add-ons is one change.
const boughtSinceSQL = `SELECT count(*) FROM orders WHERE franchiser_id = $1 AND kind = 'add_on' AND state = 'paid' AND base_revision >= $2`

// withAddOns returns the revision to compare with a renewal's order: the present one if only purchases of add-ons changed the
// subscription since the order, else the order's.
func (store) withAddOns(ctx context.Context, tx *sqlx.Tx, o Order, sub Subscription) (int, error) {
	if o.Kind != KindRenewal || o.BaseRevision >= sub.Revision {
		return o.BaseRevision, nil
	}
	var bought int
	if err := tx.GetContext(ctx, &bought, boughtSinceSQL, o.FranchiserID, o.BaseRevision); err != nil {
		return 0, fmt.Errorf("count add-ons bought since: %w", err)
	}
	if bought == sub.Revision-o.BaseRevision {
		return sub.Revision, nil
	}
	return o.BaseRevision, nil
}

const payOrderSQL = `
	WITH aside AS (
		UPDATE orders SET state = 'superseded' WHERE franchiser_id = $1 AND state = 'open' AND id <> $2
	), lines AS (
		UPDATE order_lines l SET label = n.label, rate_bps = n.rate_bps, amount_paise = n.amount, discount_paise = n.discount,
			tax_paise = n.tax, period_from = n.period_from, period_to = n.period_to
		FROM jsonb_to_recordset($14::jsonb) AS n (position int, label text, rate_bps int, amount bigint, discount bigint,
			tax bigint, period_from date, period_to date)
		WHERE l.franchiser_id = $1 AND l.order_id = $2 AND l.position = n.position
	)
	UPDATE orders SET state = $15, paid_at = $4, subscription_id = $3, effective_on = $5, renew_on = $6, taxable_paise = $7,
		cgst_paise = $8, sgst_paise = $9, utgst_paise = $10, igst_paise = $11, total_paise = $12, pg_charge_paise = $13, credit_paise = 0
	WHERE franchiser_id = $1 AND id = $2`

func (s store) payOrder(ctx context.Context, tx *sqlx.Tx, o Order, subscriptionID string, now time.Time) error {
	t := o.Totals
	_, err := tx.ExecContext(ctx, payOrderSQL, o.FranchiserID, o.ID, subscriptionID, now, o.EffectiveOn, o.RenewOn,
		t.Taxable, t.CGST, t.SGST, t.UTGST, t.IGST, t.Total, o.PGCharge, linesJSON(o.Lines), string(o.State))
	if err != nil {
		return fmt.Errorf("mark order paid: %w", err)
	}
	if o.Kind != KindUpgrade {
		return nil
	}
	return s.replaceCredits(ctx, tx, o)
}

const creditOrdersSQL = `
	UPDATE orders SET credited = true
	WHERE franchiser_id = $1 AND state = 'paid' AND NOT credited AND id <> $2`

// creditOrders records that the unused parts of all earlier orders were credited to this one.
func (store) creditOrders(ctx context.Context, tx *sqlx.Tx, o Order) error {
	if _, err := tx.ExecContext(ctx, creditOrdersSQL, o.FranchiserID, o.ID); err != nil {
		return fmt.Errorf("credit earlier orders: %w", err)
	}
	return nil
}
