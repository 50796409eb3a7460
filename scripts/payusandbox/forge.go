package main

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/franchise360/franchise360/scripts/sandbox"
)

// handleForge posts a forged notification, as anybody who knows the webhook's address can: a payment with a wrong hash, a
// refund nobody made, or a dispute with a wrong or missing signature. It is posted once, and the answer reports the merchant's
// response.
func (s *server) handleForge(w http.ResponseWriter, r *http.Request) {
	asked := struct {
		Kind      string `json:"kind"` // payment, refund or dispute
		Amount    string `json:"amount"`
		Status    string `json:"status"`
		Token     string `json:"token"`      // of a refund
		RequestID string `json:"request_id"` // of a refund
		CBID      int    `json:"cb_id"`      // of a dispute
		Signature string `json:"signature"`  // of a dispute; no header when empty
	}{Kind: actionRefund, Token: "FORGED", RequestID: "999999999", CBID: 9999999}
	if err := sandbox.ReadJSON(w, r, &asked); err != nil {
		sandbox.WriteError(w, http.StatusBadRequest, err)
		return
	}
	p, ok := s.book.find(r.PathValue("txnid"))
	if !ok {
		sandbox.WriteError(w, http.StatusNotFound, errUnknown)
		return
	}
	if asked.Amount == "" {
		asked.Amount = p.Charged
	}
	var d delivery
	switch asked.Kind {
	case "payment":
		p.Status, p.Unmapped, p.Charged = statusSuccess, unmappedCaptured, asked.Amount
		forger := *s
		forger.merchant.salt = strings.Repeat("0", 32)
		d = forger.paymentNotice(p)
	case actionRefund:
		made := refund{
			RequestID: asked.RequestID, Token: asked.Token, Amount: asked.Amount, Action: actionRefund, Status: refundSuccess,
			BankReference: "100142082006",
		}
		if asked.Status != "" {
			made.Status = asked.Status
		}
		d = jsonNotice(actionRefund, s.merchant.refundNotice(p, made))
	case "dispute":
		made := dispute{
			ID: asked.CBID, Amount: asked.Amount, Status: disputeCustomer, Type: "Chargeback", Reason: "Fraud - No Authorization",
			Created: s.now(), Updated: s.now(), DueDate: indiaTime(s.now()).Format(time.DateOnly),
		}
		if asked.Status != "" {
			made.Status = asked.Status
		}
		d = jsonNotice("dispute", newDisputeNotice(p, made))
		d.Signature = asked.Signature
	default:
		sandbox.WriteError(w, http.StatusBadRequest, fmt.Errorf("kind is one of: payment refund dispute, not %s", strconv.Quote(asked.Kind)))
		return
	}
	result, _ := s.post(r.Context(), d)
	sandbox.WriteJSON(w, http.StatusOK, map[string]string{"result": result, "body": d.Body})
}
