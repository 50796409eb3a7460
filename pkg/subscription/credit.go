package subscription

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// PaidLine is a line of an invoice that was paid for a period. Value, before tax, and Tax are what credit notes and refunds
// under way leave of it; an upgrade gives the unused part of both back.
type PaidLine struct {
	Value    money.Paise
	From, To Day
	// Title is the plan that it was bought with, Invoice whose line it is, and Position which.
	Title    string
	Invoice  OriginalInvoice
	Position int
	// RateBps and Regime are those of the invoice, whatever they are today.
	RateBps int64
	Regime  invoice.Regime
	Tax     invoice.Tax
	// TakenBack is what a bank took back of the line, tax included: it is taken from the unused part first.
	TakenBack money.Paise
	// Rest is the most that the invoice has left to credit of the line.
	Rest *invoice.Line
}

// OriginalInvoice names an invoice that is credited.
type OriginalInvoice struct {
	ID     string
	Number string
	// IssuedAt is when it was issued.
	IssuedAt time.Time
}

// Credit is the unused part of what one invoice was for. It is given back by one credit note.
type Credit struct {
	Invoice OriginalInvoice
	Title   string
	Parts   []invoice.CreditedPart
}

// Taxable is the credit's value before tax.
func (c Credit) Taxable() money.Paise {
	var sum money.Paise
	for _, p := range c.Parts {
		sum += p.Taxable
	}
	return sum
}

// Total is what is credited, tax included.
func (c Credit) Total() money.Paise {
	var sum money.Paise
	for _, p := range c.Parts {
		sum += p.Total()
	}
	return sum
}

// creditTotal is what all of the credits are worth, tax included.
func creditTotal(credits []Credit) money.Paise {
	var sum money.Paise
	for _, c := range credits {
		sum += c.Total()
	}
	return sum
}

// CreditsOn is what an upgrade of that day gives back: the unused part of each line with the tax that was charged on it, one
// credit for each invoice.
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

// CreditsTx is what an upgrade of that day would give back to the franchiser, as its invoices are now.
func (s *Service) CreditsTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, day Day) ([]Credit, error) {
	paid, err := s.paidAndKeptTx(ctx, tx, franchiserID, day)
	return CreditsOn(paid, day), err
}

// UnusedOfTx is what is unused today of one paid order, by the lines of its invoice; nothing where it went into an upgrade or
// was given back. The refund with the id except counts as not made.
func (s *Service) UnusedOfTx(ctx context.Context, tx *sqlx.Tx, franchiserID, orderID, except string, now time.Time) ([]invoice.CreditedPart, error) {
	paid, err := s.paidLinesTx(ctx, tx, franchiserID, DayOf(now), orderID, except)
	if err != nil {
		return nil, err
	}
	for _, c := range CreditsOn(paid, DayOf(now)) {
		return c.Parts, nil
	}
	return nil, nil
}

// paidAndKeptTx are the paid lines that cover days from today on, without what was given back of them.
func (s *Service) paidAndKeptTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, today Day) ([]PaidLine, error) {
	return s.paidLinesTx(ctx, tx, franchiserID, today, "", "")
}

// paidLinesTx is paidAndKeptTx, of one order where one is named; the refund with the id except counts as not made.
func (s *Service) paidLinesTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, today Day, orderID, except string) ([]PaidLine, error) {
	rows, err := s.store.paidLines(ctx, tx, franchiserID, today, orderID)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	var orders []string
	for _, r := range rows {
		if !slices.Contains(orders, r.OrderID) {
			orders = append(orders, r.OrderID)
		}
	}
	paid, err := s.payments.PaidOrdersTx(ctx, tx, franchiserID, orders)
	if err != nil || len(paid) == 0 {
		return nil, err
	}
	payments := slices.Collect(maps.Values(paid))
	given, err := s.payments.GivenBackTx(ctx, tx, franchiserID, payments, except)
	if err != nil {
		return nil, err
	}
	rests, err := invoice.RemaindersTx(ctx, tx, franchiserID, payments, given)
	if err != nil {
		return nil, err
	}
	lines := make([]PaidLine, 0, len(rows))
	for _, r := range rows {
		rest, at := rests[paid[r.OrderID]], r.Position-1
		if at >= len(rest.Kept) {
			continue
		}
		kept := rest.Kept[at]
		lines = append(lines, PaidLine{
			Value: kept.Taxable, From: r.From, To: r.To, Title: r.Title, Position: r.Position,
			Invoice: OriginalInvoice{ID: rest.ID, Number: rest.Number, IssuedAt: rest.IssuedAt},
			RateBps: kept.RateBps, Regime: rest.Regime, Tax: kept.Tax, TakenBack: rest.TakenBack[at], Rest: &rest.Left[at],
		})
	}
	return lines, nil
}
