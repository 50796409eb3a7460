package contact

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/i18n"
)

const decideSQL = `SELECT decide_own_newsletter($1, $2, $3, $4, $5, coalesce(proved_email(current_franchiser()), ''))`

// decideTx reports whether the transaction's franchiser may decide for the address, and did.
func decideTx(ctx context.Context, tx *sqlx.Tx, consentID, email string, yes bool, version string, now time.Time) (done bool, err error) {
	if err := tx.GetContext(ctx, &done, decideSQL, email, yes, consentID, version, now); err != nil {
		return false, fmt.Errorf("save newsletter decision: %w", err)
	}
	return done, nil
}

const askLetterSQL = `SELECT ask_newsletter_letter($1, $2, $3, $4, $5, $6, $7, $8)`

// askLetterTx reports whether the letter is to be sent.
func askLetterTx(ctx context.Context, tx *sqlx.Tx, letterID, email string, kind letterKind, version string, l i18n.Language, now, until time.Time) (send bool, err error) {
	err = tx.GetContext(ctx, &send, askLetterSQL, letterID, email, kind, version, string(l), now, until, lettersPerDay)
	if err != nil {
		return false, fmt.Errorf("ask for an e-mail about the newsletter: %w", err)
	}
	return send, nil
}

// The oldest subscription of an address names it in links, so that they stay the same.
const subscribersSQL = `
SELECT (array_agg(id ORDER BY id))[1] AS id, email, bool_or(franchiser_ref IS NOT NULL) AS known, max(confirmed_at) AS since
FROM newsletter_subscriptions WHERE subscribed AND confirmed_at IS NOT NULL GROUP BY email ORDER BY email`

// letter is an e-mail about the newsletter that was not sent. SubscriptionID is empty unless the address gets the newsletter.
type letter struct {
	ID             string        `db:"id"`
	Email          string        `db:"email"`
	Kind           letterKind    `db:"kind"`
	Language       i18n.Language `db:"language"`
	ExpiresAt      time.Time     `db:"expires_at"`
	SubscriptionID string        `db:"subscription_id"`
}

// A link to confirm is needed until it was used, a link to leave as long as the address gets the newsletter.
const waitingLetterSQL = `
SELECT w.id, w.email, w.kind, w.language, w.expires_at, w.subscription_id FROM (
    SELECT l.id, l.email, l.kind, l.language, l.expires_at, coalesce((SELECT s.id::text FROM newsletter_subscriptions s
        WHERE s.email = l.email AND s.subscribed AND s.confirmed_at IS NOT NULL ORDER BY s.id LIMIT 1), '') AS subscription_id
    FROM newsletter_letters l WHERE l.id = $1 AND l.sent_at IS NULL AND l.confirmed_at IS NULL) w
WHERE w.kind = 'confirm' OR w.subscription_id <> ''`
