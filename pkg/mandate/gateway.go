// Package mandate debits renewals by a mandate that the customer gave: UPI AutoPay, card or eNACH.
package mandate

import (
	"context"
	"errors"
	"time"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// Method is the rail on which a mandate is debited.
type Method string

// The methods of a mandate.
const (
	MethodUPI   Method = "upi"
	MethodCard  Method = "card"
	MethodENACH Method = "enach"
)

// ProviderState is a provider's word about a mandate, in our terms.
type ProviderState string

// The states that a provider reports. Unknown means that it knows no such mandate (yet).
const (
	ProviderPending ProviderState = "pending"
	ProviderActive  ProviderState = "active"
	ProviderPaused  ProviderState = "paused"
	ProviderRevoked ProviderState = "revoked"
	ProviderExpired ProviderState = "expired"
	ProviderFailed  ProviderState = "failed"
	ProviderUnknown ProviderState = "unknown"
)

// Gateway is a provider that debits by mandate. A debit is a payment of ours with a transaction of its own: whether it was
// captured is asked for as of any payment (payment.Gateway.Verify), and only that answer is booked.
type Gateway interface {
	// Name returns the gateway's identifier, equal to that of its payment.Gateway.
	Name() string
	// Read parses what the gateway or the browser posted about a transaction, as payment.Gateway does: a registration without a payment
	// is told of in the same way.
	Read(p payment.Incoming) (payment.Notice, error)
	// Register opens the session in which the customer authorises the mandate, with the payment of the charge in the same step; eNACH
	// is registered with a charge of 0. Repeated for the same transaction, it returns an equal session.
	Register(ctx context.Context, r Registration) (payment.Session, error)
	// Registered asks what became of a registration: the mandate's ids, method and state; pending, with the mandate's id, while the bank
	// has yet to confirm what the customer authorised. A successful mandate may belong to a payment that failed.
	Registered(ctx context.Context, transactionID, reference string) (Details, error)
	// State asks for the mandate's present state and limits.
	State(ctx context.Context, m Reference) (Details, error)
	// Notify submits the notice of a debit, for which the provider or the bank tells the customer at least 24 hours ahead. Repeated
	// with the same token it is the same notice.
	Notify(ctx context.Context, m Reference, n Notice) (NoticeOutcome, error)
	// WithdrawNotice takes a notice back; false if the provider cannot, or will not any more.
	WithdrawNotice(ctx context.Context, m Reference, n Notice) (bool, error)
	// Debit asks for the debit. Repeated for the same transaction it makes no second one. An answer that was lost is an error, and
	// the transaction is asked about afterwards; an outcome that is not final is pending, never failed. It returns ErrNotAccepted if the
	// gateway refused the request itself, so that there is no debit.
	Debit(ctx context.Context, m Reference, d Debit) (DebitOutcome, error)
	// Revoke ends the mandate at the provider; one that has ended is no error.
	Revoke(ctx context.Context, m Reference) (Details, error)
	// ReadMandate parses a notice about a mandate posted to us. What carries no valid signature is a hint (Signed false) at best,
	// never a fact; what is no notice about a mandate is payment.ErrSignature.
	ReadMandate(p payment.Incoming) (Hint, error)
}

// Registration is what the customer is asked to authorise.
type Registration struct {
	// Charge is the payment that the authorisation makes: the first bill, or the least that the rail takes.
	Charge payment.Charge
	Method Method
	// CustomerReference is the provider's id of the customer from an earlier registration, empty if there is none.
	CustomerReference string
	// Cap is the most that one debit may be, with tax.
	Cap money.Paise
	// Yearly or monthly is how often a debit may be made.
	Yearly bool
	// Start and End are days in India.
	Start, End time.Time
}

// Reference names a mandate at its provider.
type Reference struct {
	// MandateID is the provider's id of the mandate: PayU's mihpayid of the registration, Razorpay's token.
	MandateID string
	// CustomerID is the provider's id of the customer, empty where there is none (PayU).
	CustomerID string
	Method     Method
	// RequestID is an id of ours, at most 20 characters, for calls that want one.
	RequestID string
}

// Details is a provider's answer about a mandate.
type Details struct {
	Reference Reference
	State     ProviderState
	// Masked is the instrument, masked: the last four digits of a card, the handle of a UPI id, a bank; empty if it is not told.
	Masked string
	// Cap is the most that a debit may be as the bank confirmed it, 0 if it is not told. It may be lower than what was asked for.
	Cap money.Paise
	// Until is the last day of the mandate, zero if it is not told.
	Until time.Time
	// Reason is why it failed, in the provider's words, empty if there is none.
	Reason string
}

// Notice is the notice of one debit.
type Notice struct {
	// Token is the same for each attempt at the same notice, at most 20 characters.
	Token  string
	Amount money.Paise
	// DebitOn is the instant from which the debit may be made.
	DebitOn time.Time
	// Document is the number that the customer reads in the bank's notice.
	Document string
	// Reference is the provider's id of the notice or of the order that carries it, empty before the first attempt.
	Reference string
}

// NoticeOutcome is the provider's answer to a notice.
type NoticeOutcome struct {
	// Reference is the provider's id of the notice, or of the order that carries it; it is needed for the debit.
	Reference string
	// Accepted reports that the notice is on its way to the customer. Later asks for the same notice again in a while.
	Accepted, Later bool
	// Cause is why it was refused, CauseNone if it was accepted.
	Cause  Cause
	Reason string
}

// Debit is one try to debit.
type Debit struct {
	// Charge has the amount of the notice, to the paisa.
	Charge payment.Charge
	Notice Notice
}

// DebitOutcome is the provider's answer to a request for a debit.
type DebitOutcome struct {
	// Reference is the provider's own id for the charge (Razorpay's order), empty if there is none.
	Reference        string
	GatewayPaymentID string
	Status           payment.Status
	// Cause is why the debit failed, CauseNone unless Status is failed.
	Cause  Cause
	Reason string
}

// Cause is why a notice or a debit was refused, in our terms; what to do follows from it.
type Cause string

// The causes. Authenticate: the customer has to approve this amount. Expires: the mandate ends before the debit. Frequency: it is for a
// bill a year, and the bill is of a month. Lost: the gateway never
// knew of the request. Undecided: the bank did not decide it within payment.DebitDecidedBy.
const (
	CauseNone         Cause = ""
	CauseInsufficient Cause = "insufficient_funds"
	CauseTechnical    Cause = "bank_technical"
	CauseDeclined     Cause = "declined"
	CausePaused       Cause = "paused"
	CauseEnded        Cause = "ended"
	CauseAboveCap     Cause = "above_cap"
	CauseNoNotice     Cause = "no_notice"
	CauseOutOfHours   Cause = "out_of_hours"
	CauseCycleUsed    Cause = "cycle_used"
	CauseAuthenticate Cause = "authenticate"
	CauseExpires      Cause = "expires"
	CauseFrequency    Cause = "frequency"
	CauseLost         Cause = "lost"
	CauseUndecided    Cause = "undecided"
	CauseOther        Cause = "other"
)

// ErrNotAccepted means that a gateway refused a request before it looked at the debit: a wrong hash, a missing field, our account.
var ErrNotAccepted = errors.New("the gateway did not accept the request")

// Hint is a parsed notice about a mandate; it is a reason to ask for the mandate's state.
type Hint struct {
	Signed bool
	// MandateID and TransactionID name the mandate; one of them is set.
	MandateID     string
	TransactionID string
	// Key identifies the content, so that a repeated notice has the same key.
	Key string
}
