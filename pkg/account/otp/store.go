package otp

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/internal/store"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
)

// The rows are locked in the order of the VALUES: the mobile's first, so that two requests for one mobile wait for each
// other there; the row for the total comes last.
const countSendsSQL = `
	INSERT INTO code_sends (subject, day, sends) VALUES ($1, $5, 1), ($2, $5, 1), ($3, $5, 1), ($4, $5, 1)
	ON CONFLICT (subject, day) DO UPDATE SET sends = code_sends.sends + 1
	RETURNING sends`

// sendsOfAll is the subject of all SMS that count towards the day's ceiling. Codes within the budget of a known browser do not count.
const sendsOfAll = "all"

// countSendsTx counts one SMS for the mobile, for the address, for the prefix and in total, and returns the counts in that order.
func countSendsTx(ctx context.Context, tx *sqlx.Tx, mobile, address, prefix, all, day string) ([]int, error) {
	var counts []int
	if err := tx.SelectContext(ctx, &counts, countSendsSQL, mobile, address, prefix, all, day); err != nil {
		return nil, fmt.Errorf("count sends: %w", err)
	}
	return counts, nil
}

const countOwnSQL = `
	INSERT INTO code_sends (subject, day, sends) VALUES ($1, $2, 1)
	ON CONFLICT (subject, day) DO UPDATE SET sends = code_sends.sends + 1
	RETURNING sends`

// countOwnTx counts one SMS against the requester's own budget.
func countOwnTx(ctx context.Context, tx *sqlx.Tx, subject, day string) (int, error) {
	var n int
	if err := tx.GetContext(ctx, &n, countOwnSQL, subject, day); err != nil {
		return 0, fmt.Errorf("count own send: %w", err)
	}
	return n, nil
}

// sends are the earlier requests for a mobile and purpose: when the last code was requested by the same browser or franchiser, and by
// anybody; and how many the browser requested within the lifetime of a sign-up.
type sends struct {
	Last      *time.Time `db:"last"`
	LastOfAny *time.Time `db:"last_of_any"`
	OfBrowser int        `db:"of_browser"`
}

const sendsSQL = `
	SELECT max(created_at) AS last_of_any,
	       max(created_at) FILTER (WHERE own) AS last,
	       count(*) FILTER (WHERE own AND browser_hash IS NOT NULL) AS of_browser
	FROM (
		SELECT created_at, browser_hash,
		       CASE WHEN $3::bytea IS NULL THEN franchiser_ref = $4 ELSE browser_hash = $3 END AS own
		FROM one_time_codes WHERE mobile = $1 AND purpose = $2 AND created_at > $5) asked`

func sendsTx(ctx context.Context, tx *sqlx.Tx, c Code, now time.Time) (sends, error) {
	var s sends
	err := tx.GetContext(ctx, &s, sendsSQL, c.Mobile, c.Purpose, c.BrowserHash, c.FranchiserRef, now.Add(-account.SignUpLife))
	if err != nil {
		return sends{}, fmt.Errorf("read last sends: %w", err)
	}
	return s, nil
}

const insertCodeSQL = `
	INSERT INTO one_time_codes
		(id, mobile, purpose, message, sign_up_id, franchiser_ref, bound_to, browser_hash, created_at, expires_at, language)
	VALUES (:id, :mobile, :purpose, :message, :sign_up_id, :franchiser_ref, :bound_to, :browser_hash, :created_at, :expires_at, :language)`

func insertCodeTx(ctx context.Context, tx *sqlx.Tx, c Code) error {
	if _, err := tx.NamedExecContext(ctx, insertCodeSQL, c); err != nil {
		return fmt.Errorf("insert code: %w", err)
	}
	return nil
}

const codeColumns = `id, mobile, purpose, message, sign_up_id, franchiser_ref, bound_to, browser_hash, created_at, expires_at,
	sent_at, used_at, language`

const latestCodeSQL = `
	SELECT ` + codeColumns + ` FROM one_time_codes c
	WHERE mobile = $1 AND purpose = $2 AND message <> 'mobile_changed'
	  AND ($3::uuid IS NULL OR franchiser_ref = $3)
	  AND ($4::bytea IS NULL OR browser_hash = $4)
	ORDER BY created_at DESC LIMIT 1`

// LatestCode returns the newest row for the mobile and purpose, of the given franchiser and browser if any. Older codes
// are worthless.
func LatestCode(ctx context.Context, q sqlx.QueryerContext, mobile string, p account.Purpose, franchiserID *string, browserHash []byte) (Code, bool, error) {
	var c Code
	ok, err := store.Found(ctx, q, &c, "read code", latestCodeSQL, mobile, p, franchiserID, browserHash)
	return c, ok, err
}

// A row is superseded once the same person has requested another code.
const outgoingSQL = `
	SELECT ` + codeColumns + `, EXISTS (
		SELECT FROM one_time_codes n
		WHERE n.mobile = c.mobile AND n.purpose = c.purpose AND n.message = c.message AND n.created_at > c.created_at
		  AND n.sign_up_id IS NOT DISTINCT FROM c.sign_up_id AND n.browser_hash IS NOT DISTINCT FROM c.browser_hash) AS superseded,
		coalesce(nullif(c.language, ''), (SELECT f.language FROM franchisers f WHERE f.id = c.franchiser_ref), '') AS reads
	FROM one_time_codes c WHERE id = $1`

// outgoing is a row on its way to the provider.
type outgoing struct {
	Code
	Superseded bool `db:"superseded"`
	// Reads is the language of the page, else of the row's franchiser.
	Reads i18n.Language `db:"reads"`
}

func outgoingByID(ctx context.Context, q sqlx.QueryerContext, id string) (outgoing, bool, error) {
	var o outgoing
	ok, err := store.Found(ctx, q, &o, "read code", outgoingSQL, id)
	return o, ok, err
}

const useCodeSQL = `UPDATE one_time_codes SET used_at = $2 WHERE id = $1 AND used_at IS NULL`

// useCodeTx marks the code as used; it returns false if another request was faster.
func useCodeTx(ctx context.Context, tx *sqlx.Tx, id string, now time.Time) (bool, error) {
	return store.Changed(ctx, tx, "use code", useCodeSQL, id, now)
}

const (
	markSentSQL   = `UPDATE one_time_codes SET sent_at = $2, send_error = NULL WHERE id = $1`
	markFailedSQL = `UPDATE one_time_codes SET send_error = $2 WHERE id = $1`
)

// One statement checks and counts, so that of any number of concurrent guesses at most the limit gets through.
const countTrySQL = `
	INSERT INTO code_attempts AS a (mobile, purpose, owner, tries, last_try_at) VALUES ($1, $2, $6, 1, $3)
	ON CONFLICT (mobile, purpose, owner) DO UPDATE SET
		tries = CASE WHEN a.last_try_at <= $4 THEN 1 ELSE a.tries + 1 END, last_try_at = $3
	WHERE a.tries < $5 OR a.last_try_at <= $4
	RETURNING tries`

// countTry counts one guess and reports whether it may be checked; it commits separately, so that a guess stays
// counted.
func countTry(ctx context.Context, db *sqlx.DB, g Guess, now time.Time) (bool, error) {
	var tries int
	return store.Found(ctx, db, &tries, "count try", countTrySQL, g.Mobile, g.Purpose, now, now.Add(-tryMemory), account.MaxCodeTries, g.owner())
}

const lastTrySQL = `SELECT last_try_at FROM code_attempts WHERE mobile = $1 AND purpose = $2 AND owner = $3`

func lastTry(ctx context.Context, db *sqlx.DB, g Guess) (time.Time, error) {
	var at time.Time
	_, err := store.Found(ctx, db, &at, "read last try", lastTrySQL, g.Mobile, g.Purpose, g.owner())
	return at, err
}

const forgetTriesSQL = `DELETE FROM code_attempts WHERE mobile = $1 AND purpose = $2 AND owner = $3`

func forgetTriesTx(ctx context.Context, tx *sqlx.Tx, g Guess) error {
	_, err := store.Changed(ctx, tx, "forget tries", forgetTriesSQL, g.Mobile, g.Purpose, g.owner())
	return err
}

const insertVerificationSQL = `
	INSERT INTO verifications (token_hash, mobile, purpose, sign_up_id, created_at, expires_at)
	VALUES ($1, $2, $3, $4, $5, $6)`

func insertVerificationTx(ctx context.Context, tx *sqlx.Tx, tokenHash []byte, c Code, now time.Time) error {
	_, err := tx.ExecContext(ctx, insertVerificationSQL, tokenHash, c.Mobile, c.Purpose, c.SignUpID, now, now.Add(account.VerificationLife))
	if err != nil {
		return fmt.Errorf("insert verification: %w", err)
	}
	return nil
}

const verificationLivesSQL = `
	SELECT true FROM verifications
	WHERE token_hash = $1 AND mobile = $2 AND purpose = $3 AND used_at IS NULL AND expires_at > $4`

// VerificationLives is the early check before costly work; takeVerificationTx decides.
func VerificationLives(ctx context.Context, q sqlx.QueryerContext, tokenHash []byte, mobile string, p account.Purpose, now time.Time) (bool, error) {
	var lives bool
	return store.Found(ctx, q, &lives, "read verification", verificationLivesSQL, tokenHash, mobile, p, now)
}

const takeVerificationSQL = `
	UPDATE verifications SET used_at = $4
	WHERE token_hash = $1 AND mobile = $2 AND purpose = $3 AND used_at IS NULL AND expires_at > $4
	RETURNING sign_up_id`

// TakeVerificationTx uses up the proof and returns the sign-up that it confirms, if any. It fails in the same way
// whether the proof is used, expired, or made for another mobile or purpose.
func TakeVerificationTx(ctx context.Context, tx *sqlx.Tx, tokenHash []byte, mobile string, p account.Purpose, now time.Time) (*string, error) {
	var signUpID *string
	ok, err := store.Found(ctx, tx, &signUpID, "take verification", takeVerificationSQL, tokenHash, mobile, p, now)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, ErrVerification()
	}
	return signUpID, nil
}

const (
	forgetAllTriesSQL = `DELETE FROM code_attempts WHERE mobile = $1`
	forgetSendsSQL    = `DELETE FROM code_sends WHERE subject = $1 AND day = $2`
)

// unlockTx resets every try of a mobile and the day's SMS counts of the subject.
func unlockTx(ctx context.Context, tx *sqlx.Tx, mobile, subject, day string) error {
	if _, err := store.Changed(ctx, tx, "forget tries", forgetAllTriesSQL, mobile); err != nil {
		return err
	}
	_, err := store.Changed(ctx, tx, "forget sends", forgetSendsSQL, subject, day)
	return err
}
