package reversal

import (
	"context"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/refund"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// afterReversalTx returns the aftermath of an unfinished request.
func afterReversalTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment, r Reversal) (refund.Aftermath, error) {
	switch r.Kind {
	case KindRelease:
		return refund.AftermathNone, nil
	case KindChargeback:
		return refund.AfterLossTx(ctx, tx, p, r.Amount)
	case KindBankTransfer:
		return afterTransferTx(ctx, tx, p, r.Amount)
	case KindRefund, KindCreditNote:
	}
	before, err := refund.ReturnedTx(ctx, tx, p)
	if err != nil {
		return refund.AftermathNone, err
	}
	return refund.AfterwardsTx(ctx, tx, p, before, r.Amount, false, r.KeepPlan)
}

// afterTransferTx returns the aftermath of a bank transfer that pays a failed refund, possibly an overpaid part.
func afterTransferTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment, amount money.Paise) (refund.Aftermath, error) {
	rest, err := refund.RestTx(ctx, tx, p)
	if err != nil || rest.OwedOf != p.GatewayPaymentID {
		return refund.AftermathNone, err
	}
	keep, err := refund.KeepsPlanTx(ctx, tx, refund.Refund{PaymentID: p.ID, GatewayPaymentID: rest.OwedOf, Reason: payment.RefundSurplus})
	if err != nil {
		return refund.AftermathNone, err
	}
	before, err := refund.ReturnedTx(ctx, tx, p)
	if err != nil {
		return refund.AftermathNone, err
	}
	return refund.AfterwardsTx(ctx, tx, p, before, amount, false, keep)
}
