package payu

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"time"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// maxAnswer bounds what is read of an answer, in bytes.
const maxAnswer = 8 << 20

// call posts a command; a failure to get a readable answer may pass, so it is unavailable.
func (g *Gateway) call(ctx context.Context, into any, command, var1 string, more map[string]string) error {
	form := map[string]string{
		"key": g.config.Key, "command": command, "var1": var1, "hash": g.commandHash(command, var1),
	}
	maps.Copy(form, more)
	answer, err := g.client.R().SetContext(ctx).SetFormData(form).
		Post(g.config.APIURL + "/merchant/postservice.php?form=2")
	switch {
	case err != nil:
		return errs.Unavailable(fmt.Errorf("%s: %w", command, err))
	case answer.StatusCode() != http.StatusOK:
		return errs.Unavailable(fmt.Errorf("%s: status %d", command, answer.StatusCode()))
	}
	if err := json.Unmarshal(answer.Body(), into); err != nil {
		return errs.Unavailable(fmt.Errorf("%s: unreadable answer: %w", command, err))
	}
	return nil
}

// details are one transaction in the answer; values come as strings, numbers or null.
type details map[string]any

func (d details) text(name string) string {
	switch v := d[name].(type) {
	case string:
		return v
	case float64:
		return fmt.Sprintf("%v", v)
	default:
		return ""
	}
}

func (d details) strings() map[string]string {
	out := make(map[string]string, len(d))
	for name := range d {
		out[name] = d.text(name)
	}
	return out
}

// Verify asks with verify_payment.
func (g *Gateway) Verify(ctx context.Context, transactionID, _ string) (payment.Outcome, error) {
	var answer struct {
		Message      string             `json:"msg"`
		Transactions map[string]details `json:"transaction_details"`
	}
	if err := g.call(ctx, &answer, "verify_payment", transactionID, nil); err != nil {
		return payment.Outcome{}, err
	}
	d, ok := answer.Transactions[transactionID]
	if !ok {
		return payment.Outcome{}, errs.Unavailable(fmt.Errorf("verify_payment: no such transaction in the answer: %s", answer.Message))
	}
	o := payment.Outcome{
		Status: statusOf(d.text("status"), d.text("unmappedstatus")), Currency: payment.Currency,
		GatewayPaymentID: d.text("mihpayid"), Slug: slug(d.text("mode")), Fields: kept(d.strings()),
	}
	if o.Status == payment.StatusFailed {
		o.Reason = reason(d)
	}
	if o.Status != payment.StatusPaid {
		return o, nil
	}
	if got := d.text("txnid"); got != "" && got != transactionID {
		return payment.Outcome{}, errs.Unavailable(errors.New("verify_payment: another transaction in the answer"))
	}
	amount := d.text("transaction_amount")
	if amount == "" {
		amount = d.text("amt")
	}
	var err error
	if o.Amount, err = parseAmount(amount); err != nil {
		return payment.Outcome{}, errs.Unavailable(fmt.Errorf("verify_payment: amount: %w", err))
	}
	return o, nil
}

// slug is PayU's mode in the words of the lists.
func slug(mode string) string {
	switch strings.ToUpper(mode) {
	case "CC", "DC", "CARD":
		return "card"
	case "UPI":
		return "upi"
	case "NB":
		return "netbanking"
	case "CASH", "WALLET":
		return "wallet"
	default:
		return strings.ToLower(mode)
	}
}

// reason is the gateway's explanation where it is one.
func reason(d details) string {
	for _, name := range []string{"error_Message", "field9"} {
		if s := strings.TrimSpace(d.text(name)); s != "" && !strings.EqualFold(s, "NO ERROR") {
			return strings.TrimRight(s, ".") + "."
		}
	}
	return ""
}

// Refund asks with cancel_refund_transaction; var2 is the token that makes a repeated request the same refund.
func (g *Gateway) Refund(ctx context.Context, r payment.RefundRequest) (payment.RefundOutcome, error) {
	var answer struct {
		Status    json.Number `json:"status"`
		Message   string      `json:"msg"`
		RequestID any         `json:"request_id"`
	}
	err := g.call(ctx, &answer, "cancel_refund_transaction", r.GatewayPaymentID,
		map[string]string{"var2": r.Token, "var3": r.Amount.Decimal()})
	if err != nil {
		return payment.RefundOutcome{}, err
	}
	if answer.Status != "1" {
		return payment.RefundOutcome{Failed: true, Reason: answer.Message}, nil
	}
	requestID := details{"id": answer.RequestID}.text("id")
	if requestID == "" {
		return payment.RefundOutcome{}, errs.Unavailable(errors.New("cancel_refund_transaction: no request id"))
	}
	return payment.RefundOutcome{RefundID: requestID}, nil
}

// RefundStatus asks with check_action_status.
func (g *Gateway) RefundStatus(ctx context.Context, _ payment.RefundRequest, refundID string) (payment.RefundOutcome, error) {
	var answer struct {
		Message      string                        `json:"msg"`
		Transactions map[string]map[string]details `json:"transaction_details"`
	}
	if err := g.call(ctx, &answer, "check_action_status", refundID, nil); err != nil {
		return payment.RefundOutcome{}, err
	}
	d, ok := answer.Transactions[refundID][refundID]
	if !ok {
		return payment.RefundOutcome{}, errs.Unavailable(fmt.Errorf("check_action_status: %s", answer.Message))
	}
	o := payment.RefundOutcome{RefundID: refundID}
	switch strings.ToLower(d.text("status")) {
	case "success":
		o.Done = true
	case "failure", "failed":
		o.Failed, o.Reason = true, d.text("error_Message")
	}
	return o, nil
}

// Settlements asks with get_settlement_details.
func (g *Gateway) Settlements(ctx context.Context, day string) ([]payment.SettlementLine, error) {
	var answer struct {
		Rows []details `json:"Txn_details"`
	}
	if err := g.call(ctx, &answer, "get_settlement_details", day, nil); err != nil {
		return nil, err
	}
	lines := make([]payment.SettlementLine, 0, len(answer.Rows))
	for _, d := range answer.Rows {
		line, err := settlementLine(d)
		if err != nil {
			return nil, errs.Unavailable(fmt.Errorf("get_settlement_details: %w", err))
		}
		lines = append(lines, line)
	}
	return lines, nil
}

func settlementLine(d details) (payment.SettlementLine, error) {
	line := payment.SettlementLine{
		TransactionID: d.text("txnid"), GatewayPaymentID: d.text("payuid"), UTR: d.text("mer_utr"),
		Refund: strings.EqualFold(d.text("requestaction"), "refund") || strings.EqualFold(d.text("requestaction"), "chargeback"),
	}
	if line.Refund {
		line.RefundID = d.text("requestid")
	}
	amount := d.text("requestamount")
	if amount == "" {
		amount = d.text("amount")
	}
	for _, part := range []struct {
		text string
		into *money.Paise
	}{{amount, &line.Amount}, {d.text("mer_service_fee"), &line.Fee}, {d.text("mer_service_tax"), &line.FeeTax}, {d.text("mer_net_amount"), &line.Net}} {
		if part.text == "" {
			continue
		}
		value, err := parseAmount(part.text)
		if err != nil {
			return line, err
		}
		*part.into = value
	}
	if at, err := time.ParseInLocation(time.DateTime, d.text("requestdate"), clock.IST); err == nil {
		line.At = at.UTC()
	}
	return line, nil
}
