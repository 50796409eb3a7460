package act

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/refund"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// ErrNothingUnused refuses to cancel a plan that has no unused paid time.
var ErrNothingUnused = errs.New(errs.KindConflict, "nothing_unused", "No paid time is left to refund: the plan was cancelled already, or ends on its day.")

// Cancellation is what ending everything that a customer has paid for on a day would give back, an entry for each payment.
type Cancellation struct {
	Parts []CancelledPart
	// Already is the amount of these payments that was refunded before, or whose refund is pending.
	Already money.Paise
}

// Total returns the amount to refund through gateways, tax included.
func (c Cancellation) Total() money.Paise {
	var sum money.Paise
	for _, p := range c.Parts {
		sum += p.Amount()
	}
	return sum
}

// ByHand returns the part of Total that was paid by bank transfer: staff transfer it, and book the transfer with its UTR.
func (c Cancellation) ByHand() money.Paise {
	var sum money.Paise
	for _, p := range c.Parts {
		for _, r := range p.Refunds {
			if r.ByHand() {
				sum += r.Amount
			}
		}
	}
	return sum
}

// ByTransfer returns the unused amount that no gateway can refund, because earlier invoices paid it by set-off and their payments
// cannot be refunded. Staff transfer it and book the transfer with its UTR. Total excludes it.
func (c Cancellation) ByTransfer() money.Paise {
	var sum money.Paise
	for _, p := range c.Parts {
		sum += p.ByTransfer
	}
	return sum
}

// CancelledPart is the refund of one payment's invoice, by invoice line.
type CancelledPart struct {
	PaymentID, TransactionID, InvoiceNumber string
	// Lines are the refunded lines.
	Lines   []CancelledLine
	Refunds []PartRefund
	// ByTransfer is the amount beyond the lines that no gateway can refund: staff transfer it.
	ByTransfer money.Paise
	invoiceID  string
	payment    payment.Payment
	// taken are Lines and ByTransfer together, by line.
	taken, transferred []invoice.CreditedPart
}

// CancelledLine is the refunded part of one invoice line.
type CancelledLine struct {
	Description string
	invoice.CreditedPart
}

// PartRefund is a refund of a part of an invoice, with a separate credit note. It uses the invoice's payment or, if Earlier, an earlier
// payment whose credit note paid the invoice.
type PartRefund struct {
	TransactionID string
	Amount        money.Paise
	Earlier       bool
	payment       payment.Payment
	parts         []invoice.CreditedPart
}

// ByHand reports whether the payment was made by bank transfer, so that no gateway returns it.
func (r PartRefund) ByHand() bool { return r.payment.Gateway == payment.GatewayBank }

// Amount returns the total of the refunds, tax included.
func (p CancelledPart) Amount() money.Paise {
	var sum money.Paise
	for _, r := range p.Refunds {
		sum += r.Amount
	}
	return sum
}

// CancellationTx works out what cancelling everything on the day would give back: the days from it on, at the prices, discounts and tax
// of their invoices. It returns ErrNothingUnused if there is nothing, and ErrReversalOpen while another request is unfinished.
func (s *Service) CancellationTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, day subscription.Day) (Cancellation, error) {
	credits, err := s.subscriptions.CreditsTx(ctx, tx, franchiserID, day)
	if err != nil {
		return Cancellation{}, err
	}
	var owed money.Paise
	for _, credit := range credits {
		owed += credit.Total()
	}
	back, err := s.givenBackTx(ctx, tx, franchiserID, credits, owed)
	c := Cancellation{Parts: back.Parts, Already: back.Already}
	if err == nil && c.Total() < 1 && c.ByTransfer() < 1 {
		err = ErrNothingUnused
	}
	return c, err
}

// descriptionsTx returns the descriptions of the lines of a payment's invoice, by position.
func descriptionsTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment) (map[int]string, error) {
	rests, err := invoice.RemaindersTx(ctx, tx, p.FranchiserID, []string{p.ID}, nil)
	if err != nil {
		return nil, err
	}
	all := map[int]string{}
	for _, l := range rests[p.ID].Lines {
		all[l.Position] = l.Description
	}
	return all, nil
}

// CancelTx ends all purchases of the customer at once and refunds their unused part through the gateways. It returns a conflict if that
// part on the day differs from total. Each refund has a credit note for exactly the unused parts. Amounts paid by bank transfer, or by
// a set-off whose payment cannot be refunded, wait in the console until staff transfer them. CancelTx needs the worker's role.
func (s *Service) CancelTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, day subscription.Day, total money.Paise, note string, now time.Time) (Cancellation, error) {
	if err := subscription.LockTx(ctx, tx, franchiserID); err != nil {
		return Cancellation{}, err
	}
	c, err := s.CancellationTx(ctx, tx, franchiserID, day)
	if err != nil {
		return c, err
	}
	if c.Total() != total {
		return c, errs.New(errs.KindConflict, "amount_changed", "By now "+c.Total().Display()+" would go back, not "+total.Display()+". Ask again.")
	}
	if err := s.revokeAllTx(ctx, tx, c, now); err != nil {
		return c, err
	}
	return c, s.refundPartsTx(ctx, tx, c.Parts, refund.Refund{
		FranchiserID: franchiserID, Reason: payment.RefundStaff, Note: note, PrintedReason: refund.PrintedCancelled,
		State: payment.RefundRequested, CreatedAt: now,
	})
}

// revokeAllTx ends the purchases: a next term first, because a plan with a paid next term does not end, and add-ons before the plan.
func (s *Service) revokeAllTx(ctx context.Context, tx *sqlx.Tx, c Cancellation, now time.Time) error {
	for _, kind := range []subscription.Holding{subscription.HoldingNextTerm, subscription.HoldingAddOns, subscription.HoldingPlan} {
		for _, part := range c.Parts {
			o, err := s.subscriptions.FindOrderTx(ctx, tx, part.payment.FranchiserID, part.payment.OrderID)
			if err != nil {
				return err
			}
			held, _, err := s.subscriptions.HoldingTx(ctx, tx, o, now)
			if err != nil {
				return err
			}
			if held != kind {
				continue
			}
			if err := s.subscriptions.RevokeTx(ctx, tx, o.FranchiserID, o.ID, now); err != nil {
				return err
			}
		}
	}
	return nil
}
