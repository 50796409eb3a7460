package payment

import (
	"context"

	"github.com/franchise360/franchise360/pkg/platform/money"
)

// Gateway is a payment provider; each adapter under pkg/adapter/gateway fills it and passes the same contract tests.
type Gateway interface {
	// Name is the word by which payments and the webhook's address name it.
	Name() string
	// Begin opens a session for the charge. Called again for the same transaction it gives an equal session.
	Begin(ctx context.Context, c Charge) (Session, error)
	// Read says what something that was posted to us is about. What the provider signed comes as Signed; of a kind that it
	// does not sign, a hint comes, which anybody may have written. Everything else is ErrSignature.
	Read(p Incoming) (Notice, error)
	// IsReference says whether a field of what it posts holds a number of its own or of a bank, which may look like a card's.
	IsReference(field string) bool
	// Verify asks the gateway what became of a transaction; only this is believed.
	Verify(ctx context.Context, transactionID, reference string) (Outcome, error)
	// Refund asks for money to go back. A token makes one refund at most: asked for again, the same refund comes back, or
	// Waiting where the provider only says that it knows the token; Refunds then finds it.
	Refund(ctx context.Context, r RefundRequest) (RefundOutcome, error)
	// RefundStatus asks how far a refund of this payment is.
	RefundStatus(ctx context.Context, r RefundRequest, refundID string) (RefundOutcome, error)
	// Refunds lists every refund of a payment that the provider knows, whoever asked for it.
	Refunds(ctx context.Context, transactionID, gatewayPaymentID string) ([]RefundRecord, error)
}

// OrderCreator is a gateway at which a charge is an order before anybody can pay it.
type OrderCreator interface {
	// Order finds the provider's order of a charge by our transaction, or makes it, and returns the provider's name for it.
	// Two calls at the same time may make two: the service makes one at a time for a payment.
	Order(ctx context.Context, c Charge) (string, error)
}

// Capturer is a gateway whose authorised payments may wait for a capture, which Verify reports as Authorized.
type Capturer interface {
	// Capture takes an authorised amount; one that was taken before is no error.
	Capture(ctx context.Context, c Capture) error
}

// TransactionFinder is a gateway that can say which of our transactions a signed notice is about where the notice itself does not.
type TransactionFinder interface {
	// Find returns the transaction, empty for none of ours.
	Find(ctx context.Context, n Notice) (transactionID string, err error)
}

// Charge is what a customer shall pay.
type Charge struct {
	TransactionID string
	Amount        money.Paise
	ProductInfo   string
	FirstName     string
	Email         string
	Mobile        string
	// ReturnURL is where the browser comes back to.
	ReturnURL string
	Method    Method
	// Reference is the gateway's own name for the charge where Begin gave one before.
	Reference string
}

// Session is the form that the browser posts to the gateway.
type Session struct {
	URL string
	// Fields are posted name by value.
	Fields map[string]string
	// Reference is the gateway's own name for the charge, empty where it has none before the payment.
	Reference string
}

// Incoming is something that came to us from outside, believed in nothing yet.
type Incoming struct {
	Form map[string]string
	// Body is as it came, for gateways that sign it or post JSON.
	Body []byte
	// Headers are the x- ones, named in lower case.
	Headers map[string]string
}

// NoticeKind is what a notice tells of.
type NoticeKind string

// The kinds of notice.
const (
	NoticePayment NoticeKind = "payment"
	NoticeRefund  NoticeKind = "refund"
	NoticeDispute NoticeKind = "dispute"
	// NoticeOther is signed by the gateway and about nothing that is kept here; it is answered and forgotten.
	NoticeOther NoticeKind = "other"
)

// Status is what a gateway says of a payment, in our words.
type Status string

// The answers of a gateway. Unknown is a transaction it never saw: the customer did not get to its page.
const (
	StatusPaid    Status = "paid"
	StatusFailed  Status = "failed"
	StatusPending Status = "pending"
	StatusUnknown Status = "unknown"
)

// Notice is something that came to us. It is about the payment that TransactionID names, or else Reference, or else
// GatewayPaymentID.
type Notice struct {
	Kind NoticeKind
	// Signed says that the provider's signature covers what the notice says. Otherwise anybody may have written it: it is a
	// reason to ask the provider, and never a fact.
	Signed           bool
	TransactionID    string
	Reference        string
	GatewayPaymentID string
	Status           Status
	Amount           money.Paise
	// ExternalID names the refund or the dispute.
	ExternalID string
	// Key is the same where the gateway says the same again, whatever stands beside it.
	Key string
	// Fields are those of the provider's own that are kept, cut to what they can need.
	Fields map[string]string
}

// Capture is money taken, or only authorised, under the gateway's own name for it.
type Capture struct {
	GatewayPaymentID string
	Amount           money.Paise
}

// Captures is a gateway whose answer about a transaction names one capture of it, although there can be more: it is asked about
// each other payment of the transaction that was heard of.
type Captures interface {
	// Capture says whether the gateway captured its payment for our transaction, and how much; nil where it did not.
	Capture(ctx context.Context, transactionID, gatewayPaymentID string) (*Capture, error)
}

// Outcome is what the gateway answers about a transaction.
type Outcome struct {
	Status           Status
	Amount           money.Paise
	Currency         string
	GatewayPaymentID string
	// Slug is how it was paid: upi, card, netbanking, wallet or the gateway's own word.
	Slug string
	// Reason is why it failed, in words for the customer, empty where the gateway does not say.
	Reason string
	// Cancelled says that the customer gave the payment up at the gateway: no failure.
	Cancelled bool
	Fields    map[string]string
	// Others are further captures of the same transaction, which have nothing to give for them.
	Others []Capture
	// Authorized waits to be captured; nil for none.
	Authorized *Capture
}

// RefundRequest is money that shall go back.
type RefundRequest struct {
	TransactionID    string
	GatewayPaymentID string
	Amount           money.Paise
	// Token is the same for each try of the same refund.
	Token string
}

// RefundOutcome is how far a refund is.
type RefundOutcome struct {
	RefundID string
	Done     bool
	// Failed says that the gateway will not do it; Reason says why.
	Failed bool
	// Waiting says that the gateway has not taken the refund yet and may later, or that it is to be looked up; Reason says
	// why, for staff.
	Waiting bool
	Reason  string
}

// RefundRecord is a refund as the provider lists it. Token is the one that it was asked for with, empty for none.
type RefundRecord struct {
	RefundOutcome
	Token  string
	Amount money.Paise
}

// DisputeOutcome is what a gateway answers about a dispute; State is empty where it knows none of that name.
type DisputeOutcome struct {
	State  DisputeState
	Amount money.Paise
}

// Disputes is a gateway that can be asked about disputes. Where one cannot, its notices only open a dispute, and staff book a
// loss by a reversal of the kind chargeback.
type Disputes interface {
	Dispute(ctx context.Context, disputeID string) (DisputeOutcome, error)
}
