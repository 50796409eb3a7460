package transfer_test

import (
	"context"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/account/profile"
	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/payment/receipt"
	"github.com/franchise360/franchise360/pkg/payment/refund"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/world"
	"github.com/franchise360/franchise360/pkg/transfer"
)

type carrier struct{ took []message.Message }

func (c *carrier) Send(_ context.Context, m message.Message) error {
	c.took = append(c.took, m)
	return nil
}

// told sends the waiting messages of the templates, and returns the SMS, the e-mails and the dashboard's notifications.
func (o *office) told(l i18n.Language, templates ...string) (sms, email []message.Message, notes []message.Notification) {
	o.T.Helper()
	phones, mail := &carrier{}, &carrier{}
	site := message.Site{Host: "franchise360.example", URL: "https://franchise360.example"}
	outbox := message.NewOutbox(message.OutboxOptions{
		SMS: phones, Site: site, Clock: o.Clock, Email: mail, Logger: testkit.NewLogger(o.T),
	})
	letters := receipt.Letters(transfer.Deductions{})
	maps.Copy(letters, refund.Letters(world.Providers()))
	maps.Copy(letters, transfer.Letters(o.DB.Worker, testkit.NoObjects{}))
	sender := message.NewCustomerOutbox(message.CustomerOutboxOptions{
		DB: o.DB.Worker, Clock: o.Clock, Outbox: outbox, Contacts: profile.Contacts{}, Letters: letters, Keys: testkit.NewKeyring(o.T),
	})
	var ids []string
	require.NoError(o.T, o.DB.Owner.Select(&ids, `SELECT id FROM customer_messages WHERE template = ANY (string_to_array($1, ',')) ORDER BY created_at, id`, strings.Join(templates, ",")))
	for _, id := range ids {
		require.NoError(o.T, sender.Send(o.T.Context(), id))
	}
	list, _, err := message.NewCentre(o.DB.API, o.Clock, app.CustomerNotes(world.Providers())).List(o.T.Context(), o.Buyer, l, nil, 20)
	require.NoError(o.T, err)
	for _, n := range list {
		for _, template := range templates {
			if n.Template == template {
				notes = append(notes, n)
			}
		}
	}
	return phones.took, mail.took, notes
}

// Given a transfer that pays half of a bill, then its customer gets an SMS, an e-mail and a notification, which later says that the bill is
// paid.
func TestMessages_PartPaid_AreSentByEachChannel(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	o.DB.Owner.MustExec(`UPDATE franchisers SET email = 'asha@example.in', email_proved_at = created_at WHERE id = $1`, o.Buyer)
	p := o.asks(o.Buyer)
	half := p.Amount / 2
	o.confirm(o.comes("AXISN42026112500071", half), transfer.UseInput{ProformaID: p.ID})

	sms, email, notes := o.told(i18n.English, message.TemplateTransferPart, message.TemplateTransferPartEmail)
	require.Len(t, sms, 1)
	require.Equal(t, "Franchise 360 received "+message.Rupees(half.Display())+" by bank transfer for proforma "+p.Number+
		". Still to be transferred: "+message.Rupees((p.Amount-half).Display())+". Details: https://franchise360.example/subscription_list", sms[0].Text)
	require.Len(t, email, 1)
	require.Equal(t, "We received "+half.Display()+" for proforma "+p.Number, email[0].Subject)
	require.Len(t, notes, 1)
	require.Equal(t, message.Note{
		Title: "We received " + half.Display() + " for proforma " + p.Number,
		Text:  "Still to be transferred: " + (p.Amount - half).Display() + ". What you ordered is activated when it has arrived.",
		Link:  "/subscription_list?tab=transfers",
	}, notes[0].Note)

	o.confirm(o.comes("AXISN42026112500072", p.Amount-half), transfer.UseInput{ProformaID: p.ID})
	_, _, notes = o.told("hi", message.TemplateTransferPart)
	require.Len(t, notes, 1, "what completed the bill is told as a payment")
	require.Equal(t, "बिल चुका दिया गया है।", notes[0].Text)
}

// Given a bill that was paid less TDS, then the receipt names the received and the deducted amount, which add up to the bill. The trail
// does too.
func TestReceipt_PaidLessTDS_NamesReceivedAndDeducted(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	o.DB.Owner.MustExec(`UPDATE franchisers SET email = 'asha@example.in', email_proved_at = created_at WHERE id = $1`, o.Buyer)
	p := o.asks(o.Buyer)
	tds := (p.Taxable.MulBps(1000) + 50) / 100 * 100
	c := o.comes("ICICR42026112500079", p.Amount-tds)
	proposal := o.credits()[0].Proposals[0]
	o.confirm(c, transfer.UseInput{ProformaID: p.ID, TDS: proposal.TDS, RateBps: proposal.RateBps})
	came := (p.Amount - tds).Display()

	sms, email, notes := o.told(i18n.English, message.TemplatePaymentReceived, message.TemplatePaymentEmail)
	require.Len(t, sms, 1)
	require.Contains(t, sms[0].Text, "received your payment of "+message.Rupees(came)+" and "+message.Rupees(tds.Display())+" as TDS for ")
	require.Len(t, email, 1)
	require.Equal(t, "We received your payment of "+came, email[0].Subject)
	require.Contains(t, email[0].Text, "Amount paid: "+came+"\nDeducted as TDS: "+tds.Display()+"\nBill: "+p.Amount.Display()+"\n")
	require.Len(t, notes, 1)
	require.Equal(t, "We received your payment of "+came, notes[0].Title)
	require.Contains(t, notes[0].Text, "You deducted "+tds.Display()+" as TDS: together the bill of "+p.Amount.Display()+".")

	trail, err := o.API.Trails.Trail(o.Asha.Sign(t.Context()), o.APIWith(func(*app.BillingParts) {}).Ledger, o.Text(`SELECT transaction_id FROM payments WHERE gateway = 'bank'`))
	require.NoError(t, err)
	require.Equal(t, tds, trail.Deducted)
}
