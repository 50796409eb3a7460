package invoice_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/account/profile"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/testkit"
)

var errLost = errors.New("no such file")

func (s *shelf) Get(_ context.Context, key string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	body, ok := s.files[key]
	if !ok {
		return nil, errLost
	}
	return body, nil
}

type carrier struct{ took []message.Message }

func (c *carrier) Send(_ context.Context, m message.Message) error {
	c.took = append(c.took, m)
	return nil
}

// mailed sends the waiting messages twice, like a job that runs again.
func (b *bundle) mailed(t *testing.T, email *carrier) error {
	t.Helper()
	outbox := message.NewOutbox(message.OutboxOptions{
		SMS: email, Site: message.Site{Host: "franchise360.example", URL: "https://franchise360.example"}, Clock: b.clock,
		Email: email, Logger: testkit.NewLogger(t),
	})
	sender := message.NewCustomerOutbox(message.CustomerOutboxOptions{
		DB: b.db.Worker, Clock: b.clock, Outbox: outbox, Contacts: profile.Contacts{},
		Letters: invoice.Letters(b.db.Worker, b.clock, b.shelf), Keys: testkit.NewKeyring(t),
	})
	var ids []string
	require.NoError(t, b.db.Owner.Select(&ids, `SELECT args->>'message_id' FROM river_job WHERE kind = 'send_customer_message' ORDER BY id`))
	var failures []error
	for range 2 {
		for _, id := range ids {
			failures = append(failures, sender.Send(t.Context(), id))
		}
	}
	return errors.Join(failures...)
}

func TestDocumentEmail_AfterRendering_IsSentOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.mailing(t, true)
	b.db.Owner.MustExec(`UPDATE franchisers SET email = 'asha@example.in', email_proved_at = created_at WHERE id = $1`, b.asha)
	issued, err := b.issue(t, b.plan(t, b.asha))
	require.NoError(t, err)
	email := &carrier{}
	require.NoError(t, b.mailed(t, email))
	require.Empty(t, email.took, "there is no PDF yet")

	var printers sync.WaitGroup
	for range 4 {
		printers.Go(func() { _, _ = b.printer.Print(t.Context(), issued.ID) })
	}
	printers.Wait()
	require.NoError(t, b.mailed(t, email))
	require.Len(t, email.took, 1)
	m := email.took[0]
	require.Equal(t, "asha@example.in", m.Email)
	require.Equal(t, "Your invoice FP/26-27/000001", m.Subject)
	require.Equal(t, "FP-26-27-000001.pdf", m.Attachments[0].Name)
	require.Equal(t, "application/pdf", m.Attachments[0].ContentType)
	require.Contains(t, string(m.Attachments[0].Body), "FP/26-27/000001 Asha Traders")
	require.Contains(t, m.Text, "https://files.example/")
	require.Contains(t, m.Text, "for=168h0m0s")

	// a document that the store lost is rendered again, and not mailed again
	clear(b.shelf.files)
	_, err = b.printer.Print(t.Context(), issued.ID)
	require.NoError(t, err)
	require.NoError(t, b.mailed(t, email))
	require.Len(t, email.took, 1)
}

func TestDocumentEmail_FileUnreadable_IsSentLater(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.mailing(t, true)
	b.db.Owner.MustExec(`UPDATE franchisers SET email_proved_at = created_at WHERE id = $1`, b.asha)
	issued, err := b.issue(t, b.plan(t, b.asha))
	require.NoError(t, err)
	_, err = b.printer.Print(t.Context(), issued.ID)
	require.NoError(t, err)
	clear(b.shelf.files)
	email := &carrier{}
	require.ErrorIs(t, b.mailed(t, email), errLost)
	require.Empty(t, email.took)
	require.NoError(t, b.printer.PutBack(t.Context(), issued.ID))
	require.NoError(t, b.mailed(t, email))
	require.Len(t, email.took, 1)
}

func TestDocumentEmail_EmailOff_StoresNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.mailing(t, false)
	issued, err := b.issue(t, b.plan(t, b.asha))
	require.NoError(t, err)
	_, err = b.printer.Print(t.Context(), issued.ID)
	require.NoError(t, err)
	var n int
	require.NoError(t, b.db.Owner.Get(&n, `SELECT count(*) FROM customer_messages`))
	require.Zero(t, n)
}

// Documents without an address are mailed once one is proved: those of the last thirty days, once each.
func TestDocumentEmail_AddressProvedLater_SendsTheLastThirtyDays(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.mailing(t, true)
	email := &carrier{}
	var documents []string
	for range 2 {
		issued, err := b.issue(t, b.plan(t, b.asha))
		require.NoError(t, err)
		_, err = b.printer.Print(t.Context(), issued.ID)
		require.NoError(t, err)
		documents = append(documents, issued.ID)
	}
	require.NoError(t, b.mailed(t, email))
	require.Empty(t, email.took, "the address is not proved")

	b.db.Owner.MustExec(`UPDATE franchisers SET email = 'asha@example.in', email_proved_at = created_at WHERE id = $1`, b.asha)
	b.clock.Advance(29 * 24 * time.Hour)
	for range 2 {
		require.NoError(t, b.printer.MailMissed(t.Context(), b.asha))
		require.NoError(t, b.mailed(t, email))
	}
	require.Len(t, email.took, len(documents), "once each")
	require.Equal(t, "asha@example.in", email.took[0].Email)

	b.db.Owner.MustExec(`UPDATE customer_messages SET sent_at = NULL, send_error = 'no_address'`)
	b.clock.Advance(2 * 24 * time.Hour)
	require.NoError(t, b.printer.MailMissed(t.Context(), b.asha))
	var due int
	require.NoError(t, b.db.Owner.Get(&due, `SELECT count(*) FROM customer_messages WHERE send_error IS NULL`))
	require.Zero(t, due, "what is older stays where it is")
}

// mailing rebuilds the printer with an enqueuer of messages.
func (b *bundle) mailing(t *testing.T, email bool) {
	t.Helper()
	b.printer = invoice.NewPrinter(invoice.PrinterOptions{
		DB: b.db.Worker, Clock: b.clock, Renderer: b.press, Objects: b.shelf,
		Messages: message.NewEnqueuer(message.EnqueuerOptions{Jobs: testkit.NewInserter(t, b.db.Worker), Email: email}),
	})
}
