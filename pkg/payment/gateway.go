package payment

import (
	"context"
	"time"

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
	// Verify asks the gateway what became of a transaction; only this is believed.
	Verify(ctx context.Context, transactionID, reference string) (Outcome, error)
	// Refund asks for money to go back. A token makes one refund at most: asked for again, the same refund comes back, or
	// Waiting where the provider only says that it knows the token; Refunds then finds it.
	Refund(ctx context.Context, r RefundRequest) (RefundOutcome, error)
	// RefundStatus asks how far a refund of this payment is.
	RefundStatus(ctx context.Context, r RefundRequest, refundID string) (RefundOutcome, error)
	// Refunds lists every refund of a payment that the provider knows, whoever asked for it.
	Refunds(ctx context.Context, transactionID, gatewayPaymentID string) ([]RefundRecord, error)
	// Settlements lists what was settled on a day in India, written 2006-01-02.
	Settlements(ctx context.Context, day string) ([]SettlementLine, error)
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

// SettlementKind is what a line of a settlement is about.
type SettlementKind string

// The kinds of line. A reversal is money that comes back to us: of a refund that did not reach the customer, or of a dispute
// that was won in the end. An adjustment is everything that concerns no payment, and every word that we do not know.
const (
	SettledCapture            SettlementKind = "capture"
	SettledRefund             SettlementKind = "refund"
	SettledRefundReversal     SettlementKind = "refund_reversal"
	SettledChargeback         SettlementKind = "chargeback"
	SettledChargebackReversal SettlementKind = "chargeback_reversal"
	SettledAdjustment         SettlementKind = "adjustment"
)

// SettlementLine is one movement in a day's settlement.
type SettlementLine struct {
	// ID names the line at the gateway, the same each time it is asked for: 1 to 80 characters.
	ID   string         `db:"line_id"`
	Kind SettlementKind `db:"kind"`
	// Action is the gateway's own word for the movement.
	Action           string `db:"action"`
	TransactionID    string `db:"transaction_id"`
	GatewayPaymentID string `db:"gateway_payment_id"`
	// RefundID is the gateway's name for the refund or the dispute, empty for a capture.
	RefundID string `db:"refund_id"`
	// Amount is what moved before fees: at least 0, whichever way the kind says it went. An adjustment's is below 0 where it
	// was taken from us, and 0 where it is a fee alone.
	Amount money.Paise `db:"amount_paise"`
	// Fee is what the gateway keeps, FeeTax the GST on it; both are below 0 where they are given back.
	Fee    money.Paise `db:"fee_paise"`
	FeeTax money.Paise `db:"tax_paise"`
	// Net is what reached the bank; below 0 where the line reduced the payout.
	Net money.Paise `db:"net_paise"`
	// SettlementID and UTR name the payout and its transfer to the bank, empty where the gateway does not say.
	SettlementID string `db:"settlement_id"`
	UTR          string `db:"utr"`
	// Pending says that the line is announced or on hold: nothing was paid out yet.
	Pending bool      `db:"pending"`
	At      time.Time `db:"settled_at"`
}

// gross is the amount with its sign: above 0 for money that came to us.
func (l SettlementLine) gross() money.Paise {
	if l.Kind == SettledRefund || l.Kind == SettledChargeback {
		return -l.Amount
	}
	return l.Amount
}

// net is what the line should bring: the amount less fee and its tax.
func (l SettlementLine) net() money.Paise { return l.gross() - l.Fee - l.FeeTax }
