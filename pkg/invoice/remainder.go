package invoice

import (
	"context"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/platform/money"
)

// Remainder is the part of an invoice that neither credit notes nor refunds under way take back.
type Remainder struct {
	Invoice
	// Left is the remainder of each line, in the order of the invoice.
	Left []Line
	// Kept is what would be left if no bank had taken anything back, and TakenBack what banks took of each line, tax
	// included: that counts as taken from the unused days first.
	Kept      []Line
	TakenBack []money.Paise
}

// RemaindersTx returns the remainders of the payments' invoices, by payment, after the given refunds; a payment without an
// invoice is omitted. The caller has set the franchiser.
func RemaindersTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, paymentIDs []string, given []GivenBack) (map[string]Remainder, error) {
	var s store
	invoices, err := s.list(ctx, tx, `i.franchiser_id = $1 AND i.kind = 'invoice' AND NOT i.replaced AND i.payment_id = ANY ($2::uuid[])`,
		franchiserID, pq.Array(paymentIDs))
	if err != nil || len(invoices) == 0 {
		return nil, err
	}
	notes, err := s.list(ctx, tx, `i.franchiser_id = $1 AND i.kind = 'credit_note' AND i.payment_id = ANY ($2::uuid[])
		ORDER BY i.issued_at, i.series DESC, i.sequence`, franchiserID, pq.Array(paymentIDs))
	if err != nil {
		return nil, err
	}
	rests := make(map[string]Remainder, len(invoices))
	for _, i := range invoices {
		rests[i.PaymentID] = remainder(i, notes, given)
	}
	return rests, nil
}

// GivenBack is a refund under way, or one by which a bank took money back.
type GivenBack struct {
	ID        string      `db:"id"`
	PaymentID string      `db:"payment_id"`
	Amount    money.Paise `db:"amount_paise"`
	Dispute   bool        `db:"dispute"`
}

func remainder(i Invoice, notes []Invoice, given []GivenBack) Remainder {
	var mine, kept []Invoice
	var under, taken money.Paise
	disputed := map[string]bool{}
	for _, g := range given {
		switch {
		case g.PaymentID != i.PaymentID:
		case g.Dispute:
			disputed[g.ID] = true
			taken += g.Amount
		default:
			under += g.Amount
		}
	}
	for _, n := range notes {
		if n.OriginalID != i.ID {
			continue
		}
		mine = append(mine, n)
		if !disputed[n.RefundID] {
			kept = append(kept, n)
		}
	}
	r := Remainder{Invoice: i, Left: without(left(i, mine), under), Kept: without(left(i, kept), under)}
	r.TakenBack = make([]money.Paise, len(r.Kept))
	if total := totalOf(r.Kept); taken > 0 && total > 0 {
		r.TakenBack = apportion(weights(r.Kept), min(taken, total), total)
	}
	return r
}

// without subtracts an amount from the lines in proportion, down to zero if it exceeds their total.
func without(lines []Line, amount money.Paise) []Line {
	total := totalOf(lines)
	if amount < 1 || total < 1 {
		return lines
	}
	amounts := apportion(weights(lines), min(amount, total), total)
	for i, l := range lines {
		if amounts[i] > 0 {
			taxable, tax := split(l, amounts[i])
			lines[i].Taxable -= taxable
			lines[i].Tax = l.minus(tax)
		}
	}
	return lines
}

func weights(lines []Line) []money.Paise {
	list := make([]money.Paise, 0, len(lines))
	for _, l := range lines {
		list = append(list, l.Total())
	}
	return list
}

func totalOf(lines []Line) money.Paise {
	var sum money.Paise
	for _, l := range lines {
		sum += l.Total()
	}
	return sum
}
