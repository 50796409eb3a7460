package razorpay

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// attempt is one attempt of a customer to pay an order.
type attempt struct {
	ID               string `json:"id"`
	OrderID          string `json:"order_id"`
	Amount           int64  `json:"amount"`
	Currency         string `json:"currency"`
	Status           string `json:"status"`
	Method           string `json:"method"`
	ErrorDescription string `json:"error_description"`
	ErrorCode        string `json:"error_code"`
	ErrorReason      string `json:"error_reason"`
	CreatedAt        int64  `json:"created_at"`
	// CustomerID and TokenID are those of a payment that registers a mandate, or is debited by one.
	CustomerID string          `json:"customer_id"`
	TokenID    string          `json:"token_id"`
	Notes      json.RawMessage `json:"notes"`
	// Acquirer has the bank's number, under a name that depends on the method; its shape is not promised.
	Acquirer json.RawMessage `json:"acquirer_data"`
}

// bankReference is the number by which the customer's bank knows the payment, or empty.
func (a attempt) bankReference() string {
	var given map[string]any
	if json.Unmarshal(a.Acquirer, &given) != nil {
		return ""
	}
	for _, name := range []string{"rrn", "bank_transaction_id", "upi_transaction_id"} {
		if reference, ok := given[name].(string); ok && reference != "" {
			return reference
		}
	}
	return ""
}

func (a attempt) capture() payment.Capture {
	return payment.Capture{GatewayPaymentID: a.ID, Amount: money.Paise(a.Amount)}
}

// Verify reads the payments of every order with our transaction: a captured one counts, else an open one, else the
// last failure. Of several captured ones the first counts, and the rest are reported as Others.
func (g *Gateway) Verify(ctx context.Context, transactionID, reference string) (payment.Outcome, error) {
	attempts, err := g.attempts(ctx, transactionID, reference)
	if err != nil {
		return payment.Outcome{}, err
	}
	best, o := attempt{}, payment.Outcome{Status: payment.StatusUnknown}
	for _, a := range attempts {
		s := statusOf(a.Status)
		if rank(a) > rank(best) || rank(a) == rank(best) && s != payment.StatusPaid {
			best, o.Status = a, s
		}
	}
	if best.ID == "" {
		return o, nil
	}
	for _, a := range attempts {
		// a fully refunded payment needs no further refund
		if a.Status == "captured" && a.ID != best.ID {
			o.Others = append(o.Others, a.capture())
		}
		if a.Status == "authorized" && o.Status != payment.StatusPaid {
			c := a.capture()
			o.Authorized = &c
		}
	}
	o.Amount, o.Currency, o.GatewayPaymentID, o.Slug = money.Paise(best.Amount), best.Currency, best.ID, best.Method
	o.BankReference = best.bankReference()
	o.Fields = map[string]string{
		"razorpay_order_id": best.OrderID, "razorpay_payment_id": best.ID, "status": best.Status,
		"amount": strconv.FormatInt(best.Amount, 10), "method": best.Method,
	}
	if o.Status == payment.StatusFailed && best.ErrorDescription != "" {
		o.Reason = strings.TrimRight(words(best.ErrorDescription), ".") + "."
	}
	return o, nil
}

// attempts returns the payments of the stored order and of any other with our transaction, oldest first.
func (g *Gateway) attempts(ctx context.Context, transactionID, reference string) ([]attempt, error) {
	orders, err := g.orders(ctx, transactionID)
	if err != nil {
		return nil, err
	}
	ids := make([]string, 0, len(orders)+1)
	for _, o := range orders {
		ids = append(ids, o.ID)
	}
	if reference != "" && !slices.Contains(ids, reference) {
		ids = append(ids, reference)
	}
	var all []attempt
	for _, id := range ids {
		var answer struct {
			Items []attempt `json:"items"`
		}
		if err := g.call(g.client.R().SetContext(ctx), http.MethodGet, "/v1/orders/"+url.PathEscape(id)+"/payments", &answer); err != nil {
			return nil, unavailable(err)
		}
		for _, a := range answer.Items {
			if a.OrderID != id {
				return nil, errs.Unavailable(errors.New("verify: a payment of another order in the answer"))
			}
		}
		for _, a := range answer.Items {
			// Several tries to debit may share the order of one notice.
			if named := a.transaction(); named == "" || named == transactionID {
				all = append(all, a)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b attempt) int { return int(a.CreatedAt - b.CreatedAt) })
	return all, nil
}

// rank prefers captured payments that were not refunded.
func rank(a attempt) int {
	switch {
	case a.ID == "":
		return 0
	case a.Status == "captured":
		return 4
	case a.Status == "refunded":
		return 3
	case a.Status == "failed":
		return 1
	default:
		return 2
	}
}

// Capture captures an authorised payment, which Razorpay would otherwise refund ("Capture a Payment").
func (g *Gateway) Capture(ctx context.Context, c payment.Capture) error {
	var made attempt
	request := g.client.R().SetContext(ctx).SetBody(map[string]any{"amount": int64(c.Amount), "currency": payment.Currency})
	err := g.call(request, http.MethodPost, "/v1/payments/"+url.PathEscape(c.GatewayPaymentID)+"/capture", &made)
	if refused, ok := errors.AsType[*refusal](err); ok && contains(refused.description, "already been captured") {
		return nil
	}
	return unavailable(err)
}

// Find fetches the order of a notice, or of its payment, and returns its receipt: our transaction.
func (g *Gateway) Find(ctx context.Context, n payment.Notice) (string, error) {
	orderID := n.Reference
	if orderID == "" {
		var paid attempt
		err := g.call(g.client.R().SetContext(ctx), http.MethodGet, "/v1/payments/"+url.PathEscape(n.GatewayPaymentID), &paid)
		if missing(err) || err == nil && paid.OrderID == "" {
			return "", nil
		}
		if err != nil {
			return "", err
		}
		orderID = paid.OrderID
	}
	var found order
	err := g.call(g.client.R().SetContext(ctx), http.MethodGet, "/v1/orders/"+url.PathEscape(orderID), &found)
	if missing(err) {
		return "", nil
	}
	return found.Receipt, err
}

// missing reports whether Razorpay does not know the id, which it answers with 400.
func missing(err error) bool {
	_, ok := errors.AsType[*refusal](err)
	return ok
}

// unavailable makes a refused query a temporary failure: it says nothing about the money.
func unavailable(err error) error {
	if missing(err) {
		return errs.Unavailable(err)
	}
	return err
}

// Dispute fetches a dispute. A closed one took no money: only fraud warnings close that way.
func (g *Gateway) Dispute(ctx context.Context, disputeID string) (payment.DisputeOutcome, error) {
	var found struct {
		Amount   int64  `json:"amount"`
		Deducted int64  `json:"amount_deducted"`
		Status   string `json:"status"`
	}
	if err := g.call(g.client.R().SetContext(ctx), http.MethodGet, "/v1/disputes/"+url.PathEscape(disputeID), &found); err != nil {
		return payment.DisputeOutcome{}, unavailable(err)
	}
	o := payment.DisputeOutcome{State: payment.DisputeOpen, Amount: money.Paise(found.Amount)}
	switch found.Status {
	case "lost":
		o.State = payment.DisputeLost
		if found.Deducted > 0 {
			o.Amount = money.Paise(found.Deducted)
		}
	case "won", "closed":
		o.State = payment.DisputeWon
	}
	return o, nil
}
