package razorpay

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/card"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// The headers of an event: its signature, and its id, which stays the same when it is resent.
const (
	eventSignature = "x-razorpay-signature"
	eventID        = "x-razorpay-event-id"
)

// Read parses what the browser brings back, signed by Razorpay or, after a failure or a cancellation, by our own
// return URL; or an event from Razorpay, signed over its raw body. Each is trusted only to identify its subject.
func (g *Gateway) Read(p payment.Incoming) (payment.Notice, error) {
	if p.Headers[eventSignature] != "" {
		return g.readEvent(p)
	}
	f := p.Form
	if id := f["razorpay_order_id"]; id != "" && f["razorpay_payment_id"] != "" {
		if len(id)+len(f["razorpay_payment_id"]) > maxWords || !same(f["razorpay_signature"], g.sign(id+"|"+f["razorpay_payment_id"])) {
			return payment.Notice{}, payment.ErrSignature
		}
		return payment.Notice{
			Kind: payment.NoticePayment, Signed: true, TransactionID: g.proven(f), Reference: id, Status: payment.StatusPaid, Key: f["razorpay_payment_id"],
			Fields: map[string]string{"razorpay_order_id": id, "razorpay_payment_id": f["razorpay_payment_id"]},
		}, nil
	}
	transaction := g.proven(f)
	if transaction == "" {
		return payment.Notice{}, payment.ErrSignature
	}
	// The browser's report of the failure is not signed: all its versions count as one notice.
	return payment.Notice{
		Kind: payment.NoticePayment, Signed: true, TransactionID: transaction, Status: payment.StatusFailed, Key: "back",
		Fields: map[string]string{"transaction": transaction, "code": words(f["error[code]"]), "description": words(f["error[description]"])},
	}, nil
}

// proven returns the transaction that our own return address names, empty if we did not sign it: a mandate without a payment is known by
// nothing else that the browser brings.
func (g *Gateway) proven(form map[string]string) string {
	transaction := form["transaction"]
	if transaction == "" || !same(form["proof"], g.sign("return|"+transaction)) {
		return ""
	}
	return transaction
}

// IsReference reports whether a field holds Razorpay's id of a payment or an order.
func (*Gateway) IsReference(field string) bool {
	return field == "razorpay_payment_id" || field == "razorpay_order_id"
}

// words truncates a text, or drops it if it contains a card number.
func words(s string) string {
	if card.In(s) {
		return ""
	}
	return cut(s)
}

// happening is the part of Razorpay's events that states what happened to what.
type happening struct {
	Event   string `json:"event"`
	Payload struct {
		Payment      entity `json:"payment"`
		Refund       entity `json:"refund"`
		Dispute      entity `json:"dispute"`
		Token        entity `json:"token"`
		Notification entity `json:"notification"`
		Account      entity `json:"virtual_account"`
		CreatedAt    int64  `json:"created_at"` // that of notifications is written here
	} `json:"payload"`
	CreatedAt int64 `json:"created_at"`
}

type entity struct {
	Entity struct {
		ID        string `json:"id"`
		OrderID   string `json:"order_id"`
		PaymentID string `json:"payment_id"`
		TokenID   string `json:"token_id"`
		Amount    int64  `json:"amount"`
		Status    string `json:"status"`
	} `json:"entity"`
}

// event parses an event whose signature is right.
func (g *Gateway) event(p payment.Incoming) (happening, error) {
	var h happening
	if g.config.WebhookSecret == "" || !same(p.Headers[eventSignature], hmacHex(g.config.WebhookSecret, p.Body)) {
		return h, payment.ErrSignature
	}
	if err := json.Unmarshal(p.Body, &h); err != nil {
		return h, payment.ErrSignature
	}
	return h, nil
}

func (g *Gateway) readEvent(p payment.Incoming) (payment.Notice, error) {
	h, err := g.event(p)
	if err != nil {
		return payment.Notice{}, err
	}
	paid := h.Payload.Payment.Entity
	n := payment.Notice{
		Kind: payment.NoticePayment, Signed: true, Reference: paid.OrderID, GatewayPaymentID: paid.ID, Status: statusOf(paid.Status),
		Amount: money.Paise(paid.Amount), Key: p.Headers[eventID],
		Fields: map[string]string{
			"event": cut(h.Event), "razorpay_order_id": cut(paid.OrderID), "razorpay_payment_id": cut(paid.ID), "status": cut(paid.Status),
			"amount": fmt.Sprint(paid.Amount),
		},
	}
	if n.Key == "" {
		n.Key = fmt.Sprint(h.Event, "/", paid.ID, "/", paid.Status, "/", h.Payload.Refund.Entity.ID, "/", h.Payload.Dispute.Entity.ID, "/", h.CreatedAt)
	}
	switch {
	case strings.HasPrefix(h.Event, "refund."):
		r := h.Payload.Refund.Entity
		n.Kind, n.ExternalID, n.Amount = payment.NoticeRefund, r.ID, money.Paise(r.Amount)
		n.Fields["refund"], n.Fields["status"] = cut(r.ID), cut(r.Status)
	case strings.HasPrefix(h.Event, "payment.dispute."):
		d := h.Payload.Dispute.Entity
		n.Kind, n.ExternalID, n.Amount = payment.NoticeDispute, d.ID, money.Paise(d.Amount)
		n.Fields["dispute"], n.Fields["status"] = cut(d.ID), cut(d.Status)
	}
	if strings.HasPrefix(h.Event, "virtual_account.") || n.Reference == "" && n.GatewayPaymentID == "" || n.Kind != payment.NoticePayment && n.ExternalID == "" {
		n = payment.Notice{Kind: payment.NoticeOther, Signed: true} // settlements, payouts and any other enabled event
	}
	return n, nil
}

// statusOf maps Razorpay's states. An authorised payment is not captured yet, and a refunded one was. A created payment is pending:
// its payer has sent the details ("About Payments"), such as the address of a UPI collect request. An opened page makes no payment.
func statusOf(status string) payment.Status {
	switch status {
	case "captured", "refunded":
		return payment.StatusPaid
	case "failed":
		return payment.StatusFailed
	default:
		return payment.StatusPending
	}
}
