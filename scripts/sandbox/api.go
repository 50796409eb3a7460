package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// refundTakes is how long a refund stays queued before it counts as done.
const refundTakes = 2 * time.Second

// handlePostservice is the merchant API: one address, the command in the form, signed with the command hash.
// PayU answers 200 to everything; `status` 0 says that the call failed.
func (s *server) handlePostservice(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		writeJSON(w, http.StatusOK, refusal("the form cannot be read"))
		return
	}
	form := r.PostForm
	command, var1 := form.Get("command"), form.Get("var1")
	switch {
	case form.Get("key") != s.merchant.key:
		writeJSON(w, http.StatusOK, refusal("Invalid key."))
		return
	case !sameHash(form.Get("hash"), s.merchant.commandHash(command, var1)):
		writeJSON(w, http.StatusOK, refusal("Invalid Hash."))
		return
	}
	answer, err := s.answer(command, form)
	if err != nil {
		answer = refusal(err.Error())
	}
	// The command has taken effect by now: a misbehaving gateway loses the answer, not the deed.
	s.misbehave(w, r, answer)
}

func (s *server) answer(command string, form url.Values) (map[string]any, error) {
	switch command {
	case "verify_payment":
		return s.verifyPayment(form.Get("var1")), nil
	case "cancel_refund_transaction":
		return s.refund(form.Get("var1"), form.Get("var2"), form.Get("var3"))
	case "check_action_status":
		return s.refundStatus(form.Get("var1"), form.Get("var2"))
	case "get_settlement_details":
		return s.settlement(form.Get("var1"))
	default:
		return nil, fmt.Errorf("Invalid command %q", command) //nolint:staticcheck // the gateway's own wording
	}
}

func refusal(message string) map[string]any { return map[string]any{"status": 0, "msg": message} }

// verifyPayment answers for each txnid of a list joined by |.
func (s *server) verifyPayment(txnIDs string) map[string]any {
	asked := strings.Split(txnIDs, "|")
	details, found := map[string]any{}, 0
	for _, txnID := range asked {
		p, ok := s.book.find(txnID)
		if !ok {
			details[txnID] = map[string]any{"mihpayid": "Not Found", "status": "Not Found"}
			continue
		}
		found++
		details[txnID] = verifyDetails(p)
	}
	status := 0
	if found > 0 {
		status = 1
	}
	return map[string]any{
		"status": status, "transaction_details": details,
		"msg": fmt.Sprintf("%d out of %d Transactions Fetched Successfully", found, len(asked)),
	}
}

// refund gives back part or all of a captured payment. The same token asked again is the same refund.
func (s *server) refund(mihpayID, token, amount string) (map[string]any, error) {
	if token == "" {
		return nil, errors.New("the refund has no token (var2)")
	}
	p, ok := s.book.findByID(mihpayID)
	if !ok || p.MihpayID != mihpayID {
		return nil, errors.New("no payment has this id (var1)")
	}
	asked, err := s.giveBack(p.TxnID, token, amount, func(*payment, refund) {})
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"status": 1, "msg": "Refund Request Queued", "request_id": asked.RequestID, "bank_ref_num": nil,
		"mihpayid": mihpayID, "error_code": 102,
	}, nil
}

// giveBack notes a refund; tell may queue what is told of it, in the same change.
func (s *server) giveBack(txnID, token, amount string, tell func(p *payment, r refund)) (refund, error) {
	value, err := paise(amount)
	if err != nil {
		return refund{}, err
	}
	id, err := number(9)
	if err != nil {
		return refund{}, err
	}
	var asked refund
	now := s.now()
	_, err = s.book.change(txnID, func(p *payment) error {
		for _, before := range p.Refunds {
			if before.Token == token {
				asked = before
				return nil
			}
		}
		charged, chargedErr := paise(p.Charged)
		already, sumErr := p.refunded()
		if err := errors.Join(chargedErr, sumErr); err != nil {
			return err
		}
		if p.Status != statusSuccess || already+value > charged {
			return errors.New("Refund FAILURE - Invalid amount") //nolint:staticcheck // the gateway's own wording
		}
		asked = refund{RequestID: "1" + id, Token: token, Amount: rupees(value), At: now}
		p.Refunds = append(p.Refunds, asked)
		tell(p, asked)
		return nil
	})
	return asked, err
}

// refundStatus tells how far refunds are: of one request id, or with var2 "payuid" of all of a payment.
func (s *server) refundStatus(id, kind string) (map[string]any, error) {
	details, now := map[string]any{}, s.now()
	for _, p := range s.book.all() {
		entries := map[string]any{}
		for _, r := range p.Refunds {
			if r.RequestID != id && (kind != "payuid" || p.MihpayID != id) {
				continue
			}
			status := "queued"
			if now.Sub(r.At) > refundTakes {
				status = "success"
			}
			entries[r.RequestID] = map[string]any{
				"mihpayid": p.MihpayID, "request_id": r.RequestID, "token": r.Token, "amt": r.Amount, "mode": p.Method,
				"action": "refund", "status": status, "bank_ref_num": p.BankReference, "bank_arn": nil,
				"settlement_id": nil, "UTR_no": nil, "amount_settled": nil, "value_date": nil,
			}
		}
		if len(entries) > 0 {
			details[id] = entries
		}
	}
	if len(details) == 0 {
		return nil, errors.New("0 out of 1 Transactions Fetched Successfully")
	}
	return map[string]any{
		"status": 1, "msg": "1 out of 1 Transactions Fetched Successfully", "transaction_details": details,
	}, nil
}

// settlement lists what was settled on a day (2006-01-02, India) or under a UTR.
func (s *server) settlement(dateOrUTR string) (map[string]any, error) {
	chosen := func(at time.Time) bool {
		return indiaTime(at).Format(time.DateOnly) == dateOrUTR || utr(at) == dateOrUTR
	}
	rows := []map[string]any{}
	for _, p := range s.book.all() {
		lines, err := settlementLines(p, chosen)
		if err != nil {
			return nil, err
		}
		rows = append(rows, lines...)
	}
	return map[string]any{
		"status": 1, "msg": fmt.Sprintf("%d transactions settled on %s", len(rows), dateOrUTR), "Txn_details": rows,
	}, nil
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // a caller that left needs no answer
}
