package transfer

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/text"
	"github.com/franchise360/franchise360/pkg/transfer/utr"
)

// again is how far back an account is read again: a collector may list a credit late.
const again = 48 * time.Hour

// Collect fetches an account's credits from the collector and stores the new ones, each with the job that books it. A later run fetches
// the credits that this run could not read.
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
	list, failed := b.collector.Credits(ctx, v.ExternalID, v.ReadUntil.Add(-again))
	for _, told := range list {
		if told.AccountID != v.ExternalID || told.Amount < 1 {
			b.logger.WarnContext(ctx, "a credit is not of the account", slog.String("credit", told.ID))
			continue
		}
		if err := postgres.InTx(ctx, b.db, func(tx *sqlx.Tx) error { return b.storeTx(ctx, tx, *v, told, now) }); err != nil {
			return err
		}
	}
	if failed != nil {
		return fmt.Errorf("ask for credits: %w", failed)
	}
	return postgres.InTx(ctx, b.db, func(tx *sqlx.Tx) error { return b.store.exec(ctx, tx, "note what was read", readUntilSQL, v.ID, now) })
}

const (
	noteClash    = "Another transfer has the same number (UTR). Compare both with what the collector and the bank show."
	noteNoNumber = "The collector gives no number (UTR) of this transfer; its own is shown."
)

const knownSQL = `SELECT EXISTS (SELECT FROM bank_credits WHERE source = $1 AND external_id = $2) AS stored,
	bank_credit_exists($3) OR bank_return_exists($3) OR refund_transfer_exists($3) AS taken`

// storeTx stores a credit once. A credit with a duplicate UTR is still money received: it is stored for review by staff.
func (b *Booker) storeTx(ctx context.Context, tx *sqlx.Tx, v virtual, told Credit, now time.Time) error {
	c := BankCredit{
		ID: id.New(), Source: v.Collector, ExternalID: told.ID, VirtualID: v.ID, FranchiserID: v.FranchiserID, UTR: utr.Clean(told.UTR),
		Amount: told.Amount, PaidAt: told.PaidAt, PayerName: text.First(told.PayerName, 200), PayerAccount: text.First(told.PayerAccountMasked, 40), CreatedAt: now,
	}
	if !utr.ValidUTR(c.UTR) {
		c.UTR, c.Note = utr.Clean(told.ID), noteNoNumber
	}
	// One at a time for a number, as the database's own check of it.
	if err := b.store.exec(ctx, tx, "lock number", `SELECT pg_advisory_xact_lock(hashtextextended('transfer ' || $1, 0))`, c.UTR); err != nil {
		return err
	}
	var known struct {
		Stored bool `db:"stored"`
		Taken  bool `db:"taken"`
	}
	if err := tx.GetContext(ctx, &known, knownSQL, c.Source, c.ExternalID, c.UTR); err != nil {
		return fmt.Errorf("look for credit: %w", err)
	}
	if known.Stored {
		return nil
	}
	if known.Taken {
		c.Clash, c.Note = true, noteClash
	}
	if err := CreditStates().Move(&c.State, CreditOpen); err != nil {
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

// Sweep ends bills whose order was paid otherwise or whose time is over. It then fetches accounts that may receive money, longest unread
// first, and matches credits that may be certain now.
func (b *Booker) Sweep(ctx context.Context) error {
	if err := b.closeDue(ctx); err != nil {
		return err
	}
	var accounts, credits []string
	err := postgres.InTx(ctx, b.db, func(tx *sqlx.Tx) error {
		if err := tx.SelectContext(ctx, &accounts, sweptAccountsSQL, b.clock.Now().Add(-lookFor)); err != nil {
			return fmt.Errorf("list accounts to ask about: %w", err)
		}
		if err := tx.SelectContext(ctx, &credits, sweptCreditsSQL); err != nil {
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
		WHERE v.closed_at IS NULL AND EXISTS (SELECT FROM proformas p WHERE p.virtual_id = v.id AND p.created_at > $1)
		ORDER BY v.read_until, v.id LIMIT 500`
	// Only an untried credit on an account with an open bill can be certain.
	sweptCreditsSQL = `
		SELECT c.id FROM bank_credits c
		WHERE c.state = 'open' AND c.virtual_id IS NOT NULL AND NOT c.clash AND c.used_paise = 0
			AND EXISTS (SELECT FROM proformas p WHERE p.virtual_id = c.virtual_id AND p.state = 'open'
				AND NOT EXISTS (SELECT FROM bank_credit_uses u WHERE u.credit_id = c.id AND u.proforma_id = p.id))
		ORDER BY c.paid_at LIMIT 500`
	// For one customer if $3 is set, else for all.
	dueSQL = `
		SELECT p.id, order_has_ended(o.id) OR o.state = 'superseded' AND p.valid_until <= $1 OR p.created_at <= $2
			OR p.state = 'expired' AND EXISTS (SELECT FROM proformas q WHERE q.order_id = p.order_id AND q.state = 'open') AS ended
		FROM proformas p JOIN order_overview o ON o.id = p.order_id
		WHERE p.state IN ('open', 'expired') AND ($3 = '' OR p.franchiser_id = nullif($3, '')::uuid) AND (order_has_ended(o.id) OR p.state = 'open' AND p.valid_until <= $1
			OR p.state = 'expired' AND (o.state = 'superseded' OR p.created_at <= $2
				OR EXISTS (SELECT FROM proformas q WHERE q.order_id = p.order_id AND q.state = 'open')))
		ORDER BY p.id LIMIT 500`
)

// Notes on a released part of a bill.
const (
	noteEnded   = "Its order was paid, replaced or cancelled otherwise, or its time is over."
	noteReturn  = "Part of a bill; it goes back."
	noteRelease = "It was taken from a bill that is not paid: it may pay another bill of the customer, or go back."
	noteErased  = "The customer's account was erased: it goes back."
)

// closeDue ends proformas. It cancels a proforma that can no longer be paid and releases its parts; it expires the others. The proforma
// of a replaced order is cancelled when its time is over, any other ninety days after its creation.
func (b *Booker) closeDue(ctx context.Context) error {
	return postgres.InTx(ctx, b.db, func(tx *sqlx.Tx) error {
		if err := b.lockTx(ctx, tx); err != nil {
			return err
		}
		return b.closeDueTx(ctx, tx, "", b.clock.Now())
	})
}

// closeDueTx is closeDue for one customer's proformas, or for all. The caller must own the lock of transfers.
func (b *Booker) closeDueTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, now time.Time) error {
	var due []struct {
		ID    string `db:"id"`
		Ended bool   `db:"ended"`
	}
	if err := tx.SelectContext(ctx, &due, dueSQL, now, now.Add(-lookFor), franchiserID); err != nil {
		return fmt.Errorf("list proformas to end: %w", err)
	}
	for _, d := range due {
		p, err := b.store.proforma(ctx, tx, ` WHERE p.id = $1 FOR NO KEY UPDATE OF p`, d.ID)
		if err != nil {
			return err
		}
		next := StateExpired
		if d.Ended {
			next = StateCancelled
		}
		if !p.State.payable() || p.State == next { // the customer ended it first
			continue
		}
		if err := b.store.endTx(ctx, tx, p, next, noteEnded, now); err != nil {
			return err
		}
	}
	return nil
}

// endTx ends an unpaid proforma. Cancelling releases its parts.
func (s store) endTx(ctx context.Context, tx *sqlx.Tx, p Proforma, next State, why string, now time.Time) error {
	if err := ProformaStates().Move(&p.State, next); err != nil {
		return err
	}
	if err := s.saveProforma(ctx, tx, p); err != nil || next == StateExpired {
		return err
	}
	parts, err := s.uses(ctx, tx, ` WHERE u.proforma_id = $1 AND u.state = 'done'`, p.ID)
	if err != nil {
		return err
	}
	for _, u := range parts {
		if err := s.releaseTx(ctx, tx, u, why, now); err != nil {
			return err
		}
	}
	return nil
}

func (s store) releaseTx(ctx context.Context, tx *sqlx.Tx, u Use, why string, now time.Time) error {
	c, err := s.credit(ctx, tx, ` WHERE c.id = $1 FOR UPDATE`, u.CreditID)
	if err != nil {
		return err
	}
	c.Used -= u.Amount
	c.Note = why
	if c.State != CreditOpen {
		if err := CreditStates().Move(&c.State, CreditOpen); err != nil {
			return err
		}
	}
	if err := s.saveCredit(ctx, tx, c); err != nil {
		return err
	}
	if err := UseStates().Move(&u.State, UseReleased); err != nil {
		return err
	}
	return s.finishUse(ctx, tx, u, now)
}

// heldWhere selects the uses of credits that are parts of unpaid bills.
const heldWhere = ` WHERE u.credit_id = ANY ($1::uuid[]) AND u.kind = 'order' AND u.state = 'done' AND p.state IN ('open', 'expired')`

// takeBackTx releases a credit's parts of unpaid bills, and returns the updated credit.
func (b *Booker) takeBackTx(ctx context.Context, tx *sqlx.Tx, c BankCredit, parts []Use, of UseKind, now time.Time) (BankCredit, error) {
	if len(parts) == 0 {
		return c, nil
	}
	why := noteReturn
	if of == UseRelease {
		why = noteRelease
	}
	for _, u := range parts {
		if err := b.store.releaseTx(ctx, tx, u, why, now); err != nil {
			return c, err
		}
	}
	return b.store.credit(ctx, tx, ` WHERE c.id = $1 FOR UPDATE`, c.ID)
}
