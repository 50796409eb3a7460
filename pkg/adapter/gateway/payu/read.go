package payu

import (
	"encoding/json"
	"strings"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/card"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// disputeSignature is the header under which PayU signs dispute notices of accounts that asked for it.
const disputeSignature = "x-payu-dispute-webhook-signature-v1"

// Read takes what the browser or PayU itself posted. A form with a hash is about a payment: only fields under the hash are
// believed, and of those only which transaction it is about. Refund and dispute notices are JSON; PayU signs no refund
// notice, and dispute notices on request, so that they are hints otherwise ("Webhooks", "Webhooks for Chargeback").
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

// members are the values of a flat JSON object as texts; nothing in PayU's notices lies deeper.
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
	// The hash leaves out PayU's own number of the payment, and two payments of one transaction can have the same hash.
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

// readDispute reads "Webhooks for Chargeback": txn_id is PayU's own name of the payment.
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
			n.Status = payment.StatusPaid // the payment stays ours; a loss is booked by staff, who see what was taken
		}
	case g.config.DisputesSigned:
		return payment.Notice{}, payment.ErrSignature
	}
	return hint(n, f["cb_amount"])
}

// hint completes a notice that names its payment and its refund or dispute in PayU's own numbers, or refuses it.
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

// number says whether the text is a name as PayU gives them.
func number(s string) bool { return s != "" && len(s) <= 25 && strings.Trim(s, "0123456789") == "" }

func signed() []string {
	return []string{
		"status", "udf1", "udf2", "udf3", "udf4", "udf5", "email", "firstname", "productinfo", "amount", "txnid",
		"additionalCharges", "additional_charges", "splitInfo",
	}
}

// statusOf reads PayU's states ("Payment State Explanations"). Money is taken with captured alone: auth is money that is only
// set aside. A late success that PayU refunds by itself, autoRefund, is a failure. A failure may still become a success.
func statusOf(status, unmapped string) payment.Status {
	switch strings.ToLower(unmapped) {
	case "captured":
		if strings.EqualFold(status, "success") {
			return payment.StatusPaid
		}
	case "usercancelled", "bounced", "failed", "dropped", "autorefund":
		return payment.StatusFailed
	case "auth", "pending", "in progress", "initiated":
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

// IsReference names the fields that hold a number of PayU or of a bank: field0 to field8 among them, while field9 is a text.
func (*Gateway) IsReference(field string) bool {
	switch field {
	case "mihpayid", "txnid", "bank_ref_num", "bank_ref_no", "bank_arn", "request_id", "payuid", "merchantTxnId", "token", "txn_id", "cb_id":
		return true
	}
	digit, ok := strings.CutPrefix(field, "field")
	return ok && len(digit) == 1 && digit[0] >= '0' && digit[0] <= '8'
}

// maxField is more than any of PayU's fields that are kept needs, in bytes.
const maxField = 200

// kept is what is stored of a payment: nothing of a card, no signature, and no contact data, which we have anyway.
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

// pick takes the named fields, each cut to maxField. A message in which somebody wrote a card's number is left out.
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

// parseAmount reads rupees with two decimals; PayU adds zeros to some amounts, and leaves them out of others.
func parseAmount(s string) (money.Paise, error) {
	s = strings.ReplaceAll(strings.TrimSpace(s), ",", "")
	if whole, fraction, ok := strings.Cut(s, "."); ok && len(fraction) > 2 && strings.Trim(fraction[2:], "0") == "" {
		s = whole + "." + fraction[:2]
	}
	return money.Parse(s)
}

// decode reads one JSON value; numbers keep all their digits, because PayU's names of payments have 18.
func decode(body []byte, into any) error {
	d := json.NewDecoder(strings.NewReader(string(body)))
	d.UseNumber()
	return d.Decode(into)
}
