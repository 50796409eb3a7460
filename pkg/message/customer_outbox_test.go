package message_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/console"
)

// addressee is a customer with an address and a number, each of which may be empty; it notes which address was refused.
type addressee struct {
	nobody

	mobile, email string
	refused       *[]string
}

func (r addressee) ContactTx(context.Context, *sqlx.Tx, string) (mobile, email string, err error) {
	return r.mobile, r.email, nil
}

func (r addressee) RefusedTx(_ context.Context, _ *sqlx.Tx, _, email string, _ time.Time) error {
	*r.refused = append(*r.refused, email)
	return nil
}

// An event that is reported twice, with or without e-mail, is stored once with its job, and by default expires after three days.
func TestOnceTx_SameEventTwice_IsStoredOnce(t *testing.T) {
	t.Parallel()
	db, clk := testkit.NewDatabase(t), testkit.NewClock()
	asha := console.Customer(t, db, clk, "9876543210", "Asha", "Rao")
	once := func(email bool, m message.CustomerMessage) {
		t.Helper()
		enqueuer := message.NewEnqueuer(message.EnqueuerOptions{Jobs: testkit.NewInserter(t, db.API), Email: email})
		require.Equal(t, email, enqueuer.SendsEmail())
		require.NoError(t, postgres.InTenantTx(t.Context(), db.API, asha, func(tx *sqlx.Tx) error { return enqueuer.OnceTx(t.Context(), tx, m) }))
	}
	rows := func() int { return console.Count(t, db, `SELECT count(*) FROM customer_messages`) }
	jobs := func(condition string) int {
		return console.Count(t, db, `SELECT count(*) FROM river_job j JOIN customer_messages m ON m.id::text = j.args ->> 'message_id'
			WHERE j.kind = 'send_customer_message' AND j.metadata ->> 'franchiser_id' = m.franchiser_ref::text AND `+condition)
	}
	receipt := message.CustomerMessage{FranchiserID: asha, Template: message.TemplatePaymentEmail, About: id.New(), CreatedAt: clk.Now()}
	once(false, receipt)
	require.Zero(t, rows(), "without e-mail there is none")
	once(true, receipt)
	once(true, receipt)
	require.Equal(t, []int{1, 1}, []int{rows(), jobs("true")})
	receipt.Template = message.TemplatePaymentReceived
	once(false, receipt)
	require.Equal(t, []int{2, 2}, []int{rows(), jobs("true")}, "the same by SMS is another message")
	receipt.About, receipt.Delay, receipt.ExpiresAt = id.New(), 24*time.Hour, clk.Now().Add(25*time.Hour)
	once(true, receipt)
	require.Equal(t, 1, jobs("j.state = 'scheduled' AND j.scheduled_at > now() + interval '23 hours'"), "not before its time")
	require.Equal(t, 2, console.Count(t, db, `SELECT count(*) FROM customer_messages WHERE expires_at = created_at + interval '3 days'`))
	require.Equal(t, 1, console.Count(t, db, `SELECT count(*) FROM customer_messages WHERE expires_at = created_at + interval '25 hours'`))
}

// Messages that failed for want of an address are sent once one exists. Sent, refused and other customers' messages are not.
func TestCustomerMessage_WithoutAddress_IsSentOnceTheAddressExists(t *testing.T) {
	t.Parallel()
	db, clk := testkit.NewDatabase(t), testkit.NewClock()
	enqueuer := message.NewEnqueuer(message.EnqueuerOptions{Jobs: testkit.NewInserter(t, db.Worker), Email: true})
	asha := id.New()
	store := func(owner string, failure *string, sent bool) (about string) {
		about = id.New()
		db.Owner.MustExec(`INSERT INTO customer_messages (id, franchiser_ref, template, about, created_at, expires_at, send_error, sent_at)
			VALUES ($1, $2, $3, $4, $5, $5, $6, CASE WHEN $7 THEN $5::timestamptz END)`, id.New(), owner, message.TemplatePaymentEmail, about, clk.Now(), failure, sent)
		return about
	}
	noAddress, refused := "no_address", "email_refused"
	clk.Advance(time.Hour)
	for name, c := range map[string]struct {
		about string
		goes  bool
	}{
		"it had no address":        {store(asha, &noAddress, false), true},
		"it was refused":           {store(asha, &refused, false), false},
		"it is on its way":         {store(asha, nil, false), false},
		"it was sent":              {store(asha, nil, true), false},
		"it is another customer's": {store(id.New(), &noAddress, false), false},
		"no earlier message":       {id.New(), true},
	} {
		later := func() error {
			return postgres.InTx(t.Context(), db.Worker, func(tx *sqlx.Tx) error {
				return enqueuer.LaterTx(t.Context(), tx, message.CustomerMessage{FranchiserID: asha, Template: message.TemplatePaymentEmail, About: c.about, CreatedAt: clk.Now()})
			})
		}
		require.NoError(t, later(), name)
		require.NoError(t, later(), "%s: twice is as once", name)
		jobs := console.Count(t, db, `SELECT count(*) FROM river_job j JOIN customer_messages m ON m.id::text = j.args ->> 'message_id' WHERE m.about = $1
			AND m.send_error IS NULL AND m.expires_at = $2::timestamptz + interval '3 days'`, c.about, clk.Now())
		require.Equal(t, map[bool]int{true: 1, false: 0}[c.goes], jobs, name)
	}
}

// A waiting message is sent by its letter, or records the reason why not.
func TestCustomerOutbox_EachMessage_IsSentOrRecordsTheReason(t *testing.T) {
	t.Parallel()
	db, clk := testkit.NewDatabase(t), testkit.NewClock()
	asha := id.New()
	gone := errors.New("the store is away")
	writes := func(m *message.Message) message.Letter {
		return message.Letter{Write: func(context.Context, *sqlx.Tx, message.CustomerMessage) (*message.Message, error) {
			if m == nil {
				return nil, nil
			}
			out := *m
			return &out, nil
		}}
	}
	sms, mail := &message.Message{Values: []string{"Rs 1,180", "Growth"}}, &message.Message{Values: []string{"a", "b", "c", "d", "", ""}}
	reminder := func(m *message.Message) message.Letter {
		l := writes(m)
		l.Reminder = true
		return l
	}
	waits := func(pause time.Duration) message.Letter {
		l := writes(sms)
		l.Wait = func(time.Time) time.Duration { return pause }
		return l
	}
	attaches := func(err error) message.Letter {
		l := writes(&message.Message{Values: []string{"invoice", "1", "2 Nov", "₹1", "3 Nov"}})
		l.Attach = func(context.Context, message.CustomerMessage) (*message.Attachment, string, error) {
			return &message.Attachment{Name: "1.pdf"}, "https://objects.example/1", err
		}
		return l
	}
	everywhere := addressee{mobile: "9876543210", email: "asha@example.in"}
	for name, c := range map[string]struct {
		template string
		letter   message.Letter
		reach    addressee
		prefers  message.Preferences
		sent     bool
		failure  string
		code     string
	}{
		"an SMS":                       {message.TemplatePaymentReceived, writes(sms), everywhere, message.Preferences{}, true, "", ""},
		"an e-mail":                    {message.TemplatePaymentEmail, writes(mail), everywhere, message.Preferences{}, true, "", ""},
		"an SMS without a mobile":      {message.TemplatePaymentReceived, writes(sms), addressee{email: "asha@example.in"}, message.Preferences{}, false, "no_address", ""},
		"an e-mail without an address": {message.TemplatePaymentEmail, writes(mail), addressee{mobile: "9876543210"}, message.Preferences{}, false, "no_address", ""},
		"a message no longer needed":   {message.TemplatePaymentReceived, writes(nil), everywhere, message.Preferences{}, false, "not_needed", ""},
		"a reminder that is wanted":    {message.TemplatePaymentReceived, reminder(sms), everywhere, message.Preferences{RemindersSMS: true}, true, "", ""},
		"an SMS that is not":           {message.TemplatePaymentReceived, reminder(sms), everywhere, message.Preferences{RemindersEmail: true}, false, "not_wanted", ""},
		"an e-mail that is not":        {message.TemplatePaymentEmail, reminder(mail), everywhere, message.Preferences{RemindersSMS: true}, false, "not_wanted", ""},
		"an hour of the night":         {message.TemplatePaymentReceived, waits(3 * time.Hour), everywhere, message.Preferences{}, false, "", "night"},
		"an hour of the day":           {message.TemplatePaymentReceived, waits(0), everywhere, message.Preferences{}, true, "", ""},
		"a file":                       {message.TemplateDocumentEmail, attaches(nil), everywhere, message.Preferences{}, true, "", ""},
		"a file that is away":          {message.TemplateDocumentEmail, attaches(gone), everywhere, message.Preferences{}, false, "", "internal"},
		"a message without a letter":   {message.TemplateTrialEmail, message.Letter{}, everywhere, message.Preferences{}, false, "", "internal"},
	} {
		box := &letterbox{}
		outbox := message.NewOutbox(message.OutboxOptions{SMS: box, Site: site, Clock: clk, Email: box, Logger: testkit.NewLogger(t)})
		row := id.New()
		db.Owner.MustExec(`INSERT INTO customer_messages (id, franchiser_ref, template, about, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)`,
			row, asha, c.template, id.New(), clk.Now(), clk.Now().Add(time.Hour))
		db.Owner.MustExec(`INSERT INTO message_preferences (franchiser_ref, reminders_sms, reminders_email, updated_at) VALUES ($1, $2, $3, now())
			ON CONFLICT (franchiser_ref) DO UPDATE SET reminders_sms = $2, reminders_email = $3`, asha, c.prefers.RemindersSMS, c.prefers.RemindersEmail)
		err := message.NewCustomerOutbox(message.CustomerOutboxOptions{
			DB: db.Worker, Clock: clk, Outbox: outbox, Contacts: c.reach,
			Letters: map[string]message.Letter{c.template: c.letter}, Keys: testkit.NewKeyring(t),
		}).Send(t.Context(), row)
		if c.code == "" {
			require.NoError(t, err, name)
		} else {
			require.Equal(t, c.code, errs.As(err).Code, name)
		}
		if c.code == "night" {
			require.Equal(t, 3*time.Hour, errs.As(err).RetryAfter)
		}
		var left struct {
			Sent    bool   `db:"sent"`
			Failure string `db:"failure"`
		}
		require.NoError(t, db.Owner.Get(&left, `SELECT sent_at IS NOT NULL AS sent, coalesce(send_error, '') AS failure FROM customer_messages WHERE id = $1`, row))
		require.Equal(t, c.sent, left.Sent, name)
		require.Equal(t, c.failure, left.Failure, name)
		require.Len(t, box.took, map[bool]int{true: 1, false: 0}[c.sent], name)
		for _, m := range box.took {
			require.Equal(t, message.IsEmail(c.template), m.Email != "", "%s: to one of both", name)
			require.Equal(t, message.IsEmail(c.template), m.Mobile == "", name)
			require.WithinDuration(t, clk.Now().Add(time.Hour), m.ExpiresAt, 0, name)
			if c.template == message.TemplateDocumentEmail {
				require.Equal(t, []string{"1.pdf", "https://objects.example/1"}, []string{m.Attachments[0].Name, m.Link})
			}
		}
	}
}

// A letter may end earlier than its row, and never later.
func TestLetter_ExpiresNoLaterThanItsRow(t *testing.T) {
	t.Parallel()
	db, clk := testkit.NewDatabase(t), testkit.NewClock()
	for ends, want := range map[time.Duration]time.Duration{30 * time.Minute: 30 * time.Minute, 2 * time.Hour: time.Hour} {
		box := &letterbox{}
		outbox := message.NewOutbox(message.OutboxOptions{SMS: box, Site: site, Clock: clk, Logger: testkit.NewLogger(t)})
		row := id.New()
		db.Owner.MustExec(`INSERT INTO customer_messages (id, franchiser_ref, template, about, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)`,
			row, id.New(), message.TemplatePaymentReceived, id.New(), clk.Now(), clk.Now().Add(time.Hour))
		letter := message.Letter{Write: func(context.Context, *sqlx.Tx, message.CustomerMessage) (*message.Message, error) {
			return &message.Message{Values: []string{"Rs 1", "Growth"}, ExpiresAt: clk.Now().Add(ends)}, nil
		}}
		sender := message.NewCustomerOutbox(message.CustomerOutboxOptions{
			DB: db.Worker, Clock: clk, Outbox: outbox, Contacts: somebody{},
			Letters: map[string]message.Letter{message.TemplatePaymentReceived: letter}, Keys: testkit.NewKeyring(t),
		})
		require.NoError(t, sender.Send(t.Context(), row))
		require.NoError(t, sender.Send(t.Context(), row), "what was sent is not sent again")
		require.Len(t, box.took, 1)
		require.WithinDuration(t, clk.Now().Add(want), box.took[0].ExpiresAt, 0)
	}
}

// An address that the mail server refuses permanently is marked with the account; other failures mark nothing.
func TestCustomerOutbox_MailServerRefusesTheAddress_MarksIt(t *testing.T) {
	t.Parallel()
	db, clk := testkit.NewDatabase(t), testkit.NewClock()
	writes := func(template string) message.Letter {
		return message.Letter{Write: func(context.Context, *sqlx.Tx, message.CustomerMessage) (*message.Message, error) {
			if template == message.TemplatePaymentReceived {
				return &message.Message{Values: []string{"Rs 1", "Growth"}}, nil
			}
			return &message.Message{Values: []string{"a", "b", "c", "d", "", ""}}, nil
		}}
	}
	for code, c := range map[string]struct {
		template string
		marked   []string
	}{
		"email_refused": {message.TemplatePaymentEmail, []string{"asha@example.in"}}, "email_rejected": {message.TemplatePaymentEmail, nil},
		"email_unavailable": {message.TemplatePaymentEmail, nil}, "sms_refused": {message.TemplatePaymentReceived, nil},
	} {
		var marked []string
		box := &phone{err: errs.New(errs.KindInvalid, code, "No.")}
		outbox := message.NewOutbox(message.OutboxOptions{SMS: box, Site: site, Clock: clk, Email: box, Logger: testkit.NewLogger(t)})
		row := id.New()
		db.Owner.MustExec(`INSERT INTO customer_messages (id, franchiser_ref, template, about, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)`,
			row, id.New(), c.template, id.New(), clk.Now(), clk.Now().Add(time.Hour))
		sender := message.NewCustomerOutbox(message.CustomerOutboxOptions{
			DB: db.Worker, Clock: clk, Outbox: outbox,
			Contacts: addressee{mobile: "9876543210", email: "asha@example.in", refused: &marked},
			Letters:  map[string]message.Letter{c.template: writes(c.template)}, Keys: testkit.NewKeyring(t),
		})
		require.Equal(t, code, errs.As(sender.Send(t.Context(), row)).Code)
		require.Equal(t, c.marked, marked, code)
		var noted string
		require.NoError(t, db.Owner.Get(&noted, `SELECT send_error FROM customer_messages WHERE id = $1`, row))
		require.Equal(t, code, noted)
	}
}

// The first try had no answer, and its receipt says that it was not delivered. Once the second try is accepted, the message is not sent a
// third time, and the second try's receipt counts.
func TestSender_SecondTryAccepted_WaitsForItsOwnReceipt(t *testing.T) {
	t.Parallel()
	h := newHouse(t, false)
	h.first.answers = []*message.SendError{fails(message.ClassUnconfirmed, ""), nil}
	m := code()
	require.Error(t, h.sender.Send(t.Context(), m))
	h.tell(t, "first", message.Receipt{Ref: "SM1", MessageID: m.ID, Code: "30003"})
	require.Equal(t, "undelivered", h.state(t, m, "first").State)
	require.NoError(t, h.sender.Send(t.Context(), m))
	require.Equal(t, "accepted", h.state(t, m, "first").State)
	require.Empty(t, h.state(t, m, "first").Code)
	require.NoError(t, h.sender.Send(t.Context(), m), "because the caller could not note it")
	require.Len(t, h.first.sent, 2)
	h.tell(t, "first", message.Receipt{Ref: "first-" + m.ID, Delivered: true})
	require.Equal(t, "delivered", h.state(t, m, "first").State)
}
