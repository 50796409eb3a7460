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
	// Read checks the signature of something that was posted to us and says what it is about, or returns ErrSignature.
	Read(p Posted) (Notice, error)
	// Verify asks the gateway what became of a transaction; only this is believed.
	Verify(ctx context.Context, transactionID, reference string) (Outcome, error)
	// Refund asks for money to go back. The same token is the same refund, however often it is asked for.
	Refund(ctx context.Context, r RefundRequest) (RefundOutcome, error)
	// RefundStatus asks how far a refund is.
	RefundStatus(ctx context.Context, r RefundRequest, refundID string) (RefundOutcome, error)
	// Settlements lists what was settled on a day in India, written 2006-01-02.
	Settlements(ctx context.Context, day string) ([]SettlementLine, error)
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
	// Fields are posted name by value; among them is hash.
	Fields map[string]string
	// Reference is the gateway's own name for the charge, empty where it has none before the payment.
	Reference string
}

// Posted is something that came to us from outside, believed in nothing yet.
type Posted struct {
	Form map[string]string
	// Body and Signature are the raw body and its signature header, for gateways that sign those.
	Body      []byte
	Signature string
}

// NoticeKind is what a notice tells of.
type NoticeKind string

// The kinds of notice.
const (
	NoticePayment NoticeKind = "payment"
	NoticeRefund  NoticeKind = "refund"
	NoticeDispute NoticeKind = "dispute"
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

// Notice is something signed that came to us.
type Notice struct {
	Kind          NoticeKind
	TransactionID string
	Reference     string
	Status        Status
	Amount        money.Paise
	// ExternalID names the refund or the dispute.
	ExternalID string
	// Fields is what came, without what must not be kept.
	Fields map[string]string
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
	Fields map[string]string
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
	Reason string
}

// SettlementLine is one movement in a day's settlement.
type SettlementLine struct {
	TransactionID    string `db:"transaction_id"`
	GatewayPaymentID string `db:"gateway_payment_id"`
	// Refund is true for money that went back, by a refund or a lost dispute; then Amount is what went back, RefundID the
	// refund's or dispute's name, and Net, which is what reached the bank, negative.
	Refund   bool        `db:"refund"`
	RefundID string      `db:"refund_id"`
	Amount   money.Paise `db:"amount_paise"`
	Fee      money.Paise `db:"fee_paise"`
	FeeTax   money.Paise `db:"tax_paise"`
	Net      money.Paise `db:"net_paise"`
	UTR      string      `db:"utr"`
	At       time.Time   `db:"settled_at"`
}
