package payu

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// maxAnswer limits the size of a response, in bytes.
const maxAnswer = 8 << 20

// call posts a command; failing to get a readable answer may be temporary, so it is errs.Unavailable.
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
	if err := decode(answer.Body(), into); err != nil {
		return errs.Unavailable(fmt.Errorf("%s: unreadable answer: %w", command, err))
	}
	return nil
}

// details is one transaction in the answer; values are strings, numbers or null.
type details map[string]any

func (d details) text(name string) string {
	switch v := d[name].(type) {
	case string:
		return v
	case json.Number:
		return v.String()
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

// Verify queries verify_payment.
func (g *Gateway) Verify(ctx context.Context, transactionID, _ string) (payment.Outcome, error) {
	d, err := g.transaction(ctx, transactionID)
	if err != nil {
		return payment.Outcome{}, err
	}
	o := payment.Outcome{
		Status: statusOf(d.text("status"), d.text("unmappedstatus")), Currency: payment.Currency,
		GatewayPaymentID: d.text("mihpayid"), Slug: slug(d.text("mode")), Fields: kept(d.strings()),
	}
	if o.Status == payment.StatusFailed {
		o.Reason, o.Cancelled = reason(d), strings.EqualFold(d.text("unmappedstatus"), "userCancelled")
	}
	if o.Status != payment.StatusPaid {
		return o, nil
	}
	for _, field := range BankReferences() {
		if o.BankReference == "" {
			o.BankReference = d.text(field)
		}
	}
	if got := d.text("txnid"); got != "" && got != transactionID {
		return payment.Outcome{}, errs.Unavailable(errors.New("verify_payment: another transaction in the answer"))
	}
	amount := d.text("transaction_amount")
	if amount == "" {
		amount = d.text("amt")
	}
	if o.Amount, err = parseAmount(amount); err != nil {
		return payment.Outcome{}, errs.Unavailable(fmt.Errorf("verify_payment: amount: %w", err))
	}
	return o, nil
}

// transaction queries verify_payment for one transaction.
func (g *Gateway) transaction(ctx context.Context, transactionID string) (details, error) {
	var answer struct {
		Message      string             `json:"msg"`
		Transactions map[string]details `json:"transaction_details"`
	}
	if err := g.call(ctx, &answer, "verify_payment", transactionID, nil); err != nil {
		return nil, err
	}
	found, ok := answer.Transactions[transactionID]
	if !ok {
		return nil, errs.Unavailable(fmt.Errorf("verify_payment: no such transaction in the answer: %s", answer.Message))
	}
	return found, nil
}

// Capture queries check_payment, which takes PayU's own payment number.
func (g *Gateway) Capture(ctx context.Context, transactionID, gatewayPaymentID string) (*payment.Capture, error) {
	var answer struct {
		Status       json.Number     `json:"status"`
		Transactions json.RawMessage `json:"transaction_details"`
	}
	if err := g.call(ctx, &answer, "check_payment", gatewayPaymentID, nil); err != nil {
		return nil, err
	}
	var d details
	if answer.Status == "1" { // otherwise PayU knows no such payment, and says so in a text
		if err := decode(answer.Transactions, &d); err != nil {
			return nil, errs.Unavailable(fmt.Errorf("check_payment: unreadable details: %w", err))
		}
	}
	if strings.TrimSpace(d.text("mihpayid")) != gatewayPaymentID || d.text("txnid") != transactionID ||
		statusOf(d.text("status"), d.text("unmappedstatus")) != payment.StatusPaid {
		return nil, nil // another transaction's, or nothing was captured
	}
	amount, err := parseAmount(d.first("transaction_amount", "amount", "amt"))
	if err != nil {
		return nil, errs.Unavailable(fmt.Errorf("check_payment: amount: %w", err))
	}
	return &payment.Capture{GatewayPaymentID: gatewayPaymentID, Amount: amount}, nil
}

// slug maps PayU's mode to our payment method names.
func slug(mode string) string {
	switch strings.ToUpper(mode) {
	case "CC", "DC", "CARD":
		return "card"
	case "UPI":
		return "upi"
	case "NB", modeENACH:
		return "netbanking"
	case "CASH", "WALLET":
		return "wallet"
	default:
		return strings.ToLower(mode)
	}
}

// reason returns the gateway's explanation, or "".
func reason(d details) string {
	for _, name := range []string{"error_Message", "field9"} {
		if s := strings.TrimSpace(d.text(name)); s != "" && !strings.EqualFold(s, "NO ERROR") {
			return strings.TrimRight(s, ".") + "."
		}
	}
	return ""
}
