package message

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// delivery is what became of a message at one provider.
type delivery struct {
	Provider    string `db:"provider"`
	State       string `db:"state"`
	Unconfirmed int    `db:"unconfirmed"`
}

func deliveries(ctx context.Context, db *sqlx.DB, messageID string) ([]delivery, error) {
	var rows []delivery
	err := db.SelectContext(ctx, &rows, `SELECT provider, state, unconfirmed FROM sms_deliveries WHERE message_ref = $1`, messageID)
	if err != nil {
		return nil, postgres.Error(fmt.Errorf("read deliveries: %w", err))
	}
	return rows, nil
}

// A try counts as unconfirmed before it is made, so that it counts even if its process is killed. Each try waits for its own receipt.
const beginTrySQL = `
	INSERT INTO sms_deliveries (message_ref, provider, template, state, tried_at) VALUES ($1, $2, $3, 'unconfirmed', $4)
	ON CONFLICT (message_ref, provider) DO UPDATE
	SET state = 'unconfirmed', code = '', receipt_at = NULL, tries = sms_deliveries.tries + 1, unconfirmed = sms_deliveries.unconfirmed + 1,
		tried_at = $4`

func beginTry(ctx context.Context, db *sqlx.DB, m Message, provider string, now time.Time) error {
	if _, err := db.ExecContext(ctx, beginTrySQL, m.ID, provider, m.Template, now); err != nil {
		return postgres.Error(fmt.Errorf("note try: %w", err))
	}
	return nil
}

// A receipt may be quicker than the answer; it stays.
const endTrySQL = `
	UPDATE sms_deliveries SET unconfirmed = unconfirmed - CASE WHEN $3 = 'unconfirmed' THEN 0 ELSE 1 END,
		provider_ref = coalesce(nullif($5, ''), provider_ref),
		state = CASE WHEN receipt_at IS NULL THEN $3 ELSE state END, code = CASE WHEN receipt_at IS NULL THEN $4 ELSE code END
	WHERE message_ref = $1 AND provider = $2`

func endTry(ctx context.Context, db *sqlx.DB, messageID, provider, state, code, ref string) error {
	if _, err := db.ExecContext(ctx, endTrySQL, messageID, provider, state, code, ref); err != nil {
		return postgres.Error(fmt.Errorf("note outcome of try: %w", err))
	}
	return nil
}

// standing is the state of a provider: its failures in a row, their cause, and the end of its pause.
type standing struct {
	Provider  string     `db:"provider"`
	Failures  int        `db:"failures"`
	Fault     Class      `db:"fault"`
	OpenUntil *time.Time `db:"open_until"`
}

func standings(ctx context.Context, db *sqlx.DB) (map[string]standing, error) {
	var rows []standing
	if err := db.SelectContext(ctx, &rows, `SELECT provider, failures, fault, open_until FROM sms_providers`); err != nil {
		return nil, postgres.Error(fmt.Errorf("read SMS providers: %w", err))
	}
	out := make(map[string]standing, len(rows))
	for _, r := range rows {
		out[r.Provider] = r
	}
	return out, nil
}

// $4 is the end of the pause for this failure alone; without it the circuit opens after $6 failures, until $5.
const failedSQL = `
	INSERT INTO sms_providers AS p (provider, failures, fault, code, since, open_until) VALUES ($1, 1, $2, $3, $7, $4)
	ON CONFLICT (provider) DO UPDATE SET failures = p.failures + 1, fault = $2, code = $3, since = coalesce(p.since, $7),
		failed_at = clock_timestamp(),
		open_until = CASE WHEN $4::timestamptz IS NOT NULL THEN $4 WHEN p.failures + 1 >= $6 THEN $5 ELSE p.open_until END`

func providerFailed(ctx context.Context, db *sqlx.DB, f *SendError, alone *time.Time, later, now time.Time) error {
	if _, err := db.ExecContext(ctx, failedSQL, f.Provider, f.Class, f.Code, alone, later, opensAfter, now); err != nil {
		return postgres.Error(fmt.Errorf("note fault of SMS provider: %w", err))
	}
	return nil
}

func providerWorks(ctx context.Context, db *sqlx.DB, provider string) error {
	_, err := db.ExecContext(ctx, `UPDATE sms_providers SET failures = 0, fault = '', code = '', since = NULL, open_until = NULL
		WHERE provider = $1 AND failures > 0`, provider)
	if err != nil {
		return postgres.Error(fmt.Errorf("note that an SMS provider works: %w", err))
	}
	return nil
}

// claimProbe lets one of all workers try a provider again after its pause, and blocks the others until the given time.
func claimProbe(ctx context.Context, db *sqlx.DB, provider string, now, until time.Time) (bool, error) {
	done, err := db.ExecContext(ctx, `UPDATE sms_providers SET open_until = $3 WHERE provider = $1 AND open_until <= $2`, provider, now, until)
	if err != nil {
		return false, postgres.Error(fmt.Errorf("claim a try of an SMS provider: %w", err))
	}
	n, err := done.RowsAffected()
	return n == 1, err
}

// A message goes forward only, in this order, whatever comes late or twice: a row keeps the furthest it came, and nothing else.
const receiptSQL = `
	UPDATE sms_deliveries SET state = $4, code = $5, receipt_at = $6, provider_ref = coalesce(provider_ref, nullif($2, ''))
	WHERE provider = $1 AND (provider_ref = $2 OR message_ref = $3::uuid)
		AND array_position('{sent,undelivered,delivered,read}'::text[], $4) > coalesce(array_position('{sent,undelivered,delivered,read}'::text[], state), 0)
	RETURNING template`

func takeReceipt(ctx context.Context, db *sqlx.DB, provider string, r Receipt, now time.Time) (templates []string, err error) {
	var message *string
	if r.MessageID != "" {
		message = &r.MessageID
	}
	if err := db.SelectContext(ctx, &templates, receiptSQL, provider, r.Ref, message, r.state(), r.Code, now); err != nil {
		return nil, postgres.Error(fmt.Errorf("keep receipt: %w", err))
	}
	return templates, nil
}

// undeliveredText returns the id of the text that the receipt reports as undelivered, or "".
func undeliveredText(ctx context.Context, db *sqlx.DB, r Receipt) (messageID string, err error) {
	err = db.GetContext(ctx, &messageID, `SELECT coalesce((SELECT message_ref::text FROM sms_deliveries
		WHERE provider = $1 AND (provider_ref = nullif($2, '') OR message_ref = nullif($3, '')::uuid) AND template = $4 AND state = 'undelivered' LIMIT 1), '')`,
		WhatsAppProvider, r.Ref, r.MessageID, TemplateContactWhatsApp)
	if err != nil {
		return "", postgres.Error(fmt.Errorf("find an undelivered text: %w", err))
	}
	return messageID, nil
}

// Undelivered reports whether the provider took the message and could not deliver it, and the provider's code.
func Undelivered(ctx context.Context, db *sqlx.DB, messageID, provider string) (code string, undelivered bool, err error) {
	var codes []string
	err = db.SelectContext(ctx, &codes, `SELECT code FROM sms_deliveries WHERE message_ref = $1 AND provider = $2 AND state = 'undelivered'`, messageID, provider)
	if err != nil {
		return "", false, postgres.Error(fmt.Errorf("read whether a message was delivered: %w", err))
	}
	if len(codes) == 0 {
		return "", false, nil
	}
	return codes[0], true, nil
}

// SkippedProvidersTx reports, for every provider that ever failed, whether it is skipped if another one can send.
func SkippedProvidersTx(ctx context.Context, tx *sqlx.Tx) (map[string]bool, error) {
	var rows []struct {
		Provider string `db:"provider"`
		Out      bool   `db:"out"`
	}
	const leftOutSQL = `SELECT provider, failures > 0 AND open_until IS NOT NULL AS out FROM sms_providers`
	if err := tx.SelectContext(ctx, &rows, leftOutSQL); err != nil {
		return nil, fmt.Errorf("read providers: %w", err)
	}
	out := make(map[string]bool, len(rows))
	for _, r := range rows {
		out[r.Provider] = r.Out
	}
	return out, nil
}

// Purge deletes what became of messages that were sent before a moment.
func Purge(ctx context.Context, db *sqlx.DB, before time.Time) error {
	if _, err := postgres.DeleteInBatches(ctx, db, `DELETE FROM sms_deliveries WHERE tried_at < $1`, before); err != nil {
		return err
	}
	return purgeCustomerMessages(ctx, db, before)
}

// keepStaffMessagesYears is how long support sees which messages staff have sent.
const keepStaffMessagesYears = 2

// PurgeStaffMessages deletes the rows of messages that staff sent two years ago.
func PurgeStaffMessages(ctx context.Context, db *sqlx.DB, now time.Time) error {
	_, err := postgres.DeleteInBatches(ctx, db, `DELETE FROM support_messages WHERE created_at < $1`, now.AddDate(-keepStaffMessagesYears, 0, 0))
	return err
}
