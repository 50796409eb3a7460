package main

import (
	"encoding/json"
	"errors"
	"strconv"
	"time"
)

// refund answers cancel_refund_transaction: it refunds part or all of a captured payment, or cancels an authorised one. Its
// mihpayid is a number with more digits than a float holds. Source: PayU, Refund Transaction API, and recorded answers.
func (s *server) refund(mihpayID, token, amount, noticeURL string) map[string]any {
	switch {
	case mihpayID == "":
		return refusal("Parameter missing")
	case token == "":
		return map[string]any{"status": 0, "msg": "token is empty", "mihpayid": mihpayID}
	case amount == "":
		return map[string]any{"status": 0, "msg": "amount is empty", "mihpayid": mihpayID}
	case len(token) > 23: // the limit is published, the wording is not
		return refusedAnswer(mihpayID, refundError{124, "Refund FAILURE - Input Data missing"})
	}
	asked, err := s.giveBack(mihpayID, token, amount, noticeURL)
	var refused refundError
	switch {
	case errors.As(err, &refused):
		return refusedAnswer(mihpayID, refused)
	case err != nil:
		return refusal("Refund request failed")
	}
	answer := map[string]any{
		"status": 1, "msg": "Refund Request Queued", "request_id": asked.RequestID, "bank_ref_num": nil,
		"mihpayid": numeric(mihpayID), "error_code": 102,
	}
	switch {
	case asked.Action == actionCancel:
		delete(answer, "request_id")
		answer["msg"], answer["txn_update_id"] = "Cancel Request Queued", asked.RequestID
	case s.waitsForTomorrow(mihpayID, asked):
		answer["msg"], answer["error_code"] = "Capture is done today, please check for refund status tomorrow", 226
	}
	return answer
}

func refusedAnswer(mihpayID string, refused refundError) map[string]any {
	return map[string]any{"status": 0, "msg": refused.message, "error_code": refused.code, "mihpayid": numeric(mihpayID)}
}

// waitsForTomorrow defers a refund requested on the day of its capture to the next day, if the account is set so, and
// reports whether it did.
func (s *server) waitsForTomorrow(mihpayID string, asked refund) bool {
	p, ok := s.book.findByID(mihpayID)
	if !ok || s.account.get().SameDayRefunds || stamp(p.Decided)[:10] != stamp(asked.At)[:10] {
		return false
	}
	_, err := s.book.change(mihpayID, func(p *payment) error {
		for i := range p.Refunds {
			if r := &p.Refunds[i]; r.RequestID == asked.RequestID && !r.EndsAt.IsZero() {
				r.EndsAt = r.EndsAt.Add(24 * time.Hour)
			}
		}
		return nil
	})
	return err == nil
}

// numeric returns an id as a JSON number, digit by digit; any other text stays a string.
func numeric(id string) any {
	if _, err := strconv.ParseUint(id, 10, 64); err != nil {
		return id
	}
	return json.Number(id)
}

// captureAuthorised answers capture_transaction. Source: PayU, Capture Payment API and its error codes.
func (s *server) captureAuthorised(mihpayID, token, amount string) map[string]any {
	if token == "" || amount == "" {
		return refusal("Parameter missing")
	}
	now, days := s.now(), s.account.get().SettlementDays
	p, err := s.book.change(mihpayID, func(p *payment) error {
		value, err := paise(amount)
		if err != nil {
			return err
		}
		charged, err := paise(p.Charged)
		switch {
		case err != nil:
			return err
		case p.captured():
			return refundError{301, "Capture already successful for this transaction"}
		case p.Unmapped != unmappedAuth:
			return refundError{111, "Invalid transaction status"}
		case value > charged:
			return refundError{303, "Amount greater than maximum capturable amount"}
		}
		p.Charged = rupees(value)
		p.capture(now, days)
		s.queueWebhooks(p, "once", 0)
		return nil
	})
	var refused refundError
	switch {
	case errors.Is(err, errUnknown):
		return refusal("Transaction not exists")
	case errors.As(err, &refused):
		return refusedAnswer(mihpayID, refused)
	case err != nil:
		return refusal("Capture request failed")
	}
	s.wake()
	return map[string]any{
		"status": 1, "msg": "Capture Request Queued", "request_id": p.CaptureRequestID, "bank_ref_num": p.BankReference,
		"mihpayid": numeric(mihpayID), "error_code": 102,
	}
}

// actionStatus answers check_action_status: for one request id, or with var2 "payuid" for all actions of a payment, its capture
// included. If nothing is found, a string replaces the object. Some pages and codes call the command check_action_status_txnid;
// both do the same here. Source: PayU, Check Refund Status API with Request ID, with PayU ID.
func (s *server) actionStatus(id, kind string) (map[string]any, error) {
	if id == "" {
		return refusal("Parameter missing"), nil
	}
	done, err := s.settled(s.now())
	if err != nil {
		return nil, err
	}
	entries := map[string]any{}
	if kind == "payuid" {
		if p, ok := s.book.findByID(id); ok && p.Status == statusSuccess {
			for _, a := range actionsOf(p) {
				entries[a.id] = a.entry(p, done)
			}
		}
	} else if p, r, ok := s.book.findRefund(id); ok {
		entries[id] = actionOf(r).entry(p, done)
	}
	if len(entries) == 0 {
		return map[string]any{
			"status": 0, "msg": "0 out of 1 Transactions Fetched Successfully",
			"transaction_details": map[string]any{id: "No action status found"},
		}, nil
	}
	return map[string]any{
		"status": 1, "msg": "1 out of 1 Transactions Fetched Successfully",
		"transaction_details": map[string]any{id: entries},
	}, nil
}

// action is one entry of check_action_status.
type action struct{ id, kind, token, amount, status, reference, arn, mode string }

func actionsOf(p payment) []action {
	list := []action{}
	if p.captured() {
		list = append(list, action{
			id: p.CaptureRequestID, kind: "capture", amount: p.Charged, status: "SUCCESS", reference: p.BankReference, mode: "-",
		})
	}
	for _, r := range p.Refunds {
		list = append(list, actionOf(r))
	}
	return list
}

func actionOf(r refund) action {
	a := action{
		id: r.RequestID, kind: r.Action, token: r.Token, amount: r.Amount, status: r.Status, arn: r.ARN, mode: "Back to Source",
	}
	if r.Status == refundSuccess {
		a.reference = r.BankReference
	}
	return a
}

func (a action) entry(p payment, done []movement) map[string]any {
	entry := map[string]any{
		"mihpayid": p.MihpayID, "bank_ref_num": orNull(a.reference), "request_id": a.id, "amt": a.amount, "mode": p.Method,
		"action": a.kind, "token": a.token, "status": a.status, "bank_arn": orNull(a.arn), "refund_mode": a.mode,
		"settlement_id": nil, "amount_settled": nil, "UTR_no": nil, "value_date": nil,
	}
	for _, m := range done {
		if m.requestID == a.id && m.row["requestaction"] == a.kind {
			at := indiaTime(m.at)
			entry["settlement_id"], entry["value_date"] = at.Format("200601021504"), at.Format(time.DateOnly)
			entry["amount_settled"], entry["UTR_no"] = rupees(m.net)+"00", utr(m.at)
		}
	}
	return entry
}

// allRefunds answers getAllRefundsFromTxnIds, which finds a refund whose answer was lost by its token. Source: PayU, Get All
// Refunds from Transaction IDs API.
func (s *server) allRefunds(txnID string) map[string]any {
	details := map[string]any{}
	for _, p := range s.book.of(txnID) {
		list := []map[string]any{}
		for _, r := range p.Refunds {
			entry := map[string]any{
				"PayuID": p.MihpayID, "RequestID": r.RequestID, "RefundToken": r.Token, "PaymentGateway": "AXISPG",
				"Amount": r.Amount, "Status": r.Status, "RefundCreationDate": stamp(r.At),
				"bank_ref_no": nil, "bank_arn": orNull(r.ARN), "success_at": nil,
			}
			if r.Status == refundSuccess {
				entry["bank_ref_no"], entry["success_at"] = r.BankReference, stamp(r.EndedAt)
			}
			list = append(list, entry)
		}
		if len(list) > 0 {
			details[p.MihpayID] = list
		}
	}
	if len(details) == 0 {
		return map[string]any{"status": 1, "msg": "No Refunds Found for the transaction."}
	}
	return map[string]any{"status": 1, "msg": "Refunds fetched successfully.", "Refund Details": details}
}
