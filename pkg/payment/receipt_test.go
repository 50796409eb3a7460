package payment_test

import (
	"context"
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/account/profile"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/receipt"
	"github.com/franchise360/franchise360/pkg/payment/refund"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/story"
	"github.com/franchise360/franchise360/pkg/testkit/world"
	"github.com/franchise360/franchise360/pkg/transfer"
)

type carrier struct{ took []message.Message }

func (c *carrier) Send(_ context.Context, m message.Message) error {
	c.took = append(c.took, m)
	return nil
}

// deliver sends the waiting messages twice, like a retried job.
func (b *bundle) deliver() (sms, email *carrier) {
	b.T.Helper()
	sms, email = &carrier{}, &carrier{}
	site := message.Site{Host: "franchise360.example", URL: "https://franchise360.example"}
	outbox := message.NewOutbox(message.OutboxOptions{SMS: sms, Site: site, Clock: b.Clock, Email: email, Logger: testkit.NewLogger(b.T)})
	letters := receipt.Letters(transfer.Deductions{})
	maps.Copy(letters, refund.Letters(world.Providers()))
	sender := message.NewCustomerOutbox(message.CustomerOutboxOptions{
		DB: b.DB.Worker, Clock: b.Clock, Outbox: outbox, Contacts: profile.Contacts{},
		Letters: letters, Keys: testkit.NewKeyring(b.T),
	})
	var ids []string
	require.NoError(b.T, b.DB.Owner.Select(&ids, `SELECT args->>'message_id' FROM river_job WHERE kind = 'send_customer_message'
		AND args->>'message_id' IN (SELECT id::text FROM customer_messages WHERE template LIKE 'payment%' OR template LIKE 'refund%') ORDER BY id`))
	for range 2 {
		for _, id := range ids {
			require.NoError(b.T, sender.Send(b.T.Context(), id))
		}
	}
	return sms, email
}

func TestReceipt_Payment_IsSentOnceByEachChannel(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.DB.Owner.MustExec(`UPDATE franchisers SET email = 'asha@example.in', email_proved_at = created_at WHERE id = $1`, b.Buyer)
	r := b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.Settle(r, payment.StatusPaid)
	sms, email := b.deliver()
	require.Len(t, sms.took, 1)
	require.Equal(t, "Franchise 360 received your payment of Rs 1,59,300 for Start up - Expansion. "+
		"Your invoice: https://franchise360.example/subscription_list", sms.took[0].Text)
	require.Len(t, email.took, 1)
	m := email.took[0]
	require.Equal(t, "asha@example.in", m.Email)
	require.Equal(t, "We received your payment of ₹1,59,300", m.Subject)
	for _, want := range []string{"Start up · Expansion, yearly", "₹1,59,300", "2 Nov 2026", r.TransactionID, "https://franchise360.example/subscription_list"} {
		require.Contains(t, m.Text, want)
		require.Contains(t, m.HTML, want)
	}
	require.Contains(t, m.Text, "Parts that run in connected systems or that our staff set up begin later")
}

func TestReceipt_UnverifiedEmail_IsNotSentByEmail(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.DB.Owner.MustExec(`UPDATE franchisers SET email = 'asha@example.in' WHERE id = $1`, b.Buyer)
	b.Settle(b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly)), payment.StatusPaid)
	sms, email := b.deliver()
	require.Len(t, sms.took, 1)
	require.Empty(t, email.took)
	require.Equal(t, "no_address", b.Text(`SELECT send_error FROM customer_messages WHERE template = 'payment_email'`))

	// nor one that refuses messages
	b.DB.Owner.MustExec(`UPDATE franchisers SET email_proved_at = created_at, email_refused_at = created_at WHERE id = $1`, b.Buyer)
	_, email = b.deliver()
	require.Empty(t, email.took)
}

func TestReceipt_PaymentRefundedImmediately_IsNotSent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first, second := b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly)), b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.Settle(first, payment.StatusPaid)
	b.Settle(second, payment.StatusPaid)
	b.deliver()
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM customer_messages WHERE template = 'payment_received' AND sent_at IS NOT NULL`),
		"what was applied, not what is given back")
}

// Given a customer who chose Hindi, and documents in Hindi and English, then receipts, notifications and the invoice are in Hindi.
func TestReceipt_CustomerWhoChoseHindi_IsInHindi(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.DB.Owner.MustExec(`UPDATE franchisers SET email = 'asha@example.in', email_proved_at = created_at, language = 'hi', document_language = 'hi' WHERE id = $1`, b.Buyer)
	r := b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.Settle(r, payment.StatusPaid)
	sms, email := b.deliver()
	require.Len(t, sms.took, 1)
	require.Contains(t, sms.took[0].Text, "received your payment of Rs 1,59,300", "no SMS is registered in Hindi here")
	require.Len(t, email.took, 1)
	m := email.took[0]
	require.Equal(t, "हमें आपका ₹1,59,300 का भुगतान मिल गया", m.Subject)
	for _, want := range []string{"Start up · Expansion, सालाना", "2 नवंबर 2026", r.TransactionID, "https://franchise360.example/hi/subscription_list"} {
		require.Contains(t, m.Text, want)
		require.Contains(t, m.HTML, want)
	}
	centre := message.NewCentre(b.DB.API, b.Clock, receipt.Notes(transfer.Deductions{}))
	for l, want := range map[i18n.Language]string{"hi": "हमें आपका ₹1,59,300 का भुगतान मिल गया", "": "We received your payment of ₹1,59,300"} {
		list, _, err := centre.List(t.Context(), b.Buyer, l, nil, 10)
		require.NoError(t, err)
		require.Len(t, list, 1)
		require.Equal(t, want, list[0].Title)
	}
	require.Equal(t, "hi", b.Text(`SELECT recipient->>'also' FROM invoices WHERE kind = 'invoice'`))
	b.DB.Owner.MustExec(`UPDATE franchisers SET document_language = '' WHERE id = $1`, b.Buyer)
	require.Equal(t, "hi", b.Text(`SELECT recipient->>'also' FROM invoices WHERE kind = 'invoice'`), "a document stays as it is")
}
