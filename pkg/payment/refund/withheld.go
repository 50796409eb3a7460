package refund

import (
	"context"
	"fmt"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/internal/store"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

const (
	withheldSQL   = `UPDATE refunds SET withheld_paise = $2 WHERE id = $1`
	withheldOfSQL = `SELECT coalesce(sum(withheld_paise), 0)::bigint FROM refunds WHERE payment_id = $1`
)

// deduction is tax that the customer deducted from a payment.
type deduction struct {
	paymentID string
	tax       money.Paise
}

// SumOf returns the sum of the deductions.
func SumOf(list []deduction) money.Paise {
	var sum money.Paise
	for _, d := range list {
		sum += d.tax
	}
	return sum
}

// reverseWithheldTx reverses the share of the deducted tax in a refund by bank: only money received is returned as money. It returns the
// parts of both taxes.
func (s *Service) reverseWithheldTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment, r Refund) (tds, gstTDS money.Paise, err error) {
	if r.GatewayPaymentID != p.GatewayPaymentID {
		return 0, 0, nil
	}
	shares, err := WithheldSharesTx(ctx, tx, s.withheld, p, r.Amount, r.Amount)
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

// WithheldSharesTx returns the deducted tax in a refund by bank, by payment. The refund returns the payment's own capture first, then what
// earlier payments brought in by set-off. The last refund takes the rest of the tax, so that the shares add up. booked is the part of
// amount that is stored as a refund already.
func WithheldSharesTx(ctx context.Context, tx *sqlx.Tx, w payment.Withheld, p payment.Payment, amount, booked money.Paise) ([]deduction, error) {
	rest, err := RestTx(ctx, tx, p)
	if err != nil {
		return nil, err
	}
	var taken money.Paise
	if err := tx.GetContext(ctx, &taken, withheldOfSQL, p.ID); err != nil {
		return nil, fmt.Errorf("read what was withheld of refunds: %w", err)
	}
	ownTax, err := deductedOfTx(ctx, tx, w, p)
	if err != nil {
		return nil, err
	}
	back, err := backTx(ctx, tx, p)
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
	behind, err := deductedBehindTx(ctx, tx, w, p, rest.Applied)
	if err != nil {
		return nil, err
	}
	all, setOff := SumOf(behind), amount-own
	share := WithheldShare(all-min(all, taken-min(ownTax, taken)), setOff, max(setOff, rest.received(p)+booked-ownLeft))
	return append(shares, divided(share, behind)...), nil
}

// divided divides the share among the deductions in proportion to them; the last takes the rest.
func divided(share money.Paise, among []deduction) []deduction {
	var list []deduction
	all, rest := SumOf(among), share
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

func deductedOfTx(ctx context.Context, tx *sqlx.Tx, w payment.Withheld, p payment.Payment) (money.Paise, error) {
	if p.Gateway != payment.GatewayBank {
		return 0, nil
	}
	deducted, err := w.DeductedTx(ctx, tx, []string{p.ID})
	return deducted[p.ID], err
}

// deductedBehindTx returns the TDS on the earlier payments whose credit notes paid amount of the upgrade: of each payment the TDS share of
// the amount that was set off.
func deductedBehindTx(ctx context.Context, tx *sqlx.Tx, w payment.Withheld, upgrade payment.Payment, amount money.Paise) ([]deduction, error) {
	parts, err := SetOffTx(ctx, tx, upgrade)
	if err != nil {
		return nil, err
	}
	var list []deduction
	for _, n := range parts {
		earlier, err := store.Find(ctx, tx, n.PaymentID)
		if err != nil {
			return nil, err
		}
		tax, err := deductedOfTx(ctx, tx, w, earlier)
		if err != nil {
			return nil, err
		}
		share := min(amount, n.Amount)
		own := min(share, earlier.Captured)
		if part := tax.Prorate(int64(own), int64(earlier.Captured)); part > 0 {
			list = append(list, deduction{paymentID: earlier.ID, tax: part})
		}
		before, err := deductedBehindTx(ctx, tx, w, earlier, share-own)
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
