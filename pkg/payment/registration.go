package payment

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// OpenAuthorisationTx creates the payment of a renewal, in whose session the customer authorises a mandate at the gateway. goesOn names
// the transaction of an earlier set-up to resume, unless the gateway has fixed its terms in an order. Any other open payment of the
// renewal ends; if it is captured nevertheless, the second capture is refunded. It fails with ErrOtherPaymentOpen while the gateway is
// processing another payment. The caller must have subscription.LockTx.
func (s *Service) OpenAuthorisationTx(
	ctx context.Context, tx *sqlx.Tx, franchiserID, gateway, goesOn string, w subscription.PurchaseIntent,
) (Payment, Charge, error) {
	o, err := s.FreezeTx(ctx, tx, franchiserID, w)
	if err != nil {
		return Payment{}, Charge{}, err
	}
	now := s.clock.Now()
	open, err := s.store.openOf(ctx, tx, franchiserID, o.ID)
	if err != nil {
		return Payment{}, Charge{}, err
	}
	if open == nil || open.Gateway != gateway || open.GatewayReference != "" || open.TransactionID != goesOn {
		if open != nil && open.State == StatePending {
			return Payment{}, Charge{}, ErrOtherPaymentOpen
		}
		if err := s.endOpenTx(ctx, tx, franchiserID, o.ID, reasonBegunAnew, now); err != nil {
			return Payment{}, Charge{}, err
		}
		open = &Payment{
			ID: id.New(), FranchiserID: franchiserID, OrderID: o.ID, TransactionID: NewTransactionID(now), Gateway: gateway,
			State: StateCreated, Amount: o.Payable(), CreatedAt: now,
		}
		open.NextCheckAt, _ = nextCheck(now, now)
		if err := s.store.insert(ctx, tx, *open, RequestInput{}); err != nil {
			return Payment{}, Charge{}, err
		}
		if err := s.scheduleTx(ctx, tx, *open, 1, now); err != nil {
			return Payment{}, Charge{}, err
		}
	}
	if err := s.store.goneOn(ctx, tx, *open, now); err != nil {
		return Payment{}, Charge{}, err
	}
	person, err := s.store.person(ctx, tx, franchiserID)
	return *open, s.chargeOf(*open, person, o.ProductInfo(), o.Recipient.Name), err
}

// reasonBegunAnew is why an open payment ends in whose place another one was begun.
const reasonBegunAnew = "Another payment was begun in its place."

// RegistrationTx returns the charge of a registration without a payment: nothing is paid, and no payment is kept. The transaction is the
// mandate's own.
func (s *Service) RegistrationTx(ctx context.Context, tx *sqlx.Tx, franchiserID, transactionID, reference string) (Charge, error) {
	if err := s.subscriptions.RequireNoErasureTx(ctx, tx, franchiserID); err != nil {
		return Charge{}, err
	}
	person, err := s.store.person(ctx, tx, franchiserID)
	if err != nil {
		return Charge{}, err
	}
	invoiced, err := s.store.invoiced(ctx, tx, franchiserID)
	if err != nil {
		return Charge{}, err
	}
	return s.chargeOf(Payment{TransactionID: transactionID, GatewayReference: reference}, person, "Automatic renewal", invoiced), nil
}

// KeepReference stores the gateway's id of a charge unless one is stored already, and returns the stored id.
func (s *Service) KeepReference(ctx context.Context, p Payment, reference string) (kept string, err error) {
	if reference == "" {
		return p.GatewayReference, nil
	}
	err = postgres.InTenantTx(ctx, s.db, p.FranchiserID, func(tx *sqlx.Tx) error {
		kept, err = s.store.setReference(ctx, tx, p, reference)
		return err
	})
	return kept, err
}

const invoicedSQL = `SELECT recipient_name FROM document_overview WHERE franchiser_id = $1 AND kind = 'invoice' ORDER BY issued_at DESC, id DESC LIMIT 1`

// invoiced returns the name on the franchiser's newest invoice, or an empty name.
func (store) invoiced(ctx context.Context, tx *sqlx.Tx, franchiserID string) (name string, err error) {
	err = tx.GetContext(ctx, &name, invoicedSQL, franchiserID)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("read the name on the newest invoice: %w", err)
	}
	return name, nil
}
