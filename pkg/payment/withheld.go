package payment

import (
	"context"
	"fmt"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/money"
)

// Withheld returns the part of a payment that the customer deducted as tax; transfer.Deductions implements it. Amounts are in paise.
type Withheld interface {
	// DeductedTx returns the deducted tax of payments, by payment, whatever refunds have taken back of it since.
	DeductedTx(ctx context.Context, tx *sqlx.Tx, paymentIDs []string) (map[string]money.Paise, error)
	// ReverseTx reverses amount of the deducted tax, and returns the parts of both taxes.
	ReverseTx(ctx context.Context, tx *sqlx.Tx, paymentID string, amount money.Paise) (tds, gstTDS money.Paise, err error)
}

const (
	withheldSQL   = `UPDATE refunds SET withheld_paise = $2 WHERE id = $1`
	withheldOfSQL = `SELECT coalesce(sum(withheld_paise), 0)::bigint FROM refunds WHERE payment_id = $1`
)

// deduction is tax that the customer deducted from a payment.
type deduction struct {
	paymentID string
	tax       money.Paise
}

// sumOf returns the sum of the deductions.
func sumOf(list []deduction) money.Paise {
	var sum money.Paise
	for _, d := range list {
		sum += d.tax
	}
	return sum
}

// reverseWithheldTx reverses the share of the deducted tax in a refund by bank: only money received is returned as money. It returns the
// parts of both taxes.
func (s *Service) reverseWithheldTx(ctx context.Context, tx *sqlx.Tx, p Payment, r Refund) (tds, gstTDS money.Paise, err error) {
	if r.GatewayPaymentID != p.GatewayPaymentID {
		return 0, 0, nil
	}
	shares, err := s.withheldSharesTx(ctx, tx, p, r.Amount, r.Amount)
	if err != nil {
		return 0, 0, err
	}
	for _, share := range shares {
		income, gst, err := s.withheld.ReverseTx(ctx, tx, share.paymentID, share.tax)
		if err != nil {
			return 0, 0, err
		}
		tds, gstTDS = tds+income, gstTDS+gst
	}
	if tds+gstTDS == 0 {
		return 0, 0, nil
	}
	if _, err := tx.ExecContext(ctx, withheldSQL, r.ID, tds+gstTDS); err != nil {
		return 0, 0, fmt.Errorf("note what was withheld of a refund: %w", err)
	}
	return tds, gstTDS, nil
}

// withheldSharesTx returns the deducted tax in a refund by bank, by payment. The refund returns the payment's own capture first, then what
// earlier payments brought in by set-off. The last refund takes the rest of the tax, so that the shares add up. booked is the part of
// amount that is stored as a refund already.
func (s *Service) withheldSharesTx(ctx context.Context, tx *sqlx.Tx, p Payment, amount, booked money.Paise) ([]deduction, error) {
	rest, err := s.store.refundable(ctx, tx, p)
	if err != nil {
		return nil, err
	}
	var taken money.Paise
	if err := tx.GetContext(ctx, &taken, withheldOfSQL, p.ID); err != nil {
		return nil, fmt.Errorf("read what was withheld of refunds: %w", err)
	}
	ownTax, err := s.deductedOfTx(ctx, tx, p)
	if err != nil {
		return nil, err
	}
	back, err := s.store.back(ctx, tx, p)
	if err != nil {
		return nil, err
	}
	ownLeft := max(0, p.Captured-(rest.Taken-booked))
	own := min(amount, ownLeft)
	var shares []deduction
	if share := WithheldShare(ownTax-min(ownTax, taken), own, p.Captured-(back-booked)); share > 0 {
		shares = append(shares, deduction{paymentID: p.ID, tax: share})
	}
	if amount == own || rest.Applied == 0 {
		return shares, nil
	}
	behind, err := s.deductedBehindTx(ctx, tx, p, rest.Applied)
	if err != nil {
		return nil, err
	}
	all, setOff := sumOf(behind), amount-own
	share := WithheldShare(all-min(all, taken-min(ownTax, taken)), setOff, max(setOff, rest.received(p)+booked-ownLeft))
	return append(shares, divided(share, behind)...), nil
}

// divided divides the share among the deductions in proportion to them; the last takes the rest.
func divided(share money.Paise, among []deduction) []deduction {
	var list []deduction
	all, rest := sumOf(among), share
	for i, d := range among {
		part := min(rest, share.Prorate(int64(d.tax), int64(all)))
		if i == len(among)-1 {
			part = rest
		}
		rest -= part
		list = append(list, deduction{paymentID: d.paymentID, tax: part})
	}
	return list
}

func (s *Service) deductedOfTx(ctx context.Context, tx *sqlx.Tx, p Payment) (money.Paise, error) {
	if p.Gateway != GatewayBank {
		return 0, nil
	}
	deducted, err := deductedTx(ctx, tx, s.withheld, []string{p.ID})
	return deducted[p.ID], err
}

// deductedBehindTx returns the TDS on the earlier payments whose credit notes paid amount of the upgrade: of each payment the TDS share of
// the amount that was set off.
func (s *Service) deductedBehindTx(ctx context.Context, tx *sqlx.Tx, upgrade Payment, amount money.Paise) ([]deduction, error) {
	parts, err := s.store.setOff(ctx, tx, upgrade)
	if err != nil {
		return nil, err
	}
	var list []deduction
	for _, n := range parts {
		earlier, err := s.store.find(ctx, tx, n.PaymentID)
		if err != nil {
			return nil, err
		}
		tax, err := s.deductedOfTx(ctx, tx, earlier)
		if err != nil {
			return nil, err
		}
		share := min(amount, n.Amount)
		own := min(share, earlier.Captured)
		if part := tax.Prorate(int64(own), int64(earlier.Captured)); part > 0 {
			list = append(list, deduction{paymentID: earlier.ID, tax: part})
		}
		before, err := s.deductedBehindTx(ctx, tx, earlier, share-own)
		if err != nil {
			return nil, err
		}
		list, amount = append(list, before...), amount-share
	}
	return list, nil
}

// WithheldShare is the deducted tax in a refund of the given amount out of the remaining amount, rounded to the paisa.
func WithheldShare(withheld, refund, left money.Paise) money.Paise {
	return min(withheld.Prorate(int64(refund), int64(left)), withheld, refund)
}
