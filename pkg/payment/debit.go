package payment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/address"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
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
		err = debit.refuse(false)
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
func (s *Service) OpenDebitTx(ctx context.Context, tx *sqlx.Tx, o subscription.Order, gateway, reference string) (Payment, error) {
	now := s.clock.Now()
	b, err := s.store.basis(ctx, tx, o.FranchiserID, now)
	if err == nil {
		err = b.buyer.RequireNoErasure()
	}
	if err != nil {
		return Payment{}, err
	}
	debit, err := b.refuseWhileHeld(o.Kind)
	if err == nil {
		err = debit.refuse(false)
	}
	if err != nil {
		return Payment{}, err
	}
	paying, err := Lookup{}.PayingByHandTx(ctx, tx, o.FranchiserID, now)
	if err != nil {
		return Payment{}, err
	}
	if paying {
		return Payment{}, ErrPaymentUndecided
	}
	p := Payment{
		ID: id.New(), FranchiserID: o.FranchiserID, OrderID: o.ID, TransactionID: NewTransactionID(now), Gateway: gateway,
		State: StateCreated, Amount: o.Payable(), CreatedAt: now, ByMandate: true,
	}
	p.NextCheckAt, _ = nextCheck(now, now)
	if err := s.store.insert(ctx, tx, p, RequestInput{}); err != nil {
		return Payment{}, err
	}
	if reference != "" {
		if p.GatewayReference, err = s.store.setReference(ctx, tx, p, reference); err != nil {
			return Payment{}, err
		}
	}
	return p, s.scheduleTx(ctx, tx, p, 1, now)
}

// DebitCharge returns the charge of a debit.
func (s *Service) DebitCharge(ctx context.Context, paymentID string) (Charge, Payment, error) {
	var c Charge
	var p Payment
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		var err error
		if p, err = s.store.find(ctx, tx, paymentID); err != nil {
			return err
		}
		o, err := s.subscriptions.FindOrderTx(ctx, tx, p.FranchiserID, p.OrderID)
		if err != nil {
			return err
		}
		person, err := s.store.person(ctx, tx, p.FranchiserID)
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
func (s *Service) chargeOf(p Payment, person subscription.Person, what, invoiced string) Charge {
	name := cmp.Or(person.FirstName, person.StoreName, invoiced)
	return Charge{
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

// DebitHeard records the gateway's answer to a request for a debit. A failure reported by the gateway is final. For any other answer
// the gateway is queried, and only that result is booked.
func (s *Service) DebitHeard(ctx context.Context, paymentID, reference string, status Status, reason string) error {
	var p Payment
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		var err error
		if p, err = s.store.find(ctx, tx, paymentID); err != nil {
			return err
		}
		if reference != "" && p.GatewayReference == "" {
			p.GatewayReference, err = s.store.setReference(ctx, tx, p, reference)
		}
		return err
	})
	if err != nil {
		return err
	}
	if status == StatusFailed {
		return s.applyOutcome(ctx, p, Outcome{Status: StatusFailed, Reason: reason}, 0, false)
	}
	return s.Verify(ctx, VerifyArgs{PaymentID: paymentID})
}

// DebitNotMade ends the payment of a debit that the gateway never received. It releases the gateway's id of the pre-debit notice, so
// that another payment can request the debit.
func (s *Service) DebitNotMade(ctx context.Context, paymentID, why string) error {
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error { return s.store.releaseReference(ctx, tx, paymentID) })
	if err != nil {
		return err
	}
	return s.DebitHeard(ctx, paymentID, "", StatusFailed, why)
}

const releaseReferenceSQL = `UPDATE payments SET gateway_reference = NULL WHERE id = $1 AND by_mandate AND state = 'created'`

func (store) releaseReference(ctx context.Context, tx *sqlx.Tx, paymentID string) error {
	if _, err := tx.ExecContext(ctx, releaseReferenceSQL, paymentID); err != nil {
		return fmt.Errorf("release the gateway's reference of a debit: %w", err)
	}
	return nil
}

// DebitKnown reports whether the gateway knows the debit.
func (s *Service) DebitKnown(ctx context.Context, paymentID string) (bool, error) {
	_, p, err := s.DebitCharge(ctx, paymentID)
	if err != nil {
		return false, err
	}
	g, err := s.gateway(p.Gateway)
	if err != nil {
		return false, err
	}
	o, err := g.Verify(ctx, p.TransactionID, p.GatewayReference)
	return o.Status != StatusUnknown, err
}

const doubtfulSQL = `
	SELECT id FROM payments WHERE franchiser_id = $1 AND (by_mandate AND state IN ('failed', 'expired') AND created_at >= $2
		OR NOT by_mandate AND state = 'created') ORDER BY created_at, id`

// DoubtfulTx returns the franchiser's payments that may have been captured without a word: debits since then that failed, and payments by
// hand that were begun.
func (Lookup) DoubtfulTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, since time.Time) (ids []string, err error) {
	if err = tx.SelectContext(ctx, &ids, doubtfulSQL, franchiserID, since); err != nil {
		return nil, fmt.Errorf("look for payments to ask about: %w", err)
	}
	return ids, nil
}

// AskAgain queries the gateway about a failed or open payment, and books a capture. It reports whether the gateway calls a failed
// payment undecided. It does nothing if the payment's gateway is no longer configured.
func (s *Service) AskAgain(ctx context.Context, paymentID string) (undecided bool, err error) {
	_, p, err := s.DebitCharge(ctx, paymentID)
	if err != nil {
		return false, err
	}
	g, err := s.gateway(p.Gateway)
	if err != nil {
		return false, nil //nolint:nilerr // the gateway is no longer configured
	}
	if !p.State.Open() {
		o, err := g.Verify(ctx, p.TransactionID, p.GatewayReference)
		if err != nil {
			return false, fmt.Errorf("ask about a payment: %w", err)
		}
		if o.Status != StatusPaid {
			return o.Status == StatusPending || o.Status == StatusOpened && p.ByMandate, nil
		}
	}
	return false, s.Verify(ctx, VerifyArgs{PaymentID: paymentID})
}

// Standing is the state of a payment, for callers that wait for it.
type Standing struct {
	ID      string      `db:"id"`
	State   State       `db:"state"`
	Reason  string      `db:"reason"`
	Amount  money.Paise `db:"amount_paise"`
	Surplus bool        `db:"surplus"`
}

// Received reports whether money arrived.
func (s Standing) Received() bool { return s.State.settled() }

// Failed reports whether no money arrived, as far as the gateway has told.
func (s Standing) Failed() bool { return s.State == StateFailed || s.State == StateExpired }

const (
	standingSQL = `SELECT id, state, reason, amount_paise, surplus FROM payments WHERE franchiser_id = $1 AND id = ANY ($2::uuid[])`

	payingByHandSQL = `
		SELECT EXISTS (SELECT FROM payments p WHERE p.franchiser_id = $1 AND NOT p.by_mandate AND (p.state = 'pending'
			OR p.state = 'created' AND greatest(p.created_at, p.gone_on_at) > $2))`
)

// atCheckout is how long after a payment was begun, or gone on with, its customer is taken to be at the gateway's page.
const atCheckout = 30 * time.Minute

const goneOnSQL = `UPDATE payments SET gone_on_at = $3 WHERE franchiser_id = $1 AND id = $2 AND state = 'created'`

// goneOn notes that the session of a payment that was begun earlier is given out again.
func (store) goneOn(ctx context.Context, tx *sqlx.Tx, p Payment, now time.Time) error {
	if !p.CreatedAt.Before(now) {
		return nil
	}
	if _, err := tx.ExecContext(ctx, goneOnSQL, p.FranchiserID, p.ID, now); err != nil {
		return fmt.Errorf("note that a payment is gone on with: %w", err)
	}
	return nil
}

const transactionReceivedSQL = `SELECT EXISTS (SELECT FROM payments WHERE franchiser_id = $1 AND transaction_id = $2 AND state = 'paid')`

// ReceivedTx reports whether the franchiser's payment of a transaction has arrived.
func (Lookup) ReceivedTx(ctx context.Context, tx *sqlx.Tx, franchiserID, transactionID string) (paid bool, err error) {
	if err = tx.GetContext(ctx, &paid, transactionReceivedSQL, franchiserID, transactionID); err != nil {
		return false, fmt.Errorf("look at the payment of a transaction: %w", err)
	}
	return paid, nil
}

const transactionOpenSQL = `SELECT EXISTS (SELECT FROM payments WHERE franchiser_id = $1 AND transaction_id = $2 AND state IN ('created', 'pending'))`

// UndecidedTx reports whether the franchiser's payment of a transaction may still be paid.
func (Lookup) UndecidedTx(ctx context.Context, tx *sqlx.Tx, franchiserID, transactionID string) (open bool, err error) {
	if err = tx.GetContext(ctx, &open, transactionOpenSQL, franchiserID, transactionID); err != nil {
		return false, fmt.Errorf("look at the payment of a transaction: %w", err)
	}
	return open, nil
}

// StandingTx returns the state of the franchiser's payments, by id.
func (Lookup) StandingTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, ids []string) (map[string]Standing, error) {
	var rows []Standing
	if err := tx.SelectContext(ctx, &rows, standingSQL, franchiserID, pq.Array(ids)); err != nil {
		return nil, fmt.Errorf("read how payments stand: %w", err)
	}
	all := make(map[string]Standing, len(rows))
	for _, r := range rows {
		all[r.ID] = r
	}
	return all, nil
}

// PayingByHandTx reports whether the franchiser is paying anything manually, or has just begun to.
func (Lookup) PayingByHandTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, now time.Time) (paying bool, err error) {
	if err = tx.GetContext(ctx, &paying, payingByHandSQL, franchiserID, now.Add(-atCheckout)); err != nil {
		return false, fmt.Errorf("look for a manual payment: %w", err)
	}
	return paying, nil
}
