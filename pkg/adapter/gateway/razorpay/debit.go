package razorpay

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

// noteTransaction names our transaction in the notes of a payment: several tries may share the order of one notice.
const noteTransaction = "transaction"

// Notify creates the order of the debit, of which Razorpay tells the customer: debit and notice are decoupled, so that it never retries
// on its own ("Create an Order to Charge the Customer"). The order's receipt is the notice's token. eNACH has no notice, only the order.
func (g *Gateway) Notify(ctx context.Context, m mandate.Reference, n mandate.Notice) (mandate.NoticeOutcome, error) {
	more := map[string]any{"payment_capture": true}
	if m.Method != mandate.MethodENACH {
		more["notification"] = map[string]any{"token_id": m.MandateID, "payment_after": n.DebitOn.Unix()}
	}
	id, err := g.orderWith(ctx, n.Token, n.Amount, more)
	if refused, ok := errors.AsType[*refusal](err); ok && refused.decides() {
		return mandate.NoticeOutcome{Cause: causeOf(refused), Reason: sentence(refused.description)}, nil
	}
	if err != nil {
		return mandate.NoticeOutcome{}, unavailable(err)
	}
	return mandate.NoticeOutcome{Reference: id, Accepted: true}, nil
}

// WithdrawNotice reports false: Razorpay has no call for it. Nothing is debited without our request.
func (*Gateway) WithdrawNotice(context.Context, mandate.Reference, mandate.Notice) (bool, error) {
	return false, nil
}

// Debit requests the payment of the notice's order, unless the order has a payment for our transaction already. The answer names only the
// payment, which is then queried ("Create a Recurring Payment").
func (g *Gateway) Debit(ctx context.Context, m mandate.Reference, d mandate.Debit) (mandate.DebitOutcome, error) {
	orderID := d.Notice.Reference
	if orderID == "" || m.CustomerID == "" {
		return mandate.DebitOutcome{}, errs.Internal(errors.New("razorpay: a debit without its order or customer"))
	}
	if known, err := g.debitOf(ctx, orderID, d.Charge.TransactionID); err != nil || known != nil {
		return outcomeOf(orderID, known), err
	}
	body := map[string]any{
		"email": requiredEmail(d.Charge), "contact": "+91" + d.Charge.Mobile, "amount": int64(d.Charge.Amount), "currency": payment.Currency,
		"order_id": orderID, "customer_id": m.CustomerID, "token": m.MandateID, "recurring": true,
		"description": text.First(d.Charge.ProductInfo, maxDescription), "notes": map[string]string{noteTransaction: d.Charge.TransactionID},
	}
	var made struct {
		ID string `json:"razorpay_payment_id"`
	}
	err := g.call(g.client.R().SetContext(ctx).SetBody(body), http.MethodPost, "/v1/payments/create/recurring", &made)
	if refused, ok := errors.AsType[*refusal](err); ok {
		return g.refusedDebit(ctx, orderID, d.Charge.TransactionID, refused)
	}
	if err != nil {
		return mandate.DebitOutcome{}, err
	}
	if made.ID == "" {
		return mandate.DebitOutcome{}, errs.Unavailable(errors.New("create recurring: no payment in the answer"))
	}
	a := attempt{ID: made.ID, Status: "created"}
	// The payment exists; whether it can be read at once does not matter.
	_ = g.call(g.client.R().SetContext(ctx), http.MethodGet, "/v1/payments/"+url.PathEscape(made.ID), &a)
	a.ID = made.ID
	return outcomeOf(orderID, &a), nil
}

// decides reports whether a refusal of a notice or a debit is its outcome: a 400 that can be read and does not say that something is under way.
func (r *refusal) decides() bool {
	if r.status != http.StatusBadRequest || r.code == "" && r.reason == "" {
		return false
	}
	switch strings.ToLower(r.reason) {
	case "payment_pending", "payment_timed_out", "request_timed_out", "psp_timeout", "response_not_received_within_tat":
		return false
	}
	return !contains(r.description, "in progress")
}

// refusedDebit decides whether a refusal is final. A 409, an unreadable answer, or an existing or pending payment says nothing about ours.
func (g *Gateway) refusedDebit(ctx context.Context, orderID, transactionID string, refused *refusal) (mandate.DebitOutcome, error) {
	known, err := g.debitOf(ctx, orderID, transactionID)
	if err != nil || known != nil {
		return outcomeOf(orderID, known), err
	}
	if !refused.decides() {
		return mandate.DebitOutcome{}, unavailable(refused)
	}
	return mandate.DebitOutcome{
		Reference: orderID, Status: payment.StatusFailed, Cause: causeOf(refused), Reason: sentence(refused.description),
	}, nil
}

// debitOf returns the order's payment for our transaction, or nil.
func (g *Gateway) debitOf(ctx context.Context, orderID, transactionID string) (*attempt, error) {
	var answer struct {
		Items []attempt `json:"items"`
	}
	if err := g.call(g.client.R().SetContext(ctx), http.MethodGet, "/v1/orders/"+url.PathEscape(orderID)+"/payments", &answer); err != nil {
		return nil, unavailable(err)
	}
	for i := range answer.Items {
		if answer.Items[i].transaction() == transactionID {
			return &answer.Items[i], nil
		}
	}
	return nil, nil
}

// transaction is the transaction that a debit was made for, empty for payments at the checkout.
func (a attempt) transaction() string {
	var notes map[string]any
	if json.Unmarshal(a.Notes, &notes) != nil { // without notes it is an array
		return ""
	}
	named, _ := notes[noteTransaction].(string)
	return named
}

func outcomeOf(orderID string, a *attempt) mandate.DebitOutcome {
	if a == nil {
		return mandate.DebitOutcome{}
	}
	o := mandate.DebitOutcome{Reference: orderID, GatewayPaymentID: a.ID, Status: statusOf(a.Status)}
	if o.Status == payment.StatusFailed {
		o.Cause = causeOf(&refusal{reason: a.ErrorReason, code: a.ErrorCode, description: a.ErrorDescription})
		o.Reason = sentence(words(a.ErrorDescription))
	}
	return o
}

func sentence(s string) string {
	if s = strings.TrimSpace(s); s == "" {
		return ""
	}
	return strings.TrimRight(s, ".") + "."
}

// causeOf maps a reason to our causes. Source: "Create a Recurring Payment", Error Response Parameters, for UPI and for cards; an unlisted
// reason is CauseOther.
func causeOf(r *refusal) mandate.Cause {
	if r.code == "BAD_REQUEST_MANDATE_PROMISED_DEBIT_DATE_NOT_HONOURED" {
		return mandate.CauseNoNotice
	}
	switch strings.ToLower(r.reason) {
	case "insufficient_funds", "adequate_funds_not_available_blocked":
		return mandate.CauseInsufficient
	case "mandate_paused":
		return mandate.CausePaused
	case "mandate_cancelled", "mandate_expired", "mandate_not_active", "invalid_token", "token_expired", "umn_does_not_exist_payer",
		"payer_account_has_changed", "bank_account_invalid", "mobile_number_invalid", "debit_instrument_blocked",
		"transaction_frequency_limit_exceeded", "invalid_vpa":
		return mandate.CauseEnded
	case "mandate_current_cycle_allowed_debit_exceeds":
		return mandate.CauseCycleUsed
	case "amount_does_not_match_mandate_amount", "mandate_debit_beyond_psp_amount_cap", "per_transaction_limit_exceeded",
		"transaction_limit_exceeded", "limit_exceeded_remitting_bank":
		return mandate.CauseAboveCap
	case "pre_debit_notification_failed", "pre_debit_notification_not_sent":
		return mandate.CauseNoNotice
	case "mpin_not_set_by_customer", "number_of_pin_tries_exceeded", "incorrect_pin", "payment_collect_request_expired",
		"authentication_failed":
		return mandate.CauseAuthenticate
	case "debit_declined", "payment_declined", "payment_risk_check_failed", "suspected_fraud_decline", "nature_of_debit_not_allowed",
		"payment_stopped_by_court_order", "remitter_account_dormant", "transaction_not_allowed",
		"transaction_not_permitted_cardholder", "transaction_not_permitted_cardholder_beneficiary", "transaction_not_permitted_to_vpa":
		return mandate.CauseDeclined
	case "bank_technical_error", "bank_not_available", "banks_hsm_is_down_remitter", "credit_to_beneficiary_failed",
		"gateway_technical_error", "invalid_response_from_gateway", "issuer_dispatch_failed", "null_ack_processing_failure",
		"no_original_request_found", "payment_failed", "payment_pending", "payment_timed_out", "psp_bank_not_available",
		"psp_not_available", "psp_timeout", "remitter_dispatch_failed", "request_timed_out", "response_not_received_within_tat",
		"unable_to_process_beneficiary_bank", "vpa_resolution_failed":
		return mandate.CauseTechnical
	}
	switch {
	case contains(r.description, "exceeds maximum amount"):
		return mandate.CauseAboveCap
	case contains(r.description, "already paid"):
		return mandate.CauseCycleUsed
	default:
		return mandate.CauseOther
	}
}
