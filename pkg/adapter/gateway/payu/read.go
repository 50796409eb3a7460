package payu

import (
	"encoding/json"
	"strings"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/card"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// disputeSignature is the header of PayU's signature on dispute notices, for accounts that requested it.
const disputeSignature = "x-payu-dispute-webhook-signature-v1"

// Read parses what the browser or PayU itself posted. A form with a hash is about a payment: only fields under the hash are
// trusted, and only to identify the transaction. Refund and dispute notices are JSON; PayU does not sign refund
// notices, and signs dispute notices only on request, so they are otherwise hints ("Webhooks", "Webhooks for Chargeback").
func (g *Gateway) Read(p payment.Incoming) (payment.Notice, error) {
	f := p.Form
	if len(f) == 0 {
		var err error
		if f, err = members(p.Body); err != nil {
			return payment.Notice{}, payment.ErrSignature
		}
	}
	switch {
	case f["key"] != "" && f["key"] != g.config.Key:
		return payment.Notice{}, payment.ErrSignature
	case f["hash"] != "":
		return g.readPayment(f)
	case strings.EqualFold(f["action"], "refund"):
		return readRefund(f)
	case strings.EqualFold(f["event"], "dispute"):
		return g.readDispute(f, p.Headers[disputeSignature])
	default:
		return payment.Notice{}, payment.ErrSignature
	}
}

// members returns the values of a flat JSON object as strings; PayU's notices are not nested.
func members(body []byte) (map[string]string, error) {
	var d details
	if err := decode(body, &d); err != nil {
		return nil, err
	}
	return d.strings(), nil
}

func (g *Gateway) readPayment(f map[string]string) (payment.Notice, error) {
	if f["txnid"] == "" {
		return payment.Notice{}, payment.ErrSignature
	}
	for _, name := range signed() {
		// A separator inside a signed value would let one value pose as two.
		if strings.Contains(f[name], "|") {
			return payment.Notice{}, payment.ErrSignature
		}
	}
	if !g.rightHash(f) {
		return payment.Notice{}, payment.ErrSignature
	}
	n := payment.Notice{
		Kind: payment.NoticePayment, Signed: true, TransactionID: f["txnid"], Status: statusOf(f["status"], f["unmappedstatus"]),
		Key: strings.ToLower(f["hash"]), Fields: kept(f),
	}
	// The hash omits PayU's own payment number, and two payments of one transaction can have the same hash.
	if name := strings.TrimSpace(f["mihpayid"]); number(name) {
		n.ExternalID = name
	}
	if amount, err := parseAmount(f["amount"]); err == nil {
		n.Amount = amount
	}
	return n, nil
}

// readRefund reads "Refund Status Callback", which names the payment twice; PayU puts spaces around some of the values.
func readRefund(f map[string]string) (payment.Notice, error) {
	n := payment.Notice{
		Kind: payment.NoticeRefund, TransactionID: strings.TrimSpace(f["merchantTxnId"]), ExternalID: strings.TrimSpace(f["request_id"]),
		GatewayPaymentID: strings.TrimSpace(f["mihpayid"]), Status: payment.StatusPending, Fields: pick(f, refundFields()),
	}
	switch strings.ToLower(f["status"]) {
	case "success":
		n.Status = payment.StatusPaid
	case "failure", "failed":
		n.Status = payment.StatusFailed
	}
	return hint(n, f["amt"])
}

// readDispute reads "Webhooks for Chargeback": txn_id is PayU's own payment number.
func (g *Gateway) readDispute(f map[string]string, signature string) (payment.Notice, error) {
	n := payment.Notice{
		Kind: payment.NoticeDispute, ExternalID: strings.TrimSpace(f["cb_id"]), GatewayPaymentID: strings.TrimSpace(f["txn_id"]),
		Status: payment.StatusPending, Fields: pick(f, disputeFields()),
	}
	switch {
	case signature != "":
		want := digest(g.config.Key, f["txn_id"], f["cb_amount"], f["cb_id"], f["cb_type"],
			strings.ReplaceAll(f["cb_status"], " ", ""), g.config.Salt)
		if n.Signed = sameHash(signature, want); !n.Signed {
			return payment.Notice{}, payment.ErrSignature
		}
		switch strings.ToLower(strings.TrimSpace(f["cb_status"])) {
		case "closed in merchant favour", "closed under fraud liability":
			n.Status = payment.StatusPaid // we keep the money; staff book the disputed amount as a loss
		}
	case g.config.DisputesSigned:
		return payment.Notice{}, payment.ErrSignature
	}
	return hint(n, f["cb_amount"])
}

// hint completes a notice that gives PayU's own numbers for its payment and its refund or dispute, or refuses it.
func hint(n payment.Notice, amount string) (payment.Notice, error) {
	if !number(n.GatewayPaymentID) || !number(n.ExternalID) || len(n.TransactionID) > maxField {
		return payment.Notice{}, payment.ErrSignature
	}
	var err error
	if n.Amount, err = parseAmount(amount); err != nil || n.Amount < 1 || n.Amount > money.Max {
		return payment.Notice{}, payment.ErrSignature
	}
	n.Key = n.ExternalID + "/" + n.Fields["status"] + n.Fields["cb_status"] + "/" + n.Fields["bank_arn"] + "/" + n.Amount.Decimal()
	return n, nil
}

// number reports whether the text has the form of PayU's numbers.
func number(s string) bool { return s != "" && len(s) <= 25 && strings.Trim(s, "0123456789") == "" }

func signed() []string {
	return []string{
		"status", "udf1", "udf2", "udf3", "udf4", "udf5", "email", "firstname", "productinfo", "amount", "txnid",
		"additionalCharges", "additional_charges", "splitInfo",
	}
}

// statusOf maps PayU's states ("Payment State Explanations"). Only captured means money was taken: auth only reserves
// it. A late success that PayU refunds automatically, autoRefund, is a failure. A failure may still become a success. A customer who is
// initiated has only reached PayU's page. In progress has clicked Pay Now, so that money may have left.
func statusOf(status, unmapped string) payment.Status {
	switch strings.ToLower(unmapped) {
	case "captured":
		if strings.EqualFold(status, "success") {
			return payment.StatusPaid
		}
	case "usercancelled", "bounced", "failed", "dropped", "autorefund":
		return payment.StatusFailed
	case "initiated":
		return payment.StatusOpened
	case "auth", "pending", "in progress":
		return payment.StatusPending
	}
	switch strings.ToLower(status) {
	case "success":
		if unmapped == "" {
			return payment.StatusPaid
		}
		return payment.StatusPending
	case "failure", "failed":
		return payment.StatusFailed
	case "not found":
		return payment.StatusUnknown
	default:
		return payment.StatusPending
	}
}

// BankReferences are the fields in which PayU reports the bank's number of a payment, the newer one first.
func BankReferences() []string { return []string{"bank_ref_num", "bank_ref_no"} }

// IsReference reports whether a field holds a PayU or bank reference number: field0 to field8 do, while field9 is text.
func (*Gateway) IsReference(field string) bool {
	switch field {
	case "mihpayid", "txnid", "bank_ref_num", "bank_ref_no", "bank_arn", "request_id", "payuid", "merchantTxnId", "token", "txn_id", "cb_id",
		"authpayuid", "authPayuId", "authPayuid", "mandateNumber":
		return true
	}
	digit, ok := strings.CutPrefix(field, "field")
	return ok && len(digit) == 1 && digit[0] >= '0' && digit[0] <= '8'
}

// maxField is more than any stored PayU field needs, in bytes.
const maxField = 200

// kept returns the stored fields of a payment: no card data, no signature, and no contact data, which we already have.
func kept(f map[string]string) map[string]string {
	return pick(f, []string{
		"txnid", "mihpayid", "status", "unmappedstatus", "mode", "amount", "amt", "transaction_amount", "net_amount_debit", "discount",
		"disc", "additionalCharges", "additional_charges", "addedon", "PG_TYPE", "bankcode", "bank_ref_num", "bank_ref_no",
		"error", "error_code", "error_Message", "field9", "payment_source", "Settled_At",
	})
}

func refundFields() []string {
	return []string{"mihpayid", "request_id", "merchantTxnId", "token", "amt", "status", "bank_ref_num", "bank_arn", "refund_mode", "remark"}
}

func disputeFields() []string {
	return []string{"txn_id", "cb_id", "cb_type", "cb_amount", "cb_status", "reason_code", "created_at", "updated_at", "due_date"}
}

// pick returns the named fields, each cut to maxField. A value containing a card number is omitted.
func pick(f map[string]string, names []string) map[string]string {
	out := make(map[string]string, len(names))
	for _, name := range names {
		value := strings.TrimSpace(f[name])
		if value == "" || name == "field9" && card.In(value) {
			continue
		}
		if len(value) > maxField {
			value = strings.ToValidUTF8(value[:maxField], "")
		}
		out[name] = value
	}
	return out
}

// parseAmount parses rupees with two decimals; PayU pads some amounts with zeros and omits the decimals of others.
func parseAmount(s string) (money.Paise, error) {
	s = strings.ReplaceAll(strings.TrimSpace(s), ",", "")
	if whole, fraction, ok := strings.Cut(s, "."); ok && len(fraction) > 2 && strings.Trim(fraction[2:], "0") == "" {
		s = whole + "." + fraction[:2]
	}
	return money.Parse(s)
}

// decode decodes one JSON value; numbers keep all digits, because PayU's payment numbers have 18.
func decode(body []byte, into any) error {
	d := json.NewDecoder(strings.NewReader(string(body)))
	d.UseNumber()
	return d.Decode(into)
}
