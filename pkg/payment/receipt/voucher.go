package receipt

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// VoucherTx issues the receipt voucher of held money, which is an advance (section 31(3)(d), CGST Act). A surplus gets no voucher: it is
// no advance, because nothing will be supplied for it. The caller has stored the payment; money in another currency gets no voucher in
// rupees.
func (s *Documents) VoucherTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment, o payment.Outcome, now time.Time) error {
	if o.Currency != payment.Currency || o.Amount < 1 {
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
