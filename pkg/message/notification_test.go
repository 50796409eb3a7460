package message_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// noted says of every row its own id.
func noted(_ context.Context, _ *sqlx.Tx, _ string, about []string, l i18n.Language) (map[string]message.Note, error) {
	notes := map[string]message.Note{}
	for _, one := range about {
		notes[one] = message.Note{Title: "about " + one, Text: string(l.Or()), Link: "/subscription_list"}
	}
	return notes, nil
}

func TestNotifications_ArePagedAndMarkedRead(t *testing.T) {
	t.Parallel()
	db, clk := testkit.NewDatabase(t), testkit.NewClock()
	centre := message.NewCentre(db.API, clk, map[string]message.Notes{message.TemplatePaymentReceived: noted})
	mine, theirs := id.New(), id.New()
	insert := func(owner, template string, at time.Time, failure *string) string {
		row := id.New()
		db.Owner.MustExec(`INSERT INTO customer_messages (id, franchiser_ref, template, about, created_at, expires_at, send_error)
			VALUES ($1, $2, $3, $4, $5, $5, $6)`, row, owner, template, id.New(), at, failure)
		return row
	}
	var want []string
	for n := range 7 { // several of the same moment
		want = append(want, insert(mine, message.TemplatePaymentReceived, clk.Now().Add(time.Duration(n/3)*time.Hour), nil))
	}
	overtaken := "not_needed"
	insert(mine, message.TemplatePaymentReceived, clk.Now(), &overtaken)
	insert(mine, message.TemplateEmailProof, clk.Now(), nil) // holds a link with a secret
	insert(mine, message.TemplatePaymentEmail, clk.Now(), nil)
	other := insert(theirs, message.TemplatePaymentReceived, clk.Now(), nil)

	var got []string
	var after *message.NotificationCursor
	for {
		list, next, err := centre.List(t.Context(), mine, "", after, 3)
		require.NoError(t, err)
		for _, n := range list {
			require.False(t, n.Read)
			require.Contains(t, n.Title, "about ")
			got = append([]string{n.ID}, got...)
		}
		if next == nil {
			break
		}
		again, ok := message.ParseNotificationCursor(next.String())
		require.True(t, ok)
		after = &again
	}
	require.Equal(t, want, got, "each once, newest first")
	unread := func(owner string) int {
		t.Helper()
		n, err := centre.Unread(t.Context(), owner)
		require.NoError(t, err)
		return n
	}
	require.Equal(t, 7, unread(mine))
	require.NoError(t, centre.Read(t.Context(), mine, []string{want[0], other}, nil))
	require.Equal(t, 6, unread(mine))
	require.Equal(t, 1, unread(theirs), "somebody else's stays unread")
	list, _, err := centre.List(t.Context(), mine, "hi", nil, 20)
	require.NoError(t, err)
	require.Equal(t, "hi", list[0].Text, "in the language of whoever reads")
	require.True(t, list[len(list)-1].Read)
	upTo := message.NotificationCursor{At: list[1].At, ID: list[1].ID}
	require.NoError(t, centre.Read(t.Context(), mine, nil, &upTo))
	require.Equal(t, 1, unread(mine), "what came after the list was read stays")
	for _, bad := range []string{"", "x", "1.", ".x", "1.x", "-1." + id.New(), "zzzzzzzzzzzzzzzz." + id.New()} {
		_, ok := message.ParseNotificationCursor(bad)
		require.False(t, ok, bad)
	}
}

func TestUnsubscribeToken_StopsOnlyItsCustomersReminders(t *testing.T) {
	t.Parallel()
	db, clk := testkit.NewDatabase(t), testkit.NewClock()
	settings := message.NewSettings(message.SettingsOptions{DB: db.API, Clock: clk, Keys: testkit.NewKeyring(t), Contacts: somebody{}})
	mine, theirs := id.New(), id.New()
	box := &letterbox{}
	outbox := message.NewOutbox(message.OutboxOptions{SMS: box, Site: site, Clock: clk, Email: box, Logger: testkit.NewLogger(t)})
	letters := map[string]message.Letter{
		message.TemplateRenewalEmail: {Reminder: true, Write: func(context.Context, *sqlx.Tx, message.CustomerMessage) (*message.Message, error) {
			return &message.Message{Email: "asha@example.in", Template: message.TemplateTrialEmail, Values: []string{"1 Dec 2026"}}, nil
		}},
		message.TemplatePaymentEmail: {Write: func(context.Context, *sqlx.Tx, message.CustomerMessage) (*message.Message, error) {
			return &message.Message{Email: "asha@example.in", Values: []string{"a", "b", "c", "d", "", ""}}, nil
		}},
	}
	sender := message.NewCustomerOutbox(message.CustomerOutboxOptions{
		DB: db.Worker, Clock: clk, Outbox: outbox, Contacts: nobody{}, Letters: letters, Keys: testkit.NewKeyring(t),
	})
	send := func(template string) {
		t.Helper()
		row := id.New()
		db.Owner.MustExec(`INSERT INTO customer_messages (id, franchiser_ref, template, about, created_at, expires_at)
			VALUES ($1, $2, $3, $4, $5, $6)`, row, mine, template, id.New(), clk.Now(), clk.Now().Add(time.Hour))
		require.NoError(t, sender.Send(t.Context(), row))
	}
	send(message.TemplateRenewalEmail)
	send(message.TemplatePaymentEmail)
	require.Len(t, box.took, 2)
	token := box.took[0].Unsubscribe
	require.NotEmpty(t, token)
	require.Equal(t, site.URL+"/api/franchise/reminders/stop/"+token, box.took[0].StopURL)
	require.Contains(t, box.took[0].Text, site.URL+"/stop-reminders/"+token)
	require.Contains(t, box.took[0].HTML, site.URL+"/stop-reminders/"+token)
	require.Empty(t, box.took[1].StopURL, "a receipt cannot be stopped")
	require.NotContains(t, box.took[1].HTML, "No more reminders")

	require.NoError(t, settings.Set(t.Context(), theirs, message.Preferences{RemindersSMS: true, RemindersEmail: true}))
	for _, bad := range []string{"", "x", token[1:], token + "A", strings.ToUpper(token), token[:21] + "AAAAAAAAAAAAAAAAAAAAAA", strings.Repeat("A", 43)} {
		require.Equal(t, errs.KindNotFound, errs.KindOf(settings.Stop(t.Context(), bad)), bad)
	}
	for range 2 {
		require.NoError(t, settings.Stop(t.Context(), token))
	}
	p, err := settings.Preferences(t.Context(), mine)
	require.NoError(t, err)
	require.Equal(t, message.Preferences{RemindersSMS: true}, p)
	p, err = settings.Preferences(t.Context(), theirs)
	require.NoError(t, err)
	require.True(t, p.RemindersEmail)
	send(message.TemplateRenewalEmail)
	send(message.TemplatePaymentEmail)
	require.Len(t, box.took, 3)
	require.Equal(t, message.TemplatePaymentEmail, box.took[2].Template, "a receipt is sent all the same")
}

// The unsubscribe link of an old e-mail stores nothing once its account was erased.
func TestUnsubscribeToken_ErasedAccount_StoresNothing(t *testing.T) {
	t.Parallel()
	db, clk := testkit.NewDatabase(t), testkit.NewClock()
	settings := message.NewSettings(message.SettingsOptions{DB: db.API, Clock: clk, Keys: testkit.NewKeyring(t), Contacts: nobody{}})
	gone := id.New()
	box := &letterbox{}
	outbox := message.NewOutbox(message.OutboxOptions{SMS: box, Site: site, Clock: clk, Email: box, Logger: testkit.NewLogger(t)})
	sender := message.NewCustomerOutbox(message.CustomerOutboxOptions{
		DB: db.Worker, Clock: clk, Outbox: outbox, Contacts: nobody{}, Letters: map[string]message.Letter{
			message.TemplateRenewalEmail: {Reminder: true, Write: func(context.Context, *sqlx.Tx, message.CustomerMessage) (*message.Message, error) {
				return &message.Message{Email: "asha@example.in", Template: message.TemplateTrialEmail, Values: []string{"1 Dec 2026"}}, nil
			}},
		},
		Keys: testkit.NewKeyring(t),
	})
	row := id.New()
	db.Owner.MustExec(`INSERT INTO customer_messages (id, franchiser_ref, template, about, created_at, expires_at)
		VALUES ($1, $2, $3, $4, $5, $6)`, row, gone, message.TemplateRenewalEmail, id.New(), clk.Now(), clk.Now().Add(time.Hour))
	require.NoError(t, sender.Send(t.Context(), row))
	require.NoError(t, settings.Stop(t.Context(), box.took[0].Unsubscribe))
	var n int
	require.NoError(t, db.Owner.Get(&n, `SELECT count(*) FROM message_preferences`))
	require.Zero(t, n)
}

type letterbox struct{ took []message.Message }

func (l *letterbox) Send(_ context.Context, m message.Message) error {
	l.took = append(l.took, m)
	return nil
}

// somebody has a mobile.
type somebody struct{ nobody }

func (somebody) ContactTx(context.Context, *sqlx.Tx, string) (mobile, email string, err error) {
	return "9876543210", "", nil
}

// nobody has no mobile and no e-mail address.
type nobody struct{}

func (nobody) ContactTx(context.Context, *sqlx.Tx, string) (mobile, email string, err error) {
	return "", "", nil
}

func (nobody) LanguageTx(context.Context, *sqlx.Tx, string) (i18n.Language, error) { return "", nil }

func (nobody) RefusedTx(context.Context, *sqlx.Tx, string, string, time.Time) error { return nil }
