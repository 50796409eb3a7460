package contact_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/contact"
)

// As the privacy policy promises, requests are deleted after two years, and an address three years after it unsubscribed. Subscribers keep
// the record of their consent.
func TestRetention_RequestsAndUnsubscribedAddresses_AreDeleted(t *testing.T) {
	t.Parallel()
	inbox := openNewsletter(t)
	db, clk := inbox.db, inbox.clock
	start := clk.Now()
	_, err := inbox.Submit(t.Context(), "", left("asha@example.in", "", "When do you open in Pune?"))
	require.NoError(t, err)
	for _, email := range []string{"asha@example.in", "ravi@example.in", "meera@example.in"} {
		inbox.join(t, email)
	}
	for _, email := range []string{"asha@example.in", "ravi@example.in"} {
		require.NoError(t, inbox.Leave(t.Context(), inbox.askToLeave(t, email)[0]))
	}
	clk.Advance(time.Hour)
	inbox.join(t, "ravi@example.in")
	_, err = inbox.Submit(t.Context(), "", left("ravi@example.in", "", "Do you deliver to Nashik?"))
	require.NoError(t, err)

	kept := func(now time.Time, table string) (emails []string) {
		require.NoError(t, contact.Purge(t.Context(), db.Worker, now))
		require.NoError(t, db.Owner.Select(&emails, `SELECT DISTINCT email FROM `+table+` ORDER BY email`))
		return emails
	}
	all := []string{"asha@example.in", "meera@example.in", "ravi@example.in"}
	require.Equal(t, []string{"asha@example.in", "ravi@example.in"}, kept(start.AddDate(2, 0, 0), "contact_requests"), "two years to the day")
	require.Equal(t, []string{"ravi@example.in"}, kept(start.AddDate(2, 0, 0).Add(time.Minute), "contact_requests"))
	require.Equal(t, all, kept(start.AddDate(3, 0, 0), "newsletter_consents"))
	later := start.AddDate(3, 0, 0).Add(time.Minute)
	require.Equal(t, all[1:], kept(later, "newsletter_consents"), "whoever came back keeps both decisions")
	require.Equal(t, all[1:], kept(later, "newsletter_subscriptions"))
	var decisions int
	require.NoError(t, db.Owner.Get(&decisions, `SELECT count(*) FROM newsletter_consents`))
	require.Equal(t, 4, decisions)
	require.ErrorContains(t, contact.Purge(t.Context(), db.API, later), "permission denied", "the api deletes none")
}
