// Package payment has the types and states of payments, and the interface of gateways. The packages below it charge and refund customers:
// they request charges, trust only results confirmed by the gateway, apply each capture once, and refund captures that pay for nothing.
package payment

import (
	"crypto/rand"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/idempotency"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// CountCap is the largest number of rows that a list counts.
const CountCap = 10_001

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
	Bought subscription.Kind
	// withheld is the tax that the customer has just deducted from it, poNumber the customer's own number of the order.
	Withheld money.Paise
	PONumber string
	// Transfers are the numbers of the bank transfers that have just paid it.
	Transfers string
}

// Currency is the only one charged.
const Currency = "INR"

// NewTransactionID returns FP, the date in India and 60 random bits: 20 unguessable letters and digits. The gateway accepts at most 25.
func NewTransactionID(now time.Time) string {
	return "FP" + now.In(clock.IST).Format("060102") + rand.Text()[:12]
}

// Payment errors, safe to show.
var (
	// ErrKeyReused refuses an idempotency key that was used with another body.
	ErrKeyReused = idempotency.ErrReused()
	// ErrSignature refuses a notice that the gateway did not sign.
	ErrSignature = errs.New(errs.KindMalformed, "bad_signature", "The payment notice is not signed by the gateway.")
	// ErrUnknownTransaction refuses a notice of a transaction that is not ours.
	ErrUnknownTransaction = errs.New(errs.KindMalformed, "unknown_transaction", "We could not find this transaction.")
)

// Texts on the result page for outcomes that the gateway did not explain.
const (
	ReasonReleased = "The amount received differs from the amount due. It is being refunded."
	ReasonFailed   = "The payment did not go through."
	// ReasonCancelled also identifies a payment cancelled by the customer in the lists.
	ReasonCancelled = "You cancelled the payment."
	reasonExpired   = "The payment was not completed in time."
	reasonUndecided = "Your bank did not decide the debit in time."
	// ReasonOverpaid is filled with the amount that was due and the rest, ReasonShort with the amount received and what was missing.
	ReasonOverpaid = "{1} was due on the day this payment arrived. The other {2} is being refunded."
	ReasonShort    = "{1} was accepted; the missing {2} is a discount on your invoice."
)

// ReasonTexts are the reasons of payments, as in the translation catalogues.
func ReasonTexts() []string {
	return []string{
		i18n.Mark(ReasonOverpaid), i18n.Mark(ReasonShort), i18n.Mark(ReasonReleased), i18n.Mark(ReasonFailed), i18n.Mark(ReasonCancelled),
		i18n.Mark(reasonExpired), i18n.Mark(reasonUndecided), i18n.Mark(ReasonBegunAnew),
	}
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

// ReasonBegunAnew is why an open payment ends in whose place another one was begun.
const ReasonBegunAnew = "Another payment was begun in its place."
