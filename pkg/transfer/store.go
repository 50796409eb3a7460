package transfer

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/staff/approval"
)

type store struct{}

const (
	proformaSQL = `
		SELECT p.id, p.franchiser_id, p.order_id, p.number, p.state, p.po_number, p.amount_paise, p.taxable_paise, p.title, p.document, p.account,
			coalesce(p.virtual_id::text, '') AS virtual_id, p.told_utr, p.told_at, p.told_count, p.valid_until, p.object_key,
			coalesce(p.payment_id::text, '') AS payment_id, p.paid_at, p.created_at, p.cancelled_by, r.received, r.tds, r.gst_tds, r.busy,
			p.state IN ('open', 'expired') AND order_has_ended(p.order_id) AS ended,
			(SELECT coalesce(sum(c.amount_paise - c.used_paise), 0)::bigint FROM bank_credits c WHERE c.state = 'open' AND c.id IN (
				SELECT u.credit_id FROM bank_credit_uses u WHERE u.proforma_id = p.id AND u.state = 'done')) AS over,
			(SELECT coalesce(sum(c.amount_paise), 0)::bigint FROM bank_credits c
				WHERE c.virtual_id = p.virtual_id AND c.state = 'open' AND c.used_paise = 0 AND p.state IN ('open', 'expired')) AS unassigned
		FROM proformas p CROSS JOIN LATERAL (
			SELECT coalesce(sum(u.amount_paise) FILTER (WHERE u.state = 'done'), 0)::bigint AS received,
				coalesce(sum(u.tds_paise) FILTER (WHERE u.state = 'done'), 0)::bigint AS tds,
				coalesce(sum(u.gst_tds_paise) FILTER (WHERE u.state = 'done'), 0)::bigint AS gst_tds,
				coalesce(bool_or(u.state IN ('waiting', 'requested')), false) AS busy
			FROM bank_credit_uses u WHERE u.proforma_id = p.id) r`
	insertProformaSQL = `
		INSERT INTO proformas (id, franchiser_id, order_id, number, state, po_number, amount_paise, taxable_paise, title, document, account,
			virtual_id, valid_until, created_at, told_utr, told_at, told_count)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, nullif($12, '')::uuid, $13, $14, $15, $16, $17)`
	nextNumberSQL = `
		INSERT INTO proforma_counters (financial_year, last) VALUES ($1, 1)
		ON CONFLICT (financial_year) DO UPDATE SET last = proforma_counters.last + 1 RETURNING last`
	tellUTRSQL      = `UPDATE proformas SET told_utr = $3, told_at = $4, told_count = told_count + 1 WHERE franchiser_id = $1 AND id = $2`
	replacedSQL     = `UPDATE proformas SET state = $2 WHERE id = $1 AND state = 'open'`
	saveProformaSQL = `UPDATE proformas SET state = $2, payment_id = nullif($3, '')::uuid, paid_at = $4 WHERE id = $1`
	proformaOpenSQL = `SELECT EXISTS (SELECT FROM proformas WHERE franchiser_id = $1 AND state = 'open')`
	printedSQL      = `UPDATE proformas SET object_key = $2 WHERE id = $1 AND object_key = ''`
)

type proformaRow struct {
	ID           string       `db:"id"`
	FranchiserID string       `db:"franchiser_id"`
	OrderID      string       `db:"order_id"`
	Number       string       `db:"number"`
	State        State        `db:"state"`
	PONumber     string       `db:"po_number"`
	Amount       money.Paise  `db:"amount_paise"`
	Taxable      money.Paise  `db:"taxable_paise"`
	Title        string       `db:"title"`
	Document     []byte       `db:"document"`
	Account      []byte       `db:"account"`
	VirtualID    string       `db:"virtual_id"`
	ToldUTR      string       `db:"told_utr"`
	ToldAt       sql.NullTime `db:"told_at"`
	ToldCount    int          `db:"told_count"`
	ValidUntil   time.Time    `db:"valid_until"`
	ObjectKey    string       `db:"object_key"`
	PaymentID    string       `db:"payment_id"`
	PaidAt       sql.NullTime `db:"paid_at"`
	CreatedAt    time.Time    `db:"created_at"`
	Received     money.Paise  `db:"received"`
	TDS          money.Paise  `db:"tds"`
	GSTTDS       money.Paise  `db:"gst_tds"`
	Over         money.Paise  `db:"over"`
	Unassigned   money.Paise  `db:"unassigned"`
	Busy         bool         `db:"busy"`
	Ended        bool         `db:"ended"`
	CancelledBy  string       `db:"cancelled_by"`
}

func (r proformaRow) proforma() (Proforma, error) {
	p := Proforma{
		ID: r.ID, FranchiserID: r.FranchiserID, OrderID: r.OrderID, Number: r.Number, State: r.State, PONumber: r.PONumber, Amount: r.Amount,
		Taxable: r.Taxable, Title: r.Title, VirtualID: r.VirtualID, ToldUTR: r.ToldUTR, ToldAt: r.ToldAt.Time.UTC(), ToldCount: r.ToldCount,
		ValidUntil: r.ValidUntil.UTC(), ObjectKey: r.ObjectKey, PaymentID: r.PaymentID, PaidAt: r.PaidAt.Time.UTC(),
		CreatedAt: r.CreatedAt.UTC(), Received: r.Received, TDS: r.TDS, GSTTDS: r.GSTTDS, Over: r.Over, Unassigned: r.Unassigned, Busy: r.Busy, Ended: r.Ended,
		CancelledBy: r.CancelledBy,
	}
	if err := json.Unmarshal(r.Document, &p.Document); err != nil {
		return p, fmt.Errorf("read proforma: %w", err)
	}
	if err := json.Unmarshal(r.Account, &p.Account); err != nil {
		return p, fmt.Errorf("read account of proforma: %w", err)
	}
	return p, nil
}

func (store) proformas(ctx context.Context, tx *sqlx.Tx, where string, args ...any) ([]Proforma, error) {
	var rows []proformaRow
	if err := tx.SelectContext(ctx, &rows, proformaSQL+where, args...); err != nil {
		return nil, fmt.Errorf("list proformas: %w", err)
	}
	list := make([]Proforma, 0, len(rows))
	for _, r := range rows {
		p, err := r.proforma()
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

// proforma returns one proforma, or errs.NotFound.
func (s store) proforma(ctx context.Context, tx *sqlx.Tx, where string, args ...any) (Proforma, error) {
	list, err := s.proformas(ctx, tx, where, args...)
	if err == nil && len(list) == 0 {
		return Proforma{}, errs.NotFound()
	}
	if err != nil {
		return Proforma{}, err
	}
	return list[0], nil
}

// nextNumber takes the next number of the financial year. It must be the last lock that a transaction takes.
func (store) nextNumber(ctx context.Context, tx *sqlx.Tx, at time.Time) (string, error) {
	year := invoice.FinancialYear(at)
	var sequence int64
	if err := tx.GetContext(ctx, &sequence, nextNumberSQL, year); err != nil {
		return "", fmt.Errorf("number proforma: %w", err)
	}
	return invoice.FormatNumber(seriesProforma, year, sequence)
}

func (store) insertProforma(ctx context.Context, tx *sqlx.Tx, p Proforma) error {
	document, err := json.Marshal(p.Document)
	if err != nil {
		return fmt.Errorf("write proforma: %w", err)
	}
	account, err := json.Marshal(p.Account)
	if err != nil {
		return fmt.Errorf("write account of proforma: %w", err)
	}
	_, err = tx.ExecContext(ctx, insertProformaSQL, p.ID, p.FranchiserID, p.OrderID, p.Number, string(p.State), p.PONumber, p.Amount, p.Taxable,
		p.Title, string(document), string(account), p.VirtualID, p.ValidUntil, p.CreatedAt, p.ToldUTR, nullTime(p.ToldAt), p.ToldCount)
	if err != nil {
		return fmt.Errorf("insert proforma: %w", err)
	}
	return nil
}

func (store) exec(ctx context.Context, tx *sqlx.Tx, what, query string, args ...any) error {
	if _, err := tx.ExecContext(ctx, query, args...); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

func (s store) saveProforma(ctx context.Context, tx *sqlx.Tx, p Proforma) error {
	return s.exec(ctx, tx, "save proforma", saveProformaSQL, p.ID, string(p.State), p.PaymentID, nullTime(p.PaidAt))
}

func nullTime(t time.Time) sql.NullTime { return sql.NullTime{Time: t, Valid: !t.IsZero()} }

// virtual is a customer's account at the collector.
type virtual struct {
	ID           string    `db:"id"`
	FranchiserID string    `db:"franchiser_id"`
	Collector    string    `db:"collector"`
	ExternalID   string    `db:"external_id"`
	Number       string    `db:"number"`
	IFSC         string    `db:"ifsc"`
	Beneficiary  string    `db:"beneficiary"`
	ReadUntil    time.Time `db:"read_until"`
}

func (v virtual) account() Account {
	return Account{ID: v.ExternalID, Number: v.Number, IFSC: v.IFSC, Beneficiary: v.Beneficiary}
}

const (
	virtualSQL = `SELECT id, franchiser_id, collector, external_id, number, ifsc, beneficiary, read_until FROM virtual_accounts `
	// Two requests may open the account at once; the collector returns the same account.
	insertVirtualSQL = `
		INSERT INTO virtual_accounts (id, franchiser_id, collector, external_id, number, ifsc, beneficiary, read_until, checked_at, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $8) ON CONFLICT (collector, external_id) DO UPDATE SET checked_at = EXCLUDED.checked_at`
	readUntilSQL = `UPDATE virtual_accounts SET read_until = greatest(read_until, $2) WHERE id = $1`
)

// virtual returns an account, or nil.
func (store) virtual(ctx context.Context, tx *sqlx.Tx, where string, args ...any) (*virtual, error) {
	var v virtual
	err := tx.GetContext(ctx, &v, virtualSQL+where, args...)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil // the caller opens one
	}
	if err != nil {
		return nil, fmt.Errorf("read virtual account: %w", err)
	}
	return &v, nil
}

const (
	creditSQL = `
		SELECT c.id, c.source, c.external_id, coalesce(c.virtual_id::text, '') AS virtual_id, coalesce(c.franchiser_ref::text, '') AS franchiser_ref,
			c.utr, c.amount_paise, c.used_paise, c.paid_at, c.payer_name, c.payer_account, c.narration, c.state, c.note, c.clash,
			coalesce(c.entered_by::text, '') AS entered_by, c.created_at
		FROM bank_credits c`
	insertCreditSQL = `
		INSERT INTO bank_credits (id, source, external_id, virtual_id, franchiser_ref, utr, amount_paise, paid_at, payer_name, payer_account,
			narration, state, entered_by, created_at, note, clash)
		VALUES ($1, $2, $3, nullif($4, '')::uuid, nullif($5, '')::uuid, $6, $7, $8, $9, $10, $11, $12, nullif($13, '')::uuid, $14, $15, $16)`
	saveCreditSQL = `
		UPDATE bank_credits SET used_paise = $2, state = $3, franchiser_ref = nullif($4, '')::uuid, note = $5 WHERE id = $1`
)

type creditRow struct {
	ID           string      `db:"id"`
	Source       string      `db:"source"`
	ExternalID   string      `db:"external_id"`
	VirtualID    string      `db:"virtual_id"`
	FranchiserID string      `db:"franchiser_ref"`
	UTR          string      `db:"utr"`
	Amount       money.Paise `db:"amount_paise"`
	Used         money.Paise `db:"used_paise"`
	PaidAt       time.Time   `db:"paid_at"`
	PayerName    string      `db:"payer_name"`
	PayerAccount string      `db:"payer_account"`
	Narration    string      `db:"narration"`
	State        CreditState `db:"state"`
	Note         string      `db:"note"`
	Clash        bool        `db:"clash"`
	EnteredBy    string      `db:"entered_by"`
	CreatedAt    time.Time   `db:"created_at"`
}

func (r creditRow) credit() BankCredit {
	return BankCredit{
		ID: r.ID, Source: r.Source, ExternalID: r.ExternalID, VirtualID: r.VirtualID, FranchiserID: r.FranchiserID, UTR: r.UTR, Amount: r.Amount,
		Used: r.Used, PaidAt: r.PaidAt.UTC(), PayerName: r.PayerName, PayerAccount: r.PayerAccount, Narration: r.Narration, State: r.State,
		Note: r.Note, Clash: r.Clash, EnteredBy: r.EnteredBy, CreatedAt: r.CreatedAt.UTC(),
	}
}

func (store) credits(ctx context.Context, tx *sqlx.Tx, where string, args ...any) ([]BankCredit, error) {
	var rows []creditRow
	if err := tx.SelectContext(ctx, &rows, creditSQL+where, args...); err != nil {
		return nil, fmt.Errorf("list bank credits: %w", err)
	}
	list := make([]BankCredit, 0, len(rows))
	for _, r := range rows {
		list = append(list, r.credit())
	}
	return list, nil
}

// credit returns one credit, or errs.NotFound.
func (s store) credit(ctx context.Context, tx *sqlx.Tx, where string, args ...any) (BankCredit, error) {
	list, err := s.credits(ctx, tx, where, args...)
	if err == nil && len(list) == 0 {
		return BankCredit{}, errs.NotFound()
	}
	if err != nil {
		return BankCredit{}, err
	}
	return list[0], nil
}

func (s store) insertCredit(ctx context.Context, tx *sqlx.Tx, c BankCredit) error {
	return s.exec(ctx, tx, "insert bank credit", insertCreditSQL, c.ID, c.Source, c.ExternalID, c.VirtualID, c.FranchiserID, c.UTR, c.Amount,
		c.PaidAt, c.PayerName, c.PayerAccount, c.Narration, string(c.State), c.EnteredBy, c.CreatedAt, c.Note, c.Clash)
}

func (s store) saveCredit(ctx context.Context, tx *sqlx.Tx, c BankCredit) error {
	return s.exec(ctx, tx, "save bank credit", saveCreditSQL, c.ID, c.Used, string(c.State), c.FranchiserID, c.Note)
}

const (
	useSQL = `
		SELECT u.id, u.credit_id, u.kind, coalesce(u.franchiser_ref::text, '') AS franchiser_ref, coalesce(u.proforma_id::text, '') AS proforma_id,
			coalesce(p.number, '') AS number, u.amount_paise, u.tds_paise, u.tds_rate_bps, u.gst_tds_paise, u.utr, u.state, u.reason, u.key,
			coalesce(u.requested_by::text, '') AS requested_by, coalesce(a.name, '') AS requested_by_name, u.requested_at,
			coalesce(u.decided_by::text, '') AS decided_by, coalesce(b.name, '') AS decided_by_name, u.failure
		FROM bank_credit_uses u LEFT JOIN proformas p ON p.id = u.proforma_id
			LEFT JOIN staff_overview a ON a.id = u.requested_by LEFT JOIN staff_overview b ON b.id = u.decided_by`
	insertUseSQL = `
		INSERT INTO bank_credit_uses (id, credit_id, kind, franchiser_ref, proforma_id, amount_paise, tds_paise, tds_rate_bps, gst_tds_paise, utr,
			state, reason, key, requested_by, requested_at)
		VALUES ($1, $2, $3, nullif($4, '')::uuid, nullif($5, '')::uuid, $6, $7, $8, $9, $10, $11, $12, $13, nullif($14, '')::uuid, $15)`
	decideUseSQL = `UPDATE bank_credit_uses SET state = $2, decided_by = $3, decided_at = $4, decision_reason = $5 WHERE id = $1 AND state = 'waiting'`
	finishUseSQL = `UPDATE bank_credit_uses SET state = $2, amount_paise = $3, failure = $4, finished_at = $5 WHERE id = $1`
)

func (store) uses(ctx context.Context, tx *sqlx.Tx, where string, args ...any) ([]Use, error) {
	list := []Use{}
	if err := tx.SelectContext(ctx, &list, useSQL+where, args...); err != nil {
		return nil, fmt.Errorf("list uses of credits: %w", err)
	}
	return list, nil
}

// use returns one use, or errs.NotFound.
func (s store) use(ctx context.Context, tx *sqlx.Tx, where string, args ...any) (Use, error) {
	list, err := s.uses(ctx, tx, where, args...)
	if err == nil && len(list) == 0 {
		return Use{}, errs.NotFound()
	}
	if err != nil {
		return Use{}, err
	}
	return list[0], nil
}

func (s store) insertUse(ctx context.Context, tx *sqlx.Tx, u Use) error {
	return s.exec(ctx, tx, "insert use of credit", insertUseSQL, u.ID, u.CreditID, string(u.Kind), u.FranchiserID, u.ProformaID, u.Amount, u.TDS,
		u.RateBps, u.GSTTDS, u.UTR, string(u.State), u.Reason, u.Key, u.RequestedBy, u.RequestedAt)
}

// decideUse stores a decision, or returns approval.ErrDecided if another person decided first.
func (store) decideUse(ctx context.Context, tx *sqlx.Tx, u Use, by, reason string, now time.Time) error {
	done, err := tx.ExecContext(ctx, decideUseSQL, u.ID, string(u.State), by, now, reason)
	if err != nil {
		return fmt.Errorf("decide use of credit: %w", err)
	}
	if n, err := done.RowsAffected(); err == nil && n == 0 {
		return approval.ErrDecided
	}
	return nil
}

func (s store) finishUse(ctx context.Context, tx *sqlx.Tx, u Use, now time.Time) error {
	return s.exec(ctx, tx, "finish use of credit", finishUseSQL, u.ID, string(u.State), u.Amount, u.Failure, now)
}

// ProformaOpenTx reports whether the franchiser has a proforma that can still be paid.
func ProformaOpenTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (open bool, err error) {
	if err := tx.GetContext(ctx, &open, proformaOpenSQL, franchiserID); err != nil {
		return false, fmt.Errorf("look for an open proforma: %w", err)
	}
	return open, nil
}
