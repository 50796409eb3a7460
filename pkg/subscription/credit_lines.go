package subscription

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/invoice"
)

// CreditsTx returns the credits of an upgrade on that day, given the franchiser's present invoices.
func (s *Service) CreditsTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, day Day) ([]Credit, error) {
	paid, err := s.paidAndKeptTx(ctx, tx, franchiserID, day)
	return CreditsOn(paid, day), err
}

// UnusedOfTx returns the unused part of one paid order today, by invoice line. It is empty if an upgrade credited the order or it was
// refunded. The refund with the id except is ignored.
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

// paidAndKeptTx returns the paid lines that cover days from today on, less refunds.
func (s *Service) paidAndKeptTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, today Day) ([]PaidLine, error) {
	return s.paidLinesTx(ctx, tx, franchiserID, today, "", "")
}

// paidLinesTx is paidAndKeptTx, limited to one order if one is given; the refund with the id except is ignored.
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
			Value: r.value(kept.Taxable), orderID: r.OrderID, kept: kept.Taxable, From: r.From, To: r.To, Title: r.Title, Position: r.Position,
			AddOnID: r.AddOnID, Quantity: r.Quantity,
			Invoice: OriginalInvoice{ID: rest.ID, Number: rest.Number, IssuedAt: rest.IssuedAt},
			RateBps: kept.RateBps, Regime: rest.Regime, Tax: kept.Tax, TakenBack: rest.TakenBack[at], Rest: &rest.Left[at],
		})
	}
	return lines, nil
}
