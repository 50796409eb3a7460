package contact_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/contact"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/console"
)

// newsletter is the newsletter with its mail server.
type newsletter struct {
	*contact.Service
	db     *testkit.Database
	clock  *clock.Fake
	sender *message.RowSender
	box    *console.Texts
}

func openNewsletter(t *testing.T) *newsletter {
	t.Helper()
	n := &newsletter{db: testkit.NewDatabase(t), clock: testkit.NewClock(), box: &console.Texts{}}
	keys, site := testkit.NewKeyring(t), message.Site{Host: "localhost", URL: "http://localhost"}
	n.Service = contact.NewService(n.db.API, testkit.NewInserter(t, n.db.API), n.clock, keys, hours(), true)
	n.sender = contact.NewNewsletterSender(n.db.Worker, message.NewOutbox(message.OutboxOptions{
		SMS: n.box, Site: site, Clock: n.clock, Email: n.box, Logger: testkit.NewLogger(t),
	}), n.clock, keys, site.URL)
	return n
}

// send sends the letters that wait, and returns the tokens of their links.
func (n *newsletter) send(t *testing.T) (tokens []string) {
	t.Helper()
	var letters []string
	require.NoError(t, n.db.Owner.Select(&letters, `SELECT args ->> 'letter_id' FROM river_job WHERE kind = 'send_newsletter_link' ORDER BY id`))
	before := len(n.box.Sent)
	for _, letterID := range letters {
		require.NoError(t, n.sender.Send(t.Context(), letterID))
	}
	for _, sent := range n.box.Sent[before:] {
		found := regexp.MustCompile(`/(newsletter/confirm|unsubscribe)#([A-Za-z0-9_-]{38})`).FindStringSubmatch(sent.Text)
		require.Len(t, found, 3, sent.Text)
		tokens = append(tokens, found[2])
	}
	return tokens
}

// ask requests the newsletter as a visitor, and returns the tokens that were sent.
func (n *newsletter) ask(t *testing.T, email string) []string {
	t.Helper()
	done, err := n.Subscribe(t.Context(), "", email, true, "2026-11", "")
	require.NoError(t, err)
	require.False(t, done)
	return n.send(t)
}

// join subscribes an address as its holder does.
func (n *newsletter) join(t *testing.T, email string) {
	t.Helper()
	tokens := n.ask(t, email)
	require.Len(t, tokens, 1)
	require.NoError(t, n.Confirm(t.Context(), tokens[0]))
}

// askToLeave requests an unsubscribe link as a visitor, and returns the tokens that were sent.
func (n *newsletter) askToLeave(t *testing.T, email string) []string {
	t.Helper()
	done, err := n.Unsubscribe(t.Context(), "", email, "")
	require.NoError(t, err)
	require.False(t, done)
	return n.send(t)
}

func (n *newsletter) subscribers(t *testing.T) (emails []string) {
	t.Helper()
	list, err := contact.Subscribers(t.Context(), n.db.Owner)
	require.NoError(t, err)
	for _, s := range list {
		emails = append(emails, s.Email)
	}
	return emails
}

func (n *newsletter) prove(t *testing.T, franchiserID string) string {
	t.Helper()
	var email string
	require.NoError(t, n.db.Owner.Get(&email, `UPDATE franchisers SET email_proved_at = now() WHERE id = $1 RETURNING email`, franchiserID))
	return email
}

func TestSubscribing_AddressTypedByAnybody_StartsOnlyWithItsLink(t *testing.T) {
	t.Parallel()
	n := openNewsletter(t)
	start := n.clock.Now()
	tokens := n.ask(t, " Asha@Example.in ")
	require.Len(t, tokens, 1)
	require.Equal(t, "asha@example.in", n.box.Sent[0].Email)
	require.Empty(t, n.subscribers(t), "a typed address gets nothing but the link")
	require.Zero(t, console.Count(t, n.db, `SELECT count(*) FROM newsletter_consents`))
	n.clock.Advance(time.Hour)
	require.NoError(t, n.Confirm(t.Context(), tokens[0]))
	require.NoError(t, n.Confirm(t.Context(), tokens[0]), "a second click changes nothing")
	require.Equal(t, []string{"asha@example.in"}, n.subscribers(t))
	require.Equal(t, 1, console.Count(t, n.db, `SELECT count(*) FROM newsletter_consents
		WHERE text_version = '2026-11' AND decided_at = $1 AND confirmed_at = $2`, start, start.Add(time.Hour)), "the proof, once")
	var args string
	require.NoError(t, n.db.Owner.Get(&args, `SELECT string_agg(args::text, ' ') FROM river_job`))
	require.NotContains(t, args, "asha@example.in")
}

func TestConfirming_InvalidLink_IsRefused(t *testing.T) {
	t.Parallel()
	n := openNewsletter(t)
	token := n.ask(t, "asha@example.in")[0]
	leave := func() string {
		n.join(t, "ravi@example.in")
		return n.askToLeave(t, "ravi@example.in")[0]
	}()
	for name, wrong := range map[string]string{"none": "", "cut": token[:37], "longer": token + "A", "changed": "B" + token[1:], "zero": strings.Repeat("A", 38), "the link to leave": leave} {
		require.ErrorIs(t, n.Confirm(t.Context(), wrong), contact.ErrNewsletterLink, name)
	}
	require.ErrorIs(t, n.Leave(t.Context(), token), contact.ErrNewsletterLink, "the link to confirm ends nothing")
	n.clock.Advance(contact.LetterLife)
	require.ErrorIs(t, n.Confirm(t.Context(), token), contact.ErrNewsletterLink, "it expired")
	require.Equal(t, []string{"ravi@example.in"}, n.subscribers(t))
	require.NoError(t, contact.Purge(t.Context(), n.db.Worker, n.clock.Now().Add(time.Second)))
	require.Zero(t, console.Count(t, n.db, `SELECT count(*) FROM newsletter_letters`))
}

func TestUnsubscribing_AddressTypedByAnybody_EndsOnlyWithItsLink(t *testing.T) {
	t.Parallel()
	n := openNewsletter(t)
	require.Empty(t, n.askToLeave(t, "nobody@example.in"), "an address without the newsletter is sent nothing")
	require.Zero(t, console.Count(t, n.db, `SELECT count(*) FROM newsletter_letters`), "and nothing is stored for it")
	confirm := n.ask(t, "asha@example.in")[0]
	require.NoError(t, n.Confirm(t.Context(), confirm))
	spare := n.ask(t, "asha@example.in")[0]
	tokens := n.askToLeave(t, "asha@example.in")
	require.Len(t, tokens, 1)
	require.Equal(t, []string{"asha@example.in"}, n.subscribers(t), "typing an address ends nothing")
	require.NoError(t, n.Leave(t.Context(), tokens[0]))
	require.NoError(t, n.Leave(t.Context(), tokens[0]), "doing it again changes nothing")
	require.Empty(t, n.subscribers(t))
	require.Equal(t, 1, console.Count(t, n.db, `SELECT count(*) FROM newsletter_consents WHERE NOT given`))
	require.ErrorIs(t, n.Confirm(t.Context(), confirm), contact.ErrNewsletterLink, "an old link starts nothing again")
	require.ErrorIs(t, n.Confirm(t.Context(), spare), contact.ErrNewsletterLink)
}

func TestSubscribing_OftenForOneAddress_SendsThreeADayAndAnswersAlike(t *testing.T) {
	t.Parallel()
	n := openNewsletter(t)
	for range 6 {
		n.ask(t, "asha@example.in")
	}
	require.Len(t, n.box.Sent, 3)
	require.Len(t, n.ask(t, "ravi@example.in"), 1, "another address has its own")
	n.join(t, "ravi@example.in")
	require.Len(t, n.askToLeave(t, "ravi@example.in"), 1)
	n.clock.Advance(24*time.Hour + time.Second)
	require.Len(t, n.ask(t, "asha@example.in"), 1)
}

func TestSubscribing_WithoutEmail_IsRefused(t *testing.T) {
	t.Parallel()
	n := openNewsletter(t)
	silent := contact.NewService(n.db.API, testkit.NewInserter(t, n.db.API), n.clock, testkit.NewKeyring(t), hours(), false)
	_, err := silent.Subscribe(t.Context(), "", "asha@example.in", true, "2026-11", "")
	require.Equal(t, "email_off", errs.As(err).Code)
	_, err = silent.Unsubscribe(t.Context(), "", "asha@example.in", "")
	require.Equal(t, "email_off", errs.As(err).Code)
	require.Zero(t, console.Count(t, n.db, `SELECT count(*) FROM newsletter_letters`))
}

func TestSubscribing_ProvedAddressOfTheAccount_StartsAndEndsAtOnce(t *testing.T) {
	t.Parallel()
	n := openNewsletter(t)
	owner := console.Customer(t, n.db, n.clock, "9876543210", "Asha", "Rao")
	stranger := console.Customer(t, n.db, n.clock, "9123456789", "Mallory", "Rao")
	const email = "asha9876543210@example.in"
	done, err := n.Subscribe(t.Context(), owner, email, true, "2026-11", "")
	require.NoError(t, err)
	require.False(t, done, "the account has not proved it")
	n.send(t)
	require.Equal(t, email, n.prove(t, owner))
	n.prove(t, stranger)
	done, err = n.Subscribe(t.Context(), owner, email, true, "2026-11", "")
	require.NoError(t, err)
	require.True(t, done)
	require.Empty(t, n.send(t))
	require.Equal(t, []string{email}, n.subscribers(t))
	for _, other := range []string{"", stranger} {
		done, err = n.Unsubscribe(t.Context(), other, email, "")
		require.NoError(t, err)
		require.False(t, done)
		done, err = n.Subscribe(t.Context(), other, email, true, "2026-11", "")
		require.NoError(t, err)
		require.False(t, done)
	}
	require.Equal(t, []string{email}, n.subscribers(t), "what others type changes nothing")
	n.send(t)
	n.clock.Advance(25 * time.Hour)
	n.join(t, email)
	list, err := contact.Subscribers(t.Context(), n.db.Worker)
	require.NoError(t, err)
	require.Len(t, list, 1, "an issue goes to an address once")
	done, err = n.Unsubscribe(t.Context(), owner, email, "")
	require.NoError(t, err)
	require.True(t, done)
	require.Empty(t, n.subscribers(t), "the one confirmed by link too")
}

func TestLetters_OfAHindiPage_AreInHindi(t *testing.T) {
	t.Parallel()
	n := openNewsletter(t)
	_, err := n.Subscribe(t.Context(), "", "asha@example.in", true, "2026-11", "hi")
	require.NoError(t, err)
	require.Len(t, n.send(t), 1)
	require.Contains(t, n.box.Sent[0].Subject, "न्यूज़लेटर")
	require.Contains(t, n.box.Sent[0].Text, "http://localhost/hi/newsletter/confirm#")
}
