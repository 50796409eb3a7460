package razorpay

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// Read takes what the browser brings back, signed by Razorpay or, for a failure, by our own return address, or an event
// that Razorpay sends, signed over its raw body. Neither is believed beyond which transaction it is about.
func (g *Gateway) Read(p payment.Posted) (payment.Notice, error) {
	if p.Signature != "" {
		return g.readEvent(p)
	}
	f := p.Form
	if id := f["razorpay_order_id"]; id != "" && f["razorpay_payment_id"] != "" {
		if !same(f["razorpay_signature"], g.sign(id+"|"+f["razorpay_payment_id"])) {
			return payment.Notice{}, payment.ErrSignature
		}
		return payment.Notice{
			Kind: payment.NoticePayment, Reference: id, Status: payment.StatusPaid,
			Fields: map[string]string{"razorpay_order_id": id, "razorpay_payment_id": f["razorpay_payment_id"]},
		}, nil
	}
	transaction := f["transaction"]
	if transaction == "" || !same(f["proof"], g.sign("return|"+transaction)) {
		return payment.Notice{}, payment.ErrSignature
	}
	return payment.Notice{
		Kind: payment.NoticePayment, TransactionID: transaction, Status: payment.StatusFailed,
		Fields: map[string]string{"transaction": transaction, "code": f["error[code]"], "description": f["error[description]"]},
	}, nil
}

// happening is the part of Razorpay's events that says what happened to what.
type happening struct {
	Event   string `json:"event"`
	Payload struct {
		Payment entity `json:"payment"`
		Refund  entity `json:"refund"`
		Dispute entity `json:"dispute"`
	} `json:"payload"`
}

type entity struct {
	Entity struct {
		ID        string `json:"id"`
		OrderID   string `json:"order_id"`
		PaymentID string `json:"payment_id"`
		Amount    int64  `json:"amount"`
		Status    string `json:"status"`
	} `json:"entity"`
}

func (g *Gateway) readEvent(p payment.Posted) (payment.Notice, error) {
	if g.config.WebhookSecret == "" || !same(p.Signature, hmacHex(g.config.WebhookSecret, p.Body)) {
		return payment.Notice{}, payment.ErrSignature
	}
	var h happening
	if err := json.Unmarshal(p.Body, &h); err != nil {
		return payment.Notice{}, payment.ErrSignature
	}
	paid := h.Payload.Payment.Entity
	n := payment.Notice{
		Kind: payment.NoticePayment, Reference: paid.OrderID, Status: statusOf(paid.Status), Amount: money.Paise(paid.Amount),
		Fields: map[string]string{
			"event": h.Event, "razorpay_order_id": paid.OrderID, "razorpay_payment_id": paid.ID, "status": paid.Status,
			"amount": fmt.Sprint(paid.Amount),
		},
	}
	switch {
	case strings.HasPrefix(h.Event, "refund."):
		r := h.Payload.Refund.Entity
		n.Kind, n.ExternalID, n.Amount = payment.NoticeRefund, r.ID, money.Paise(r.Amount)
		n.Fields["refund"], n.Fields["status"] = r.ID, r.Status
	case strings.HasPrefix(h.Event, "payment.dispute."):
		d := h.Payload.Dispute.Entity
		n.Kind, n.ExternalID, n.Amount = payment.NoticeDispute, d.ID, money.Paise(d.Amount)
		n.Fields["dispute"], n.Fields["status"] = d.ID, d.Status
	}
	if n.Reference == "" {
		return payment.Notice{}, payment.ErrUnknownTransaction
	}
	return n, nil
}

// statusOf reads Razorpay's states. An authorised payment is not captured yet, and a refunded one was.
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
