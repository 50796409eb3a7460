package subscription

import (
	"fmt"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// PaidLine is an invoice line paid for a period. Value, before tax, and Tax are net of credit notes and pending refunds; an upgrade
// credits the unused part of both.
type PaidLine struct {
	Value    money.Paise
	From, To Day
	// Title is what the line's order bought: a plan, or add-ons alone. Position is the line's place on Invoice.
	Title    string
	Invoice  OriginalInvoice
	Position int
	// AddOnID is the add-on that the line paid for, empty for a plan; Quantity is the number of its units.
	AddOnID  string
	Quantity int
	// RateBps and Regime are the invoice's, not today's.
	RateBps int64
	Regime  invoice.Regime
	Tax     invoice.Tax
	// TakenBack is the line's amount charged back by a bank, tax included. It is deducted from the unused part first.
	TakenBack money.Paise
	// Rest is the most that can still be credited on this invoice line.
	Rest *invoice.Line

	orderID string
	kept    money.Paise // of the whole line
}

func (l PaidLine) unused(day Day) invoice.CreditedPart {
	days := l.To - max(day, l.From)
	if days <= 0 {
		return invoice.CreditedPart{}
	}
	value := l.Value.Prorate(int64(days), int64(l.To-l.From))
	part := invoice.CreditedPart{Position: l.Position, Taxable: value}
	if day > l.From {
		part.Detail = fmt.Sprintf("%s to %s, %d of %d days", day.Human(), (l.To - 1).Human(), days, l.To-l.From)
	}
	if l.RateBps > 0 {
		part.Tax = l.Regime.Tax(value, l.RateBps)
	}
	part = part.Capped(invoice.Line{Taxable: l.Value, Tax: l.Tax})
	if l.TakenBack > 0 {
		part = part.Scaled(part.Total() - l.TakenBack)
	}
	if l.Rest != nil {
		part = part.Capped(*l.Rest)
	}
	return part
}

// CreditsOn returns the credits of an upgrade on that day: the unused part of each line with its tax, one credit per invoice.
func CreditsOn(lines []PaidLine, day Day) []Credit {
	var credits []Credit
	at := map[string]int{}
	for _, l := range lines {
		part := l.unused(day)
		if part.Total() < 1 {
			continue
		}
		n, seen := at[l.Invoice.ID]
		if !seen {
			n = len(credits)
			at[l.Invoice.ID] = n
			credits = append(credits, Credit{Invoice: l.Invoice, Title: l.Title})
		}
		credits[n].Parts = append(credits[n].Parts, part)
	}
	return credits
}
