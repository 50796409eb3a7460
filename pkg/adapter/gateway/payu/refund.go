package payu

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// Refund calls cancel_refund_transaction; var2 is the token, which PayU accepts once and refuses after that.
// Only a refusal that is final by PayU's list of codes fails the refund: otherwise a refund already requested must be
// looked up, and one that PayU has not accepted yet is requested again.
func (g *Gateway) Refund(ctx context.Context, r payment.RefundRequest) (payment.RefundOutcome, error) {
	var answer details
	err := g.call(ctx, &answer, "cancel_refund_transaction", r.GatewayPaymentID,
		map[string]string{"var2": r.Token, "var3": r.Amount.Decimal()})
	if err != nil {
		return payment.RefundOutcome{}, err
	}
	code, message := answer.text("error_code"), answer.text("msg")
	switch {
	case answer.text("status") != "1" && final(code):
		return payment.RefundOutcome{Failed: true, Reason: message}, nil
	case answer.text("status") != "1":
		return payment.RefundOutcome{Waiting: true, Reason: strings.TrimSpace(message + " (" + code + ")")}, nil
	}
	requestID := answer.text("request_id")
	if requestID == "" {
		requestID = answer.text("txn_update_id") // of a payment that was only authorised, and is cancelled
	}
	if requestID == "" {
		return payment.RefundOutcome{}, errs.Unavailable(errors.New("cancel_refund_transaction: no request id"))
	}
	return payment.RefundOutcome{RefundID: requestID}, nil
}

// final reports whether PayU will never make the refund, by "Error Codes for Refund Initiation". Of the others, 106, 109 and 227 already
// know the token, 101, 102, 112, 120, 122, 126, 127, 225 and 226 are in progress, 214 requires five minutes' wait, and 123 needs PayU's
// staff; an unlisted code needs our staff.
func final(code string) bool {
	return slices.Contains([]string{
		"105", "110", "111", "113", "115", "116", "117", "119", "121", "124", "125", "128", "129", "230",
		"232", // banks refund no debit over netbanking ("Recurring Payment Transaction API")
	}, code)
}

// RefundStatus looks the refund up among those of the payment. PayU also answers by refund id, but its pages disagree on the
// command for it; and an id alone may be that of another payment's refund, or of a capture.
func (g *Gateway) RefundStatus(ctx context.Context, r payment.RefundRequest, refundID string) (payment.RefundOutcome, error) {
	records, err := g.Refunds(ctx, r.TransactionID, r.GatewayPaymentID)
	if err != nil {
		return payment.RefundOutcome{}, err
	}
	for _, record := range records {
		if record.RefundID == refundID {
			return record.RefundOutcome, nil
		}
	}
	return payment.RefundOutcome{}, errs.Unavailable(errors.New("check_action_status: no such refund of the payment"))
}

// Refunds queries check_action_status for all actions of a payment, which include the capture.
func (g *Gateway) Refunds(ctx context.Context, _, gatewayPaymentID string) ([]payment.RefundRecord, error) {
	var answer struct {
		Message      string                     `json:"msg"`
		Transactions map[string]json.RawMessage `json:"transaction_details"`
	}
	if err := g.call(ctx, &answer, "check_action_status", gatewayPaymentID, map[string]string{"var2": "payuid"}); err != nil {
		return nil, err
	}
	raw, ok := answer.Transactions[gatewayPaymentID]
	if !ok {
		return nil, errs.Unavailable(fmt.Errorf("check_action_status: no such payment in the answer: %s", answer.Message))
	}
	var none string
	if json.Unmarshal(raw, &none) == nil {
		return nil, nil // "No action status found"
	}
	var actions map[string]details
	if err := decode(raw, &actions); err != nil {
		return nil, errs.Unavailable(fmt.Errorf("check_action_status: unreadable actions: %w", err))
	}
	var records []payment.RefundRecord
	for name, d := range actions {
		action := strings.ToLower(d.text("action"))
		if action != "refund" && action != "cancel" || d.text("mihpayid") != gatewayPaymentID {
			continue
		}
		record, err := d.refund(name)
		if err != nil {
			return nil, errs.Unavailable(fmt.Errorf("check_action_status: amount: %w", err))
		}
		records = append(records, record)
	}
	slices.SortFunc(records, func(a, b payment.RefundRecord) int { return strings.Compare(a.RefundID, b.RefundID) })
	return records, nil
}

// refund reads a refund's state: queued, in progress, requested and od_hit are under way.
func (d details) refund(name string) (payment.RefundRecord, error) {
	r := payment.RefundRecord{RefundOutcome: payment.RefundOutcome{RefundID: name}, Token: d.text("token")}
	switch strings.ToLower(d.text("status")) {
	case "success":
		r.Done = true
	case "failure", "failed":
		r.Failed, r.Reason = true, d.text("error_Message")
	}
	var err error
	r.Amount, err = parseAmount(d.text("amt"))
	return r, err
}
