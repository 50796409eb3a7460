package main

import (
	"encoding/json"
	"time"
)

// The states of an order, a payment, a refund and a dispute, as documented with their entities.
const (
	statusCreated    = "created"
	statusAttempted  = "attempted"
	statusPaid       = "paid"
	statusAuthorized = "authorized"
	statusCaptured   = "captured"
	statusRefunded   = "refunded"
	statusFailed     = "failed"

	refundPending   = "pending"
	refundProcessed = "processed"

	disputeOpen        = "open"
	disputeUnderReview = "under_review"
	disputeWon         = "won"
	disputeLost        = "lost"
	disputeClosed      = "closed"

	captureAutomatic = "automatic"
	captureManual    = "manual"
)

const accountID = "acc_SandboxAccount"

// order is an order with its complete history. Amounts are in paise.
type order struct {
	ID        string          `json:"id"`
	Amount    int64           `json:"amount"`
	Currency  string          `json:"currency"`
	Receipt   string          `json:"receipt"`
	Notes     json.RawMessage `json:"notes"`
	Capture   capture         `json:"capture"`
	CreatedAt time.Time       `json:"created_at"`
	Checkout  checkout        `json:"checkout"`
	Payments  []*payment      `json:"payments"`

	CustomerID   string        `json:"customer_id,omitempty"`
	TokenMethod  string        `json:"token_method,omitempty"` // of the mandate to register
	Limits       *limits       `json:"limits,omitempty"`
	Notification *notification `json:"notification,omitempty"`
	Hidden       bool          `json:"hidden,omitempty"` // holds a bank transfer, which has no order
}

// capture sets when an order's authorised payments are captured, and when they are refunded instead.
type capture struct {
	How             string `json:"how"` // automatic or manual
	AutomaticWithin int    `json:"automatic_within"`
	ManualWithin    int    `json:"manual_within"` // both in minutes from the payment's creation
}

// checkout is the merchant's checkout form.
type checkout struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Customer    string `json:"customer"`
	Email       string `json:"email"`
	Contact     string `json:"contact"`
	Method      string `json:"method"`
	CallbackURL string `json:"callback_url"`
	CancelURL   string `json:"cancel_url"`
}

// payment is one attempt to pay an order.
type payment struct {
	ID           string       `json:"id"`
	OrderID      string       `json:"order_id"`
	Amount       int64        `json:"amount"`
	Currency     string       `json:"currency"`
	Status       string       `json:"status"`
	Method       string       `json:"method"` // card, upi or netbanking
	VPA          string       `json:"vpa"`
	Email        string       `json:"email"`
	Contact      string       `json:"contact"`
	Description  string       `json:"description"`
	Reference    string       `json:"reference"` // of the bank
	CreatedAt    time.Time    `json:"created_at"`
	CapturedAt   time.Time    `json:"captured_at"`
	Fee          int64        `json:"fee"` // with tax, zero until captured
	Tax          int64        `json:"tax"`
	Failure      string       `json:"failure"`
	Held         bool         `json:"held"`          // stays authorised despite automatic capture
	AuthorizesAt time.Time    `json:"authorizes_at"` // machine time; zero unless the bank confirms late
	LateWebhook  string       `json:"late_webhook"`
	Refunds      []*refund    `json:"refunds"`
	Disputes     []*dispute   `json:"disputes"`
	Adjustments  []*moneyMove `json:"adjustments"`
	SettlementID string       `json:"settlement_id"`

	CustomerID   string          `json:"customer_id,omitempty"`
	TokenID      string          `json:"token_id,omitempty"` // that it registered, or was debited by
	Recurring    bool            `json:"recurring,omitempty"`
	Reason       string          `json:"reason,omitempty"` // of a failure
	Notes        json.RawMessage `json:"notes,omitempty"`
	DebitAt      time.Time       `json:"debit_at"` // business time at which a debit ends; zero once ended
	DebitEnds    string          `json:"debit_ends,omitempty"`
	DebitWebhook string          `json:"debit_webhook,omitempty"`
	Transfer     *transfer       `json:"transfer,omitempty"`
}

// refund is money being returned to the customer.
type refund struct {
	ID           string          `json:"id"`
	Amount       int64           `json:"amount"`
	Status       string          `json:"status"`
	Notes        json.RawMessage `json:"notes"`
	Receipt      *string         `json:"receipt"`
	Speed        string          `json:"speed"`
	Key          string          `json:"key"`       // the request's idempotency key
	BodyHash     string          `json:"body_hash"` // of the same request
	CreatedAt    time.Time       `json:"created_at"`
	Held         bool            `json:"held"` // stays pending until a control call decides
	ProcessesAt  time.Time       `json:"processes_at"`
	ARN          string          `json:"arn"`
	ARNAt        time.Time       `json:"arn_at"`
	SettlementID string          `json:"settlement_id"`
}

// dispute is a customer's or bank's objection to a payment.
type dispute struct {
	ID         string    `json:"id"`
	Amount     int64     `json:"amount"`
	Deducted   int64     `json:"deducted"`
	ReasonCode string    `json:"reason_code"`
	RespondBy  time.Time `json:"respond_by"`
	Status     string    `json:"status"`
	Phase      string    `json:"phase"`
	CreatedAt  time.Time `json:"created_at"`
}

// moneyMove is an adjustment of the merchant's balance: a debit is negative.
type moneyMove struct {
	ID           string    `json:"id"`
	Amount       int64     `json:"amount"`
	Description  string    `json:"description"`
	DisputeID    string    `json:"dispute_id"`
	CreatedAt    time.Time `json:"created_at"`
	SettlementID string    `json:"settlement_id"`
}

// settlement is one transfer to the merchant's bank.
type settlement struct {
	ID        string    `json:"id"`
	Amount    int64     `json:"amount"`
	UTR       string    `json:"utr"`
	CreatedAt time.Time `json:"created_at"`
}

type fields = map[string]any

// orNull returns the text, or null if empty.
func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// notesOf returns [] if there are no notes, as in every published sample.
func notesOf(notes json.RawMessage) any {
	if len(notes) == 0 || string(notes) == "{}" || string(notes) == "null" {
		return []any{}
	}
	return notes
}

// shownID is the order id that the merchant knows, empty for a bank transfer.
func (o *order) shownID() string {
	if o.Hidden {
		return ""
	}
	return o.ID
}

func (o *order) entity() fields {
	paid := int64(0)
	if o.status() == statusPaid {
		paid = o.Amount
	}
	f := fields{
		"id": o.ID, "entity": "order", "amount": o.Amount, "amount_paid": paid, "amount_due": o.Amount - paid,
		"currency": o.Currency, "receipt": orNull(o.Receipt), "offer_id": nil, "status": o.status(),
		"attempts": len(o.Payments), "notes": notesOf(o.Notes), "created_at": o.CreatedAt.Unix(),
	}
	if n := o.Notification; n != nil {
		f["notification"] = fields{"token_id": n.TokenID, "payment_after": n.PaymentAfter, "id": n.ID}
	}
	return f
}

func (p *payment) captured() bool { return !p.CapturedAt.IsZero() }

func (p *payment) entity() fields {
	f := fields{
		"id": p.ID, "entity": "payment", "amount": p.Amount, "currency": p.Currency, "status": p.Status,
		"order_id": p.OrderID, "invoice_id": nil, "international": false, "method": p.Method,
		"amount_refunded": p.refunded(), "refund_status": p.refundStatus(), "captured": p.captured(),
		"description": orNull(p.Description), "card_id": nil, "bank": nil, "wallet": nil, "vpa": nil,
		"email": orNull(p.Email), "contact": orNull(p.Contact), "notes": notesOf(p.Notes), "fee": nil, "tax": nil,
		"error_code": nil, "error_description": nil, "error_source": nil, "error_step": nil, "error_reason": nil,
		"acquirer_data": fields{}, "created_at": p.CreatedAt.Unix(),
	}
	if p.CustomerID != "" {
		f["customer_id"] = p.CustomerID
	}
	if p.TokenID != "" {
		f["token_id"] = p.TokenID
	}
	switch p.Method {
	case methodTransfer:
		f["order_id"], f["acquirer_data"] = nil, fields{"rrn": p.bankReference()}
	case methodEmandate:
		f["bank"] = "HDFC"
	case "upi":
		f["vpa"], f["upi"], f["acquirer_data"] = p.VPA, fields{"vpa": p.VPA}, fields{"rrn": p.bankReference()}
	case "card":
		// No card number is ever entered here; the published samples contain such an object too.
		card := "card_" + p.ID[len("pay_"):]
		f["card_id"], f["acquirer_data"] = card, fields{"auth_code": p.bankReference()}
		f["card"] = fields{
			"id": card, "entity": "card", "name": p.Email, "last4": "0153", "network": "Visa", "type": "debit",
			"issuer": nil, "international": false, "emi": false, "sub_type": "business",
		}
	case "netbanking":
		f["bank"], f["acquirer_data"] = "HDFC", fields{"bank_transaction_id": p.bankReference()}
	}
	if p.captured() {
		f["fee"], f["tax"] = p.Fee, p.Tax
	}
	if p.Status == statusFailed {
		f["error_code"], f["error_description"], f["error_source"] = "BAD_REQUEST_ERROR", p.Failure, "gateway"
		f["error_step"], f["error_reason"] = "payment_response", "payment_failed"
		if p.Reason != "" {
			f["error_reason"] = p.Reason
		}
		if p.Reason == dummyPayment {
			f["error_source"], f["error_step"] = "business", "payment_initiation"
		}
	}
	return f
}

// bankReference is null until the bank has answered.
func (p *payment) bankReference() any {
	if p.Status == statusCreated || p.Status == statusFailed {
		return nil
	}
	return p.Reference
}

// refunded returns the amount of all refunds that are done or under way.
func (p *payment) refunded() int64 {
	var sum int64
	for _, r := range p.Refunds {
		if r.Status != statusFailed {
			sum += r.Amount
		}
	}
	return sum
}

func (p *payment) refundStatus() any {
	switch p.refunded() {
	case 0:
		return nil
	case p.Amount:
		return "full"
	default:
		return "partial"
	}
}

func (r *refund) entity(p *payment) fields {
	return fields{
		"id": r.ID, "entity": "refund", "amount": r.Amount, "currency": p.Currency, "payment_id": p.ID,
		"notes": notesOf(r.Notes), "receipt": r.Receipt, "acquirer_data": fields{"arn": orNull(r.ARN)},
		"created_at": r.CreatedAt.Unix(), "batch_id": nil, "status": r.Status,
		"speed_processed": "normal", "speed_requested": r.Speed,
	}
}

func (d *dispute) entity(p *payment) fields {
	evidence := fields{"amount": d.Amount, "submitted_at": nil}
	for _, name := range []string{
		"summary", "shipping_proof", "billing_proof", "cancellation_proof", "customer_communication", "proof_of_service",
		"explanation_letter", "refund_confirmation", "access_activity_log", "refund_cancellation_policy",
		"term_and_conditions", "others",
	} {
		evidence[name] = nil
	}
	return fields{
		"id": d.ID, "entity": "dispute", "payment_id": p.ID, "amount": d.Amount, "currency": p.Currency,
		"amount_deducted": d.Deducted, "reason_code": d.ReasonCode, "respond_by": d.RespondBy.Unix(), "status": d.Status,
		"phase": d.Phase, "created_at": d.CreatedAt.Unix(), "evidence": evidence,
	}
}

// entity reports fees and tax as 0, as documented for normal settlements: the individual rows have the actual ones.
func (s settlement) entity() fields {
	return fields{
		"id": s.ID, "entity": "settlement", "amount": s.Amount, "status": "processed", "fees": 0, "tax": 0,
		"utr": s.UTR, "created_at": s.CreatedAt.Unix(),
	}
}

func collection(items []fields) fields {
	if items == nil {
		items = []fields{}
	}
	return fields{"entity": "collection", "count": len(items), "items": items}
}
