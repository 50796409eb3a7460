package cashfree

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// refund is Cashfree's answer about a refund ("Create Refund"). RefundID is our token, by which Cashfree names the refund everywhere, the
// settlement report included.
type refund struct {
	PaymentID   name   `json:"cf_payment_id"`
	OrderID     string `json:"order_id"`
	RefundID    string `json:"refund_id"`
	Amount      amount `json:"refund_amount"`
	Currency    string `json:"refund_currency"`
	Status      string `json:"refund_status"`
	Description string `json:"status_description"`
}

// outcome maps the state of a refund. PENDING, ONHOLD and any state that the documents do not list are in progress.
func (r refund) outcome() payment.RefundOutcome {
	o := payment.RefundOutcome{RefundID: r.RefundID, Done: r.Status == "SUCCESS", Failed: r.Status == "CANCELLED" || r.Status == "FAILED"}
	if o.Failed || r.Status == "ONHOLD" {
		o.Reason = words(r.Description)
	}
	return o
}

type newRefund struct {
	RefundID string `json:"refund_id"`
	Amount   any    `json:"refund_amount"`
}

// Refund requests the refund. The token is the refund's name: Cashfree makes one refund of a name. Cashfree refunds orders, not payments,
// so an order with two captured payments waits for staff.
func (g *Gateway) Refund(ctx context.Context, r payment.RefundRequest) (payment.RefundOutcome, error) {
	orderID, captures, err := g.orderOf(ctx, r.TransactionID, r.GatewayPaymentID)
	if err != nil {
		return payment.RefundOutcome{}, err
	}
	if captures > 1 {
		return payment.RefundOutcome{
			Waiting: true, Reason: "The order was paid twice, and Cashfree's API cannot say which payment to refund. Refund it in Cashfree's dashboard.",
		}, nil
	}
	var made refund
	err = g.call(ctx, http.MethodPost, orderPath(orderID, "refunds"), newRefund{RefundID: r.Token, Amount: rupees(r.Amount)}, &made)
	if refused, ok := errors.AsType[*refusal](err); ok {
		return g.afterRefusal(ctx, orderID, r, refused)
	}
	if err != nil {
		return payment.RefundOutcome{}, err
	}
	return checked(made, orderID, r, r.Token)
}

// afterRefusal looks the refund up: Cashfree may have made it for an earlier request whose answer was lost. If it did not, the refusal is
// a failure only for a cause that cannot pass.
func (g *Gateway) afterRefusal(ctx context.Context, orderID string, r payment.RefundRequest, refused *refusal) (payment.RefundOutcome, error) {
	var found refund
	err := g.call(ctx, http.MethodGet, orderPath(orderID, "refunds", r.Token), nil, &found)
	if missing(err) {
		return payment.RefundOutcome{Failed: refused.final(), Waiting: !refused.final(), Reason: refused.message}, nil
	}
	if err != nil {
		return payment.RefundOutcome{}, unavailable(err)
	}
	return checked(found, orderID, r, r.Token)
}

// final reports whether the refund will never be made: the amount is not refundable, or the payment is too old or refunded already
// (cashfree/agent-skills, "Cashfree Refunds — Reference", error codes). Other causes wait for staff.
func (r *refusal) final() bool {
	return r.code == "refund_amount_invalid" || r.code == "refund_not_allowed"
}

// checked returns the outcome of a refund if the answer is about that refund.
func checked(found refund, orderID string, r payment.RefundRequest, refundID string) (payment.RefundOutcome, error) {
	if found.OrderID != orderID || found.RefundID != refundID || string(found.PaymentID) != r.GatewayPaymentID ||
		found.Amount.Paise != r.Amount || found.Currency != payment.Currency {
		return payment.RefundOutcome{}, errs.Unavailable(errors.New("refund: another refund, payment or amount in the answer"))
	}
	return found.outcome(), nil
}

// refundableFor is the shortest that six months are.
const refundableFor = 181 * 24 * time.Hour

// RefundableFor returns six months ("Create Refund").
func (*Gateway) RefundableFor() time.Duration { return refundableFor }

// RefundStatus fetches the progress of the refund.
func (g *Gateway) RefundStatus(ctx context.Context, r payment.RefundRequest, refundID string) (payment.RefundOutcome, error) {
	orderID, _, err := g.orderOf(ctx, r.TransactionID, r.GatewayPaymentID)
	if err != nil {
		return payment.RefundOutcome{}, err
	}
	var found refund
	if err := g.call(ctx, http.MethodGet, orderPath(orderID, "refunds", refundID), nil, &found); err != nil {
		return payment.RefundOutcome{}, unavailable(err)
	}
	return checked(found, orderID, r, refundID)
}

// Refunds lists the refunds of a payment.
func (g *Gateway) Refunds(ctx context.Context, transactionID, gatewayPaymentID string) ([]payment.RefundRecord, error) {
	orderID, _, err := g.orderOf(ctx, transactionID, gatewayPaymentID)
	if err != nil {
		return nil, err
	}
	var list []refund
	if err := g.call(ctx, http.MethodGet, orderPath(orderID, "refunds"), nil, &list); err != nil {
		return nil, unavailable(err)
	}
	var records []payment.RefundRecord
	for _, r := range list {
		if r.OrderID != orderID || r.RefundID == "" || !r.Amount.Given {
			return nil, errs.Unavailable(errors.New("refunds: one without an amount, or of another order, in the answer"))
		}
		if string(r.PaymentID) == gatewayPaymentID {
			records = append(records, payment.RefundRecord{RefundOutcome: r.outcome(), Token: r.RefundID, Amount: r.Amount.Paise})
		}
	}
	slices.SortFunc(records, func(a, b payment.RefundRecord) int { return strings.Compare(a.RefundID, b.RefundID) })
	return records, nil
}

// orderOf finds the order of a payment, and counts its captured payments.
func (g *Gateway) orderOf(ctx context.Context, transactionID, gatewayPaymentID string) (orderID string, captures int, err error) {
	for _, w := range ways() {
		id := transactionID + w.suffix
		list, err := g.paymentsOf(ctx, id)
		if err != nil {
			return "", 0, err
		}
		found, captures := false, 0
		for _, a := range list {
			found = found || string(a.PaymentID) == gatewayPaymentID
			if a.Status == "SUCCESS" {
				captures++
			}
		}
		if found {
			return id, captures, nil
		}
	}
	return "", 0, errs.Unavailable(errors.New("refund: no order of the transaction has the payment"))
}

// Dispute fetches a dispute ("Get Disputes by Dispute ID"). It is decided once Cashfree names who won, or we accepted it. Insufficient
// evidence may still be completed, so the dispute stays open.
func (g *Gateway) Dispute(ctx context.Context, disputeID string) (payment.DisputeOutcome, error) {
	var found struct {
		DisputeID name   `json:"dispute_id"`
		Amount    amount `json:"dispute_amount"`
		Status    string `json:"dispute_status"`
	}
	err := g.call(ctx, http.MethodGet, "/disputes/"+url.PathEscape(disputeID), nil, &found)
	if missing(err) {
		return payment.DisputeOutcome{}, nil
	}
	if err != nil {
		return payment.DisputeOutcome{}, unavailable(err)
	}
	if string(found.DisputeID) != disputeID || !found.Amount.Given {
		return payment.DisputeOutcome{}, errs.Unavailable(errors.New("dispute: another one, or no amount, in the answer"))
	}
	o := payment.DisputeOutcome{State: payment.DisputeOpen, Amount: found.Amount.Paise}
	switch {
	case strings.HasSuffix(found.Status, "_MERCHANT_WON"):
		o.State = payment.DisputeWon
	case strings.HasSuffix(found.Status, "_MERCHANT_LOST"), strings.HasSuffix(found.Status, "_MERCHANT_ACCEPTED"):
		o.State = payment.DisputeLost
	}
	return o, nil
}
