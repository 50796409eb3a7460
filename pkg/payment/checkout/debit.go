package checkout

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/address"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/internal/store"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// ErrDebitUndecided refuses any charge, of add-ons too, while a debit by mandate is undecided, unless the customer pays despite it.
var ErrDebitUndecided = errs.New(errs.KindConflict, "debit_undecided",
	"Your bank is working on the automatic renewal. If you pay now, you may pay twice until the second payment is refunded.")

// ErrOtherPaymentOpen refuses an authorisation while another payment of the same bill is open.
var ErrOtherPaymentOpen = errs.New(errs.KindConflict, "payment_open",
	"A payment for this renewal has been started. Finish it, or set automatic renewal up later.")

// ErrPaymentUndecided reports that the customer is paying manually; a debit waits for the outcome.
var ErrPaymentUndecided = errors.New("a manual payment is undecided")

// FreezeTx prices a renewal and keeps the price in an order, for a debit that is made later. The caller holds subscription.LockTx.
// It fails as Request does.
func (s *Service) FreezeTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, w subscription.PurchaseIntent) (subscription.Order, error) {
	now := s.clock.Now()
	offer, debit, err := s.offeredTx(ctx, tx, franchiserID, w, now)
	if err == nil {
		err = refuse(debit, false)
	}
	if err != nil {
		return subscription.Order{}, err
	}
	switch {
	case !offer.PlaceKnown():
		return subscription.Order{}, address.ErrMissing
	case offer.Recipient.Name == "":
		return subscription.Order{}, address.ErrNameMissing
	}
	return s.subscriptions.OrderTx(ctx, tx, franchiserID, offer, now)
}

// OpenDebitTx creates the payment of a debit by mandate, of the order as it was frozen. reference is the gateway's id of the charge, if
// there is one already. It fails with ErrPaymentUndecided while the customer is paying anything by hand, or has just begun to.
func (s *Service) OpenDebitTx(ctx context.Context, tx *sqlx.Tx, o subscription.Order, gateway, reference string) (payment.Payment, error) {
	now := s.clock.Now()
	b, err := basisTx(ctx, tx, o.FranchiserID, now)
	if err == nil {
		err = b.buyer.RequireNoErasure()
	}
	if err != nil {
		return payment.Payment{}, err
	}
	debit, err := b.refuseWhileHeld(o.Kind)
	if err == nil {
		err = refuse(debit, false)
	}
	if err != nil {
		return payment.Payment{}, err
	}
	paying, err := payment.Lookup{}.PayingByHandTx(ctx, tx, o.FranchiserID, now)
	if err != nil {
		return payment.Payment{}, err
	}
	if paying {
		return payment.Payment{}, ErrPaymentUndecided
	}
	p := payment.Payment{
		ID: id.New(), FranchiserID: o.FranchiserID, OrderID: o.ID, TransactionID: payment.NewTransactionID(now), Gateway: gateway,
		State: payment.StateCreated, Amount: o.Payable(), CreatedAt: now, ByMandate: true,
	}
	p.NextCheckAt, _ = payment.NextCheck(now, now)
	if err := store.Insert(ctx, tx, p, "", nil); err != nil {
		return payment.Payment{}, err
	}
	if reference != "" {
		if p.GatewayReference, err = store.SetReference(ctx, tx, p, reference); err != nil {
			return payment.Payment{}, err
		}
	}
	return p, store.Schedule(ctx, tx, s.jobs, p, 1, now)
}

// DebitCharge returns the charge of a debit.
func (s *Service) DebitCharge(ctx context.Context, paymentID string) (payment.Charge, payment.Payment, error) {
	var c payment.Charge
	var p payment.Payment
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		var err error
		if p, err = store.Find(ctx, tx, paymentID); err != nil {
			return err
		}
		o, err := s.subscriptions.FindOrderTx(ctx, tx, p.FranchiserID, p.OrderID)
		if err != nil {
			return err
		}
		person, err := personTx(ctx, tx, p.FranchiserID)
		if err != nil {
			return err
		}
		c = s.chargeOf(p, person, o.ProductInfo(), o.Recipient.Name)
		return nil
	})
	return c, p, err
}

// chargeOf returns the charge to send to the gateway. The payer's name is the first name, else the store's, else the name on the
// invoice.
func (s *Service) chargeOf(p payment.Payment, person subscription.Person, what, invoiced string) payment.Charge {
	name := cmp.Or(person.FirstName, person.StoreName, invoiced)
	return payment.Charge{
		TransactionID: p.TransactionID, Amount: p.Amount, ProductInfo: what, FirstName: name, Email: person.Email,
		Mobile: person.Mobile, ReturnURL: s.returnURL(person.Language, ""), Method: p.Method.Within(p.Amount, s.clock.Now()),
		Reference: p.GatewayReference,
	}
}

// returnURL is the address to which a gateway redirects the browser, with the page's language and the pay link, if any.
func (s *Service) returnURL(language i18n.Language, link string) string {
	query := url.Values{}
	if language.Base() != "" {
		query.Set(LanguageParameter, string(language))
	}
	if link != "" {
		query.Set(PayLinkParameter, link)
	}
	address := s.publicURL + "/api/franchise/payments/callback"
	if len(query) == 0 {
		return address
	}
	return address + "?" + query.Encode()
}

const goneOnSQL = `UPDATE payments SET gone_on_at = $3 WHERE franchiser_id = $1 AND id = $2 AND state = 'created'`

// goneOnTx notes that the session of a payment that was begun earlier is given out again.
func goneOnTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment, now time.Time) error {
	if !p.CreatedAt.Before(now) {
		return nil
	}
	if _, err := tx.ExecContext(ctx, goneOnSQL, p.FranchiserID, p.ID, now); err != nil {
		return fmt.Errorf("note that a payment is gone on with: %w", err)
	}
	return nil
}
