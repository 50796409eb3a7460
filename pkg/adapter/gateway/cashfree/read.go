package cashfree

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/franchise360/franchise360/pkg/payment"
)

// The headers of a webhook: its signature, and the time of its creation in milliseconds ("Webhook Signature Verification").
const (
	webhookSignature = "x-webhook-signature"
	webhookTime      = "x-webhook-timestamp"
)

// The age at which a webhook is refused, and how far its clock may run ahead of ours. Cashfree publishes no tolerance. Its default retries
// end after 42 minutes, but a merchant can configure longer ones ("Reliability and Operations"), so a day is allowed: an older webhook is
// not needed, because every open payment is verified by then.
const (
	maxAge   = 24 * time.Hour
	maxAhead = 10 * time.Minute
)

// Read parses what the browser brings back, which only our own return address proves, or a webhook that Cashfree signed over its time and
// raw body. Each is trusted only to identify its subject.
func (g *Gateway) Read(p payment.Incoming) (payment.Notice, error) {
	if p.Headers[webhookSignature] != "" {
		return g.readWebhook(p)
	}
	transaction, orderID := p.Form["transaction"], p.Form["order_id"]
	if transaction == "" || !hmac.Equal([]byte(p.Form["proof"]), []byte(g.proof(transaction))) {
		return payment.Notice{}, payment.ErrSignature
	}
	if orderID != "" && transactionOf(orderID) != transaction {
		return payment.Notice{}, payment.ErrSignature
	}
	// The address does not say how the payment ended.
	return payment.Notice{
		Kind: payment.NoticePayment, Signed: true, TransactionID: transaction, Status: payment.StatusPending, Key: "back",
		Fields: map[string]string{"transaction": transaction},
	}, nil
}

// IsReference reports whether a field holds Cashfree's or a bank's number of something.
func (*Gateway) IsReference(field string) bool {
	switch field {
	case "order_id", "cf_payment_id", "refund_id", "dispute_id", "bank_reference":
		return true
	}
	return false
}

// event is the part of Cashfree's webhooks that states what happened to what ("Payment Webhooks", "Refund Webhooks", "Dispute Webhooks").
type event struct {
	Order struct {
		OrderID string `json:"order_id"`
	} `json:"order"`
	Payment struct {
		PaymentID     name   `json:"cf_payment_id"`
		Status        string `json:"payment_status"`
		Amount        amount `json:"payment_amount"`
		BankReference string `json:"bank_reference"`
	} `json:"payment"`
	Refund  refund `json:"refund"`
	Dispute struct {
		DisputeID name   `json:"dispute_id"`
		Status    string `json:"dispute_status"`
		Amount    amount `json:"dispute_amount"`
	} `json:"dispute"`
	OrderDetails struct {
		OrderID   string `json:"order_id"`
		PaymentID name   `json:"cf_payment_id"`
	} `json:"order_details"`
}

func (g *Gateway) readWebhook(p payment.Incoming) (payment.Notice, error) {
	if !g.rightSignature(p) {
		return payment.Notice{}, payment.ErrSignature
	}
	var envelope struct {
		Type string          `json:"type"`
		Data json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(p.Body, &envelope); err != nil {
		return payment.Notice{}, payment.ErrSignature
	}
	read, ours := map[string]func(event, *payment.Notice) string{
		success: event.payment, "PAYMENT_FAILED_WEBHOOK": event.payment, "PAYMENT_USER_DROPPED_WEBHOOK": event.payment,
		"REFUND_STATUS_WEBHOOK": event.refund,
		"DISPUTE_CREATED":       event.dispute, "DISPUTE_UPDATED": event.dispute, "DISPUTE_CLOSED": event.dispute,
	}[envelope.Type]
	other := payment.Notice{Kind: payment.NoticeOther, Signed: true} // settlements, automatic refunds and any other enabled event
	if !ours {
		return other, nil
	}
	var e event
	if err := json.Unmarshal(envelope.Data, &e); err != nil {
		return payment.Notice{}, payment.ErrSignature
	}
	sum := sha256.Sum256(p.Body)
	n := payment.Notice{Signed: true, Status: payment.StatusPending, Key: hex.EncodeToString(sum[:])}
	orderID := read(e, &n)
	if n.Status == payment.StatusPaid && n.Kind == payment.NoticePayment && envelope.Type != success {
		n.Status = payment.StatusPending // type and state contradict each other
	}
	n.TransactionID = transactionOf(orderID)
	n.GatewayPaymentID, n.ExternalID = text45(n.GatewayPaymentID), text45(n.ExternalID)
	if n.TransactionID == "" || n.Kind != payment.NoticePayment && n.ExternalID == "" {
		return other, nil
	}
	n.Fields["event"], n.Fields["order_id"], n.Fields["cf_payment_id"] = envelope.Type, orderID, n.GatewayPaymentID
	return n, nil
}

// success is the webhook of a payment that succeeded.
const success = "PAYMENT_SUCCESS_WEBHOOK"

func (e event) payment(n *payment.Notice) (orderID string) {
	p := e.Payment
	n.Kind, n.GatewayPaymentID, n.Amount, n.Status = payment.NoticePayment, string(p.PaymentID), p.Amount.Paise, unpaid(p.Status)
	if p.Status == "SUCCESS" {
		n.Status = payment.StatusPaid
	}
	n.Fields = map[string]string{
		"payment_status": words(p.Status), "payment_amount": p.Amount.Paise.Decimal(), "bank_reference": bankReference(p.BankReference),
	}
	return e.Order.OrderID
}

func (e event) refund(n *payment.Notice) (orderID string) {
	r := e.Refund
	n.Kind, n.GatewayPaymentID, n.ExternalID, n.Amount = payment.NoticeRefund, string(r.PaymentID), r.RefundID, r.Amount.Paise
	switch o := r.outcome(); {
	case o.Done:
		n.Status = payment.StatusPaid
	case o.Failed:
		n.Status = payment.StatusFailed
	}
	n.Fields = map[string]string{"refund_id": text45(r.RefundID), "refund_status": words(r.Status), "refund_amount": r.Amount.Paise.Decimal()}
	return r.OrderID
}

func (e event) dispute(n *payment.Notice) (orderID string) {
	d := e.Dispute
	n.Kind, n.ExternalID, n.Amount = payment.NoticeDispute, string(d.DisputeID), d.Amount.Paise
	n.GatewayPaymentID = string(e.OrderDetails.PaymentID)
	n.Fields = map[string]string{
		"dispute_id": text45(string(d.DisputeID)), "dispute_status": words(d.Status), "dispute_amount": d.Amount.Paise.Decimal(),
	}
	return e.OrderDetails.OrderID
}

// rightSignature reports whether Cashfree signed the webhook recently: base64(HMAC-SHA256(timestamp + raw body, client secret)).
func (g *Gateway) rightSignature(p payment.Incoming) bool {
	stamp := p.Headers[webhookTime]
	if stamp == "" || strings.Trim(stamp, "0123456789") != "" {
		return false // digits alone, so that no part of the time can pose as part of the body
	}
	got, err := base64.StdEncoding.Strict().DecodeString(p.Headers[webhookSignature])
	if err != nil || !hmac.Equal(got, g.sign(stamp+string(p.Body))) {
		return false
	}
	millis, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil {
		return false
	}
	age := g.config.Clock.Now().Sub(time.UnixMilli(millis))
	return age <= maxAge && age >= -maxAhead
}

// sign returns the HMAC-SHA256 under the client secret.
func (g *Gateway) sign(text string) []byte {
	m := hmac.New(sha256.New, []byte(g.config.ClientSecret))
	_, _ = m.Write([]byte(text)) // a hash never fails
	return m.Sum(nil)
}
