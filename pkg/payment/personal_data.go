package payment

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// PersonalData exports orders and payments, and blanks the address of unpaid orders.
type PersonalData struct{}

// exported is an order with its payment as shown in a data export; the amount is decimal rupees.
type exported struct {
	OrderedAt     time.Time  `json:"ordered_at"`
	Plan          string     `json:"plan"`
	Kind          string     `json:"kind"`
	Billing       string     `json:"billing"`
	Total         string     `json:"total"`
	OrderState    string     `json:"order_state"`
	TransactionID string     `json:"transaction_id,omitempty"`
	PaymentState  string     `json:"payment_state,omitempty"`
	PaidBy        string     `json:"paid_by,omitempty"`
	PaidAt        *time.Time `json:"paid_at,omitempty"`
}

// ExportTx returns the franchiser's orders and payments under the section "orders", or nil.
func (PersonalData) ExportTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (section string, data any, err error) {
	section = "orders"
	rows, err := exportedTx(ctx, tx, franchiserID)
	if err != nil || len(rows) == 0 {
		return section, nil, err
	}
	list := make([]exported, 0, len(rows))
	for _, r := range rows {
		e := exported{
			OrderedAt: r.CreatedAt.UTC(), Plan: r.PlanName + " · " + r.ServiceName, Kind: r.Kind, Billing: r.Type,
			Total: r.Total.Decimal(), OrderState: r.State, TransactionID: r.TransactionID, PaymentState: r.PaymentState,
			PaidBy: r.Slug,
		}
		if r.PaidAt.Valid {
			at := r.PaidAt.Time.UTC()
			e.PaidAt = &at
		}
		list = append(list, e)
	}
	return section, list, nil
}

// EraseTx cancels unpaid orders and blanks their address; paid ones are kept with their documents, as the law requires
// (section 36, CGST Act 2017). A later capture for a cancelled order is refunded.
func (PersonalData) EraseTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) error {
	return eraseTx(ctx, tx, franchiserID)
}

// MoveTx does nothing: payments hold no mobile number.
func (PersonalData) MoveTx(context.Context, *sqlx.Tx, string, string) error { return nil }

const (
	exportedSQL = `
		SELECT o.created_at, o.plan_name, o.service_name, o.kind, o.plan_type, o.payable_paise AS total_paise, o.state, o.paid_at,
			coalesce(p.transaction_id, '') AS transaction_id, coalesce(p.state, '') AS payment_state, coalesce(p.slug, '') AS slug
		FROM order_overview o LEFT JOIN payments p ON p.order_id = o.id
		WHERE o.franchiser_id = $1 ORDER BY o.created_at, o.id, p.created_at`
	eraseKeysSQL = `DELETE FROM idempotency_keys WHERE franchiser_id = $1`
)

type exportedRow struct {
	CreatedAt     time.Time    `db:"created_at"`
	PlanName      string       `db:"plan_name"`
	ServiceName   string       `db:"service_name"`
	Kind          string       `db:"kind"`
	Type          string       `db:"plan_type"`
	Total         money.Paise  `db:"total_paise"`
	State         string       `db:"state"`
	PaidAt        sql.NullTime `db:"paid_at"`
	TransactionID string       `db:"transaction_id"`
	PaymentState  string       `db:"payment_state"`
	Slug          string       `db:"slug"`
}

func exportedTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) ([]exportedRow, error) {
	var rows []exportedRow
	if err := tx.SelectContext(ctx, &rows, exportedSQL, franchiserID); err != nil {
		return nil, fmt.Errorf("export orders: %w", err)
	}
	return rows, nil
}

func eraseTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) error {
	if _, err := tx.ExecContext(ctx, eraseKeysSQL, franchiserID); err != nil {
		return fmt.Errorf("erase idempotency keys: %w", err)
	}
	return subscription.EraseOrdersTx(ctx, tx, franchiserID)
}
