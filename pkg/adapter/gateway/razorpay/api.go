package razorpay

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// attempt is one try of a customer to pay an order.
type attempt struct {
	ID               string `json:"id"`
	OrderID          string `json:"order_id"`
	Amount           int64  `json:"amount"`
	Currency         string `json:"currency"`
	Status           string `json:"status"`
	Method           string `json:"method"`
	ErrorDescription string `json:"error_description"`
	CreatedAt        int64  `json:"created_at"`
}

// Verify asks for the payments of the stored order: a captured one counts, else an open one, else the last failure.
func (g *Gateway) Verify(ctx context.Context, _, reference string) (payment.Outcome, error) {
	if reference == "" {
		return payment.Outcome{Status: payment.StatusUnknown}, nil
	}
	var answer struct {
		Items []attempt `json:"items"`
	}
	path := "/v1/orders/" + url.PathEscape(reference) + "/payments"
	if err := g.call(g.client.R().SetContext(ctx), http.MethodGet, path, &answer); err != nil {
		return payment.Outcome{}, unavailable(err)
	}
	best, o := attempt{}, payment.Outcome{Status: payment.StatusUnknown}
	for _, a := range answer.Items {
		if a.OrderID != reference {
			return payment.Outcome{}, errs.Unavailable(errors.New("verify: a payment of another order in the answer"))
		}
		if s := statusOf(a.Status); rank(s) > rank(o.Status) || rank(s) == rank(o.Status) && a.CreatedAt > best.CreatedAt {
			best, o.Status = a, s
		}
	}
	if best.ID == "" {
		return o, nil
	}
	o.Amount, o.Currency, o.GatewayPaymentID, o.Slug = money.Paise(best.Amount), best.Currency, best.ID, best.Method
	o.Fields = map[string]string{
		"razorpay_order_id": best.OrderID, "razorpay_payment_id": best.ID, "status": best.Status,
		"amount": strconv.FormatInt(best.Amount, 10), "method": best.Method,
	}
	if o.Status == payment.StatusFailed && best.ErrorDescription != "" {
		o.Reason = strings.TrimRight(best.ErrorDescription, ".") + "."
	}
	return o, nil
}

func rank(s payment.Status) int {
	switch s {
	case payment.StatusPaid:
		return 3
	case payment.StatusPending:
		return 2
	case payment.StatusFailed:
		return 1
	default:
		return 0
	}
}

// unavailable makes a refusal of a question something that may pass: it says nothing about the money.
func unavailable(err error) error {
	if _, ok := errors.AsType[*refusal](err); ok {
		return errs.Unavailable(err)
	}
	return err
}

type refund struct {
	ID     string `json:"id"`
	Status string `json:"status"`
}

func (r refund) outcome() payment.RefundOutcome {
	return payment.RefundOutcome{RefundID: r.ID, Done: r.Status == "processed", Failed: r.Status == "failed"}
}

// Refund asks for the refund; the idempotency header makes a repeated request the same refund.
func (g *Gateway) Refund(ctx context.Context, r payment.RefundRequest) (payment.RefundOutcome, error) {
	var made refund
	request := g.client.R().SetContext(ctx).SetHeader("X-Refund-Idempotency", r.Token).
		SetBody(map[string]any{"amount": int64(r.Amount), "receipt": r.Token})
	err := g.call(request, http.MethodPost, "/v1/payments/"+url.PathEscape(r.GatewayPaymentID)+"/refund", &made)
	if refused, ok := errors.AsType[*refusal](err); ok {
		return payment.RefundOutcome{Failed: true, Reason: refused.description}, nil
	}
	if err != nil {
		return payment.RefundOutcome{}, err
	}
	if made.ID == "" {
		return payment.RefundOutcome{}, errs.Unavailable(errors.New("refund: no id in the answer"))
	}
	return made.outcome(), nil
}

// RefundStatus asks how far the refund is.
func (g *Gateway) RefundStatus(ctx context.Context, r payment.RefundRequest, refundID string) (payment.RefundOutcome, error) {
	var found refund
	path := "/v1/payments/" + url.PathEscape(r.GatewayPaymentID) + "/refunds/" + url.PathEscape(refundID)
	if err := g.call(g.client.R().SetContext(ctx), http.MethodGet, path, &found); err != nil {
		return payment.RefundOutcome{}, unavailable(err)
	}
	return found.outcome(), nil
}

// Dispute asks how a dispute stands. One that is closed took no money.
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

// movement is a line of Razorpay's combined settlement report, amounts in paise.
type movement struct {
	EntityID     string `json:"entity_id"`
	PaymentID    string `json:"payment_id"`
	Type         string `json:"type"`
	Amount       int64  `json:"amount"`
	Fee          int64  `json:"fee"`
	Tax          int64  `json:"tax"`
	Debit        int64  `json:"debit"`
	Credit       int64  `json:"credit"`
	OrderReceipt string `json:"order_receipt"`
	UTR          string `json:"settlement_utr"`
	CreatedAt    int64  `json:"created_at"`
}

// pageSize is the most that one page of the settlement report holds.
const pageSize = 1000

// Settlements reads the combined report of the day, page by page. Razorpay's fee includes its tax.
func (g *Gateway) Settlements(ctx context.Context, day string) ([]payment.SettlementLine, error) {
	d, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return nil, errs.Internal(fmt.Errorf("settlement day: %w", err))
	}
	var lines []payment.SettlementLine
	for skip := 0; ; skip += pageSize {
		var answer struct {
			Items []movement `json:"items"`
		}
		request := g.client.R().SetContext(ctx).SetQueryParams(map[string]string{
			"year": strconv.Itoa(d.Year()), "month": d.Format("01"), "day": d.Format("02"),
			"count": strconv.Itoa(pageSize), "skip": strconv.Itoa(skip),
		})
		if err := g.call(request, http.MethodGet, "/v1/settlements/recon/combined", &answer); err != nil {
			return nil, unavailable(err)
		}
		for _, m := range answer.Items {
			if m.Type == "payment" || m.Type == "refund" {
				lines = append(lines, m.line())
			}
		}
		if len(answer.Items) < pageSize {
			return lines, nil
		}
	}
}

func (m movement) line() payment.SettlementLine {
	l := payment.SettlementLine{
		TransactionID: m.OrderReceipt, GatewayPaymentID: m.EntityID, Amount: money.Paise(m.Amount),
		Fee: money.Paise(m.Fee - m.Tax), FeeTax: money.Paise(m.Tax), Net: money.Paise(m.Credit - m.Debit), UTR: m.UTR,
		At: time.Unix(m.CreatedAt, 0).UTC(),
	}
	if m.Type == "refund" {
		l.Refund, l.RefundID, l.GatewayPaymentID = true, m.EntityID, m.PaymentID
	}
	return l
}
