package einvoice

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/franchise360/franchise360/pkg/invoice"
)

// errAnswer reports an answer of the portal's that is not about the document that was sent.
var errAnswer = errors.New("einvoice: the portal's answer is about another document")

// check refuses a registration that is not the document's: a wrong IRN, or a signed invoice with another recipient or amount. The same
// number may have been registered by hand, or by another system.
func check(i invoice.Invoice, r Registration) error {
	if !strings.EqualFold(r.IRN, IRNOf(i)) {
		return fmt.Errorf("%w: IRN", errAnswer)
	}
	if r.AckNo == "" || r.SignedQR == "" || r.AckAt.IsZero() {
		return fmt.Errorf("%w: acknowledgement or QR code is missing", errAnswer)
	}
	var signed struct {
		Doc    Doc `json:"DocDtls"`
		Values struct {
			Total json.Number `json:"TotInvVal"`
		} `json:"ValDtls"`
		BuyerDtls struct{ Gstin string }
	}
	if err := readToken(r.SignedInvoice, &signed); err != nil {
		return err
	}
	switch {
	case !strings.EqualFold(signed.Doc.Number, i.Number):
		return fmt.Errorf("%w: number", errAnswer)
	case !strings.EqualFold(signed.BuyerDtls.Gstin, i.Recipient.GSTIN):
		return fmt.Errorf("%w: recipient", errAnswer)
	case !sameAmount(signed.Values.Total.String(), string(decimal(int64(i.Totals.Total)))):
		return fmt.Errorf("%w: amount", errAnswer)
	}
	return nil
}

// readToken reads the invoice inside a JSON Web Token, whose "data" is a text of JSON. The signature is not verified: the answer came from
// the portal itself, over its session.
func readToken(token string, into any) error {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return fmt.Errorf("%w: not a token", errAnswer)
	}
	body, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(parts[1], "="))
	if err != nil {
		return fmt.Errorf("%w: %w", errAnswer, err)
	}
	var envelope struct {
		Data string `json:"data"`
	}
	if err := json.Unmarshal(body, &envelope); err != nil {
		return fmt.Errorf("%w: %w", errAnswer, err)
	}
	decoder := json.NewDecoder(bytes.NewReader([]byte(envelope.Data)))
	decoder.UseNumber()
	if err := decoder.Decode(into); err != nil {
		return fmt.Errorf("%w: %w", errAnswer, err)
	}
	return nil
}

// sameAmount compares decimal texts such as 118000 and 118000.00.
func sameAmount(a, b string) bool { return trimmed(a) == trimmed(b) }

func trimmed(text string) string {
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}
