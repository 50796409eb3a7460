package message_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// customer is reached everywhere and reads a language.
type customer struct {
	nobody

	language i18n.Language
}

func (customer) ContactTx(context.Context, *sqlx.Tx, string) (mobile, email string, err error) {
	return "9876543210", "asha@example.in", nil
}

func (r customer) LanguageTx(context.Context, *sqlx.Tx, string) (i18n.Language, error) {
	return r.language, nil
}

// Customers get e-mails in their language, English by default. An SMS is in Hindi if its text is registered in Hindi, else in English with
// English values.
func TestCustomerMessage_IsInTheCustomersLanguage(t *testing.T) {
	t.Parallel()
	db, clk := testkit.NewDatabase(t), testkit.NewClock()
	on := time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)
	letter := message.Letter{Write: func(_ context.Context, _ *sqlx.Tx, m message.CustomerMessage) (*message.Message, error) {
		if message.IsEmail(m.Template) {
			return &message.Message{Values: []string{"Growth", m.Rupees(14_750 * money.Rupee), m.Language.Moment(on), "T1", "", ""}}, nil
		}
		return &message.Message{Values: []string{m.Rupees(14_750 * money.Rupee), "Growth"}}, nil
	}}
	letters := map[string]message.Letter{message.TemplatePaymentReceived: letter, message.TemplatePaymentEmail: letter}
	registered := func(template string, l i18n.Language) bool {
		return template == message.TemplatePaymentReceived && l == "hi"
	}
	send := func(l i18n.Language, template string, smsIn func(string, i18n.Language) bool) message.Message {
		t.Helper()
		box := &letterbox{}
		outbox := message.NewOutbox(message.OutboxOptions{
			SMS: box, Site: site, Clock: clk, Email: box, SMSIn: smsIn, Logger: testkit.NewLogger(t),
		})
		row := id.New()
		db.Owner.MustExec(`INSERT INTO customer_messages (id, franchiser_ref, template, about, created_at, expires_at)
			VALUES ($1, $2, $3, $4, $5, $6)`, row, id.New(), template, id.New(), clk.Now(), clk.Now().Add(time.Hour))
		require.NoError(t, message.NewCustomerOutbox(message.CustomerOutboxOptions{
			DB: db.Worker, Clock: clk, Outbox: outbox, Contacts: customer{language: l}, Letters: letters, Keys: testkit.NewKeyring(t),
		}).Send(t.Context(), row))
		require.Len(t, box.took, 1)
		return box.took[0]
	}
	hindi := send("hi", message.TemplatePaymentEmail, nil)
	require.Equal(t, "हमें आपका ₹14,750 का भुगतान मिल गया", hindi.Subject)
	require.Contains(t, hindi.Text, "भुगतान की तारीख: 26 नवंबर 2026, 17:30")
	require.Contains(t, hindi.Text, "इनवॉइस देखें:\nhttps://franchise360.example/hi/subscription_list")
	require.Contains(t, hindi.HTML, `<html lang="hi" dir="ltr">`)
	require.Contains(t, hindi.HTML, "मदद: ")
	require.NotContains(t, hindi.HTML, "Help")

	for _, l := range []i18n.Language{"", "en", "xx"} {
		english := send(l, message.TemplatePaymentEmail, nil)
		require.Equal(t, "We received your payment of ₹14,750", english.Subject)
		require.Contains(t, english.Text, "Paid on: 26 Nov 2026, 17:30")
		require.Contains(t, english.HTML, `<html lang="en-IN" dir="ltr">`)
		require.Contains(t, send(l, message.TemplatePaymentReceived, registered).Text, "received your payment of Rs 14,750 for Growth")
	}
	require.Contains(t, send("hi", message.TemplatePaymentReceived, registered).Text, "के लिए आपका ₹14,750 का भुगतान मिला")
	for _, none := range []func(string, i18n.Language) bool{nil, func(string, i18n.Language) bool { return false }} {
		require.Contains(t, send("hi", message.TemplatePaymentReceived, none).Text, "received your payment of Rs 14,750 for Growth")
	}
}

// Every e-mail is fully translated except names and addresses, and its unsubscribe link is in the language.
func TestEmails_EachLanguage_AreFullyTranslated(t *testing.T) {
	t.Parallel()
	for _, template := range message.EmailTemplates() {
		values := make([]string, template.Values)
		for i := range values {
			values[i] = "value-" + string(rune('a'+i))
		}
		m := message.Message{Template: template.Name, Values: values, Link: "https://franchise360.example/x", Unsubscribe: "token", Body: "Written by us."}
		english := site.Compose(m)
		for _, l := range i18n.Languages()[1:] {
			m.Language = l
			got := site.Compose(m)
			for i := range values {
				require.Equal(t, containsAny(english, values[i]), containsAny(got, values[i]), "%s: %s", template.Name, values[i])
			}
			if template.Staff {
				require.Equal(t, english.Subject, got.Subject, "staff read English")
				require.Contains(t, got.HTML, `lang="en-IN"`, template.Name)
				continue
			}
			require.NotEqual(t, english.Subject, got.Subject, template.Name)
			require.Contains(t, got.Text, site.URL+l.Base()+"/stop-reminders/token", template.Name)
			require.Equal(t, site.URL+"/api/franchise/reminders/stop/token", got.StopURL, template.Name)
			require.NotRegexp(t, `\{\w+\}`, got.Subject+got.Text, template.Name)
		}
	}
}

func containsAny(m message.Message, value string) bool {
	return strings.Contains(m.Subject+m.Text, value)
}
