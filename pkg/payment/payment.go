// Package payment charges and refunds customers. It requests charges, trusts only results confirmed by the gateway, applies each
// capture once, and refunds captures that pay for nothing. Its rules (payment.go, state.go, schedule.go) do no I/O.
package payment

import (
	"crypto/rand"
	"errors"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/idempotency"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Method is the gateway page to open first; no card or bank data ever reaches us.
type Method string

// The methods that can be requested, any by default.
const (
	MethodAny        Method = ""
	MethodCard       Method = "card"
	MethodUPI        Method = "upi"
	MethodNetbanking Method = "netbanking"
)

// Valid reports whether the method is one of these.
func (m Method) Valid() bool {
	return m == MethodAny || m == MethodCard || m == MethodUPI || m == MethodNetbanking
}

// Payment is one attempt to pay an order.
type Payment struct {
	ID               string
	FranchiserID     string
	OrderID          string
	TransactionID    string
	Gateway          string
	GatewayReference string
	GatewayPaymentID string
	BankReference    string
	State            State
	Amount           money.Paise
	// Captured is the amount the gateway captured, 0 before; it differs from Amount if the payment is held.
	Captured money.Paise
	Method   Method
	Slug     string
	Reason   string
	Surplus  bool
	// ByMandate means that it is a debit: no customer is at the gateway's page.
	ByMandate   bool
	Checks      int
	NextCheckAt time.Time
	CreatedAt   time.Time
	DecidedAt   time.Time
	// bought is the kind of purchase that a capture has just paid for.
	bought subscription.Kind
	// withheld is the tax that the customer has just deducted from it, poNumber the customer's own number of the order.
	withheld money.Paise
	poNumber string
}

// Currency is the only one charged.
const Currency = "INR"

// NewTransactionID returns FP, the date in India and 60 random bits: 20 unguessable letters and digits. The gateway accepts at most 25.
func NewTransactionID(now time.Time) string {
	return "FP" + now.In(clock.IST).Format("060102") + rand.Text()[:12]
}

// Payment errors, safe to show.
var (
	// ErrPriceChanged refuses a request whose expected total is outdated.
	ErrPriceChanged = errs.New(errs.KindConflict, "price_changed",
		"The price has changed since you saw it. Please check the details again.")
	// ErrKeyReused refuses an idempotency key that was used with another body.
	ErrKeyReused = idempotency.ErrReused()
	// ErrAlreadyPaid refuses a key whose charge has since been captured: there is nothing left to pay in its session.
	ErrAlreadyPaid = errs.New(errs.KindConflict, "already_paid", "This has already been paid. See your payments for the result.")
	// ErrSignature refuses a notice that the gateway did not sign.
	ErrSignature = errs.New(errs.KindMalformed, "bad_signature", "The payment notice is not signed by the gateway.")
	// ErrUnknownTransaction refuses a notice of a transaction that is not ours.
	ErrUnknownTransaction = errs.New(errs.KindMalformed, "unknown_transaction", "We could not find this transaction.")
)

// Texts on the result page for outcomes that the gateway did not explain.
const (
	reasonMismatch = "The amount received differs from the amount due. Our staff will look at it."
	reasonReleased = "The amount received differs from the amount due. It is being refunded."
	reasonFailed   = "The payment did not go through."
	// reasonCancelled also identifies a payment cancelled by the customer in the lists.
	reasonCancelled = "You cancelled the payment."
	reasonSurplus   = "This was paid already. The amount of this payment is being refunded."
	reasonChanged   = "Your plan had changed by the time this payment arrived, so what it was for was no longer available. All of it is being refunded."
	reasonExpired   = "The payment was not completed in time."
	reasonUndecided = "Your bank did not decide the debit in time."
)

// ErrGatewayMissing reports that a payment's gateway is not configured and cannot be queried now.
var ErrGatewayMissing = errors.New("the payment's gateway is not configured")

// RequestInput requests a charge.
type RequestInput struct {
	Intent subscription.PurchaseIntent
	// ExpectedTotal is the total shown to the user, nil if the caller does not send it.
	ExpectedTotal *money.Paise
	Method        Method
	// DespiteDebit is the customer's own confirmation to pay while a debit is undecided.
	DespiteDebit bool
	// Key is the Idempotency-Key, or empty, and Request the SHA-256 of the call and its body.
	Key     string
	Request [32]byte
	// bearer is set for a payment by a pay link.
	bearer *bearer
}

// RefundReason is why money is returned.
type RefundReason string

// The reasons of a refund. Surplus has no invoice and gets no credit note; all others do.
const (
	RefundSurplus RefundReason = "surplus"
	RefundStaff   RefundReason = "staff"
	RefundGateway RefundReason = "gateway"
	RefundDispute RefundReason = "dispute"
)

// RefundChannel is how money is returned.
type RefundChannel string

// The channels: the gateway, or a bank transfer made outside and only booked here.
const (
	ChannelGateway RefundChannel = "gateway"
	ChannelBank    RefundChannel = "bank"
)
