package cashfree

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/settlement"
)

// movement is an event of the report "Settlement Reconciliation", amounts in rupees. Fields that do not apply are absent or null.
type movement struct {
	EventID      name   `json:"event_id"`
	Type         string `json:"event_type"`
	Sale         string `json:"sale_type"`
	Status       string `json:"event_status"`
	Amount       amount `json:"event_amount"`
	Settled      amount `json:"event_settlement_amount"`
	Currency     string `json:"event_currency"`
	Time         string `json:"event_time"`
	OrderID      string `json:"order_id"`
	PaymentID    name   `json:"cf_payment_id"`
	RefundID     string `json:"refund_id"`
	Charge       amount `json:"payment_service_charge"`
	Tax          amount `json:"payment_service_tax"`
	SettlementID name   `json:"cf_settlement_id"`
	UTR          string `json:"settlement_utr"`
	SettledOn    string `json:"settlement_date"`
	Remarks      string `json:"adjustment_remarks"`
}

const (
	pageSize = 1000 // the most that Cashfree takes
	maxPages = 200
)

type reconRequest struct {
	Pagination pagination   `json:"pagination"`
	Filters    reconFilters `json:"filters"`
}

// pagination begins with a null cursor.
type pagination struct {
	Limit  int     `json:"limit"`
	Cursor *string `json:"cursor"`
}

type reconFilters struct {
	StartDate string `json:"start_date"`
	EndDate   string `json:"end_date"`
}

// Settlements reads the report of a day in India page by page, until a page without a cursor or without events. A cursor that comes again
// would never end, and is no answer.
func (g *Gateway) Settlements(ctx context.Context, day string) ([]settlement.Line, error) {
	from, err := time.ParseInLocation(time.DateOnly, day, clock.IST)
	if err != nil {
		return nil, errs.Internal(fmt.Errorf("settlement day: %w", err))
	}
	request := reconRequest{
		Pagination: pagination{Limit: pageSize},
		Filters: reconFilters{
			StartDate: from.UTC().Format(time.RFC3339), EndDate: from.AddDate(0, 0, 1).Add(-time.Second).UTC().Format(time.RFC3339),
		},
	}
	var lines []settlement.Line
	seen := map[string]bool{}
	for range maxPages {
		var answer struct {
			Cursor string     `json:"cursor"`
			Data   []movement `json:"data"`
		}
		if err := g.call(ctx, http.MethodPost, "/settlement/recon", request, &answer); err != nil {
			return nil, unavailable(err)
		}
		for _, m := range answer.Data {
			if m.Type == "SETTLEMENT" { // the payout itself, which "PG Reconciliation" lists among its events
				continue
			}
			l, err := m.line()
			if err != nil {
				return nil, errs.Unavailable(fmt.Errorf("settlement report: event %.45s: %w", m.EventID, err))
			}
			lines = append(lines, l)
		}
		if answer.Cursor == "" || len(answer.Data) == 0 {
			return lines, nil
		}
		if seen[answer.Cursor] {
			return nil, errs.Unavailable(errors.New("settlement report: the same page came again"))
		}
		seen[answer.Cursor] = true
		request.Pagination.Cursor = &answer.Cursor
	}
	return nil, errs.Unavailable(errors.New("settlement report: too many pages"))
}

// kind returns the kind of the event. An event that the documents do not list is an adjustment, which staff explain.
func (m movement) kind() settlement.Kind {
	switch m.Type {
	case "PAYMENT":
		return settlement.KindCapture
	case "REFUND":
		return settlement.KindRefund
	case "REFUND_REVERSAL":
		return settlement.KindRefundReversal
	case "DISPUTE", "CHARGEBACK":
		return settlement.KindChargeback
	case "DISPUTE_REVERSAL", "CHARGEBACK_REVERSAL":
		return settlement.KindChargebackReversal
	default:
		return settlement.KindAdjustment
	}
}

// line returns the event as a line, or an error if it contradicts the documents: its direction does not fit its type, or its currency is
// not the rupee.
func (m movement) line() (settlement.Line, error) {
	l := settlement.Line{
		Kind: m.kind(), Action: text45(m.Type), TransactionID: transactionOf(m.OrderID), GatewayPaymentID: text45(string(m.PaymentID)),
		Fee: m.Charge.Paise, FeeTax: m.Tax.Paise, SettlementID: text45(string(m.SettlementID)), UTR: text45(m.UTR),
	}
	if m.EventID == "" || m.Currency != payment.Currency || !m.Amount.Given {
		return l, errors.New("no id, no amount, or a foreign currency")
	}
	gross, err := m.magnitude(m.Amount)
	if err != nil {
		return l, err
	}
	net, err := m.magnitude(m.Settled)
	if err != nil {
		return l, err
	}
	outgoing := m.Sale == "DEBIT"
	if outgoing {
		net = -net
	}
	l.Amount, l.Net, l.ID = gross, net, m.id()
	switch l.Kind {
	case settlement.KindRefund, settlement.KindRefundReversal:
		l.RefundID = text45(m.RefundID)
	case settlement.KindChargeback, settlement.KindChargebackReversal:
		l.RefundID = text45(string(m.EventID))
	case settlement.KindAdjustment:
		l.Amount = l.Net + l.Fee + l.FeeTax
	case settlement.KindCapture:
	}
	if wantsDebit := l.Kind == settlement.KindRefund || l.Kind == settlement.KindChargeback; l.Kind != settlement.KindAdjustment && wantsDebit != outgoing {
		return l, fmt.Errorf("%.45s is a %.45s", m.Type, m.Sale)
	}
	return m.dated(l)
}

// magnitude returns the amount without its sign. Cashfree gives the direction by sale_type; a negative credit contradicts it.
func (m movement) magnitude(a amount) (money.Paise, error) {
	switch {
	case m.Sale != "CREDIT" && m.Sale != "DEBIT":
		return 0, errors.New("neither a credit nor a debit")
	case a.Paise < 0 && m.Sale == "CREDIT":
		return 0, errors.New("a negative credit")
	}
	return a.Paise.Abs(), nil
}

// dated adds the day of the payout. Without a payout, or if the event failed, nothing has been paid out yet.
func (m movement) dated(l settlement.Line) (settlement.Line, error) {
	begun, err := at(m.Time)
	if err != nil {
		return l, err
	}
	settled, err := at(m.SettledOn)
	if err != nil {
		return l, err
	}
	l.At = begun
	if !settled.IsZero() {
		l.At = settled
	}
	switch m.Status {
	case "PENDING", "FAILED", "CANCELLED":
		l.Pending = true
	default:
		l.Pending = l.SettlementID == ""
	}
	return l, nil
}

// id names the line. Several events may share Cashfree's id: a dispute and its reversal do, and all adjustments of a payout.
func (m movement) id() string {
	sum := sha256.Sum256([]byte(strings.Join([]string{m.Remarks, m.Sale, string(m.SettlementID), m.Time}, "\n")))
	if m.kind() != settlement.KindAdjustment {
		return text45(string(m.EventID)) + "/" + strings.ToLower(m.Type)
	}
	return text45(string(m.EventID)) + "/" + hex.EncodeToString(sum[:8])
}
