package payu

import (
	"encoding/json"
	"strings"

	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/payment"
)

// ReadMandate parses PayU's notices about mandates ("Set up WebHook to Receive Cancellation or Modification Update from the Issuer
// Bank"). Those of UPI and of cards are hashed, each in its own way; those of eNACH are not, and remain hints. The document says that
// UPI's arrive as a form and shows JSON, so that both are read.
func (g *Gateway) ReadMandate(p payment.Incoming) (mandate.Hint, error) {
	f, err := mandateFields(p)
	id := f["authpayuid"]
	if err != nil || f["key"] != "" && f["key"] != g.config.Key || !number(id) {
		return mandate.Hint{}, payment.ErrSignature
	}
	h := mandate.Hint{MandateID: id, Signed: true, Key: strings.ToLower(f["hash"])}
	var signed []string
	switch {
	case strings.HasPrefix(f["action"], "MANDATE_") && f["notificationtype"] == "":
		signed = []string{f["status"], f["action"], id, f["datetime"], f["amount"], f["enddate"]}
	case strings.HasPrefix(f["notificationtype"], "MANDATE_") && f["hash"] != "":
		signed = []string{
			f["status"], id, f["notificationtype"], f["billingamount"], f["paymentstartdate"], f["paymentenddate"], f["message"],
			f["eventdate"], g.config.Key, f["udf1"], f["udf2"], f["udf3"], f["udf4"], f["udf5"],
		}
	case f["notificationtype"] == "MANDATE_CANCELLATION" && strings.HasPrefix(f["status"], "CANCEL_"):
		return mandate.Hint{MandateID: id, Key: "enach/" + id + "/" + f["status"]}, nil
	default:
		return mandate.Hint{}, payment.ErrSignature
	}
	for _, value := range signed {
		// A separator inside a signed value would let one value pose as two.
		if strings.Contains(value, "|") {
			return mandate.Hint{}, payment.ErrSignature
		}
	}
	if !sameHash(f["hash"], digest(append(signed, g.config.Salt)...)) {
		return mandate.Hint{}, payment.ErrSignature
	}
	return h, nil
}

// mandateFields returns the values by lower-case name; it merges the values of si_details, which only a card's webhook has.
func mandateFields(p payment.Incoming) (map[string]string, error) {
	out := map[string]string{}
	if len(p.Form) > 0 {
		for name, value := range p.Form {
			out[strings.ToLower(name)] = value
		}
		return out, nil
	}
	var posted map[string]any
	if err := decode(p.Body, &posted); err != nil {
		return nil, err
	}
	put := func(name string, value any) {
		switch v := value.(type) {
		case string:
			out[strings.ToLower(name)] = v
		case json.Number:
			out[strings.ToLower(name)] = v.String()
		}
	}
	for name, value := range posted {
		put(name, value)
	}
	if nested, ok := posted["si_details"].(map[string]any); ok {
		for _, name := range []string{"billingAmount", "paymentStartDate", "paymentEndDate"} {
			put(name, nested[name])
		}
	}
	return out, nil
}
