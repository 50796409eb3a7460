package contact

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// The privacy policy promises both periods (web/src/content/legal/privacy.md).
const (
	keepRequestsYears  = 2
	keepWithdrawnYears = 3
	// keepArrived is how long a message waits that could not be put into a request: staff see its job.
	keepArrived = 30 * 24 * time.Hour
)

const (
	// The person may write again for years: the last message counts.
	purgeRequestsSQL = `DELETE FROM contact_requests WHERE created_at < $1 AND wrote_at < $1`
	purgeUploadsSQL  = `DELETE FROM contact_files WHERE entry_id IS NULL AND created_at < $1`
	purgeInboundSQL  = `DELETE FROM contact_inbound WHERE received_at < $1`
	// Decisions are kept as long as the last one about their address holds, and for a while after a withdrawal.
	purgeConsentsSQL = `DELETE FROM newsletter_consents WHERE EXISTS (
		SELECT FROM newsletter_subscriptions s WHERE s.email = newsletter_consents.email
			AND s.franchiser_ref IS NOT DISTINCT FROM newsletter_consents.franchiser_ref AND (NOT s.subscribed OR s.confirmed_at IS NULL) AND s.updated_at < $1)`
	// What was never confirmed gets no newsletter, and goes as if it had left.
	purgeSubscriptionsSQL = `DELETE FROM newsletter_subscriptions WHERE (NOT subscribed OR confirmed_at IS NULL) AND updated_at < $1`
	purgeLettersSQL       = `DELETE FROM newsletter_letters WHERE expires_at < $1`
)

// Purge deletes contact requests, answered or not, two years after their last message, uploads that were not sent, and newsletter records three years after the address
// was withdrawn, or was given without proof. Unconfirmed links go when they expire.
func Purge(ctx context.Context, db *sqlx.DB, now time.Time) error {
	if _, err := postgres.DeleteInBatches(ctx, db, purgeRequestsSQL, now.AddDate(-keepRequestsYears, 0, 0)); err != nil {
		return err
	}
	for _, one := range []struct {
		statement string
		before    time.Time
	}{{purgeLettersSQL, now}, {purgeUploadsSQL, now.Add(-keepUnsent)}, {purgeInboundSQL, now.Add(-keepArrived)}} {
		if _, err := postgres.DeleteInBatches(ctx, db, one.statement, one.before); err != nil {
			return err
		}
	}
	withdrawn := now.AddDate(-keepWithdrawnYears, 0, 0)
	if _, err := postgres.DeleteInBatches(ctx, db, purgeConsentsSQL, withdrawn); err != nil {
		return err
	}
	_, err := postgres.DeleteInBatches(ctx, db, purgeSubscriptionsSQL, withdrawn)
	return err
}
