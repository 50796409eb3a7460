package main

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/franchise360/franchise360/scripts/sandbox"
)

const (
	feeBasisPoints    = 200  // of the amount
	feeTaxBasisPoints = 1800 // GST on the fee
	payoutTime        = 12*time.Hour + 45*time.Minute
)

// payoutAfter returns when money that moves at t is settled: at 12:45 Indian time, the given number of working days later.
func payoutAfter(t time.Time, days int) time.Time {
	return sandbox.Calendar{}.Add(t, days).Add(payoutTime)
}

// movement is money on its way to or from the merchant, with its settlement row.
type movement struct {
	at        time.Time // business time of its payout
	requestID string
	net       int64
	row       map[string]any
}

// adjustment is a row that PayU adds on its own: a debit (ADJ_…), or the cancellation of a captured payment.
type adjustment struct {
	ID       string    `json:"id"`
	Action   string    `json:"action"` // debit or cancel
	Amount   string    `json:"amount"` // in rupees, without a sign
	TxnID    string    `json:"txnid"`  // of a cancel
	At       time.Time `json:"at"`
	SettleAt time.Time `json:"settle_at"`
}

// settled returns what has been paid out by now, oldest first. Debts of the merchant are deducted from what it is due; any
// excess is carried over to the next payout.
func (s *server) settled(now time.Time) ([]movement, error) {
	waiting, err := s.movements()
	if err != nil {
		return nil, err
	}
	done := []movement{}
	for len(waiting) > 0 {
		slices.SortFunc(waiting, func(x, y movement) int {
			return cmp.Or(x.at.Compare(y.at), strings.Compare(x.requestID, y.requestID))
		})
		at := waiting[0].at
		if at.After(now) {
			break
		}
		group := []movement{}
		for len(waiting) > 0 && waiting[0].at.Equal(at) {
			group, waiting = append(group, waiting[0]), waiting[1:]
		}
		paid, owed := bear(group)
		for i := range owed {
			owed[i].at = payoutAfter(at, 1)
		}
		done, waiting = append(done, paid...), append(waiting, owed...)
	}
	for i := range done {
		done[i].row["mer_utr"] = utr(done[i].at)
	}
	return done, nil
}

// bear splits a payout into the part it covers and the excess.
func bear(group []movement) (paid, owed []movement) {
	var balance int64
	for _, m := range group {
		if m.net >= 0 {
			balance += m.net
			paid = append(paid, m)
		}
	}
	for _, m := range group {
		if m.net >= 0 {
			continue
		}
		if balance+m.net < 0 {
			owed = append(owed, m)
			continue
		}
		balance += m.net
		paid = append(paid, m)
	}
	return paid, owed
}

// movements returns every known past and future movement.
func (s *server) movements() ([]movement, error) {
	list := []movement{}
	for _, p := range s.book.all() {
		if p.SettleAt.IsZero() {
			continue
		}
		of, err := s.movementsOf(p)
		if err != nil {
			return nil, err
		}
		list = append(list, of...)
	}
	for _, a := range s.book.allAdjustments() {
		m, err := s.adjustmentRow(a)
		if err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	return list, nil
}

func (s *server) movementsOf(p payment) ([]movement, error) {
	value, err := p.settles()
	if err != nil {
		return nil, err
	}
	fee := portion(value, feeBasisPoints)
	if p.AdditionalCharges != "" { // the customer bore the fee
		fee = 0
	}
	tax := portion(fee, feeTaxBasisPoints)
	list := []movement{{
		at: p.SettleAt, requestID: p.CaptureRequestID, net: value - fee - tax,
		row: row(p, "capture", p.CaptureRequestID, "", p.Decided, value, fee, tax, value-fee-tax),
	}}
	add := func(at time.Time, action, id, token string, asked time.Time, amount string, sign int64) error {
		if at.IsZero() {
			return nil
		}
		value, err := paise(amount)
		if err != nil {
			return err
		}
		shown := sign * value
		if action == actionRefund && s.account.get().RefundRows == "positive" {
			shown = value
		}
		list = append(list, movement{
			at: at, requestID: id, net: sign * value, row: row(p, action, id, token, asked, value, 0, 0, shown),
		})
		return nil
	}
	for _, r := range p.Refunds {
		taken := r.SettleAt
		if r.Status == refundFailure && r.ReverseAt.IsZero() { // failed before it was deducted: nothing to return
			taken = time.Time{}
		}
		err = errors.Join(err, add(taken, r.Action, r.RequestID, r.Token, r.At, r.Amount, -1),
			add(r.ReverseAt, "refundreversal", r.RequestID, r.Token, r.EndedAt, r.Amount, 1))
	}
	for _, d := range p.Disputes {
		err = errors.Join(err, add(d.DebitAt, "chargeback", d.DebitID, "", d.Created, d.Amount, -1),
			add(d.ReverseAt, "chargeback reversal", d.DebitID, "", d.Updated, d.Amount, 1))
	}
	return list, err
}

// portion returns a share in basis points, rounded half up to the paisa.
func portion(value, basisPoints int64) int64 { return (value*basisPoints + 5000) / 10000 }

// row is one line of a settlement. Source: PayU, Get Settlement Details API: field names, and fees with five decimals.
func row(p payment, action, id, token string, at time.Time, amount, fee, tax, net int64) map[string]any {
	return map[string]any{
		"payuid": p.MihpayID, "txnid": p.TxnID, "txndate": stamp(p.Decided), "mode": p.Method, "amount": p.Charged,
		"requestid": id, "requestdate": stamp(at), "requestaction": action, "requestamount": rupees(amount),
		"mer_service_fee": rupees(fee) + "000", "mer_service_tax": rupees(tax) + "000", "mer_net_amount": rupees(net),
		"bank_name": bankOf(p).code, "issuing_bank": "SBI", "merchant_subvention_amount": "0.00",
		"cgst": "0.00000", "igst": rupees(tax) + "000", "sgst": "0.00000",
		"PG_TYPE": "AxisCYBER", "Card Type": "domestic", "token": token,
	}
}

// adjustmentRow returns the row of what PayU deducts on its own. Source: the ADJ_ rows of PayU's sample of version 2.
func (s *server) adjustmentRow(a adjustment) (movement, error) {
	value, err := paise(a.Amount)
	if err != nil {
		return movement{}, err
	}
	m := movement{at: a.SettleAt, requestID: a.ID, net: -value}
	if p, ok := s.book.find(a.TxnID); ok && a.TxnID != "" {
		m.row = row(p, a.Action, a.ID, "", a.At, value, 0, 0, -value)
		return m, nil
	}
	fee := (value*100 + 59) / 118
	m.row = map[string]any{
		"payuid": a.ID, "txnid": a.ID, "txndate": stamp(a.At), "mode": "Adjustmentdebit", "amount": rupees(-value),
		"requestid": a.ID, "requestdate": stamp(a.At), "requestaction": a.Action, "requestamount": rupees(-value),
		"mer_service_fee": rupees(-fee), "mer_service_tax": rupees(fee - value), "mer_net_amount": rupees(-value),
		"bank_name": "", "issuing_bank": "", "merchant_subvention_amount": "", "cgst": 0, "sgst": 0, "igst": 0,
		"PG_TYPE": "PayU", "Card Type": "", "token": "",
	}
	return m, nil
}

// utr returns the bank's reference for a payout.
func utr(at time.Time) string {
	return "UTIBR7" + indiaTime(at).Format("20060102") + "00" + indiaTime(at).Format("150405")
}

// settlement answers get_settlement_details: what was settled on a day in India (2006-01-02) or under a UTR, in pages.
func (s *server) settlement(dateOrUTR, page, size string) (map[string]any, error) {
	if dateOrUTR == "" {
		return refusal("Parameter missing"), nil
	}
	if strings.Contains(dateOrUTR, "-") && !isDay(dateOrUTR) {
		return refusal("Please check date format it should be YYYY-MM-DD"), nil
	}
	done, err := s.settled(s.now())
	if err != nil {
		return nil, err
	}
	rows := []map[string]any{}
	for _, m := range done {
		if indiaTime(m.at).Format(time.DateOnly) == dateOrUTR || utr(m.at) == dateOrUTR {
			rows = append(rows, m.row)
		}
	}
	const usual = 2000
	start := (positive(page, 1) - 1) * positive(size, usual)
	rows = rows[min(start, len(rows)):min(start+positive(size, usual), len(rows))]
	details := map[string]any{}
	for i, r := range rows {
		details[strconv.Itoa(i+1)] = r
	}
	return map[string]any{
		"status": 1, "msg": fmt.Sprintf("%d transactions settled on %s", len(rows), dateOrUTR), "Txn_details": details,
	}, nil
}

func isDay(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}

func positive(text string, otherwise int) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > 1_000_000 {
		return otherwise
	}
	return n
}

// handleSettle pays out unsettled transactions immediately or on a given day: all, or only some, so that a settlement arrives
// in parts. The answer counts the captures and refunds moved.
func (s *server) handleSettle(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		TxnIDs []string `json:"txnids"`
		On     string   `json:"on"` // a day in India; now if empty
	}
	if err := sandbox.ReadJSON(w, r, &asked); err != nil {
		sandbox.WriteError(w, http.StatusBadRequest, err)
		return
	}
	now := s.now()
	at := now
	if asked.On != "" {
		day, err := time.ParseInLocation(time.DateOnly, asked.On, sandbox.India())
		if err != nil {
			sandbox.WriteError(w, http.StatusBadRequest, err)
			return
		}
		at = day.Add(payoutTime)
	}
	moved := 0
	for _, p := range s.book.all() {
		if len(asked.TxnIDs) > 0 && !slices.Contains(asked.TxnIDs, p.TxnID) {
			continue
		}
		_, err := s.book.change(p.MihpayID, func(p *payment) error {
			moved += p.settleAt(at, now)
			return nil
		})
		if err != nil {
			sandbox.WriteError(w, http.StatusInternalServerError, err)
			return
		}
	}
	sandbox.WriteJSON(w, http.StatusOK, map[string]any{"settled": moved, "utr": utr(at)})
}

// settleAt settles the unsettled parts, and counts them.
func (p *payment) settleAt(at, now time.Time) int {
	moved := 0
	move := func(when *time.Time) {
		if !when.IsZero() && when.After(now) {
			*when = at
			moved++
		}
	}
	move(&p.SettleAt)
	for i := range p.Refunds {
		move(&p.Refunds[i].SettleAt)
		move(&p.Refunds[i].ReverseAt)
	}
	for i := range p.Disputes {
		move(&p.Disputes[i].DebitAt)
		move(&p.Disputes[i].ReverseAt)
	}
	return moved
}

// handleAdjust adds a row to the next settlement that matches no request by the merchant.
func (s *server) handleAdjust(w http.ResponseWriter, r *http.Request) {
	a := adjustment{Action: "debit"}
	err := sandbox.ReadJSON(w, r, &a)
	if err == nil {
		_, err = paise(a.Amount)
	}
	if err == nil && a.Action != "debit" && a.Action != "cancel" {
		err = errors.New("action is one of: debit cancel")
	}
	id, idErr := number(6)
	if err = errors.Join(err, idErr); err != nil {
		sandbox.WriteError(w, http.StatusBadRequest, err)
		return
	}
	if _, ok := s.book.find(a.TxnID); a.Action == "cancel" && !ok {
		sandbox.WriteError(w, http.StatusNotFound, errUnknown)
		return
	}
	a.ID, a.At, a.SettleAt = "ADJ_"+id, s.now(), payoutAfter(s.now(), 1)
	if err := s.book.adjust(a); err != nil {
		sandbox.WriteError(w, http.StatusInternalServerError, err)
		return
	}
	sandbox.WriteJSON(w, http.StatusOK, a)
}
