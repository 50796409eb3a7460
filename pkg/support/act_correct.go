package support

import (
	"context"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/clock"
)

// draftCorrectTx works out the credit note and the invoice of a correction. The tax of both months changes, and who may claim it, so it
// takes two people.
func (a *Acts) draftCorrectTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, c ActContent, now time.Time) (draft, error) {
	correction, err := a.payments.CorrectionTx(ctx, tx, franchiserID, c.InvoiceID, c.Recipient.recipient(), now)
	if err != nil {
		return draft{}, err
	}
	return draft{
		Content: ActContent{InvoiceID: c.InvoiceID, Recipient: actRecipient(correction.Recipient)}, Subject: "invoice:" + c.InvoiceID,
		TwoNeed: true, Customer: true, Facts: correctionFacts(correction),
	}, nil
}

func correctionFacts(c invoice.Correction) actFacts {
	o := c.Original
	facts := actFacts{
		{"Invoice", o.Number + " of " + o.IssuedAt.In(clock.IST).Format("2 January 2006")},
		{"Credit note over", o.Totals.Total.Display() + ": value " + o.Totals.Taxable.Display() + ", " + heads(o.Totals.Tax)},
		{"New invoice over", c.Totals.Total.Display() + ": value " + c.Totals.Taxable.Display() + ", " + heads(c.Totals.Tax)},
	}
	for _, part := range []struct{ name, from, to string }{
		{"Name", o.Recipient.Name, c.Recipient.Name},
		{"Address", strings.Join(o.Recipient.Address, ", "), strings.Join(c.Recipient.Address, ", ")},
		{"Place of supply", o.PlaceOfSupply.Label(), c.Recipient.StateCode.Label()},
		{"GSTIN", orNone(o.Recipient.GSTIN), orNone(c.Recipient.GSTIN)},
	} {
		value := part.to + " (unchanged)"
		if part.from != part.to {
			value = part.to + " instead of " + part.from
		}
		facts = append(facts, ActFact{part.name, value})
	}
	if r := c.Rounding(); r != 0 {
		facts = append(facts, ActFact{"Rounding of the tax", r.Display()})
	}
	facts = append(facts, ActFact{"Money", "None moves: the payment settles the new invoice."})
	if o.Recipient.GSTIN != "" {
		facts = append(facts, ActFact{"Input tax", "The holder of " + o.Recipient.GSTIN + " has to reverse the claimed credit; record it under credit notes."})
	}
	return facts
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

// heads names the heads of a tax that are not zero.
func heads(t invoice.Tax) string {
	var parts []string
	for _, h := range []struct {
		name   string
		amount string
		none   bool
	}{
		{"CGST", t.CGST.Display(), t.CGST == 0},
		{"SGST", t.SGST.Display(), t.SGST == 0},
		{"UTGST", t.UTGST.Display(), t.UTGST == 0},
		{"IGST", t.IGST.Display(), t.IGST == 0},
	} {
		if !h.none {
			parts = append(parts, h.name+" "+h.amount)
		}
	}
	if len(parts) == 0 {
		return "no GST"
	}
	return strings.Join(parts, ", ")
}
