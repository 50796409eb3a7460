package refund

import (
	"context"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// makesWhole reports whether amount completes the return of whole, after the earlier returns in before. Only this rule ends a purchase.
func makesWhole(before, amount, whole money.Paise) bool {
	return before < whole && before+amount >= whole
}

// wholeTx returns the amount whose return ends the purchase: the captured amount plus the credit notes of earlier payments applied to it.
// A dispute counts the captured amount only.
func wholeTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment, disputed bool) (money.Paise, error) {
	if disputed {
		return p.Captured, nil
	}
	rest, err := RestTx(ctx, tx, p)
	return p.Captured + rest.Applied, err
}

// AfterwardsTx returns the aftermath of returning amount on top of before, which is already returned or on its way.
func AfterwardsTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment, before, amount money.Paise, disputed, keep bool) (Aftermath, error) {
	if p.Surplus {
		return AftermathNone, nil
	}
	whole, err := wholeTx(ctx, tx, p, disputed)
	switch {
	case err != nil:
		return AftermathNone, err
	case !makesWhole(before, amount, whole):
		return AftermathGoesOn, nil
	case keep:
		return AftermathKept, nil
	default:
		return AftermathEnds, nil
	}
}

// afterRefundTx returns the aftermath of a pending refund of the accepted capture. It is AftermathNone for a refund of an earlier payment
// that paid for an upgrade: the upgrade has ended or continues with another plan.
func afterRefundTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment, r Refund) (Aftermath, error) {
	if r.CreditsPaymentID != "" {
		return AftermathNone, nil
	}
	sum := ReturnedTx
	if r.Reason == payment.RefundDispute {
		sum = RefundedTx
	}
	all, err := sum(ctx, tx, p)
	if err != nil {
		return AftermathNone, err
	}
	keep, err := KeepsPlanTx(ctx, tx, r)
	if err != nil {
		return AftermathNone, err
	}
	return AfterwardsTx(ctx, tx, p, all-r.Amount, r.Amount, r.Reason == payment.RefundDispute, keep)
}

// AfterLossTx returns the aftermath of a lost dispute (see dispute.Service.BookLossTx): if the bank takes more than remains, the purchase always ends.
func AfterLossTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment, amount money.Paise) (Aftermath, error) {
	before, err := RefundedTx(ctx, tx, p)
	if err != nil {
		return AftermathNone, err
	}
	if !p.Surplus && before+amount > p.Captured {
		return AftermathEnds, nil
	}
	return AfterwardsTx(ctx, tx, p, before, amount, true, false)
}
