package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/franchise360/franchise360/scripts/sandbox"
)

const maxForm = 1 << 20

// handlePostservice is the merchant API: a single endpoint, with the command in the form, signed with the command hash. PayU
// answers 200 to everything; `status` 0 means that the call failed. With form=2 the answer is JSON, without it PHP's.
func (s *server) handlePostservice(w http.ResponseWriter, r *http.Request) {
	form, err := readForm(w, r)
	if err != nil {
		writeAnswer(w, "2", refusal("the form cannot be read"))
		return
	}
	command, var1 := form.Get("command"), form.Get("var1")
	format := r.URL.Query().Get("form")
	if format == "" {
		format = form.Get("form")
	}
	switch {
	case form.Get("key") != s.merchant.key:
		writeAnswer(w, format, refusal("Invalid key."))
		return
	case !sameHash(form.Get("hash"), s.merchant.commandHash(command, var1)):
		writeAnswer(w, format, refusal("Invalid Hash."))
		return
	}
	s.hold.Before(s.closing, command, var1)
	s.progress(s.now())
	answer, err := s.answer(command, form)
	if err != nil {
		answer = refusal(err.Error())
	}
	s.hold.After(s.closing, command, var1)
	// The command has already taken effect: a misbehaving gateway loses the answer, not the action.
	s.mode.Write(w, r, s.mode.Next(), s.closing, sandbox.Answer{
		Body: answer, Write: func(w http.ResponseWriter) { writeAnswer(w, format, answer) },
	})
}

// readForm accepts urlencoded bodies and the multipart ones of PayU's own libraries.
func readForm(w http.ResponseWriter, r *http.Request) (url.Values, error) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	//nolint:gosec // the line above bounds the body
	if err := r.ParseMultipartForm(maxForm); err != nil && !errors.Is(err, http.ErrNotMultipart) {
		return nil, err
	}
	return r.PostForm, nil
}

func (s *server) answer(command string, form url.Values) (map[string]any, error) {
	var1, var2, var3 := form.Get("var1"), form.Get("var2"), form.Get("var3")
	switch command {
	case "verify_payment":
		return s.verifyPayment(var1), nil
	case "check_payment":
		return s.checkPayment(var1), nil
	case "cancel_refund_transaction":
		return s.refund(var1, var2, var3, form.Get("var5")), nil
	case "capture_transaction":
		return s.captureAuthorised(var1, var2, var3), nil
	case "check_action_status", "check_action_status_txnid":
		return s.actionStatus(var1, var2)
	case "getAllRefundsFromTxnIds":
		return s.allRefunds(var1), nil
	case "get_settlement_details":
		return s.settlement(var1, var2, var3)
	case "get_Transaction_Details":
		return s.transactions(var1, var2, var3), nil
	default:
		if answer, ok := s.mandateCommand(command, var1); ok {
			return answer, nil
		}
		return nil, fmt.Errorf("Invalid command %q", command) //nolint:staticcheck // the gateway's own wording
	}
}

func refusal(message string) map[string]any { return map[string]any{"status": 0, "msg": message} }

// verifyPayment answers for each txnid in a list joined by |.
func (s *server) verifyPayment(txnIDs string) map[string]any {
	asked := strings.Split(txnIDs, "|")
	details, found, now := map[string]any{}, 0, s.now()
	for _, txnID := range asked {
		p, ok := s.book.find(txnID)
		if !ok {
			details[txnID] = map[string]any{"mihpayid": "Not Found", "status": "Not Found"}
			continue
		}
		found++
		details[txnID] = verifyDetails(p, now)
	}
	return map[string]any{
		"status": min(found, 1), "transaction_details": details,
		"msg": fmt.Sprintf("%d out of %d Transactions Fetched Successfully", found, len(asked)),
	}
}

// verifyDetails is one entry of verify_payment's transaction_details. Source: the samples of PayU's page.
func verifyDetails(p payment, now time.Time) map[string]any {
	bank := bankOf(p)
	utrNumber, settledAt := settledAs(p, now)
	details := map[string]any{
		"mihpayid": p.MihpayID, "request_id": "", "bank_ref_num": bank.reference, "amt": paidAmount(p),
		"transaction_amount": p.Charged, "txnid": p.TxnID, "additional_charges": orZero(p.AdditionalCharges),
		"productinfo": p.ProductInfo, "firstname": p.FirstName, "bankcode": bank.code, "mode": bank.mode,
		"PG_TYPE": bank.gateway, "payment_source": p.source(), "card_type": cardType(p), "card_no": bank.card, "name_on_card": nil,
		"status": reported(p), "unmappedstatus": p.Unmapped, "net_amount_debit": netDebitJSON(p), "disc": orZero(p.Discount),
		"error_code": errorCode(p), "error_Message": strings.Replace(errorMessage(p), "No Error", "NO ERROR", 1),
		"field2": p.Fields[2], "field5": p.Fields[5], "field7": p.Fields[7], "field9": p.Fields[9],
		"addedon": stamp(p.Added), "Merchant_UTR": utrNumber, "Settled_At": settledAt,
	}
	for i, value := range p.UDF[:5] {
		details[fmt.Sprintf("udf%d", i+1)] = value
	}
	if p.Discount != "" {
		details["offerApplied"], details["offerAvailed"] = "SandboxOffer@1", "SandboxOffer@1"
		details["offerType"], details["offerLevel"] = "instant", "TRANSACTION_LEVEL"
	}
	return details
}

// paidAmount returns `amt`: more than the transaction's amount with charges, less with an offer.
func paidAmount(p payment) string {
	paid, err := p.pays()
	if err != nil {
		return p.Charged
	}
	return rupees(paid)
}

// netDebitJSON returns a number if money was taken, and the string 0.00 otherwise, as in the published samples.
func netDebitJSON(p payment) any {
	if p.Status != statusSuccess {
		return "0.00"
	}
	return json.Number(netDebit(p))
}

func cardType(p payment) any {
	if bankOf(p).card == "" {
		return nil
	}
	return "MAST"
}

// settledAs returns Merchant_UTR and Settled_At: a zero date until settlement, nothing for failed payments.
func settledAs(p payment, now time.Time) (utrNumber, settledAt any) {
	switch {
	case p.Status == statusFailure:
		return nil, nil
	case p.SettleAt.IsZero() || p.SettleAt.After(now):
		return nil, "0000-00-00 00:00:00"
	default:
		return utr(p.SettleAt), stamp(p.SettleAt)
	}
}

// checkPayment answers for one mihpayid; for an unknown one, status is 1. Source: PayU, Check Payment API.
func (s *server) checkPayment(mihpayID string) map[string]any {
	answer := map[string]any{"status": 1, "msg": "Transaction Fetched Successfully"}
	p, ok := s.book.findByID(mihpayID)
	if !ok {
		answer["transaction_details"] = map[string]any{"mihpayid": "Not Found", "status": "Not Found"}
		return answer
	}
	bank := bankOf(p)
	utrNumber, settledAt := settledAs(p, s.now())
	if settledAt == "0000-00-00 00:00:00" {
		settledAt = nil
	}
	details := map[string]any{
		"request_id": json.Number(p.CaptureRequestID), "bank_ref_num": bank.reference, "net_amount": nil,
		"mihpayid": json.Number(p.MihpayID), "amt": paidAmount(p), "disc": orZero(p.Discount), "mode": bank.mode,
		"txnid": p.TxnID, "amount": p.Charged, "amount_paid": paidAmount(p), "discount": orZero(p.Discount),
		"additional_charges": orZero(p.AdditionalCharges), "addedon": stamp(p.Added), "status": reported(p),
		"net_amount_debit": netDebitJSON(p), "unmappedstatus": p.Unmapped, "firstname": p.FirstName, "bankcode": bank.code,
		"productinfo": p.ProductInfo, "payment_source": p.source(), "name_on_card": nil, "card_no": bank.card, "PG_TYPE": "AxisCYBER",
		"Merchant_UTR": utrNumber, "Settled_At": settledAt,
	}
	for i := range 5 {
		details[fmt.Sprintf("udf%d", i+1)] = p.UDF[i]
	}
	for i := range 9 {
		details[fmt.Sprintf("field%d", i+1)] = orNull(p.Fields[i+1])
	}
	answer["transaction_details"] = details
	return answer
}

func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// transactions answers get_Transaction_Details: transactions on the days from var1 to var2, in pages of a thousand.
func (s *server) transactions(from, to, page string) map[string]any {
	for _, day := range []string{from, to} {
		if !isDay(day) {
			return refusal("Please check date format it should be YYYY-MM-DD")
		}
	}
	list := []map[string]any{}
	for _, p := range slices.Backward(s.book.all()) {
		if day := indiaTime(p.Added).Format(time.DateOnly); day >= from && day <= to {
			list = append(list, s.transactionRow(p))
		}
	}
	const size = 1000
	start := (positive(page, 1) - 1) * size
	return map[string]any{
		"status": 1, "msg": "Transaction Fetched Successfully",
		"Transaction_details": list[min(start, len(list)):min(start+size, len(list))],
	}
}

func (s *server) transactionRow(p payment) map[string]any {
	bank := bankOf(p)
	return map[string]any{
		"id": p.MihpayID, "status": p.Unmapped, "key": s.merchant.key, "merchantname": "sandbox", "txnid": p.TxnID,
		"firstname": p.FirstName, "lastname": p.LastName, "addedon": stamp(p.Added), "bank_name": bank.code,
		"payment_gateway": "AxisCYBER", "phone": p.Phone, "email": p.Email, "transaction_fee": p.Charged, "amount": paidAmount(p),
		"discount": orZero(p.Discount), "additional_charges": orZero(p.AdditionalCharges), "productinfo": p.ProductInfo,
		"error_code": errorCode(p), "bank_ref_no": bank.reference, "ibibo_code": bank.code, "mode": bank.mode, "ip": "127.0.0.1",
		"card_no": bank.card, "cardtype": "domestic", "offer_key": "", "field2": p.Fields[2], "udf1": p.UDF[0], "pg_mid": nil,
		"offer_type": nil, "failure_reason": nil, "mer_service_fee": "0.00", "mer_service_tax": "0.00",
	}
}
