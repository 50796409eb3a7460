package transfer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/payment/banktransfer"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/transfer/match"
)

// Booker books credits and their uses. It runs with the worker's role.
type Booker struct {
	db        *sqlx.DB
	jobs      *queue.Inserter
	clock     clock.Clock
	payments  *banktransfer.Service
	ledger    *ledger.Service
	messages  *message.Enqueuer
	logger    *slog.Logger
	collector Collector `wiring:"optional"`
	store     store
}

// BookerOptions are the parts of a Booker. NewBooker panics if a required part is nil.
type BookerOptions struct {
	DB       *sqlx.DB
	Jobs     *queue.Inserter
	Clock    clock.Clock
	Payments *banktransfer.Service
	Ledger   *ledger.Service
	Messages *message.Enqueuer
	// Collector lists the credits of the customers' own accounts. Without it, staff enter credits.
	Collector Collector `wiring:"optional"`
	Logger    *slog.Logger
}

// NewBooker returns a booker on the worker's pool.
func NewBooker(o BookerOptions) *Booker {
	return wiring.Complete(&Booker{
		db: o.DB, jobs: o.Jobs, clock: o.Clock, payments: o.Payments, ledger: o.Ledger, messages: o.Messages, collector: o.Collector, logger: o.Logger,
	})
}

// lockTx serialises the matching of credits, because two credits may pay one bill.
func (b *Booker) lockTx(ctx context.Context, tx *sqlx.Tx) error {
	return b.store.exec(ctx, tx, "lock transfers", `SELECT pg_advisory_xact_lock(hashtextextended('transfers', 0))`)
}

// Receive books a credit as money in the bank, and uses it if the match is certain. A repeated call changes nothing.
func (b *Booker) Receive(ctx context.Context, creditID string) error {
	now := b.clock.Now()
	var done banktransfer.Transferred
	var certain Use
	err := postgres.InTx(ctx, b.db, func(tx *sqlx.Tx) error {
		if err := b.lockTx(ctx, tx); err != nil {
			return err
		}
		c, err := b.store.credit(ctx, tx, ` WHERE c.id = $1 FOR UPDATE`, creditID)
		if err != nil || c.State == CreditDismissed {
			return err
		}
		if err := b.ledger.PostTx(ctx, tx, ledger.BankReceipt(c.ID, c.receivedAt(), c.Amount, c.PaidAt)); err != nil {
			return err
		}
		if certain, err = b.certainTx(ctx, tx, c, now); err != nil || certain.ID == "" {
			return err
		}
		if err := b.store.insertUse(ctx, tx, certain); err != nil {
			return err
		}
		done, err = b.useTx(ctx, tx, certain, now)
		return err
	})
	if why := whyUndone(err); why != "" {
		return b.noteUndone(ctx, certain, why, now)
	}
	if err == nil && done.Payment.ID != "" {
		b.payments.Count(done)
	}
	return err
}

// certainTx returns the use that needs no confirmation by staff. It returns no use if staff entered the credit, its UTR is a duplicate, or
// an earlier use for the same proforma failed.
func (b *Booker) certainTx(ctx context.Context, tx *sqlx.Tx, c BankCredit, now time.Time) (Use, error) {
	if c.VirtualID == "" || c.EnteredBy != "" || c.Clash || c.Rest() < 1 || c.Used > 0 {
		return Use{}, nil
	}
	open, err := b.store.candidatesOn(ctx, tx, c.VirtualID, now)
	if err != nil {
		return Use{}, err
	}
	list := match.Match(c.seen(), open)
	if len(list) == 0 || !list[0].Certain {
		return Use{}, nil
	}
	tried, err := b.store.uses(ctx, tx, ` WHERE u.credit_id = $1 AND (u.state IN ('waiting', 'requested') OR u.proforma_id = $2)`, c.ID, list[0].ProformaID)
	if err != nil || len(tried) > 0 {
		return Use{}, err
	}
	u := Use{
		ID: id.New(), CreditID: c.ID, Kind: UseOrder, FranchiserID: list[0].FranchiserID, ProformaID: list[0].ProformaID,
		Amount: c.Rest(), RequestedAt: now,
	}
	return u, UseStates().Move(&u.State, UseRequested)
}

// reasonShort is why a transfer of the exact amount did not pay the bill.
const reasonShort = "More is due by now than the proforma says: the order is priced by its day. Ask the customer for the rest, or return it."

// errPaidByParts reports that the earlier parts pay the whole bill, because a new tax rate lowered its price.
var errPaidByParts = errors.New("the parts that came before pay all of it")

// whyUndone is the reason for staff why a payment was rolled back, empty for any other error.
func whyUndone(err error) string {
	switch {
	case errors.Is(err, banktransfer.ErrTransferShort):
		return reasonShort
	case errors.Is(err, errPaidByParts):
		return "The price has fallen below what came before. Release that part of the bill first; then it pays the bill, and this is too much."
	default:
		return ""
	}
}

// noteUndone stores on a credit why its use was rolled back, and records the use as failed. The credit stays open for staff.
func (b *Booker) noteUndone(ctx context.Context, u Use, why string, now time.Time) error {
	return postgres.InTx(ctx, b.db, func(tx *sqlx.Tx) error {
		c, err := b.store.credit(ctx, tx, ` WHERE c.id = $1 FOR UPDATE`, u.CreditID)
		if err != nil || c.State != CreditOpen {
			return err
		}
		if err := b.ledger.PostTx(ctx, tx, ledger.BankReceipt(c.ID, c.receivedAt(), c.Amount, c.PaidAt)); err != nil {
			return err
		}
		c.Note = why
		if err := b.store.saveCredit(ctx, tx, c); err != nil {
			return err
		}
		if err := b.store.insertUse(ctx, tx, u); err != nil {
			return err
		}
		return b.failTx(ctx, tx, u, why, now)
	})
}

// Use carries out a staff request once.
func (b *Booker) Use(ctx context.Context, useID string) error {
	now := b.clock.Now()
	var done banktransfer.Transferred
	err := postgres.InTx(ctx, b.db, func(tx *sqlx.Tx) error {
		if err := b.lockTx(ctx, tx); err != nil {
			return err
		}
		u, err := b.store.use(ctx, tx, ` WHERE u.id = $1 FOR UPDATE OF u`, useID)
		if err != nil || u.State != UseRequested {
			return err
		}
		done, err = b.useTx(ctx, tx, u, now)
		return err
	})
	if why := whyUndone(err); why != "" {
		return postgres.InTx(ctx, b.db, func(tx *sqlx.Tx) error {
			u, err := b.store.use(ctx, tx, ` WHERE u.id = $1 FOR UPDATE OF u`, useID)
			if err != nil || u.State != UseRequested {
				return err
			}
			return b.failTx(ctx, tx, u, why, now)
		})
	}
	if err == nil && done.Payment.ID != "" {
		b.payments.Count(done)
	}
	return err
}

// useTx carries out a use. If the credit or the bill no longer allows it, the use fails with a reason for staff, and useTx returns no
// error.
func (b *Booker) useTx(ctx context.Context, tx *sqlx.Tx, u Use, now time.Time) (banktransfer.Transferred, error) {
	c, err := b.store.credit(ctx, tx, ` WHERE c.id = $1 FOR UPDATE`, u.CreditID)
	if err != nil {
		return banktransfer.Transferred{}, err
	}
	if err := b.ledger.PostTx(ctx, tx, ledger.BankReceipt(c.ID, c.receivedAt(), c.Amount, c.PaidAt)); err != nil && c.State != CreditDismissed {
		return banktransfer.Transferred{}, err
	}
	parts, err := b.store.uses(ctx, tx, heldWhere, idsOf([]BankCredit{c}))
	if err != nil {
		return banktransfer.Transferred{}, err
	}
	left := c.Rest()
	for _, part := range parts {
		c.Held += part.Amount
	}
	switch u.Kind {
	case UseReturn:
		left += c.Held
	case UseRelease:
		left = c.Held
	case UseOrder, UseDismissal:
	}
	open := c.State == CreditOpen || c.State == CreditUsed && (u.Kind == UseReturn || u.Kind == UseRelease)
	if !open || u.Amount > left || u.Kind == UseDismissal && c.Used > 0 {
		return banktransfer.Transferred{}, b.failTx(ctx, tx, u, ErrCreditUsed.Message, now)
	}
	if u.Kind == UseReturn || u.Kind == UseRelease {
		if c, err = b.takeBackTx(ctx, tx, c, parts, u.Kind, now); err != nil {
			return banktransfer.Transferred{}, err
		}
	}
	switch u.Kind {
	case UseDismissal:
		if err := CreditStates().Move(&c.State, CreditDismissed); err != nil {
			return banktransfer.Transferred{}, err
		}
		if err := b.ledger.PostTx(ctx, tx, ledger.BankReceiptDismissed(c.ID, c.receivedAt(), c.Amount, now)); err != nil {
			return banktransfer.Transferred{}, err
		}
		if err := b.store.saveCredit(ctx, tx, c); err != nil {
			return banktransfer.Transferred{}, err
		}
		return banktransfer.Transferred{}, b.doneTx(ctx, tx, u, now)
	case UseReturn:
		if err := b.ledger.PostTx(ctx, tx, ledger.BankReturn(u.ID, u.Amount, now)); err != nil {
			return banktransfer.Transferred{}, err
		}
		if err := b.spendTx(ctx, tx, c, u); err != nil {
			return banktransfer.Transferred{}, err
		}
		return banktransfer.Transferred{}, b.doneTx(ctx, tx, u, now)
	case UseRelease:
		return banktransfer.Transferred{}, b.doneTx(ctx, tx, u, now)
	case UseOrder:
	}
	return b.payTx(ctx, tx, c, u, now)
}

// payTx uses a credit for a proforma, as a part or as the whole. When the proforma is fully covered, it pays the order and ends the
// customer's other proformas that can no longer be paid.
func (b *Booker) payTx(ctx context.Context, tx *sqlx.Tx, c BankCredit, u Use, now time.Time) (banktransfer.Transferred, error) {
	// The order of locks is that of the customer's own requests.
	if err := subscription.LockTx(ctx, tx, u.FranchiserID); err != nil {
		return banktransfer.Transferred{}, err
	}
	p, err := b.store.proforma(ctx, tx, ` WHERE p.id = $1 FOR NO KEY UPDATE OF p`, u.ProformaID)
	if err != nil {
		return banktransfer.Transferred{}, err
	}
	if !p.State.payable() {
		return banktransfer.Transferred{}, b.failTx(ctx, tx, u, ErrProformaClosed.Message, now)
	}
	if p.Ended {
		return banktransfer.Transferred{}, b.refuseTx(ctx, tx, c, p, u, ErrOrderEnded.Message, now)
	}
	if c.FranchiserID != "" && c.FranchiserID != p.FranchiserID && c.Used > 0 {
		return banktransfer.Transferred{}, b.failTx(ctx, tx, u, ErrOtherCustomer.Message, now)
	}
	sum := p.Received + u.Amount + u.TDS + u.GSTTDS
	if u.TDS+u.GSTTDS > 0 && sum > p.Amount {
		return banktransfer.Transferred{}, b.failTx(ctx, tx, u, "Another transfer paid part of this bill meanwhile, so that the deducted tax is not what is missing. Look at it again.", now)
	}
	if sum < p.Amount {
		if u.TDS+u.GSTTDS > 0 {
			return banktransfer.Transferred{}, b.failTx(ctx, tx, u, "Deducted tax is recorded with the transfer that completes the payment. This one does not.", now)
		}
		if err := b.spendTx(ctx, tx, c, u); err != nil {
			return banktransfer.Transferred{}, err
		}
		if err := b.doneTx(ctx, tx, u, now); err != nil {
			return banktransfer.Transferred{}, err
		}
		return banktransfer.Transferred{}, b.tellPartTx(ctx, tx, p, u, now)
	}
	came, numbers, err := b.cameTx(ctx, tx, p, c)
	if err != nil {
		return banktransfer.Transferred{}, err
	}
	done, err := b.payments.PayTx(ctx, tx, banktransfer.Transfer{
		FranchiserID: p.FranchiserID, OrderID: p.OrderID, UTRs: numbers, TDS: u.TDS, GSTTDS: u.GSTTDS, Received: p.Received + u.Amount,
		PONumber: p.PONumber, CameAt: came, Promised: c.PaidAt.Before(p.ValidUntil),
	}, now)
	if err != nil {
		return banktransfer.Transferred{}, fmt.Errorf("pay proforma %s: %w", p.Number, err)
	}
	if done.Refused != "" {
		return banktransfer.Transferred{}, b.refuseTx(ctx, tx, c, p, u, done.Refused, now)
	}
	if u.Amount = done.Cash - p.Received; u.Amount < 1 {
		return banktransfer.Transferred{}, fmt.Errorf("proforma %s: %w", p.Number, errPaidByParts)
	}
	if err := b.spendTx(ctx, tx, c, u); err != nil {
		return banktransfer.Transferred{}, err
	}
	if err := b.doneTx(ctx, tx, u, now); err != nil {
		return banktransfer.Transferred{}, err
	}
	if err := ProformaStates().Move(&p.State, StatePaid); err != nil {
		return banktransfer.Transferred{}, err
	}
	p.PaymentID, p.PaidAt = done.Payment.ID, now
	if err := b.store.saveProforma(ctx, tx, p); err != nil {
		return banktransfer.Transferred{}, err
	}
	if err := b.recordTDSTx(ctx, tx, p, u, c.PaidAt, now); err != nil {
		return banktransfer.Transferred{}, err
	}
	return done, b.closeDueTx(ctx, tx, p.FranchiserID, now)
}

// tellPartTx informs the customer by SMS and e-mail that a part of a bill arrived.
func (b *Booker) tellPartTx(ctx context.Context, tx *sqlx.Tx, p Proforma, u Use, now time.Time) error {
	for _, template := range []string{message.TemplateTransferPart, message.TemplateTransferPartEmail} {
		m := message.CustomerMessage{FranchiserID: p.FranchiserID, Template: template, About: u.ID, CreatedAt: now}
		if err := b.messages.OnceTx(ctx, tx, m); err != nil {
			return err
		}
	}
	return nil
}

// cameTx returns when a bill was fully covered: the time of its last transfer, but not before the bill was created. Earlier money was
// an unassigned advance. It also returns the numbers of the bill's transfers, that of c last.
func (b *Booker) cameTx(ctx context.Context, tx *sqlx.Tx, p Proforma, c BankCredit) (came time.Time, numbers []string, err error) {
	parts, err := b.store.credits(ctx, tx, ` WHERE c.id IN (SELECT u.credit_id FROM bank_credit_uses u WHERE u.proforma_id = $1 AND u.state = 'done')`, p.ID)
	slices.SortFunc(parts, func(a, b BankCredit) int { return cmp.Or(a.PaidAt.Compare(b.PaidAt), cmp.Compare(a.UTR, b.UTR)) })
	came = p.CreatedAt
	for _, one := range append(parts, c) {
		if one.PaidAt.After(came) {
			came = one.PaidAt
		}
		if one.ID != c.ID {
			numbers = append(numbers, one.UTR)
		}
	}
	return came, append(numbers, c.UTR), err
}

// refuseTx fails a use of a bill whose order can no longer have an effect. It also ends the bill and releases its parts.
func (b *Booker) refuseTx(ctx context.Context, tx *sqlx.Tx, c BankCredit, p Proforma, u Use, why string, now time.Time) error {
	c.Note, c.FranchiserID = why, p.FranchiserID
	if err := b.store.saveCredit(ctx, tx, c); err != nil {
		return err
	}
	if err := b.failTx(ctx, tx, u, why, now); err != nil {
		return err
	}
	return b.store.endTx(ctx, tx, p, StateCancelled, why, now)
}

// spendTx deducts a use from its credit and stores the credit's customer.
func (b *Booker) spendTx(ctx context.Context, tx *sqlx.Tx, c BankCredit, u Use) error {
	c.Used += u.Amount
	if u.FranchiserID != "" {
		c.FranchiserID = u.FranchiserID
	}
	c.Note = ""
	if c.Rest() == 0 {
		if err := CreditStates().Move(&c.State, CreditUsed); err != nil {
			return err
		}
	}
	return b.store.saveCredit(ctx, tx, c)
}

// receivedAt is the account that received a credit. A collector settles its credits like a gateway.
func (c BankCredit) receivedAt() ledger.Account {
	if c.VirtualID != "" {
		return ledger.AccountGatewayClearing
	}
	return ledger.AccountBank
}

func (b *Booker) doneTx(ctx context.Context, tx *sqlx.Tx, u Use, now time.Time) error {
	if err := UseStates().Move(&u.State, UseDone); err != nil {
		return err
	}
	return b.store.finishUse(ctx, tx, u, now)
}

func (b *Booker) failTx(ctx context.Context, tx *sqlx.Tx, u Use, why string, now time.Time) error {
	if err := UseStates().Move(&u.State, UseFailed); err != nil {
		return err
	}
	u.Failure = why
	return b.store.finishUse(ctx, tx, u, now)
}
