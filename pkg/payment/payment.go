// Package payment moves money: it asks for a charge, believes only what the gateway confirms, gives each capture its
// one effect, and gives back what has none. Its rules (payment.go, state.go, schedule.go) do no I/O.
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

// Method is the page of the gateway to open first; no card or bank data ever comes here.
type Method string

// The methods that can be asked for, none by default.
const (
	MethodAny        Method = ""
	MethodCard       Method = "card"
	MethodUPI        Method = "upi"
	MethodNetbanking Method = "netbanking"
)

// Valid says whether the method is one of those.
func (m Method) Valid() bool {
	return m == MethodAny || m == MethodCard || m == MethodUPI || m == MethodNetbanking
}

// Payment is one try to pay an order.
type Payment struct {
	ID               string
	FranchiserID     string
	OrderID          string
	TransactionID    string
	Gateway          string
	GatewayReference string
	GatewayPaymentID string
	State            State
	Amount           money.Paise
	// Captured is what the gateway took, 0 until it did; it differs from Amount where the payment is held.
	Captured    money.Paise
	Method      Method
	Slug        string
	Reason      string
	Surplus     bool
	Checks      int
	NextCheckAt time.Time
	CreatedAt   time.Time
	DecidedAt   time.Time
	// bought is what a capture paid for just now.
	bought subscription.Kind
}

// Currency is the only one that is charged.
const Currency = "INR"

// newTransactionID makes FP, the date in India and 60 random bits: 20 letters and digits that nobody can guess.
// The gateway takes 25 at most.
func newTransactionID(now time.Time) string {
	return "FP" + now.In(clock.IST).Format("060102") + rand.Text()[:12]
}

// Failures of paying, safe to show.
var (
	// ErrPriceChanged answers to a request for another total than was seen.
	ErrPriceChanged = errs.New(errs.KindConflict, "price_changed",
		"The price has changed since you saw it. Please check the details again.")
	// ErrKeyReused answers to an idempotency key that came with another body before.
	ErrKeyReused = idempotency.ErrReused()
	// ErrAlreadyPaid answers to a key whose charge the gateway has captured since: there is nothing left to pay in its session.
	ErrAlreadyPaid = errs.New(errs.KindConflict, "already_paid", "This was paid already. See your payments for the result.")
	// ErrSignature answers to a notice that the gateway did not sign.
	ErrSignature = errs.New(errs.KindMalformed, "bad_signature", "The payment notice is not signed by the gateway.")
	// ErrUnknownTransaction answers to a notice of a transaction that is not ours.
	ErrUnknownTransaction = errs.New(errs.KindMalformed, "unknown_transaction", "The transaction is not known.")
)

// Texts that the result page shows for what the gateway did not explain.
const (
	reasonMismatch = "The amount received differs from the amount due. Our staff will look at it."
	reasonReleased = "The amount received differs from the amount due. It is being refunded."
	reasonFailed   = "The payment did not go through."
	// reasonCancelled is also how the lists know a payment that the customer cancelled.
	reasonCancelled = "You cancelled the payment."
	reasonSurplus   = "This was paid already. The amount of this payment is being refunded."
	reasonChanged   = "Your plan had changed when this payment arrived, so that what it was for could not be given any more. All of it is being refunded."
	reasonExpired   = "The payment was not completed in time."
)

// ErrGatewayMissing says that a payment belongs to a gateway that is not configured: nothing can be asked of it for now.
var ErrGatewayMissing = errors.New("the payment's gateway is not configured")

// RequestInput asks for a charge.
type RequestInput struct {
	Intent subscription.PurchaseIntent
	// ExpectedTotal is what the person saw, nil where the caller does not say.
	ExpectedTotal *money.Paise
	Method        Method
	// Key is the Idempotency-Key, empty without one, and Request the SHA-256 of the call and its body.
	Key     string
	Request [32]byte
}

// RefundReason is why money goes back.
type RefundReason string

// The reasons of a refund. Surplus has no invoice and gets no credit note; all others do.
const (
	RefundSurplus RefundReason = "surplus"
	RefundStaff   RefundReason = "staff"
	RefundGateway RefundReason = "gateway"
	RefundDispute RefundReason = "dispute"
)

// RefundChannel is the way on which money goes back.
type RefundChannel string

// The ways back: the gateway's, or a bank transfer that was made outside and is only booked here.
const (
	ChannelGateway RefundChannel = "gateway"
	ChannelBank    RefundChannel = "bank"
)
