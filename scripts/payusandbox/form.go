package main

import (
	"fmt"
	"maps"
	"strings"
)

// returnFields returns the fields that the browser posts back to the merchant, signed with the response hash. Source: PayU,
// sample responses of the hosted checkout; of a card number they contain only the last digits.
func (m merchant) returnFields(p payment) map[string]string {
	bank := bankOf(p)
	fields := map[string]string{
		"mihpayid": p.MihpayID, "key": m.key, "txnid": p.TxnID, "amount": p.Charged,
		"status": reported(p), "unmappedstatus": p.Unmapped, "mode": bank.mode, "PG_TYPE": bank.gateway,
		"productinfo": p.ProductInfo, "firstname": p.FirstName, "lastname": p.LastName, "email": p.Email, "phone": p.Phone,
		"addedon": stamp(p.Added), "bank_ref_num": bank.reference, "bankcode": bank.code, "payment_source": p.source(),
		"net_amount_debit": netDebit(p), "discount": orZero(p.Discount), "error": errorCode(p), "error_Message": errorMessage(p),
		"splitInfo": `{"splitStatus":"splitNotReceived","splitSegments":[]}`, // never signed unless the account splits payments
	}
	for i, name := range addressNames() {
		fields[name] = p.Address[i]
	}
	for i := range 10 {
		fields[fmt.Sprintf("udf%d", i+1)] = p.UDF[i]
		fields[fmt.Sprintf("field%d", i)] = p.Fields[i]
	}
	if bank.card != "" {
		fields["cardnum"], fields["cardCategory"] = bank.card, "domestic"
		fields["cardhash"] = "This field is no longer supported in postback params."
	}
	if p.source() == sourceMandate && bank.card != "" {
		fields["cardToken"] = "7b2a5c8d" + p.MihpayID
	}
	if p.AdditionalCharges != "" {
		fields["additionalCharges"] = p.AdditionalCharges
	}
	fields["hash"] = m.responseHash(reported(p), p.Charged, p.AdditionalCharges, p.order)
	return fields
}

// webhookFields returns what PayU's own server posts for a payment: the return fields, some under different names. Source:
// PayU, Webhook Events and Sample Payloads.
func (m merchant) webhookFields(p payment) map[string]string {
	fields := m.returnFields(p)
	for _, name := range []string{"cardnum", "cardCategory", "cardhash", "splitInfo"} {
		delete(fields, name)
	}
	maps.Copy(fields, map[string]string{
		"bank_ref_no": fields["bank_ref_num"], "card_no": bankOf(p).card, "card_token": "", "cardToken": fields["cardToken"],
		"offer_key": "", "offer_availed": "", "surl": p.SuccessURL, "curl": p.CancelURL, "furl": p.FailureURL,
	})
	if fields["net_amount_debit"] == "0.00" {
		fields["net_amount_debit"] = "0"
	}
	return fields
}

// bank is the payment's method as reported in answers; all empty if none was chosen.
type bank struct{ mode, code, gateway, reference, card string }

func bankOf(p payment) bank {
	switch p.Unmapped {
	case "userCancelled", "bounced", unmappedInitiated:
		return bank{}
	}
	b := bank{mode: p.Method, gateway: p.Method + "-PG", code: p.Method}
	switch p.Method {
	case "CC", "DC":
		b.card = "XXXXXXXXXXXX2346"
	case "NB":
		b.code = "TESTPGNB"
		if p.Terms != nil || p.DebitOf != "" {
			b = bank{mode: "ENACH", gateway: "ENACH-PG", code: "ICICENCC"}
		}
	}
	if p.Status == statusSuccess {
		b.reference = p.BankReference
	}
	return b
}

const sourceMandate = "sist" // standing instruction

// source returns payment_source, by which alone the merchant knows that a mandate was registered.
func (p *payment) source() string {
	if p.Mandate != nil || p.DebitOf != "" {
		return sourceMandate
	}
	return "payu"
}

// reported returns the status in answers: PayU has none before a decision.
func reported(p payment) string {
	if p.Status == statusCreated {
		return statusPending
	}
	return p.Status
}

// netDebit returns what the customer's account was debited, as PHP formats a number: 10, 6.17, and 0.00 for nothing.
func netDebit(p payment) string {
	paid, err := p.pays()
	if p.Status != statusSuccess || err != nil {
		return "0.00"
	}
	return shortest(rupees(paid))
}

// shortest drops the trailing zeros that PHP does not write: 10.00 is 10, 6.10 is 6.1.
func shortest(amount string) string {
	return strings.TrimSuffix(strings.TrimRight(amount, "0"), ".")
}

func orZero(amount string) string {
	if amount == "" {
		return "0.00"
	}
	return amount
}

// errorCode returns PayU's code for how the payment ended. Source: PayU, Error Codes, and the samples of userCancelled (E1605),
// dropped (E1602) and failed (E308).
func errorCode(p payment) string {
	switch p.Unmapped {
	case "userCancelled":
		return "E1605"
	case "dropped":
		return "E1602"
	case "bounced":
		return "E1206"
	case "failed", "autoRefund":
		return "E308"
	default:
		return "E000"
	}
}

func errorMessage(p payment) string {
	switch errorCode(p) {
	case "E1605":
		return "Transaction failed due to customer pressing cancel button."
	case "E1602":
		return "Bank was unable to authenticate."
	case "E1206":
		return "Transaction failed due to no user action."
	case "E308":
		return "Transaction Failed at bank end."
	default:
		return "No Error"
	}
}

func fieldNine(p payment) string {
	switch {
	case p.Unmapped == "userCancelled":
		return "Cancelled by user"
	case p.Unmapped == "dropped":
		return "OTP/ATM page expired due to no user action"
	case p.Status == statusSuccess && p.Method == "UPI":
		return "SUCCESS|Completed Using Callback"
	case p.Status == statusSuccess && p.Method == "NB" && p.Mandate != nil:
		return "Mandate successfully scheduled at bank end: Your payment is scheduled successfully"
	case p.Status == statusSuccess && p.Method == "NB":
		return "Transaction Completed Successfully"
	case p.Status == statusSuccess:
		return "Transaction is Successful"
	case p.Status == statusPending:
		return "Transaction is pending"
	default:
		return errorMessage(p)
	}
}

// returnURL returns where the browser goes after the payment.
func returnURL(p payment) string {
	switch {
	case p.Unmapped == "userCancelled" && p.CancelURL != "":
		return p.CancelURL
	case p.Status == statusFailure:
		return p.FailureURL
	default:
		return p.SuccessURL
	}
}
