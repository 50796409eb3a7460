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

// ProviderState is the state of a mandate as its provider reports it, in our terms.
type ProviderState string

// The states that a provider reports. Unknown means that it does not know the mandate (yet).
const (
	ProviderPending ProviderState = "pending"
	ProviderActive  ProviderState = "active"
	ProviderPaused  ProviderState = "paused"
	ProviderRevoked ProviderState = "revoked"
	ProviderExpired ProviderState = "expired"
	ProviderFailed  ProviderState = "failed"
	ProviderUnknown ProviderState = "unknown"
)

// Gateway is a provider that debits by mandate. Each debit is a payment with its own transaction. payment.Gateway.Verify reports whether
// it was captured, and only that answer is booked.
type Gateway interface {
	// Name returns the gateway's identifier, equal to that of its payment.Gateway.
	Name() string
	// Read parses a webhook or a browser's post about a transaction, as payment.Gateway does. A registration without a payment is reported
	// in the same way.
	Read(p payment.Incoming) (payment.Notice, error)
	// Register opens the session in which the customer authorises the mandate and pays the charge. The charge of eNACH is 0. Repeated for
	// the same transaction, it returns an equal session.
	Register(ctx context.Context, r Registration) (payment.Session, error)
	// Registered returns the result of a registration: the mandate's ids, method and state. The state is pending, with the mandate's id,
	// until the bank confirms the authorisation. The mandate may succeed although the payment failed.
	Registered(ctx context.Context, transactionID, reference string) (Details, error)
	// State returns the mandate's present state and limits.
	State(ctx context.Context, m Reference) (Details, error)
	// Notify submits the pre-debit notice; the provider or the bank informs the customer at least 24 hours ahead. Repeated with the same
	// token, it is the same notice.
	Notify(ctx context.Context, m Reference, n Notice) (NoticeOutcome, error)
	// WithdrawNotice withdraws a notice. It returns false if the provider does not support that, or no longer allows it.
	WithdrawNotice(ctx context.Context, m Reference, n Notice) (bool, error)
	// Debit requests the debit. Repeated for the same transaction, it makes no second debit. A lost answer is an error; the caller then
	// verifies the transaction. An outcome that is not final is pending, never failed. It returns ErrNotAccepted if the gateway rejected
	// the request itself, so that there is no debit.
	Debit(ctx context.Context, m Reference, d Debit) (DebitOutcome, error)
	// Revoke ends the mandate at the provider. It succeeds if the mandate has ended already.
	Revoke(ctx context.Context, m Reference) (Details, error)
	// ReadMandate parses a webhook about a mandate. Without a valid signature it is only a hint (Signed false). It returns
	// payment.ErrSignature if the request is not about a mandate.
	ReadMandate(p payment.Incoming) (Hint, error)
}

// Registration is the mandate that the customer has to authorise.
type Registration struct {
	// Charge is the payment that the authorisation makes: the first bill, or the least that the rail takes.
	Charge payment.Charge
	Method Method
	// CustomerReference is the provider's id of the customer from an earlier registration, or empty.
	CustomerReference string
	// Cap is the limit of one debit, with tax.
	Cap money.Paise
	// Yearly means one debit a year, otherwise one a month.
	Yearly bool
	// Start and End are days in India.
	Start, End time.Time
}

// Reference names a mandate at its provider.
type Reference struct {
	// MandateID is the provider's id of the mandate: PayU's mihpayid of the registration, Razorpay's token.
	MandateID string
	// CustomerID is the provider's id of the customer, empty at PayU.
	CustomerID string
	Method     Method
	// RequestID is an id of ours, at most 20 characters, for calls that need one.
	RequestID string
}

// Details is a provider's answer about a mandate.
type Details struct {
	Reference Reference
	State     ProviderState
	// Masked is the masked instrument: the last four digits of a card, the handle of a UPI id, or a bank. It is empty if not reported.
	Masked string
	// Cap is the limit of a debit that the bank confirmed, 0 if not reported. It may be lower than the requested one.
	Cap money.Paise
	// Until is the last day of the mandate, zero if not reported.
	Until time.Time
	// Reason is the provider's text for a failure, empty if there was no failure.
	Reason string
}

// Notice is the pre-debit notice of one debit.
type Notice struct {
	// Token is the same for each attempt at the same notice, at most 20 characters.
	Token  string
	Amount money.Paise
	// DebitOn is the instant from which the debit may be made.
	DebitOn time.Time
	// Document is the number that the bank's notice shows to the customer.
	Document string
	// Reference is the provider's id of the notice or of the order that carries it, empty before the first attempt.
	Reference string
}

// NoticeOutcome is the provider's answer to a notice.
type NoticeOutcome struct {
	// Reference is the provider's id of the notice, or of the order that carries it. The debit needs it.
	Reference string
	// Accepted reports that the provider sends the notice to the customer. Later means that the same notice should be retried after a
	// while.
	Accepted, Later bool
	// Cause is why the notice was refused, CauseNone if it was accepted.
	Cause  Cause
	Reason string
}

// Debit is one attempt to debit.
type Debit struct {
	// Charge has the exact amount of the notice.
	Charge payment.Charge
	Notice Notice
}

// DebitOutcome is the provider's answer to a request for a debit.
type DebitOutcome struct {
	// Reference is the provider's own id for the charge (Razorpay's order), or empty.
	Reference        string
	GatewayPaymentID string
	Status           payment.Status
	// Cause is why the debit failed, CauseNone unless Status is failed.
	Cause  Cause
	Reason string
}

// Cause is why a notice or a debit was refused, in our terms. remedyOf maps it to the next action.
type Cause string

// The causes. Authenticate: the customer has to approve this amount. Expires: the mandate ends before the debit. Frequency: the mandate
// is yearly and the bill is monthly. Lost: the request never reached the gateway. Undecided: the bank did not decide it within
// payment.DebitDecidedBy.
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

// ErrNotAccepted means that a gateway rejected a request before it processed the debit: a wrong hash, a missing field, our account.
var ErrNotAccepted = errors.New("the gateway did not accept the request")

// Hint is a parsed webhook about a mandate. It triggers a query of the mandate's state.
type Hint struct {
	Signed bool
	// MandateID and TransactionID name the mandate; one of them is set.
	MandateID     string
	TransactionID string
	// Key identifies the content: a repeated webhook has the same key.
	Key string
}
