package main

import (
	"fmt"
	"time"
)

// answerFields are what the browser posts back to the merchant and what the webhook carries: PayU's response
// parameters, signed with the response hash. No card number is among them, because none was ever taken.
func (m merchant) answerFields(p payment) map[string]string {
	fields := map[string]string{
		"mihpayid": p.MihpayID, "key": m.key, "txnid": p.TxnID, "amount": p.Charged,
		"status": p.Status, "unmappedstatus": p.Unmapped, "mode": p.Method, "PG_TYPE": p.Method + "-PG",
		"productinfo": p.ProductInfo, "firstname": p.FirstName, "lastname": "", "email": p.Email, "phone": p.Phone,
		"address1": "", "address2": "", "city": "", "state": "", "country": "", "zipcode": "",
		"addedon": stamp(p.Added), "bank_ref_num": p.BankReference, "bankcode": p.Method, "payment_source": "payu",
		"net_amount_debit": p.Charged, "discount": "0.00", "error": errorCode(p), "error_Message": errorMessage(p),
		"field9": errorMessage(p),
	}
	for i, value := range p.UDF {
		fields[fmt.Sprintf("udf%d", i+1)] = value
	}
	if p.AdditionalCharges != "" {
		fields["additionalCharges"] = p.AdditionalCharges
	}
	fields["hash"] = m.responseHash(p.Status, p.Charged, p.AdditionalCharges, p.order)
	return fields
}

// refundFields are what the webhook of a refund carries: the payment's fields with the refund's own amount and names.
func (m merchant) refundFields(p payment, r refund) map[string]string {
	p.Charged, p.AdditionalCharges = r.Amount, ""
	fields := m.answerFields(p)
	fields["action"], fields["request_id"], fields["token"] = "refund", r.RequestID, r.Token
	return fields
}

// returnURL is where the browser goes after the payment.
func returnURL(p payment) string {
	if p.Status == statusFailure {
		return p.FailureURL
	}
	return p.SuccessURL
}

// verifyDetails is one entry of verify_payment's transaction_details.
func verifyDetails(p payment) map[string]any {
	status := p.Status
	if status == statusCreated {
		status = statusPending // the wire format knows no state before a decision
	}
	charges := p.AdditionalCharges
	if charges == "" {
		charges = "0.00"
	}
	details := map[string]any{
		"mihpayid": p.MihpayID, "request_id": "", "bank_ref_num": p.BankReference, "amt": p.Charged,
		"transaction_amount": p.Charged, "txnid": p.TxnID, "additional_charges": charges,
		"productinfo": p.ProductInfo, "firstname": p.FirstName, "bankcode": p.Method, "mode": p.Method,
		"PG_TYPE": p.Method + "-PG", "payment_source": "payu", "card_type": nil, "card_no": "",
		"status": status, "unmappedstatus": p.Unmapped, "net_amount_debit": p.Charged, "disc": "0.00",
		"error_code": errorCode(p), "error_Message": errorMessage(p), "field9": errorMessage(p),
		"addedon": stamp(p.Added), "Merchant_UTR": nil, "Settled_At": "0000-00-00 00:00:00",
	}
	for i, value := range p.UDF {
		details[fmt.Sprintf("udf%d", i+1)] = value
	}
	if p.Status == statusSuccess {
		details["Merchant_UTR"], details["Settled_At"] = utr(p.Decided), stamp(p.Decided)
	}
	return details
}

func errorCode(p payment) string {
	if p.Status == statusFailure {
		return "E308"
	}
	return "E000"
}

func errorMessage(p payment) string {
	switch p.Status {
	case statusFailure:
		return "Transaction declined by the bank"
	case statusSuccess:
		return "NO ERROR"
	default:
		return "Transaction is pending with the bank"
	}
}

// indiaTime is the zone of every date in the wire format.
func indiaTime(t time.Time) time.Time { return t.In(time.FixedZone("IST", 5*3600+1800)) }

func stamp(t time.Time) string { return indiaTime(t).Format(time.DateTime) }

// utr is the bank's reference of a day's settlement: the sandbox settles what it captured on the same day.
func utr(t time.Time) string { return "SBX" + indiaTime(t).Format("20060102") + "UTR" }

const (
	feeBasisPoints    = 200  // of the amount
	feeTaxBasisPoints = 1800 // GST on the fee
)

// settlementLines are a payment's rows in the settlement of a day: its capture and each refund of that day.
func settlementLines(p payment, chosen func(at time.Time) bool) ([]map[string]any, error) {
	lines := []map[string]any{}
	if p.Status != statusSuccess {
		return lines, nil
	}
	charged, err := paise(p.Charged)
	if err != nil {
		return nil, err
	}
	if chosen(p.Decided) {
		fee := portion(charged, feeBasisPoints)
		tax := portion(fee, feeTaxBasisPoints)
		lines = append(lines, settlementLine(p, "capture", p.MihpayID, p.Charged, p.Decided, fee, tax, charged-fee-tax))
	}
	for _, r := range p.Refunds {
		if !chosen(r.At) {
			continue
		}
		value, err := paise(r.Amount)
		if err != nil {
			return nil, err
		}
		lines = append(lines, settlementLine(p, "refund", r.RequestID, r.Amount, r.At, 0, 0, -value))
	}
	return lines, nil
}

// portion is a share in basis points, rounded half up to the paisa.
func portion(value, basisPoints int64) int64 { return (value*basisPoints + 5000) / 10000 }

func settlementLine(p payment, action, id, amount string, at time.Time, fee, tax, net int64) map[string]any {
	return map[string]any{
		"payuid": p.MihpayID, "txnid": p.TxnID, "txndate": stamp(p.Decided), "mode": p.Method, "amount": p.Charged,
		"requestid": id, "requestdate": stamp(at), "requestaction": action, "requestamount": amount,
		"mer_utr": utr(at), "mer_service_fee": rupees(fee), "mer_service_tax": rupees(tax),
		"mer_net_amount": rupees(net), "cgst": "0.00", "sgst": "0.00", "igst": rupees(tax),
		"bank_name": p.Method, "issuing_bank": "UNKNOWN", "merchant_subvention_amount": "0.00", "PG_TYPE": p.Method + "-PG",
	}
}
