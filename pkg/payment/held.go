package payment

import (
	"context"
	"fmt"

	"github.com/jmoiron/sqlx"

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

// holdsBack reports whether charges of the kind are blocked meanwhile. Money held for a plan or its next term blocks every
// other plan charge, because a customer has one plan and would pay for it twice; add-ons are independent in both directions.
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

// mayChargeTx refuses an offer with an amount due now while money for the same need is held.
func (s *Service) mayChargeTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, offer subscription.Offer) error {
	if offer.Totals.Total == 0 {
		return nil
	}
	return s.refuseWhileHeldTx(ctx, tx, franchiserID, offer.Kind)
}

// refuseWhileHeldTx refuses a charge of the kind while money for the same need is held. A held payment stops blocking as soon as
// staff decide to return it.
func (s *Service) refuseWhileHeldTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, kind subscription.Kind) error {
	undecided, list, err := s.store.inTheWay(ctx, tx, franchiserID)
	if err != nil {
		return err
	}
	// An add-on that is paid meanwhile changes what the debit was priced for, so that it would go back.
	if undecided {
		return ErrDebitUndecided
	}
	for _, h := range list {
		if h.holdsBack(kind) {
			return h.err()
		}
	}
	return nil
}

const inTheWaySQL = `
	SELECT d.debit_open, p.transaction_id, coalesce(p.captured_paise, 0) AS captured_paise, o.kind
	FROM (SELECT EXISTS (SELECT FROM payments WHERE franchiser_id = $1 AND by_mandate AND state IN ('created', 'pending')) AS debit_open) d
	LEFT JOIN (payments p JOIN order_overview o ON o.id = p.order_id) ON p.franchiser_id = $1 AND p.state = 'held' AND NOT p.surplus
	ORDER BY p.created_at, p.id`

// inTheWay reads whether a debit by mandate has no outcome yet, and the payments under review, oldest first.
func (store) inTheWay(ctx context.Context, tx *sqlx.Tx, franchiserID string) (debit bool, list []held, err error) {
	var rows []struct {
		DebitOpen     bool               `db:"debit_open"`
		TransactionID *string            `db:"transaction_id"`
		Captured      money.Paise        `db:"captured_paise"`
		Kind          *subscription.Kind `db:"kind"`
	}
	if err := tx.SelectContext(ctx, &rows, inTheWaySQL, franchiserID); err != nil {
		return false, nil, fmt.Errorf("find held payments and open debits: %w", err)
	}
	for _, r := range rows {
		debit = r.DebitOpen
		if r.TransactionID != nil && r.Kind != nil {
			list = append(list, held{TransactionID: *r.TransactionID, Captured: r.Captured, Kind: *r.Kind})
		}
	}
	return debit, list, nil
}
