package payment

import (
	"context"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/money"
)

// makesWhole is the one rule of when what a payment bought ends: with the amount that makes all of it come back, not before and not
// again.
func makesWhole(before, amount, whole money.Paise) bool {
	return before < whole && before+amount >= whole
}

// whole is what has to be back of a payment before what it bought ends: what was captured and, unless a bank takes it back, what
// earlier payments paid of it by credit notes.
func (s store) whole(ctx context.Context, tx *sqlx.Tx, p Payment, disputed bool) (money.Paise, error) {
	if disputed {
		return p.Captured, nil
	}
	rest, err := s.refundable(ctx, tx, p)
	return p.Captured + rest.Applied, err
}

// afterwards judges an amount that is to go back besides what is back or on its way.
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

// afterRefund tells of a refund of the capture that was accepted and is on its way.
func (s store) afterRefund(ctx context.Context, tx *sqlx.Tx, p Payment, r Refund) (Aftermath, error) {
	all, err := s.refunded(ctx, tx, p)
	if err != nil {
		return AftermathNone, err
	}
	keep, err := s.keepsPlan(ctx, tx, r)
	if err != nil {
		return AftermathNone, err
	}
	return s.afterwards(ctx, tx, p, all-r.Amount, r.Amount, r.Reason == RefundDispute, keep)
}

// afterReversal tells of a request that is not done yet.
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
	before, err := s.refunded(ctx, tx, p)
	if err != nil {
		return AftermathNone, err
	}
	return s.afterwards(ctx, tx, p, before, r.Amount, false, r.KeepPlan)
}

// afterTransfer tells of a bank transfer that pays what a failed refund owes, which may be the part of the payment that was too much.
func (s store) afterTransfer(ctx context.Context, tx *sqlx.Tx, p Payment, amount money.Paise) (Aftermath, error) {
	rest, err := s.refundable(ctx, tx, p)
	if err != nil || rest.OwedOf != p.GatewayPaymentID {
		return AftermathNone, err
	}
	keep, err := s.keepsPlan(ctx, tx, Refund{PaymentID: p.ID, GatewayPaymentID: rest.OwedOf, Reason: RefundSurplus})
	if err != nil {
		return AftermathNone, err
	}
	before, err := s.refunded(ctx, tx, p)
	if err != nil {
		return AftermathNone, err
	}
	return s.afterwards(ctx, tx, p, before, amount, false, keep)
}

// afterLoss tells of a dispute that is lost (see lostTx): what the bank takes beyond what is left ends what was bought in any case.
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
