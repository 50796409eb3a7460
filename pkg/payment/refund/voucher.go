package refund

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// returnedTx issues the refund voucher of held money once all of it is back. Other money has no receipt voucher, nor does a second
// capture of the same payment.
func (s *Service) returnedTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment, r Refund, now time.Time) error {
	if !p.Surplus || r.GatewayPaymentID != p.GatewayPaymentID {
		return nil
	}
	if back, err := backTx(ctx, tx, p); err != nil || back < p.Captured {
		return err
	}
	_, err := s.invoices.IssueRefundVoucherTx(ctx, tx, p.FranchiserID, p.ID, r.ID, r.receipt(p, now), now)
	if err != nil && !errors.Is(err, invoice.ErrNotFound) {
		return errs.Internal(fmt.Errorf("issue refund voucher: %w", err))
	}
	return nil
}
