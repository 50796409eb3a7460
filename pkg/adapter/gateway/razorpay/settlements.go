package razorpay

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/settlement"
)

// movement is a line of Razorpay's combined settlement report, amounts in paise (api/settlements/fetch-recon). Fields that
// do not apply are null.
type movement struct {
	EntityID     string `json:"entity_id"`
	PaymentID    string `json:"payment_id"`
	DisputeID    string `json:"dispute_id"`
	Type         string `json:"type"`
	Amount       int64  `json:"amount"`
	Fee          int64  `json:"fee"`
	Tax          int64  `json:"tax"`
	Debit        int64  `json:"debit"`
	Credit       int64  `json:"credit"`
	OnHold       bool   `json:"on_hold"`
	Settled      *bool  `json:"settled"`
	OrderReceipt string `json:"order_receipt"`
	SettlementID string `json:"settlement_id"`
	UTR          string `json:"settlement_utr"`
	CreatedAt    int64  `json:"created_at"`
	SettledAt    int64  `json:"settled_at"`
}

// pageSize is the most lines on a page of the settlement report.
const pageSize = 1000

// Settlements reads the day's combined report page by page; a page that comes again would never end, and is no answer. Razorpay's fee
// includes its tax.
func (g *Gateway) Settlements(ctx context.Context, day string) ([]settlement.Line, error) {
	d, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return nil, errs.Internal(fmt.Errorf("settlement day: %w", err))
	}
	var lines []settlement.Line
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
		if skip > 0 && len(answer.Items) > 0 && answer.Items[0].line() == lines[skip-pageSize] {
			return nil, errs.Unavailable(errors.New("settlement report: the same page came again"))
		}
		for _, m := range answer.Items {
			lines = append(lines, m.line())
		}
		if len(answer.Items) < pageSize {
			return lines, nil
		}
	}
}

// kind returns the kind of the movement. A dispute has no separate type: it is an adjustment that names it.
func (m movement) kind() settlement.Kind {
	switch {
	case m.Type == "payment":
		return settlement.KindCapture
	case m.Type == "refund" && m.Debit == 0 && m.Credit > 0:
		return settlement.KindRefundReversal
	case m.Type == "refund":
		return settlement.KindRefund
	case m.DisputeID != "" && m.Credit > m.Debit:
		return settlement.KindChargebackReversal
	case m.DisputeID != "":
		return settlement.KindChargeback
	default:
		return settlement.KindAdjustment
	}
}

func (m movement) line() settlement.Line {
	l := settlement.Line{
		ID: m.EntityID, Kind: m.kind(), Action: m.Type, TransactionID: m.OrderReceipt, GatewayPaymentID: m.PaymentID,
		Amount: money.Paise(m.Amount), Fee: money.Paise(m.Fee - m.Tax), FeeTax: money.Paise(m.Tax), Net: money.Paise(m.Credit - m.Debit),
		SettlementID: m.SettlementID, UTR: m.UTR, Pending: m.OnHold || m.Settled != nil && !*m.Settled, At: time.Unix(m.CreatedAt, 0).UTC(),
	}
	if m.SettledAt > 0 {
		l.At = time.Unix(m.SettledAt, 0).UTC()
	}
	switch l.Kind {
	case settlement.KindCapture:
		l.GatewayPaymentID = m.EntityID
	case settlement.KindRefund, settlement.KindRefundReversal:
		l.RefundID = m.EntityID
	case settlement.KindChargeback, settlement.KindChargebackReversal:
		l.RefundID = m.DisputeID
	case settlement.KindAdjustment:
		l.Amount = l.Net + l.Fee + l.FeeTax
	}
	return l
}
