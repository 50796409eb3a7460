package payment

import (
	"context"
	"fmt"
	"time"

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

// OpenDebit is a debit by mandate that the bank has not decided.
type OpenDebit struct {
	Amount  money.Paise
	AskedAt time.Time
}

// DecidedBy is when the debit counts as failed if the bank has not decided it.
func (d OpenDebit) DecidedBy() time.Time { return d.AskedAt.Add(DebitDecidedBy) }

// refuse refuses a charge while the debit is undecided, unless the customer pays despite it. A nil debit refuses nothing.
func (d *OpenDebit) refuse(despite bool) error {
	if d == nil || despite {
		return nil
	}
	return ErrDebitUndecided
}

// mayChargeTx refuses an offer with an amount due now while money for the same need is held. It returns the undecided debit beside
// which such an offer would be paid, nil if there is none.
func (s *Service) mayChargeTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, offer subscription.Offer) (*OpenDebit, error) {
	if offer.Totals.Total == 0 {
		return nil, nil //nolint:nilnil // nothing is charged
	}
	return s.refuseWhileHeldTx(ctx, tx, franchiserID, offer.Kind)
}

// refuseWhileHeldTx refuses a charge of the kind while money for the same need is held, and returns the undecided debit, nil if there
// is none. A held payment stops blocking as soon as staff decide to return it.
func (s *Service) refuseWhileHeldTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, kind subscription.Kind) (*OpenDebit, error) {
	debit, list, err := s.store.inTheWay(ctx, tx, franchiserID, s.clock.Now().Add(-DebitDecidedBy))
	if err != nil {
		return nil, err
	}
	for _, h := range list {
		if h.holdsBack(kind) {
			return nil, h.err()
		}
	}
	return debit, nil
}

// A debit that is older than $2 no longer counts, even if no worker has expired it yet.
const inTheWaySQL = `
	SELECT d.amount_paise, d.created_at AS asked_at, p.transaction_id, coalesce(p.captured_paise, 0) AS captured_paise, o.kind
	FROM (SELECT) one LEFT JOIN LATERAL (SELECT amount_paise, created_at FROM payments
		WHERE franchiser_id = $1 AND by_mandate AND state IN ('created', 'pending') AND created_at > $2 ORDER BY created_at DESC LIMIT 1) d ON true
	LEFT JOIN (payments p JOIN order_overview o ON o.id = p.order_id) ON p.franchiser_id = $1 AND p.state = 'held' AND NOT p.surplus
	ORDER BY p.created_at, p.id`

// inTheWay reads the debit by mandate that has no outcome yet, and the payments under review, oldest first.
func (store) inTheWay(ctx context.Context, tx *sqlx.Tx, franchiserID string, since time.Time) (debit *OpenDebit, list []held, err error) {
	var rows []struct {
		DebitAmount   *money.Paise       `db:"amount_paise"`
		AskedAt       *time.Time         `db:"asked_at"`
		TransactionID *string            `db:"transaction_id"`
		Captured      money.Paise        `db:"captured_paise"`
		Kind          *subscription.Kind `db:"kind"`
	}
	if err := tx.SelectContext(ctx, &rows, inTheWaySQL, franchiserID, since); err != nil {
		return nil, nil, fmt.Errorf("find held payments and open debits: %w", err)
	}
	for _, r := range rows {
		if r.DebitAmount != nil && r.AskedAt != nil {
			debit = &OpenDebit{Amount: *r.DebitAmount, AskedAt: *r.AskedAt}
		}
		if r.TransactionID != nil && r.Kind != nil {
			list = append(list, held{TransactionID: *r.TransactionID, Captured: r.Captured, Kind: *r.Kind})
		}
	}
	return debit, list, nil
}
