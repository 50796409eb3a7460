package transfer

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq/pqerror"

	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/text"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Booker books what came in and what it is used for. It runs with the worker's role.
type Booker struct {
	db        *sqlx.DB
	jobs      *queue.Inserter
	clock     clock.Clock
	payments  *payment.Service
	ledger    *ledger.Service
	messages  *message.Enqueuer
	logger    *slog.Logger
	collector Collector `wiring:"later"`
	store     store
}

// NewBooker returns a booker on the worker's pool.
func NewBooker(db *sqlx.DB, jobs *queue.Inserter, clk clock.Clock, payments *payment.Service, books *ledger.Service, messages *message.Enqueuer,
	logger *slog.Logger,
) *Booker {
	return wiring.Complete(&Booker{db: db, jobs: jobs, clock: clk, payments: payments, ledger: books, messages: messages, logger: logger})
}

// Collecting has the collector asked for what came in, nil for none, and returns b.
func (b *Booker) Collecting(c Collector) *Booker {
	b.collector = c
	return b
}

// lockTx has one credit matched at a time: two of them may pay one bill.
func (b *Booker) lockTx(ctx context.Context, tx *sqlx.Tx) error {
	return b.store.exec(ctx, tx, "lock transfers", `SELECT pg_advisory_xact_lock(hashtextextended('transfers', 0))`)
}

// Receive books a credit as money in the bank, and uses it where that is certain. A repeated call changes nothing.
func (b *Booker) Receive(ctx context.Context, creditID string) error {
	now := b.clock.Now()
	var done payment.Transferred
	err := postgres.InTx(ctx, b.db, func(tx *sqlx.Tx) error {
		if err := b.lockTx(ctx, tx); err != nil {
			return err
		}
		c, err := b.store.credit(ctx, tx, ` WHERE c.id = $1 FOR UPDATE`, creditID)
		if err != nil || c.State == CreditDismissed {
			return err
		}
		if err := b.ledger.PostTx(ctx, tx, ledger.BankReceipt(c.ID, c.receivedAt(), c.Amount, c.CreatedAt)); err != nil {
			return err
		}
		if c.Rest() < 1 {
			return nil
		}
		open, err := b.store.candidates(ctx, tx, c.VirtualID, now)
		if err != nil {
			return err
		}
		list := Match(c.VirtualID, c.UTR, c.Rest(), open)
		if len(list) == 0 || !list[0].Certain || c.Used > 0 {
			return nil
		}
		u := Use{
			ID: id.New(), CreditID: c.ID, Kind: UseOrder, FranchiserID: list[0].FranchiserID, ProformaID: list[0].ProformaID,
			Amount: c.Rest(), RequestedAt: now,
		}
		if err := useStates().Move(&u.State, UseRequested); err != nil {
			return err
		}
		if err := b.store.insertUse(ctx, tx, u); err != nil {
			return err
		}
		done, err = b.useTx(ctx, tx, u, now)
		return err
	})
	if errors.Is(err, payment.ErrTransferShort) {
		return b.noteShort(ctx, creditID)
	}
	if err == nil && done.Payment.ID != "" {
		b.payments.CountTransfer(done)
	}
	return err
}

// reasonShort is why a transfer of the exact amount paid for nothing.
const reasonShort = "More is due by now than the proforma says: the order is priced by its day. Ask the customer for the rest, or return it."

// noteShort says on a credit why it waits for staff, after what it should have paid was rolled back.
func (b *Booker) noteShort(ctx context.Context, creditID string) error {
	return postgres.InTx(ctx, b.db, func(tx *sqlx.Tx) error {
		c, err := b.store.credit(ctx, tx, ` WHERE c.id = $1 FOR UPDATE`, creditID)
		if err != nil || c.State != CreditOpen {
			return err
		}
		if err := b.ledger.PostTx(ctx, tx, ledger.BankReceipt(c.ID, c.receivedAt(), c.Amount, c.CreatedAt)); err != nil {
			return err
		}
		c.Note = reasonShort
		return b.store.saveCredit(ctx, tx, c)
	})
}

// Use carries out a request of staff, once.
func (b *Booker) Use(ctx context.Context, useID string) error {
	now := b.clock.Now()
	var done payment.Transferred
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
	if errors.Is(err, payment.ErrTransferShort) {
		return postgres.InTx(ctx, b.db, func(tx *sqlx.Tx) error {
			u, err := b.store.use(ctx, tx, ` WHERE u.id = $1 FOR UPDATE OF u`, useID)
			if err != nil || u.State != UseRequested {
				return err
			}
			return b.failTx(ctx, tx, u, reasonShort, now)
		})
	}
	if err == nil && done.Payment.ID != "" {
		b.payments.CountTransfer(done)
	}
	return err
}

// useTx carries out a use. What the credit or the bill no longer allows fails with a reason for staff, which is no error.
func (b *Booker) useTx(ctx context.Context, tx *sqlx.Tx, u Use, now time.Time) (payment.Transferred, error) {
	c, err := b.store.credit(ctx, tx, ` WHERE c.id = $1 FOR UPDATE`, u.CreditID)
	if err != nil {
		return payment.Transferred{}, err
	}
	if err := b.ledger.PostTx(ctx, tx, ledger.BankReceipt(c.ID, c.receivedAt(), c.Amount, c.CreatedAt)); err != nil && c.State != CreditDismissed {
		return payment.Transferred{}, err
	}
	if c.State != CreditOpen || u.Amount > c.Rest() || u.Kind == UseDismissal && c.Used > 0 {
		return payment.Transferred{}, b.failTx(ctx, tx, u, ErrCreditUsed.Message, now)
	}
	switch u.Kind {
	case UseDismissal:
		if err := creditStates().Move(&c.State, CreditDismissed); err != nil {
			return payment.Transferred{}, err
		}
		if err := b.ledger.PostTx(ctx, tx, ledger.BankReceiptDismissed(c.ID, c.receivedAt(), c.Amount, now)); err != nil {
			return payment.Transferred{}, err
		}
		if err := b.store.saveCredit(ctx, tx, c); err != nil {
			return payment.Transferred{}, err
		}
		return payment.Transferred{}, b.doneTx(ctx, tx, u, now)
	case UseReturn:
		if err := b.ledger.PostTx(ctx, tx, ledger.BankReturn(u.ID, u.Amount, now)); err != nil {
			return payment.Transferred{}, err
		}
		if err := b.spendTx(ctx, tx, c, u); err != nil {
			return payment.Transferred{}, err
		}
		return payment.Transferred{}, b.doneTx(ctx, tx, u, now)
	case UseOrder:
	}
	return b.payTx(ctx, tx, c, u, now)
}

// payTx uses a credit for a proforma: as a part, or as what completes it, upon which the order is paid.
func (b *Booker) payTx(ctx context.Context, tx *sqlx.Tx, c BankCredit, u Use, now time.Time) (payment.Transferred, error) {
	// The order of locks is that of the customer's own requests.
	if err := subscription.LockTx(ctx, tx, u.FranchiserID); err != nil {
		return payment.Transferred{}, err
	}
	p, err := b.store.proforma(ctx, tx, ` WHERE p.id = $1 FOR NO KEY UPDATE OF p`, u.ProformaID)
	if err != nil {
		return payment.Transferred{}, err
	}
	if !p.State.payable() {
		return payment.Transferred{}, b.failTx(ctx, tx, u, ErrProformaClosed.Message, now)
	}
	if p.Received+u.Amount+u.TDS+u.GSTTDS < p.Amount {
		if u.TDS+u.GSTTDS > 0 {
			return payment.Transferred{}, b.failTx(ctx, tx, u, "Deducted tax is recorded with the transfer that completes the payment. This one does not.", now)
		}
		if err := b.spendTx(ctx, tx, c, u); err != nil {
			return payment.Transferred{}, err
		}
		if err := b.doneTx(ctx, tx, u, now); err != nil {
			return payment.Transferred{}, err
		}
		return payment.Transferred{}, b.messages.OnceTx(ctx, tx, message.CustomerMessage{
			FranchiserID: p.FranchiserID, Template: message.TemplateTransferPart, About: u.ID, CreatedAt: now,
		})
	}
	done, err := b.payments.TransferTx(ctx, tx, payment.Transfer{
		FranchiserID: p.FranchiserID, OrderID: p.OrderID, UTR: c.UTR, TDS: u.TDS, GSTTDS: u.GSTTDS, Received: p.Received + u.Amount,
	}, now)
	if err != nil {
		return payment.Transferred{}, fmt.Errorf("pay proforma %s: %w", p.Number, err)
	}
	if done.Refused != "" {
		c.Note, c.FranchiserID = done.Refused, p.FranchiserID
		if err := b.store.saveCredit(ctx, tx, c); err != nil {
			return payment.Transferred{}, err
		}
		return payment.Transferred{}, b.failTx(ctx, tx, u, done.Refused, now)
	}
	if u.Amount = done.Cash - p.Received; u.Amount < 1 { // earlier parts pay all of it: the price has fallen since
		return payment.Transferred{}, fmt.Errorf("proforma %s was paid by its parts", p.Number)
	}
	if err := b.spendTx(ctx, tx, c, u); err != nil {
		return payment.Transferred{}, err
	}
	if err := b.doneTx(ctx, tx, u, now); err != nil {
		return payment.Transferred{}, err
	}
	if err := proformaStates().Move(&p.State, StatePaid); err != nil {
		return payment.Transferred{}, err
	}
	p.PaymentID, p.PaidAt = done.Payment.ID, now
	if err := b.store.saveProforma(ctx, tx, p); err != nil {
		return payment.Transferred{}, err
	}
	return done, b.recordTDSTx(ctx, tx, p, u, now)
}

// spendTx takes the amount of a use from its credit, whose customer is known from then on.
func (b *Booker) spendTx(ctx context.Context, tx *sqlx.Tx, c BankCredit, u Use) error {
	c.Used += u.Amount
	if c.FranchiserID == "" {
		c.FranchiserID = u.FranchiserID
	}
	c.Note = ""
	if c.Rest() == 0 {
		if err := creditStates().Move(&c.State, CreditUsed); err != nil {
			return err
		}
	}
	return b.store.saveCredit(ctx, tx, c)
}

// receivedAt is the account that a credit came into: a collector pays out what it took, as a gateway does.
func (c BankCredit) receivedAt() ledger.Account {
	if c.VirtualID != "" {
		return ledger.AccountGatewayClearing
	}
	return ledger.AccountBank
}

func (b *Booker) doneTx(ctx context.Context, tx *sqlx.Tx, u Use, now time.Time) error {
	if err := useStates().Move(&u.State, UseDone); err != nil {
		return err
	}
	return b.store.finishUse(ctx, tx, u, now)
}

func (b *Booker) failTx(ctx context.Context, tx *sqlx.Tx, u Use, why string, now time.Time) error {
	if err := useStates().Move(&u.State, UseFailed); err != nil {
		return err
	}
	u.Failure = why
	return b.store.finishUse(ctx, tx, u, now)
}

// again is how far back an account is read again: a collector may list a credit late.
const again = 48 * time.Hour

// Collect asks the collector what came into an account and stores what is new, each credit with the job that books it.
func (b *Booker) Collect(ctx context.Context, accountID string) error {
	if b.collector == nil {
		return nil
	}
	var v *virtual
	err := postgres.InTx(ctx, b.db, func(tx *sqlx.Tx) error {
		var err error
		v, err = b.store.virtual(ctx, tx, `WHERE collector = $1 AND external_id = $2`, b.collector.Name(), accountID)
		return err
	})
	if err != nil || v == nil {
		return err
	}
	now := b.clock.Now()
	list, err := b.collector.Credits(ctx, v.ExternalID, v.ReadUntil.Add(-again))
	if err != nil {
		return fmt.Errorf("ask for credits: %w", err)
	}
	for _, told := range list {
		if told.AccountID != v.ExternalID || told.Amount < 1 || !validUTR(CleanUTR(told.UTR)) {
			b.logger.WarnContext(ctx, "a credit is not of the account or has no number", slog.String("credit", told.ID))
			continue
		}
		err := postgres.InTx(ctx, b.db, func(tx *sqlx.Tx) error { return b.storeTx(ctx, tx, *v, told, now) })
		if err != nil && !postgres.Violates(err, pqerror.UniqueViolation, "bank_credits_utr") {
			return err
		}
	}
	return postgres.InTx(ctx, b.db, func(tx *sqlx.Tx) error { return b.store.exec(ctx, tx, "note what was read", readUntilSQL, v.ID, now) })
}

func (b *Booker) storeTx(ctx context.Context, tx *sqlx.Tx, v virtual, told Credit, now time.Time) error {
	c := BankCredit{
		ID: id.New(), Source: v.Collector, ExternalID: told.ID, VirtualID: v.ID, FranchiserID: v.FranchiserID, UTR: CleanUTR(told.UTR),
		Amount: told.Amount, PaidAt: told.PaidAt, PayerName: text.First(told.PayerName, 200), PayerAccount: text.First(told.PayerAccountMasked, 40), CreatedAt: now,
	}
	if err := creditStates().Move(&c.State, CreditOpen); err != nil {
		return err
	}
	if err := b.store.insertCredit(ctx, tx, c); err != nil {
		return err
	}
	return receiveTx(ctx, tx, b.jobs, c)
}

func receiveTx(ctx context.Context, tx *sqlx.Tx, jobs *queue.Inserter, c BankCredit) error {
	_, err := jobs.InsertTx(ctx, tx, ReceiveArgs{CreditID: c.ID}, queue.Options{
		Queue: queue.QueuePayments, Unique: true, Subject: queue.Subject{FranchiserID: c.FranchiserID},
	})
	return err
}

// Sweep asks the collector about each account with an open bill, ends bills whose order was paid otherwise or whose time is over, and
// matches open credits again.
func (b *Booker) Sweep(ctx context.Context) error {
	if err := b.closeDue(ctx); err != nil {
		return err
	}
	var accounts, credits []string
	err := postgres.InTx(ctx, b.db, func(tx *sqlx.Tx) error {
		if err := tx.SelectContext(ctx, &accounts, sweptAccountsSQL, b.clock.Now().Add(-validity)); err != nil {
			return fmt.Errorf("list accounts to ask about: %w", err)
		}
		if err := tx.SelectContext(ctx, &credits, `SELECT id FROM bank_credits WHERE state = 'open' ORDER BY paid_at LIMIT 2000`); err != nil {
			return fmt.Errorf("list open credits: %w", err)
		}
		return nil
	})
	var failed error
	for _, a := range accounts {
		if err := b.Collect(ctx, a); err != nil {
			b.logger.WarnContext(ctx, "an account was not read", log.Error(err))
			failed = err
		}
	}
	for _, c := range credits {
		if err := b.Receive(ctx, c); err != nil {
			return err
		}
	}
	return errors.Join(err, failed)
}

const (
	sweptAccountsSQL = `
		SELECT v.external_id FROM virtual_accounts v
		WHERE EXISTS (SELECT FROM proformas p WHERE p.virtual_id = v.id AND (p.state = 'open' OR p.created_at > $1)) ORDER BY v.id`
	dueSQL = `
		SELECT p.id FROM proformas p JOIN order_overview o ON o.id = p.order_id
		WHERE p.state IN ('open', 'expired') AND (o.state NOT IN ('open', 'superseded') OR p.state = 'open' AND p.valid_until <= $1)
		ORDER BY p.id LIMIT 500`
)

// closeDue ends proformas: cancelled if their order was paid or cancelled otherwise, which releases what paid part of it; else expired.
func (b *Booker) closeDue(ctx context.Context) error {
	now := b.clock.Now()
	return postgres.InTx(ctx, b.db, func(tx *sqlx.Tx) error {
		if err := b.lockTx(ctx, tx); err != nil {
			return err
		}
		var ids []string
		if err := tx.SelectContext(ctx, &ids, dueSQL, now); err != nil {
			return fmt.Errorf("list proformas to end: %w", err)
		}
		for _, proformaID := range ids {
			if err := b.closeTx(ctx, tx, proformaID, now); err != nil {
				return err
			}
		}
		return nil
	})
}

func (b *Booker) closeTx(ctx context.Context, tx *sqlx.Tx, proformaID string, now time.Time) error {
	p, err := b.store.proforma(ctx, tx, ` WHERE p.id = $1 FOR NO KEY UPDATE OF p`, proformaID)
	if err != nil {
		return err
	}
	var ended bool
	if err := tx.GetContext(ctx, &ended, `SELECT state NOT IN ('open', 'superseded') FROM order_overview WHERE id = $1`, p.OrderID); err != nil {
		return fmt.Errorf("read order of proforma: %w", err)
	}
	next := StateExpired
	if ended {
		next = StateCancelled
	}
	if err := proformaStates().Move(&p.State, next); err != nil {
		return err
	}
	if err := b.store.saveProforma(ctx, tx, p); err != nil || next == StateExpired {
		return err
	}
	parts, err := b.store.uses(ctx, tx, ` WHERE u.proforma_id = $1 AND u.state = 'done'`, p.ID)
	if err != nil {
		return err
	}
	for _, u := range parts {
		if err := b.releaseTx(ctx, tx, u, now); err != nil {
			return err
		}
	}
	return nil
}

func (b *Booker) releaseTx(ctx context.Context, tx *sqlx.Tx, u Use, now time.Time) error {
	c, err := b.store.credit(ctx, tx, ` WHERE c.id = $1 FOR UPDATE`, u.CreditID)
	if err != nil {
		return err
	}
	c.Used -= u.Amount
	c.Note = "Its order was paid or cancelled otherwise."
	if err := creditStates().Move(&c.State, CreditOpen); err != nil {
		return err
	}
	if err := b.store.saveCredit(ctx, tx, c); err != nil {
		return err
	}
	if err := useStates().Move(&u.State, UseReleased); err != nil {
		return err
	}
	return b.store.finishUse(ctx, tx, u, now)
}
