package mandate

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/subscription"
)

type store struct{}

const (
	insertMandateSQL = `
		INSERT INTO mandates (id, franchiser_id, subscription_id, gateway, method, state, transaction_id, reference, cap_paise, agreed_cap_paise, yearly, ends_on,
			agreed_ends_on, consent_version, consent_text, consented_at, poll_at, created_at)
		VALUES (:id, :franchiser_id, :subscription_id, :gateway, :method, :state, :transaction_id, :reference, :cap_paise, :agreed_cap_paise, :yearly, :ends_on,
			:agreed_ends_on, :consent_version, :consent_text, :consented_at, :poll_at, :created_at)`
	saveMandateSQL = `
		UPDATE mandates SET state = :state, reference = :reference, provider_mandate_id = :provider_mandate_id,
			provider_customer_id = :provider_customer_id, method = :method, masked = :masked, cap_paise = :cap_paise, agreed_cap_paise = :agreed_cap_paise,
			ends_on = :ends_on, agreed_ends_on = :agreed_ends_on, skipped_on = :skipped_on,
			yearly = :yearly, consent_version = :consent_version, consent_text = :consent_text, consented_at = :consented_at,
			held_at = :held_at, stop_asked_at = :stop_asked_at, reason = :reason, poll_at = :poll_at, plan_at = :plan_at,
			active_at = :active_at, ended_at = :ended_at
		WHERE franchiser_id = :franchiser_id AND id = :id`
	insertDebitSQL = `
		INSERT INTO mandate_debits (id, franchiser_id, mandate_id, subscription_id, renew_on, number, state, amount_paise, debit_at, next_at,
			notice_token, created_at)
		VALUES (:id, :franchiser_id, :mandate_id, :subscription_id, :renew_on, :number, :state, :amount_paise, :debit_at, :next_at,
			:notice_token, :created_at)
		ON CONFLICT DO NOTHING`
	saveDebitSQL = `
		UPDATE mandate_debits SET state = :state, amount_paise = :amount_paise, debit_at = :debit_at, next_at = :next_at, order_id = :order_id,
			notice_reference = :notice_reference, noticed_at = :noticed_at, payment_id = :payment_id, asked_at = :asked_at, unheard = :unheard,
			refused_at = :refused_at, cause = :cause, reason = :reason, decided_at = :decided_at
		WHERE franchiser_id = :franchiser_id AND id = :id`
)

func named(ctx context.Context, tx *sqlx.Tx, what, query string, row any) error {
	if _, err := tx.NamedExecContext(ctx, query, row); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

func (store) insertMandate(ctx context.Context, tx *sqlx.Tx, m Mandate) error {
	return named(ctx, tx, "insert mandate", insertMandateSQL, m)
}

func (store) saveMandate(ctx context.Context, tx *sqlx.Tx, m Mandate) error {
	return named(ctx, tx, "save mandate", saveMandateSQL, m)
}

// insertDebit inserts the debit and reports true, unless the renewal has a live or paid debit.
func (store) insertDebit(ctx context.Context, tx *sqlx.Tx, d DebitRow) (bool, error) {
	done, err := tx.NamedExecContext(ctx, insertDebitSQL, d)
	if err != nil {
		return false, fmt.Errorf("insert debit: %w", err)
	}
	n, err := done.RowsAffected()
	return n > 0, err //nolint:wrapcheck // the driver always knows
}

func (store) saveDebit(ctx context.Context, tx *sqlx.Tx, d DebitRow) error {
	return named(ctx, tx, "save debit", saveDebitSQL, d)
}

const mandateColumns = `id, franchiser_id, subscription_id, gateway, method, state, transaction_id, reference, provider_mandate_id,
	provider_customer_id, masked, cap_paise, agreed_cap_paise, yearly, ends_on, agreed_ends_on, consent_version, consent_text, consented_at, held_at,
	stop_asked_at, skipped_on, reason, fixed_days,
	poll_at, plan_at, created_at, active_at, ended_at`

const debitColumns = `id, franchiser_id, mandate_id, subscription_id, renew_on, number, state, amount_paise, debit_at, next_at, order_id,
	notice_token, notice_reference, noticed_at, payment_id, asked_at, unheard, refused_at, cause, reason, created_at,
	decided_at`

const (
	mandateSQL = `SELECT ` + mandateColumns + ` FROM mandates WHERE franchiser_id = $1 AND id = $2`
	currentSQL = `SELECT ` + mandateColumns + ` FROM mandates WHERE franchiser_id = $1
		ORDER BY state IN ('active', 'paused') AND stop_asked_at IS NULL DESC, created_at DESC, id DESC LIMIT 1`
	requestedSQL = `SELECT ` + mandateColumns + ` FROM mandates WHERE franchiser_id = $1 AND state = 'requested'
		ORDER BY created_at DESC, id DESC LIMIT 1`
	notEndedSQL = `SELECT ` + mandateColumns + ` FROM mandates WHERE franchiser_id = $1 AND state IN ('requested', 'active', 'paused')`
	debitSQL    = `SELECT ` + debitColumns + ` FROM mandate_debits WHERE franchiser_id = $1 AND id = $2`
	liveSQL     = `SELECT ` + debitColumns + ` FROM mandate_debits WHERE franchiser_id = $1 AND mandate_id = $2
		AND state IN ('planned', 'noticed', 'asked') ORDER BY renew_on LIMIT 1`
	liveOfRenewalSQL = `SELECT ` + debitColumns + ` FROM mandate_debits WHERE franchiser_id = $1
		AND (state = 'asked' OR renew_on = $2 AND state IN ('planned', 'noticed')) ORDER BY state = 'asked' DESC LIMIT 1`
	historySQL = `SELECT ` + debitColumns + ` FROM mandate_debits WHERE franchiser_id = $1 ORDER BY created_at DESC, id DESC LIMIT 24`
)

func one[T any](ctx context.Context, tx *sqlx.Tx, what, query string, args ...any) (*T, error) {
	var row T
	err := tx.GetContext(ctx, &row, query, args...)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil // the caller decides what this means
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", what, err)
	}
	return &row, nil
}

// mandate returns the mandate, or errs.NotFound.
func (store) mandate(ctx context.Context, tx *sqlx.Tx, franchiserID, id string) (Mandate, error) {
	m, err := one[Mandate](ctx, tx, "mandate", mandateSQL, franchiserID, id)
	if err == nil && m == nil {
		err = errs.NotFound()
	}
	if err != nil {
		return Mandate{}, err
	}
	return *m, nil
}

// current returns the mandate that debits the franchiser's renewals, else the newest mandate, or nil.
func (store) current(ctx context.Context, tx *sqlx.Tx, franchiserID string) (*Mandate, error) {
	return one[Mandate](ctx, tx, "mandate", currentSQL, franchiserID)
}

// requested returns the franchiser's unconfirmed mandate, or nil.
func (store) requested(ctx context.Context, tx *sqlx.Tx, franchiserID string) (*Mandate, error) {
	return one[Mandate](ctx, tx, "mandate", requestedSQL, franchiserID)
}

// notEnded returns the franchiser's live and requested mandates.
func (store) notEnded(ctx context.Context, tx *sqlx.Tx, franchiserID string) ([]Mandate, error) {
	var rows []Mandate
	if err := tx.SelectContext(ctx, &rows, notEndedSQL, franchiserID); err != nil {
		return nil, fmt.Errorf("read mandates: %w", err)
	}
	return rows, nil
}

// paidInPart reports whether a bank transfer has paid, or is to pay, an unpaid bill or a part of it.
func (store) paidInPart(ctx context.Context, tx *sqlx.Tx, franchiserID string) (part bool, err error) {
	if err = tx.GetContext(ctx, &part, `SELECT paid_in_part($1)`, franchiserID); err != nil {
		return false, fmt.Errorf("look for a bill that is paid in part: %w", err)
	}
	return part, nil
}

func (store) debit(ctx context.Context, tx *sqlx.Tx, franchiserID, id string) (DebitRow, error) {
	d, err := one[DebitRow](ctx, tx, "debit", debitSQL, franchiserID, id)
	if err == nil && d == nil {
		err = errs.NotFound()
	}
	if err != nil {
		return DebitRow{}, err
	}
	return *d, nil
}

// live returns the mandate's debit that has not ended, or nil.
func (store) live(ctx context.Context, tx *sqlx.Tx, m Mandate) (*DebitRow, error) {
	return one[DebitRow](ctx, tx, "debit", liveSQL, m.FranchiserID, m.ID)
}

func (store) history(ctx context.Context, tx *sqlx.Tx, franchiserID string) ([]DebitRow, error) {
	var rows []DebitRow
	if err := tx.SelectContext(ctx, &rows, historySQL, franchiserID); err != nil {
		return nil, fmt.Errorf("read debits: %w", err)
	}
	return rows, nil
}

// Taken rows cannot be taken again during the lease. If a worker dies, its steps are delayed, not lost.
const (
	takeDebitsSQL = `
		UPDATE mandate_debits SET next_at = $2 WHERE id IN (
			SELECT id FROM mandate_debits WHERE next_at <= $1 ORDER BY next_at LIMIT $3 FOR UPDATE SKIP LOCKED)
		RETURNING ` + debitColumns
	takePlansSQL = `
		UPDATE mandates SET plan_at = $2 WHERE id IN (
			SELECT id FROM mandates WHERE plan_at <= $1 ORDER BY plan_at LIMIT $3 FOR UPDATE SKIP LOCKED)
		RETURNING ` + mandateColumns
	takePollsSQL = `
		UPDATE mandates SET poll_at = $2 WHERE id IN (
			SELECT id FROM mandates WHERE poll_at <= $1 ORDER BY poll_at LIMIT $3 FOR UPDATE SKIP LOCKED)
		RETURNING ` + mandateColumns
)

func take[T any](ctx context.Context, db *sqlx.DB, query string, now time.Time, limit int) ([]T, error) {
	var rows []T
	err := postgres.InTx(ctx, db, func(tx *sqlx.Tx) error {
		if err := tx.SelectContext(ctx, &rows, query, now, now.Add(lease), limit); err != nil {
			return fmt.Errorf("take due steps: %w", err)
		}
		return nil
	})
	return rows, err
}

const forgetSQL = `UPDATE mandates SET masked = '' WHERE franchiser_id = $1 AND masked <> ''`

// forget blanks the franchiser's instruments.
func (store) forget(ctx context.Context, tx *sqlx.Tx, franchiserID string) error {
	if _, err := tx.ExecContext(ctx, forgetSQL, franchiserID); err != nil {
		return fmt.Errorf("blank the instruments of mandates: %w", err)
	}
	return nil
}

const keepReferenceSQL = `UPDATE mandates SET reference = $3 WHERE franchiser_id = $1 AND id = $2 AND reference = ''`

// keepReference stores the gateway's id of the mandate's authorisation, unless one is stored.
func (store) keepReference(ctx context.Context, tx *sqlx.Tx, m Mandate) error {
	if _, err := tx.ExecContext(ctx, keepReferenceSQL, m.FranchiserID, m.ID, m.Reference); err != nil {
		return fmt.Errorf("keep the gateway's reference of a mandate: %w", err)
	}
	return nil
}

const planAgainSQL = `UPDATE mandates SET plan_at = $3, fixed_days = $4 WHERE franchiser_id = $1 AND id = $2 AND state = 'active'`

// planAgain schedules the next look at the mandate's renewal, and saves its FixedDays.
func (store) planAgain(ctx context.Context, tx *sqlx.Tx, m Mandate, at time.Time) error {
	if _, err := tx.ExecContext(ctx, planAgainSQL, m.FranchiserID, m.ID, at, m.FixedDays); err != nil {
		return fmt.Errorf("plan the next debit: %w", err)
	}
	return nil
}

// A request that ended here without ever being active may still have been authorised.
const pollNowSQL = `UPDATE mandates SET poll_at = $3 WHERE franchiser_id = $1 AND id = $2
	AND (poll_at IS NOT NULL OR state = 'failed' AND active_at IS NULL)`

func (store) pollNow(ctx context.Context, tx *sqlx.Tx, franchiserID, id string, at time.Time) error {
	if _, err := tx.ExecContext(ctx, pollNowSQL, franchiserID, id, at); err != nil {
		return fmt.Errorf("ask about the mandate: %w", err)
	}
	return nil
}

const lastTrySQL = `SELECT ` + debitColumns + ` FROM mandate_debits WHERE franchiser_id = $1 AND mandate_id = $2 AND renew_on = $3
	AND state <> 'called_off' ORDER BY number DESC LIMIT 1`

// lastTry returns the mandate's newest debit of a renewal that was not called off, or nil.
func (store) lastTry(ctx context.Context, tx *sqlx.Tx, m Mandate, renewOn subscription.Day) (*DebitRow, error) {
	return one[DebitRow](ctx, tx, "debit", lastTrySQL, m.FranchiserID, m.ID, renewOn)
}

const failedSinceSQL = `SELECT ` + debitColumns + ` FROM mandate_debits d WHERE franchiser_id = $1 AND mandate_id = $2 AND state = 'failed'
	AND payment_id IS NOT NULL AND decided_at >= $3 AND NOT EXISTS (SELECT FROM mandate_debits p
		WHERE p.subscription_id = d.subscription_id AND p.renew_on = d.renew_on AND p.state = 'paid') ORDER BY number`

const paidLateSQL = `
	SELECT DISTINCT d.franchiser_id, d.mandate_id AS id FROM mandate_debits d JOIN payment_overview p ON p.id = d.payment_id
	WHERE d.state = 'failed' AND d.payment_id IS NOT NULL AND d.decided_at >= $1 AND p.state IN ('paid', 'refunded', 'held')
		AND NOT EXISTS (SELECT FROM mandate_debits o WHERE o.subscription_id = d.subscription_id AND o.renew_on = d.renew_on AND o.state IN ('asked', 'paid'))
	LIMIT $2`

// paidLate returns the mandates with a debit that failed after since and whose payment was captured. It omits renewals with another paid
// or undecided debit.
func (store) paidLate(ctx context.Context, db *sqlx.DB, since time.Time) ([]Mandate, error) {
	var rows []Mandate
	err := postgres.InTx(ctx, db, func(tx *sqlx.Tx) error { return tx.SelectContext(ctx, &rows, paidLateSQL, since, takeAtOnce) })
	if err != nil {
		return nil, fmt.Errorf("look for debits that were paid late: %w", err)
	}
	return rows, nil
}

const liveOfSQL = `SELECT ` + debitColumns + ` FROM mandate_debits WHERE franchiser_id = $1 AND subscription_id = $2 AND renew_on = $3
	AND state IN ('planned', 'noticed', 'asked') LIMIT 1`

// liveOf returns the renewal's debit that has not ended, by any mandate, or nil.
func (store) liveOf(ctx context.Context, tx *sqlx.Tx, d DebitRow) (*DebitRow, error) {
	return one[DebitRow](ctx, tx, "debit", liveOfSQL, d.FranchiserID, d.SubscriptionID, d.RenewOn)
}

// failedSince returns the mandate's requested debits that failed after since, of renewals that no other debit has paid.
func (store) failedSince(ctx context.Context, tx *sqlx.Tx, m Mandate, since time.Time) ([]DebitRow, error) {
	var rows []DebitRow
	if err := tx.SelectContext(ctx, &rows, failedSinceSQL, m.FranchiserID, m.ID, since); err != nil {
		return nil, fmt.Errorf("read debits that failed: %w", err)
	}
	return rows, nil
}

const findMandateSQL = `SELECT id, franchiser_id FROM find_mandate($1, $2, $3)`

// find returns the mandate that a webhook names; empty ids if it is not ours.
func (store) find(ctx context.Context, db *sqlx.DB, gateway string, h Hint) (id, franchiserID string, err error) {
	err = db.QueryRowxContext(ctx, findMandateSQL, gateway, h.MandateID, h.TransactionID).Scan(&id, &franchiserID)
	if errors.Is(err, sql.ErrNoRows) {
		return "", "", nil
	}
	if err != nil {
		return "", "", fmt.Errorf("find mandate: %w", err)
	}
	return id, franchiserID, nil
}
