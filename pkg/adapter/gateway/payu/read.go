package payu

import (
	"strings"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// Read takes what the browser or PayU itself posted. Only fields under the hash are believed, and of those only which
// transaction it is about; the rest is stored and verified.
func (g *Gateway) Read(p payment.Posted) (payment.Notice, error) {
	f := p.Form
	if f["hash"] == "" || f["txnid"] == "" || f["key"] != "" && f["key"] != g.config.Key {
		return payment.Notice{}, payment.ErrSignature
	}
	for _, name := range signed() {
		// A separator inside a signed value would let one value pose as two.
		if strings.Contains(f[name], "|") {
			return payment.Notice{}, payment.ErrSignature
		}
	}
	if !sameHash(f["hash"], g.responseHash(f)) {
		return payment.Notice{}, payment.ErrSignature
	}
	n := payment.Notice{
		Kind: kindOf(f), TransactionID: f["txnid"], Status: statusOf(f["status"], f["unmappedstatus"]), Fields: kept(f),
	}
	if n.Kind != payment.NoticePayment {
		n.ExternalID = f["request_id"]
	}
	if amount, err := parseAmount(f["amount"]); err == nil {
		n.Amount = amount
	}
	return n, nil
}

func signed() []string {
	return []string{
		"status", "udf1", "udf2", "udf3", "udf4", "udf5", "email", "firstname", "productinfo", "amount", "txnid",
		"additionalCharges",
	}
}

func kindOf(f map[string]string) payment.NoticeKind {
	switch strings.ToLower(f["action"]) {
	case "refund":
		return payment.NoticeRefund
	case "chargeback", "dispute":
		return payment.NoticeDispute
	default:
		return payment.NoticePayment
	}
}

// statusOf reads PayU's states: captured and auth are success; userCancelled, bounced and failed are failure; about
// dropped and pending one keeps asking.
func statusOf(status, unmapped string) payment.Status {
	switch strings.ToLower(unmapped) {
	case "captured", "auth":
		if strings.EqualFold(status, "success") {
			return payment.StatusPaid
		}
	case "usercancelled", "bounced", "failed":
		return payment.StatusFailed
	case "dropped", "pending", "in progress", "initiated":
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

// kept is what may be stored: nothing of a card, no signature, no contact data that we have anyway.
func kept(f map[string]string) map[string]string {
	out := make(map[string]string, len(f))
	for name, value := range f {
		if !secretField(name) && value != "" {
			out[name] = value
		}
	}
	return out
}

func secretField(name string) bool {
	name = strings.ToLower(name)
	switch name {
	case "hash", "email", "phone", "firstname", "lastname", "address1", "address2", "name_on_card", "ccnum", "ccname", "vpa":
		return true
	}
	return strings.Contains(name, "card") || strings.Contains(name, "cvv") || strings.Contains(name, "ccexp")
}

// parseAmount reads rupees with two decimals; PayU adds zeros to some amounts.
func parseAmount(s string) (money.Paise, error) {
	s = strings.ReplaceAll(strings.TrimSpace(s), ",", "")
	if whole, fraction, ok := strings.Cut(s, "."); ok && len(fraction) > 2 && strings.Trim(fraction[2:], "0") == "" {
		s = whole + "." + fraction[:2]
	}
	return money.Parse(s)
}
