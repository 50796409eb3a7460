package cashfree

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// attempt is one attempt of a customer to pay an order ("Get Payments for an Order").
type attempt struct {
	PaymentID name   `json:"cf_payment_id"`
	OrderID   string `json:"order_id"`
	Amount    amount `json:"payment_amount"`
	Currency  string `json:"payment_currency"`
	Status    string `json:"payment_status"`
	// Captured is false for an amount that is only reserved.
	Captured      *bool  `json:"is_captured"`
	Group         string `json:"payment_group"`
	Message       string `json:"payment_message"`
	Time          string `json:"payment_time"`
	BankReference string `json:"bank_reference"`
	Error         struct {
		Description string `json:"error_description"`
	} `json:"error_details"`

	begun time.Time
	// inPaidOrder reports that Cashfree says the order is paid.
	inPaidOrder bool
}

// status maps the state of a payment in its order. An amount is paid only if payment and order agree: Cashfree returns what arrives after
// an order has expired. States that the documents do not list, and amounts only reserved, are pending.
func (a attempt) status() payment.Status {
	switch {
	case a.Status == "SUCCESS" && a.inPaidOrder && (a.Captured == nil || *a.Captured):
		return payment.StatusPaid
	default:
		return unpaid(a.Status)
	}
}

// unpaid maps the states other than success.
func unpaid(status string) payment.Status {
	switch status {
	case "FAILED", "CANCELLED", "VOID", dropped:
		return payment.StatusFailed
	case "NOT_ATTEMPTED":
		return payment.StatusOpened
	default:
		return payment.StatusPending
	}
}

// dropped is the state of a payment whose customer left the page.
const dropped = "USER_DROPPED"

// rank prefers a payment to a pending attempt, that to an attempt not begun, and that to a failure.
func (a attempt) rank() int {
	switch a.status() {
	case payment.StatusPaid:
		return 4
	case payment.StatusPending:
		return 3
	case payment.StatusOpened:
		return 2
	default:
		return 1
	}
}

// Verify reads all orders of the transaction and their payments: a captured payment counts, else an open one, else the last failure. Of
// several captured ones the first counts, and the rest are reported as Others.
func (g *Gateway) Verify(ctx context.Context, transactionID, _ string) (payment.Outcome, error) {
	attempts, waits, err := g.attempts(ctx, transactionID)
	if err != nil {
		return payment.Outcome{}, err
	}
	if len(attempts) == 0 {
		if waits {
			return payment.Outcome{Status: payment.StatusPending}, nil
		}
		return payment.Outcome{Status: payment.StatusUnknown}, nil
	}
	best := attempts[0]
	for _, a := range attempts[1:] {
		if a.rank() > best.rank() || a.rank() == best.rank() && a.status() != payment.StatusPaid {
			best = a
		}
	}
	o := payment.Outcome{
		Status: best.status(), Currency: best.Currency, GatewayPaymentID: string(best.PaymentID), Slug: slug(best.Group), Fields: best.fields(),
	}
	switch o.Status {
	case payment.StatusPaid:
		o.Amount, o.BankReference = best.Amount.Paise, bankReference(best.BankReference)
	case payment.StatusFailed:
		if waits { // a payment that is not listed yet paid the order
			o.Status = payment.StatusPending
			break
		}
		o.Reason, o.Cancelled = best.reason(), best.Status == dropped
	case payment.StatusOpened:
		if waits {
			o.Status = payment.StatusPending
		}
	case payment.StatusPending, payment.StatusUnknown:
	}
	for _, a := range attempts {
		if a.status() == payment.StatusPaid && a.PaymentID != best.PaymentID {
			o.Others = append(o.Others, payment.Capture{GatewayPaymentID: string(a.PaymentID), Amount: a.Amount.Paise})
		}
	}
	return o, nil
}

// attempts returns the payments of the transaction's orders, oldest first. It also reports whether an order is paid by a payment that
// Cashfree does not list yet.
func (g *Gateway) attempts(ctx context.Context, transactionID string) (all []attempt, waits bool, err error) {
	for _, w := range ways() {
		id := transactionID + w.suffix
		var o order
		if err := g.call(ctx, http.MethodGet, orderPath(id), nil, &o); missing(err) {
			continue
		} else if err != nil {
			return nil, false, unavailable(err)
		}
		if o.OrderID != id {
			return nil, false, errs.Unavailable(errors.New("verify: another order in the answer"))
		}
		of, err := g.paymentsOf(ctx, id)
		if err != nil {
			return nil, false, err
		}
		paid := false
		for i := range of {
			of[i].inPaidOrder = o.Status == orderPaid
			paid = paid || of[i].status() == payment.StatusPaid
		}
		waits = waits || o.Status == orderPaid && !paid
		all = append(all, of...)
	}
	slices.SortStableFunc(all, func(a, b attempt) int {
		return cmp.Or(a.begun.Compare(b.begun), cmp.Compare(a.PaymentID, b.PaymentID))
	})
	return all, waits, nil
}

// paymentsOf lists the payments of an order; empty if Cashfree does not know the order.
func (g *Gateway) paymentsOf(ctx context.Context, orderID string) ([]attempt, error) {
	var list []attempt
	if err := g.call(ctx, http.MethodGet, orderPath(orderID, "payments"), nil, &list); err != nil {
		if missing(err) {
			return nil, nil
		}
		return nil, unavailable(err)
	}
	for i, a := range list {
		if a.OrderID != orderID || a.PaymentID == "" || !a.Amount.Given || a.Amount.Paise < 0 {
			return nil, errs.Unavailable(errors.New("payments: one without an amount, or of another order, in the answer"))
		}
		var err error
		if list[i].begun, err = at(a.Time); err != nil {
			return nil, errs.Unavailable(errors.New("payments: a time that cannot be read in the answer"))
		}
	}
	return list, nil
}

func (a attempt) fields() map[string]string {
	return map[string]string{
		"order_id": words(a.OrderID), "cf_payment_id": text45(string(a.PaymentID)), "payment_status": words(a.Status),
		"payment_amount": a.Amount.Paise.Decimal(), "payment_group": words(a.Group), "bank_reference": bankReference(a.BankReference),
	}
}

// bankReference returns the bank's number of a payment, or empty for Cashfree's placeholder words.
func bankReference(s string) string {
	switch s = strings.TrimSpace(s); strings.ToUpper(s) {
	case "NA", "NULL", "N/A":
		return ""
	}
	return text45(s)
}

// text45 drops a reference that is longer than any.
func text45(s string) string {
	if len(s) > maxOrder {
		return ""
	}
	return s
}

// reason returns Cashfree's explanation of a failure.
func (a attempt) reason() string {
	told := cmp.Or(words(a.Error.Description), words(a.Message))
	if told == "" && a.Status == dropped {
		told = "The customer left the payment page"
	}
	return strings.TrimRight(cmp.Or(told, "Cashfree gives no reason"), ".") + "."
}

// slug maps Cashfree's payment groups to our payment method names.
func slug(group string) string {
	switch group {
	case "upi", "upi_credit_card", "upi_ppi", "upi_ppi_offline":
		return "upi"
	case "credit_card", "debit_card", "prepaid_card", "credit_card_emi", "debit_card_emi":
		return "card"
	case "net_banking":
		return "netbanking"
	default:
		return words(strings.ToLower(group))
	}
}
