package payment

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// Gateway is a payment provider; each adapter under pkg/adapter/gateway implements it and passes the same contract tests.
type Gateway interface {
	// Name returns the gateway's identifier in payments and in the webhook path.
	Name() string
	// Begin opens a session for the charge. Repeated for the same transaction, it returns an equal session.
	Begin(ctx context.Context, c Charge) (Session, error)
	// Read parses data posted to us. Data signed by the provider is returned as Signed; kinds that the provider does not sign are
	// returned as hints, which anybody may have written. Everything else is ErrSignature.
	Read(p Incoming) (Notice, error)
	// IsReference reports whether a posted field holds the gateway's or a bank's reference number, which may look like a card number.
	IsReference(field string) bool
	// Verify queries the outcome of a transaction at the gateway; only this result is trusted.
	Verify(ctx context.Context, transactionID, reference string) (Outcome, error)
	// Refund requests a refund. Each token makes at most one refund: a repeated request returns the same refund, or Waiting if
	// the provider only reports that it knows the token; Refunds then finds it.
	Refund(ctx context.Context, r RefundRequest) (RefundOutcome, error)
	// RefundStatus returns the progress of a refund of this payment.
	RefundStatus(ctx context.Context, r RefundRequest, refundID string) (RefundOutcome, error)
	// Refunds lists all refunds of a payment at the provider, including refunds that we did not request.
	Refunds(ctx context.Context, transactionID, gatewayPaymentID string) ([]RefundRecord, error)
}

// OrderCreator is a gateway where a charge needs an order before it can be paid.
type OrderCreator interface {
	// Order finds the provider's order for our transaction, or creates it, and returns the provider's id for it.
	// Concurrent calls may create two; the service serialises them per payment.
	Order(ctx context.Context, c Charge) (string, error)
}

// RefundMinimum is a gateway that publishes the least amount of a refund.
type RefundMinimum interface {
	// LeastRefund returns the least amount that can be refunded.
	LeastRefund() money.Paise
}

// RefundWindow is a gateway that publishes how long it refunds a payment.
type RefundWindow interface {
	// RefundableFor returns how long after its capture a payment is refunded, 0 for any time.
	RefundableFor() time.Duration
}

// Capturer is a gateway whose authorised payments may need a capture; Verify reports them as Authorized.
type Capturer interface {
	// Capture captures an authorised amount; an amount already captured is not an error.
	Capture(ctx context.Context, c Capture) error
}

// TransactionFinder is a gateway that can find our transaction for a signed notice that does not name it.
type TransactionFinder interface {
	// Find returns the transaction, empty if it is not ours.
	Find(ctx context.Context, n Notice) (transactionID string, err error)
}

// Charge describes a payment to request from a customer.
type Charge struct {
	TransactionID string
	Amount        money.Paise
	ProductInfo   string
	FirstName     string
	Email         string
	Mobile        string
	// ReturnURL is where the browser is sent after the payment.
	ReturnURL string
	Method    Method
	// Reference is the gateway's own id for the charge if an earlier Begin returned one.
	Reference string
}

// SignedReturnURL returns ReturnURL with the transaction and the adapter's own proof of it, for gateways that sign nothing on the browser's
// return.
func (c Charge) SignedReturnURL(proof string) (string, error) {
	u, err := url.Parse(c.ReturnURL)
	if err != nil {
		return "", errs.Internal(fmt.Errorf("return address: %w", err))
	}
	q := u.Query()
	q.Set("transaction", c.TransactionID)
	q.Set("proof", proof)
	u.RawQuery = q.Encode()
	return u.String(), nil
}

// Session is the form that the browser posts to the gateway.
type Session struct {
	URL string
	// Fields are the form fields by name.
	Fields map[string]string
	// Reference is the gateway's id for the charge, empty if the gateway assigns it only on payment.
	Reference string
}

// Incoming is untrusted data received from outside.
type Incoming struct {
	Form map[string]string
	// Body is the raw body, for gateways that sign it or post JSON.
	Body []byte
	// Headers are the x- headers with lower-case names.
	Headers map[string]string
}

// NoticeKind is the subject of a notice.
type NoticeKind string

// The kinds of notice.
const (
	NoticePayment NoticeKind = "payment"
	NoticeRefund  NoticeKind = "refund"
	NoticeDispute NoticeKind = "dispute"
	// NoticeOther is signed by the gateway but concerns nothing stored here; it is acknowledged and dropped.
	NoticeOther NoticeKind = "other"
)

// Status is a gateway's status of a payment, in our terms.
type Status string

// The statuses of a gateway. Unknown means it never saw the transaction: the customer did not reach its page. Opened means that the
// customer reached the page and has not begun to pay: no money can have left. Pending means that money may have left.
const (
	StatusPaid    Status = "paid"
	StatusFailed  Status = "failed"
	StatusPending Status = "pending"
	StatusUnknown Status = "unknown"
	StatusOpened  Status = "opened"
)

// Notice is a parsed notification. It concerns the payment identified by TransactionID, else by Reference, else by
// GatewayPaymentID.
type Notice struct {
	Kind NoticeKind
	// Signed reports whether the provider's signature covers the content. Unsigned content may be forged: it is a reason to query the
	// provider, never a fact.
	Signed           bool
	TransactionID    string
	Reference        string
	GatewayPaymentID string
	Status           Status
	Amount           money.Paise
	// ExternalID is the id of the refund or the dispute.
	ExternalID string
	// Key identifies the content, so that a repeated notice has the same key whatever else it carries.
	Key string
	// Fields are the stored subset of the provider's own fields, each cut to a maximum length.
	Fields map[string]string
}

// Capture is money captured, or only authorised, under the gateway's own id for it.
type Capture struct {
	GatewayPaymentID string
	Amount           money.Paise
}

// Captures is a gateway whose answer about a transaction names only one capture although more are possible. It is queried about each
// other known payment of the transaction.
type Captures interface {
	// Capture returns the gateway's capture of that payment for our transaction, or nil if it was not captured.
	Capture(ctx context.Context, transactionID, gatewayPaymentID string) (*Capture, error)
}

// Outcome is the gateway's answer about a transaction.
type Outcome struct {
	Status           Status
	Amount           money.Paise
	Currency         string
	GatewayPaymentID string
	// BankReference is the bank's number of the payment (UTR, RRN), as the customer's bank shows it; may be empty.
	BankReference string
	// Slug is the payment method: upi, card, netbanking, wallet or the gateway's own word.
	Slug string
	// Reason is the gateway's reason for the failure, which staff read; may be empty.
	Reason string
	// Cancelled reports that the customer cancelled the payment at the gateway, which is not a failure.
	Cancelled bool
	Fields    map[string]string
	// Others are further captures of the same transaction, which pay for nothing.
	Others []Capture
	// Authorized is a payment awaiting capture, or nil.
	Authorized *Capture
}

// RefundRequest is a refund to be made.
type RefundRequest struct {
	TransactionID    string
	GatewayPaymentID string
	Amount           money.Paise
	// Token is the same for every attempt at the same refund.
	Token string
}

// RefundOutcome is the progress of a refund.
type RefundOutcome struct {
	RefundID string
	Done     bool
	// Failed reports that the gateway will not make the refund; Reason says why.
	Failed bool
	// Waiting reports that the gateway has not accepted the refund yet but may later, or that it has to be looked up; Reason
	// says why, for staff.
	Waiting bool
	Reason  string
}

// RefundRecord is a refund as listed by the provider. Token is the token of its request, empty for a request without one.
type RefundRecord struct {
	RefundOutcome
	Token  string
	Amount money.Paise
}

// DisputeOutcome is a gateway's answer about a dispute; State is empty if the gateway does not know it.
type DisputeOutcome struct {
	State  DisputeState
	Amount money.Paise
}

// Disputes is a gateway that can be queried about disputes. For any other gateway, webhook events only open a dispute, and staff book a
// loss by a chargeback reversal.
type Disputes interface {
	Dispute(ctx context.Context, disputeID string) (DisputeOutcome, error)
}
