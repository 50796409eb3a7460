package checkout

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/internal/store"
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
) (payment.Payment, payment.Charge, error) {
	o, err := s.FreezeTx(ctx, tx, franchiserID, w)
	if err != nil {
		return payment.Payment{}, payment.Charge{}, err
	}
	now := s.clock.Now()
	open, err := store.OpenOf(ctx, tx, franchiserID, o.ID)
	if err != nil {
		return payment.Payment{}, payment.Charge{}, err
	}
	if open == nil || open.Gateway != gateway || open.GatewayReference != "" || open.TransactionID != goesOn {
		if open != nil && open.State == payment.StatePending {
			return payment.Payment{}, payment.Charge{}, ErrOtherPaymentOpen
		}
		if err := store.EndOpen(ctx, tx, franchiserID, o.ID, payment.ReasonBegunAnew, now); err != nil {
			return payment.Payment{}, payment.Charge{}, err
		}
		open = &payment.Payment{
			ID: id.New(), FranchiserID: franchiserID, OrderID: o.ID, TransactionID: payment.NewTransactionID(now), Gateway: gateway,
			State: payment.StateCreated, Amount: o.Payable(), CreatedAt: now,
		}
		open.NextCheckAt, _ = payment.NextCheck(now, now)
		if err := store.Insert(ctx, tx, *open, "", nil); err != nil {
			return payment.Payment{}, payment.Charge{}, err
		}
		if err := store.Schedule(ctx, tx, s.jobs, *open, 1, now); err != nil {
			return payment.Payment{}, payment.Charge{}, err
		}
	}
	if err := goneOnTx(ctx, tx, *open, now); err != nil {
		return payment.Payment{}, payment.Charge{}, err
	}
	person, err := personTx(ctx, tx, franchiserID)
	return *open, s.chargeOf(*open, person, o.ProductInfo(), o.Recipient.Name), err
}

// RegistrationTx returns the charge of a registration without a payment: nothing is paid, and no payment is kept. The transaction is the
// mandate's own.
func (s *Service) RegistrationTx(ctx context.Context, tx *sqlx.Tx, franchiserID, transactionID, reference string) (payment.Charge, error) {
	if err := s.subscriptions.RequireNoErasureTx(ctx, tx, franchiserID); err != nil {
		return payment.Charge{}, err
	}
	person, err := personTx(ctx, tx, franchiserID)
	if err != nil {
		return payment.Charge{}, err
	}
	invoiced, err := invoicedTx(ctx, tx, franchiserID)
	if err != nil {
		return payment.Charge{}, err
	}
	return s.chargeOf(payment.Payment{TransactionID: transactionID, GatewayReference: reference}, person, "Automatic renewal", invoiced), nil
}

// KeepReference stores the gateway's id of a charge unless one is stored already, and returns the stored id.
func (s *Service) KeepReference(ctx context.Context, p payment.Payment, reference string) (kept string, err error) {
	if reference == "" {
		return p.GatewayReference, nil
	}
	err = postgres.InTenantTx(ctx, s.db, p.FranchiserID, func(tx *sqlx.Tx) error {
		kept, err = store.SetReference(ctx, tx, p, reference)
		return err
	})
	return kept, err
}

const invoicedSQL = `SELECT recipient_name FROM document_overview WHERE franchiser_id = $1 AND kind = 'invoice' ORDER BY issued_at DESC, id DESC LIMIT 1`

// invoicedTx returns the name on the franchiser's newest invoice, or an empty name.
func invoicedTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (name string, err error) {
	err = tx.GetContext(ctx, &name, invoicedSQL, franchiserID)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("read the name on the newest invoice: %w", err)
	}
	return name, nil
}
