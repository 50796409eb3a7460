package banktransfer

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/internal/store"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// slugTransfer is the payment method of a bank transfer.
const slugTransfer = "bank_transfer"

// Transfer is money on our bank account that pays an order, with the tax that the customer deducted from it.
type Transfer struct {
	FranchiserID, OrderID string
	// UTRs are the numbers of the transfers. The payment has the last one, the invoice all.
	UTRs []string
	// TDS is the income tax deducted at source, GSTTDS the GST.
	TDS, GSTTDS money.Paise
	// PONumber is the customer's own order number, which the invoice prints; may be empty.
	PONumber string
	// Received is the most that the transfers can pay.
	Received money.Paise
	// CameAt is when the money was there; zero means now.
	CameAt time.Time
	// Promised reports that the money arrived while the bill was valid: an upgrade then costs the billed amount.
	Promised bool
}

// ErrTransferShort reports that the transfers with the deducted tax do not reach the amount due.
var ErrTransferShort = errors.New("the transfers are less than what is due")

// Transferred is an order that was paid by bank transfer. Refused is why the order had no effect, and then nothing was booked.
type Transferred struct {
	Payment payment.Payment
	// Cash is the part of the transfers that paid the order: the amount due less the deducted tax.
	Cash    money.Paise
	Refused string
}

// reasonTransferred is why an open payment of an order ends that a transfer has paid.
const reasonTransferred = "This was paid by bank transfer."

// PayTx pays an order with money on the bank account, with the same effects as a capture, in the caller's transaction. If the
// order can no longer take effect, it books nothing and returns the reason in Refused. If the money does not suffice, it returns
// ErrTransferShort, and the caller must roll back.
func (s *Service) PayTx(ctx context.Context, tx *sqlx.Tx, t Transfer, now time.Time) (Transferred, error) {
	if err := subscription.LockTx(ctx, tx, t.FranchiserID); err != nil {
		return Transferred{}, err
	}
	apply := s.subscriptions.ApplyTx
	if t.Promised {
		apply = s.subscriptions.ApplyPromisedTx
	}
	order, applied, err := apply(ctx, tx, t.FranchiserID, t.OrderID, now)
	if err != nil {
		return Transferred{}, err
	}
	if !applied {
		refused := order.RefusedWhy // nothing is refunded automatically: staff return the transfer, or use it
		if refused == "" {
			refused = "The order was paid already, or the plan has changed since."
		}
		return Transferred{Refused: refused}, nil
	}
	cash := order.Payable() - t.TDS - t.GSTTDS
	if cash < 1 || cash > t.Received {
		return Transferred{}, ErrTransferShort
	}
	if err := store.EndOpen(ctx, tx, t.FranchiserID, t.OrderID, reasonTransferred, now); err != nil {
		return Transferred{}, err
	}
	p := payment.Payment{
		ID: id.New(), FranchiserID: t.FranchiserID, OrderID: t.OrderID, TransactionID: payment.NewTransactionID(now), Gateway: payment.GatewayBank,
		State: payment.StateCreated, Amount: order.Payable(), CreatedAt: now,
	}
	if err := store.Insert(ctx, tx, p, "", nil); err != nil {
		return Transferred{}, err
	}
	if err := payment.States().Move(&p.State, payment.StatePaid); err != nil {
		return Transferred{}, err
	}
	last := t.UTRs[len(t.UTRs)-1]
	p.GatewayPaymentID, p.BankReference, p.Slug, p.DecidedAt, p.Captured, p.Bought = last, last, slugTransfer, now, p.Amount, order.Kind
	p.Withheld, p.PONumber, p.Transfers = t.TDS+t.GSTTDS, t.PONumber, strings.Join(t.UTRs, ", ")
	if err := store.Save(ctx, tx, p, p.Captured); err != nil {
		return Transferred{}, err
	}
	if err := s.ledger.PostTx(ctx, tx, ledger.TransferCapture(ledger.Movement{
		FranchiserID: p.FranchiserID, PaymentID: p.ID, Reference: p.ID, Amount: p.Amount, At: t.cameAt(now),
	}, t.TDS, t.GSTTDS)); err != nil {
		return Transferred{}, err
	}
	if err := s.documents.TellTx(ctx, tx, p, now); err != nil {
		return Transferred{}, err
	}
	return Transferred{Payment: p, Cash: cash}, s.invoiceTransferTx(ctx, tx, p, order, t.cameAt(now), now)
}

func (t Transfer) cameAt(now time.Time) time.Time {
	if t.CameAt.IsZero() || t.CameAt.After(now) {
		return now
	}
	return t.CameAt
}

// mostBackdated is how far an invoice may be backdated: the portal registers no older invoice, and section 31 with rule 47 allow thirty
// days.
const mostBackdated = 30 * 24 * time.Hour

// invoiceTransferTx issues the documents of a transfer. The tax is due for the month in which the money came (section 13(2), CGST Act), so
// that the invoice is of that day. Where the order of numbers or locked books allow only a later month, a receipt voucher (rule 50) of the
// day comes first, by which the advance counts in its month (table 11A) and the invoice in its own (11B). A month that is locked stays as
// it was filed: the invoice alone counts, in the first open one.
func (s *Service) invoiceTransferTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment, order subscription.Order, came, now time.Time) error {
	wanted := came
	if now.Sub(came) > mostBackdated {
		wanted = now
	}
	dated, err := s.datedTx(ctx, tx, invoice.KindInvoice, wanted)
	if err != nil {
		return err
	}
	if sameMonth(dated, came) {
		if err := s.documents.IssueTx(ctx, tx, p, order, dated, came); err != nil {
			return err
		}
		// The invoice's own number is the last one now: a number assigned since the check may have moved it to the next month.
		if dated, err = s.datedTx(ctx, tx, invoice.KindInvoice, wanted); err == nil && !sameMonth(dated, came) {
			err = errDatedLater
		}
		return err
	}
	voucher, err := s.datedTx(ctx, tx, invoice.KindReceiptVoucher, came)
	if err != nil {
		return err
	}
	if sameMonth(voucher, came) {
		received := payment.Outcome{GatewayPaymentID: p.GatewayPaymentID, Amount: p.Captured, Currency: payment.Currency, Slug: p.Slug}
		if err := s.documents.VoucherTx(ctx, tx, p, received, voucher); err != nil {
			return err
		}
	}
	return s.documents.IssueTx(ctx, tx, p, order, dated, came)
}

// errDatedLater rolls back, so that the job tries again and begins with the voucher.
var errDatedLater = errors.New("another document of the next month was numbered at this moment")

// datedTx returns when a document can be dated that is wanted for a moment.
func (s *Service) datedTx(ctx context.Context, tx *sqlx.Tx, kind invoice.Kind, wanted time.Time) (time.Time, error) {
	open, err := ledger.OpenTx(ctx, tx, wanted)
	if err != nil {
		return open, err
	}
	return s.invoices.DateTx(ctx, tx, kind, open)
}

// sameMonth reports whether two moments are in one month in India, for which one return is filed.
func sameMonth(a, b time.Time) bool {
	a, b = a.In(clock.IST), b.In(clock.IST)
	return a.Year() == b.Year() && a.Month() == b.Month()
}

// Count counts a payment that PayTx booked, after its transaction.
func (s *Service) Count(t Transferred) { t.Payment.Count(s.counts) }
