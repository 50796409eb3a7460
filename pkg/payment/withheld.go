package payment

import (
	"context"
	"fmt"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/money"
)

// Withheld returns the part of a payment that the customer deducted as tax; transfer.Deductions implements it. Amounts are in paise.
type Withheld interface {
	// LeftTx returns the deducted tax that no refund has reversed.
	LeftTx(ctx context.Context, tx *sqlx.Tx, paymentID string) (money.Paise, error)
	// DeductedTx returns the deducted tax of payments, by payment, whatever refunds have taken back of it since.
	DeductedTx(ctx context.Context, tx *sqlx.Tx, paymentIDs []string) (map[string]money.Paise, error)
	// ReverseTx reverses amount of the deducted tax, and returns the parts of both taxes.
	ReverseTx(ctx context.Context, tx *sqlx.Tx, paymentID string, amount money.Paise) (tds, gstTDS money.Paise, err error)
}

const withheldSQL = `UPDATE refunds SET withheld_paise = $2 WHERE id = $1`

// reverseWithheldTx reverses the share of the deducted tax in a refund by bank: only money received is returned as money. The last
// refund takes the rest, so that the shares add up. It returns the parts of both taxes.
func (s *Service) reverseWithheldTx(ctx context.Context, tx *sqlx.Tx, p Payment, r Refund) (tds, gstTDS money.Paise, err error) {
	if p.Gateway != GatewayBank || r.GatewayPaymentID != p.GatewayPaymentID {
		return 0, 0, nil
	}
	left, err := s.withheld.LeftTx(ctx, tx, p.ID)
	if err != nil || left == 0 {
		return 0, 0, err
	}
	back, err := s.store.back(ctx, tx, p)
	if err != nil {
		return 0, 0, err
	}
	share := WithheldShare(left, r.Amount, p.Captured-(back-r.Amount))
	if tds, gstTDS, err = s.withheld.ReverseTx(ctx, tx, p.ID, share); err != nil {
		return 0, 0, err
	}
	if _, err := tx.ExecContext(ctx, withheldSQL, r.ID, tds+gstTDS); err != nil {
		return 0, 0, fmt.Errorf("note what was withheld of a refund: %w", err)
	}
	return tds, gstTDS, nil
}

// WithheldShare is the deducted tax in a refund of the given amount out of the remaining amount, rounded to the paisa.
func WithheldShare(withheld, refund, left money.Paise) money.Paise {
	return min(withheld.Prorate(int64(refund), int64(left)), withheld, refund)
}
