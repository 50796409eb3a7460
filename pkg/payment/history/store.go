package history

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/internal/store"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// The ids of a page come from the index alone; everything else is joined to those few rows. position() searches for the text literally,
// without wildcards. Statements are prepared, so each optional condition gets a separate statement: as a condition that is always true
// it would make Postgres fetch every row that the page skips.
const (
	searchOrders = `(position($2 IN o.search) > 0
		OR EXISTS (SELECT FROM payments p LEFT JOIN document_overview i ON i.payment_id = p.id
			WHERE p.order_id = o.id AND (position($2 IN p.search) > 0 OR position($2 IN lower(i.number)) > 0)))`
	searchPayments = `(position($2 IN p.search) > 0
		OR EXISTS (SELECT FROM order_overview o WHERE o.id = p.order_id AND position($2 IN o.search) > 0)
		OR EXISTS (SELECT FROM document_overview i WHERE i.payment_id = p.id AND position($2 IN lower(i.number)) > 0))`
	searchNothing = `$2::text = ''`
	fromTheTop    = `$3::timestamptz IS NULL AND $4::uuid IS NULL`
)

// pageSQL selects the ids of $6 rows, skipping $5, from the top or after the row of $3 and $4. The alias is the first
// letter of the table's name.
func pageSQL(table, search string, q Query) string {
	t, after := table[:1], fromTheTop
	if q.After != nil {
		after = fmt.Sprintf(`(%[1]s.created_at, %[1]s.id) < ($3::timestamptz, $4::uuid)`, t)
	}
	return fmt.Sprintf(`SELECT %[1]s.id FROM %[2]s %[1]s WHERE %[1]s.franchiser_id = $1 AND %[3]s AND %[4]s
		ORDER BY %[1]s.created_at DESC, %[1]s.id DESC OFFSET $5 LIMIT $6`, t, table, searchOr(search, q), after)
}

// countSQL counts the rows up to CountCap.
func countSQL(table, search string, q Query) string {
	return fmt.Sprintf(`SELECT count(*) FROM (SELECT FROM %[2]s %[1]s WHERE %[1]s.franchiser_id = $1 AND %[3]s LIMIT %[4]d) capped`,
		table[:1], table, searchOr(search, q), payment.CountCap)
}

// withCountSQL adds the total to each row of the page, in the same round trip.
func withCountSQL(table, search string, q Query, rows string) string {
	return `WITH page AS (` + pageSQL(table, search, q) + `), counted AS MATERIALIZED (` + countSQL(table, search, q) + `) ` + rows
}

// countBeside counts all rows for a page without rows, which therefore has no total.
func countBeside(ctx context.Context, tx *sqlx.Tx, table, search, franchiserID string, q Query) (total int, err error) {
	if q.Offset == 0 && q.After == nil {
		return 0, nil
	}
	if err := tx.GetContext(ctx, &total, countSQL(table, search, q), franchiserID, q.Search); err != nil {
		return 0, fmt.Errorf("count %s: %w", table, err)
	}
	return total, nil
}

const totalColumn = `, (SELECT count FROM counted) AS total`

func searchOr(search string, q Query) string {
	if q.Search == "" {
		return searchNothing
	}
	return search
}

func (q Query) pageArgs(franchiserID string) []any {
	var at, id any
	if q.After != nil {
		at, id = q.After.At, q.After.ID
	}
	return []any{franchiserID, q.Search, at, id, q.Offset, q.Limit}
}

// ordersSQL reads the rows of a page.
func ordersSQL() string {
	return `
		SELECT o.id, o.kind, o.state, o.plan_id, o.service_id, o.plan_name, o.service_name, o.plan_type, o.add_on_ids,
			o.add_on_names, coalesce(o.subscription_id::text, '') AS subscription_id, o.payable_paise AS total_paise,
			coalesce(o.list_paise, 0) AS list_paise, o.effective_on, o.renew_on,
			o.created_at, o.paid_at, coalesce(o.term, '') AS term, o.term_from, o.term_to, o.replaced_on, o.revoked_at,
			coalesce(o.subscription_state, '') AS sub_state,
			coalesce(p.transaction_id, '') AS transaction_id, coalesce(i.id::text, '') AS invoice_id,
			coalesce(i.number, '') AS invoice_number, coalesce(p.back, '{}') AS back,
			coalesce(p.state, '') AS payment_state, coalesce(p.surplus, false) AS surplus, coalesce(p.reason, '') AS reason` + totalColumn + `
		FROM page JOIN order_overview o ON o.id = page.id
		LEFT JOIN LATERAL (
			SELECT p.id, p.transaction_id, p.state, p.surplus, p.reason, ` + returnedSQL + ` AS back FROM payments p WHERE p.order_id = o.id
			ORDER BY (p.state IN ('paid', 'refunded') AND NOT p.surplus) DESC, (p.state = 'held' AND NOT p.surplus) DESC, p.created_at DESC
			LIMIT 1
		) p ON true
		LEFT JOIN document_overview i ON i.payment_id = p.id AND i.kind = 'invoice' AND NOT i.replaced
		ORDER BY o.created_at DESC, o.id DESC`
}

type orderRow struct {
	ID             string                  `db:"id"`
	Kind           subscription.Kind       `db:"kind"`
	State          subscription.OrderState `db:"state"`
	PlanID         string                  `db:"plan_id"`
	ServiceID      string                  `db:"service_id"`
	PlanName       string                  `db:"plan_name"`
	ServiceName    string                  `db:"service_name"`
	Type           plan.Type               `db:"plan_type"`
	AddOnIDs       pq.StringArray          `db:"add_on_ids"`
	AddOnNames     pq.StringArray          `db:"add_on_names"`
	SubscriptionID string                  `db:"subscription_id"`
	Total          money.Paise             `db:"total_paise"`
	List           money.Paise             `db:"list_paise"`
	EffectiveOn    subscription.Day        `db:"effective_on"`
	RenewOn        subscription.Day        `db:"renew_on"`
	CreatedAt      time.Time               `db:"created_at"`
	PaidAt         sql.NullTime            `db:"paid_at"`
	Term           subscription.TermStatus `db:"term"`
	SubState       subscription.State      `db:"sub_state"`
	TransactionID  string                  `db:"transaction_id"`
	InvoiceID      string                  `db:"invoice_id"`
	InvoiceNumber  string                  `db:"invoice_number"`
	Back           returnedText            `db:"back"`
	PaymentState   payment.State           `db:"payment_state"`
	Surplus        bool                    `db:"surplus"`
	Reason         string                  `db:"reason"`
	TermFrom       subscription.Day        `db:"term_from"`
	TermTo         subscription.Day        `db:"term_to"`
	ReplacedOn     subscription.Day        `db:"replaced_on"`
	RevokedAt      sql.NullTime            `db:"revoked_at"`
	Listed         int                     `db:"total"`
}

// endsOn is the last day of the paid order's purchase, zero if it never began.
func (r orderRow) endsOn() subscription.Day {
	over := r.ReplacedOn
	if r.RevokedAt.Valid {
		if on := subscription.DayOf(r.RevokedAt.Time); over == 0 || on < over {
			over = on
		}
	}
	switch {
	case r.Term == subscription.TermEnded:
		return r.TermTo - 1
	case r.Term == subscription.TermReplaced && over < r.TermFrom:
		return 0
	case r.Term == subscription.TermReplaced:
		return max(over-1, r.TermFrom)
	case r.RevokedAt.Valid || r.ReplacedOn != 0:
		return max(over-1, r.EffectiveOn)
	default:
		return r.RenewOn - 1
	}
}

func (r orderRow) order(providers payment.Providers, today subscription.Day) (OrderRow, error) {
	back, err := r.Back.returned(providers)
	if err != nil {
		return OrderRow{}, err
	}
	o := OrderRow{
		ID: r.ID, Kind: r.Kind, PlanID: r.PlanID, ServiceID: r.ServiceID, PlanName: r.PlanName, ServiceName: r.ServiceName,
		Type: r.Type, AddOnIDs: r.AddOnIDs, AddOnNames: r.AddOnNames, SubscriptionID: r.SubscriptionID,
		TransactionID: r.TransactionID, InvoiceID: r.InvoiceID, InvoiceNumber: r.InvoiceNumber, Total: r.Total, List: r.List, Returned: back,
		Place: Cursor{At: r.CreatedAt.UTC(), ID: r.ID}, PurchasedOn: subscription.DayOf(r.CreatedAt), Status: orderStatus(r.State, r.Term, r.SubState, r.RenewOn, today),
	}
	if r.PaymentState != "" {
		of := Result{Row: Row{Payment: payment.Payment{State: r.PaymentState, Surplus: r.Surplus, Reason: r.Reason}, Returned: back}, OrderPaid: r.State == subscription.OrderPaid}
		o.PaymentState, o.Reason, _ = of.Outcome()
		o.Cancelled = of.Cancelled()
	}
	switch {
	case r.PaymentState == payment.StateHeld && !r.Surplus && !r.PaidAt.Valid:
		o.Status = orderHeld
	case r.PaymentState == payment.StatePending && r.State == subscription.OrderOpen:
		o.Status = orderPending
	case r.RevokedAt.Valid:
		o.Status = orderRefunded
	case r.Term == "" && r.ReplacedOn != 0: // add-ons that an upgrade took over
		o.Status = orderReplaced
	}
	if r.PaidAt.Valid {
		o.PurchasedOn, o.EndsOn = subscription.DayOf(r.PaidAt.Time), r.endsOn()
		renews := r.Term == subscription.TermCurrent || r.Term == subscription.TermScheduled
		if renews && r.Kind != subscription.KindTrial { // a trial ends; another order follows it
			o.RenewsOn = r.RenewOn
		}
	}
	return o, nil
}

func listOrders(ctx context.Context, tx *sqlx.Tx, providers payment.Providers, franchiserID string, q Query, today subscription.Day) ([]OrderRow, int, error) {
	var rows []orderRow
	query := withCountSQL("order_overview", searchOrders, q, ordersSQL())
	if err := tx.SelectContext(ctx, &rows, query, q.pageArgs(franchiserID)...); err != nil {
		return nil, 0, fmt.Errorf("list orders: %w", err)
	}
	if len(rows) == 0 {
		total, err := countBeside(ctx, tx, "order_overview", searchOrders, franchiserID, q)
		return []OrderRow{}, total, err
	}
	list := make([]OrderRow, 0, len(rows))
	for _, r := range rows {
		o, err := r.order(providers, today)
		if err != nil {
			return nil, 0, err
		}
		list = append(list, o)
	}
	return list, rows[0].Listed, nil
}

func paymentColumns() string {
	return `p.id, p.franchiser_id, p.order_id, p.transaction_id, p.gateway,
		coalesce(p.gateway_reference, '') AS gateway_reference, coalesce(p.gateway_payment_id, '') AS gateway_payment_id,
		p.state, p.amount_paise, coalesce(p.captured_paise, 0) AS captured_paise, p.method, p.slug, p.reason, p.surplus, p.checks, p.next_check_at, p.created_at, p.decided_at,
		o.kind, o.pg_charge_paise, coalesce(i.id::text, '') AS invoice_id, coalesce(i.number, '') AS invoice_number, ` + returnedSQL + ` AS back`
}

func paymentsSQL() string {
	return `
		SELECT ` + paymentColumns() + totalColumn + `
		FROM page JOIN payments p ON p.id = page.id JOIN order_overview o ON o.id = p.order_id
		LEFT JOIN document_overview i ON i.payment_id = p.id AND i.kind = 'invoice' AND NOT i.replaced
		ORDER BY p.created_at DESC, p.id DESC`
}

func resultSQL() string {
	return `
		SELECT ` + paymentColumns() + `, o.plan_id, o.plan_name, o.plan_type, o.service_id, o.add_on_ids, o.state = 'paid' AS order_paid,
			EXISTS (SELECT FROM store_overview t WHERE t.franchiser_id = p.franchiser_id) AS has_store,
			coalesce((SELECT e.status FROM payment_events e WHERE e.payment_id = p.id AND e.source = 'callback' AND e.kind = 'payment'
				ORDER BY e.received_at DESC, e.id DESC LIMIT 1), '') AS returned,
			EXISTS (SELECT FROM payment_events e WHERE e.payment_id = p.id AND e.source = 'poll') AS answered
		FROM payments p JOIN order_overview o ON o.id = p.order_id
		LEFT JOIN document_overview i ON i.payment_id = p.id AND i.kind = 'invoice' AND NOT i.replaced
		WHERE p.franchiser_id = $1 AND p.transaction_id = $2`
}

type listRow struct {
	store.Row
	Kind          subscription.Kind `db:"kind"`
	PGCharge      money.Paise       `db:"pg_charge_paise"`
	InvoiceID     string            `db:"invoice_id"`
	InvoiceNumber string            `db:"invoice_number"`
	Back          returnedText      `db:"back"`
}

func (r listRow) line(providers payment.Providers) (Row, error) {
	back, err := r.Back.returned(providers)
	return Row{
		Payment: r.Payment(), Kind: r.Kind, PGCharge: r.PGCharge, InvoiceID: r.InvoiceID, InvoiceNumber: r.InvoiceNumber, Returned: back,
	}, err
}

func listPayments(ctx context.Context, tx *sqlx.Tx, providers payment.Providers, franchiserID string, q Query) ([]Row, int, error) {
	var rows []struct {
		listRow

		Listed int `db:"total"`
	}
	query := withCountSQL("payments", searchPayments, q, paymentsSQL())
	if err := tx.SelectContext(ctx, &rows, query, q.pageArgs(franchiserID)...); err != nil {
		return nil, 0, fmt.Errorf("list payments: %w", err)
	}
	if len(rows) == 0 {
		total, err := countBeside(ctx, tx, "payments", searchPayments, franchiserID, q)
		return []Row{}, total, err
	}
	list := make([]Row, 0, len(rows))
	for _, r := range rows {
		line, err := r.line(providers)
		if err != nil {
			return nil, 0, err
		}
		list = append(list, line)
	}
	return list, rows[0].Listed, nil
}

// FindResult reads a transaction of the franchiser with its order, or nil.
func FindResult(ctx context.Context, tx *sqlx.Tx, providers payment.Providers, franchiserID, transactionID string) (*Result, error) {
	var r struct {
		listRow
		PlanID    string         `db:"plan_id"`
		PlanName  string         `db:"plan_name"`
		PlanType  plan.Type      `db:"plan_type"`
		ServiceID string         `db:"service_id"`
		AddOnIDs  pq.StringArray `db:"add_on_ids"`
		HasStore  bool           `db:"has_store"`
		OrderPaid bool           `db:"order_paid"`

		LastReturn payment.Status `db:"returned"`
		Answered   bool           `db:"answered"`
	}
	err := tx.GetContext(ctx, &r, resultSQL(), franchiserID, transactionID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil // the caller knows what no payment means
	}
	if err != nil {
		return nil, fmt.Errorf("read transaction: %w", err)
	}
	line, err := r.line(providers)
	if err != nil {
		return nil, err
	}
	return &Result{
		Row: line, PlanID: r.PlanID, PlanName: r.PlanName, PlanType: r.PlanType, ServiceID: r.ServiceID,
		AddOnIDs: r.AddOnIDs, HasStore: r.HasStore, OrderPaid: r.OrderPaid, returned: r.LastReturn, answered: r.Answered,
	}, nil
}
