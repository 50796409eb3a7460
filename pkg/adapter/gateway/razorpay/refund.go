package razorpay

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

type refund struct {
	ID        string `json:"id"`
	Amount    int64  `json:"amount"`
	Receipt   string `json:"receipt"`
	PaymentID string `json:"payment_id"`
	Status    string `json:"status"`
}

func (r refund) outcome() payment.RefundOutcome {
	return payment.RefundOutcome{RefundID: r.ID, Done: r.Status == "processed", Failed: r.Status == "failed"}
}

// Refund requests the refund; the idempotency header makes a repeated request the same refund, and the receipt identifies it in
// the list of refunds. A refusal is a failure only if Razorpay's list of errors says that retrying is pointless.
func (g *Gateway) Refund(ctx context.Context, r payment.RefundRequest) (payment.RefundOutcome, error) {
	var made refund
	request := g.client.R().SetContext(ctx).SetHeader("X-Refund-Idempotency", r.Token).
		SetBody(map[string]any{"amount": int64(r.Amount), "receipt": r.Token})
	err := g.call(request, http.MethodPost, "/v1/payments/"+url.PathEscape(r.GatewayPaymentID)+"/refund", &made)
	if refused, ok := errors.AsType[*refusal](err); ok {
		return payment.RefundOutcome{Failed: refused.final(), Waiting: !refused.final(), Reason: refused.description}, nil
	}
	if err != nil {
		return payment.RefundOutcome{}, err
	}
	if made.ID == "" {
		return payment.RefundOutcome{}, errs.Unavailable(errors.New("refund: no id in the answer"))
	}
	return made.outcome(), nil
}

// LeastRefund returns one rupee ("Create a Normal Refund", amount).
func (*Gateway) LeastRefund() money.Paise { return minAmount }

// refundableFor is the shortest that six months are.
const refundableFor = 181 * 24 * time.Hour

// RefundableFor returns six months ("Create a Normal Refund", errors).
func (*Gateway) RefundableFor() time.Duration { return refundableFor }

// final reports whether the refund will never be made ("Create a Normal Refund", errors): the payment, its method or the request's own
// content forbids it. Temporary causes wait: insufficient balance, a dispute under review, another operation in progress, a request in
// flight (409); so do unlisted ones, for staff to look at. A receipt or key that was already used must be looked up.
func (r *refusal) final() bool {
	for _, words := range []string{
		"different request with the same idempotency key", "is not a valid id", "not required and should not be sent",
		"greater than amount captured", "fully refunded already", "status should be captured", "amount cannot be blank",
		"not supported for this payment method", "not supported for the payment", "refund is not supported",
		"more than six months", "less than inr 1", "atleast inr 1", "at least inr 1",
	} {
		if contains(r.description, words) {
			return true
		}
	}
	return false
}

func contains(text, words string) bool { return strings.Contains(strings.ToLower(text), words) }

// RefundStatus fetches the progress of the refund.
func (g *Gateway) RefundStatus(ctx context.Context, r payment.RefundRequest, refundID string) (payment.RefundOutcome, error) {
	var found refund
	path := "/v1/payments/" + url.PathEscape(r.GatewayPaymentID) + "/refunds/" + url.PathEscape(refundID)
	if err := g.call(g.client.R().SetContext(ctx), http.MethodGet, path, &found); err != nil {
		return payment.RefundOutcome{}, unavailable(err)
	}
	return found.outcome(), nil
}

// refundsPage is the most that Razorpay lists at once, refundPages the most pages read.
const (
	refundsPage = 100
	refundPages = 20
)

// Refunds lists the refunds of a payment.
func (g *Gateway) Refunds(ctx context.Context, _, gatewayPaymentID string) ([]payment.RefundRecord, error) {
	var records []payment.RefundRecord
	for page := range refundPages {
		var answer struct {
			Items []refund `json:"items"`
		}
		request := g.client.R().SetContext(ctx).SetQueryParam("count", strconv.Itoa(refundsPage)).SetQueryParam("skip", strconv.Itoa(page*refundsPage))
		if err := g.call(request, http.MethodGet, "/v1/payments/"+url.PathEscape(gatewayPaymentID)+"/refunds", &answer); err != nil {
			return nil, unavailable(err)
		}
		for _, r := range answer.Items {
			if r.PaymentID != gatewayPaymentID {
				return nil, errs.Unavailable(errors.New("refunds: one of another payment in the answer"))
			}
			records = append(records, payment.RefundRecord{RefundOutcome: r.outcome(), Token: r.Receipt, Amount: money.Paise(r.Amount)})
		}
		if len(answer.Items) < refundsPage {
			break
		}
	}
	slices.SortFunc(records, func(a, b payment.RefundRecord) int { return strings.Compare(a.RefundID, b.RefundID) })
	return records, nil
}
