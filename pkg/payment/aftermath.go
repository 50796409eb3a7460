package payment

import (
	"context"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/money"
)

// makesWhole reports whether amount completes the return of whole, after the earlier returns in before. Only this rule ends a purchase.
func makesWhole(before, amount, whole money.Paise) bool {
	return before < whole && before+amount >= whole
}

// whole returns the amount whose return ends the purchase: the captured amount plus the credit notes of earlier payments applied to it.
// A dispute counts the captured amount only.
func (s store) whole(ctx context.Context, tx *sqlx.Tx, p Payment, disputed bool) (money.Paise, error) {
	if disputed {
		return p.Captured, nil
	}
	rest, err := s.refundable(ctx, tx, p)
	return p.Captured + rest.Applied, err
}

// afterwards returns the aftermath of returning amount on top of before, which is already returned or on its way.
func (s store) afterwards(ctx context.Context, tx *sqlx.Tx, p Payment, before, amount money.Paise, disputed, keep bool) (Aftermath, error) {
	if p.Surplus {
		return AftermathNone, nil
	}
	whole, err := s.whole(ctx, tx, p, disputed)
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

// afterRefund returns the aftermath of a pending refund of the accepted capture. It is AftermathNone for a refund of an earlier payment
// that paid for an upgrade: the upgrade has ended or continues with another plan.
func (s store) afterRefund(ctx context.Context, tx *sqlx.Tx, p Payment, r Refund) (Aftermath, error) {
	if r.CreditsPaymentID != "" {
		return AftermathNone, nil
	}
	sum := s.returned
	if r.Reason == RefundDispute {
		sum = s.refunded
	}
	all, err := sum(ctx, tx, p)
	if err != nil {
		return AftermathNone, err
	}
	keep, err := s.keepsPlan(ctx, tx, r)
	if err != nil {
		return AftermathNone, err
	}
	return s.afterwards(ctx, tx, p, all-r.Amount, r.Amount, r.Reason == RefundDispute, keep)
}

// afterReversal returns the aftermath of an unfinished request.
func (s store) afterReversal(ctx context.Context, tx *sqlx.Tx, p Payment, r Reversal) (Aftermath, error) {
	switch r.Kind {
	case ReversalRelease:
		return AftermathNone, nil
	case ReversalChargeback:
		return s.afterLoss(ctx, tx, p, r.Amount)
	case ReversalBankTransfer:
		return s.afterTransfer(ctx, tx, p, r.Amount)
	case ReversalRefund, ReversalCreditNote:
	}
	before, err := s.returned(ctx, tx, p)
	if err != nil {
		return AftermathNone, err
	}
	return s.afterwards(ctx, tx, p, before, r.Amount, false, r.KeepPlan)
}

// afterTransfer returns the aftermath of a bank transfer that pays a failed refund, possibly an overpaid part.
func (s store) afterTransfer(ctx context.Context, tx *sqlx.Tx, p Payment, amount money.Paise) (Aftermath, error) {
	rest, err := s.refundable(ctx, tx, p)
	if err != nil || rest.OwedOf != p.GatewayPaymentID {
		return AftermathNone, err
	}
	keep, err := s.keepsPlan(ctx, tx, Refund{PaymentID: p.ID, GatewayPaymentID: rest.OwedOf, Reason: RefundSurplus})
	if err != nil {
		return AftermathNone, err
	}
	before, err := s.returned(ctx, tx, p)
	if err != nil {
		return AftermathNone, err
	}
	return s.afterwards(ctx, tx, p, before, amount, false, keep)
}

// afterLoss returns the aftermath of a lost dispute (see lostTx): if the bank takes more than remains, the purchase always ends.
func (s store) afterLoss(ctx context.Context, tx *sqlx.Tx, p Payment, amount money.Paise) (Aftermath, error) {
	before, err := s.refunded(ctx, tx, p)
	if err != nil {
		return AftermathNone, err
	}
	if !p.Surplus && before+amount > p.Captured {
		return AftermathEnds, nil
	}
	return s.afterwards(ctx, tx, p, before, amount, true, false)
}
