package payment

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"
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
	rows, err := store{}.exported(ctx, tx, franchiserID)
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
	return store{}.erase(ctx, tx, franchiserID)
}

// MoveTx does nothing: payments hold no mobile number.
func (PersonalData) MoveTx(context.Context, *sqlx.Tx, string, string) error { return nil }
