package checkout

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// ErrHeld refuses a charge while staff still review money received for the same need. held.err adds the amount to its message
// and the result page of that payment as redirect_to.
var ErrHeld = errs.New(errs.KindConflict, "payment_held",
	"We are looking at a payment that you made for this. Please do not pay again.")

// held is a payment under review by staff because its amount differs from the one requested.
type held struct {
	TransactionID string
	Captured      money.Paise
	Kind          subscription.Kind
}

// holdsBack reports whether the held payment blocks charges of the kind. Money held for a plan or its next term blocks every other plan
// charge, because a customer has one plan and would pay for it twice. Add-ons are independent in both directions.
func (h held) holdsBack(kind subscription.Kind) bool {
	return (h.Kind == subscription.KindAddOn) == (kind == subscription.KindAddOn)
}

func (h held) err() error {
	e := *ErrHeld
	e.Message = fmt.Sprintf("We are looking at your payment of %s, because another amount was due. Please do not pay again: "+
		"we complete your order or give the money back.", h.Captured.Display())
	return e.With("redirect_to", resultPath(h.TransactionID))
}

// resultPath returns the path of a transaction's result page.
func resultPath(transactionID string) string {
	return "/checkout/result/success?transaction_id=" + transactionID
}

// refuse refuses a charge while the debit is undecided, unless the customer pays despite it. A nil debit refuses nothing.
func refuse(d *payment.OpenDebit, despite bool) error {
	if d == nil || despite {
		return nil
	}
	return ErrDebitUndecided
}

// basis is what decides whether and at what price a franchiser may be charged, as it was read at one moment.
type basis struct {
	buyer subscription.Buyer
	debit *payment.OpenDebit // has no outcome yet
	held  []held             // oldest first
	// earlier is the request with the same key, or nil.
	earlier *keyRow
	// franchises is the number of outlets that count towards the plan's limit, for a preview.
	franchises int
}

// mayCharge refuses an offer with an amount due now while money for the same need is held. It returns the undecided debit that may also
// pay for the offer, or nil.
func (b basis) mayCharge(offer subscription.Offer) (*payment.OpenDebit, error) {
	if offer.Totals.Total == 0 {
		return nil, nil //nolint:nilnil // nothing is charged
	}
	return b.refuseWhileHeld(offer.Kind)
}

// refuseWhileHeld refuses a charge of the kind while money for the same need is held. It returns the undecided debit, or nil. A held
// payment stops blocking as soon as staff decide to return it.
func (b basis) refuseWhileHeld(kind subscription.Kind) (*payment.OpenDebit, error) {
	for _, h := range b.held {
		if h.holdsBack(kind) {
			return nil, h.err()
		}
	}
	return b.debit, nil
}

// offeredTx prices the intent, and returns the undecided debit that may also pay for it, or nil. It returns
// subscription.ErrErasureScheduled, any error of QuoteTx, and ErrHeld.
func (s *Service) offeredTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, w subscription.PurchaseIntent, now time.Time,
) (subscription.Offer, *payment.OpenDebit, error) {
	b, err := basisTx(ctx, tx, franchiserID, now)
	if err != nil {
		return subscription.Offer{}, nil, err
	}
	return s.priceTx(ctx, tx, franchiserID, b, w, now)
}

// priceTx is offeredTx for data that the transaction has already read.
func (s *Service) priceTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, b basis, w subscription.PurchaseIntent, now time.Time,
) (subscription.Offer, *payment.OpenDebit, error) {
	if err := b.buyer.RequireNoErasure(); err != nil {
		return subscription.Offer{}, nil, err
	}
	offer, err := s.subscriptions.QuoteBuyerTx(ctx, tx, franchiserID, b.buyer, w, now)
	if err != nil {
		return offer, nil, err
	}
	debit, err := b.mayCharge(offer)
	return offer, debit, err
}
