package payment

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// receivedTx issues the receipt voucher of held money, which is an advance (section 31(3)(d), CGST Act). A surplus gets no voucher: it is
// no advance, because nothing will be supplied for it. The caller has stored the payment; money in another currency gets no voucher in
// rupees.
func (s *Service) receivedTx(ctx context.Context, tx *sqlx.Tx, p Payment, o Outcome, now time.Time) error {
	if o.Currency != Currency || o.Amount < 1 {
		return nil
	}
	order, err := s.subscriptions.FindOrderTx(ctx, tx, p.FranchiserID, p.OrderID)
	if err != nil {
		return err
	}
	in := invoice.VoucherInput{
		FranchiserID: p.FranchiserID, PaymentID: p.ID, Recipient: order.Recipient,
		Description: "Advance received: subscription, " + order.Title(), Amount: o.Amount, IssuedAt: now,
		Receipt: invoice.Receipt{TransactionID: p.TransactionID, GatewayID: o.GatewayPaymentID, Method: o.Slug, PaidAt: now},
	}
	for _, l := range order.Lines {
		if in.SAC == "" {
			in.SAC = l.SAC
		}
		in.RateBps = max(in.RateBps, l.RateBps)
	}
	if _, err := s.invoices.IssueReceiptVoucherTx(ctx, tx, in); err != nil {
		return errs.Internal(fmt.Errorf("issue receipt voucher: %w", err))
	}
	return nil
}

// returnedTx issues the refund voucher of held money once all of it is back. Other money has no receipt voucher, nor does a second
// capture of the same payment.
func (s *Service) returnedTx(ctx context.Context, tx *sqlx.Tx, p Payment, r Refund, now time.Time) error {
	if !p.Surplus || r.GatewayPaymentID != p.GatewayPaymentID {
		return nil
	}
	if back, err := s.store.back(ctx, tx, p); err != nil || back < p.Captured {
		return err
	}
	_, err := s.invoices.IssueRefundVoucherTx(ctx, tx, p.FranchiserID, p.ID, r.ID, r.receipt(p, now), now)
	if err != nil && !errors.Is(err, invoice.ErrNotFound) {
		return errs.Internal(fmt.Errorf("issue refund voucher: %w", err))
	}
	return nil
}
