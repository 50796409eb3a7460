package payment

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"
)

// PersonalData exports what was ordered and paid, and blanks the address of orders that came to nothing.
type PersonalData struct{}

// exported is an order with its payment as a person's data export shows it; the amount is decimal rupees.
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

// ExportTx gives the franchiser's orders and payments under the section "orders"; nil without any.
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

// EraseTx cancels what is unpaid and blanks its address; what was paid is kept with its documents, as the law wants
// (section 36, CGST Act 2017). A capture that still comes for a cancelled order is given back.
func (PersonalData) EraseTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) error {
	return store{}.erase(ctx, tx, franchiserID)
}

// MoveTx changes nothing: payments name no mobile.
func (PersonalData) MoveTx(context.Context, *sqlx.Tx, string, string) error { return nil }
