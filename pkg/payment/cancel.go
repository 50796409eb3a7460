package payment

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// ErrNothingUnused refuses to cancel a plan of which nothing paid is left.
var ErrNothingUnused = errs.New(errs.KindConflict, "nothing_unused", "There is no unused time to refund. Let the plan end on its day.")

// Cancellation is what ending everything that a customer has paid for on a day would give back, an entry for each payment.
type Cancellation struct {
	Parts []CancelledPart
	// Already is what went back of the payments before, or is on its way.
	Already money.Paise
}

// Total returns what goes back through gateways, tax included.
func (c Cancellation) Total() money.Paise {
	var sum money.Paise
	for _, p := range c.Parts {
		sum += p.Amount()
	}
	return sum
}

// ByHand returns what of Total was paid by bank transfer: staff transfer it back, and book that with the UTR.
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

// ByTransfer returns what is unused, but goes back through no gateway, because earlier invoices paid it by set-off and their payments can
// take no refund of it: staff transfer it, and book that with the UTR. Total does not count it.
func (c Cancellation) ByTransfer() money.Paise {
	var sum money.Paise
	for _, p := range c.Parts {
		sum += p.ByTransfer
	}
	return sum
}

// CancelledPart is what goes back of one payment's invoice, by its lines.
type CancelledPart struct {
	PaymentID, TransactionID, InvoiceNumber string
	// Lines are what the refunds return.
	Lines   []CancelledLine
	Refunds []PartRefund
	// ByTransfer is what goes back beyond the lines, through no gateway: staff transfer it.
	ByTransfer money.Paise
	invoiceID  string
	payment    Payment
	// taken are Lines and ByTransfer together, by line.
	taken, transferred []invoice.CreditedPart
}

// CancelledLine is what goes back of one line.
type CancelledLine struct {
	Description string
	invoice.CreditedPart
}

// PartRefund is a refund of a part of an invoice, with a credit note of its own, through the invoice's payment or, if Earlier, through one
// whose credit note paid the invoice.
type PartRefund struct {
	TransactionID string
	Amount        money.Paise
	Earlier       bool
	payment       Payment
	parts         []invoice.CreditedPart
}

// ByHand reports whether the payment was made by bank transfer, so that no gateway returns it.
func (r PartRefund) ByHand() bool { return r.payment.Gateway == GatewayBank }

// Amount returns what the refunds return, tax included.
func (p CancelledPart) Amount() money.Paise {
	var sum money.Paise
	for _, r := range p.Refunds {
		sum += r.Amount
	}
	return sum
}

const paymentOfInvoiceSQL = `SELECT payment_id FROM document_overview WHERE franchiser_id = $1 AND id = $2`

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
func descriptionsTx(ctx context.Context, tx *sqlx.Tx, p Payment) (map[int]string, error) {
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

// CancelTx ends everything that the customer has paid for, at once, and has the gateways return what was unused on the day, which has to
// be total as it was worked out: a conflict otherwise. Each refund has a credit note of exactly the unused parts; what was paid by bank
// transfer, or by a set-off whose payment can take no refund, waits under the money of the console until staff transfer it back. It runs with the worker's role.
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
	return c, s.refundPartsTx(ctx, tx, c.Parts, Refund{
		FranchiserID: franchiserID, Reason: RefundStaff, Note: note, PrintedReason: printedCancelled,
		State: RefundRequested, CreatedAt: now,
	})
}

// printedCancelled is printed on the credit notes of a cancellation.
const printedCancelled = "Plan cancelled: the unused part"

// reasonSetOff is stored as the failure of what goes back through no gateway. StaffTransfer reads it, so it never changes.
const reasonSetOff = "Earlier invoices paid it by set-off. Transfer it and book the transfer with its UTR."

// oweTransferTx stores a refund that no gateway makes. It is asked of none: it waits under the money of the console until staff have
// transferred it and booked that, as one that a gateway refused does. The customer hears that the money comes by bank transfer.
func (s *Service) oweTransferTx(ctx context.Context, tx *sqlx.Tx, r Refund, now time.Time) error {
	if err := s.store.insertRefund(ctx, tx, r); err != nil {
		return err
	}
	if err := s.tellRefundTx(ctx, tx, r, now); err != nil {
		return err
	}
	r.Failure = reasonSetOff
	if err := RefundStates().Move(&r.State, RefundFailed); err != nil {
		return err
	}
	return s.store.saveRefund(ctx, tx, r, now)
}

// revokeAllTx ends what the payments bought: a next term first, because a plan whose next term is paid does not end, and add-ons
// before the plan.
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
