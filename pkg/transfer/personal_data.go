package transfer

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// PersonalData exports proformas and transfers, and erases their data that no law requires us to keep.
type PersonalData struct {
	jobs  *queue.Inserter
	clock clock.Clock
}

// NewPersonalData returns the personal data of transfers.
func NewPersonalData(jobs *queue.Inserter, clk clock.Clock) PersonalData {
	return *wiring.Complete(&PersonalData{jobs: jobs, clock: clk})
}

// exportedProforma and exportedCredit are rows of a data export; amounts are decimal rupees.
type exportedProforma struct {
	Number     string     `json:"number"`
	Title      string     `json:"bought"`
	Amount     string     `json:"amount"`
	State      State      `json:"state"`
	PONumber   string     `json:"po_number,omitempty"`
	Recipient  string     `json:"recipient,omitempty"`
	Address    []string   `json:"address,omitempty"`
	GSTIN      string     `json:"gstin,omitempty"`
	Account    string     `json:"account_number"`
	ToldUTR    string     `json:"told_utr,omitempty"`
	CreatedAt  time.Time  `json:"created_at"`
	ValidUntil time.Time  `json:"valid_until"`
	PaidAt     *time.Time `json:"paid_at,omitempty"`
}

type exportedCredit struct {
	UTR          string    `json:"utr"`
	Amount       string    `json:"amount"`
	Used         string    `json:"used"`
	PaidAt       time.Time `json:"paid_at"`
	PayerName    string    `json:"payer_name,omitempty"`
	PayerAccount string    `json:"payer_account,omitempty"`
	Narration    string    `json:"narration,omitempty"`
}

// ExportTx returns the franchiser's proformas and transfers in the section "bank_transfers", or nil without any.
func (PersonalData) ExportTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (section string, data any, err error) {
	section = "bank_transfers"
	bills, err := store{}.proformas(ctx, tx, ` WHERE p.franchiser_id = $1 ORDER BY p.created_at, p.id`, franchiserID)
	if err != nil {
		return section, nil, err
	}
	credits, err := store{}.credits(ctx, tx, ` WHERE c.franchiser_ref = $1 ORDER BY c.paid_at, c.id`, franchiserID)
	if err != nil || len(bills)+len(credits) == 0 {
		return section, nil, err
	}
	out := struct {
		Proformas []exportedProforma `json:"proformas"`
		Transfers []exportedCredit   `json:"transfers"`
	}{[]exportedProforma{}, []exportedCredit{}}
	for _, p := range bills {
		to := p.Document.Recipient
		e := exportedProforma{
			Number: p.Number, Title: p.Title, Amount: p.Amount.Decimal(), State: p.State, PONumber: p.PONumber, Recipient: to.Name, Address: to.Address,
			GSTIN: to.GSTIN, Account: p.Account.Number, ToldUTR: p.ToldUTR, CreatedAt: p.CreatedAt, ValidUntil: p.ValidUntil,
		}
		if !p.PaidAt.IsZero() {
			e.PaidAt = &p.PaidAt
		}
		out.Proformas = append(out.Proformas, e)
	}
	for _, c := range credits {
		out.Transfers = append(out.Transfers, exportedCredit{
			c.UTR, c.Amount.Decimal(), c.Used.Decimal(), c.PaidAt, c.PayerName, c.PayerAccount, c.Narration,
		})
	}
	return section, out, nil
}

const (
	// The law requires us to keep a paid bill and its transfers with the invoice (section 36, CGST Act 2017). The payer of an unused credit
	// is kept until the money is returned.
	eraseProformasSQL = `
		UPDATE proformas SET po_number = '', told_utr = '', told_at = NULL, object_key = '', document = jsonb_set(document, '{recipient}', '{}'),
			account = jsonb_set(account, '{beneficiary}', '""')
		WHERE franchiser_id = $1 AND state <> 'paid'`
	eraseCreditsSQL = `
		UPDATE bank_credits c SET payer_name = '', payer_account = '', narration = ''
		WHERE c.franchiser_ref = $1 AND c.state <> 'open' AND NOT EXISTS (
			SELECT FROM bank_credit_uses u JOIN proformas p ON p.id = u.proforma_id WHERE u.credit_id = c.id AND u.state = 'done' AND p.state IN ('paid', 'open', 'expired'))`
	openAccountsSQL = `SELECT external_id FROM virtual_accounts WHERE franchiser_id = $1 AND closed_at IS NULL`
	closedSQL       = `UPDATE virtual_accounts SET closed_at = $3, beneficiary = 'Erased' WHERE collector = $1 AND external_id = $2`
)

// EraseTx ends unpaid proformas and releases their parts for a return. It blanks these proformas and the payers of credits that paid no
// bill, and schedules the closing of the accounts at the collector.
func (r PersonalData) EraseTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) error {
	unpaid, err := store{}.proformas(ctx, tx, ` WHERE p.franchiser_id = $1 AND p.state IN ('open', 'expired') FOR NO KEY UPDATE OF p`, franchiserID)
	if err != nil {
		return err
	}
	for _, p := range unpaid {
		if err := (store{}).endTx(ctx, tx, p, StateCancelled, noteErased, r.clock.Now()); err != nil {
			return err
		}
	}
	if err := (store{}).exec(ctx, tx, "erase proformas", eraseProformasSQL, franchiserID); err != nil {
		return err
	}
	if err := (store{}).exec(ctx, tx, "erase payers", eraseCreditsSQL, franchiserID); err != nil {
		return err
	}
	var accounts []string
	if err := tx.SelectContext(ctx, &accounts, openAccountsSQL, franchiserID); err != nil {
		return fmt.Errorf("list account numbers to close: %w", err)
	}
	for _, a := range accounts {
		if _, err := r.jobs.InsertTx(ctx, tx, CloseArgs{AccountID: a}, queue.Options{Queue: queue.QueuePayments, Unique: true}); err != nil {
			return err
		}
	}
	return nil
}

// MoveTx does nothing: transfers contain no mobile number.
func (PersonalData) MoveTx(context.Context, *sqlx.Tx, string, string) error { return nil }

// Close closes an account at the collector after storing its latest credits.
func (b *Booker) Close(ctx context.Context, accountID string) error {
	if b.collector == nil {
		return fmt.Errorf("no collector is configured that could close account %s", accountID)
	}
	if err := b.Collect(ctx, accountID); err != nil {
		return err
	}
	if err := b.collector.Close(ctx, accountID); err != nil {
		return fmt.Errorf("close account: %w", err)
	}
	return postgres.InTx(ctx, b.db, func(tx *sqlx.Tx) error {
		return b.store.exec(ctx, tx, "note account as closed", closedSQL, b.collector.Name(), accountID, b.clock.Now())
	})
}
